package msl

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// hasRows reports whether a variable of type t needs register arrays.
func hasRows(t *typ) bool {
	switch t.kind {
	case tArray, tMatrix:
		return true
	case tStruct:
		for i := range t.st.fields {
			if hasRows(t.st.fields[i].q.t) {
				return true
			}
		}
	}
	return false
}

func hasMatrix(t *typ) bool {
	switch t.kind {
	case tSimdMat:
		return true
	case tArray:
		return hasMatrix(t.elem.t)
	case tStruct:
		for i := range t.st.fields {
			if hasMatrix(t.st.fields[i].q.t) {
				return true
			}
		}
	}
	return false
}

// maxSplit bounds the elements of an array that get registers of their own.
const maxSplit = 64

// variable makes a variable in registers. Its key, if it has one, identifies its declaration.
func (c *lowerer) variable(name string, t *typ, key any) *storage {
	if c.evaluating > 0 {
		return c.valueStorage(name, t)
	}
	st := &storage{name: name, t: t, slots: appendSlots(nil, t, 1), key: key}
	st.regs = make([]ir.Reg, len(st.slots))
	most := 1
	for _, s := range st.slots {
		if s.rows > 1<<20 || s.kind.IsMat() && s.rows > 256 {
			c.fail(c.pos, "variable '%s' is too large", name)
		}
		most = max(most, s.rows)
	}
	st.split = most > 1 && most <= maxSplit && key != nil && !c.dynamic[key]
	for i, s := range st.slots {
		if st.split {
			for j := range max(s.rows, 1) {
				r := c.declare(s.kind, 1, name)
				if j == 0 {
					st.regs[i] = r
				}
			}
			continue
		}
		st.regs[i] = c.declare(s.kind, max(s.rows, 1), name)
	}
	return st
}

// local makes a local variable with the scalars ops as its value, or an undefined one if ops is nil.
func (c *lowerer) local(name string, q qtype, ops []opnd, key any, assigned, copied bool) value {
	v := value{q: q, lv: true}
	v.q.sp = spaceThread
	t := q.t
	fixed := ops != nil && !assigned && !c.variables[key] && c.evaluating == 0
	constant := fixed && q.con && hasRows(t) && c.allConstant(ops)
	switch {
	case c.evaluating > 0:
		st := c.valueStorage(name, t)
		if ops != nil {
			c.writeRegisters(ops, registersOf(st), t)
		}
		v.at = registersOf(st)
	case c.inMemory[key] || hasUnion(t):
		size, align := sizeAlign(t)
		if hasMatrix(t) {
			c.unsupported(c.pos, "the address of a simdgroup matrix")
		}
		c.k.Privates = append(c.k.Privates, ir.Object{Name: name, Size: size, Align: align, Pos: c.pos})
		v.at = memoryAt(c.b.atEntry(ir.AddrPrivate, ir.Ptr, int64(len(c.k.Privates)-1), 0, c.pos))
		if ops != nil {
			c.writeMemory(v.at, appendLeaves(nil, t, 0), ops, spaceThread)
		}
	case fixed && (constant || !hasRows(t)):
		if !copied {
			for i, o := range ops {
				if o.k == ir.Ptr {
					o = c.stablePointer(o)
					if o.ptr != nil && o.ptr.st == nil && o.ptr.scale != 0 {
						o = c.pointerIn(c.pointerReg(o))
					}
					ops[i] = o
				} else {
					ops[i] = c.copyOf(o)
				}
			}
		}
		st := c.constStorage(name, t, ops)
		st.key = key
		if constant {
			st.global = &globalData{name: name, t: t, st: st}
		}
		v.at = registersOf(st)
	default:
		st := c.variable(name, t, key)
		v.at = registersOf(st)
		if ops != nil {
			c.writeRegisters(ops, registersOf(st), t)
		}
	}
	return v
}

func (c *lowerer) allConstant(ops []opnd) bool {
	for _, o := range ops {
		if !o.con || o.k == ir.Ptr {
			return false
		}
	}
	return true
}

