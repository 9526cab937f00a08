package msl

import (
	"fmt"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// declareStruct enters a struct or a struct template.
func (c *lowerer) declareStruct(d *syntax.StructDecl, s *scope) {
	last := &d.Name.Parts[len(d.Name.Parts)-1]
	name := last.Ident
	if d.Template != nil {
		c.declareStructTemplate(d, s, last)
		return
	}
	if len(d.Name.Parts) > 1 {
		c.unsupported(d.At, "the definition of a nested struct outside of its struct")
	}
	if old := s.names[name]; old != nil && old.kind == symType && old.typ.t.kind == tStruct && !old.typ.t.st.done {
		if d.Defined {
			old.typ.t.st.decl = d
			c.defineStruct(old.typ.t.st)
		}
		return
	} else if old != nil && old.kind != symFunc {
		if !d.Defined {
			return
		}
		c.fail(d.At, "redefinition of '%s'", name)
	}
	st := &structType{name: name, decl: d}
	st.scope = newScope(s)
	st.scope.st = st
	s.declare(&symbol{kind: symType, name: name, pos: d.At, order: c.order, typ: plain(c.structTyp(st))})
	if d.Defined {
		c.defineStruct(st)
	}
}

func (c *lowerer) declareStructTemplate(d *syntax.StructDecl, s *scope, last *syntax.NamePart) {
	sym := s.names[last.Ident]
	if last.HasArgs || len(d.Template.Params) == 0 {
		if sym == nil || sym.kind != symTemplate || sym.tmpl.st == nil {
			c.fail(d.At, "explicit specialization of undeclared template struct '%s'", last.Ident)
		}
		sp := &specialisation{st: d, args: last.Args, scope: s}
		sym.tmpl.special = append(sym.tmpl.special, sp)
		return
	}
	if sym != nil {
		if sym.kind == symTemplate && sym.tmpl.st != nil && !sym.tmpl.st.Defined {
			for i := range d.Template.Params {
				if i < len(sym.tmpl.st.Template.Params) && d.Template.Params[i].Default == nil {
					d.Template.Params[i].Default = sym.tmpl.st.Template.Params[i].Default
				}
			}
			sym.tmpl.st = d
			return
		}
		if !d.Defined {
			return
		}
		c.fail(d.At, "redefinition of '%s'", last.Ident)
	}
	s.declare(&symbol{kind: symTemplate, name: last.Ident, pos: d.At, order: c.order, tmpl: &template{name: last.Ident, scope: s, st: d, made: map[string]*structType{}}})
}

// instantiate gives the struct that a template makes of arguments.
func (c *lowerer) instantiate(t *template, args []tmplArg, pos token.Pos) *structType {
	c.enter(pos)
	defer c.leave()
	env := c.bindTemplate(t.name, t.st.Template, t.scope, args, pos)
	args = env.args
	key := argsKey(args)
	if st := t.made[key]; st != nil {
		return st
	}
	d := t.st
	var best *specialisation
	for _, sp := range t.special {
		e, ok := c.matchSpecial(t, sp, args)
		if ok && (best == nil || len(sp.st.Template.Params) < len(best.st.Template.Params) ||
			len(sp.st.Template.Params) == len(best.st.Template.Params) && patternWeight(sp.args) > patternWeight(best.args)) {
			best, env, d = sp, e, sp.st
		}
	}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = argString(a)
	}
	st := &structType{name: fmt.Sprintf("%s<%s>", t.name, strings.Join(names, ", ")), decl: d, tmpl: t, args: args}
	st.scope = newScope(env)
	st.scope.st = st
	t.made[key] = st
	if d.Defined {
		c.note(pos, "in instantiation of template class '"+st.name+"' requested here", func() { c.defineStruct(st) })
	}
	return st
}

func argString(a tmplArg) string {
	switch {
	case a.isPack:
		var s []string
		for _, e := range a.pack {
			s = append(s, argString(e))
		}
		return strings.Join(s, ", ")
	case a.val.fn != nil:
		return "&" + a.val.fn.fn.decl.Name.Parts[0].Ident
	case a.valT != nil && a.valT == boolType:
		return fmt.Sprint(a.val.bits != 0)
	case a.valT != nil && a.val.k.IsFloat():
		return fmt.Sprint(f32(a.val.bits))
	case a.valT != nil:
		return fmt.Sprint(int64(a.val.bits))
	}
	return a.typ.String()
}

