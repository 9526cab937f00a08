package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

var binaryOps = map[string]ir.Op{"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "/": ir.Div, "%": ir.Rem, "&": ir.And, "|": ir.Or, "^": ir.Xor,
	"<<": ir.Shl, ">>": ir.Shr, "==": ir.Eq, "!=": ir.Ne, "<": ir.Lt, "<=": ir.Le, ">": ir.Gt, ">=": ir.Ge}

func isComparison(op ir.Op) bool { return op >= ir.Eq && op <= ir.Ge }

func (c *lowerer) binary(x *syntax.BinaryExpr) value {
	switch x.Op {
	case ",":
		c.effect(x.X)
		return c.expr(x.Y)
	case "&&", "||":
		return c.logical(x)
	}
	a := c.expr(x.X)
	if a.lv && (a.at.st == nil || hasSideEffects(x.Y)) {
		a = c.held(a)
	}
	b := c.expr(x.Y)
	c.pos = x.At
	return c.binaryOp(x.Op, a, b, x.At)
}

// held loads an operand before those to its right are evaluated, which may change it.
func (c *lowerer) held(v value) value {
	if v.q.t == nil || v.q.t.kind == tArray || v.q.t.kind == tStruct || v.q.t.kind == tSimdMat || v.isMat {
		return v
	}
	r := c.load(v)
	for i, o := range r.ops {
		r.ops[i] = c.copyOf(o)
	}
	return r
}

func hasSideEffects(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.AssignExpr:
		return true
	case *syntax.UnaryExpr:
		return x.Op == "++" || x.Op == "--" || hasSideEffects(x.X)
	case *syntax.BinaryExpr:
		return hasSideEffects(x.X) || hasSideEffects(x.Y)
	}
	return false
}

// overloaded calls a user-defined operator. ok is false if there is none that fits.
func (c *lowerer) overloaded(op string, a value, b *value, pos token.Pos) (value, bool) {
	user := func(v *value) bool { return v != nil && v.q.t != nil && (v.q.t.kind == tStruct || v.q.t.kind == tEnum) }
	if !user(&a) && !user(b) {
		return value{}, false
	}
	name := "operator" + op
	var cands []candidate
	add := func(fs []*function, args []value, self *value) {
		for _, f := range fs {
			if cand, ok := c.viable(f, nil, false, args, self, pos); ok {
				if self != nil {
					cand.ranks = append([]rank{cand.self}, cand.ranks...)
					cand.self = 0
				}
				cands = append(cands, cand)
			}
		}
	}
	var rest []value
	all := []value{a}
	if b != nil {
		rest = []value{*b}
		all = append(all, *b)
	}
	self := a
	if a.q.t != nil && a.q.t.kind == tStruct {
		if sym := c.member(a.q.t.st.scope, name, 0); sym != nil && sym.kind == symFunc {
			if owner := sym.funcs[0].st; owner != a.q.t.st {
				self = c.toBase(a, c.structTyp(owner))
			}
			if !self.lv {
				self = c.materialise(self)
			}
			add(sym.funcs, rest, &self)
		}
	}
	if sym := c.findSymbol(name); sym != nil && sym.kind == symFunc && sym.funcs[0].st == nil {
		add(sym.funcs, all, nil)
	}
	// Operators are also found in the namespaces of their operands.
	for _, v := range all {
		if v.q.t != nil && v.q.t.kind == tStruct {
			for s := v.q.t.st.scope.outer; s != nil && s.global; s = s.outer {
				if sym := s.names[name]; sym != nil && sym.kind == symFunc && sym != c.findSymbol(name) {
					add(sym.funcs, all, nil)
				}
			}
		}
	}
	if len(cands) == 0 {
		return value{}, false
	}
	best := &cands[0]
	for i := range cands {
		if cands[i].better(best) {
			best = &cands[i]
		}
	}
	if best.fn.st != nil {
		best.ranks = best.ranks[1:]
		return c.call(best, rest, &self, pos, name), true
	}
	return c.call(best, all, nil, pos, name), true
}

