package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// block reads { ... } in a scope of its own.
func (p *parser) block() *Block {
	b := &Block{At: p.t.pos}
	if !p.enter() {
		return b
	}
	defer p.leave()
	old := p.push()
	noGT := p.noGT
	p.noGT = false
	p.expect("{")
	depth := p.depth
	for !p.is("}") && p.t.kind != kEOF && !p.errs.full {
		start, sc, nerr := p.i, p.scope, p.trying
		b.Stmts = append(b.Stmts, p.stmt())
		if p.failed && nerr == 0 {
			p.scope, p.depth, p.noGT = sc, depth, false
			p.recover(start)
		}
	}
	p.scope, p.noGT = old, noGT
	b.End = p.t.pos
	p.expect("}")
	return b
}

// stmt reads one statement.
func (p *parser) stmt() Stmt {
	at := p.t.pos
	if !p.enter() {
		return &EmptyStmt{At: at}
	}
	defer p.leave()
	p.attributes()
	if p.t.kind == kPunct {
		switch p.t.text {
		case "{":
			return p.block()
		case ";":
			p.next()
			return &EmptyStmt{At: at}
		}
	}
	if p.t.kind == kIdent {
		switch p.t.text {
		case "if":
			return p.ifStmt()
		case "for":
			return p.forStmt()
		case "while":
			return p.whileStmt()
		case "do":
			p.next()
			s := &DoStmt{At: at, Body: p.scoped()}
			if !p.acceptWord("while") {
				p.err("expected 'while' in do/while loop")
			}
			p.expect("(")
			s.Cond = p.inParens(p.expression)
			p.expect(")")
			p.expectSemi("do/while statement")
			return s
		case "switch":
			return p.switchStmt()
		case "case":
			p.next()
			s := &CaseStmt{At: at, Value: p.conditional()}
			if p.is("...") {
				p.err("case ranges are not supported")
			}
			p.expect(":")
			return s
		case "default":
			p.next()
			p.expect(":")
			return &CaseStmt{At: at}
		case "return":
			p.next()
			s := &ReturnStmt{At: at}
			if !p.is(";") {
				s.X = p.initializer()
			}
			p.expectSemi("return statement")
			return s
		case "break":
			p.next()
			p.expectSemi("break statement")
			return &BreakStmt{At: at}
		case "continue":
			p.next()
			p.expectSemi("continue statement")
			return &ContinueStmt{At: at}
		case "else":
			p.err("expected a statement before 'else': there is no if for it")
			return &EmptyStmt{At: at}
		}
		if msg := rejected(p.t.text); msg != "" && !p.declaredName(p.t.text) {
			p.err(msg)
			return &EmptyStmt{At: at}
		}
		if p.peek(1).is(":") && !keyword(p.t.text) {
			p.err("labels are not supported in Metal")
			return &EmptyStmt{At: at}
		}
	}
	if p.isDeclaration() {
		return &DeclStmt{At: at, Decls: p.declaration(inBlock, "")}
	}
	s := &ExprStmt{X: p.expression()}
	p.expectSemi("expression")
	return s
}

// scoped reads a statement that is a scope of its own.
func (p *parser) scoped() Stmt {
	old := p.push()
	s := p.stmt()
	p.scope = old
	return s
}

// isDeclaration decides whether the statement at hand declares something: what could be a declaration is one.
func (p *parser) isDeclaration() bool {
	t := p.t
	if t.kind != kIdent {
		return t.is("::") && p.look(p.typeThenName)
	}
	switch t.text {
	case "static", "inline", "constexpr", "extern", "typedef", "using", "static_assert", "_Static_assert", "template", "namespace",
		"const", "volatile", "struct", "class", "union", "enum", "auto", "kernel", "mutable", "alignas", "__attribute__", "explicit":
		return true
	case "typename", "decltype", "unsigned", "signed":
		return p.look(p.typeThenName)
	}
	if addressSpace(t.text) {
		return true
	}
	n := p.peek(1)
	if !basicType(t.text) {
		if keyword(t.text) {
			return false
		}
		sym := p.scope.find(t.text)
		qualified := n.is("::") || n.is("<")
		switch {
		case sym.kind == symUnknown && n.kind == kIdent && !keyword(n.text):
			return true // to be told that the type is unknown
		case !qualified && !isType(sym), sym.kind == symValue:
			return false
		}
	}
	if n.kind == kIdent && !keyword(n.text) {
		return true
	}
	return p.look(p.typeThenName)
}