func argsKey(args []tmplArg) string {
	var b strings.Builder
	for _, a := range args {
		switch {
		case a.isPack:
			fmt.Fprintf(&b, "[%s]", argsKey(a.pack))
		case a.val.fn != nil:
			fmt.Fprintf(&b, "f%p;", a.val.fn.fn)
		case a.valT != nil:
			fmt.Fprintf(&b, "%p=%d;", a.valT, a.val.bits)
		default:
			fmt.Fprintf(&b, "%p%v%d;", a.typ.t, a.typ.con, a.typ.sp)
		}
	}
	return b.String()
}

// defineStruct enters the members of a struct and lays it out.
func (c *lowerer) defineStruct(st *structType) {
	d := st.decl
	st.union = d.Union
	old, frame := c.scope, c.frame
	c.scope, c.frame = st.scope, nil
	defer func() { c.scope, c.frame = old, frame }()
	st.align = 1
	for _, b := range d.Bases {
		q := c.typeOf(b)
		if q.t.kind != tStruct || !q.t.st.done {
			c.fail(b.Pos(), "base class has incomplete type '%s'", q)
		}
		st.bases = append(st.bases, q.t)
		if len(q.t.st.fields) > 0 {
			c.addField(st, field{q: plain(q.t), base: true}, d.At, 0)
		}
	}
	for _, m := range d.Members {
		c.pos = m.Pos()
		c.scope = st.scope
		c.member1(st, m)
	}
	st.size = max(alignUp(st.size, st.align), 1)
	if n := c.alignment(d.Attrs); n > st.align {
		st.align = n
		st.size = alignUp(st.size, n)
	}
	if st.union {
		st.slots = int(st.size)
		for i := range st.fields {
			for _, l := range appendLeaves(nil, st.fields[i].q.t, 0) {
				if l.kind == ir.Ptr || l.kind.IsMat() {
					c.unsupported(d.At, "a union with a pointer or a simdgroup matrix")
				}
			}
		}
	}
	st.done = true
}

// alignment gives the alignment that alignas asks for, or 0.
func (c *lowerer) alignment(attrs []syntax.Attr) int64 {
	var n int64
	for _, a := range attrs {
		switch a.Name {
		case "packed":
			c.unsupported(a.At, "attribute 'packed'")
		case "alignas", "aligned":
			if len(a.Args) != 1 {
				c.fail(a.At, "'%s' attribute takes one argument", a.Name)
			}
			v, _ := c.constantInt(a.Args[0])
			if v < 0 || v > 1<<16 || v&(v-1) != 0 {
				c.fail(a.At, "requested alignment is not a power of 2")
			}
			n = max(n, v)
		}
	}
	return n
}

func (c *lowerer) addField(st *structType, f field, pos token.Pos, align int64) {
	size, a := sizeAlign(f.q.t)
	a = max(a, align)
	f.off = alignUp(st.size, a)
	f.slot = st.slots
	if st.union {
		f.off, f.slot = 0, 0
	}
	st.size = max(st.size, f.off+size)
	if st.size > maxObjectSize {
		c.fail(pos, "struct '%s' is too large", st.name)
	}
	st.align = max(st.align, a)
	st.slots += countSlots(f.q.t)
	if f.name != "" {
		st.scope.declare(&symbol{kind: symField, name: f.name, pos: pos, st: st, index: len(st.fields)})
	}
	st.fields = append(st.fields, f)
}

