package msl

import "github.com/puremetal/puremetal/soft/msl/syntax"

// packNames lists the packs that a piece of syntax names and does not expand itself.
func (c *lowerer) packNames(n any) []*symbol {
	var out []*symbol
	seen := map[*symbol]bool{}
	inspectNames(n, func(name *syntax.Name) {
		if len(name.Parts) == 0 {
			return
		}
		if s := c.find(c.scope, name.Parts[0].Ident); s != nil && s.kind == symPack && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	})
	return out
}

// packLength is the number of elements of the packs that n names.
func (c *lowerer) packLength(n any) int {
	ps := c.packNames(n)
	if len(ps) == 0 {
		c.fail(c.pos, "pack expansion does not contain any unexpanded parameter packs")
	}
	for _, p := range ps {
		if len(p.pack) != len(ps[0].pack) {
			c.fail(c.pos, "pack expansion contains parameter packs that have different lengths (%d vs. %d)", len(ps[0].pack), len(p.pack))
		}
	}
	return len(ps[0].pack)
}

// withPack runs f with every pack in scope standing for its element i.
func (c *lowerer) withPack(i int, f func()) {
	env := newScope(c.scope)
	for s := c.scope; s != nil; s = s.outer {
		for name, sym := range s.names {
			if sym.kind == symPack && i < len(sym.pack) && env.names[name] == nil {
				e := *sym.pack[i]
				e.name = name
				env.declare(&e)
			}
		}
	}
	c.inScope(env, f)
}

// expandArg expands a template argument that is followed by an ellipsis.
func (c *lowerer) expandArg(a *syntax.TemplateArg) []tmplArg {
	var n any = a.Type
	if a.Type == nil {
		n = a.Expr
	}
	one := *a
	one.Pack = false
	var out []tmplArg
	for i := range c.packLength(n) {
		c.withPack(i, func() { out = append(out, c.templateArg(&one)) })
	}
	return out
}

// inspectNames calls f for the names in a type or expression.
func inspectNames(n any, f func(*syntax.Name)) {
	name := func(x *syntax.Name) {
		f(x)
		for i := range x.Parts {
			for _, a := range x.Parts[i].Args {
				if a.Type != nil {
					inspectNames(a.Type, f)
				}
				if a.Expr != nil {
					inspectNames(a.Expr, f)
				}
			}
		}
	}
	switch n := n.(type) {
	case *syntax.NamedType:
		name(n.Name)
	case *syntax.PointerType:
		inspectNames(n.Elem, f)
	case *syntax.RefType:
		inspectNames(n.Elem, f)
	case *syntax.ArrayType:
		inspectNames(n.Elem, f)
		inspectNames(n.Len, f)
	case *syntax.FuncType:
		inspectNames(n.Ret, f)
		for _, p := range n.Params {
			inspectNames(p, f)
		}
	case *syntax.DecltypeType:
		inspectNames(n.X, f)
	case *syntax.IdentExpr:
		name(n.Name)
	case *syntax.UnaryExpr:
		inspectNames(n.X, f)
	case *syntax.BinaryExpr:
		inspectNames(n.X, f)
		inspectNames(n.Y, f)
	case *syntax.AssignExpr:
		inspectNames(n.X, f)
		inspectNames(n.Y, f)
	case *syntax.CondExpr:
		inspectNames(n.Cond, f)
		inspectNames(n.X, f)
		inspectNames(n.Y, f)
	case *syntax.CallExpr:
		inspectNames(n.Fun, f)
		for _, a := range n.Args {
			inspectNames(a, f)
		}
	case *syntax.IndexExpr:
		inspectNames(n.X, f)
		inspectNames(n.Index, f)
	case *syntax.MemberExpr:
		inspectNames(n.X, f)
	case *syntax.CastExpr:
		inspectNames(n.Type, f)
		inspectNames(n.X, f)
	case *syntax.Construct:
		inspectNames(n.Type, f)
		for _, a := range n.Args {
			inspectNames(a, f)
		}
	case *syntax.InitList:
		for _, a := range n.Elems {
			inspectNames(a, f)
		}
	case *syntax.SizeofExpr:
		if n.Type != nil {
			inspectNames(n.Type, f)
		}
		if n.X != nil && !n.Pack {
			inspectNames(n.X, f)
		}
	}
}
