package msl

import (
	"fmt"
	"math"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
)

// expr walks an expression.
func (c *lowerer) expr(x syntax.Expr) value {
	c.enter(x.Pos())
	defer c.leave()
	c.pos = x.Pos()
	switch x := x.(type) {
	case *syntax.IdentExpr:
		return c.ident(x.Name)
	case *syntax.IntLit:
		return c.intLit(x)
	case *syntax.FloatLit:
		k := ir.F32
		switch x.Suffix {
		case "h":
			k = ir.F16
		case "bf":
			k = ir.BF16
		}
		return rvalue(scalars[k], constant(k, roundTo(k, float32(x.Value))))
	case *syntax.BoolLit:
		return rvalue(boolType, constant(ir.Bool, b2u(x.Value)))
	case *syntax.CharLit:
		return rvalue(scalars[ir.I8], constant(ir.I8, uint64(x.Value)))
	case *syntax.StringLit:
		t := c.types.array(plain(scalars[ir.I8]), len(x.Value)+1, false)
		st := c.constStorage("string literal", t, c.text(x, t))
		st.usable = true
		st.global = &globalData{name: "string literal", t: t, st: st}
		return value{q: qtype{t, true, spaceConstant}, lv: true, at: registersOf(st)}
	case *syntax.NullLit:
		return rvalue(nullType, c.null())
	case *syntax.ThisExpr:
		t := c.this(x.At)
		return rvalue(c.types.pointer(t.q), pointerTo(t.at))
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.AssignExpr:
		return c.assignExpr(x)
	case *syntax.CondExpr:
		return c.conditional(x)
	case *syntax.CallExpr:
		return c.callExpr(x)
	case *syntax.IndexExpr:
		return c.indexExpr(x)
	case *syntax.MemberExpr:
		return c.memberExpr(x)
	case *syntax.CastExpr:
		return c.castExpr(x)
	case *syntax.Construct:
		if _, auto := x.Type.(*syntax.AutoType); auto {
			c.fail(x.At, "'auto' not allowed here")
		}
		return c.constructExpr(c.typeOf(x.Type), x)
	case *syntax.InitList:
		c.fail(x.At, "an initializer list is not allowed here")
	case *syntax.SizeofExpr:
		return c.sizeof(x)
	case *packElem:
		var v value
		c.withPack(x.i, func() { v = c.expr(x.X) })
		return v
	case *syntax.PackExpr:
		c.fail(x.At, "pack expansion is not allowed here")
	case *syntax.FoldExpr:
		return c.foldExpr(x)
	}
	c.unsupported(x.Pos(), "this expression")
	return value{}
}

// exprs walks arguments, expanding packs. Initialiser lists among them are left to fail where no type is known.
func (c *lowerer) exprs(xs []syntax.Expr) []value {
	vs := make([]value, 0, len(xs))
	for _, x := range xs {
		if p, ok := x.(*syntax.PackExpr); ok {
			for i := range c.packLength(p.X) {
				c.withPack(i, func() { vs = append(vs, c.expr(p.X)) })
			}
			continue
		}
		vs = append(vs, c.expr(x))
	}
	return vs
}

func (c *lowerer) this(pos interface{ IsValid() bool }) value {
	if c.frame == nil || c.frame.this == nil {
		c.fail(c.pos, "invalid use of 'this' outside of a non-static member function")
	}
	t := *c.frame.this
	if c.frame.fn.decl.Const {
		t.q.con = true
	}
	return t
}

func (c *lowerer) intLit(x *syntax.IntLit) value {
	k := ir.I32
	switch {
	case x.Unsigned && x.Long:
		k = ir.U64
	case x.Unsigned:
		k = ir.U32
		if x.Value > math.MaxUint32 {
			k = ir.U64
		}
	case x.Long:
		k = ir.I64
		if x.Value > math.MaxInt64 {
			k = ir.U64
		}
	case x.Value <= math.MaxInt32:
	case x.Value <= math.MaxUint32 && !x.Decimal:
		k = ir.U32
	case x.Value <= math.MaxInt64:
		k = ir.I64
	default:
		k = ir.U64
	}
	return rvalue(scalars[k], constant(k, x.Value))
}