// binaryOp applies an operator that is neither assignment nor logical.
func (c *lowerer) binaryOp(op string, a, b value, pos token.Pos) value {
	if a.q.t == nil || b.q.t == nil {
		c.fail(pos, "invalid operands to binary expression ('%s' and '%s')", c.typeString(a), c.typeString(b))
	}
	if v, ok := c.overloaded(op, a, &b, pos); ok {
		return v
	}
	o := binaryOps[op]
	bad := func() value {
		c.fail(pos, "invalid operands to binary expression ('%s' and '%s')", c.typeString(a), c.typeString(b))
		return value{}
	}
	a, b = c.operand(a), c.operand(b)
	s, t := a.q.t, b.q.t
	switch {
	case s.kind == tSimdMat && t == s && o == ir.Mul:
		k := s.scalar.Mat()
		return rvalue(s, c.emit(ir.MatMul, k, k, a.op(), b.op(), none))
	case s == voidType || t == voidType || s.kind == tStruct || t.kind == tStruct || s.kind == tSimdMat || t.kind == tSimdMat:
		return bad()
	case s == memFlagsType && t == memFlagsType && o == ir.Or:
		return rvalue(s, c.emit(ir.Or, ir.U32, ir.U32, a.op(), b.op(), none))
	case s.kind == tPointer || t.kind == tPointer || s == nullType || t == nullType:
		return c.pointerOp(o, a, b, pos, bad)
	case s.kind == tMatrix || t.kind == tMatrix:
		return c.matrixOp(o, a, b, pos, bad)
	case s.kind == tEnum && s.en.scoped || t.kind == tEnum && t.en.scoped:
		if s == t && isComparison(o) {
			return rvalue(boolType, c.emit(o, s.scalar, ir.Bool, a.op(), b.op(), none))
		}
		return bad()
	}
	return c.arithmetic(o, a, b, bad)
}

// operand loads an operand; a struct that converts to a number does so.
func (c *lowerer) operand(v value) value {
	if v.q.t.kind == tStruct && len(v.q.t.st.convs) > 0 {
		for _, f := range v.q.t.st.convs {
			if f.decl.Template != nil {
				continue
			}
			var q qtype
			c.inScope(f.scope, func() { q = c.typeOf(f.decl.Ret) })
			if (q.t.isArithmetic() || q.t.isVector()) && c.conversion(v, q.t) != nil {
				return c.load(c.implicit(v, plain(q.t), c.pos))
			}
		}
		if f := c.conversion(v, floatType); f != nil {
			return c.implicit(v, plain(floatType), c.pos)
		}
	}
	return c.load(v)
}

// arithmetic applies an operator to scalars and vectors, component by component.
func (c *lowerer) arithmetic(o ir.Op, a, b value, bad func() value) value {
	s, t := a.q.t, b.q.t
	n := max(s.lanes(), t.lanes())
	shift := o == ir.Shl || o == ir.Shr
	var k ir.Kind
	switch {
	case s.isVector() && t.isVector():
		if s.n != t.n || s.scalar != t.scalar && !shift {
			return bad()
		}
		k = s.scalar
	case s.isVector() || t.isVector():
		vec, sc := s, t
		if t.isVector() {
			vec, sc = t, s
		}
		k = vec.scalar
		if !k.IsFloat() && sc.scalar.IsFloat() {
			return bad()
		}
	case shift:
		k = promoted(s.scalar)
	default:
		if s.scalar == ir.F16 && t.scalar == ir.BF16 || s.scalar == ir.BF16 && t.scalar == ir.F16 {
			return bad()
		}
		k = usualKind(s.scalar, t.scalar)
		if s == boolType && t == boolType && (o == ir.Eq || o == ir.Ne || o == ir.And || o == ir.Or || o == ir.Xor) {
			// Bool operands promote to int; the result is the same without.
			ops := c.emit(o, ir.Bool, ir.Bool, a.op(), b.op(), none)
			if isComparison(o) {
				return rvalue(boolType, ops)
			}
			return rvalue(intType, c.convert(ops, ir.I32))
		}
	}
	if k.IsFloat() {
		switch o {
		case ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr:
			return bad()
		}
	}
	if shift && t.scalar.IsFloat() {
		return bad()
	}
	if k == ir.Bool && !isComparison(o) && o != ir.And && o != ir.Or && o != ir.Xor {
		return bad()
	}
	dst := k
	if isComparison(o) {
		dst = ir.Bool
	}
	ops := make([]opnd, n)
	for i := range ops {
		x, y := a.ops[min(i, len(a.ops)-1)], b.ops[min(i, len(b.ops)-1)]
		ops[i] = c.scalarOp(o, k, dst, c.convert(x, k), c.convert(y, k))
	}
	return rvalue(vectorOf(dst, n), ops...)
}

