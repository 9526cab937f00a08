package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// typeOf resolves a type as written.
func (c *lowerer) typeOf(t syntax.Type) qtype {
	c.enter(t.Pos())
	defer c.leave()
	switch t := t.(type) {
	case *syntax.NamedType:
		c.pos = t.Name.At
		r := c.resolve(t.Name)
		if r.typ == nil {
			if t.Typename && len(t.Name.Parts) > 1 {
				c.fail(t.Name.At, "no type named '%s'", r.last.Ident)
			}
			c.fail(t.Name.At, "unknown type name '%s'", r.last.Ident)
		}
		return c.withQuals(*r.typ, t.Quals, t.Name.At)
	case *syntax.PointerType:
		e := c.typeOf(t.Elem)
		if e.t.kind == tRef {
			c.fail(t.At, "cannot form a pointer to reference type '%s'", e)
		}
		return c.withQuals(plain(c.pointerTo(e)), t.Quals, t.At)
	case *syntax.RefType:
		e := c.typeOf(t.Elem)
		if e.t.kind == tRef {
			// References collapse.
			if !t.RValue {
				return plain(c.types.reference(e.t.elem, false))
			}
			return e
		}
		if e.t == voidType {
			c.fail(t.At, "cannot form a reference to 'void'")
		}
		return plain(c.types.reference(e, t.RValue))
	case *syntax.ArrayType:
		e := c.typeOf(t.Elem)
		n := -1
		if t.Len != nil {
			v, it := c.constantInt(t.Len)
			if !it.isArithmetic() {
				c.fail(start(t.Len), "size of array has non-integer type '%s'", it)
			}
			if v < 0 {
				c.fail(start(t.Len), "array has a negative size")
			}
			if size, _ := sizeAlign(e.t); v > maxObjectSize || size > 0 && v > maxObjectSize/size {
				c.fail(start(t.Len), "array is too large (%d elements)", v)
			}
			n = int(v)
		}
		if e.t == voidType || e.t.kind == tRef || e.t.kind == tFunc {
			c.fail(t.At, "array has incomplete element type '%s'", e)
		}
		return qtype{t: c.types.array(plain(e.t), n, false), con: e.con, sp: e.sp}
	case *syntax.FuncType:
		var ps []qtype
		for _, p := range t.Params {
			ps = append(ps, c.adjusted(c.typeOf(p)))
		}
		return plain(c.types.function(c.typeOf(t.Ret), ps))
	case *syntax.DecltypeType:
		var q qtype
		c.onlyType(func() {
			v := c.expr(t.X)
			if v.funcs != nil || v.ref != nil {
				if ref := c.functionRef(v, nil, t.At); ref != nil {
					q = plain(ref.t)
				}
				return
			}
			q = v.q
			if id, ok := t.X.(*syntax.IdentExpr); ok && len(id.Name.Parts) > 0 {
				return
			}
			if _, member := t.X.(*syntax.MemberExpr); v.lv && !member {
				q = plain(c.types.reference(v.q, false))
			}
		})
		return c.withQuals(q, t.Quals, t.At)
	case *syntax.AutoType:
		c.fail(t.At, "'auto' not allowed here")
	}
	c.fail(t.Pos(), "expected a type")
	return qtype{}
}

// discard runs f for what it says of types: what it emits is dropped.
func (c *lowerer) discard(f func()) { c.b.nest(f) }

// onlyType runs f for the types of expressions that are never evaluated.
func (c *lowerer) onlyType(f func()) {
	ev := c.evaluating
	c.evaluating = 0
	c.unevaluated++
	c.discard(f)
	c.unevaluated--
	c.evaluating = ev
}

// pointerTo is the type of a pointer to e, or e itself for functions.
func (c *lowerer) pointerTo(e qtype) *typ {
	if e.t.kind == tFunc {
		return e.t
	}
	return c.types.pointer(e)
}