// ident gives what a name stands for as an expression.
func (c *lowerer) ident(n *syntax.Name) value {
	r := c.resolve(n)
	c.pos = n.At
	switch {
	case r.val != nil:
		return *r.val
	case r.typ != nil:
		c.fail(n.At, "'%s' does not refer to a value", nameString(n))
	case r.sym != nil:
		return c.symbolValue(r.sym, &r)
	case r.lib && c.isLibraryFunction(r.last.Ident):
		return value{name: &r}
	}
	c.fail(n.At, "use of undeclared identifier '%s'", nameString(n))
	return value{}
}

func nameString(n *syntax.Name) string {
	s := ""
	for i, p := range n.Parts {
		if i > 0 {
			s += "::"
		}
		s += p.Ident
	}
	return s
}

func (c *lowerer) symbolValue(s *symbol, r *qualified) value {
	switch s.kind {
	case symVar:
		if s.lazy != nil {
			return c.globalRead(s.lazy, r)
		}
		return s.val
	case symField:
		t := c.this(c.pos)
		if t.q.t.st != s.st {
			t = c.toBase(t, c.structTyp(s.st))
		}
		return c.fieldOf(t, s.index)
	case symFunc:
		v := value{funcs: s.funcs, name: r}
		if s.funcs[0].st != nil && c.frame != nil && c.frame.this != nil {
			t := c.this(c.pos)
			if t.q.t.st == s.funcs[0].st || c.derives(t.q.t, c.structTyp(s.funcs[0].st)) {
				if t.q.t.st != s.funcs[0].st {
					t = c.toBase(t, c.structTyp(s.funcs[0].st))
				}
				v.self = &t
			}
		}
		return v
	case symPack:
		c.fail(c.pos, "expression contains unexpanded parameter pack '%s'", s.name)
	}
	c.fail(c.pos, "unexpected name '%s'", s.name)
	return value{}
}

// globalRead gives a variable of program scope, or a function constant's value.
func (c *lowerer) globalRead(g *globalVar, r *qualified) value {
	v := c.globalValue(g, c.pos)
	if g.derived {
		return c.derivedValue(g)
	}
	if g.fc == nil {
		return v
	}
	if c.evaluating > 0 && !c.settled() {
		c.fail(c.pos, "function constant '%s' is not a constant expression", g.fc.name)
	}
	if c.unevaluated > 0 {
		return rvalue(g.fc.t, c.undefined(g.fc.t)...)
	}
	if c.guarded[g.fc] == 0 {
		c.uses[g.fc] = true
	} else if !c.uses[g.fc] {
		c.uses[g.fc] = false
	}
	v, ok := c.values[g.fc]
	if !ok {
		// What an undefined function constant holds is unspecified.
		v = rvalue(g.fc.t, c.undefinedConstant(g.fc)...)
	}
	return v
}

// settled reports whether function constants may take part in the evaluation at hand: the count of a loop's iterations,
// when they have their values. The language's own constant expressions never have them.
func (c *lowerer) settled() bool { return c.unrolling && c.known }

// undefinedConstant gives operands for a function constant that has no value yet.
func (c *lowerer) undefinedConstant(fc *functionConstant) []opnd {
	ops := make([]opnd, fc.lanes)
	if c.known {
		for i := range ops {
			ops[i] = constant(fc.kind, 0)
		}
		return ops
	}
	v := rvalue(fc.t, c.undefined(fc.t)...)
	if c.values == nil {
		c.values = map[*functionConstant]value{}
	}
	c.values[fc] = v
	return v.ops
}

// functionConstantOf gives the function constant that x names, or nil.
func (c *lowerer) functionConstantOf(x syntax.Expr) *functionConstant {
	id, ok := x.(*syntax.IdentExpr)
	if !ok {
		return nil
	}
	r := c.resolve(id.Name)
	if r.sym == nil || r.sym.lazy == nil {
		return nil
	}
	return r.sym.lazy.fc
}

func (c *lowerer) sizeof(x *syntax.SizeofExpr) value {
	if x.Pack {
		id, ok := x.X.(*syntax.IdentExpr)
		if ok {
			if s := c.find(c.scope, id.Name.Parts[0].Ident); s != nil && s.kind == symPack {
				return rvalue(ulongType, constant(ir.U64, uint64(len(s.pack))))
			}
		}
		c.fail(x.At, "sizeof... of what is not a parameter pack")
	}
	var t *typ
	if x.Type != nil {
		if named, ok := x.Type.(*syntax.NamedType); !ok || x.X == nil || c.resolve(named.Name).typ != nil {
			t = c.typeOf(x.Type).t
		}
	}
	if t == nil {
		c.onlyType(func() { t = c.expr(x.X).q.t })
	}
	if t != nil && t.kind == tRef {
		t = t.elem.t
	}
	if t == nil || t == voidType || t.kind == tFunc || t.kind == tStruct && !t.st.done {
		c.fail(x.At, "invalid application of 'sizeof' to an incomplete type")
	}
	size, align := sizeAlign(t)
	if x.Align {
		size = align
	}
	return rvalue(ulongType, constant(ir.U64, uint64(size)))
}