// typeThenName reads a type and reports whether what follows can only be its declarator.
func (p *parser) typeThenName() bool {
	d := p.specifiers("")
	if d.typ == nil || p.failed {
		return false
	}
	switch {
	case p.t.kind == kIdent, p.is("*"), p.is("&"), p.is("&&"):
		return true
	case p.is("("):
		// T (*p)[4] and T (&r)[4], but T(*p) alone calls for a value.
		if n := p.peek(1); !n.is("*") && !n.is("&") {
			return false
		}
		p.skipBalanced()
		return p.is("[") || p.is("(")
	}
	return false
}

// condition reads what stands between the parentheses of if, while and switch: a declaration or an expression.
func (p *parser) condition() (*VarDecl, Expr) {
	if !p.isDeclaration() {
		return nil, p.expression()
	}
	at := p.t
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	dd := p.declarator(d.typ, declNamed)
	if p.failed {
		return nil, nil
	}
	vs := p.variable(&d, &dd, inBlock, nil)
	if len(vs) == 1 {
		if v, ok := vs[0].(*VarDecl); ok && v.Init != nil {
			return v, nil
		}
	}
	p.errAt(at, "variable declaration in condition must have an initializer")
	return nil, nil
}

// initThenCondition reads [init;] condition.
func (p *parser) initThenCondition() (Stmt, *VarDecl, Expr) {
	if !p.semicolonFirst() {
		v, x := p.condition()
		return nil, v, x
	}
	init := p.simpleStmt()
	v, x := p.condition()
	return init, v, x
}

// semicolonFirst reports whether a semicolon stands before the parenthesis we are in closes.
func (p *parser) semicolonFirst() bool {
	depth := 0
	for i := p.i; !p.failed && i < len(p.toks); i++ {
		if t := &p.toks[i]; t.kind == kPunct {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth == 0 {
					return false
				}
				depth--
			case ";":
				return depth == 0
			}
		}
	}
	return false
}

// simpleStmt reads the first part of a for header, or of an if or switch with an initialiser.
func (p *parser) simpleStmt() Stmt {
	at := p.t.pos
	if p.accept(";") {
		return nil
	}
	if p.isDeclaration() {
		return &DeclStmt{At: at, Decls: p.declaration(inBlock, "")}
	}
	s := &ExprStmt{X: p.expression()}
	p.expectSemi("expression")
	return s
}

func (p *parser) ifStmt() Stmt {
	s := &IfStmt{At: p.next().pos}
	s.Constexpr = p.acceptWord("constexpr")
	old := p.push()
	p.expect("(")
	s.Init, s.CondDecl, s.Cond = p.initThenCondition()
	p.expect(")")
	s.Then = p.scoped()
	if p.acceptWord("else") {
		s.Else = p.scoped()
	}
	p.scope = old
	return s
}

func (p *parser) forStmt() Stmt {
	s := &ForStmt{At: p.next().pos}
	old := p.push()
	p.expect("(")
	if p.rangeFor() {
		loop := p.rangeForStmt(s)
		p.scope = old
		return loop
	}
	s.Init = p.simpleStmt()
	if !p.is(";") {
		v, x := p.condition()
		if v != nil {
			p.errPos(v.At, "a declaration in the condition of a for loop is not supported")
		}
		s.Cond = x
	}
	p.expect(";")
	if !p.is(")") {
		s.Next = p.expression()
	}
	p.expect(")")
	s.Body = p.scoped()
	p.scope = old
	return s
}

// ArraySize is the name of a function that only the parser calls: it gives the number of elements of an array.
const ArraySize = "__array_size"

