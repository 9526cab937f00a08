package simt

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// simd emits the operations across the lanes of a simdgroup, or of its quadgroups where Imm2 is 4.
func (g *generator) simd(in *ir.Instr, d slot) {
	quad := in.Imm2 == 4
	switch in.Op {
	case ir.SimdBallot, ir.SimdAll, ir.SimdAny, ir.SimdActiveMask, ir.SimdIsFirst:
		g.vote(in, d, quad)
		return
	}
	if bankOf(in.Kind) != d.bank || g.l.slots[in.A].bank != d.bank {
		g.fail(in, "%s of a register of kind %s into %s", in.Kind, g.l.slots[in.A].kind, d.kind)
		return
	}
	switch d.bank {
	case bankF:
		simdOn(g, fileF, in, d, quad)
	case bankU:
		simdOn(g, fileU, in, d, quad)
	case bankQ:
		simdOn(g, fileQ, in, d, quad)
	}
}

// combiner gives the operation that a reduction or scan repeats.
func combiner[T any](in *ir.Instr) func(a, b T) T {
	var f any
	switch k := in.Kind; in.Op {
	case ir.SimdSum, ir.SimdPrefixInclusiveSum, ir.SimdPrefixExclusiveSum:
		f = [banks]any{func(a, b float32) float32 { return a + b }, func(a, b uint32) uint32 { return a + b }, func(a, b uint64) uint64 { return a + b }}[bankOf(k)]
	case ir.SimdProduct, ir.SimdPrefixInclusiveProduct, ir.SimdPrefixExclusiveProduct:
		f = [banks]any{func(a, b float32) float32 { return a * b }, func(a, b uint32) uint32 { return a * b }, func(a, b uint64) uint64 { return a * b }}[bankOf(k)]
	case ir.SimdMin:
		f = [banks]any{num.Fmin, func(a, b uint32) uint32 { return min(a, b) }, func(a, b uint64) uint64 { return min(a, b) }}[bankOf(k)]
		switch classOf(k) {
		case classI:
			f = func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }
		case classL:
			f = func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) }
		}
	case ir.SimdMax:
		f = [banks]any{num.Fmax, func(a, b uint32) uint32 { return max(a, b) }, func(a, b uint64) uint64 { return max(a, b) }}[bankOf(k)]
		switch classOf(k) {
		case classI:
			f = func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }
		case classL:
			f = func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) }
		}
	case ir.SimdAnd:
		f = [banks]any{nil, func(a, b uint32) uint32 { return a & b }, func(a, b uint64) uint64 { return a & b }}[bankOf(k)]
	case ir.SimdOr:
		f = [banks]any{nil, func(a, b uint32) uint32 { return a | b }, func(a, b uint64) uint64 { return a | b }}[bankOf(k)]
	case ir.SimdXor:
		f = [banks]any{nil, func(a, b uint32) uint32 { return a ^ b }, func(a, b uint64) uint64 { return a ^ b }}[bankOf(k)]
	}
	c, _ := f.(func(a, b T) T)
	return c
}

// rounds emits what brings a sum or product into its kind.
func (g *generator) rounds(k ir.Kind, t slot) {
	switch {
	case k == ir.F16 || k == ir.BF16:
		g.emit(roundFloat(k, t))
	case k.IsInt() && k.Size() < 4:
		g.emit(extend(k, t))
	}
}

func simdOn[T any](g *generator, on file[T], in *ir.Instr, d slot, quad bool) {
	switch op := in.Op; {
	case op >= ir.SimdSum && op <= ir.SimdXor:
		f := combiner[T](in)
		if f == nil {
			g.fail(in, "not an operation of %s", in.Kind)
			return
		}
		a := g.row(in.A, 0)
		g.finish(d, quad, func(t slot) {
			di := t.index
			switch {
			case quad:
				g.emit(func(w *warp) { reduceQuads(&on.rows(w)[di], &on.rows(w)[a], w.mask, f) })
			case op == ir.SimdSum && d.bank == bankF:
				g.emit(func(w *warp) { w.sf[di] = sumLanes(&w.vf[a], w.mask) })
			default:
				g.emit(func(w *warp) {
					tmp := on.rows(w)[a]
					on.cells(w)[di] = reduce(tmp[:compact(&tmp, w.mask)], f)
				})
			}
			g.rounds(in.Kind, t)
		})
	case op >= ir.SimdPrefixInclusiveSum && op <= ir.SimdPrefixExclusiveProduct:
		scan(g, on, in, d, quad)
	case op == ir.SimdBroadcastFirst && !quad:
		a := g.row(in.A, 0)
		g.finish(d, false, func(t slot) { g.emit(firstActive(d.bank, t.index, a)) })
	case op == ir.SimdBroadcast && !quad && !g.l.slots[in.B].vector:
		a, b := g.row(in.A, 0), g.l.slots[in.B].index
		g.finish(d, false, func(t slot) {
			di := t.index
			g.emit(func(w *warp) { on.cells(w)[di] = on.rows(w)[a][w.su[b]&31] })
		})
	default:
		shuffle(g, on, in, d, quad)
	}
}