// foldExpr folds an operator over a pack.
func (c *lowerer) foldExpr(x *syntax.FoldExpr) value {
	n := c.packLength(x.X)
	elem := func(i int) syntax.Expr { return &packElem{PackExpr: &syntax.PackExpr{At: x.At, X: x.X}, i: i} }
	var acc syntax.Expr
	bin := func(a, b syntax.Expr) syntax.Expr { return &syntax.BinaryExpr{At: x.At, Op: x.Op, X: a, Y: b} }
	if x.Left {
		acc = x.Init
		for i := range n {
			if acc == nil {
				acc = elem(i)
			} else {
				acc = bin(acc, elem(i))
			}
		}
	} else {
		acc = x.Init
		for i := n - 1; i >= 0; i-- {
			if acc == nil {
				acc = elem(i)
			} else {
				acc = bin(elem(i), acc)
			}
		}
	}
	if acc == nil {
		switch x.Op {
		case "&&", "||":
			return rvalue(boolType, constant(ir.Bool, b2u(x.Op == "&&")))
		case ",":
			return rvalue(voidType)
		}
		c.fail(x.At, "fold expression over an empty pack with operator '%s'", x.Op)
	}
	return c.expr(acc)
}

// conditional is Cond ? X : Y.
func (c *lowerer) conditional(x *syntax.CondExpr) value {
	cv := c.expr(x.Cond)
	if cv.q.t != nil && cv.q.t.isVector() {
		c.fail(start(x.Cond), "value of type '%s' is not contextually convertible to 'bool'", cv.q.t)
	}
	cond := c.toBool(cv, start(x.Cond)).op()
	if n, ok := cond.int(); ok {
		live, dead := x.X, x.Y
		if n == 0 {
			live, dead = dead, live
		}
		var d value
		if c.evaluating > 0 || c.known {
			// The other arm still says what the type is.
			if !c.attempt(func() { c.onlyType(func() { d = c.expr(dead) }) }) {
				return c.load(c.expr(live))
			}
		} else {
			c.discard(func() { d = c.expr(dead) })
		}
		v := c.expr(live)
		if v.q.t == d.q.t && v.lv && d.lv {
			return v
		}
		t := c.commonType(v, d, x)
		if t == voidType {
			return rvalue(voidType)
		}
		return c.implicit(v, plain(t), x.At)
	}
	if c.evaluating > 0 {
		c.fail(x.At, "expression is not an integral constant expression")
	}
	cond = c.copyOf(cond)
	var a, b value
	guards := map[*functionConstant]bool{}
	c.guardsIn(x.Cond, guards)
	ba := c.b.nest(func() { c.guardedBy(guards, func() { a = c.rval(c.expr(x.X)) }) })
	bb := c.b.nest(func() { b = c.rval(c.expr(x.Y)) })
	t := c.commonType(a, b, x)
	more := func(blk *ir.Block, f func()) {
		rest := c.b.nest(f)
		*blk = append(*blk, rest...)
	}
	if t == voidType {
		c.appendIf(cond, ba, bb)
		return rvalue(voidType)
	}
	more(&ba, func() { a = c.implicit(a, plain(t), x.At) })
	more(&bb, func() { b = c.implicit(b, plain(t), x.At) })
	c.pos = x.At
	if len(a.ops) != len(b.ops) {
		c.fail(x.At, "incompatible operand types ('%s' and '%s')", c.typeString(a), c.typeString(b))
	}
	if isSpeculative(ba) && isSpeculative(bb) && t.kind != tPointer && !hasMatrix(t) {
		*c.b.block = append(append(*c.b.block, ba...), bb...)
		ops := make([]opnd, len(a.ops))
		for i := range ops {
			ops[i] = c.emit(ir.Select, a.ops[i].k, a.ops[i].k, cond, a.ops[i], b.ops[i])
		}
		return rvalue(t, ops...)
	}
	st := c.variable("", t, nil)
	more(&ba, func() { c.write(registersOf(st), t, a.ops, spaceThread) })
	more(&bb, func() { c.write(registersOf(st), t, b.ops, spaceThread) })
	c.appendIf(cond, ba, bb)
	for _, r := range st.regs {
		c.b.frozen[r] = true
	}
	return rvalue(t, c.read(registersOf(st), t, spaceThread)...)
}

