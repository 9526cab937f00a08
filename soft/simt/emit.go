package simt

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// class is what arithmetic takes the bits of a register for.
type class uint8

const (
	classF    class = iota // float32
	classF16               // operations whose rounding depends on the format
	classBF16              //
	classI                 // int32
	classU                 // uint32
	classL                 // int64
	classM                 // uint64
)

func classOf(k ir.Kind) class {
	switch k {
	case ir.F16, ir.BF16, ir.F32:
		return classF
	case ir.I8, ir.I16, ir.I32:
		return classI
	case ir.I64:
		return classL
	case ir.U64, ir.Ptr:
		return classM
	}
	return classU
}

// opClass names a loop of arith_gen.go.
type opClass struct {
	op    ir.Op
	class class
}

// forms are the loops of one operation by the shape of its operands: bit 0 set where A is a vector, bit 1 B, bit 2 C.
type forms [8]func(d, a, b, c int) step

// collect gives the steps that f emits.
func (g *generator) collect(f func()) []step {
	saved := g.blocks[g.cur].steps
	g.blocks[g.cur].steps = nil
	f()
	out := g.blocks[g.cur].steps
	g.blocks[g.cur].steps = saved
	return out
}

// masks reports whether an assignment to r in z must spare the inactive lanes.
func (g *generator) masks(r ir.Reg, z *zone) bool {
	p := &g.plan.regs[r]
	return p.escapes || z.narrowed(p.home)
}

// elementwise reports whether an operation makes each lane's result of that lane's operands alone, so that its result
// may overwrite an operand.
func elementwise(op ir.Op) bool {
	return op >= ir.Neg && op <= ir.SignBit || op == ir.PtrAdd || op == ir.PtrDiff
}

// fuse joins an operation with the Mov behind it that assigns its only result to a variable.
func (g *generator) fuse(n *ir.Instr, next ir.Node) bool {
	mov, ok := next.(*ir.Instr)
	if !ok || mov.Op != ir.Mov || mov.A != n.Dst {
		return false
	}
	t, v := g.l.slots[n.Dst], g.l.slots[mov.Dst]
	if n.Op == ir.MatMac && mov.Dst != n.B && g.plan.regs[n.Dst].reads == 1 && t.kind == v.kind {
		g.matrix(n, mov.Dst) // an accumulator in place
		return true
	}
	if !elementwise(n.Op) {
		return false
	}
	if g.plan.regs[n.Dst].reads != 1 || g.plan.regs[n.Dst].escapes || t.vector != v.vector || t.kind != v.kind || g.k.Regs[mov.Dst].Len > 1 {
		return false
	}
	if !g.masks(mov.Dst, g.plan.bySite[mov].z) {
		g.compute(n, v)
		return true
	}
	// Under divergence the variable is computed in place while all lanes happen to be active.
	direct := g.collect(func() { g.compute(n, v) })
	apart := g.collect(func() {
		g.compute(n, t)
		g.emit(copyMasked(v.bank, v.index, t.index))
	})
	g.emit(func(w *warp) {
		steps := apart
		if w.mask == fullMask {
			steps = direct
		}
		for _, s := range steps {
			s(w)
		}
	})
	return true
}

// instr emits one instruction.
func (g *generator) instr(in *ir.Instr) {
	switch op := in.Op; {
	case op == ir.Nop || op == ir.Decl:
	case op == ir.Mov:
		g.mov(in)
	case op == ir.Load:
		g.load(in)
	case op == ir.Store:
		g.store(in)
	case op >= ir.AtomicLoad && op <= ir.AtomicXor:
		g.atomic(in)
	case op == ir.ThreadgroupBarrier || op == ir.SimdgroupBarrier:
		g.barrier(in)
	case op == ir.ArraySet:
		g.arraySet(in)
	case op >= ir.MatFill && op <= ir.MatMac || op == ir.MatSet:
		g.matrix(in, in.Dst)
	default:
		d := g.l.slots[in.Dst]
		if !g.plan.regs[in.Dst].escapes {
			g.compute(in, d)
			return
		}
		t := slot{bank: d.bank, vector: true, index: scratchRows - 1, kind: d.kind}
		g.compute(in, t)
		g.emit(copyMasked(d.bank, d.index, t.index))
	}
}