// initialised resolves the type of a variable and evaluates its initialiser. The operands are nil if it has none.
func (c *lowerer) initialised(d *syntax.VarDecl) (qtype, []opnd) {
	if a, ok := d.Type.(*syntax.AutoType); ok {
		if d.Init == nil {
			c.fail(d.At, "declaration of variable '%s' with deduced type 'auto' requires an initializer", d.Name)
		}
		v := c.load(c.expr(d.Init))
		if v.funcs != nil || v.q.t == nil || v.q.t == voidType {
			c.fail(d.At, "variable '%s' with type 'auto' has incompatible initializer", d.Name)
		}
		return qtype{t: v.q.t, con: a.Const}, v.ops
	}
	q := c.declaredType(d.Type)
	if q.t == voidType {
		c.fail(d.At, "variable has incomplete type 'void'")
	}
	if q.t.kind == tStruct && !q.t.st.done {
		c.fail(d.At, "variable has incomplete type '%s'", q.t)
	}
	if q.t.kind == tAtomic && q.sp != spaceThreadgroup {
		c.fail(d.At, "variable of type '%s' must be in the threadgroup address space", q.t)
	}
	if d.Init == nil {
		if q.t.kind == tArray && q.t.n < 0 {
			c.fail(d.At, "definition of variable with array type needs an explicit size or an initializer")
		}
		return q, c.defaultInit(q.t, d.At)
	}
	if l, ok := d.Init.(*syntax.InitList); ok && q.t.kind == tArray && q.t.n < 0 {
		q.t = c.types.array(q.t.elem, len(l.Elems), false)
	}
	if s, ok := d.Init.(*syntax.StringLit); ok && q.t.kind == tArray && q.t.n < 0 {
		q.t = c.types.array(q.t.elem, len(s.Value)+1, false)
	}
	if x, ok := d.Init.(*syntax.Construct); ok && x.Type == d.Type {
		if len(x.Args) == 1 && !x.Brace && q.t.kind != tStruct {
			v := c.load(c.expr(x.Args[0]))
			return q, c.construct(q.t, []value{v}, x.At).ops
		}
		return q, c.load(c.constructExpr(q, x)).ops
	}
	v := c.initFrom(d.Init, q)
	if v.ref != nil || v.funcs != nil {
		c.unsupported(d.Type.Pos(), "a variable that points to a function")
	}
	return q, v.ops
}

// declaredType resolves the type of a variable.
func (c *lowerer) declaredType(t syntax.Type) qtype { return c.typeOf(t) }

// initFrom evaluates an initialiser of an object of type q.
func (c *lowerer) initFrom(x syntax.Expr, q qtype) value {
	if q.t.kind == tRef {
		if l, ok := x.(*syntax.InitList); ok {
			return c.listInit(plain(q.t.elem.t), l)
		}
		return c.expr(x)
	}
	if l, ok := x.(*syntax.InitList); ok {
		return c.listInit(q, l)
	}
	v := c.expr(x)
	if s, ok := x.(*syntax.StringLit); ok && q.t.kind == tArray && q.t.elem.t == scalars[ir.I8] {
		return rvalue(q.t, c.text(s, q.t)...)
	}
	if q.t.kind == tArray && !q.t.object {
		if v.q.t == q.t {
			return rvalue(q.t, c.read(v.at, q.t, v.q.sp)...)
		}
		c.fail(start(x), "array initializer must be an initializer list")
	}
	if c.fitValue(v, plain(q.t)) == rankNone {
		c.fail(start(x), "cannot initialize a variable of type '%s' with an %s of type '%s'", q, category(v), c.typeString(v))
	}
	return c.implicit(v, plain(q.t), start(x))
}

// text gives the characters of a string that initialises an array.
func (c *lowerer) text(s *syntax.StringLit, t *typ) []opnd {
	if len(s.Value) >= t.n+1 {
		c.fail(s.At, "initializer-string for char array is too long")
	}
	ops := make([]opnd, t.n)
	for i := range ops {
		ops[i] = constant(ir.I8, 0)
		if i < len(s.Value) {
			ops[i] = constant(ir.I8, uint64(s.Value[i]))
		}
	}
	return ops
}

func category(v value) string {
	if v.lv {
		return "lvalue"
	}
	return "rvalue"
}

// checkLeaves refuses values that are too large to be handled scalar by scalar.
func (c *lowerer) checkLeaves(t *typ) {
	if countLeaves(t) > maxLeaves {
		c.unsupported(c.pos, fmt.Sprintf("a value of type '%s', which is so large,", t))
	}
}