func (c *lowerer) appendIf(cond opnd, a, b ir.Block) {
	c.b.append(&ir.If{Pos: c.pos, Cond: c.reg(cond), Then: a, Else: b})
}

// rval loads what is an object.
func (c *lowerer) rval(v value) value {
	if v.q.t == nil {
		c.fail(c.pos, "invalid use of a function name")
	}
	return c.load(v)
}

// isSpeculative reports whether a block may run in lanes that do not need it.
func isSpeculative(b ir.Block) bool {
	for _, n := range b {
		in, ok := n.(*ir.Instr)
		if !ok || !(isPure(in.Op) || in.Op == ir.ArrayGet) {
			return false
		}
		if in.Op == ir.ArrayGet {
			return false // out of range is a fault
		}
	}
	return len(b) <= 12
}

// commonType is the type of a conditional expression.
func (c *lowerer) commonType(a, b value, x *syntax.CondExpr) *typ {
	s, t := a.q.t, b.q.t
	if s == nil || t == nil {
		c.fail(x.At, "incompatible operand types in a conditional expression")
	}
	if s.kind == tPacked {
		s = unpacked(s)
	}
	if t.kind == tPacked {
		t = unpacked(t)
	}
	if s.kind == tArray && !s.object {
		s = c.decayed(a).q.t
	}
	if t.kind == tArray && !t.object {
		t = c.decayed(b).q.t
	}
	switch {
	case s == t:
		return s
	case s.isArithmetic() && t.isArithmetic():
		return scalars[usualKind(s.scalar, t.scalar)]
	case s.isVector() && t.isArithmetic():
		return s
	case t.isVector() && s.isArithmetic():
		return t
	case s.kind == tPointer && (t == nullType || b.isNullConstant()):
		return s
	case t.kind == tPointer && (s == nullType || a.isNullConstant()):
		return t
	case s.kind == tPointer && t.kind == tPointer && fitPointer(s, t) != rankNone:
		return t
	case s.kind == tPointer && t.kind == tPointer && fitPointer(t, s) != rankNone:
		return s
	}
	ab := c.fitValue(a, plain(t)) != rankNone
	ba := c.fitValue(b, plain(s)) != rankNone
	switch {
	case ab && !ba:
		return t
	case ba && !ab:
		return s
	}
	c.fail(x.At, "incompatible operand types ('%s' and '%s')", c.typeString(a), c.typeString(b))
	return nil
}

func (c *lowerer) indexExpr(x *syntax.IndexExpr) value {
	v := c.expr(x.X)
	if v.q.t == nil {
		c.fail(x.At, "subscripted value is not an array, pointer, or vector")
	}
	t := v.q.t
	if t.kind == tStruct {
		var iv value
		if l, ok := x.Index.(*syntax.InitList); ok {
			c.fail(l.At, "an initializer list as an index is not supported by the software Metal compiler")
		}
		iv = c.expr(x.Index)
		return c.callMethod(v, "operator[]", []value{iv}, x)
	}
	i, off := c.index2(x.Index)
	c.pos = x.At
	shift := func(p place, e *typ) place {
		if off == 0 {
			return p
		}
		return c.advance(p, e, constant(ir.I64, uint64(off)))
	}
	switch {
	case t.kind == tArray:
		if !v.lv {
			v = c.materialise(v)
		}
		e := t.elem
		e.con = e.con || v.q.con
		e.sp = v.q.sp
		if n, ok := i.int(); ok && v.at.st == nil && t.n > 0 && (n+off < 0 || n+off > int64(t.n)) && c.evaluating > 0 {
			c.fail(x.At, "array index %d is out of range", n+off)
		}
		p := c.index(v.at, e.t, t.n, i)
		if v.at.st != nil && v.at.st.global == nil {
			p = c.index(v.at, e.t, t.n, c.addIndex(i, off))
		} else {
			p = shift(p, e.t)
		}
		return value{q: e, lv: true, at: p}
	case t.kind == tPointer:
		p := c.load(v)
		if e := t.elem.t; e == voidType || e.kind == tStruct && !e.st.done {
			c.fail(x.At, "subscript of pointer to incomplete type '%s'", t.elem)
		}
		at := c.pointee(p.op())
		if at.st != nil && at.st.global == nil {
			return value{q: thread(t.elem), lv: true, at: c.advance(at, t.elem.t, c.addIndex(i, off))}
		}
		return value{q: thread(t.elem), lv: true, at: shift(c.advance(at, t.elem.t, i), t.elem.t)}
	case t.isVector() || t.kind == tMatrix:
		return c.element(v, c.addIndex(i, off))
	}
	c.fail(x.At, "subscripted value is not an array, pointer, or vector")
	return value{}
}

