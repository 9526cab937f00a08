package syntax

import (
	"math"
	"strings"
)

// primary reads an operand without its suffixes.
func (p *parser) primary() Expr {
	t := p.t
	switch t.kind {
	case kNumber:
		p.next()
		n, err := parseNumber(t.text)
		if err != "" {
			p.errAt(t, err)
		}
		if n.float {
			return &FloatLit{At: t.pos, Value: n.val, Suffix: n.suffix}
		}
		return &IntLit{At: t.pos, Value: n.int, Unsigned: n.unsigned, Long: n.long, Decimal: n.decimal}
	case kChar:
		p.next()
		v, err := parseChar(t.text)
		if err != "" {
			p.errAt(t, err)
		}
		return &CharLit{At: t.pos, Value: v}
	case kString:
		return &StringLit{At: t.pos, Value: string(p.stringLit())}
	case kPunct:
		switch t.text {
		case "(":
			return p.parenthesised()
		case "::":
			return p.named()
		case "[":
			p.err("lambda expressions are not supported")
			return p.nothing()
		}
	case kIdent:
		return p.word()
	}
	p.err("expected an expression before " + p.describe())
	return p.nothing()
}

// stringLit reads adjacent string literals.
func (p *parser) stringLit() []byte {
	if p.t.kind != kString {
		p.err("expected a string literal before " + p.describe())
		return nil
	}
	var s []byte
	for p.t.kind == kString {
		t := p.next()
		b, err := unquote(t.text)
		if err != "" {
			p.errAt(t, err)
		}
		s = append(s, b...)
	}
	return s
}

// parenthesised reads (x) or a fold.
func (p *parser) parenthesised() Expr {
	at := p.next().pos
	noGT := p.noGT
	p.noGT = false
	defer func() { p.noGT = noGT }()
	if p.accept("...") {
		op := p.foldOperator()
		x := p.unary()
		p.expect(")")
		return &FoldExpr{At: at, Op: op, X: x, Left: true}
	}
	x := p.expression()
	if op, n := p.operator(); op != ")" && op != "" && p.peek(n).is("...") {
		f := &FoldExpr{At: at, Op: p.foldOperator(), X: x}
		p.expect("...")
		if !p.is(")") {
			if again := p.foldOperator(); again != f.Op {
				p.errPos(at, "operators of a fold expression must be the same")
			}
			f.Init = p.unary()
		}
		x = f
	}
	p.expect(")")
	return x
}

func (p *parser) foldOperator() string {
	op, n := p.operator()
	if precedence(op) == 0 && op != "," {
		p.err("expected an operator of a fold expression before " + p.describe())
	}
	for ; n > 0; n-- {
		p.next()
	}
	return op
}

// word reads an expression that begins with an identifier or keyword.
func (p *parser) word() Expr {
	t := p.t
	switch t.text {
	case "true", "false":
		p.next()
		return &BoolLit{At: t.pos, Value: t.text == "true"}
	case "nullptr":
		p.next()
		return &NullLit{At: t.pos}
	case "this":
		p.next()
		return &ThisExpr{At: t.pos}
	case "static_cast", "reinterpret_cast", "const_cast":
		p.next()
		c := &CastExpr{At: t.pos, Kind: t.text[:len(t.text)-len("_cast")]}
		noGT := p.noGT
		p.noGT = true
		p.expect("<")
		c.Type = p.typeID()
		p.noGT = noGT
		p.expect(">")
		p.expect("(")
		c.X = p.inParens(p.expression)
		p.expect(")")
		return c
	case "operator":
		return p.named()
	}
	if lit, ok := specialFloat(t.text); ok {
		p.next()
		lit.At = t.pos
		return &lit
	}
	if msg := rejected(t.text); msg != "" && !p.declaredName(t.text) {
		p.err(msg)
		return p.nothing()
	}
	if strings.HasPrefix(t.text, "__is_") && p.peek(1).is("(") && p.scope.find(t.text).kind == symUnknown {
		return p.typeTrait()
	}
	if p.startsType() {
		return p.construct()
	}
	if keyword(t.text) && t.text != "decltype" {
		p.err("expected an expression before " + p.describe())
		return p.nothing()
	}
	return p.named()
}

// typeTrait reads Clang's __is_empty(T) and its kin as the template-id __is_empty<T>.
func (p *parser) typeTrait() Expr {
	t := p.next()
	part := NamePart{Ident: t.text, HasArgs: true}
	p.expect("(")
	for !p.failed {
		part.Args = append(part.Args, TemplateArg{Type: p.typeID()})
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return &IdentExpr{Name: &Name{At: t.pos, Parts: []NamePart{part}}}
}

// named reads a name used as a value.
func (p *parser) named() Expr {
	if p.is("::") && p.startsType() {
		return p.construct()
	}
	n, _ := p.name(false)
	return &IdentExpr{Name: n}
}

// construct reads T(args) or T{args}.
func (p *parser) construct() Expr {
	at := p.t.pos
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	c := &Construct{At: at, Type: d.typ}
	switch {
	case p.accept("("):
		c.Args = p.callArgs(")")
		p.expect(")")
	case p.is("{"):
		l := p.initList().(*InitList)
		if l.Designators != nil {
			p.errPos(l.At, "designators are only supported in a declaration")
		}
		c.Args, c.Brace = l.Elems, true
	default:
		p.err("expected '(' after a type in an expression, before " + p.describe())
	}
	return c
}

// specialFloat gives the literal that a reserved name stands for: what INFINITY, NAN and their kin expand to.
func specialFloat(word string) (FloatLit, bool) {
	if len(word) < len("__metal_") || word[:2] != "__" {
		return FloatLit{}, false
	}
	switch word {
	case "__metal_inff", "__metal_infh", "__metal_infbf":
		return FloatLit{Value: math.Inf(1), Suffix: word[len("__metal_inf"):]}, true
	case "__metal_nanf":
		return FloatLit{Value: math.NaN(), Suffix: "f"}, true
	}
	return FloatLit{}, false
}
