package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// promoted is the kind after integer promotion.
func promoted(k ir.Kind) ir.Kind {
	switch k {
	case ir.Bool, ir.I8, ir.U8, ir.I16, ir.U16:
		return ir.I32
	}
	return k
}

// usualKind is the common kind of the usual arithmetic conversions.
func usualKind(a, b ir.Kind) ir.Kind {
	if a.IsFloat() || b.IsFloat() {
		switch {
		case !a.IsFloat():
			return b
		case !b.IsFloat() || a == b:
			return a
		}
		return ir.F32 // half with bfloat too
	}
	a, b = promoted(a), promoted(b)
	return max(a, b) // I32 < U32 < I64 < U64, and a signed type that is wider holds the unsigned one
}

// implicit converts v to a value of type q.
func (c *lowerer) implicit(v value, q qtype, pos token.Pos) value {
	t := q.t
	if v.funcs != nil || v.ref != nil {
		if t.kind == tPointer && t.elem.t.kind == tFunc {
			t = t.elem.t
		}
		if t.kind == tFunc {
			if ref := c.functionRef(v, t, pos); ref != nil {
				return value{q: plain(t), ref: ref, ops: []opnd{{k: ir.Ptr, con: true, reg: ir.NoReg, fn: ref}}}
			}
		}
		c.fail(pos, "cannot convert a function to '%s'", q)
	}
	if v.q.t == t {
		return c.load(v)
	}
	if c.fitValue(v, q) == rankNone {
		c.fail(pos, "no viable conversion from '%s' to '%s'", c.typeString(v), q)
	}
	if v.q.t.kind == tStruct {
		if c.derives(v.q.t, t) {
			return c.load(c.toBase(v, t))
		}
		if f := c.conversion(v, t); f != nil {
			return c.implicit(c.convertBy(f, v, t, pos), q, pos)
		}
	}
	if t.kind == tStruct {
		return c.load(c.constructStruct(t, []value{v}, pos))
	}
	v = c.load(v)
	return rvalue(unpacked(t), c.convertOps(v, t)...)
}

// convertBy calls the conversion operator f of v.
func (c *lowerer) convertBy(f *function, v value, to *typ, pos token.Pos) value {
	if f.st != v.q.t.st {
		v = c.toBase(v, c.structTyp(f.st))
	}
	if !v.lv {
		v = c.materialise(v)
	}
	cand := &candidate{fn: f}
	if f.decl.Template != nil {
		cand.env = c.conversionEnv(f, to)
	}
	return c.call(cand, nil, &v, pos, "operator "+to.String())
}

// convertOps converts the scalars of a loaded value where scalars, vectors and pointers allow it.
func (c *lowerer) convertOps(v value, t *typ) []opnd {
	switch t.kind {
	case tScalar, tEnum:
		return []opnd{c.convert(v.ops[0], t.scalar)}
	case tVector, tPacked:
		ops := make([]opnd, t.n)
		for i := range ops {
			o := v.ops[0]
			if len(v.ops) > 1 {
				o = v.ops[i]
			}
			ops[i] = c.convert(o, t.scalar)
		}
		return ops
	case tPointer:
		if v.ops[0].k != ir.Ptr {
			return []opnd{c.null()}
		}
	}
	return v.ops
}

// toBool converts a condition.
func (c *lowerer) toBool(v value, pos token.Pos) value {
	if v.q.t == boolType {
		return c.load(v)
	}
	if v.q.t == nil || v.q.t == voidType || c.fitValue(v, plain(boolType)) == rankNone {
		c.fail(pos, "value of type '%s' is not contextually convertible to 'bool'", c.typeString(v))
	}
	return c.implicit(v, plain(boolType), pos)
}