// thread gives a pointee without an address space that of threads.
func thread(q qtype) qtype {
	if q.sp == spaceNone {
		q.sp = spaceThread
	}
	return q
}

func (c *lowerer) addIndex(i opnd, off int64) opnd {
	if off == 0 {
		return i
	}
	return c.emit(ir.Add, i.k, i.k, i, constant(i.k, uint64(off)), none)
}

// index2 walks an index and splits off a constant added to it where that cannot wrap.
func (c *lowerer) index2(x syntax.Expr) (opnd, int64) {
	if b, ok := x.(*syntax.BinaryExpr); ok && (b.Op == "+" || b.Op == "-") {
		l := c.rval(c.expr(b.X))
		r := c.rval(c.expr(b.Y))
		if l.q.t.isInteger() && r.q.t.isInteger() {
			k := usualKind(l.q.t.scalar, r.q.t.scalar)
			if n, ok := r.constantInt(); ok && k != ir.U32 && k != ir.U64 && n > -1<<30 && n < 1<<30 {
				if b.Op == "-" {
					n = -n
				}
				return c.convert(l.op(), k), n
			}
			if n, ok := l.constantInt(); ok && k != ir.U32 && k != ir.U64 && n > -1<<30 && n < 1<<30 && b.Op == "+" {
				return c.convert(r.op(), k), n
			}
		}
		c.pos = b.At
		return c.indexValue(c.binaryOp(b.Op, l, r, b.At), x), 0
	}
	return c.indexValue(c.rval(c.expr(x)), x), 0
}

func (c *lowerer) indexValue(v value, x syntax.Expr) opnd {
	if v.q.t.kind == tStruct {
		v = c.implicit(v, plain(intType), x.Pos())
	}
	if !v.q.t.isInteger() && v.q.t != boolType && !(v.q.t.kind == tEnum && !v.q.t.en.scoped) {
		c.fail(x.Pos(), "array subscript is not an integer")
	}
	o := v.op()
	if o.k == ir.Bool {
		return c.convert(o, ir.I32)
	}
	return o
}

// pointee gives the place that a pointer points to.
func (c *lowerer) pointee(o opnd) place {
	if o.ptr != nil {
		return *o.ptr
	}
	if o.con {
		return memoryAt(c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos))
	}
	return memoryAt(o.reg)
}

const swizzleNames = "xyzwrgba"

// memberExpr is X.name and X->name.
func (c *lowerer) memberExpr(x *syntax.MemberExpr) value {
	v := c.expr(x.X)
	c.pos = x.At
	if v.q.t == nil {
		c.fail(nameOf(x), "member reference base is not a structure or vector")
	}
	if x.Arrow {
		if v.q.t.kind == tStruct {
			v = c.callMethod(v, "operator->", nil, &syntax.IndexExpr{At: x.At})
		}
		if v.q.t.kind != tPointer {
			c.fail(nameOf(x), "member reference type '%s' is not a pointer", v.q.t)
		}
		p := c.load(v)
		v = value{q: thread(v.q.t.elem), lv: true, at: c.pointee(p.op())}
	} else if v.q.t.kind == tPointer {
		c.fail(nameOf(x), "member reference type '%s' is a pointer; did you mean to use '->'?", v.q.t)
	}
	t := v.q.t
	name := x.Name.Ident
	switch {
	case t.isVector():
		return c.swizzle(v, name, x)
	case t.kind == tStruct:
		return c.structMember(v, &x.Name, x)
	case t.kind == tSimdMat && name == "thread_elements", t.kind == tArray && t.object:
		return value{name: &qualified{last: &x.Name}, self: &v}
	}
	c.fail(x.At, "member reference base type '%s' is not a structure or union", t)
	return value{}
}

