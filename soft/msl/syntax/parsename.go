package syntax

// name reads a possibly qualified name with its template arguments and gives what it stands for. With typename, members of
// types that are not known yet are taken for types.
func (p *parser) name(typename bool) (*Name, symbol) {
	if m, ok := p.names[p.i]; ok && m.epoch == p.epoch && m.typename == typename && !p.failed {
		p.set(m.end)
		return m.name, m.sym
	}
	at, epoch := p.i, p.epoch
	n, sym := p.readName(typename)
	if !p.failed && p.epoch == epoch && p.trying > 0 {
		p.names[at] = nameAt{n, sym, p.i, epoch, typename}
	}
	return n, sym
}

func (p *parser) readName(typename bool) (*Name, symbol) {
	n := &Name{At: p.t.pos}
	if !p.enter() {
		n.Parts = []NamePart{{}}
		return n, symbol{}
	}
	defer p.leave()
	var sym symbol
	first := true
	if p.accept("::") {
		n.Global, first = true, false
		sym = symbol{kind: symNamespace, members: p.global}
	}
	for {
		templ := !first && p.acceptWord("template")
		var part NamePart
		switch {
		case p.isWord("operator"):
			part, sym = p.operatorName(), symbol{kind: symValue}
		case p.is("~"):
			p.err("destructors are not supported")
			return n, symbol{}
		case first && p.isWord("decltype"):
			d := p.decltype()
			part = NamePart{Ident: "decltype", HasArgs: true, Args: []TemplateArg{{Expr: d.X}}}
			sym = symbol{kind: symType}
		case first:
			part.Ident = p.nameIdent()
			sym = p.scope.find(part.Ident)
		default:
			part.Ident = p.nameIdent()
			sym = member(sym, part.Ident, typename)
		}
		first = false
		if sym.alias != nil {
			// The tree has the namespace itself, so that only the parser knows of aliases.
			n.Global, n.Parts = sym.alias.Global, append([]NamePart(nil), sym.alias.Parts...)
			part = n.Parts[len(n.Parts)-1]
			n.Parts = n.Parts[:len(n.Parts)-1]
		}
		if p.is("<") && p.opensArgs(sym, templ, typename) {
			part.HasArgs = true
			part.Args = p.templateArgs()
			switch sym.kind {
			case symTypeTemplate:
				sym.kind = symType
			case symValueTemplate:
				sym.kind = symValue
			case symUnknown:
				if !p.is("::") {
					sym.kind = symValue
				}
			}
			if typename {
				sym.kind = symType
			}
		}
		if n.Parts = append(n.Parts, part); len(n.Parts) > maxDepth {
			p.err("the name is nested too deeply (limit 1024)")
		}
		if p.failed || !p.is("::") || p.peek(1).kind != kIdent && !p.peek(1).is("~") {
			return n, sym
		}
		if sym.kind == symValue && !sym.guess && !typename {
			p.err("'" + part.Ident + "' is not a class, namespace, or enumeration")
			return n, sym
		}
		p.next()
	}
}

// nameIdent reads a component of a name: built-in type words are names too.
func (p *parser) nameIdent() string {
	if p.t.kind == kIdent && basicType(p.t.text) {
		return p.next().text
	}
	return p.ident()
}

// basicType reports whether a keyword is a whole built-in type by itself.
func basicType(word string) bool {
	switch word {
	case "void", "bool", "half", "float", "double", "int", "char", "short", "long":
		return true
	}
	return false
}

// member finds a name inside what sym stands for.
func member(sym symbol, name string, typename bool) symbol {
	if sym.members != nil {
		if m, ok := sym.members.own(name); ok {
			return m
		}
	}
	if sym.kind == symNamespace {
		return builtin(name)
	}
	if typename || typeMember(name) {
		return symbol{kind: symType, guess: true}
	}
	return symbol{kind: symValue, guess: true}
}

// opensArgs decides whether the < at hand opens template arguments. A name nobody has declared may be a template of
// Metal's library: then it is one if what follows reads as arguments and is used as a template is.
func (p *parser) opensArgs(sym symbol, templ, typename bool) bool {
	switch sym.kind {
	case symTypeTemplate, symValueTemplate:
		return true
	case symUnknown:
		if templ {
			return true
		}
		if a, ok := p.args[p.i]; ok && a.epoch == p.epoch {
			return a.opens
		}
		opens := p.look(func() bool {
			p.templateArgs()
			return p.is("(") || p.is("::") || p.is("{")
		})
		p.args[p.i] = argsAt{opens, p.epoch}
		return opens
	}
	return templ || typename && sym.kind == symType && sym.members == nil
}

// templateArgs reads <...>.
func (p *parser) templateArgs() []TemplateArg {
	p.expect("<")
	args := []TemplateArg{}
	noGT := p.noGT
	p.noGT = true
	for !p.is(">") && !p.failed {
		args = append(args, p.templateArg())
		if !p.accept(",") {
			break
		}
	}
	p.noGT = noGT
	p.expect(">")
	return args
}

func (p *parser) templateArg() TemplateArg {
	var a TemplateArg
	if p.startsType() {
		ok := p.try(func() bool {
			a.Type = p.typeID()
			return p.is(",") || p.is(">") || p.is("...")
		})
		if !ok {
			a.Type = nil
		}
	}
	if a.Type == nil {
		unknown := p.t.kind == kIdent && p.scope.find(p.t.text).kind == symUnknown && (p.peek(1).is(",") || p.peek(1).is(">"))
		a.Expr = p.conditional()
		if id, ok := a.Expr.(*IdentExpr); ok && unknown {
			a.Type = &NamedType{Name: id.Name}
		}
	}
	if p.accept("...") {
		a.Pack = true
	}
	return a
}

// operatorName reads operator and what it is an operator of. A conversion's Ident is "operator T"; its type is left to be read.
func (p *parser) operatorName() NamePart {
	p.next()
	if p.t.kind != kPunct {
		switch p.t.text {
		case "new", "delete":
			p.err("operator " + p.t.text + " is not supported")
		}
		return NamePart{Ident: "operator T"}
	}
	t := p.next()
	op := t.text
	switch {
	case op == "(":
		p.expect(")")
		op = "()"
	case op == "[":
		p.expect("]")
		op = "[]"
	case op == ">" && t.glued:
		op += p.next().text
	case op == "::":
		p.err("a conversion to a globally qualified type is not supported")
	case !overloadable(op):
		p.errAt(t, "'"+op+"' cannot be overloaded")
	}
	return NamePart{Ident: "operator" + op}
}

func overloadable(op string) bool {
	switch op {
	case "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", ">", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<",
		"<<=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", ",", "->":
		return true
	}
	return false
}
