package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// declSpec is what stands in front of declarators.
type declSpec struct {
	Specifiers
	at       token.Pos
	typedef  bool
	attrs    []Attr
	typ      Type // nil for constructors and conversions
	quals    Quals
	decls    []Decl      // structs and enumerations defined here
	tag      *StructDecl // the struct defined here
	ctor     bool
	explicit bool
}

func addressSpace(word string) bool {
	switch word {
	case "device", "constant", "threadgroup", "thread":
		return true
	}
	return false
}

// startsType reports whether the current token begins a type.
func (p *parser) startsType() bool {
	t := p.t
	if t.kind != kIdent {
		if t.is("::") {
			return p.look(func() bool { _, sym := p.name(false); return isType(sym) })
		}
		return false
	}
	switch t.text {
	case "decltype":
		return !p.insideDecltype() || p.look(func() bool { _, sym := p.name(false); return isType(sym) })
	case "const", "volatile", "unsigned", "signed", "auto", "typename", "struct", "class", "union", "enum":
		return true
	}
	if addressSpace(t.text) || basicType(t.text) {
		return true
	}
	if keyword(t.text) {
		return false
	}
	sym := p.scope.find(t.text)
	if n := p.peek(1); !n.is("::") && !n.is("<") {
		return isType(sym)
	}
	if sym.kind == symValue {
		return false
	}
	return p.look(func() bool { _, sym := p.name(false); return isType(sym) })
}

// insideDecltype reports whether the decltype(...) at hand qualifies a name, as in decltype(x)::value.
func (p *parser) insideDecltype() bool {
	return p.look(func() bool {
		p.next()
		p.skipBalanced()
		return p.is("::")
	})
}

func (p *parser) decltype() *DecltypeType {
	d := &DecltypeType{At: p.next().pos}
	p.expect("(")
	if p.isWord("auto") {
		p.err("decltype(auto) is not supported")
	}
	d.X = p.inParens(p.expression)
	p.expect(")")
	return d
}

func isType(sym symbol) bool { return sym.kind == symType || sym.kind == symTypeTemplate }

// qualifier reads one of const, volatile and the address spaces into q.
func (p *parser) qualifier(q *Quals) bool {
	if p.t.kind != kIdent {
		return false
	}
	switch w := p.t.text; {
	case w == "const":
		q.Const = true
	case w == "volatile":
		q.Volatile = true
	case w == "__restrict" || w == "restrict" || w == "__restrict__":
	case addressSpace(w):
		if q.Space != "" && q.Space != w {
			p.err("multiple address spaces specified for type: '" + q.Space + "' and '" + w + "'")
			return false
		}
		q.Space = w
	default:
		return false
	}
	p.next()
	return true
}

// rejected gives the message for a specifier or statement word that Metal's language, or this compiler, does not have.
func rejected(word string) string {
	switch word {
	case "vertex", "fragment":
		return word + " functions are not supported: only compute kernels are"
	case "virtual":
		return "virtual functions are not supported in Metal"
	case "friend":
		return "friend declarations are not supported"
	case "thread_local", "register":
		return "'" + word + "' is not supported in Metal"
	case "threadgroup_imageblock", "ray_data", "object_data":
		return "address space '" + word + "' is not supported"
	case "goto":
		return "goto is not supported in Metal"
	case "asm", "__asm", "__asm__":
		return "inline assembly is not supported"
	case "try", "catch", "throw":
		return "exceptions are not supported in Metal"
	case "new", "delete":
		return "'" + word + "' is not supported in Metal"
	case "typeid", "dynamic_cast":
		return "run-time type information is not supported in Metal"
	case "concept", "requires", "co_await", "co_return", "co_yield":
		return "'" + word + "' is not supported in Metal"
	}
	return ""
}

// specifiers reads declaration specifiers. ctor is the name of the struct whose members are being read, if any.
func (p *parser) specifiers(ctor string) declSpec {
	d := declSpec{at: p.t.pos}
	var b builtinWords
	for !p.failed {
		if a, ok := p.attributes(); ok {
			d.attrs = append(d.attrs, a...)
			continue
		}
		if p.t.kind != kIdent {
			if p.is("::") && d.typ == nil && !b.any && p.startsType() {
				d.typ = p.namedType(false)
				continue
			}
			break
		}
		w := p.t.text
		if p.qualifier(&d.quals) {
			continue
		}
		if p.failed {
			break
		}
		if msg := rejected(w); msg != "" && !p.declaredName(w) {
			p.err(msg)
			break
		}
		if !p.storage(&d, w) {
			if d.typ != nil || !p.typeWord(&d, &b, w, ctor) {
				break
			}
		}
	}
	if b.any && !p.failed {
		if d.typ != nil {
			p.errPos(d.at, "two or more data types in a declaration")
			return d
		}
		d.typ = p.builtinType(&b)
	}
	d.Kernel = p.takeKernel(&d.attrs) || d.Kernel
	d.typ = qualify(d.typ, d.quals)
	return d
}

// declaredName reports whether a word that is only a keyword elsewhere has been declared as a name.
func (p *parser) declaredName(w string) bool {
	return !keyword(w) && p.scope.find(w).kind != symUnknown
}

