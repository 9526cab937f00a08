package msl

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// value is what an expression gives: an object in a place (lv), a value of scalars (ops), or a set of functions.
type value struct {
	q  qtype // never a reference
	lv bool

	at    place // lv: where the object, or the vector that sw or dyn select from, lies
	whole *typ  // the vector type that sw or dyn select from
	sw    []uint8
	dyn   opnd // a component chosen at run time, if whole is set and sw is nil

	isMat bool // thread_elements() of the simdgroup matrix at, or its element dyn

	ops []opnd

	funcs []*function // a name of functions
	ref   *funcRef    // a function with its template arguments
	name  *qualified  // how the functions were named
	self  *value      // the object of a method
}

// rvalue makes a value of scalars.
func rvalue(t *typ, ops ...opnd) value { return value{q: plain(t), ops: ops} }

func (v value) op() opnd { return v.ops[0] }

// constantInt gives the value of a constant integer, bool or enumerator.
func (v value) constantInt() (int64, bool) {
	if v.lv || len(v.ops) != 1 {
		return 0, false
	}
	return v.ops[0].int()
}

// field gives the place of a part of an object.
func (p place) field(off int64, slot int) place {
	p.off += off
	p.slot += slot
	return p
}

// index gives the place of element i of the array of n elements of type elem that lies at p.
func (c *lowerer) index(p place, elem *typ, n int, i opnd) place {
	if p.st != nil {
		if v, ok := i.int(); ok {
			size, _ := sizeAlign(elem)
			p.off += v * size
		} else if p.st.global != nil {
			return c.index(c.globalPlace(p), elem, n, i)
		}
		p.one = false
		i = c.convert(i, ir.I32)
		row := c.emit(ir.Mul, ir.I32, ir.I32, p.row, intConst(int64(n)), none)
		p.row = c.emit(ir.Add, ir.I32, ir.I32, row, i, none)
		return p
	}
	return c.advance(p, elem, i)
}

// advance moves the place of an element of type elem by i elements.
func (c *lowerer) advance(p place, elem *typ, i opnd) place {
	if v, ok := i.int(); ok && v == 0 {
		return p
	}
	size, _ := sizeAlign(elem)
	if p.st != nil {
		if v, ok := i.int(); ok {
			p.off += v * size
		} else if p.st.global != nil {
			return c.advance(c.globalPlace(p), elem, i)
		}
		if p.one {
			c.toMemory(p.st)
		}
		p.row = c.emit(ir.Add, ir.I32, ir.I32, p.row, c.convert(i, ir.I32), none)
		return p
	}
	if v, ok := i.int(); ok {
		hi, lo := bits.Mul64(uint64(max(v, -v)), uint64(size))
		if hi == 0 && lo < 1<<40 && max(p.off, -p.off) < 1<<40 {
			p.off += v * size
			return p
		}
	}
	if p.scale != 0 {
		p.base = c.emitImm(ir.PtrAdd, ir.Ptr, ir.Ptr, register(ir.Ptr, p.base), p.idx, none, p.scale, 0).reg
	}
	p.idx, p.scale = i, size
	return p
}

// pointerTo makes a pointer operand of a place.
func pointerTo(p place) opnd { return opnd{k: ir.Ptr, reg: ir.NoReg, ptr: &p} }

func memoryAt(base ir.Reg) place { return place{base: base} }

// registersOf is the place of a whole variable in registers.
func registersOf(st *storage) place {
	return place{base: ir.NoReg, st: st, row: intConst(0), one: st.t.kind != tArray}
}

// pointerReg brings a pointer into a register.
func (c *lowerer) pointerReg(o opnd) ir.Reg {
	if o.fn != nil {
		c.fail(c.pos, "a pointer to a function that is not known at compile time is not supported by the software Metal compiler")
	}
	if o.ptr == nil {
		if !o.con {
			return o.reg
		}
		return c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos)
	}
	p := *o.ptr
	if p.st != nil {
		if p.st.global == nil {
			c.toMemory(p.st)
		}
		p = c.globalPlace(p)
	}
	if p.scale == 0 && p.off == 0 {
		return p.base
	}
	idx := none
	if p.scale != 0 {
		idx = p.idx
	}
	return c.emitImm(ir.PtrAdd, ir.Ptr, ir.Ptr, register(ir.Ptr, p.base), idx, none, p.scale, p.off).reg
}