func (c *lowerer) structMember(v value, name *syntax.NamePart, x *syntax.MemberExpr) value {
	st := v.q.t.st
	if !st.done {
		c.fail(nameOf(x), "member access into incomplete type '%s'", v.q.t)
	}
	if st.library == "simd_vote" {
		return value{name: &qualified{last: name}, self: &v}
	}
	sym := c.member(st.scope, name.Ident, 0)
	if sym == nil {
		c.fail(nameOf(x), "no member named '%s' in '%s'", name.Ident, v.q.t)
	}
	switch sym.kind {
	case symField:
		if sym.st != st {
			v = c.toBase(v, c.structTyp(sym.st))
		}
		return c.fieldOf(v, sym.index)
	case symFunc:
		if owner := sym.funcs[0].st; owner != nil && owner != st {
			v = c.toBase(v, c.structTyp(owner))
		}
		return value{funcs: sym.funcs, self: &v, name: &qualified{last: name}}
	case symVar:
		return c.symbolValue(sym, nil)
	}
	c.fail(nameOf(x), "member '%s' of '%s' is not a value", name.Ident, v.q.t)
	return value{}
}

// swizzle is v.xyz and its kin.
func (c *lowerer) swizzle(v value, name string, x *syntax.MemberExpr) value {
	t := v.q.t
	if len(name) > 4 {
		c.fail(nameOf(x), "illegal vector component name '%s'", name)
	}
	sw := make([]uint8, len(name))
	set := -1
	for i := range len(name) {
		n := -1
		for j := range len(swizzleNames) {
			if swizzleNames[j] == name[i] {
				n = j
			}
		}
		if n < 0 || set >= 0 && n/4 != set {
			c.fail(nameOf(x), "illegal vector component name '%s'", name)
		}
		set = n / 4
		if n%4 >= t.n {
			c.fail(nameOf(x), "vector component access '%s' exceeds type '%s'", name, t)
		}
		sw[i] = uint8(n % 4)
	}
	rt := vectorOf(t.scalar, len(sw))
	if !v.lv {
		ops := make([]opnd, len(sw))
		for i, s := range sw {
			ops[i] = v.ops[s]
		}
		return rvalue(rt, ops...)
	}
	r := value{q: qtype{rt, v.q.con, v.q.sp}, lv: true, at: v.at, whole: t, sw: sw}
	if v.isMat {
		ops := make([]opnd, len(sw))
		for i, s := range sw {
			ops[i] = c.load(v).ops[s]
		}
		return rvalue(rt, ops...)
	}
	if v.sw != nil {
		for i, s := range sw {
			sw[i] = v.sw[s]
		}
		r.whole = v.whole
	}
	return r
}

// hasRepeats reports whether a swizzle names a component twice, which cannot be assigned.
func hasRepeats(sw []uint8) bool {
	for i := range sw {
		for j := range i {
			if sw[i] == sw[j] {
				return true
			}
		}
	}
	return false
}

// callMethod calls the method of that name.
func (c *lowerer) callMethod(v value, name string, args []value, x *syntax.IndexExpr) value {
	sym := c.member(v.q.t.st.scope, name, 0)
	if sym == nil || sym.kind != symFunc {
		c.fail(x.At, "type '%s' does not provide %s", v.q.t, name)
	}
	if owner := sym.funcs[0].st; owner != v.q.t.st {
		v = c.toBase(v, c.structTyp(owner))
	}
	if !v.lv {
		v = c.materialise(v)
	}
	return c.callBest(sym.funcs, nil, args, &v, x.At, name)
}

// callExpr is a call.
func (c *lowerer) callExpr(x *syntax.CallExpr) value {
	if id, ok := x.Fun.(*syntax.IdentExpr); ok {
		if v, ok := c.callNamed(id, x); ok {
			return v
		}
	}
	f := c.expr(x.Fun)
	c.pos = x.At
	if f.self != nil && f.funcs == nil {
		return c.libraryMethod(*f.self, f.name.last.Ident, c.exprs(x.Args), x)
	}
	if f.funcs != nil {
		return c.callFuncs(f, x)
	}
	if f.ref != nil || f.q.t != nil && f.q.t.kind == tFunc {
		ref := f.ref
		if ref == nil {
			ref = c.load(f).op().fn
		}
		return c.callFunc(ref, c.exprs(x.Args), calleeOf(x))
	}
	if f.q.t != nil && f.q.t.kind == tStruct {
		return c.callMethod(f, "operator()", c.exprs(x.Args), &syntax.IndexExpr{At: x.At})
	}
	c.fail(calleeOf(x), "called object type '%s' is not a function", c.typeString(f))
	return value{}
}