func (c *lowerer) scalarOp(o ir.Op, k, dst ir.Kind, x, y opnd) opnd {
	if k == ir.Bool && o > ir.Ne && o <= ir.Ge {
		return c.emit(o, ir.I32, dst, c.convert(x, ir.I32), c.convert(y, ir.I32), none)
	}
	if (o == ir.Div || o == ir.Rem) && k.IsInt() && y.isZero() && c.evaluating > 0 {
		c.fail(c.pos, "division by zero in a constant expression")
	}
	return c.emit(o, k, dst, x, y, none)
}

// pointerOp applies an operator where an operand is a pointer.
func (c *lowerer) pointerOp(o ir.Op, a, b value, pos token.Pos, bad func() value) value {
	s, t := a.q.t, b.q.t
	switch {
	case o == ir.Add && s.isInteger():
		a, b = b, a
		s, t = t, s
		fallthrough
	case (o == ir.Add || o == ir.Sub) && s.kind == tPointer && (t.isInteger() || t == boolType || t.kind == tEnum):
		if s.kind != tPointer || !t.isArithmetic() {
			return bad()
		}
		e := s.elem.t
		if e == voidType || e.kind == tStruct && !e.st.done {
			c.fail(pos, "arithmetic on a pointer to an incomplete type '%s'", e)
		}
		i := b.op()
		if i.k == ir.Bool {
			i = c.convert(i, ir.I32)
		}
		if o == ir.Sub {
			// The index is widened first: the negative of an unsigned one is no index.
			i = c.emit(ir.Neg, ir.I64, ir.I64, c.convert(i, ir.I64), none, none)
		}
		return rvalue(s, pointerTo(c.advance(c.pointee(a.op()), e, i)))
	case o == ir.Sub && s.kind == tPointer && t.kind == tPointer:
		if s.elem.t != t.elem.t {
			c.fail(pos, "'%s' and '%s' are not pointers to compatible types", s, t)
		}
		p, q := a.op().ptr, b.op().ptr
		if p != nil && q != nil && p.st != nil && p.st == q.st && p.slot == q.slot {
			return rvalue(longType, c.convert(c.emit(ir.Sub, ir.I32, ir.I32, p.row, q.row, none), ir.I64))
		}
		size, _ := sizeAlign(s.elem.t)
		return rvalue(longType, c.emitImm(ir.PtrDiff, ir.Ptr, ir.I64, a.op(), b.op(), none, size, 0))
	case isComparison(o):
		pa, pb := s.kind == tPointer || s == nullType || a.isNullConstant(), t.kind == tPointer || t == nullType || b.isNullConstant()
		if !pa || !pb {
			return bad()
		}
		if s.kind == tPointer && t.kind == tPointer && fitPointer(s, t) == rankNone && fitPointer(t, s) == rankNone {
			c.fail(pos, "comparison of distinct pointer types ('%s' and '%s')", s, t)
		}
		null := func(v value) opnd {
			if v.q.t.kind == tPointer {
				return v.op()
			}
			return c.null()
		}
		x, y := null(a), null(b)
		for _, o2 := range [...]opnd{x, y} {
			other := x
			if o2.ptr == x.ptr {
				other = y
			}
			if o2.ptr != nil && o2.ptr.st != nil && other.con && other.ptr == nil && (o == ir.Eq || o == ir.Ne) {
				return rvalue(boolType, constant(ir.Bool, b2u(o == ir.Ne)))
			}
		}
		if p, q := x.ptr, y.ptr; p != nil && q != nil && p.st != nil && p.st == q.st && p.slot == q.slot {
			return rvalue(boolType, c.emit(o, ir.I32, ir.Bool, p.row, q.row, none))
		}
		return rvalue(boolType, c.emit(o, ir.Ptr, ir.Bool, x, y, none))
	}
	return bad()
}