// rangeForStmt reads for (T x : r) body, as
//
//	{ auto &&__range = r; for (uint __i = 0; __i < __array_size(__range); ++__i) { T x = __range[__i]; body } }
func (p *parser) rangeForStmt(loop *ForStmt) Stmt {
	const array, index = "__range", "__i"
	d := p.specifiers("")
	p.wantType(&d)
	p.noDefinition(&d)
	dd := p.declarator(d.typ, declNamed)
	if p.failed {
		return loop
	}
	vs := p.variable(&d, &dd, inBlock, nil)
	p.expect(":")
	at := p.t.pos
	r := p.expression()
	p.expect(")")
	body := p.scoped()
	x, ok := &VarDecl{}, len(vs) == 1
	if ok {
		x, ok = vs[0].(*VarDecl)
	}
	if !ok || x.Init != nil {
		p.errPos(loop.At, "a range-based for loop declares one variable without an initializer")
		return loop
	}
	x.Init = &IndexExpr{At: at, X: identExpr(at, array), Index: identExpr(at, index)}
	uintType := &NamedType{Name: &Name{At: at, Parts: []NamePart{{Ident: "uint"}}}}
	size := &CallExpr{At: at, Fun: identExpr(at, ArraySize), Args: []Expr{identExpr(at, array)}}
	loop.Init = &DeclStmt{At: at, Decls: []Decl{&VarDecl{At: at, Type: uintType, Name: index, Init: &IntLit{At: at, Decimal: true}}}}
	loop.Cond = &BinaryExpr{At: at, Op: "<", X: identExpr(at, index), Y: size}
	loop.Next = &UnaryExpr{At: at, Op: "++", X: identExpr(at, index)}
	loop.Body = &Block{At: x.At, End: p.t.pos, Stmts: []Stmt{&DeclStmt{At: x.At, Decls: []Decl{x}}, body}}
	whole := &VarDecl{At: at, Type: &RefType{At: at, Elem: &AutoType{At: at}, RValue: true}, Name: array, Init: r}
	return &Block{At: loop.At, End: p.t.pos, Stmts: []Stmt{&DeclStmt{At: at, Decls: []Decl{whole}}, loop}}
}

// rangeFor reports whether the header at hand is that of a range-based for: a colon before any semicolon or question mark.
func (p *parser) rangeFor() bool {
	depth := 0
	for i := p.i; !p.failed && i < len(p.toks); i++ {
		if t := &p.toks[i]; t.kind == kPunct {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth == 0 {
					return false
				}
				depth--
			case ";", "?":
				if depth == 0 {
					return false
				}
			case ":":
				if depth == 0 {
					return true
				}
			}
		}
	}
	return false
}

// whileStmt reads a while loop. One that declares its condition is for (;;) { T x = e; if (!x) break; body }.
func (p *parser) whileStmt() Stmt {
	at := p.next().pos
	old := p.push()
	p.expect("(")
	v, x := p.condition()
	p.expect(")")
	body := p.scoped()
	p.scope = old
	if v == nil {
		return &WhileStmt{At: at, Cond: x, Body: body}
	}
	leave := &IfStmt{At: v.At, Cond: not(v.At, v.Name), Then: &BreakStmt{At: v.At}}
	b := &Block{At: at, End: p.t.pos, Stmts: []Stmt{&DeclStmt{At: v.At, Decls: []Decl{v}}, leave, body}}
	return &ForStmt{At: at, Body: b}
}

func not(at token.Pos, name string) Expr {
	return &UnaryExpr{At: at, Op: "!", X: identExpr(at, name)}
}

func identExpr(at token.Pos, name string) Expr {
	return &IdentExpr{Name: &Name{At: at, Parts: []NamePart{{Ident: name}}}}
}

// switchStmt reads a switch. One that declares something in its header is a block of the declaration and the switch.
func (p *parser) switchStmt() Stmt {
	s := &SwitchStmt{At: p.next().pos}
	old := p.push()
	p.expect("(")
	init, v, x := p.initThenCondition()
	p.expect(")")
	s.X = x
	if !p.is("{") {
		p.err("expected '{' after the header of a switch")
	}
	s.Body = p.block()
	p.scope = old
	if init == nil && v == nil {
		return s
	}
	b := &Block{At: s.At, End: s.Body.End}
	if init != nil {
		b.Stmts = append(b.Stmts, init)
	}
	if v != nil {
		b.Stmts = append(b.Stmts, &DeclStmt{At: v.At, Decls: []Decl{v}})
		s.X = identExpr(v.At, v.Name)
	}
	b.Stmts = append(b.Stmts, s)
	return b
}