// construct is T(args) for types that are no structs; the arguments are loaded.
func (c *lowerer) construct(t *typ, args []value, pos token.Pos) value {
	if len(args) == 0 {
		return rvalue(unpacked(t), c.zero(t)...)
	}
	for i := range args {
		if args[i].funcs != nil || args[i].q.t == nil {
			c.fail(pos, "cannot convert a function to '%s'", t)
		}
		if args[i].q.t == voidType {
			c.fail(pos, "cannot convert 'void' to '%s'", t)
		}
		args[i] = c.load(args[i])
	}
	switch t.kind {
	case tVector, tPacked:
		if len(args) == 1 {
			return c.castTo(args[0], plain(t), pos)
		}
		var ops []opnd
		for _, a := range args {
			if a.q.t.kind == tStruct {
				if f := c.conversion(a, scalars[t.scalar]); f != nil {
					a = c.load(c.convertBy(f, a, scalars[t.scalar], pos))
				}
			}
			if !a.q.t.isArithmetic() && !a.q.t.isVector() {
				c.fail(pos, "cannot convert '%s' to a component of '%s'", a.q.t, t)
			}
			for _, o := range a.ops {
				ops = append(ops, c.convert(o, t.scalar))
			}
		}
		if len(ops) != t.n {
			few := "few"
			if len(ops) > t.n {
				few = "many"
			}
			c.fail(pos, "too %s components in the construction of '%s': %d", few, t, len(ops))
		}
		return rvalue(unpacked(t), ops...)
	case tMatrix:
		return c.constructMatrix(t, args, pos)
	case tSimdMat:
		if len(args) != 1 {
			c.fail(pos, "no matching constructor for initialization of '%s'", t)
		}
		if args[0].q.t == t {
			return args[0]
		}
		if !args[0].q.t.isArithmetic() {
			c.fail(pos, "no matching constructor for initialization of '%s'", t)
		}
		k := t.scalar
		return rvalue(t, c.emit(ir.MatDiag, k.Mat(), k.Mat(), c.convert(args[0].op(), k), none, none))
	}
	if len(args) != 1 {
		c.fail(pos, "excess elements in scalar initializer of type '%s'", t)
	}
	return c.castTo(args[0], plain(t), pos)
}

func (c *lowerer) constructMatrix(t *typ, args []value, pos token.Pos) value {
	zero := constant(t.scalar, 0)
	ops := make([]opnd, t.n*t.m)
	if len(args) == 1 {
		a := args[0]
		switch {
		case a.q.t.isArithmetic():
			d := c.convert(a.op(), t.scalar)
			for i := range ops {
				ops[i] = zero
				if i/t.m == i%t.m {
					ops[i] = d
				}
			}
			return rvalue(t, ops...)
		case a.q.t.kind == tMatrix && a.q.t.n == t.n && a.q.t.m == t.m:
			for i := range ops {
				ops[i] = c.convert(a.ops[i], t.scalar)
			}
			return rvalue(t, ops...)
		}
	}
	ops = ops[:0]
	for _, a := range args {
		if !a.q.t.isArithmetic() && !(a.q.t.kind == tVector && a.q.t.n == t.m && len(args) == t.n) {
			c.fail(pos, "no matching constructor for initialization of '%s'", t)
		}
		for _, o := range a.ops {
			ops = append(ops, c.convert(o, t.scalar))
		}
	}
	if len(ops) != t.n*t.m {
		c.fail(pos, "no matching constructor for initialization of '%s'", t)
	}
	return rvalue(t, ops...)
}

// castTo is static_cast and T(x) for what is not a struct; v is loaded.
func (c *lowerer) castTo(v value, q qtype, pos token.Pos) value {
	t := q.t
	from := v.q.t
	if from == t || t == voidType {
		v.q = plain(t)
		if t == voidType {
			v.ops = nil
		}
		return v
	}
	ok := false
	switch {
	case v.funcs != nil || v.ref != nil:
		return c.implicit(v, q, pos)
	case from.kind == tStruct:
		if t.isVector() {
			if f := c.conversion(v, t); f == nil {
				if g := c.conversion(v, scalars[t.scalar]); g != nil {
					return c.castTo(c.load(c.convertBy(g, v, scalars[t.scalar], pos)), q, pos)
				}
			}
		}
		if from == voteType && t == ulongType {
			return rvalue(t, v.ops...)
		}
		return c.implicit(v, q, pos)
	case t.kind == tStruct:
		if t == voteType && from.isInteger() {
			return rvalue(t, c.convert(v.op(), ir.U64))
		}
		return c.load(c.constructStruct(t, []value{v}, pos))
	case (t.isScalar() || t.kind == tEnum) && (from.isScalar() || from.kind == tEnum):
		ok = true
	case t.isVector() && from.isArithmetic():
		ok = true
	case t.isVector() && from.isVector() && from.n == t.n:
		ok = true
	case t.kind == tMatrix && from.kind == tMatrix && t.n == from.n && t.m == from.m:
		return c.constructMatrix(t, []value{v}, pos)
	case t.kind == tMatrix && from.isArithmetic():
		return c.constructMatrix(t, []value{v}, pos)
	case t.kind == tSimdMat:
		return c.construct(t, []value{v}, pos)
	case t == boolType && from.kind == tPointer:
		ok = true
	case t.kind == tPointer && (from == nullType || v.isNullConstant()):
		return rvalue(t, c.null())
	case t.kind == tPointer && from.kind == tPointer:
		if fitPointer(from, t) != rankNone {
			ok = true
			break
		}
		f := from.elem
		f.t = t.elem.t
		if from.elem.t == voidType && fitPointer(c.types.pointer(f), t) != rankNone {
			return c.reinterpret(v, t, pos)
		}
	}
	if !ok {
		c.fail(pos, "cannot convert '%s' to '%s'", c.typeString(v), q)
	}
	return rvalue(unpacked(t), c.convertOps(v, t)...)
}