func (c *lowerer) callFuncs(f value, x *syntax.CallExpr) value {
	args := c.argsFor(f.funcs, x.Args)
	c.pos = x.At
	self := f.self
	if self != nil && !self.lv {
		m := c.materialise(*self)
		self = &m
	}
	what := f.name.last.Ident
	if self == nil {
		for _, fn := range f.funcs {
			if fn.st != nil && !fn.decl.Spec.Static {
				c.fail(calleeOf(x), "call to non-static member function '%s' without an object argument", what)
			}
		}
	}
	if fn := f.funcs[0]; fn.st != nil && fn.decl.Spec.Static {
		self = nil
	}
	return c.callBest(f.funcs, f.name, args, self, calleeOf(x), what)
}

// argsFor walks arguments; a list among them takes the type of the parameter where there is one function only.
func (c *lowerer) argsFor(fs []*function, xs []syntax.Expr) []value {
	hasList := false
	for _, x := range xs {
		if _, ok := x.(*syntax.InitList); ok {
			hasList = true
		}
	}
	if !hasList {
		return c.exprs(xs)
	}
	if len(fs) != 1 || fs[0].decl.Template != nil {
		c.unsupported(c.pos, "an initializer list as an argument of an overloaded function")
	}
	ps := c.signature(fs[0], nil)
	var vs []value
	for i, x := range xs {
		l, ok := x.(*syntax.InitList)
		if !ok || i >= len(ps) {
			vs = append(vs, c.expr(x))
			continue
		}
		q := ps[i].q
		if q.t.kind == tRef {
			q = q.t.elem
		}
		vs = append(vs, c.listInit(plain(q.t), l))
	}
	return vs
}

// callNamed calls what a name stands for. ok is false where the name is an object.
func (c *lowerer) callNamed(id *syntax.IdentExpr, x *syntax.CallExpr) (value, bool) {
	r := c.resolve(id.Name)
	c.pos = id.Name.At
	switch {
	case r.typ != nil:
		return c.constructExpr(*r.typ, &syntax.Construct{At: x.At, Type: &syntax.NamedType{Name: id.Name}, Args: x.Args}), true
	case r.sym != nil && r.sym.kind == symFunc:
		f := c.symbolValue(r.sym, &r)
		if !r.lib || !c.isLibraryFunction(r.last.Ident) || f.self != nil {
			return c.callFuncs(f, x), true
		}
		args := c.argsFor(r.sym.funcs, x.Args)
		c.pos = x.At
		return c.callMixed(f, &r, args, x), true
	case r.sym != nil || r.val != nil:
		return value{}, false
	case r.lib && c.isLibraryFunction(r.last.Ident):
		return c.libraryCall(&r, x), true
	}
	if r.lib && x != nil {
		// A name of a function that nobody declared: argument errors come first, as they would in a declared call.
		c.exprs(x.Args)
	}
	c.fail(id.Name.At, "use of undeclared identifier '%s'", nameString(id.Name))
	return value{}, false
}

// callMixed chooses between the program's functions of a name and those of Metal's library.
func (c *lowerer) callMixed(f value, r *qualified, args []value, x *syntax.CallExpr) value {
	var explicit []tmplArg
	if r.last.HasArgs {
		explicit = c.templateArgs(r.last.Args)
	}
	best, ambiguous := c.choose(f.funcs, explicit, r.last.HasArgs, args, nil, calleeOf(x))
	exact := best != nil
	if best != nil {
		for _, k := range best.ranks {
			exact = exact && k <= rankQualify
		}
	}
	if exact && !ambiguous {
		return c.call(best, args, nil, calleeOf(x), r.last.Ident)
	}
	var v value
	if best == nil || c.libraryExact(r, args) {
		if best == nil {
			return c.libraryCallWith(r, args, x)
		}
		if c.attempt(func() { v = c.libraryCallWith(r, args, x) }) {
			return v
		}
	}
	return c.callBest(f.funcs, r, args, nil, calleeOf(x), r.last.Ident)
}

func (c *lowerer) describe(args []value) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += c.typeString(a)
	}
	return fmt.Sprintf("(%s)", s)
}
