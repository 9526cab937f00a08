package syntax

// params reads a parameter list from its parenthesis on, declaring the names in the current scope.
func (p *parser) params() ([]*Param, bool) {
	ps := []*Param{}
	if !p.enter() {
		return ps, false
	}
	defer p.leave()
	p.expect("(")
	noGT := p.noGT
	p.noGT = false
	defer func() { p.noGT = noGT }()
	if p.isWord("void") && p.peek(1).is(")") {
		p.next()
	}
	for !p.is(")") && !p.failed {
		if p.is("...") {
			p.err("variadic functions are not supported in Metal")
			return ps, false
		}
		ps = append(ps, p.param())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return ps, !p.failed
}

func (p *parser) param() *Param {
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	dd := p.declarator(d.typ, declParam)
	a := &Param{At: dd.at, Type: dd.typ, Pack: dd.pack, Attrs: d.attrs}
	if dd.name == nil {
		a.At = d.at
	} else {
		a.Name = dd.name.Parts[0].Ident
		p.declare(p.scope, a.Name, symbol{kind: symValue})
	}
	if attrs, ok := p.attributes(); ok {
		a.Attrs = append(a.Attrs, attrs...)
	}
	if p.accept("=") {
		a.Default = p.initializer()
	}
	return a
}

// special reads a constructor or a conversion operator after its specifiers.
func (p *parser) special(d *declSpec, place declPlace, templ *Template) []Decl {
	dd := declarator{at: p.t.pos}
	if d.ctor {
		dd.name = &Name{At: p.t.pos, Parts: []NamePart{{Ident: p.next().text}}}
	} else {
		n, _ := p.name(false)
		dd.name = n
		if n.Parts[len(n.Parts)-1].Ident != "operator T" {
			p.errPos(n.At, "a type specifier is required for all declarations")
			return nil
		}
		c := p.specifiers("")
		p.wantType(&c)
		dd.typ = p.pointers(c.typ)
	}
	f := p.funcDecl(d, &dd, place, templ)
	if f == nil {
		return nil
	}
	return []Decl{f}
}

// funcDecl reads a function from its parameter list on.
func (p *parser) funcDecl(d *declSpec, dd *declarator, place declPlace, templ *Template) Decl {
	if place == inBlock {
		p.err("functions cannot be declared inside of a function (or the variable needs '{}' to be value-initialised)")
		return nil
	}
	f := &FuncDecl{At: dd.at, Template: templ, Attrs: append(d.attrs[:len(d.attrs):len(d.attrs)], dd.attrs...), Spec: d.Specifiers, Explicit: d.explicit, Ret: dd.typ, Name: dd.name}
	p.declareFunc(f)
	old := p.push()
	defer func() { p.scope = old }()
	if n := len(f.Name.Parts); n > 1 {
		owner := *f.Name
		owner.Parts = owner.Parts[:n-1]
		if m := p.resolve(&owner).members; m != nil {
			p.scope.bases = append(p.scope.bases, m)
		}
	}
	f.Params, _ = p.params()
	p.trailer(f)
	if p.failed {
		return nil
	}
	switch {
	case p.accept(";"):
	case p.accept("="):
		switch {
		case p.acceptWord("default"):
			f.Default = true
		case p.acceptWord("delete"):
			f.Deleted = true
		default:
			p.err("expected 'default' or 'delete' before " + p.describe())
		}
		p.expectSemi("function")
	case p.is("{") || p.is(":") && f.Ret == nil:
		if p.structs > 0 {
			p.deferred = append(p.deferred, deferredBody{p.i, f, p.scope})
			p.skipBody()
		} else {
			p.body(f)
		}
	default:
		p.err("expected function body after function declarator")
	}
	return f
}

// declareFunc makes the function's name known.
func (p *parser) declareFunc(f *FuncDecl) {
	if len(f.Name.Parts) > 1 || f.Ret == nil {
		return
	}
	part := f.Name.Parts[0]
	if f.Template == nil {
		p.declare(p.scope, part.Ident, symbol{kind: symValue})
		return
	}
	p.declare(p.scope.outer, part.Ident, symbol{kind: symValueTemplate})
	if p.structs > 0 {
		p.methods[part.Ident] = true
	}
}

// trailer reads what may stand between parameters and body.
func (p *parser) trailer(f *FuncDecl) {
	for !p.failed {
		if a, ok := p.attributes(); ok {
			f.Attrs = append(f.Attrs, a...)
			f.Spec.Kernel = p.takeKernel(&f.Attrs) || f.Spec.Kernel
			continue
		}
		switch {
		case p.acceptWord("const"):
			f.Const = true
		case p.acceptWord("volatile"):
		case p.t.kind == kIdent && addressSpace(p.t.text):
			if f.Space != "" && f.Space != p.t.text {
				p.err("multiple address spaces specified for a method")
			}
			f.Space = p.next().text
		case p.acceptWord("noexcept"):
			if p.is("(") {
				p.skipBalanced()
			}
		case p.isWord("override") || p.isWord("final"):
			p.err("virtual functions are not supported in Metal")
		case p.is("&") || p.is("&&"):
			p.err("reference-qualified methods are not supported")
		case p.is("->"):
			p.next()
			f.Ret = p.typeID()
		default:
			return
		}
	}
}

// skipBody skips a function body, and the initialisers in front of it.
func (p *parser) skipBody() {
	if p.accept(":") {
		for !p.failed {
			for !p.is("(") && !p.is("{") && p.t.kind != kEOF {
				p.next()
			}
			p.skipBalanced()
			if !p.accept(",") {
				break
			}
		}
	}
	if !p.is("{") {
		p.err("expected '{' before " + p.describe())
		return
	}
	p.skipBalanced()
}

// body reads a constructor's initialisers and a function's body.
func (p *parser) body(f *FuncDecl) {
	if p.accept(":") {
		for !p.failed {
			m := MemberInit{At: p.t.pos}
			n, _ := p.name(false)
			m.Name = n.Parts[len(n.Parts)-1].Ident
			end := ")"
			if p.accept("{") {
				end = "}"
			} else {
				p.expect("(")
			}
			m.Args = p.callArgs(end)
			p.expect(end)
			f.Inits = append(f.Inits, m)
			if !p.accept(",") {
				break
			}
		}
	}
	f.Body = p.block()
}

// bodies reads the method bodies that were put off until the struct around them was complete.
func (p *parser) bodies() {
	todo := p.deferred
	p.deferred = nil
	if p.failed {
		return
	}
	after, old := p.i, p.scope
	for _, b := range todo {
		p.set(b.at)
		p.scope = b.scope
		p.body(b.fn)
		if p.failed {
			return
		}
	}
	p.scope = old
	p.set(after)
}
