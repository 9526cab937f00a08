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
		p.declare(p.scope, a.Name, symbol{kind: symType})
		if p.accept("=") {
			a.Default = &TemplateArg{Type: p.typeID()}
		}
		return a
	}
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	dd := p.declarator(d.typ, declParam)
	a.Type, a.Variadic = dd.typ, dd.pack
	if dd.name != nil {
		a.At, a.Name = dd.at, dd.name.Parts[0].Ident
	}
	p.declare(p.scope, a.Name, symbol{kind: symValue})
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
	p.noDefinition(&d)
	dd := p.declarator(d.typ, declNamed)
	if p.failed {
		return nil
	}
	f := &FuncDecl{At: dd.at, Attrs: append(d.attrs, dd.attrs...), Spec: d.Specifiers, Ret: dd.typ, Name: dd.name}
	if a, ok := p.attributes(); ok {
		f.Attrs = append(f.Attrs, a...)
	}
	// Without parameters the type is that of the function, by decltype or an alias: the checker tells it from a variable.
	if p.is("(") {
		old := p.push()
		f.Params, _ = p.params()
		p.scope = old
		p.trailer(f)
	}
	f.Spec.Kernel = p.takeKernel(&f.Attrs) || f.Spec.Kernel
	if p.is("{") {
		p.err("an explicit instantiation cannot have a body; an explicit specialisation begins with template <>")
		return nil
	}
	p.expectSemi("explicit instantiation")
	return []Decl{&Instantiation{At: at, Func: f}}
}
