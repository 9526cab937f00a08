package simt

import (
	"math"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// convert emits Convert and SatConv from in.Kind to the kind of d.
func (g *generator) convert(in *ir.Instr, d slot, saturate bool) {
	a, from, to := g.l.slots[in.A], in.Kind, d.kind
	if a.bank != bankOf(from) || to.IsMat() || from.IsMat() {
		g.fail(in, "conversion from %s to %s", from, to)
		return
	}
	g.finish(d, a.vector, func(t slot) {
		var s step
		switch {
		case saturate:
			s = saturating(from, to, t, a.index)
		case from.IsFloat() && to.IsFloat():
			s = floatToFloat(from, to, t, a.index)
		case from.IsFloat():
			s = floatToInt(to, t, a.index)
		case to.IsFloat():
			s = intToFloat(from, to, t, a.index)
		default:
			s = intToInt(from, to, t, a.index)
		}
		if s == nil {
			g.fail(in, "conversion from %s to %s", from, to)
			return
		}
		g.emit(s)
	})
}

func floatToFloat(from, to ir.Kind, t slot, a int) step {
	move := copyScalar(bankF, t.index, a)
	if t.vector {
		move = copyRow(bankF, t.index, a)
	}
	if from == to || to == ir.F32 {
		return move
	}
	round := roundFloat(to, t)
	return func(w *warp) {
		move(w)
		round(w)
	}
}

func floatToInt(to ir.Kind, t slot, a int) step {
	switch to {
	case ir.Bool:
		return map1(fileF, fileU, t, a, func(x float32) uint32 {
			if x != 0 {
				return 1
			}
			return 0
		})
	case ir.I8:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return uint32(num.FloatToInt[int8](x)) })
	case ir.U8:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return uint32(num.FloatToInt[uint8](x)) })
	case ir.I16:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return uint32(num.FloatToInt[int16](x)) })
	case ir.U16:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return uint32(num.FloatToInt[uint16](x)) })
	case ir.I32:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return uint32(num.FloatToInt[int32](x)) })
	case ir.U32:
		return map1(fileF, fileU, t, a, func(x float32) uint32 { return num.FloatToInt[uint32](x) })
	case ir.I64:
		return map1(fileF, fileQ, t, a, func(x float32) uint64 { return uint64(num.FloatToInt[int64](x)) })
	case ir.U64:
		return map1(fileF, fileQ, t, a, func(x float32) uint64 { return num.FloatToInt[uint64](x) })
	}
	return nil
}

func intToFloat(from, to ir.Kind, t slot, a int) step {
	di := t.index
	if to == ir.F32 && t.vector {
		switch from {
		case ir.Bool, ir.U8, ir.U16:
			from = ir.I32 // the value is the same, and signed words convert in one instruction
			fallthrough
		case ir.I8, ir.I16, ir.I32:
			return func(w *warp) {
				D, A := &w.vf[di], &w.vu[a]
				for i, x := range A {
					D[i] = float32(int32(x))
				}
			}
		}
	}
	signed := from.IsSigned()
	if bankOf(from) == bankQ {
		f := map[ir.Kind]func(uint64) float32{ir.F32: num.IntToF32[uint64], ir.F16: num.IntToF16[uint64], ir.BF16: num.IntToBF16[uint64]}[to]
		if signed {
			g := map[ir.Kind]func(int64) float32{ir.F32: num.IntToF32[int64], ir.F16: num.IntToF16[int64], ir.BF16: num.IntToBF16[int64]}[to]
			f = func(x uint64) float32 { return g(int64(x)) }
		}
		return map1(fileQ, fileF, t, a, f)
	}
	f := map[ir.Kind]func(uint32) float32{ir.F32: num.IntToF32[uint32], ir.F16: num.IntToF16[uint32], ir.BF16: num.IntToBF16[uint32]}[to]
	if signed {
		g := map[ir.Kind]func(int32) float32{ir.F32: num.IntToF32[int32], ir.F16: num.IntToF16[int32], ir.BF16: num.IntToBF16[int32]}[to]
		f = func(x uint32) float32 { return g(int32(x)) }
	}
	return map1(fileU, fileF, t, a, f)
}

