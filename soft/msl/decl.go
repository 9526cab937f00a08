package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// declareAll enters the declarations of a namespace, in source order.
func (c *lowerer) declareAll(ds []syntax.Decl, s *scope) {
	for _, d := range ds {
		c.order++
		c.guard(func() {
			c.scope = s
			c.declareOne(d, s)
		})
	}
	c.scope = s
}

func (c *lowerer) declareOne(d syntax.Decl, s *scope) {
	c.pos = d.Pos()
	switch d := d.(type) {
	case *syntax.FuncDecl:
		c.declareFunc(d, s)
	case *syntax.StructDecl:
		c.declareStruct(d, s)
	case *syntax.VarDecl:
		c.declareGlobal(d, s)
	case *syntax.TypeAlias:
		c.declareAlias(d, s)
	case *syntax.EnumDecl:
		c.declareEnum(d, s)
	case *syntax.StaticAssert:
		c.staticAssert(d)
	case *syntax.Instantiation:
		c.instantiateKernel(d, s)
	case *syntax.UsingNamespace:
		c.using(d, s)
	case *syntax.Namespace:
		c.declareNamespace(d, s)
	default:
		c.unsupported(d.Pos(), "this declaration")
	}
}

func (c *lowerer) declareNamespace(d *syntax.Namespace, s *scope) {
	if d.Name == "" {
		c.declareAll(d.Decls, s)
		return
	}
	sym := s.names[d.Name]
	if sym == nil || sym.kind != symNamespace {
		if sym != nil {
			c.fail(d.At, "redefinition of '%s' as different kind of symbol", d.Name)
		}
		ns := newScope(s)
		ns.global = true
		sym = &symbol{kind: symNamespace, name: d.Name, pos: d.At, order: c.order, ns: ns}
		s.declare(sym)
	}
	c.declareAll(d.Decls, sym.ns)
	c.scope = s
}

func (c *lowerer) using(d *syntax.UsingNamespace, s *scope) {
	first := d.Name.Parts[0].Ident
	if libraryNamespaces[first] && c.find(s, first) == nil {
		// Metal's own names are found last in any case.
		return
	}
	r := c.resolve(d.Name)
	switch {
	case !d.Decl && r.sym != nil && r.sym.kind == symNamespace:
		s.using = append(s.using, r.sym.ns)
	case d.Decl && r.sym != nil:
		sym := *r.sym
		sym.name = r.last.Ident
		s.declare(&sym)
	case d.Decl && r.typ != nil:
		s.declare(&symbol{kind: symType, name: r.last.Ident, pos: d.At, order: c.order, typ: *r.typ})
	default:
		c.fail(d.At, "no namespace or declaration named '%s'", r.last.Ident)
	}
}

func (c *lowerer) declareAlias(d *syntax.TypeAlias, s *scope) {
	if d.Template != nil {
		s.declare(&symbol{kind: symTemplate, name: d.Name, pos: d.At, order: c.order, tmpl: &template{name: d.Name, scope: s, alias: d}})
		return
	}
	q := c.typeOf(d.Type)
	if old := s.names[d.Name]; old != nil && (old.kind != symType || old.typ != q) {
		c.fail(d.At, "typedef redefinition with different types ('%s' vs '%s')", q, old.typ)
	}
	s.declare(&symbol{kind: symType, name: d.Name, pos: d.At, order: c.order, typ: q})
}

func (c *lowerer) declareEnum(d *syntax.EnumDecl, s *scope) {
	kind := ir.I32
	if d.Underlying != nil {
		u := c.typeOf(d.Underlying)
		if !u.t.isScalar() || u.t.scalar.IsFloat() {
			c.fail(d.At, "non-integral type '%s' is an invalid underlying type", u)
		}
		kind = u.t.scalar
	}
	en := &enumType{name: d.Name, scoped: d.Class, scope: &scope{}}
	t := &typ{kind: tEnum, scalar: kind, en: en}
	s.declare(&symbol{kind: symType, name: d.Name, pos: d.At, order: c.order, typ: plain(t)})
	inner := newScope(s)
	type member struct {
		m *syntax.EnumMember
		v int64
	}
	var ms []member
	next, unsigned := int64(0), false
	c.inScope(inner, func() {
		for i := range d.Members {
			m := &d.Members[i]
			if m.Value != nil {
				v := c.constantExpr(m.Value)
				n, ok := v.constantInt()
				if !ok {
					c.fail(m.At, "expression is not an integral constant expression")
				}
				next = n
				unsigned = unsigned || v.q.t.scalar == ir.U32 && n > 1<<31-1
			}
			ms = append(ms, member{m, next})
			inner.declare(&symbol{kind: symVar, name: m.Name, pos: m.At, val: rvalue(scalars[kind], constant(kind, uint64(next)))})
			next++
		}
	})
	if d.Underlying == nil && !d.Class {
		for _, m := range ms {
			unsigned = unsigned || m.v > 1<<31-1
		}
		if unsigned {
			t.scalar = ir.U32
		}
	}
	for _, m := range ms {
		sym := &symbol{kind: symVar, name: m.m.Name, pos: m.m.At, order: c.order, val: rvalue(t, constant(t.scalar, uint64(m.v)))}
		en.scope.declare(sym)
		if !d.Class {
			s.declare(sym)
		}
	}
}

