package syntax

// namespace reads namespace a::b { ... }.
func (p *parser) namespace() []Decl {
	at := p.next().pos
	p.attributes()
	var names []string
	if p.t.kind == kIdent {
		names = append(names, p.ident())
		for p.accept("::") {
			if names = append(names, p.ident()); len(names) > maxDepth {
				p.err("namespaces are nested too deeply (limit 1024)")
				return nil
			}
		}
	}
	if len(names) == 1 && p.accept("=") {
		target, sym := p.name(false)
		if sym.kind != symNamespace {
			p.errPos(target.At, "a namespace alias must name a namespace")
		}
		sym.alias = target
		p.declare(p.scope, names[0], sym)
		p.expectSemi("namespace alias")
		return nil
	}
	if len(names) == 0 {
		names = []string{""}
	}
	p.expect("{")
	old := p.scope
	for _, n := range names {
		sym, ok := p.scope.own(n)
		if !ok || sym.kind != symNamespace || sym.members == nil {
			sym = symbol{kind: symNamespace, members: &scope{outer: p.scope}}
			if n == "" {
				// What an unnamed namespace declares is seen outside it.
				sym.members = p.scope
			}
			p.declare(p.scope, n, sym)
		}
		p.scope = sym.members
	}
	d := &Namespace{At: at, Name: names[len(names)-1], Decls: p.declarations()}
	p.scope = old
	p.expect("}")
	for i := len(names) - 2; i >= 0; i-- {
		d = &Namespace{At: at, Name: names[i], Decls: []Decl{d}}
	}
	return []Decl{d}
}

// using reads using namespace a; using a::b; and using T = type;.
func (p *parser) using(templ *Template) []Decl {
	at := p.next().pos
	if p.acceptWord("namespace") {
		n, sym := p.name(false)
		if sym.members != nil && sym.members != p.scope {
			p.scope.bases = append(p.scope.bases, sym.members)
		}
		p.expectSemi("using directive")
		return []Decl{&UsingNamespace{At: at, Name: n}}
	}
	if p.t.kind == kIdent && (p.peek(1).is("=") || p.peek(1).is("[")) {
		name := p.ident()
		p.attributes()
		p.expect("=")
		t := p.typeID()
		sc, kind := p.scope, symType
		if templ != nil {
			sc, kind = p.scope.outer, symTypeTemplate
		}
		if !p.failed {
			p.declare(sc, name, symbol{kind: kind, members: p.membersOf(t)})
		}
		p.expectSemi("alias declaration")
		return []Decl{&TypeAlias{At: at, Template: templ, Name: name, Type: t}}
	}
	p.acceptWord("typename")
	n, sym := p.name(false)
	if len(n.Parts) < 2 && !n.Global {
		p.errPos(n.At, "using declaration requires a qualified name")
	}
	if !p.failed {
		p.declare(p.scope, n.Parts[len(n.Parts)-1].Ident, sym)
	}
	p.expectSemi("using declaration")
	return []Decl{&UsingNamespace{At: at, Name: n, Decl: true}}
}