// stablePointer gives a pointer that later assignments do not change.
func (c *lowerer) stablePointer(o opnd) opnd {
	if o.ptr == nil {
		if o.con || c.b.stable(o) {
			return o
		}
		r := c.declare(ir.Ptr, 1, "")
		c.assign(r, o)
		c.b.frozen[r] = true
		return c.pointerIn(r)
	}
	p := *o.ptr
	if p.st != nil {
		p.row = c.copyOf(p.row)
		return pointerTo(p)
	}
	if p.scale == 0 {
		if c.b.frozen[p.base] {
			return o
		}
		r := c.declare(ir.Ptr, 1, "")
		c.assign(r, register(ir.Ptr, p.base))
		c.b.frozen[r] = true
		return pointerTo(place{base: r, off: p.off})
	}
	r := c.emitImm(ir.PtrAdd, ir.Ptr, ir.Ptr, register(ir.Ptr, p.base), p.idx, none, p.scale, 0).reg
	return pointerTo(place{base: r, off: p.off})
}

// pointerIn is the pointer that register r holds.
func (c *lowerer) pointerIn(r ir.Reg) opnd { return pointerTo(memoryAt(r)) }

// globalPlace gives the memory of a program-scope constant.
func (c *lowerer) globalPlace(p place) place {
	return place{base: c.constantData(p.st.global), off: p.off}
}

// readSlot reads one scalar of a variable.
func (c *lowerer) readSlot(p place, slot int) opnd {
	st := p.st
	rows := st.slots[slot].rows
	row, known := p.row.int()
	if st.values != nil {
		if !known || row < 0 || row >= int64(rows) {
			if st.global != nil || c.evaluating > 0 {
				c.fail(c.pos, "expression is not an integral constant expression")
			}
			c.toMemory(st)
		}
		o := st.values[slot][row]
		if c.evaluating > 0 && !st.usable && st.global == nil {
			c.fail(c.pos, "expression is not an integral constant expression: '%s' is not a constant", st.name)
		}
		if isNone(o) {
			c.fail(c.pos, "expression is not an integral constant expression: '%s' is read before it has a value", st.name)
		}
		return o
	}
	if c.evaluating > 0 {
		c.fail(c.pos, "expression is not an integral constant expression: the value of '%s' is not a constant", st.name)
	}
	k := st.slots[slot].kind
	if st.split {
		return c.readSplit(st, slot, p.row)
	}
	if rows == 1 {
		if !known || row != 0 {
			c.toMemory(st)
		}
		if k == ir.Ptr {
			return c.pointerIn(st.regs[slot])
		}
		return register(k, st.regs[slot])
	}
	o := c.emit(ir.ArrayGet, k, k, register(k, st.regs[slot]), p.row, none)
	if k == ir.Ptr {
		return c.pointerIn(o.reg)
	}
	return o
}

// writeSlot assigns one scalar of a variable.
func (c *lowerer) writeSlot(p place, slot int, o opnd) {
	st := p.st
	rows := st.slots[slot].rows
	row, known := p.row.int()
	if st.values != nil {
		if c.evaluating == 0 || st.global != nil {
			c.toVariable(st)
		}
		if !known || row < 0 || row >= int64(rows) {
			c.fail(c.pos, "expression is not an integral constant expression: index out of range")
		}
		st.values[slot][row] = o
		return
	}
	if c.evaluating > 0 {
		c.fail(c.pos, "expression is not an integral constant expression: '%s' is modified", st.name)
	}
	if st.split {
		c.writeSplit(st, slot, p.row, o)
		return
	}
	if rows == 1 {
		if !known || row != 0 {
			c.toMemory(st)
		}
		if o.k == ir.Ptr && o.ptr != nil && o.ptr.st != nil && o.ptr.st.global == nil {
			c.toMemory(o.ptr.st)
		}
		c.assign(st.regs[slot], o)
		return
	}
	c.b.append(&ir.Instr{Op: ir.ArraySet, Kind: st.slots[slot].kind, Dst: st.regs[slot], A: c.reg(p.row), B: c.reg(o), C: ir.NoReg, Pos: c.pos})
}

