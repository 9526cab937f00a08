package msl

import (
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// qualified is what a name stands for.
type qualified struct {
	n    *syntax.Name
	last *syntax.NamePart
	sym  *symbol // a declared name, not a type
	typ  *qtype  // a type
	val  *value  // a value of the library: a trait, a limit
	lib  bool    // the name may be one of Metal's library
	form int64   // 1: fast::, 2: precise::
	of   *qtype  // the T of numeric_limits<T>:: in front of a library function
}

// libraryNamespaces are Metal's own.
var libraryNamespaces = map[string]bool{"metal": true, "fast": true, "precise": true, "simd": true, "std": true}

// resolve finds what a name stands for. Its fields are all unset if that is nothing.
func (c *lowerer) resolve(n *syntax.Name) qualified {
	r := qualified{n: n, last: &n.Parts[len(n.Parts)-1]}
	parts := n.Parts
	var in *scope
	s := c.scope
	if n.Global {
		s = c.global
	}
	libOnly := false
	for i := range parts {
		part := &parts[i]
		lastPart := i == len(parts)-1
		if r.typ != nil {
			c.memberOfType(&r, part)
			if r.typ == nil && !lastPart {
				return r
			}
			continue
		}
		if i == 0 && part.Ident == "decltype" && part.HasArgs {
			q := c.typeOf(&syntax.DecltypeType{At: n.At, X: part.Args[0].Expr})
			if q.t.kind == tRef {
				q = q.t.elem
			}
			r.typ = &q
			continue
		}
		var sym *symbol
		switch {
		case in != nil:
			sym = c.member(in, part.Ident, 0)
		case !libOnly && i == 0:
			sym = c.find(s, part.Ident)
		}
		if sym == nil {
			if (i == 0 || libOnly) && !lastPart && libraryNamespaces[part.Ident] {
				libOnly = true
				switch part.Ident {
				case "fast":
					r.form = 1
				case "precise":
					r.form = 2
				}
				continue
			}
			if i > 0 && !libOnly {
				return qualified{n: n, last: r.last}
			}
			r.lib = true
			if t, ok := c.libraryType(part, n.At); ok {
				r.typ = &t
				continue
			}
			if !lastPart {
				c.fail(n.At, "use of undeclared identifier '%s'", part.Ident)
			}
			c.libraryValue(&r, part)
			return r
		}
		switch sym.kind {
		case symNamespace:
			in = sym.ns
			if lastPart {
				r.sym = sym
			}
			continue
		case symType:
			t := sym.typ
			r.typ = &t
			if part.HasArgs {
				c.fail(n.At, "'%s' is not a template", part.Ident)
			}
		case symTemplate:
			c.templateName(&r, sym, part, n)
		default:
			r.sym = sym
			r.lib = sym.kind == symFunc && i == 0 && len(parts) == 1
			if !lastPart {
				c.fail(n.At, "'%s' is not a class, namespace, or enumeration", part.Ident)
			}
		}
	}
	if r.typ == nil && r.sym == nil && r.val == nil && in == nil {
		r.lib = true
	}
	return r
}

// templateName resolves a template with the arguments of part, or the injected name of a struct inside its own scope.
func (c *lowerer) templateName(r *qualified, sym *symbol, part *syntax.NamePart, n *syntax.Name) {
	t := sym.tmpl
	if !part.HasArgs {
		for s := c.scope; s != nil; s = s.outer {
			if s.st != nil && s.st.tmpl == t {
				q := plain(c.structTyp(s.st))
				r.typ = &q
				return
			}
		}
		if t.variant == nil {
			c.fail(n.At, "use of class template '%s' requires template arguments", part.Ident)
		}
	}
	args := c.templateArgs(part.Args)
	switch {
	case t.st != nil:
		q := plain(c.structTyp(c.instantiate(t, args, n.At)))
		r.typ = &q
	case t.alias != nil:
		q := c.aliasType(t, args, n.At)
		r.typ = &q
	default:
		v := c.variableTemplate(t, args, n.At)
		r.val = &v
	}
}

// memberOfType resolves a name behind Type::.
func (c *lowerer) memberOfType(r *qualified, part *syntax.NamePart) {
	t := *r.typ
	r.typ = nil
	switch t.t.kind {
	case tStruct:
		if t.t.st.library == "numeric_limits" {
			c.limit(r, t.t.st.args[0].typ, part)
			return
		}
		sym := c.member(t.t.st.scope, part.Ident, 0)
		switch {
		case sym == nil:
			c.fail(r.n.At, "no member named '%s' in '%s'", part.Ident, t.t)
		case sym.kind == symType:
			q := sym.typ
			r.typ = &q
		case sym.kind == symTemplate:
			c.templateName(r, sym, part, r.n)
		default:
			r.sym = sym
		}
	case tEnum:
		if sym := t.t.en.scope.names[part.Ident]; sym != nil {
			r.sym = sym
			return
		}
		c.fail(r.n.At, "no member named '%s' in '%s'", part.Ident, t.t)
	case tVector, tArray:
		if part.Ident == "value_type" || part.Ident == "element_type" {
			e := t.t.elem
			if t.t.kind == tVector {
				e = plain(scalars[t.t.scalar])
			}
			r.typ = &e
			return
		}
		c.fail(r.n.At, "no member named '%s' in '%s'", part.Ident, t.t)
	default:
		c.fail(r.n.At, "'%s' is not a class, namespace, or enumeration", t.t)
	}
}

// findSymbol gives the variable, function or enumerator that an unqualified name stands for, or nil.
func (c *lowerer) findSymbol(name string) *symbol { return c.find(c.scope, name) }

var libraryTypes = func() map[string]*typ {
	m := map[string]*typ{"void": voidType, "nullptr_t": nullType}
	for k := ir.Bool; k <= ir.F32; k++ {
		m[k.String()] = scalars[k]
		for n := 2; n <= 4; n++ {
			m[vectors[k][n].String()] = vectors[k][n]
			if p := packeds[k][n]; p != nil {
				m[p.String()] = p
			}
		}
	}
	for _, k := range []ir.Kind{ir.F16, ir.F32} {
		for n := 2; n <= 4; n++ {
			for r := 2; r <= 4; r++ {
				m[matrices[k][n][r].String()] = matrices[k][n][r]
			}
		}
	}
	for _, t := range simdMats {
		m[t.String()] = t
	}
	for _, t := range atomics {
		m[t.String()] = t
	}
	for alias, k := range map[string]ir.Kind{"int8_t": ir.I8, "uint8_t": ir.U8, "int16_t": ir.I16, "uint16_t": ir.U16,
		"int32_t": ir.I32, "uint32_t": ir.U32, "int64_t": ir.I64, "uint64_t": ir.U64, "size_t": ir.U64, "ptrdiff_t": ir.I64,
		"intptr_t": ir.I64, "uintptr_t": ir.U64} {
		m[alias] = scalars[k]
	}
	m["simd_vote"] = voteType
	m["mem_flags"] = memFlagsType
	m["memory_order"] = memoryOrderType
	return m
}()

// libraryType gives a type of Metal's library.
func (c *lowerer) libraryType(part *syntax.NamePart, pos token.Pos) (qtype, bool) {
	if !part.HasArgs {
		if part.Ident == "double" {
			c.fail(pos, "'double' is not supported in Metal")
		}
		if t := libraryTypes[part.Ident]; t != nil {
			return plain(t), true
		}
		if strings.HasPrefix(part.Ident, "texture") || strings.HasPrefix(part.Ident, "depth2d") || part.Ident == "sampler" {
			c.unsupported(pos, "type '"+part.Ident+"'")
		}
		return qtype{}, false
	}
	return c.libraryTemplate(part, pos)
}