// storage reads a specifier that is no part of the type.
func (p *parser) storage(d *declSpec, w string) bool {
	switch w {
	case "static":
		d.Static = true
	case "inline", "__inline", "__inline__":
		d.Inline = true
	case "constexpr":
		d.Constexpr = true
	case "extern":
		d.Extern = true
		if p.peek(1).kind == kString {
			p.err("linkage specifications are not supported in Metal")
			return true
		}
	case "kernel":
		d.Kernel = true
	case "typedef":
		d.typedef = true
	case "explicit":
		d.explicit = true
	case "mutable":
	default:
		return false
	}
	p.next()
	return true
}

// takeKernel removes [[kernel]] from attrs and reports whether it was there.
func (p *parser) takeKernel(attrs *[]Attr) bool {
	found := false
	kept := (*attrs)[:0]
	for _, a := range *attrs {
		switch a.Name {
		case "kernel":
			found = true
			continue
		case "vertex", "fragment", "object", "mesh", "intersection", "visible":
			p.errPos(a.At, a.Name+" functions are not supported: only compute kernels are")
		}
		kept = append(kept, a)
	}
	if len(kept) == 0 {
		kept = nil
	}
	*attrs = kept
	return found
}

// builtinWords collects words like unsigned, long and int.
type builtinWords struct {
	any              bool
	at               token.Pos
	unsigned, signed bool
	long             int
	base             string
}

// typeWord reads the type of a declaration, or a word of it. It reports false at something else.
func (p *parser) typeWord(d *declSpec, b *builtinWords, w, ctor string) bool {
	if !b.any {
		b.at = p.t.pos
	}
	switch w {
	case "unsigned":
		b.unsigned = true
	case "signed", "__signed__":
		b.signed = true
	case "long":
		b.long++
	case "int", "char", "short", "void", "bool", "half", "float", "double":
		if b.base != "" && !(b.base == "int" && w == "short" || b.base == "short" && w == "int") {
			p.err("cannot combine with previous '" + b.base + "' declaration specifier")
			return false
		}
		if b.base != "short" {
			b.base = w
		}
	default:
		if b.any {
			return false
		}
		return p.typeName(d, w, ctor)
	}
	b.any = true
	p.next()
	return true
}

// typeName reads a type that is not made of built-in words.
func (p *parser) typeName(d *declSpec, w, ctor string) bool {
	switch w {
	case "auto":
		d.typ = &AutoType{At: p.next().pos}
	case "decltype":
		if !p.startsType() {
			return false
		}
		if p.insideDecltype() {
			d.typ = p.namedType(false)
		} else {
			d.typ = p.decltype()
		}
	case "typename":
		p.next()
		d.typ = p.namedType(true)
	case "struct", "class", "union":
		p.structType(d)
	case "enum":
		p.enumType(d)
	case "operator":
		return false
	default:
		if w == ctor && p.peek(1).is("(") {
			d.ctor = true
			return false
		}
		if keyword(w) {
			return false
		}
		if !p.startsType() {
			return false
		}
		d.typ = p.namedType(false)
	}
	return true
}

func (p *parser) namedType(typename bool) *NamedType {
	n, _ := p.name(typename)
	return &NamedType{Name: n, Typename: typename}
}

// builtinType normalises words to Metal's short names.
func (p *parser) builtinType(b *builtinWords) Type {
	name := b.base
	bad := b.unsigned && b.signed || b.long > 2 || b.long > 0 && name != "" && name != "int" && name != "double"
	switch name {
	case "", "int":
		name = "int"
		if b.long > 0 {
			name = "long"
		}
	case "char", "short":
	default:
		bad = bad || b.unsigned || b.signed
	}
	if bad {
		p.errPos(b.at, "invalid combination of type specifiers")
	}
	if b.unsigned {
		name = "u" + name
	}
	return &NamedType{Name: &Name{At: b.at, Parts: []NamePart{{Ident: name}}}}
}

// qualify adds qualifiers to a type as written in front of or behind it.
func qualify(t Type, q Quals) Type {
	switch t := t.(type) {
	case *NamedType:
		t.Quals = q
	case *AutoType:
		t.Quals = q
	case *DecltypeType:
		t.Quals = q
	}
	return t
}

// typeID reads a type without a declared name.
func (p *parser) typeID() Type {
	if !p.enter() {
		return &AutoType{At: p.t.pos}
	}
	defer p.leave()
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	return p.declarator(d.typ, declAbstract).typ
}

// noDefinition reports a struct or enumeration defined where only its name may stand.
func (p *parser) noDefinition(d *declSpec) {
	if d.decls != nil {
		p.errPos(d.at, "a type cannot be defined here")
	}
}

// wantType reports a missing type and makes the tree whole.
func (p *parser) wantType(d *declSpec) {
	if d.typ != nil {
		return
	}
	if !p.failed {
		if p.t.kind == kIdent && !keyword(p.t.text) {
			p.err("unknown type name '" + p.t.text + "'")
		} else {
			p.err("expected a type before " + p.describe())
		}
	}
	d.typ = &AutoType{At: d.at}
}