// readSplit reads an element of an array whose elements have registers of their own.
func (c *lowerer) readSplit(st *storage, slot int, row opnd) opnd {
	k, rows := st.slots[slot].kind, st.slots[slot].rows
	if n, ok := row.int(); ok && n >= 0 && n < int64(rows) {
		r := st.regs[slot] + ir.Reg(n)
		if k == ir.Ptr {
			return c.pointerIn(r)
		}
		return register(k, r)
	}
	c.toDynamic(st)
	return none
}

// writeSplit assigns an element of such an array.
func (c *lowerer) writeSplit(st *storage, slot int, row opnd, o opnd) {
	k, rows := st.slots[slot].kind, st.slots[slot].rows
	if n, ok := row.int(); ok && n >= 0 && n < int64(rows) {
		if k == ir.Ptr && o.ptr != nil && o.ptr.st != nil && o.ptr.st.global == nil {
			c.toMemory(o.ptr.st)
		}
		c.assign(st.regs[slot]+ir.Reg(n), o)
		return
	}
	c.toDynamic(st)
}

// read gives the scalars of the object of type t at p.
func (c *lowerer) read(p place, t *typ, sp space) []opnd {
	c.checkLeaves(t)
	n := countLeaves(t)
	if p.st == nil {
		return c.readMemory(p, appendLeaves(make([]leaf, 0, n), t, 0), sp)
	}
	return c.readRegisters(make([]opnd, 0, n), p, t)
}

func (c *lowerer) readRegisters(ops []opnd, p place, t *typ) []opnd {
	switch t.kind {
	case tVector, tPacked:
		for i := range t.n {
			ops = append(ops, c.readSlot(p, p.slot+i))
		}
	case tMatrix:
		for i := range t.n {
			ops = c.readRegisters(ops, c.index(p, vectors[t.scalar][t.m], t.n, intConst(int64(i))), vectors[t.scalar][t.m])
		}
	case tArray:
		for i := range t.n {
			ops = c.readRegisters(ops, c.index(p, t.elem.t, t.n, intConst(int64(i))), t.elem.t)
		}
	case tStruct:
		if t.st.union {
			for i := range t.st.slots {
				ops = append(ops, c.readSlot(p, p.slot+i))
			}
			return ops
		}
		for i := range t.st.fields {
			f := &t.st.fields[i]
			ops = c.readRegisters(ops, p.field(f.off, f.slot), f.q.t)
		}
	case tVoid:
	default:
		ops = append(ops, c.readSlot(p, p.slot))
	}
	return ops
}

func (c *lowerer) writeRegisters(ops []opnd, p place, t *typ) []opnd {
	switch t.kind {
	case tVector, tPacked:
		for i := range t.n {
			c.writeSlot(p, p.slot+i, ops[i])
		}
		return ops[t.n:]
	case tMatrix:
		for i := range t.n {
			ops = c.writeRegisters(ops, c.index(p, vectors[t.scalar][t.m], t.n, intConst(int64(i))), vectors[t.scalar][t.m])
		}
		return ops
	case tArray:
		for i := range t.n {
			ops = c.writeRegisters(ops, c.index(p, t.elem.t, t.n, intConst(int64(i))), t.elem.t)
		}
		return ops
	case tStruct:
		if t.st.union {
			for i := range t.st.slots {
				c.writeSlot(p, p.slot+i, ops[i])
			}
			return ops[t.st.slots:]
		}
		for i := range t.st.fields {
			f := &t.st.fields[i]
			ops = c.writeRegisters(ops, p.field(f.off, f.slot), f.q.t)
		}
		return ops
	case tVoid:
		return ops
	}
	c.writeSlot(p, p.slot, ops[0])
	return ops[1:]
}

