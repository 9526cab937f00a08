package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// template reads template<...> and what it is of, or an explicit instantiation.
func (p *parser) template(place declPlace, ctor string) []Decl {
	at := p.next().pos
	if !p.is("<") {
		return p.instantiation(at)
	}
	t := &Template{At: at, Params: []TemplateParam{}}
	old := p.push()
	defer func() { p.scope = old }()
	p.expect("<")
	noGT := p.noGT
	p.noGT = true
	for !p.is(">") && !p.failed {
		t.Params = append(t.Params, p.templateParam())
		if !p.accept(",") {
			break
		}
	}
	p.noGT = noGT
	p.expect(">")
	switch {
	case p.isWord("template"):
		p.err("nested template headers are not supported")
		return nil
	case p.isWord("using"):
		return p.using(t)
	case p.isWord("requires") || p.isWord("concept"):
		p.err("'" + p.t.text + "' is not supported in Metal")
		return nil
	}
	return p.simple(place, ctor, t)
}

func (p *parser) templateParam() TemplateParam {
	a := TemplateParam{At: p.t.pos}
	if p.isWord("template") {
		p.err("template template parameters are not supported")
		return a
	}
	isType := p.isWord("class")
	if p.isWord("typename") {
		n := p.peek(1)
		after := p.peek(2)
		isType = n.kind != kIdent || !after.is("::") && !after.is("<")
	}
	if isType {
		p.next()
		a.Variadic = p.accept("...")
		if p.t.kind == kIdent {
			a.At = p.t.pos
			a.Name = p.ident()
		}
		p.scope.declare(a.Name, symbol{kind: symType})
		if p.accept("=") {
			a.Default = &TemplateArg{Type: p.typeID()}
		}
		return a
	}
	d := p.specifiers("")
	p.wantType(&d)
	dd := p.declarator(d.typ, declParam)
	a.Type, a.Variadic = dd.typ, dd.pack
	if dd.name != nil {
		a.At, a.Name = dd.at, dd.name.Parts[0].Ident
	}
	p.scope.declare(a.Name, symbol{kind: symValue})
	if p.accept("=") {
		a.Default = &TemplateArg{Expr: p.conditional()}
	}
	return a
}

// instantiation reads the rest of an explicit instantiation.
func (p *parser) instantiation(at token.Pos) []Decl {
	if p.isWord("struct") || p.isWord("class") || p.isWord("union") {
		p.err("explicit instantiation of a class template is not supported")
		return nil
	}
	d := p.specifiers("")
	p.wantType(&d)
	dd := p.declarator(d.typ, declNamed)
	if p.failed {
		return nil
	}
	f := &FuncDecl{At: dd.at, Attrs: d.attrs, Spec: d.Specifiers, Ret: dd.typ, Name: dd.name}
	if a, ok := p.attributes(); ok {
		f.Attrs = append(f.Attrs, a...)
	}
	_, byType := dd.typ.(*DecltypeType)
	switch {
	case p.is("("):
		old := p.push()
		f.Params, _ = p.params()
		p.scope = old
		p.trailer(f)
	case !byType:
		p.err("explicit instantiation of a variable is not supported")
		return nil
	}
	f.Spec.Kernel = p.takeKernel(&f.Attrs) || f.Spec.Kernel
	if p.is("{") {
		p.err("an explicit instantiation cannot have a body; an explicit specialisation begins with template <>")
		return nil
	}
	p.expectSemi("explicit instantiation")
	return []Decl{&Instantiation{At: at, Func: f}}
}

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
		s.Name = &Name{At: s.At, Parts: []NamePart{{Ident: anonymous(s.At)}}}
	}
	named := &NamedType{Name: s.Name}
	if len(s.Name.Parts) == 1 && !s.Name.Parts[0].HasArgs {
		name := s.Name.Parts[0].Ident
		if _, known := sc.own(name, 0); !known || defined || p.is(";") {
			if !defined && !p.is(";") {
				if sym := sc.find(name); !isType(sym) {
					p.errPos(s.At, "unknown type name '"+name+"'")
					return
				}
			} else {
				sc.declare(name, symbol{kind: kind})
			}
		}
	}
	d.typ = named
	if !defined {
		if p.is(";") || templ != nil {
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
	for !p.is("}") && p.t.kind != kEOF {
		if (p.isWord("public") || p.isWord("private") || p.isWord("protected")) && p.peek(1).is(":") {
			p.next()
			p.next()
			continue
		}
		s.Members = append(s.Members, p.declaration(inStruct, name.Ident)...)
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
		e.Name = anonymous(e.At)
	}
	if p.accept(":") {
		t := p.specifiers("")
		p.wantType(&t)
		e.Underlying = t.typ
	}
	members := &scope{outer: p.scope}
	p.scope.declare(e.Name, symbol{kind: symType, members: members})
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
		members.declare(m.Name, symbol{kind: symValue})
		if !e.Class {
			outer.declare(m.Name, symbol{kind: symValue})
		}
		e.Members = append(e.Members, m)
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
}
