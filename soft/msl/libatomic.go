package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func init() {
	for name, op := range map[string]ir.Op{"load": ir.AtomicLoad, "store": ir.AtomicStore, "exchange": ir.AtomicExchange,
		"fetch_add": ir.AtomicAdd, "fetch_sub": ir.AtomicSub, "fetch_min": ir.AtomicMin, "fetch_max": ir.AtomicMax,
		"fetch_and": ir.AtomicAnd, "fetch_or": ir.AtomicOr, "fetch_xor": ir.AtomicXor} {
		full := "atomic_" + name + "_explicit"
		library[full] = &libFunc{special: func(c *lowerer, r *qualified, args []value, pos token.Pos) value {
			return atomicCall(c, full, op, args, pos)
		}}
	}
	library["atomic_compare_exchange_weak_explicit"] = &libFunc{special: compareExchange}
}

// atomicPlace gives the object that the first argument points to.
func atomicPlace(c *lowerer, name string, args []value, pos token.Pos) (place, ir.Kind) {
	p := c.load(args[0])
	if p.q.t.kind != tPointer || p.q.t.elem.t.kind != tAtomic || p.q.t.elem.sp != spaceDevice && p.q.t.elem.sp != spaceThreadgroup {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	k := p.q.t.elem.t.scalar
	if k == ir.Bool {
		c.unsupported(pos, "an atomic function on 'atomic_bool'")
	}
	return c.pointee(p.op()), k
}

func checkOrder(c *lowerer, name string, args []value, pos token.Pos) {
	for _, a := range args {
		if a.q.t != memoryOrderType {
			c.fail(pos, "no matching function for call to '%s'", name)
		}
	}
}

func atomicCall(c *lowerer, name string, op ir.Op, args []value, pos token.Pos) value {
	want := 3
	if op == ir.AtomicLoad {
		want = 2
	}
	if len(args) != want {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	p, k := atomicPlace(c, name, args, pos)
	checkOrder(c, name, args[want-1:], pos)
	switch {
	case k == ir.F32 && (op == ir.AtomicAnd || op == ir.AtomicOr || op == ir.AtomicXor || op == ir.AtomicMin || op == ir.AtomicMax):
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	c.pos = pos
	val := ir.NoReg
	if want == 3 {
		val = c.reg(c.implicit(args[1], plain(scalars[k]), pos).op())
	}
	base, idx, scale := c.address(p)
	in := &ir.Instr{Op: op, Kind: k, Dst: ir.NoReg, A: base, B: idx, C: val, Imm: scale, Imm2: p.off, Pos: pos}
	if op == ir.AtomicStore {
		c.b.append(in)
		return rvalue(voidType)
	}
	in.Dst = c.b.newReg(ir.RegInfo{Kind: k})
	c.b.append(in)
	return rvalue(scalars[k], register(k, in.Dst))
}

// compareExchange is atomic_compare_exchange_weak_explicit(object, expected, desired, success, failure).
func compareExchange(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	const name = "atomic_compare_exchange_weak_explicit"
	if len(args) != 5 {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	p, k := atomicPlace(c, name, args, pos)
	checkOrder(c, name, args[3:], pos)
	e := c.load(args[1])
	if e.q.t.kind != tPointer || e.q.t.elem.t != scalars[k] || e.q.t.elem.con || thread(e.q.t.elem).sp != spaceThread {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	expected := value{q: thread(e.q.t.elem), lv: true, at: c.pointee(e.op())}
	c.pos = pos
	old := c.copyOf(c.load(expected).op())
	desired := c.reg(c.implicit(args[2], plain(scalars[k]), pos).op())
	base, idx, scale := c.address(p)
	in := &ir.Instr{Op: ir.AtomicCAS, Kind: k, A: base, B: idx, C: desired, Imm: scale, Imm2: p.off, Regs: []ir.Reg{c.reg(old)}, Pos: pos}
	in.Dst = c.b.newReg(ir.RegInfo{Kind: k})
	c.b.append(in)
	found := register(k, in.Dst)
	c.store(expected, []opnd{found})
	if k == ir.F32 { // equality of bits, not of numbers
		found, old = c.emit(ir.Bitcast, k, ir.U32, found, none, none), c.emit(ir.Bitcast, k, ir.U32, old, none, none)
		k = ir.U32
	}
	return rvalue(boolType, c.emit(ir.Eq, k, ir.Bool, found, old, none))
}