// zero gives the scalars of a zero of type t.
func (c *lowerer) zero(t *typ) []opnd {
	c.checkLeaves(t)
	ls := appendLeaves(nil, t, 0)
	ops := make([]opnd, len(ls))
	for i, l := range ls {
		switch {
		case l.kind == ir.Ptr:
			ops[i] = c.null()
		case l.kind.IsMat():
			ops[i] = c.emit(ir.MatFill, l.kind, l.kind, constant(l.kind.Elem(), 0), none, none)
		default:
			ops[i] = constant(l.kind, 0)
		}
	}
	return ops
}

// defaultInit gives the scalars of a default-initialised object, or nil if it has no defined value.
func (c *lowerer) defaultInit(t *typ, pos token.Pos) []opnd {
	if !c.needsInit(t) {
		return nil
	}
	c.checkLeaves(t)
	if t.kind == tArray {
		var ops []opnd
		one := c.defaultInit(t.elem.t, pos)
		for range t.n {
			ops = append(ops, one...)
		}
		return ops
	}
	if len(t.st.ctors) > 0 {
		return c.load(c.constructStruct(t, nil, pos)).ops
	}
	var ops []opnd
	for i := range t.st.fields {
		f := &t.st.fields[i]
		switch {
		case f.init != nil:
			c.inScope(t.st.scope, func() { ops = append(ops, c.initFrom(f.init, f.q).ops...) })
		case c.needsInit(f.q.t):
			ops = append(ops, c.defaultInit(f.q.t, pos)...)
		case c.evaluating > 0:
			for range countLeaves(f.q.t) {
				ops = append(ops, none)
			}
		default:
			ops = append(ops, c.undefined(f.q.t)...)
		}
	}
	return ops
}

// needsInit reports whether default initialisation of a t does anything.
func (c *lowerer) needsInit(t *typ) bool {
	if t.kind == tStruct && t.st.union {
		return false
	}
	switch t.kind {
	case tArray:
		return t.n >= 0 && c.needsInit(t.elem.t)
	case tStruct:
		if len(t.st.ctors) > 0 {
			return true
		}
		for i := range t.st.fields {
			if t.st.fields[i].init != nil || c.needsInit(t.st.fields[i].q.t) {
				return true
			}
		}
	}
	return false
}

// cursor walks the elements of an initialiser list.
type cursor struct {
	l *syntax.InitList
	i int
}

// listInit evaluates { ... } for an object of type q.
func (c *lowerer) listInit(q qtype, l *syntax.InitList) value {
	t := q.t
	if t.kind == tStruct && (len(t.st.ctors) > 0 || t.st.library != "") {
		return c.load(c.constructStruct(t, c.exprs(l.Elems), l.At))
	}
	l = c.expandList(l)
	cur := &cursor{l: l}
	ops := c.fill(t, cur, true)
	if cur.i < len(l.Elems) {
		c.fail(start(l.Elems[cur.i]), "excess elements in %s initializer", kindName(t))
	}
	return rvalue(t, ops...)
}

// expandList replaces the pack expansions of a list.
func (c *lowerer) expandList(l *syntax.InitList) *syntax.InitList {
	for i, x := range l.Elems {
		p, ok := x.(*syntax.PackExpr)
		if !ok {
			continue
		}
		out := *l
		out.Elems = append([]syntax.Expr(nil), l.Elems[:i]...)
		for j := range c.packLength(p.X) {
			out.Elems = append(out.Elems, &packElem{PackExpr: p, i: j})
		}
		out.Elems = append(out.Elems, l.Elems[i+1:]...)
		return c.expandList(&out)
	}
	return l
}

// packElem is one element of an expanded pack.
type packElem struct {
	*syntax.PackExpr
	i int
}

func kindName(t *typ) string {
	switch t.kind {
	case tArray:
		return "array"
	case tStruct:
		return "struct"
	case tVector:
		return "vector"
	}
	return "scalar"
}

