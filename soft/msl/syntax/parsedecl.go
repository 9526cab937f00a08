package syntax

import (
	"fmt"
	"strings"
)

// declPlace says where a declaration stands.
type declPlace uint8

const (
	atFile declPlace = iota
	inStruct
	inBlock
)

// declarations reads declarations up to the end of the text or of the namespace.
func (p *parser) declarations() []Decl {
	var ds []Decl
	for p.t.kind != kEOF && !p.errs.full {
		if p.is("}") && p.depth > 0 {
			return ds
		}
		start, sc, depth := p.i, p.scope, p.depth
		d := p.declaration(atFile, "")
		if p.failed {
			p.scope, p.depth, p.noGT, p.structs, p.deferred = sc, depth, false, 0, nil
			p.recover(start)
			continue
		}
		ds = append(ds, d...)
	}
	return ds
}

// declaration reads one declaration, which may declare several names. ctor is the name of the struct it is a member of.
func (p *parser) declaration(place declPlace, ctor string) []Decl {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	at := p.t.pos
	if p.t.kind == kPunct {
		switch p.t.text {
		case ";":
			p.next()
			return nil
		case "~":
			p.err("destructors are not supported")
			return nil
		case "}":
			p.err("extraneous closing brace ('}')")
			return nil
		}
	} else if p.t.kind == kIdent {
		switch p.t.text {
		case "template":
			if place == inBlock {
				p.err("templates cannot be declared inside of a function")
				return nil
			}
			return p.template(place, ctor)
		case "namespace":
			if place != atFile {
				p.err("namespaces can only be defined in namespace scope")
				return nil
			}
			return p.namespace()
		case "inline":
			if p.peek(1).kind == kIdent && p.peek(1).text == "namespace" && place == atFile {
				p.next()
				return p.namespace()
			}
		case "using":
			return p.using(nil)
		case "static_assert", "_Static_assert":
			p.next()
			p.expect("(")
			s := &StaticAssert{At: at, Cond: p.inParens(p.assignment)}
			if p.accept(",") {
				s.Text = string(p.stringLit())
			}
			p.expect(")")
			p.expectSemi("static_assert")
			return []Decl{s}
		}
	}
	return p.simple(place, ctor, nil)
}

// simple reads specifiers and declarators: variables, functions, typedefs, structs and enumerations.
func (p *parser) simple(place declPlace, ctor string, templ *Template) []Decl {
	p.pending = templ
	d := p.specifiers(ctor)
	p.pending = nil
	if p.failed {
		return nil
	}
	if p.is(";") && d.decls != nil && !d.typedef {
		p.next()
		if d.tag != nil && place == inStruct && isUnnamed(d.tag.Name) {
			p.nameless(d.tag)
		}
		return d.decls
	}
	if d.tag != nil && d.typedef && p.t.kind == kIdent && isUnnamed(d.tag.Name) {
		p.nameTypedef(&d)
		if p.accept(";") {
			return d.decls
		}
		p.expect(",")
	}
	if d.ctor || d.typ == nil && p.isWord("operator") {
		return p.special(&d, place, templ)
	}
	p.wantType(&d)
	if p.is(";") {
		p.err("declaration does not declare anything")
		return nil
	}
	ds := d.decls
	for first := true; !p.failed; first = false {
		dd := p.declarator(d.typ, declNamed)
		if p.failed {
			return ds
		}
		if dd.name == nil {
			p.err("expected a name before " + p.describe())
			return ds
		}
		if p.is("(") && !d.typedef && p.function(place, &dd) {
			if !first {
				p.err("a function must be declared by itself")
				return ds
			}
			f := p.funcDecl(&d, &dd, place, templ)
			if f == nil {
				return ds
			}
			return append(ds, f)
		}
		ds = append(ds, p.variable(&d, &dd, place, templ)...)
		if !p.accept(",") {
			p.expectSemi("declaration")
			return ds
		}
	}
	return ds
}

// nameless makes an anonymous member of a struct: its fields are those of the struct around it.
func (p *parser) nameless(tag *StructDecl) {
	tag.Name.Parts[0].Ident = ""
	for _, m := range tag.Members {
		if v, ok := m.(*VarDecl); ok {
			p.declare(p.scope, v.Name, symbol{kind: symValue})
		}
	}
}

// nameTypedef reads the name in typedef struct { ... } Name: the struct takes it for its own.
func (p *parser) nameTypedef(d *declSpec) {
	part := &d.tag.Name.Parts[0]
	name := p.ident()
	sc := p.scope.outermostIn(part.Ident)
	sym := sc.names[part.Ident]
	delete(sc.names, part.Ident)
	p.declare(sc, name, sym)
	part.Ident = name
}

// outermostIn gives the scope that declares name itself.
func (s *scope) outermostIn(name string) *scope {
	for ; s.outer != nil; s = s.outer {
		if _, ok := s.names[name]; ok {
			break
		}
	}
	return s
}

// unnamed makes up a name for a struct or enumeration without one.
func (p *parser) unnamed() string {
	p.anon++
	return fmt.Sprintf("%s%d)", unnamedPrefix, p.anon)
}

const unnamedPrefix = "(unnamed "

func isUnnamed(n *Name) bool { return strings.HasPrefix(n.Parts[0].Ident, unnamedPrefix) }