func intToInt(from, to ir.Kind, t slot, a int) step {
	di := t.index
	wide, toWide := bankOf(from) == bankQ, bankOf(to) == bankQ
	switch {
	case wide && to == ir.Bool:
		return map1(fileQ, fileU, t, a, func(x uint64) uint32 {
			if x != 0 {
				return 1
			}
			return 0
		})
	case to == ir.Bool:
		return map1(fileU, fileU, t, a, func(x uint32) uint32 {
			if x != 0 {
				return 1
			}
			return 0
		})
	case wide && toWide && t.vector:
		return copyRow(bankQ, di, a)
	case wide && toWide:
		return copyScalar(bankQ, di, a)
	case wide && t.vector:
		cut := extend(to, t)
		full := to.Size() == 4
		return func(w *warp) {
			D, A := &w.vu[di], &w.vq[a]
			for i, x := range A {
				D[i] = uint32(x)
			}
			if !full {
				cut(w)
			}
		}
	case wide:
		return func(w *warp) { w.su[di] = narrowed(to, uint32(w.sq[a])) }
	case toWide && !t.vector:
		if from.IsSigned() {
			return func(w *warp) { w.sq[di] = uint64(int32(w.su[a])) }
		}
		return func(w *warp) { w.sq[di] = uint64(w.su[a]) }
	case toWide && from.IsSigned():
		return func(w *warp) {
			D, A := &w.vq[di], &w.vu[a]
			for i, x := range A {
				D[i] = uint64(int32(x))
			}
		}
	case toWide:
		return func(w *warp) {
			D, A := &w.vq[di], &w.vu[a]
			for i, x := range A {
				D[i] = uint64(x)
			}
		}
	}
	move := copyScalar(bankU, di, a)
	if t.vector {
		move = copyRow(bankU, di, a)
	}
	if to.Size() == 4 {
		return move
	}
	cut := extend(to, t)
	return func(w *warp) {
		move(w)
		cut(w)
	}
}

// saturating converts an integer to the nearest value of another integer kind.
func saturating(from, to ir.Kind, t slot, a int) step {
	lo, hi := limits(to)
	if lo == hi {
		return nil
	}
	clamp := func(x uint64) uint64 {
		if from.IsSigned() {
			v := int64(x)
			if v < lo {
				return uint64(lo)
			}
			if v > 0 && uint64(v) > uint64(hi) && to != ir.U64 {
				return uint64(hi)
			}
			return x
		}
		if x > uint64(hi) && to != ir.U64 {
			return uint64(hi)
		}
		return x
	}
	read := func(x uint32) uint64 {
		if from.IsSigned() {
			return uint64(int32(x))
		}
		return uint64(x)
	}
	switch wide, toWide := bankOf(from) == bankQ, bankOf(to) == bankQ; {
	case wide && toWide:
		return map1(fileQ, fileQ, t, a, clamp)
	case wide:
		return map1(fileQ, fileU, t, a, func(x uint64) uint32 { return uint32(clamp(x)) })
	case toWide:
		return map1(fileU, fileQ, t, a, func(x uint32) uint64 { return clamp(read(x)) })
	}
	return map1(fileU, fileU, t, a, func(x uint32) uint32 { return uint32(clamp(read(x))) })
}

// limits are the smallest and largest value of an integer kind; those of ulong do not fit and are not used.
func limits(k ir.Kind) (lo, hi int64) {
	switch k {
	case ir.I8:
		return math.MinInt8, math.MaxInt8
	case ir.U8:
		return 0, math.MaxUint8
	case ir.I16:
		return math.MinInt16, math.MaxInt16
	case ir.U16:
		return 0, math.MaxUint16
	case ir.I32:
		return math.MinInt32, math.MaxInt32
	case ir.U32:
		return 0, math.MaxUint32
	case ir.I64:
		return math.MinInt64, math.MaxInt64
	case ir.U64:
		return 0, math.MaxInt64
	}
	return 0, 0
}

// bitcast emits Bitcast: the bits of A, in its kind's format, as the kind of d.
func (g *generator) bitcast(in *ir.Instr, d slot) {
	a, from, to := g.l.slots[in.A], in.Kind, d.kind
	if from.Size() != to.Size() || from.Size() == 0 || a.bank != bankOf(from) {
		g.fail(in, "bits of %s as %s", from, to)
		return
	}
	g.finish(d, a.vector, func(t slot) {
		switch {
		case from.IsFloat() && to.IsFloat():
			g.emit(map1(fileF, fileF, t, a.index, func(x float32) float32 { return valueOf(to, bitsOf(from, x)) }))
		case from.IsFloat():
			g.emit(map1(fileF, fileU, t, a.index, func(x float32) uint32 { return narrowed(to, bitsOf(from, x)) }))
		case to.IsFloat():
			g.emit(map1(fileU, fileF, t, a.index, func(x uint32) float32 { return valueOf(to, x) }))
		default:
			g.emit(intToInt(from, to, t, a.index))
		}
	})
}

func bitsOf(k ir.Kind, x float32) uint32 {
	switch k {
	case ir.F16:
		return uint32(num.F32ToF16(x))
	case ir.BF16:
		return uint32(num.F32ToBF16(x))
	}
	return math.Float32bits(x)
}

func valueOf(k ir.Kind, b uint32) float32 {
	switch k {
	case ir.F16:
		return num.F16ToF32(uint16(b))
	case ir.BF16:
		return num.BF16ToF32(uint16(b))
	}
	return math.Float32frombits(b)
}