func (c *lowerer) staticAssert(d *syntax.StaticAssert) {
	v := c.constantExpr(d.Cond)
	v = c.toBool(v, start(d.Cond))
	n, ok := v.constantInt()
	if !ok {
		c.fail(d.At, "static_assert expression is not an integral constant expression")
	}
	if n == 0 {
		if d.Text != "" {
			c.errorf(d.At, "static_assert failed \"%s\"", d.Text)
		} else {
			c.errorf(d.At, "static_assert failed")
		}
	}
}

// declareFunc enters a function of namespace scope.
func (c *lowerer) declareFunc(d *syntax.FuncDecl, s *scope) {
	if len(d.Name.Parts) > 1 {
		c.defineMethod(d, s)
		return
	}
	name := d.Name.Parts[0].Ident
	sym := s.names[name]
	if sym != nil && sym.kind != symFunc {
		c.fail(d.At, "redefinition of '%s' as different kind of symbol", name)
	}
	if d.Template != nil && len(d.Template.Params) == 0 {
		if sym == nil {
			sym = c.find(s, name)
		}
		c.specialise(d, s, sym)
		return
	}
	f := &function{decl: d, scope: s, order: c.order}
	if c.addFunction(s, name, f) {
		c.funcs = append(c.funcs, f)
	}
	for _, p := range d.Params {
		if r, ok := p.Type.(*syntax.RefType); ok && !isConstSyntax(r.Elem) {
			c.byRef[name] = true
		}
	}
	if d.Spec.Kernel && d.Template == nil {
		if d.Body == nil {
			return
		}
		c.addKernel(&entry{host: hostName(d.Attrs, name), fn: f, pos: d.At})
	}
}

func (c *lowerer) addKernel(e *entry) {
	for _, k := range c.kernels {
		if k.host == e.host {
			c.fail(e.pos, "duplicate function name '%s' in library", e.host)
		}
	}
	c.kernels = append(c.kernels, e)
}

func hostName(attrs []syntax.Attr, name string) string {
	for _, a := range attrs {
		if a.Name == "host_name" && len(a.Args) == 1 {
			if s, ok := a.Args[0].(*syntax.StringLit); ok {
				return s.Value
			}
		}
	}
	return name
}

func isConstSyntax(t syntax.Type) bool {
	switch t := t.(type) {
	case *syntax.NamedType:
		return t.Const
	case *syntax.AutoType:
		return t.Const
	case *syntax.DecltypeType:
		return t.Const
	case *syntax.PointerType:
		return t.Const
	case *syntax.ArrayType:
		return isConstSyntax(t.Elem)
	}
	return false
}

// addFunction adds an overload to a name, or the body to an earlier declaration. It reports whether f is new.
func (c *lowerer) addFunction(s *scope, name string, f *function) bool {
	sym := s.names[name]
	if sym == nil {
		sym = &symbol{kind: symFunc, name: name, pos: f.decl.At, order: f.order}
		s.declare(sym)
	}
	for _, old := range sym.funcs {
		if !c.sameSignature(old, f) {
			continue
		}
		switch {
		case old.decl.Body == nil && !old.decl.Deleted && !old.decl.Default:
			if f.decl.Body != nil {
				f.decl.Attrs = append(f.decl.Attrs, old.decl.Attrs...)
				for i, p := range f.decl.Params {
					if p.Default == nil {
						p.Default = old.decl.Params[i].Default
					}
				}
				old.decl = f.decl
				old.bodyOrder = f.order
				if f.decl.Spec.Kernel {
					*f = *old
				}
			}
			return false
		case f.decl.Body != nil:
			c.fail(f.decl.At, "redefinition of '%s'", name)
		default:
			return false
		}
	}
	sym.funcs = append(sym.funcs, f)
	return true
}