func (c *lowerer) withQuals(q qtype, w syntax.Quals, pos token.Pos) qtype {
	if w.Const {
		q.con = q.con || q.t.kind != tRef
	}
	if w.Space != "" {
		sp := spaceOf(w.Space)
		if q.sp != spaceNone && q.sp != sp {
			c.fail(pos, "multiple address spaces specified for type")
		}
		q.sp = sp
	}
	return q
}

// adjusted is the type of a parameter declared with type q: arrays become pointers, and const at the top is dropped.
func (c *lowerer) adjusted(q qtype) qtype {
	if q.t.kind == tArray && !q.t.object {
		e := q.t.elem
		e.con = e.con || q.con
		if e.sp == spaceNone {
			e.sp = q.sp
		}
		return plain(c.types.pointer(e))
	}
	return q
}

// templateArgs evaluates template arguments as written.
func (c *lowerer) templateArgs(as []syntax.TemplateArg) []tmplArg {
	out := make([]tmplArg, 0, len(as))
	for i := range as {
		if as[i].Pack {
			out = append(out, c.expandArg(&as[i])...)
			continue
		}
		out = append(out, c.templateArg(&as[i]))
	}
	return out
}

func (c *lowerer) templateArg(a *syntax.TemplateArg) tmplArg {
	if a.Type != nil {
		named, _ := a.Type.(*syntax.NamedType)
		if a.Expr == nil || named == nil {
			return tmplArg{typ: c.typeOf(a.Type)}
		}
		if r := c.resolve(named.Name); r.typ != nil {
			return tmplArg{typ: c.withQuals(*r.typ, named.Quals, named.Name.At)}
		}
	}
	c.evaluating++
	v := c.load(c.expr(a.Expr))
	c.evaluating--
	if v.funcs != nil || v.ref != nil {
		ref := c.functionRef(v, nil, start(a.Expr))
		if ref == nil {
			// Which overload is meant depends on the parameter.
			ref = &funcRef{fn: v.funcs[0]}
			if len(v.funcs) > 1 {
				c.fail(start(a.Expr), "an overloaded function as a template argument is not supported by the software Metal compiler")
			}
		}
		return tmplArg{val: opnd{k: ir.Ptr, con: true, reg: ir.NoReg, fn: ref}, valT: ref.t}
	}
	if len(v.ops) != 1 || !v.ops[0].con || v.ops[0].ptr != nil {
		c.fail(start(a.Expr), "non-type template argument is not a constant expression")
	}
	return tmplArg{val: v.ops[0], valT: v.q.t}
}

// castArg brings a value argument to the type of its parameter.
func (c *lowerer) castArg(a tmplArg, t qtype, pos token.Pos) tmplArg {
	if a.valT == nil || a.val.fn != nil || t.t.kind == tFunc || t.t == a.valT {
		return a
	}
	if !t.t.isArithmetic() && t.t.kind != tEnum || !a.valT.isArithmetic() && a.valT != t.t {
		c.fail(pos, "template argument of type '%s' cannot be converted to a value of type '%s'", a.valT, t)
	}
	a.val = c.convert(a.val, t.t.scalar)
	a.valT = t.t
	return a
}

// bindArg declares a template parameter's argument in env.
func (c *lowerer) bindArg(env *scope, p *syntax.TemplateParam, a tmplArg) {
	if p.Name == "" {
		return
	}
	env.declare(c.argSymbol(p.Name, a))
}

func (c *lowerer) argSymbol(name string, a tmplArg) *symbol {
	switch {
	case a.isPack:
		s := &symbol{kind: symPack, name: name}
		for _, e := range a.pack {
			s.pack = append(s.pack, c.argSymbol(name, e))
		}
		return s
	case a.valT != nil:
		v := rvalue(a.valT, a.val)
		if a.val.fn != nil {
			v = value{ref: a.val.fn, q: plain(a.valT)}
		}
		return &symbol{kind: symVar, name: name, val: v}
	}
	return &symbol{kind: symType, name: name, typ: a.typ}
}