// row gives the register as a vector row; what all lanes share is first copied to scratch row n of its bank.
func (g *generator) row(r ir.Reg, n int) int {
	s := g.l.slots[r]
	if s.vector {
		return s.index
	}
	g.emit(broadcast(s.bank, n, s.index))
	return n
}

// cell gives the register as one value for the simdgroup, that of the first active lane where lanes could differ, in
// scratch cell n of its bank.
func (g *generator) cell(r ir.Reg, n int) int {
	s := g.l.slots[r]
	if !s.vector {
		return s.index
	}
	g.emit(firstActive(s.bank, n, s.index))
	return n
}

func (g *generator) mov(in *ir.Instr) {
	d, a := g.l.slots[in.Dst], g.l.slots[in.A]
	if d.bank != a.bank || g.k.Regs[in.Dst].Len > 1 && g.k.Regs[in.Dst].Len != g.k.Regs[in.A].Len {
		g.fail(in, "%s to %s", a.kind, d.kind)
		return
	}
	if d.bank == bankM {
		di, ai, n := d.index, a.index, max(int(g.k.Regs[in.Dst].Len), 1)
		g.emit(func(w *warp) { copy(w.mats[di:di+n], w.mats[ai:ai+n]) })
		return
	}
	masks := g.masks(in.Dst, g.plan.bySite[in].z)
	for i := range max(int(g.k.Regs[in.Dst].Len), 1) {
		di, ai := d.index+i, a.index+i
		switch {
		case !d.vector:
			g.emit(copyScalar(d.bank, di, ai))
		case a.vector && masks:
			g.emit(copyMasked(d.bank, di, ai))
		case a.vector:
			g.emit(copyRow(d.bank, di, ai))
		case masks:
			g.emit(broadcastMasked(d.bank, di, ai))
		default:
			g.emit(broadcast(d.bank, di, ai))
		}
	}
}

// compute emits an operation that assigns Dst in every lane, with d for Dst.
func (g *generator) compute(in *ir.Instr, d slot) {
	switch op := in.Op; {
	case op == ir.Convert:
		g.convert(in, d, false)
	case op == ir.SatConv:
		g.convert(in, d, true)
	case op == ir.Bitcast:
		g.bitcast(in, d)
	case op >= ir.Neg && op <= ir.SignBit:
		g.arithmetic(in, d)
	case op == ir.ArrayGet:
		g.arrayGet(in, d)
	case op >= ir.AddrBuffer && op <= ir.PtrDiff:
		g.address(in, d)
	case op == ir.Builtin:
		g.builtin(in, d)
	case op >= ir.SimdSum && op <= ir.SimdIsFirst:
		g.simd(in, d)
	case op == ir.MatGet:
		g.matGet(in, d)
	default:
		g.fail(in, "not implemented")
	}
}

// exact lists the operations whose float results need no rounding to the format of their operands.
func exact(op ir.Op) bool {
	switch op {
	case ir.Neg, ir.Abs, ir.Min, ir.Max, ir.Clamp, ir.Select, ir.Copysign, ir.Floor, ir.Ceil, ir.Trunc, ir.Round, ir.Rint, ir.Sign,
		ir.Step, ir.FrexpMan, ir.Saturate:
		return true
	}
	return false
}

// wraps lists the operations whose 32-bit result, cut to a narrow kind, is the narrow result.
func wraps(op ir.Op) bool {
	switch op {
	case ir.Neg, ir.Add, ir.Sub, ir.Mul, ir.Mad, ir.Not, ir.Div:
		return true
	}
	return false
}

// fits lists the operations whose 32-bit result on extended narrow operands is in range.
func fits(op ir.Op) bool {
	switch op {
	case ir.And, ir.Or, ir.Xor, ir.Min, ir.Max, ir.Clamp, ir.Select, ir.Rem:
		return true
	}
	return op >= ir.Eq && op <= ir.Ge
}