// sameSignature reports whether two functions of one scope are the same.
func (c *lowerer) sameSignature(a, b *function) bool {
	if len(a.decl.Params) != len(b.decl.Params) || a.decl.Const != b.decl.Const || a.decl.Space != b.decl.Space {
		return false
	}
	if (a.decl.Template == nil) != (b.decl.Template == nil) {
		return false
	}
	if a.decl.Template != nil {
		return a.decl.Body == nil && len(a.decl.Template.Params) == len(b.decl.Template.Params)
	}
	if a.st != nil && a.st.tmpl != nil {
		return false
	}
	for i := range a.decl.Params {
		var x, y qtype
		c.inScope(a.scope, func() { x = c.adjusted(c.typeOf(a.decl.Params[i].Type)) })
		c.inScope(b.scope, func() { y = c.adjusted(c.typeOf(b.decl.Params[i].Type)) })
		if x.t != y.t {
			return false
		}
	}
	return true
}

// defineMethod gives a body to a method declared in its struct.
func (c *lowerer) defineMethod(d *syntax.FuncDecl, s *scope) {
	owner := *d.Name
	owner.Parts = owner.Parts[:len(owner.Parts)-1]
	name := d.Name.Parts[len(d.Name.Parts)-1].Ident
	if d.Template != nil {
		c.unsupported(d.At, "the definition of a template's method outside of its struct")
	}
	r := c.resolve(&owner)
	if r.sym != nil && r.sym.kind == symNamespace {
		if sym := r.sym.ns.names[name]; sym != nil && sym.kind == symFunc {
			f := &function{decl: d, scope: r.sym.ns, order: c.order}
			if c.addFunction(r.sym.ns, name, f) {
				c.funcs = append(c.funcs, f)
			}
			return
		}
	}
	if r.typ == nil || r.typ.t.kind != tStruct {
		c.fail(d.At, "no member named '%s'", name)
	}
	st := r.typ.t.st
	cands := st.ctors
	if sym := st.scope.names[name]; sym != nil && sym.kind == symFunc {
		cands = sym.funcs
	}
	for _, f := range cands {
		g := &function{decl: d, scope: st.scope, st: st}
		if f.decl.Body == nil && c.sameSignature(f, g) {
			d.Spec.Static = d.Spec.Static || f.decl.Spec.Static
			f.decl = d
			return
		}
	}
	c.fail(d.At, "out-of-line definition of '%s' does not match any declaration in '%s'", name, st.name)
}

// declareGlobal enters a variable of program scope.
func (c *lowerer) declareGlobal(d *syntax.VarDecl, s *scope) {
	if old := s.names[d.Name]; old != nil && s.st == nil {
		if old.lazy != nil && old.lazy.decl.Spec.Extern {
			old.lazy.decl = d
			return
		}
		c.fail(d.At, "redefinition of '%s'", d.Name)
	}
	if d.Template != nil {
		s.declare(&symbol{kind: symTemplate, name: d.Name, pos: d.At, order: c.order, tmpl: &template{name: d.Name, scope: s, variant: d}})
		return
	}
	g := &globalVar{decl: d, scope: s, order: c.order}
	s.declare(&symbol{kind: symVar, name: d.Name, pos: d.At, order: c.order, lazy: g})
	if s.st == nil {
		c.globalValue(g, d.At)
	}
}

// globalValue evaluates a variable of program scope.
func (c *lowerer) globalValue(g *globalVar, use token.Pos) value {
	if g.done {
		if g.bad {
			panic(bail{})
		}
		return g.val
	}
	if g.busy {
		c.fail(use, "variable '%s' is used in its own initializer", g.decl.Name)
	}
	g.busy = true
	old, frame, order, pos := c.scope, c.frame, c.order, c.pos
	c.scope, c.frame, c.order = g.scope, nil, g.order
	g.bad = true
	ok := c.guard(func() { g.val = c.evalGlobal(g) })
	c.scope, c.frame, c.order, c.pos = old, frame, order, pos
	g.busy, g.done, g.bad = false, true, !ok
	if !ok {
		panic(bail{})
	}
	return g.val
}

