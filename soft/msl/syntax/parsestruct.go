package syntax

// structType reads struct, class or union and what follows as part of specifiers.
func (p *parser) structType(d *declSpec) {
	s := &StructDecl{At: p.t.pos, Template: p.pending, Union: p.isWord("union")}
	templ := p.pending
	p.pending = nil
	p.next()
	s.Attrs, _ = p.attributes()
	sc := p.scope
	kind := symType
	if templ != nil {
		sc = p.scope.outer
		kind = symTypeTemplate
	}
	if p.t.kind == kIdent && !p.isWord("final") {
		s.At = p.t.pos
		first := p.t.text
		if n := p.peek(1); n.is("{") || n.is(":") || n.is(";") || n.is("<") && p.scope.find(first).kind != symTypeTemplate {
			// Declared here: in an inner scope the name may hide another.
			if n.is("<") {
				p.err("'" + first + "' is not a template")
				return
			}
			s.Name = &Name{At: p.t.pos, Parts: []NamePart{{Ident: p.ident()}}}
		} else {
			s.Name, _ = p.name(true)
		}
	}
	p.acceptWord("final")
	defined := p.is("{") || p.is(":")
	if s.Name == nil {
		if !defined {
			p.err("expected a name or '{' before " + p.describe())
			return
		}
		s.Name = &Name{At: s.At, Parts: []NamePart{{Ident: p.unnamed()}}}
	}
	named := &NamedType{Name: s.Name}
	if len(s.Name.Parts) == 1 && !s.Name.Parts[0].HasArgs {
		name := s.Name.Parts[0].Ident
		if _, known := sc.own(name); !known || defined || p.is(";") {
			if !defined && !p.is(";") {
				if sym := sc.find(name); !isType(sym) {
					p.errPos(s.At, "unknown type name '"+name+"'")
					return
				}
			} else {
				p.declare(sc, name, symbol{kind: kind})
			}
		}
	}
	d.typ = named
	if !defined {
		if p.is(";") {
			d.decls = append(d.decls, s)
		}
		return
	}
	s.Defined = true
	p.structBody(s, sc)
	d.decls = append(d.decls, s)
	d.tag = s
	// The type named in declarators that follow has its own Name, so that qualifiers and renaming do not meet.
	d.typ = &NamedType{Name: s.Name}
}

// structBody reads bases and members.
func (p *parser) structBody(s *StructDecl, declared *scope) {
	if !p.enter() {
		return
	}
	defer p.leave()
	old := p.scope
	members := &scope{outer: p.scope}
	name := s.Name.Parts[len(s.Name.Parts)-1]
	if len(s.Name.Parts) == 1 && !name.HasArgs {
		sym := declared.names[name.Ident]
		sym.members = members
		declared.names[name.Ident] = sym
	}
	if p.accept(":") {
		for !p.failed {
			for p.isWord("public") || p.isWord("private") || p.isWord("protected") || p.isWord("virtual") {
				if p.isWord("virtual") {
					p.err("virtual base classes are not supported in Metal")
				}
				p.next()
			}
			t := p.namedType(p.acceptWord("typename"))
			s.Bases = append(s.Bases, t)
			if !p.failed {
				if m := p.resolve(t.Name).members; m != nil && m != members {
					members.bases = append(members.bases, m)
				}
			}
			if p.accept("...") {
				p.err("packs of base classes are not supported")
			}
			if !p.accept(",") {
				break
			}
		}
	}
	p.expect("{")
	p.scope = members
	noGT := p.noGT
	p.noGT = false
	p.structs++
	structs := p.structs
	for !p.is("}") && p.t.kind != kEOF {
		if (p.isWord("public") || p.isWord("private") || p.isWord("protected")) && p.peek(1).is(":") {
			p.next()
			p.next()
			continue
		}
		start, sc, depth, todo := p.i, p.scope, p.depth, len(p.deferred)
		s.Members = append(s.Members, p.declaration(inStruct, name.Ident)...)
		if p.failed && p.trying == 0 && !p.errs.full {
			p.scope, p.depth, p.noGT, p.deferred = sc, depth, false, p.deferred[:min(todo, len(p.deferred))]
			p.structs = structs
			p.recover(start)
		}
	}
	p.structs--
	p.expect("}")
	if p.structs == 0 {
		p.bodies()
	}
	p.scope, p.noGT = old, noGT
	if a, ok := p.attributes(); ok {
		s.Attrs = append(s.Attrs, a...)
	}
}

// enumType reads an enumeration as part of specifiers.
func (p *parser) enumType(d *declSpec) {
	e := &EnumDecl{At: p.next().pos}
	if p.acceptWord("class") || p.acceptWord("struct") {
		e.Class = true
	}
	p.attributes()
	named := p.t.kind == kIdent
	if named {
		e.At = p.t.pos
		if !p.peek(1).is("{") && !p.peek(1).is(":") && !p.peek(1).is(";") {
			d.typ = p.namedType(true)
			return
		}
		e.Name = p.ident()
	} else {
		e.Name = p.unnamed()
	}
	if p.accept(":") {
		t := p.specifiers("")
		p.wantType(&t)
		e.Underlying = t.typ
	}
	members := &scope{outer: p.scope}
	p.declare(p.scope, e.Name, symbol{kind: symType, members: members})
	d.typ = &NamedType{Name: &Name{At: e.At, Parts: []NamePart{{Ident: e.Name}}}}
	d.decls = append(d.decls, e)
	if !p.is("{") && p.is(";") && named {
		return
	}
	p.expect("{")
	outer := p.scope
	for !p.is("}") && !p.failed {
		m := EnumMember{At: p.t.pos, Name: p.ident()}
		p.attributes()
		if p.accept("=") {
			m.Value = p.inParens(p.conditional)
		}
		p.declare(members, m.Name, symbol{kind: symValue})
		if !e.Class {
			p.declare(outer, m.Name, symbol{kind: symValue})
		}
		e.Members = append(e.Members, m)
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
}
