package conformance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
	"github.com/puremetal/puremetal/soft/simt"
)

func TestQuantisedBlocksByADequantiserArgument(t *testing.T) {
	const blocks = 9
	r := rand.New(rand.NewPCG(201, 1))
	var b8, b4 []byte
	var want8, want4 []float32
	for range blocks {
		d, m := num.RoundF16(r.Float32()), num.RoundF16(r.Float32()-0.5)
		h, hm := num.F32ToF16(d), num.F32ToF16(m)
		b8 = append(b8, byte(h), byte(h>>8))
		b4 = append(b4, byte(h), byte(h>>8), byte(hm), byte(hm>>8))
		for range 32 {
			q := int8(r.Uint32())
			b8 = append(b8, byte(q))
			want8 = append(want8, float32(float32(q)*d))
		}
		q := make([]byte, 16)
		for i := range q {
			q[i] = byte(r.Uint32())
		}
		b4 = append(b4, q...)
		for _, shift := range []int{0, 4} {
			for _, x := range q {
				want4 = append(want4, float32(float32(x>>shift&15)*d)+m)
			}
		}
	}
	for _, c := range []struct {
		kernel string
		src    []byte
		want   []float32
	}{{"get_rows_8", b8, want8}, {"get_rows_4", b4, want4}} {
		sweep(t, kernelOf(t, "idioms.metal", c.kernel), 2*blocks+5, [][]byte{make([]byte, 4*32*blocks), c.src, mem(int64(2 * blocks))},
			func(t *testing.T, tg int, out [][]byte) {
				for i, g := range decode[float32](out[0]) {
					if math.Abs(float64(g-c.want[i])) > 1e-6 {
						t.Errorf("%s: element %d is %g, want %g", c.kernel, i, g, c.want[i])
						return
					}
				}
			})
	}
}

func TestRMSNormOfRowsWithByteStrides(t *testing.T) {
	const rows, n, stride = 5, 132, 144
	x := floats(rows*stride, 202)
	args := struct {
		NE00 int32
		_    int32
		NB01 uint64
		NB1  uint64
		Eps  float32
		_    int32
	}{NE00: n, NB01: stride * 4, NB1: n * 4, Eps: 1e-5}
	k := kernelOf(t, "idioms.metal", "rms_norm")
	for _, tg := range []int{32, 64, 256} {
		out := make([]byte, rows*n*4)
		err := k.Run(&simt.Dispatch{Grid: [3]int{rows * tg, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(mem(args), mem(x), out),
			ThreadgroupMemory: []int{128}, Checks: simt.CheckAll, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range decode[float32](out) {
			row := x[i/n*stride:][:n]
			s := 0.0
			for _, v := range row {
				s += float64(v) * float64(v)
			}
			want := float64(row[i%n]) / math.Sqrt(s/n+1e-5)
			if math.Abs(float64(g)-want) > 1e-5*math.Abs(want)+1e-7 {
				t.Fatalf("groups of %d: element %d is %g, want %g", tg, i, g, want)
			}
		}
	}
}

func reduceRows[T, U comparable](t *testing.T, kernel string, in []T, rows int, want func(row []T) U) {
	t.Helper()
	n := len(in) / rows
	k := kernelOf(t, "idioms.metal", kernel)
	for _, tg := range []int{32, 64, 96, 256} {
		out := mem(make([]U, rows))
		err := k.Run(&simt.Dispatch{Grid: [3]int{tg, rows, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(mem(in), out, mem(uint64(n))),
			Checks: simt.CheckAll, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range decode[U](out) {
			if w := want(in[i*n : i*n+n]); g != w && (w == w || g == g) {
				t.Errorf("%s in groups of %d, row %d: got %v, want %v", kernel, tg, i, g, w)
			}
		}
	}
}

func TestReductionsByFunctor(t *testing.T) {
	const rows, n = 4, 517
	f := make([]float32, rows*n)
	for i := range f {
		f[i] = float32(i*37%101) - 60 // sums are exact in any order
	}
	sum := func(row []float32) (s float32) {
		for _, v := range row {
			s += v
		}
		return s
	}
	largest := func(row []float32) float32 {
		m := float32(math.Inf(-1))
		for _, v := range row {
			if v != v {
				return v
			}
			m = max(m, v)
		}
		return m
	}
	reduceRows(t, "row_reduce_sum_f32", f, rows, sum)
	reduceRows(t, "row_reduce_max_f32", f, rows, largest)
	b := corner[int8](rows*n, 203)
	reduceRows(t, "row_reduce_sum_i8", b, rows, func(row []int8) (s int32) {
		for _, v := range row {
			s += int32(v)
		}
		return s
	})
	i := corner[int32](rows*n, 204)
	reduceRows(t, "row_reduce_max_i32", i, rows, func(row []int32) int32 {
		m := row[0]
		for _, v := range row {
			m = max(m, v)
		}
		return m
	})
	h := each(f, num.F32ToF16)
	reduceRows(t, "row_reduce_max_f16", h, rows, func(row []uint16) uint16 { return num.F32ToF16(largest(each(row, num.F16ToF32))) })
}

func TestStridedCopyByElementNumber(t *testing.T) {
	shape, strides := []int32{3, 4, 5}, []int64{1, 15, 3}
	src := floats(80, 205)
	const n = 60
	sweep(t, kernelOf(t, "idioms.metal", "copy_general"), n, [][]byte{mem(src), make([]byte, 4*n), mem(shape), mem(strides), mem(int32(3))},
		func(t *testing.T, tg int, out [][]byte) {
			for i, g := range decode[float32](out[1]) {
				if w := src[i/20*1+i/5%4*15+i%5*3]; g != w {
					t.Errorf("element %d is %g, want %g", i, g, w)
					return
				}
			}
		})
}

func TestConversionOperatorsByAddressSpace(t *testing.T) {
	x := make([]int16, 50)
	for i := range x {
		x[i] = int16(i*40 - 900)
	}
	sweep(t, kernelOf(t, "idioms.metal", "fixed_square"), len(x), [][]byte{mem(x)}, func(t *testing.T, tg int, out [][]byte) {
		for i, g := range decode[int16](out[0]) {
			f := float32(x[i]) / 256
			if w := int16(float32(f*f) * 256); g != w {
				t.Errorf("element %d is %d, want %d", i, g, w)
				return
			}
		}
	})
}
