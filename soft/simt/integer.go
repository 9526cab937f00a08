package simt

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// word is what a register of an integer bank holds.
type word interface{ uint32 | uint64 }

// integer emits the operations that depend on the exact width of their kind and are not worth a loop of their own.
func (g *generator) integer(in *ir.Instr, d slot) {
	switch in.Kind {
	case ir.I8:
		integerOn[int8](g, fileU, in, d)
	case ir.U8, ir.Bool:
		integerOn[uint8](g, fileU, in, d)
	case ir.I16:
		integerOn[int16](g, fileU, in, d)
	case ir.U16:
		integerOn[uint16](g, fileU, in, d)
	case ir.I32:
		integerOn[int32](g, fileU, in, d)
	case ir.U32:
		integerOn[uint32](g, fileU, in, d)
	case ir.I64:
		integerOn[int64](g, fileQ, in, d)
	case ir.U64:
		integerOn[uint64](g, fileQ, in, d)
	default:
		g.fail(in, "not an operation of %s", in.Kind)
	}
}

func integerOn[T num.Int, W word](g *generator, on file[W], in *ir.Instr, d slot) {
	if in.Op == ir.ExtractBits || in.Op == ir.InsertBits {
		bitField[T](g, on, in, d)
		return
	}
	regs := []ir.Reg{in.A, in.B, in.C}[:opShapes[in.Op].operands]
	var idx [3]int
	vector := false
	for _, r := range regs {
		vector = vector || g.l.slots[r].vector
		if bankOf(in.Kind) != g.l.slots[r].bank {
			g.fail(in, "%s of a register of kind %s", in.Kind, g.l.slots[r].kind)
			return
		}
	}
	for i, r := range regs {
		if idx[i] = g.l.slots[r].index; vector {
			idx[i] = g.row(r, i)
		}
	}
	g.finish(d, vector, func(t slot) {
		t.vector = vector
		switch len(regs) {
		case 1:
			if f := unaryOf[T](in.Op); f != nil {
				g.emit(map1(on, on, t, idx[0], func(a W) W { return W(f(T(a))) }))
				return
			}
		case 2:
			if f := binaryOf[T](in.Op); f != nil {
				g.emit(map2(on, t, idx[0], idx[1], func(a, b W) W { return W(f(T(a), T(b))) }))
				return
			}
		case 3:
			if f := ternaryOf[T](in.Op); f != nil {
				g.emit(map3(on, t, idx[0], idx[1], idx[2], func(a, b, c W) W { return W(f(T(a), T(b), T(c))) }))
				return
			}
		}
		g.fail(in, "not an operation of %s", in.Kind)
	})
}

func unaryOf[T num.Int](op ir.Op) func(T) T {
	switch op {
	case ir.Abs:
		return num.Abs[T]
	case ir.Clz:
		return num.Clz[T]
	case ir.Ctz:
		return num.Ctz[T]
	case ir.Popcount:
		return num.Popcount[T]
	case ir.ReverseBits:
		return num.ReverseBits[T]
	case ir.Sign:
		return func(a T) T {
			switch {
			case a > 0:
				return 1
			case a < 0:
				return ^T(0)
			}
			return 0
		}
	}
	return nil
}

func binaryOf[T num.Int](op ir.Op) func(a, b T) T {
	switch op {
	case ir.Div:
		return num.Div[T]
	case ir.Rem:
		return num.Rem[T]
	case ir.Shl:
		return num.Shl[T]
	case ir.Shr:
		return num.Shr[T]
	case ir.AbsDiff:
		return num.AbsDiff[T]
	case ir.AddSat:
		return num.AddSat[T]
	case ir.SubSat:
		return num.SubSat[T]
	case ir.MulHi:
		return num.MulHi[T]
	case ir.HAdd:
		return num.HAdd[T]
	case ir.RHAdd:
		return num.RHAdd[T]
	case ir.Rotate:
		return num.Rotate[T]
	}
	return nil
}

func ternaryOf[T num.Int](op ir.Op) func(a, b, c T) T {
	switch op {
	case ir.MadHi:
		return num.MadHi[T]
	case ir.MadSat:
		return num.MadSat[T]
	}
	return nil
}

// bitField emits extract_bits and insert_bits; offset and width are 32-bit registers whatever the kind.
func bitField[T num.Int, W word](g *generator, on file[W], in *ir.Instr, d slot) {
	small := []ir.Reg{in.B, in.C}
	if in.Op == ir.InsertBits {
		small = []ir.Reg{in.C, in.Regs[0]}
	}
	for _, r := range small {
		if g.l.slots[r].bank != bankU {
			g.fail(in, "bit offset or width of kind %s", g.l.slots[r].kind)
			return
		}
	}
	// These are rare: they run on rows, and a result that all lanes share is taken from the first.
	from, n := g.row(small[0], 2), g.row(small[1], 3)
	a := g.row(in.A, 0)
	insert := in.Op == ir.InsertBits
	b := a
	if insert {
		b = g.row(in.B, 1)
	}
	t := d
	if !d.vector {
		t = slot{bank: d.bank, vector: true, index: 4, kind: d.kind}
	}
	di := t.index
	g.emit(func(w *warp) {
		rows := on.rows(w)
		D, A, B, F, N := &rows[di], &rows[a], &rows[b], &w.vu[from], &w.vu[n]
		for i := range D {
			if insert {
				D[i] = W(num.InsertBits(T(A[i]), T(B[i]), F[i], N[i]))
			} else {
				D[i] = W(num.ExtractBits(T(A[i]), F[i], N[i]))
			}
		}
	})
	if !d.vector {
		g.emit(firstActive(d.bank, d.index, di))
	}
}

func frexpMan(x float32) float32 {
	m, _ := num.Frexp(x)
	return m
}

func frexpExp(x float32) uint32 {
	_, e := num.Frexp(x)
	return uint32(e)
}