func (c *lowerer) evalGlobal(g *globalVar) value {
	d := g.decl
	c.pos = d.At
	for _, a := range d.Attrs {
		if a.Name == "function_constant" {
			return c.declareFunctionConstant(g, &a)
		}
	}
	member := g.scope.st != nil
	if !member && d.Space != "constant" && !d.Spec.Constexpr {
		if d.Space == "threadgroup" {
			c.fail(d.At, "program scope variable cannot be in threadgroup address space")
		}
		c.fail(d.At, "program scope variable must reside in constant address space")
	}
	if d.Init == nil {
		c.fail(d.At, "default initialization of an object of const type '%s'", d.Name)
	}
	if !d.Spec.Constexpr && c.dependsOnConstants(d.Init) {
		g.derived = true
		c.discard(func() { c.initialised(d) })
		return value{}
	}
	c.evaluating++
	q, ops := c.initialised(d)
	c.evaluating--
	q.con, q.sp = q.con || d.Spec.Constexpr, spaceConstant
	for _, o := range ops {
		if !o.con {
			c.fail(d.At, "constexpr variable '%s' must be initialized by a constant expression", d.Name)
		}
	}
	st := c.constStorage(d.Name, q.t, ops)
	st.global = &globalData{name: d.Name, t: q.t, st: st}
	return value{q: q, lv: true, at: registersOf(st)}
}

// dependsOnConstants reports whether an expression names a function constant, or what depends on one.
func (c *lowerer) dependsOnConstants(x syntax.Expr) bool {
	found := false
	inspectNames(x, func(n *syntax.Name) {
		if s := c.find(c.scope, n.Parts[0].Ident); len(n.Parts) == 1 && s != nil && s.lazy != nil && (s.lazy.fc != nil || s.lazy.derived) {
			found = true
		}
	})
	return found
}

// derivedValue evaluates a constant that depends on function constants.
func (c *lowerer) derivedValue(g *globalVar) value {
	if c.evaluating > 0 && !c.settled() {
		c.fail(c.pos, "'%s' depends on a function constant and is not a constant expression", g.decl.Name)
	}
	old, frame, order, pos := c.scope, c.frame, c.order, c.pos
	c.scope, c.frame, c.order = g.scope, nil, g.order
	q, ops := c.initialised(g.decl)
	c.scope, c.frame, c.order, c.pos = old, frame, order, pos
	q.sp = spaceConstant
	return value{q: q, lv: true, at: registersOf(c.constStorage(g.decl.Name, q.t, ops))}
}

// constStorage holds the scalars of an object that is never assigned.
func (c *lowerer) constStorage(name string, t *typ, ops []opnd) *storage {
	st := c.valueStorage(name, t)
	c.evaluating++
	c.writeRegisters(ops, registersOf(st), t)
	c.evaluating--
	return st
}

// valueStorage makes a variable whose scalars are values and not registers.
func (c *lowerer) valueStorage(name string, t *typ) *storage {
	c.checkLeaves(t)
	st := &storage{name: name, t: t, slots: appendSlots(nil, t, 1), usable: c.evaluating > 0}
	st.values = make([][]opnd, len(st.slots))
	for i, s := range st.slots {
		st.values[i] = make([]opnd, s.rows)
		for j := range st.values[i] {
			st.values[i][j] = none
		}
	}
	return st
}

func (c *lowerer) declareFunctionConstant(g *globalVar, a *syntax.Attr) value {
	d := g.decl
	if len(a.Args) != 1 {
		c.fail(a.At, "'function_constant' attribute takes one argument")
	}
	index, _ := c.constantInt(a.Args[0])
	if index < 0 || index > 65535 {
		c.fail(a.At, "function constant index %d is out of range [0, 65535]", index)
	}
	if d.Init != nil {
		c.fail(d.At, "function constant '%s' cannot have an initializer", d.Name)
	}
	if d.Space != "constant" {
		c.fail(d.At, "'function_constant' attribute only applies to variables in the constant address space")
	}
	q := c.typeOf(d.Type)
	if !q.t.isScalar() && q.t.kind != tVector {
		c.fail(d.At, "'function_constant' attribute cannot be applied to type '%s'", q.t)
	}
	for _, fc := range c.constants {
		if fc.index == int(index) {
			c.fail(d.At, "function constant index %d is already used by '%s'", index, fc.name)
		}
	}
	g.fc = &functionConstant{name: d.Name, index: int(index), kind: q.t.scalar, lanes: q.t.lanes(), t: q.t}
	c.constants = append(c.constants, g.fc)
	return value{}
}

// variableTemplate instantiates a variable template.
func (c *lowerer) variableTemplate(t *template, args []tmplArg, pos token.Pos) value {
	env := c.bindTemplate(t.name, t.variant.Template, t.scope, args, pos)
	g := &globalVar{decl: t.variant, scope: env, order: int(^uint(0) >> 1)}
	return c.globalValue(g, pos)
}

// aliasType instantiates an alias template.
func (c *lowerer) aliasType(t *template, args []tmplArg, pos token.Pos) qtype {
	env := c.bindTemplate(t.name, t.alias.Template, t.scope, args, pos)
	var q qtype
	c.inScope(env, func() { q = c.typeOf(t.alias.Type) })
	return q
}
