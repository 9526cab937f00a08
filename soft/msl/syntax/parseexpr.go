package syntax

import "math"

// maxChain bounds operators and suffixes in a row, which make a tree as deep as they are many.
const maxChain = 4096

// inParens reads with f where > is an operator again.
func (p *parser) inParens(f func() Expr) Expr {
	noGT := p.noGT
	p.noGT = false
	x := f()
	p.noGT = noGT
	return x
}

// expression reads an expression with commas.
func (p *parser) expression() Expr {
	x := p.assignment()
	for n := 0; p.is(","); n++ {
		p.chain(n)
		at := p.next().pos
		x = &BinaryExpr{At: at, Op: ",", X: x, Y: p.assignment()}
	}
	return x
}

func (p *parser) chain(n int) {
	if n == maxChain {
		p.err("the expression is too long (limit 4096 operators in a row)")
	}
}

// operator gives the binary or assignment operator at hand and how many tokens it spans, or "".
func (p *parser) operator() (string, int) {
	t := p.t
	if t.kind != kPunct {
		return "", 0
	}
	if t.text == ">" {
		if p.noGT {
			return "", 0
		}
		if t.glued {
			return ">" + p.peek(1).text, 2
		}
	}
	return t.text, 1
}

// assignment reads an expression without commas.
func (p *parser) assignment() Expr {
	if !p.enter() {
		return p.nothing()
	}
	defer p.leave()
	if p.isWord("throw") {
		p.err(rejected("throw"))
		return p.nothing()
	}
	x := p.conditionalOf(p.binary(1))
	op, n := p.operator()
	switch op {
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
	default:
		return x
	}
	at := p.next().pos
	if n == 2 {
		p.next()
	}
	return &AssignExpr{At: at, Op: op, X: x, Y: p.initializer()}
}

// conditional reads a constant expression: no assignment and no comma.
func (p *parser) conditional() Expr {
	if !p.enter() {
		return p.nothing()
	}
	defer p.leave()
	return p.conditionalOf(p.binary(1))
}

func (p *parser) conditionalOf(c Expr) Expr {
	if !p.is("?") {
		return c
	}
	at := p.next().pos
	if p.is(":") {
		p.err("a conditional expression without a middle operand is not supported")
	}
	x := p.inParens(p.expression)
	p.expect(":")
	return &CondExpr{At: at, Cond: c, X: x, Y: p.assignment()}
}

func (p *parser) binary(min int) Expr {
	x := p.unary()
	for n := 0; ; n++ {
		op, width := p.operator()
		prec := precedence(op)
		if prec == 0 || prec < min {
			return x
		}
		if p.peek(width).is("...") {
			return x // a fold
		}
		p.chain(n)
		at := p.next().pos
		if width == 2 {
			p.next()
		}
		x = &BinaryExpr{At: at, Op: op, X: x, Y: p.binary(prec + 1)}
	}
}

// nothing stands for an expression after an error.
func (p *parser) nothing() Expr { return &IntLit{At: p.eof.pos} }

func (p *parser) unary() Expr {
	t := p.t
	if !p.enter() {
		return p.nothing()
	}
	defer p.leave()
	if t.kind == kPunct {
		switch t.text {
		case "-", "+", "!", "~", "*", "&", "++", "--":
			p.next()
			return &UnaryExpr{At: t.pos, Op: t.text, X: p.unary()}
		case "(":
			if x := p.cast(); x != nil {
				return x
			}
		}
	} else if t.kind == kIdent {
		switch t.text {
		case "sizeof", "alignof", "_Alignof", "__alignof__":
			return p.sizeof()
		}
	}
	return p.suffixed(p.primary())
}

// cast reads (T)x, or gives nil if the parenthesis opens an expression.
func (p *parser) cast() Expr {
	at := p.t.pos
	p.next()
	starts := p.startsType()
	p.set(p.i - 1)
	if !starts || p.failed {
		return nil
	}
	noGT := p.noGT
	p.noGT = false
	var t Type
	ok := p.try(func() bool {
		p.next()
		t = p.typeID()
		return p.is(")")
	})
	p.noGT = noGT
	if !ok {
		return nil
	}
	p.next()
	if p.is("{") {
		l := p.initList().(*InitList)
		if l.Designators != nil {
			p.errPos(l.At, "designators in a compound literal are not supported")
		}
		return p.suffixed(&Construct{At: at, Type: t, Args: l.Elems, Brace: true})
	}
	return &CastExpr{At: at, Type: t, X: p.unary()}
}

func (p *parser) sizeof() Expr {
	t := p.next()
	s := &SizeofExpr{At: t.pos, Align: t.text != "sizeof"}
	if p.accept("...") {
		s.Pack = true
		p.expect("(")
		at := p.t.pos
		s.X = identExpr(at, p.ident())
		p.expect(")")
		return s
	}
	if p.is("(") {
		p.next()
		starts := p.startsType()
		if starts {
			ok := p.try(func() bool {
				noGT := p.noGT
				p.noGT = false
				s.Type = p.typeID()
				p.noGT = noGT
				return p.accept(")")
			})
			if ok {
				return s
			}
			s.Type = nil
		}
		p.set(p.i - 1)
	}
	s.X = p.unary()
	return s
}

// suffixed reads calls, indices, members and postfix operators behind x.
func (p *parser) suffixed(x Expr) Expr {
	for n := 0; ; n++ {
		t := p.t
		if t.kind != kPunct {
			return x
		}
		p.chain(n)
		switch t.text {
		case "(":
			p.next()
			x = &CallExpr{At: t.pos, Fun: x, Args: p.callArgs(")")}
			p.expect(")")
		case "[":
			p.next()
			i := p.inParens(p.initializerList)
			p.expect("]")
			x = &IndexExpr{At: t.pos, X: x, Index: i}
		case ".", "->":
			p.next()
			x = &MemberExpr{At: t.pos, X: x, Arrow: t.text == "->", Name: p.memberName()}
		case "++", "--":
			p.next()
			x = &UnaryExpr{At: t.pos, Op: t.text, X: x, Postfix: true}
		default:
			return x
		}
		if p.failed {
			return x
		}
	}
}

// initializerList reads what stands in an index.
func (p *parser) initializerList() Expr {
	if p.is("{") {
		return p.initList()
	}
	return p.expression()
}

// memberName reads the name behind . or ->.
func (p *parser) memberName() NamePart {
	templ := p.acceptWord("template")
	if p.isWord("operator") {
		return p.operatorName()
	}
	if p.is("~") {
		p.err("destructors are not supported")
		return NamePart{}
	}
	part := NamePart{Ident: p.ident()}
	if p.is("<") && (templ || p.methods[part.Ident]) {
		part.HasArgs = true
		part.Args = p.templateArgs()
	}
	if p.is("::") {
		p.err("a qualified member name is not supported")
	}
	return part
}

// callArgs reads arguments up to, not past, the closing bracket.
func (p *parser) callArgs(end string) []Expr {
	noGT := p.noGT
	p.noGT = false
	args := []Expr{}
	for !p.is(end) && !p.failed {
		args = append(args, p.packed(p.initializer()))
		if !p.accept(",") {
			break
		}
	}
	p.noGT = noGT
	return args
}

// packed makes x a pack expansion if ... follows.
func (p *parser) packed(x Expr) Expr {
	if !p.is("...") {
		return x
	}
	return &PackExpr{At: p.next().pos, X: x}
}

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
	if p.startsType() {
		return p.construct()
	}
	if keyword(t.text) {
		p.err("expected an expression before " + p.describe())
		return p.nothing()
	}
	return p.named()
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