// function decides whether the parenthesis after a declared name opens parameters or an initialiser.
func (p *parser) function(place declPlace, dd *declarator) bool {
	if place == inBlock {
		return p.peek(1).is(")")
	}
	if place == inStruct || p.peek(1).is(")") || len(dd.name.Parts) > 1 {
		return true
	}
	isParams := p.look(func() bool {
		old := p.push()
		p.params()
		p.scope = old
		return true
	})
	// What reads neither way is taken for parameters, whose mistakes are told better.
	return isParams || !p.look(func() bool {
		p.next()
		p.callArgs(")")
		return p.accept(")") && (p.is(";") || p.is(","))
	})
}

// variable finishes one variable, field or typedef after its declarator.
func (p *parser) variable(d *declSpec, dd *declarator, place declPlace, templ *Template) []Decl {
	last := dd.name.Parts[len(dd.name.Parts)-1]
	if d.typedef {
		p.attributes()
		p.declare(p.scope, last.Ident, symbol{kind: symType, members: p.membersOf(dd.typ)})
		if n, ok := dd.typ.(*NamedType); ok && len(n.Name.Parts) == 1 && n.Name.Parts[0].Ident == last.Ident {
			return nil // typedef struct S S;
		}
		return []Decl{&TypeAlias{At: dd.at, Name: last.Ident, Type: dd.typ}}
	}
	if len(dd.name.Parts) > 1 {
		p.errPos(dd.at, "a static data member cannot be defined outside of its struct")
		return nil
	}
	if f, ok := dd.typ.(*FuncType); ok {
		p.errPos(f.At, "a function cannot be declared with parentheses around its name")
		return nil
	}
	v := &VarDecl{At: dd.at, Template: templ, Spec: d.Specifiers, Space: objectSpace(dd.typ), Type: dd.typ, Name: last.Ident}
	v.Attrs = append(append(v.Attrs, d.attrs...), dd.attrs...)
	if d.Kernel {
		p.errPos(dd.at, "'kernel' can only be applied to functions")
		return nil
	}
	sc, kind := p.scope, symValue
	if templ != nil {
		sc = p.scope.outer
		kind = symValueTemplate
	}
	if last.HasArgs {
		p.errPos(dd.at, "a specialisation of a variable template is not supported")
		return nil
	}
	p.declare(sc, last.Ident, symbol{kind: kind})
	if a, ok := p.attributes(); ok {
		v.Attrs = append(v.Attrs, a...)
	}
	switch {
	case p.accept("="):
		v.Init = p.initializer()
	case p.is("{"):
		v.Init = p.initList()
	case p.is("("):
		at := p.next().pos
		args := p.callArgs(")")
		p.expect(")")
		if _, auto := v.Type.(*AutoType); auto && len(args) == 1 {
			v.Init = args[0]
		} else {
			v.Init = &Construct{At: at, Type: v.Type, Args: args}
		}
	case p.is(":") && place == inStruct:
		p.err("bit-fields are not supported in Metal")
	}
	if a, ok := p.attributes(); ok {
		v.Attrs = append(v.Attrs, a...)
	}
	return []Decl{v}
}

// objectSpace gives the address space of an object of type t as written.
func objectSpace(t Type) string {
	for {
		switch x := t.(type) {
		case *ArrayType:
			t = x.Elem
			continue
		case *NamedType:
			return x.Space
		case *PointerType:
			return x.Space
		case *AutoType:
			return x.Space
		case *DecltypeType:
			return x.Space
		}
		return ""
	}
}

// membersOf gives the scope inside the struct that t names, if it is known.
func (p *parser) membersOf(t Type) *scope {
	n, ok := t.(*NamedType)
	if !ok {
		return nil
	}
	return p.resolve(n.Name).members
}

// resolve looks up a name that was read before.
func (p *parser) resolve(n *Name) symbol {
	var sym symbol
	for i, part := range n.Parts {
		switch {
		case i > 0:
			sym = member(sym, part.Ident, false)
		case n.Global:
			sym, _ = p.global.own(part.Ident)
		default:
			sym = p.scope.find(part.Ident)
		}
	}
	return sym
}

// initializer reads what follows = in a declaration.
func (p *parser) initializer() Expr {
	if p.is("{") {
		return p.initList()
	}
	return p.assignment()
}

// initList reads { a, .b = c, ... }.
func (p *parser) initList() Expr {
	l := &InitList{At: p.t.pos}
	if !p.enter() {
		return l
	}
	defer p.leave()
	p.expect("{")
	noGT := p.noGT
	p.noGT = false
	for !p.is("}") && !p.failed {
		name := ""
		if p.is(".") && p.peek(1).kind == kIdent {
			p.next()
			name = p.ident()
			if p.is(".") || p.is("[") {
				p.err("nested designators are not supported")
			}
			if !p.is("{") {
				p.expect("=")
			}
		} else if p.is("[") {
			p.err("array designators are not supported")
		}
		x := p.packed(p.initializer())
		if name != "" && l.Designators == nil {
			l.Designators = make([]string, len(l.Elems))
		}
		if l.Designators != nil {
			l.Designators = append(l.Designators, name)
		}
		l.Elems = append(l.Elems, x)
		if !p.accept(",") {
			break
		}
	}
	p.noGT = noGT
	p.expect("}")
	return l
}