func (g *generator) arithmetic(in *ir.Instr, d slot) {
	regs := []ir.Reg{in.A, in.B, in.C}[:opShapes[in.Op].operands]
	kind := in.Kind
	if kind.IsMat() || kind == ir.Void {
		g.fail(in, "arithmetic on %s", kind)
		return
	}
	narrow := kind.IsInt() && kind.Size() < 4
	f, found := arithmetic[opClass{in.Op, classOf(kind)}]
	switch {
	case kind == ir.Bool && in.Op == ir.Not:
		g.notBool(in, d)
		return
	case in.Op == ir.Select:
		f, found = arithmetic[opClass{in.Op, map[bank]class{bankF: classF, bankU: classU, bankQ: classM}[bankOf(kind)]}]
	case kind == ir.F16 || kind == ir.BF16:
		special := classF16
		if kind == ir.BF16 {
			special = classBF16
		}
		if sf, ok := arithmetic[opClass{in.Op, special}]; ok {
			f = sf
		}
	case narrow && !wraps(in.Op) && !fits(in.Op):
		found = false
	}
	if !found {
		g.integer(in, d)
		return
	}
	var idx [3]int
	shape := 0
	for i, r := range regs {
		idx[i] = g.l.slots[r].index
		if g.l.slots[r].vector {
			shape |= 1 << i
		}
	}
	if shape == 2 && f[2] == nil && f[1] != nil && len(regs) == 2 { // commutative
		idx[0], idx[1], shape = idx[1], idx[0], 1
	}
	if f[shape] == nil {
		shape = 1<<len(regs) - 1
		for i, r := range regs {
			idx[i] = g.row(r, i)
		}
	}
	g.finish(d, shape != 0, func(t slot) {
		g.emit(f[shape](t.index, idx[0], idx[1], idx[2]))
		switch {
		case t.bank == bankF && (kind == ir.F16 || kind == ir.BF16) && !exact(in.Op):
			g.emit(roundFloat(kind, t))
		case narrow && t.bank == bankU && wraps(in.Op):
			g.emit(extend(kind, t))
		}
	})
}

// finish lets f compute into d, or, where all operands are the same in all lanes and d is not, once and then spread.
func (g *generator) finish(d slot, vector bool, f func(t slot)) {
	if d.vector && !vector {
		t := slot{bank: d.bank, index: scratchRows - 1, kind: d.kind}
		f(t)
		g.emit(broadcast(d.bank, d.index, t.index))
		return
	}
	f(d)
}

func (g *generator) notBool(in *ir.Instr, d slot) {
	a := g.l.slots[in.A]
	g.finish(d, a.vector, func(t slot) {
		g.emit(map1(fileU, fileU, t, a.index, func(x uint32) uint32 { return x ^ 1 }))
	})
}

// roundFloat rounds what lies in a slot to half or bfloat.
func roundFloat(k ir.Kind, t slot) step {
	d := t.index
	switch {
	case t.vector && k == ir.F16:
		return func(w *warp) {
			D := &w.vf[d]
			for i, x := range D {
				D[i] = num.RoundF16(x)
			}
		}
	case t.vector:
		return func(w *warp) {
			D := &w.vf[d]
			for i, x := range D {
				D[i] = num.RoundBF16(x)
			}
		}
	case k == ir.F16:
		return func(w *warp) { w.sf[d] = num.RoundF16(w.sf[d]) }
	}
	return func(w *warp) { w.sf[d] = num.RoundBF16(w.sf[d]) }
}

func narrowed(k ir.Kind, x uint32) uint32 {
	switch k {
	case ir.I8:
		return uint32(int8(x))
	case ir.U8:
		return uint32(uint8(x))
	case ir.I16:
		return uint32(int16(x))
	case ir.U16:
		return uint32(uint16(x))
	case ir.Bool:
		return x & 1
	}
	return x
}

// extend cuts what lies in a slot to a narrow kind and extends it again.
func extend(k ir.Kind, t slot) step {
	d := t.index
	if !t.vector {
		return func(w *warp) { w.su[d] = narrowed(k, w.su[d]) }
	}
	shift := uint32(32 - 8*k.Size())
	if k.IsSigned() {
		return func(w *warp) {
			D := &w.vu[d]
			for i, x := range D {
				D[i] = uint32(int32(x<<(shift&31)) >> (shift & 31))
			}
		}
	}
	return func(w *warp) {
		D := &w.vu[d]
		for i, x := range D {
			D[i] = x << (shift & 31) >> (shift & 31)
		}
	}
}