// matrixOp applies an operator where an operand is a matrix.
func (c *lowerer) matrixOp(o ir.Op, a, b value, pos token.Pos, bad func() value) value {
	s, t := a.q.t, b.q.t
	k := s.scalar
	if s.kind != tMatrix {
		k = t.scalar
	}
	switch {
	case s == t && (o == ir.Add || o == ir.Sub):
		ops := make([]opnd, len(a.ops))
		for i := range ops {
			ops[i] = c.emit(o, k, k, a.ops[i], b.ops[i], none)
		}
		return rvalue(s, ops...)
	case s == t && (o == ir.Eq || o == ir.Ne):
		all := constant(ir.Bool, 1)
		for i := range a.ops {
			all = c.emit(ir.And, ir.Bool, ir.Bool, all, c.emit(ir.Eq, k, ir.Bool, a.ops[i], b.ops[i], none), none)
		}
		if o == ir.Ne {
			all = c.emit(ir.Not, ir.Bool, ir.Bool, all, none, none)
		}
		return rvalue(boolType, all)
	case o == ir.Mul && s.kind == tMatrix && t.isArithmetic(), o == ir.Mul && t.kind == tMatrix && s.isArithmetic():
		m, f := a, b
		if t.kind == tMatrix {
			m, f = b, a
		}
		x := c.convert(f.op(), k)
		ops := make([]opnd, len(m.ops))
		for i := range ops {
			ops[i] = c.emit(ir.Mul, k, k, m.ops[i], x, none)
		}
		return rvalue(m.q.t, ops...)
	case o == ir.Mul && s.kind == tMatrix && t.kind == tVector && s.n == t.n && s.scalar == t.scalar:
		return rvalue(vectors[k][s.m], c.matVec(k, a.ops, s.n, s.m, b.ops)...)
	case o == ir.Mul && s.kind == tVector && t.kind == tMatrix && s.n == t.m && s.scalar == t.scalar:
		ops := make([]opnd, t.n)
		for i := range ops {
			ops[i] = c.dot(k, a.ops, b.ops[i*t.m:(i+1)*t.m])
		}
		return rvalue(vectors[k][t.n], ops...)
	case o == ir.Mul && s.kind == tMatrix && t.kind == tMatrix && s.n == t.m && s.scalar == t.scalar:
		var ops []opnd
		for col := range t.n {
			ops = append(ops, c.matVec(k, a.ops, s.n, s.m, b.ops[col*t.m:(col+1)*t.m])...)
		}
		return rvalue(matrices[k][t.n][s.m], ops...)
	}
	return bad()
}

// matVec multiplies a matrix of n columns and m rows with a vector.
func (c *lowerer) matVec(k ir.Kind, mat []opnd, n, m int, v []opnd) []opnd {
	ops := make([]opnd, m)
	for r := range ops {
		row := make([]opnd, n)
		for i := range row {
			row[i] = mat[i*m+r]
		}
		ops[r] = c.dot(k, row, v)
	}
	return ops
}

func (c *lowerer) dot(k ir.Kind, a, b []opnd) opnd {
	sum := c.emit(ir.Mul, k, k, a[0], b[0], none)
	for i := 1; i < len(a); i++ {
		sum = c.emit(ir.Fma, k, k, a[i], b[i], sum)
	}
	return sum
}

// logical is && and ||.
func (c *lowerer) logical(x *syntax.BinaryExpr) value {
	a := c.expr(x.X)
	and := x.Op == "&&"
	op := ir.Or
	if and {
		op = ir.And
	}
	if a.q.t != nil && (a.q.t.isVector() || a.q.t.kind == tStruct) {
		if a.q.t.isVector() {
			b := c.rval(c.expr(x.Y))
			a = c.load(a)
			if a.q.t.scalar == ir.Bool && b.q.t == a.q.t {
				return c.arithmetic(op, a, b, nil)
			}
			c.fail(x.At, "invalid operands to binary expression ('%s' and '%s')", a.q.t, b.q.t)
		}
		if len(a.q.t.st.convs) == 0 {
			b := c.expr(x.Y)
			if v, ok := c.overloaded(x.Op, a, &b, x.At); ok {
				return v
			}
		}
	}
	l := c.toBool(a, start(x.X)).op()
	if n, ok := l.int(); ok && (n != 0) != and {
		if c.evaluating == 0 && !c.known {
			c.discard(func() { c.toBool(c.expr(x.Y), start(x.Y)) })
		}
		return rvalue(boolType, constant(ir.Bool, b2u(!and)))
	}
	if l.con {
		return c.toBool(c.expr(x.Y), start(x.Y))
	}
	l = c.copyOf(l)
	guards := map[*functionConstant]bool{}
	if and {
		c.guardsIn(x.X, guards)
	}
	var r opnd
	blk := c.b.nest(func() {
		c.guardedBy(guards, func() { r = c.toBool(c.expr(x.Y), start(x.Y)).op() })
	})
	c.pos = x.At
	if isSpeculative(blk) {
		*c.b.block = append(*c.b.block, blk...)
		return rvalue(boolType, c.emit(op, ir.Bool, ir.Bool, l, r, none))
	}
	v := c.declare(ir.Bool, 1, "")
	c.assign(v, l)
	rest := c.b.nest(func() { c.assign(v, r) })
	blk = append(blk, rest...)
	if and {
		c.b.append(&ir.If{Pos: x.At, Cond: v, Then: blk})
	} else {
		c.b.append(&ir.If{Pos: x.At, Cond: c.reg(c.emit(ir.Not, ir.Bool, ir.Bool, l, none, none)), Then: blk})
	}
	c.b.frozen[v] = true
	return rvalue(boolType, register(ir.Bool, v))
}