// compact moves the lanes of mask to the front of a and gives their number.
func compact[T any](a *[Width]T, mask uint32) int {
	if mask == fullMask {
		return Width
	}
	n := 0
	for m := mask; m != 0; m &= m - 1 {
		a[n] = a[bits.TrailingZeros32(m)]
		n++
	}
	return n
}

// reduce folds the upper half onto the lower until one is left: the order of additions that a GPU's butterfly has.
func reduce[T any](a []T, f func(a, b T) T) T {
	for n := len(a); n > 1; {
		half := (n + 1) / 2
		for i := half; i < n; i++ {
			a[i-half] = f(a[i-half], a[i])
		}
		n = half
	}
	return a[0]
}

func sumLanes(a *[Width]float32, mask uint32) float32 {
	tmp := *a
	n := compact(&tmp, mask)
	for n > 1 {
		half := (n + 1) / 2
		for i := half; i < n; i++ {
			tmp[i-half] += tmp[i]
		}
		n = half
	}
	return tmp[0]
}

func reduceQuads[T any](d, a *[Width]T, mask uint32, f func(a, b T) T) {
	for q := 0; q < Width; q += 4 {
		var tmp [4]T
		n := 0
		for i := q; i < q+4; i++ {
			if mask>>i&1 != 0 {
				tmp[n] = a[i]
				n++
			}
		}
		if n == 0 {
			continue
		}
		v := reduce(tmp[:n], f)
		for i := q; i < q+4; i++ {
			d[i] = v
		}
	}
}

// scan emits the prefix sums and products over the active lanes.
func scan[T any](g *generator, on file[T], in *ir.Instr, d slot, quad bool) {
	f := combiner[T](in)
	if f == nil || !d.vector {
		g.fail(in, "not an operation of %s", in.Kind)
		return
	}
	exclusive := in.Op == ir.SimdPrefixExclusiveSum || in.Op == ir.SimdPrefixExclusiveProduct
	one := in.Op == ir.SimdPrefixInclusiveProduct || in.Op == ir.SimdPrefixExclusiveProduct
	var start T
	if one {
		switch p := any(&start).(type) {
		case *float32:
			*p = 1
		case *uint32:
			*p = 1
		case *uint64:
			*p = 1
		}
	}
	a, di := g.row(in.A, 0), d.index
	g.emit(func(w *warp) {
		rows := on.rows(w)
		D, A := &rows[di], rows[a]
		acc := start
		for i := range A {
			if quad && i%4 == 0 {
				acc = start
			}
			if w.mask>>i&1 == 0 {
				continue
			}
			before := acc
			acc = f(acc, A[i])
			if exclusive {
				D[i] = before
			} else {
				D[i] = acc
			}
		}
	})
	g.rounds(in.Kind, d)
}

