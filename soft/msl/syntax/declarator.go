package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// declKind says which declarators are wanted.
type declKind uint8

const (
	declNamed    declKind = iota // a variable or function: parentheses after the name are left to the caller
	declParam                    // a parameter: the name may be missing
	declAbstract                 // no name
)

// declarator is a name with the type that pointers, references and arrays around it make of the base type.
type declarator struct {
	typ   Type
	name  *Name
	at    token.Pos
	attrs []Attr // right behind the name
	pack  bool
}

func (p *parser) declarator(base Type, kind declKind) declarator {
	d := declarator{typ: base, at: p.t.pos}
	if !p.enter() {
		return d
	}
	defer p.leave()
	d.typ = p.pointers(base)
	if kind != declNamed && p.is("...") && (kind == declParam || !p.noGT) {
		p.next()
		d.pack = true
	}
	if p.is("(") && p.nested(kind) {
		inner := p.i + 1
		p.skipBalanced()
		outer := p.suffixes(d.typ, true)
		after := p.i
		if p.failed {
			return d
		}
		p.set(inner)
		d = p.declarator(outer, kind)
		p.expect(")")
		if !p.failed {
			p.set(after)
		}
		return d
	}
	d.at = p.t.pos
	if _, auto := base.(*AutoType); auto && kind == declNamed && p.is("[") {
		p.err("structured bindings are not supported in Metal")
	}
	if kind != declAbstract && (p.t.kind == kIdent && (!keyword(p.t.text) || p.t.text == "operator") || kind == declNamed) {
		if kind == declParam {
			d.name = &Name{At: p.t.pos, Parts: []NamePart{{Ident: p.ident()}}}
		} else {
			d.name, _ = p.name(false)
			d.attrs, _ = p.attributes()
		}
	}
	d.typ = p.suffixes(d.typ, kind != declNamed)
	return d
}

// nested reports whether the parenthesis at hand opens a declarator, as in float (*p)[4].
func (p *parser) nested(kind declKind) bool {
	n := p.peek(1)
	if n.is("*") || n.is("&") || n.is("&&") {
		return true
	}
	return kind != declAbstract && n.kind == kIdent && !keyword(n.text) && p.peek(2).is(")") && !isType(p.scope.find(n.text))
}

// pointers reads * and & with the qualifiers that follow them.
func (p *parser) pointers(t Type) Type {
	for n := 0; ; n++ {
		at := p.t.pos
		switch {
		case n > maxDepth:
			p.err("the type is nested too deeply (limit 1024)")
			return t
		case p.accept("*"):
			q := &PointerType{At: at, Elem: t}
			for p.qualifier(&q.Quals) {
			}
			t = q
		case p.accept("&"):
			t = &RefType{At: at, Elem: t}
		case p.accept("&&"):
			t = &RefType{At: at, Elem: t, RValue: true}
		default:
			return t
		}
		if r, ok := t.(*RefType); ok {
			if _, twice := r.Elem.(*RefType); twice {
				p.errPos(at, "a reference to a reference cannot be declared")
				return t
			}
			for p.isWord("const") || p.isWord("__restrict") {
				p.next()
			}
		}
	}
}

// suffixes reads array bounds, and parameter lists if fn is set, after a declared name.
func (p *parser) suffixes(t Type, fn bool) Type {
	if fn && p.is("(") {
		at := p.t.pos
		old := p.push()
		params, _ := p.params()
		p.scope = old
		f := &FuncType{At: at, Ret: t, Params: []Type{}}
		for _, a := range params {
			f.Params = append(f.Params, a.Type)
		}
		return f
	}
	if !p.is("[") || p.peek(1).is("[") {
		return t
	}
	if !p.enter() {
		return t
	}
	defer p.leave()
	a := &ArrayType{At: p.next().pos}
	if !p.is("]") {
		a.Len = p.inParens(p.conditional)
	}
	p.expect("]")
	a.Elem = p.suffixes(t, false)
	return a
}