// assignable holds the target of an assignment to the rules.
func (c *lowerer) assignable(v value, pos token.Pos) {
	switch {
	case !v.lv:
		c.fail(pos, "expression is not assignable")
	case v.q.sp == spaceConstant:
		c.fail(pos, "cannot assign to a variable in the constant address space")
	case v.q.con:
		c.fail(pos, "cannot assign to a value of const-qualified type '%s'", v.q)
	case v.q.t.kind == tArray && !v.q.t.object:
		c.fail(pos, "array type '%s' is not assignable", v.q)
	case v.sw != nil && hasRepeats(v.sw):
		c.fail(pos, "vector is not assignable (contains duplicate components)")
	case v.q.t.kind == tAtomic:
		c.fail(pos, "an object of type '%s' can only be changed by atomic functions", v.q.t)
	}
}

func (c *lowerer) assignExpr(x *syntax.AssignExpr) value {
	if cond, ok := x.X.(*syntax.CondExpr); ok {
		return c.assignEither(cond, x)
	}
	v := c.expr(x.X)
	if v.q.t == nil {
		c.fail(x.At, "expression is not assignable")
	}
	var r value
	if l, ok := x.Y.(*syntax.InitList); ok {
		r = c.listInit(plain(v.q.t), l)
	} else {
		r = c.expr(x.Y)
	}
	c.pos = x.At
	op := x.Op[:len(x.Op)-1]
	if v.q.t.kind == tStruct {
		if op != "" || c.ownAssignment(v.q.t) {
			if res, ok := c.overloaded(x.Op, v, &r, x.At); ok {
				return res
			}
		}
	} else if r.q.t != nil && r.q.t.kind == tStruct && op != "" {
		if res, ok := c.overloaded(x.Op, v, &r, x.At); ok {
			return res
		}
	}
	c.assignable(v, x.At)
	if op != "" {
		r = c.compound(op, v, r, x.At)
	} else {
		if r.q.t == nil && r.funcs == nil && r.ref == nil || c.fitValue(r, plain(v.q.t)) == rankNone {
			c.fail(start(x.Y), "assigning to '%s' from incompatible type '%s'", plain(v.q.t), c.typeString(r))
		}
		r = c.implicit(r, plain(v.q.t), x.At)
	}
	c.pos = x.At
	c.store(v, r.ops)
	return v
}

// assignEither assigns to the one of two objects of the same type that a condition chooses.
func (c *lowerer) assignEither(cond *syntax.CondExpr, x *syntax.AssignExpr) value {
	var a, b value
	c.unevaluated++
	c.discard(func() { a, b = c.expr(cond.X), c.expr(cond.Y) })
	c.unevaluated--
	if a.q.t == nil || a.q != b.q || !a.lv || !b.lv {
		c.fail(x.At, "expression is not assignable")
	}
	arm := func(to syntax.Expr) syntax.Expr { return &syntax.AssignExpr{At: x.At, Op: x.Op, X: to, Y: x.Y} }
	return c.conditional(&syntax.CondExpr{At: cond.At, Cond: cond.Cond, X: arm(cond.X), Y: arm(cond.Y)})
}

// ownAssignment reports whether a struct has an operator= of its own.
func (c *lowerer) ownAssignment(t *typ) bool {
	sym := t.st.scope.names["operator="]
	if sym == nil || sym.kind != symFunc {
		return false
	}
	for _, f := range sym.funcs {
		if !f.decl.Default {
			return true
		}
	}
	return false
}

// compound gives the value that v op= r assigns.
func (c *lowerer) compound(op string, v, r value, pos token.Pos) value {
	t := v.q.t
	res := c.binaryOp(op, c.load(v), r, pos)
	if t.kind == tPacked && res.q.t == unpacked(t) {
		return res
	}
	if t.isArithmetic() && res.q.t.isArithmetic() && t.kind != tEnum {
		return rvalue(t, c.convert(res.op(), t.scalar))
	}
	if c.fitValue(res, plain(t)) == rankNone || t.kind == tEnum {
		c.fail(pos, "assigning to '%s' from incompatible type '%s'", plain(t), c.typeString(res))
	}
	return c.implicit(res, plain(t), pos)
}