// run gives the length of the first run of leaves that lie behind each other and are of one kind.
func run(ls []leaf) int {
	n := 1
	for n < len(ls) && ls[n].kind == ls[0].kind && ls[n].off == ls[n-1].off+ls[0].kind.Size() {
		n++
	}
	return n
}

// address gives the operands of a memory instruction.
func (c *lowerer) address(p place) (base, idx ir.Reg, scale int64) {
	if c.evaluating > 0 {
		c.fail(c.pos, "expression is not an integral constant expression: it accesses memory")
	}
	if p.scale == 0 {
		return p.base, ir.NoReg, 0
	}
	return p.base, c.reg(p.idx), p.scale
}

func (c *lowerer) readMemory(p place, ls []leaf, sp space) []opnd {
	ops := make([]opnd, 0, len(ls))
	base, idx, scale := c.address(p)
	for len(ls) > 0 {
		n := run(ls)
		k := ls[0].kind
		if k.IsMat() {
			c.fail(c.pos, "a simdgroup matrix in memory is not supported by the software Metal compiler")
		}
		if k == ir.Ptr && sp != spaceThread {
			c.fail(c.pos, "pointers in %s memory are not supported by the software Metal compiler", spaceNames[sp])
		}
		key := cseKey{ir.Load, k, k, base, idx, ir.NoReg, scale, p.off + ls[0].off, n}
		stable := sp == spaceConstant && c.b.frozen[base] && (idx < 0 || c.b.frozen[idx])
		first, ok := ir.NoReg, false
		if stable {
			first, ok = c.b.lookup(key)
		}
		if !ok {
			regs := make([]ir.Reg, n)
			for i := range regs {
				regs[i] = c.b.newReg(ir.RegInfo{Kind: k})
			}
			first = regs[0]
			c.b.append(&ir.Instr{Op: ir.Load, Kind: k, Dst: ir.NoReg, A: base, B: idx, C: ir.NoReg, Imm: scale, Imm2: key.imm2, Regs: regs, Pos: c.pos})
			if stable {
				c.b.remember(key, first)
			}
		}
		for i := range n {
			o := register(k, first+ir.Reg(i))
			if k == ir.Ptr {
				o = c.pointerIn(o.reg)
			}
			ops = append(ops, o)
		}
		ls = ls[n:]
	}
	return ops
}

func (c *lowerer) writeMemory(p place, ls []leaf, ops []opnd, sp space) {
	base, idx, scale := c.address(p)
	for len(ls) > 0 {
		n := run(ls)
		k := ls[0].kind
		if k.IsMat() {
			c.fail(c.pos, "a simdgroup matrix in memory is not supported by the software Metal compiler")
		}
		if k == ir.Ptr && sp != spaceThread {
			c.fail(c.pos, "pointers in %s memory are not supported by the software Metal compiler", spaceNames[sp])
		}
		regs := make([]ir.Reg, n)
		for i := range regs {
			regs[i] = c.reg(ops[i])
		}
		c.b.append(&ir.Instr{Op: ir.Store, Kind: k, Dst: ir.NoReg, A: base, B: idx, C: ir.NoReg, Imm: scale, Imm2: p.off + ls[0].off, Regs: regs, Pos: c.pos})
		ls, ops = ls[n:], ops[n:]
	}
}

// write stores the scalars ops of an object of type t at p.
func (c *lowerer) write(p place, t *typ, ops []opnd, sp space) {
	if p.st != nil {
		// All operands are fixed before the first assignment: they may be parts of the object itself.
		c.writeRegisters(c.unaliased(p.st, ops), p, t)
		return
	}
	c.writeMemory(p, appendLeaves(make([]leaf, 0, len(ops)), t, 0), ops, sp)
}