// reinterpret gives a pointer another type of pointee in the same address space.
func (c *lowerer) reinterpret(v value, t *typ, pos token.Pos) value {
	o := v.op()
	if o.ptr != nil && o.ptr.st != nil && v.q.t.elem.t != t.elem.t {
		// Registers have no bytes to look at.
		if o.ptr.st.global != nil {
			p := c.globalPlace(*o.ptr)
			return rvalue(t, pointerTo(p))
		}
		c.toMemory(o.ptr.st)
	}
	return rvalue(t, o)
}

// castExpr is (T)x, static_cast<T>(x) and its kin.
func (c *lowerer) castExpr(x *syntax.CastExpr) value {
	q := c.typeOf(x.Type)
	v := c.expr(x.X)
	c.pos = x.At
	t := q.t
	if t.kind == tRef {
		return c.castRef(v, t, x)
	}
	if v.q.t == nil && v.ref == nil && v.funcs == nil {
		c.fail(x.At, "invalid cast")
	}
	if t == voidType {
		if v.lv && c.evaluating == 0 {
			c.load(v)
		}
		return rvalue(voidType)
	}
	if t.kind == tArray {
		c.fail(x.At, "cast to incomplete or array type '%s' is not allowed", t)
	}
	v2 := v
	if v.q.t != nil && v.q.t.kind != tStruct {
		v2 = c.load(v)
	}
	if t.kind == tPointer && v2.q.t != nil && v2.q.t.kind == tPointer {
		return c.castPointer(v2, t, x)
	}
	switch x.Kind {
	case "reinterpret":
		switch {
		case v2.q.t != nil && v2.q.t.kind == tPointer && t.isInteger() && t.scalar.Size() == 8:
			return rvalue(t, c.convert(c.emit(ir.Bitcast, ir.Ptr, ir.U64, v2.op(), none, none), t.scalar))
		case t.kind == tPointer && v2.q.t.isInteger():
			c.unsupported(x.At, "a cast of an integer to a pointer")
		}
		c.fail(x.At, "reinterpret_cast from '%s' to '%s' is not allowed", c.typeString(v), q)
	case "const":
		c.fail(x.At, "const_cast to '%s', which is not a reference, pointer-to-object, or pointer-to-data-member", q)
	}
	if t.kind == tStruct {
		if v.q.t == t {
			return c.load(v)
		}
		return c.load(c.constructStruct(t, []value{v}, x.At))
	}
	if x.Kind == "" && t.isInteger() && v2.q.t != nil && v2.q.t.kind == tPointer && t.scalar.Size() == 8 {
		return rvalue(t, c.convert(c.emit(ir.Bitcast, ir.Ptr, ir.U64, v2.op(), none, none), t.scalar))
	}
	return c.castTo(v2, q, x.At)
}