// fill takes the elements that initialise a t. With braces they are the whole list, otherwise as many as t needs.
func (c *lowerer) fill(t *typ, cur *cursor, braces bool) []opnd {
	l := cur.l
	switch t.kind {
	case tArray:
		c.checkLeaves(t)
		var ops []opnd
		for range t.n {
			if cur.i >= len(l.Elems) {
				ops = append(ops, c.zeroOrInit(t.elem.t)...)
				continue
			}
			ops = append(ops, c.fillOne(t.elem, cur)...)
		}
		return ops
	case tStruct:
		if t.st.union {
			return c.fillUnion(t, cur, braces)
		}
		if l.Designators != nil && braces {
			return c.designated(t, cur)
		}
		var ops []opnd
		for i := range t.st.fields {
			f := &t.st.fields[i]
			if cur.i >= len(l.Elems) {
				ops = append(ops, c.fieldDefault(t, f)...)
				continue
			}
			ops = append(ops, c.fillOne(f.q, cur)...)
		}
		return ops
	case tVector, tPacked:
		vs := c.exprs(l.Elems[cur.i:])
		cur.i = len(l.Elems)
		n := 0
		for _, v := range vs {
			n += v.q.t.lanes()
		}
		if n == 0 {
			return c.zero(t)
		}
		if n < t.n && len(vs) >= 1 {
			ops := c.construct(vectorOf(t.scalar, n), vs, l.At).ops
			for len(ops) < t.n {
				ops = append(ops, constant(t.scalar, 0))
			}
			return ops
		}
		return c.construct(unpacked(t), vs, l.At).ops
	case tMatrix:
		vs := c.exprs(l.Elems[cur.i:])
		cur.i = len(l.Elems)
		if len(vs) == 0 {
			return c.zero(t)
		}
		return c.construct(t, vs, l.At).ops
	}
	if len(l.Elems) == 0 {
		return c.zero(t)
	}
	x := l.Elems[cur.i]
	cur.i++
	if t.kind == tSimdMat {
		return c.construct(t, []value{c.load(c.expr(x))}, l.At).ops
	}
	return c.initFrom(x, plain(t)).ops
}

func (c *lowerer) zeroOrInit(t *typ) []opnd {
	if c.needsInit(t) {
		return c.defaultInit(t, c.pos)
	}
	return c.zero(t)
}

func (c *lowerer) fieldDefault(t *typ, f *field) []opnd {
	if f.init == nil {
		return c.zeroOrInit(f.q.t)
	}
	var ops []opnd
	c.inScope(t.st.scope, func() { ops = c.initFrom(f.init, f.q).ops })
	return ops
}

// fillOne initialises one member or element: from a nested list, a value of its type, or the following elements.
func (c *lowerer) fillOne(q qtype, cur *cursor) []opnd {
	x := cur.l.Elems[cur.i]
	if l, ok := x.(*syntax.InitList); ok {
		cur.i++
		return c.listInit(q, l).ops
	}
	if k := q.t.kind; k == tArray || k == tStruct && len(q.t.st.ctors) == 0 {
		v := c.expr(x)
		if v.q.t != nil && (v.q.t == q.t || k == tStruct && c.fitValue(v, plain(q.t)) != rankNone) {
			cur.i++
			return c.initValue(v, q, x)
		}
		return c.fill(q.t, cur, false)
	}
	cur.i++
	return c.initFrom(x, q).ops
}

func (c *lowerer) initValue(v value, q qtype, x syntax.Expr) []opnd {
	if q.t.kind == tArray && !q.t.object {
		return c.read(v.at, q.t, v.q.sp)
	}
	return c.implicit(v, plain(q.t), start(x)).ops
}

func (c *lowerer) designated(t *typ, cur *cursor) []opnd {
	l := cur.l
	parts := make([][]opnd, len(t.st.fields))
	for i, name := range l.Designators {
		found := false
		for j := range t.st.fields {
			f := &t.st.fields[j]
			if name == "" {
				c.fail(start(l.Elems[i]), "mixing designated and positional initializers is not supported by the software Metal compiler")
			}
			if f.name == name {
				found = true
				parts[j] = c.initFrom(l.Elems[i], f.q).ops
			}
		}
		if !found {
			c.fail(start(l.Elems[i]), "field designator '%s' does not refer to any field in type '%s'", name, t)
		}
	}
	cur.i = len(l.Elems)
	var ops []opnd
	for j := range t.st.fields {
		if parts[j] == nil {
			parts[j] = c.fieldDefault(t, &t.st.fields[j])
		}
		ops = append(ops, parts[j]...)
	}
	return ops
}