// unaliased copies those of several operands that are registers of st, as in v.xy = v.yx.
func (c *lowerer) unaliased(st *storage, ops []opnd) []opnd {
	if len(ops) < 2 || st.values != nil {
		return ops
	}
	var out []opnd
	for i, o := range ops {
		if o.con || o.reg < 0 || c.b.frozen[o.reg] {
			continue
		}
		for j, r := range st.regs {
			n := ir.Reg(1)
			if st.split {
				n = ir.Reg(st.slots[j].rows)
			}
			if o.reg >= r && o.reg < r+n && (j != i || st.split || len(st.regs) != len(ops)) {
				if out == nil {
					out = append([]opnd(nil), ops...)
				}
				out[i] = c.copyOf(o)
				break
			}
		}
	}
	if out == nil {
		return ops
	}
	return out
}

// load gives the value of an object; arrays become pointers to their first element.
func (c *lowerer) load(v value) value {
	if v.funcs != nil || v.ref != nil {
		return v
	}
	if !v.lv {
		return v
	}
	t := v.q.t
	switch {
	case v.isMat:
		m := c.readSlot(v.at, v.at.slot)
		if t.kind == tVector {
			return rvalue(t, c.emit(ir.MatGet, m.k, t.scalar, m, intConst(0), none), c.emit(ir.MatGet, m.k, t.scalar, m, intConst(1), none))
		}
		return rvalue(t, c.emit(ir.MatGet, m.k, t.scalar, m, v.dyn, none))
	case v.sw != nil:
		ops := make([]opnd, len(v.sw))
		if v.at.st != nil {
			for i, s := range v.sw {
				ops[i] = c.readSlot(v.at, v.at.slot+int(s))
			}
		} else {
			ls := make([]leaf, len(v.sw))
			for i, s := range v.sw {
				ls[i] = leaf{v.whole.scalar, int64(s) * v.whole.scalar.Size()}
			}
			ops = c.readMemory(v.at, ls, v.q.sp)
		}
		return rvalue(unpacked(t), ops...)
	case v.whole != nil:
		ops := c.read(v.at, v.whole, v.q.sp)
		return rvalue(t, c.pick(ops, v.dyn))
	case t.kind == tArray && !t.object:
		return c.decay(v)
	}
	return rvalue(unpacked(t), c.read(v.at, t, v.q.sp)...)
}

// unpacked is the type of a value read from an object of type t.
func unpacked(t *typ) *typ {
	if t.kind == tPacked {
		return vectors[t.scalar][t.n]
	}
	return t
}

// decay gives the pointer to the first element of an array.
func (c *lowerer) decay(v value) value {
	e := v.q.t.elem
	e.con = e.con || v.q.con
	e.sp = v.q.sp
	p := c.index(v.at, e.t, v.q.t.n, intConst(0))
	return rvalue(c.types.pointer(e), pointerTo(p))
}

// pick gives component i of ops.
func (c *lowerer) pick(ops []opnd, i opnd) opnd {
	if n, ok := i.int(); ok {
		if n < 0 || int(n) >= len(ops) {
			c.fail(c.pos, "index %d is out of range for a vector of %d components", n, len(ops))
		}
		return ops[n]
	}
	r := ops[0]
	for j := 1; j < len(ops); j++ {
		is := c.emit(ir.Eq, i.k, ir.Bool, i, constant(i.k, uint64(j)), none)
		r = c.emit(ir.Select, r.k, r.k, is, ops[j], r)
	}
	return r
}