func (c *lowerer) unary(x *syntax.UnaryExpr) value {
	if x.Op == "&" {
		return c.addressOf(x)
	}
	v := c.expr(x.X)
	c.pos = x.At
	if v.q.t == nil {
		if x.Op == "*" && (v.funcs != nil || v.ref != nil) {
			return v
		}
		c.fail(x.At, "invalid argument type to unary expression")
	}
	if v.q.t.kind == tStruct || v.q.t.kind == tEnum {
		var b *value
		if x.Postfix {
			zero := rvalue(intType, intConst(0))
			b = &zero
		}
		if r, ok := c.overloaded(x.Op, v, b, x.At); ok {
			return r
		}
	}
	switch x.Op {
	case "++", "--":
		return c.increment(x, v)
	case "*":
		if v.q.t.kind == tFunc {
			return v
		}
		p := c.load(v)
		if p.q.t.kind != tPointer {
			c.fail(x.At, "indirection requires pointer operand ('%s' invalid)", v.q.t)
		}
		if p.q.t.elem.t == voidType {
			c.fail(x.At, "indirection not permitted on operand of type '%s'", p.q.t)
		}
		return value{q: thread(p.q.t.elem), lv: true, at: c.pointee(p.op())}
	}
	v = c.operand(v)
	t := v.q.t
	bad := func() { c.fail(x.At, "invalid argument type '%s' to unary expression", t) }
	if x.Op == "!" {
		if t.isVector() {
			if t.scalar != ir.Bool {
				bad()
			}
			ops := make([]opnd, len(v.ops))
			for i, o := range v.ops {
				ops[i] = c.emit(ir.Not, ir.Bool, ir.Bool, o, none, none)
			}
			return rvalue(t, ops...)
		}
		b := c.toBool(v, x.At).op()
		return rvalue(boolType, c.emit(ir.Not, ir.Bool, ir.Bool, b, none, none))
	}
	if !t.isArithmetic() && !t.isVector() && !(t.kind == tMatrix && x.Op != "~") {
		bad()
	}
	k := t.scalar
	if t.isArithmetic() {
		k = promoted(k)
	}
	if k == ir.Bool || x.Op == "~" && k.IsFloat() {
		bad()
	}
	ops := make([]opnd, len(v.ops))
	for i, o := range v.ops {
		o = c.convert(o, k)
		switch x.Op {
		case "-":
			o = c.emit(ir.Neg, k, k, o, none, none)
		case "~":
			o = c.emit(ir.Not, k, k, o, none, none)
		case "+":
		default:
			bad()
		}
		ops[i] = o
	}
	if t.kind == tMatrix {
		return rvalue(t, ops...)
	}
	return rvalue(vectorOf(k, t.lanes()), ops...)
}

func (c *lowerer) increment(x *syntax.UnaryExpr, v value) value {
	c.assignable(v, x.At)
	t := v.q.t
	if t.kind != tPointer && !t.isScalar() && !t.isVector() || t.isScalar() && t.scalar == ir.Bool {
		c.fail(x.At, "cannot increment value of type '%s'", t)
	}
	old := c.load(v)
	if x.Postfix {
		for i, o := range old.ops {
			old.ops[i] = c.copyOf(o)
		}
	}
	op := "+"
	if x.Op == "--" {
		op = "-"
	}
	next := c.compound(op, v, rvalue(intType, intConst(1)), x.At)
	c.store(v, next.ops)
	if x.Postfix {
		return old
	}
	return v
}

func (c *lowerer) addressOf(x *syntax.UnaryExpr) value {
	v := c.expr(x.X)
	c.pos = x.At
	if v.funcs != nil || v.ref != nil {
		return v
	}
	if v.q.t == nil || !v.lv {
		c.fail(x.At, "cannot take the address of an rvalue of type '%s'", c.typeString(v))
	}
	if v.whole != nil || v.isMat {
		c.fail(x.At, "address of vector element requested")
	}
	q := v.q
	if q.sp == spaceNone {
		q.sp = spaceThread
	}
	return rvalue(c.types.pointer(q), pointerTo(v.at))
}
