package simt

// file gives access to one bank of a warp to code that is written once for all.
type file[T any] struct {
	rows  func(w *warp) [][Width]T
	cells func(w *warp) []T
}

var (
	fileF = file[float32]{func(w *warp) [][Width]float32 { return w.vf }, func(w *warp) []float32 { return w.sf }}
	fileU = file[uint32]{func(w *warp) [][Width]uint32 { return w.vu }, func(w *warp) []uint32 { return w.su }}
	fileQ = file[uint64]{func(w *warp) [][Width]uint64 { return w.vq }, func(w *warp) []uint64 { return w.sq }}
)

// map1 applies f to row or cell a, as d is a vector or not.
func map1[S, D any](src file[S], dst file[D], d slot, a int, f func(S) D) step {
	di := d.index
	if !d.vector {
		return func(w *warp) { dst.cells(w)[di] = f(src.cells(w)[a]) }
	}
	return func(w *warp) {
		D, A := &dst.rows(w)[di], &src.rows(w)[a]
		for i, x := range A {
			D[i] = f(x)
		}
	}
}

func map2[T any](on file[T], d slot, a, b int, f func(a, b T) T) step {
	di := d.index
	if !d.vector {
		return func(w *warp) {
			c := on.cells(w)
			c[di] = f(c[a], c[b])
		}
	}
	return func(w *warp) {
		rows := on.rows(w)
		D, A, B := &rows[di], &rows[a], &rows[b]
		for i := range D {
			D[i] = f(A[i], B[i])
		}
	}
}

func map3[T any](on file[T], d slot, a, b, c int, f func(a, b, c T) T) step {
	di := d.index
	if !d.vector {
		return func(w *warp) {
			s := on.cells(w)
			s[di] = f(s[a], s[b], s[c])
		}
	}
	return func(w *warp) {
		rows := on.rows(w)
		D, A, B, C := &rows[di], &rows[a], &rows[b], &rows[c]
		for i := range D {
			D[i] = f(A[i], B[i], C[i])
		}
	}
}