// shuffle emits the operations that fetch a value from another lane.
func shuffle[T any](g *generator, on file[T], in *ir.Instr, d slot, quad bool) {
	if !d.vector {
		g.fail(in, "a result that lanes do not share in a register that they do")
		return
	}
	size := Width
	if quad {
		size = 4
	}
	a, di := g.row(in.A, 0), d.index
	if in.Op == ir.SimdShuffleAndFillUp || in.Op == ir.SimdShuffleAndFillDown {
		fill, delta, modulo := g.row(in.B, 1), g.row(in.C, 2), g.row(in.Regs[0], 3)
		up := in.Op == ir.SimdShuffleAndFillUp
		g.emit(func(w *warp) {
			rows := on.rows(w)
			D, A, F := &rows[di], rows[a], rows[fill]
			for i := range D {
				m := int(w.vu[modulo][i])
				if m <= 0 || m > size {
					m = size
				}
				by := int(w.vu[delta][i] % uint32(m+1))
				base := i - i%m
				k := i%m + by
				if up {
					k = i%m - by
				}
				switch {
				case k < 0:
					D[i] = F[(base+k+m)&31]
				case k >= m:
					D[i] = F[(base+k-m)&31]
				default:
					D[i] = A[(base+k)&31]
				}
			}
		})
		return
	}
	b := 0
	if in.Op != ir.SimdBroadcastFirst {
		if g.l.slots[in.B].bank != bankU {
			g.fail(in, "lane of kind %s", g.l.slots[in.B].kind)
			return
		}
		b = g.row(in.B, 4)
	}
	var from func(w *warp, lane, b int) int // within the group; the lane itself where there is none
	last := size - 1
	switch in.Op {
	case ir.SimdBroadcastFirst: // of a quadgroup
		from = func(w *warp, lane, _ int) int { return bits.TrailingZeros32(w.mask >> (lane &^ 3) & 15) }
	case ir.SimdBroadcast, ir.SimdShuffle:
		from = func(_ *warp, _, b int) int { return b & last }
	case ir.SimdShuffleXor:
		from = func(_ *warp, lane, b int) int { return (lane ^ b) & last }
	case ir.SimdShuffleUp:
		from = func(_ *warp, lane, b int) int {
			if b > lane&last {
				return lane & last
			}
			return lane&last - b
		}
	case ir.SimdShuffleDown:
		from = func(_ *warp, lane, b int) int {
			if b > last-lane&last {
				return lane & last
			}
			return lane&last + b
		}
	case ir.SimdShuffleRotateUp:
		from = func(_ *warp, lane, b int) int { return (lane - b) & last }
	case ir.SimdShuffleRotateDown:
		from = func(_ *warp, lane, b int) int { return (lane + b) & last }
	default:
		g.fail(in, "not implemented")
		return
	}
	g.emit(func(w *warp) {
		rows := on.rows(w)
		D, A, B := &rows[di], rows[a], &w.vu[b]
		for i := range D {
			D[i] = A[(i&^last+from(w, i, int(B[i])))&31]
		}
	})
}

// vote emits the operations on the set of active lanes.
func (g *generator) vote(in *ir.Instr, d slot, quad bool) {
	var a int
	if in.Op == ir.SimdBallot || in.Op == ir.SimdAll || in.Op == ir.SimdAny {
		if g.l.slots[in.A].bank != bankU {
			g.fail(in, "vote on %s", g.l.slots[in.A].kind)
			return
		}
		a = g.row(in.A, 0)
	}
	// answer makes the result for a group from its active lanes and those of them that vote yes.
	var answer func(active, yes uint32) uint64
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	switch in.Op {
	case ir.SimdBallot:
		answer = func(_, yes uint32) uint64 { return uint64(yes) }
	case ir.SimdAll:
		answer = func(active, yes uint32) uint64 { return truth(active == yes) }
	case ir.SimdAny:
		answer = func(_, yes uint32) uint64 { return truth(yes != 0) }
	case ir.SimdActiveMask:
		answer = func(active, _ uint32) uint64 { return uint64(active) }
	}
	votes := func(w *warp) uint32 {
		if in.Op == ir.SimdActiveMask || in.Op == ir.SimdIsFirst {
			return w.mask
		}
		return lanesOf(w, a)
	}
	size := Width
	if quad {
		size = 4
	}
	if !quad && in.Op != ir.SimdIsFirst {
		g.finish(d, false, func(t slot) {
			di := t.index
			g.emit(func(w *warp) {
				v := answer(w.mask, votes(w))
				if t.bank == bankQ {
					w.sq[di] = v
				} else {
					w.su[di] = uint32(v)
				}
			})
		})
		return
	}
	di := d.index
	if !d.vector {
		g.fail(in, "a result that lanes do not share in a register that they do")
		return
	}
	group := fullMask >> (Width - size)
	g.emit(func(w *warp) {
		yes := votes(w)
		for i := range Width {
			base := i &^ (size - 1)
			active := w.mask >> base & group
			var v uint64
			if in.Op == ir.SimdIsFirst {
				v = truth(active != 0 && bits.TrailingZeros32(active) == i-base)
			} else {
				v = answer(active, yes>>base&group)
			}
			if d.bank == bankQ {
				w.vq[di][i] = v
			} else {
				w.vu[di][i] = uint32(v)
			}
		}
	})
}
