package syntax

// attributes reads any run of [[...]], __attribute__((...)) and alignas(...), dropping those without meaning here.
func (p *parser) attributes() ([]Attr, bool) {
	var attrs []Attr
	any := false
	for !p.failed {
		switch {
		case p.is("[") && p.peek(1).is("["):
			p.next()
			p.next()
			attrs = p.attributeList(attrs, "]")
			p.expect("]")
			p.expect("]")
		case p.isWord("__attribute__") || p.isWord("__attribute"):
			p.next()
			p.expect("(")
			p.expect("(")
			attrs = p.attributeList(attrs, ")")
			p.expect(")")
			p.expect(")")
		case p.isWord("alignas"):
			a := Attr{At: p.next().pos, Name: "alignas"}
			p.expect("(")
			if p.startsType() {
				at := p.t.pos
				a.Args = []Expr{&SizeofExpr{At: at, Align: true, Type: p.typeID()}}
			} else {
				a.Args = []Expr{p.inParens(p.conditional)}
			}
			p.expect(")")
			attrs = append(attrs, a)
		default:
			return attrs, any
		}
		any = true
	}
	return attrs, any
}

func (p *parser) attributeList(attrs []Attr, end string) []Attr {
	for !p.is(end) && !p.failed {
		if p.accept(",") {
			continue
		}
		a := Attr{At: p.t.pos}
		if p.t.kind != kIdent {
			p.err("expected an attribute name before " + p.describe())
			return attrs
		}
		a.Name = p.next().text
		if p.accept("::") {
			if p.t.kind != kIdent {
				p.err("expected an attribute name before " + p.describe())
				return attrs
			}
			if a.Name == "metal" {
				a.Name = ""
			} else {
				a.Name += "::"
			}
			a.Name += p.next().text
		}
		if p.accept("(") {
			a.Args = p.callArgs(")")
			p.expect(")")
		}
		p.accept("...")
		if !hint(a.Name) {
			attrs = append(attrs, a)
		}
		if !p.is(",") {
			break
		}
	}
	return attrs
}

// hint reports whether an attribute only advises a compiler.
func hint(name string) bool {
	switch name {
	case "maybe_unused", "nodiscard", "deprecated", "fallthrough", "noreturn", "likely", "unlikely", "always_inline",
		"__always_inline__", "noinline", "__noinline__", "unused", "__unused__", "const", "__const__", "pure", "__pure__", "flatten",
		"__flatten__", "overloadable", "nothrow", "__nothrow__", "clang::fallthrough", "gnu::always_inline", "gnu::noinline", "clang::noinline",
		"clang::always_inline", "gnu::unused", "convergent", "clang::convergent", "optnone", "clang::optnone", "unroll":
		return true
	}
	return false
}