func (c *lowerer) member1(st *structType, m syntax.Decl) {
	switch m := m.(type) {
	case *syntax.VarDecl:
		if m.Spec.Static || m.Spec.Constexpr {
			g := &globalVar{decl: m, scope: st.scope, order: c.order}
			st.scope.declare(&symbol{kind: symVar, name: m.Name, pos: m.At, lazy: g})
			return
		}
		q := c.typeOf(m.Type)
		switch {
		case q.t.kind == tRef:
			c.unsupported(m.At, "a reference as a member of a struct")
		case q.t == voidType || q.t.kind == tFunc:
			c.fail(m.At, "field has incomplete type '%s'", q)
		case q.t.kind == tStruct && !q.t.st.done:
			c.fail(m.At, "field has incomplete type '%s'", q)
		case q.t.kind == tArray && q.t.n < 0:
			c.fail(m.At, "flexible array member '%s' is not supported in Metal", m.Name)
		case q.sp != spaceNone:
			c.fail(m.At, "field may not be qualified with an address space")
		}
		c.checkPointerSpace(q, m.At)
		if st.field(m.Name) != nil {
			c.fail(m.At, "duplicate member '%s'", m.Name)
		}
		c.addField(st, field{name: m.Name, q: q, init: m.Init}, m.At, c.alignment(m.Attrs))
	case *syntax.FuncDecl:
		name := m.Name.Parts[0].Ident
		f := &function{decl: m, scope: st.scope, st: st, order: c.order}
		switch {
		case m.Ret == nil:
			st.ctors = append(st.ctors, f)
		case name == "operator T":
			st.convs = append(st.convs, f)
		default:
			c.addFunction(st.scope, name, f)
		}
		for _, p := range m.Params {
			if r, ok := p.Type.(*syntax.RefType); ok && !isConstSyntax(r.Elem) {
				c.byRef[name] = true
			}
		}
	case *syntax.StructDecl:
		if m.Name.Parts[0].Ident == "" {
			c.unsupported(m.At, "an anonymous struct")
		}
		c.declareStruct(m, st.scope)
	case *syntax.UsingNamespace:
		c.using(m, st.scope)
	default:
		c.declareOne(m, st.scope)
	}
}

// checkPointerSpace demands an address space of every pointer and reference.
func (c *lowerer) checkPointerSpace(q qtype, pos token.Pos) {
	for {
		switch q.t.kind {
		case tPointer:
			if q.t.elem.sp == spaceNone && q.t.elem.t.kind != tFunc {
				c.fail(pos, "pointer type must have explicit address space qualifier")
			}
		case tRef:
			if q.t.elem.sp == spaceNone && q.t.elem.t.kind != tFunc {
				c.fail(pos, "reference type must have explicit address space qualifier")
			}
		case tArray:
		default:
			return
		}
		q = q.t.elem
	}
}

// derives reports whether struct t has base among its bases.
func (c *lowerer) derives(t, base *typ) bool {
	if t.kind != tStruct || base.kind != tStruct {
		return false
	}
	for _, b := range t.st.bases {
		if b == base || c.derives(b, base) {
			return true
		}
	}
	return false
}

// toBase gives the part of v that is its base.
func (c *lowerer) toBase(v value, base *typ) value {
	for v.q.t != base {
		var next *typ
		for _, b := range v.q.t.st.bases {
			if b == base || c.derives(b, base) {
				next = b
			}
		}
		found := false
		for i := range v.q.t.st.fields {
			if f := &v.q.t.st.fields[i]; f.base && f.q.t == next {
				v = c.fieldOf(v, i)
				found = true
				break
			}
		}
		if !found { // an empty base
			return value{q: qtype{next, v.q.con, v.q.sp}, lv: v.lv, at: v.at}
		}
	}
	return v
}

// fieldOf gives field i of a struct.
func (c *lowerer) fieldOf(v value, i int) value {
	f := &v.q.t.st.fields[i]
	if v.q.t.st.union && (!v.lv || v.at.st != nil) {
		return c.unionField(v, f)
	}
	if !v.lv {
		n := 0
		for j := range i {
			n += countLeaves(v.q.t.st.fields[j].q.t)
		}
		r := value{q: plain(f.q.t), ops: v.ops[n : n+countLeaves(f.q.t)]}
		if f.q.t.kind == tPacked {
			r.q = plain(unpacked(f.q.t))
		}
		if f.q.t.kind == tArray && !f.q.t.object {
			// An array cannot be a value: it gets a place.
			return c.materialise(r)
		}
		return r
	}
	q := f.q
	q.con = q.con || v.q.con
	q.sp = v.q.sp
	p := v.at.field(f.off, f.slot)
	p.one = f.q.t.kind != tArray
	return value{q: q, lv: true, at: p}
}

// materialise gives a value a place.
func (c *lowerer) materialise(v value) value {
	if v.lv {
		return v
	}
	st := c.constStorage("temporary", v.q.t, v.ops)
	return value{q: qtype{v.q.t, v.q.con, spaceThread}, lv: true, at: registersOf(st)}
}