// store assigns the scalars of a value of v's type to the object v.
func (c *lowerer) store(v value, ops []opnd) {
	switch {
	case v.isMat:
		c.storeElements(v, ops)
	case v.sw != nil:
		if v.at.st != nil {
			ops = c.unaliased(v.at.st, ops)
			for i, s := range v.sw {
				c.writeSlot(v.at, v.at.slot+int(s), ops[i])
			}
			return
		}
		ls := make([]leaf, len(v.sw))
		for i, s := range v.sw {
			ls[i] = leaf{v.whole.scalar, int64(s) * v.whole.scalar.Size()}
		}
		c.writeMemory(v.at, ls, ops, v.q.sp)
	case v.whole != nil:
		old := c.read(v.at, v.whole, v.q.sp)
		for j := range old {
			is := c.emit(ir.Eq, v.dyn.k, ir.Bool, v.dyn, constant(v.dyn.k, uint64(j)), none)
			old[j] = c.emit(ir.Select, old[j].k, old[j].k, is, ops[0], old[j])
		}
		c.write(v.at, v.whole, old, v.q.sp)
	default:
		c.write(v.at, v.q.t, ops, v.q.sp)
	}
}

// storeElements assigns elements of a simdgroup matrix that a lane holds.
func (c *lowerer) storeElements(v value, ops []opnd) {
	p, st := v.at, v.at.st
	if st == nil {
		c.fail(c.pos, "a simdgroup matrix in memory is not supported by the software Metal compiler")
	}
	if st.values != nil {
		c.toVariable(st)
	}
	k := st.slots[p.slot].kind
	r := st.regs[p.slot]
	row, known := p.row.int()
	rows := st.slots[p.slot].rows
	whole := !known || row < 0 || row >= int64(rows) || rows > 1 && !st.split
	if whole {
		m := c.readSlot(p, p.slot)
		r = c.declare(k, 1, st.name)
		c.assign(r, m)
	} else {
		r += ir.Reg(row)
	}
	set := func(i, o opnd) {
		c.b.append(&ir.Instr{Op: ir.MatSet, Kind: k, Dst: r, A: c.reg(i), B: c.reg(o), C: ir.NoReg, Pos: c.pos})
	}
	if v.q.t.kind == tVector {
		set(intConst(0), ops[0])
		set(intConst(1), ops[1])
	} else {
		set(v.dyn, ops[0])
	}
	if whole {
		c.writeSlot(p, p.slot, register(k, r))
	}
}

// element gives component i of a vector value or object.
func (c *lowerer) element(v value, i opnd) value {
	t := v.q.t
	if t.kind == tMatrix {
		col := vectors[t.scalar][t.m]
		if !v.lv {
			if n, ok := i.int(); ok && n >= 0 && int(n) < t.n {
				return rvalue(col, v.ops[int(n)*t.m:int(n+1)*t.m]...)
			}
			ops := make([]opnd, t.m)
			for r := range ops {
				rows := make([]opnd, t.n)
				for k := range rows {
					rows[k] = v.ops[k*t.m+r]
				}
				ops[r] = c.pick(rows, i)
			}
			return rvalue(col, ops...)
		}
		return value{q: qtype{col, v.q.con, v.q.sp}, lv: true, at: c.index(v.at, col, t.n, i)}
	}
	e := scalars[t.scalar]
	n, known := i.int()
	if known && (n < 0 || int(n) >= t.n) {
		c.fail(c.pos, "index %d is out of range for type '%s'", n, t)
	}
	if !v.lv {
		return rvalue(e, c.pick(v.ops, i))
	}
	q := qtype{e, v.q.con, v.q.sp}
	switch {
	case v.isMat:
		return value{q: q, lv: true, at: v.at, isMat: true, dyn: c.copyOf(c.convert(i, ir.I32))}
	case v.sw != nil && known:
		return value{q: q, lv: true, at: v.at, whole: v.whole, sw: v.sw[n : n+1]}
	case v.sw != nil:
		return rvalue(e, c.pick(c.load(v).ops, i))
	case known:
		return value{q: q, lv: true, at: v.at, whole: t, sw: []uint8{uint8(n)}}
	case v.at.st == nil:
		return value{q: q, lv: true, at: c.advance(v.at, e, i)}
	}
	return value{q: q, lv: true, at: v.at, whole: t, dyn: c.copyOf(i)}
}
