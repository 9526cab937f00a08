package syntax

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
	depth := p.depth
	for p.is(",") && p.enter() {
		at := p.next().pos
		x = &BinaryExpr{At: at, Op: ",", X: x, Y: p.assignment()}
	}
	p.depth = depth
	return x
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
	// Operators in a row make a tree as deep as they are many, so each counts as a level.
	depth := p.depth
	defer func() { p.depth = depth }()
	for {
		op, width := p.operator()
		prec := precedence(op)
		if prec == 0 || prec < min || p.peek(width).is("...") || !p.enter() { // X op ... is a fold
			return x
		}
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
	depth := p.depth
	defer func() { p.depth = depth }()
	for {
		t := p.t
		if t.kind != kPunct || !suffix(t.text) || !p.enter() {
			return x
		}
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
		}
	}
}

func suffix(op string) bool {
	switch op {
	case "(", "[", ".", "->", "++", "--":
		return true
	}
	return false
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
	if p.is("<") && (templ || p.methods[part.Ident] && p.opensArgs(symbol{}, false, false)) {
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