func (c *lowerer) castRef(v value, t *typ, x *syntax.CastExpr) value {
	e := t.elem
	if !v.lv {
		return c.bindRef(v, plain(t), x.At)
	}
	sp, want := v.q.sp, e.sp
	if sp == spaceNone {
		sp = spaceThread
	}
	if want == spaceNone {
		want = sp
	}
	if sp != want {
		c.fail(x.At, "cast from '%s' to '%s' changes address space", v.q, t)
	}
	if v.whole != nil {
		c.unsupported(x.At, "a reference to a vector component")
	}
	if v.q.con && !e.con && x.Kind == "static" {
		c.fail(x.At, "static_cast from '%s' to '%s' casts away qualifiers", v.q, t)
	}
	if v.q.t != e.t {
		if c.derives(v.q.t, e.t) {
			v = c.toBase(v, e.t)
		} else {
			if x.Kind == "static" {
				c.fail(x.At, "non-const lvalue reference to type '%s' cannot bind to a value of unrelated type '%s'", e, v.q)
			}
			p := c.reinterpret(rvalue(c.types.pointer(v.q), pointerTo(v.at)), c.types.pointer(e), x.At)
			v.at = *p.op().ptr
		}
	}
	v.q = qtype{e.t, e.con, sp}
	return v
}

func (c *lowerer) castPointer(v value, t *typ, x *syntax.CastExpr) value {
	f, e := v.q.t.elem, t.elem
	fs, es := f.sp, e.sp
	if fs == spaceNone {
		fs = spaceThread
	}
	if es == spaceNone {
		c.fail(x.At, "pointer type must have explicit address space qualifier")
	}
	if fs != es {
		c.fail(x.At, "C-style cast from '%s' to '%s' converts between mismatching address spaces", v.q.t, t)
	}
	switch x.Kind {
	case "static":
		if fitPointer(v.q.t, t) == rankNone && f.t != voidType {
			c.fail(x.At, "static_cast from '%s' to '%s' is not allowed", v.q.t, t)
		}
		if f.con && !e.con {
			c.fail(x.At, "static_cast from '%s' to '%s' casts away qualifiers", v.q.t, t)
		}
	case "reinterpret":
		if f.con && !e.con {
			c.fail(x.At, "reinterpret_cast from '%s' to '%s' casts away qualifiers", v.q.t, t)
		}
	case "const":
		if f.t != e.t {
			c.fail(x.At, "const_cast from '%s' to '%s' is not allowed", v.q.t, t)
		}
	}
	return c.reinterpret(v, t, x.At)
}

// constructExpr is T(args) or T{args} as written, of type q.
func (c *lowerer) constructExpr(q qtype, x *syntax.Construct) value {
	t := q.t
	if t.kind == tRef {
		c.unsupported(x.At, "a functional cast to a reference")
	}
	if t.kind == tStruct {
		if x.Brace && len(t.st.ctors) == 0 && t.st.library == "" {
			if len(x.Args) == 1 {
				if v := c.expr(c.unlist(x.Args[0])); v.q.t == t {
					return c.load(v)
				}
			}
			return c.listInit(plain(t), &syntax.InitList{At: x.At, Elems: x.Args})
		}
		return c.constructStruct(t, c.exprs(x.Args), x.At)
	}
	if x.Brace && (t.kind == tArray || t.kind == tVector) {
		return c.listInit(plain(t), &syntax.InitList{At: x.At, Elems: x.Args})
	}
	if t.kind == tArray && len(x.Args) == 0 {
		return rvalue(t, c.zero(t)...)
	}
	if len(x.Args) == 1 {
		if l, ok := x.Args[0].(*syntax.InitList); ok {
			return c.listInit(plain(t), l)
		}
		if !x.Brace {
			return c.castExpr(&syntax.CastExpr{At: x.At, Type: x.Type, X: x.Args[0]})
		}
	}
	return c.construct(t, c.exprs(x.Args), x.At)
}

// unlist gives an expression that is no list, so that its type can be looked at.
func (c *lowerer) unlist(x syntax.Expr) syntax.Expr {
	if _, ok := x.(*syntax.InitList); ok {
		return &syntax.IntLit{At: x.Pos()}
	}
	return x
}

// constructStruct makes a struct by copying, by a constructor, or from nothing.
func (c *lowerer) constructStruct(t *typ, args []value, pos token.Pos) value {
	st := t.st
	if !st.done {
		c.fail(pos, "variable has incomplete type '%s'", t)
	}
	if len(args) == 1 && args[0].q.t != nil && (args[0].q.t == t || c.derives(args[0].q.t, t)) && !c.hasOwnCopy(t, args[0]) {
		return c.load(c.toBase(args[0], t))
	}
	if len(st.ctors) == 0 {
		if len(args) == 1 && args[0].q.t != nil && args[0].q.t.kind == tStruct {
			if f := c.conversion(args[0], t); f != nil {
				return c.load(c.convertBy(f, args[0], t, pos))
			}
		}
		switch {
		case t == voteType && len(args) == 1:
			return c.castTo(c.load(args[0]), plain(t), pos)
		case len(args) > 0:
			c.fail(pos, "no matching constructor for initialization of '%s'", t)
		}
		ops := c.defaultInit(t, pos)
		if ops == nil {
			ops = c.zero(t)
		}
		return rvalue(t, ops...)
	}
	what := st.decl.Name.Parts[0].Ident
	best, ambiguous := c.choose(st.threadCtors(), nil, false, args, nil, pos)
	if best == nil {
		c.noMatch(st.ctors, nil, false, args, nil, what, pos)
	}
	if ambiguous {
		c.fail(pos, "call to constructor of '%s' is ambiguous", t)
	}
	if best.fn.decl.Default && len(args) == 0 {
		var ops []opnd
		for i := range st.fields {
			f := &st.fields[i]
			if f.init == nil && !c.needsInit(f.q.t) {
				if c.evaluating > 0 {
					ops = append(ops, c.zero(f.q.t)...)
				} else {
					ops = append(ops, c.undefined(f.q.t)...)
				}
				continue
			}
			ops = append(ops, c.fieldDefault(t, f)...)
		}
		return rvalue(t, ops...)
	}
	obj := c.variable("object", t, nil)
	self := value{q: qtype{t, false, spaceThread}, lv: true, at: registersOf(obj)}
	c.call(best, args, &self, pos, what)
	if c.evaluating == 0 && len(obj.regs) > 0 {
		c.b.freeze(int(obj.regs[0]))
	}
	return rvalue(t, c.read(self.at, t, spaceThread)...)
}

// hasOwnCopy reports whether a user-written copy constructor takes v.
func (c *lowerer) hasOwnCopy(t *typ, v value) bool {
	for _, f := range t.st.ctors {
		if f.decl.Default || f.decl.Deleted || len(f.decl.Params) != 1 || f.decl.Template != nil {
			continue
		}
		ps := c.signature(f, nil)
		if ps[0].q.t.kind == tRef && ps[0].q.t.elem.t == t && c.fit(v, ps[0].q) != rankNone {
			return true
		}
	}
	return false
}

// memberInits runs a constructor's initialisers, in the order of the members.
func (c *lowerer) memberInits(fr *frame, d *syntax.FuncDecl) {
	st := fr.fn.st
	self := *fr.this
	used := map[string]*syntax.MemberInit{}
	for i := range d.Inits {
		m := &d.Inits[i]
		used[m.Name] = m
	}
	for i := range st.fields {
		f := &st.fields[i]
		name := f.name
		if f.base {
			name = f.q.t.st.decl.Name.Parts[0].Ident
		}
		m := used[name]
		delete(used, name)
		target := c.fieldOf(self, i)
		target.q.con = false
		switch {
		case m != nil:
			c.pos = m.At
			var v value
			if len(m.Args) == 1 && f.q.t.kind != tStruct && f.q.t.kind != tArray {
				v = c.initFrom(m.Args[0], plain(f.q.t))
			} else if len(m.Args) == 1 && f.q.t.kind == tArray {
				v = c.initFrom(m.Args[0], f.q)
			} else if f.q.t.kind == tStruct {
				v = c.constructExpr(f.q, &syntax.Construct{At: m.At, Args: m.Args, Brace: len(f.q.t.st.ctors) == 0 && len(m.Args) != 1})
			} else {
				v = c.construct(f.q.t, c.exprs(m.Args), m.At)
			}
			c.store(target, c.load(v).ops)
		case f.init != nil || c.needsInit(f.q.t):
			c.store(target, c.fieldDefault(c.structTyp(st), f))
		}
	}
	for name, m := range used {
		c.fail(m.At, "member initializer '%s' does not name a non-static data member or base class", name)
	}
}
