package syntax

// stream is a source of tokens under macro expansion: a stack of tokens to be read again and, under it, the text itself or
// nothing.
type stream struct {
	pp      *preprocessor
	pending []tok // last first
	text    bool  // draw from the lexer when pending is empty
	cond    bool  // in an #if: "defined" does not expand what it names
}

func (s *stream) get() tok {
	if n := len(s.pending); n > 0 {
		t := s.pending[n-1]
		s.pending = s.pending[:n-1]
		return t
	}
	if !s.text {
		return tok{kind: kEOF, pos: s.pp.at}
	}
	space := false
	for {
		t := s.pp.lex.next()
		if t.kind != kNewline {
			t.space = t.space || space
			return t
		}
		space = true
	}
}

func (s *stream) unget(t tok) { s.pending = append(s.pending, t) }

func (s *stream) push(ts []tok) {
	for i := len(ts) - 1; i >= 0; i-- {
		s.pending = append(s.pending, ts[i])
	}
}

// expand replaces the macro use that t begins, if it does, by pushing its result back to be read again. It reports whether
// it did. This is Prosser's algorithm: each token carries the set of macros that may not expand there.
func (s *stream) expand(t tok) bool {
	pp := s.pp
	if t.kind != kIdent || pp.fatal {
		return false
	}
	m := pp.lookup(t.text)
	if m == nil || t.hide.has(m) {
		return false
	}
	var args [][]tok
	hide := t.hide
	if m.fn {
		open := s.get()
		if !open.is("(") {
			s.unget(open)
			return false
		}
		var end tok
		var ok bool
		if args, end, ok = s.args(t, m); !ok {
			return true
		}
		hide = t.hide.intersect(end.hide)
	}
	if m.dynamic != "" {
		s.push([]tok{pp.dynamic(m, t)})
		return true
	}
	out := pp.substitute(t, m, args, hide.with(m))
	if len(out) > 0 {
		out[0].space = t.space
	}
	s.push(out)
	return true
}

// argCost is what a token of an argument counts for among those that macros produce: nested uses read it once a level.
const argCost = 8

// args reads the arguments of a use of m after its opening parenthesis.
func (s *stream) args(use tok, m *macro) (args [][]tok, end tok, ok bool) {
	depth := 0
	cur := []tok{}
	for {
		t := s.get()
		switch {
		case t.kind == kEOF:
			s.pp.errTok(use, "unterminated argument list invoking macro '"+m.name+"'")
			s.unget(t)
			return nil, t, false
		case t.bol && t.is("#") && t.from == nil && s.text:
			s.pp.directive(t)
			continue
		case t.is("("):
			depth++
		case t.is(")"):
			if depth == 0 {
				args = append(args, cur)
				return s.fit(use, m, args, t)
			}
			depth--
		case t.is(",") && depth == 0 && !(m.variadic && len(args) == len(m.params)-1):
			args = append(args, cur)
			cur = []tok{}
			continue
		}
		t.bol = false
		cur = append(cur, t)
		if s.pp.spend(argCost) {
			return nil, t, false
		}
	}
}

// fit checks the number of arguments against the parameters.
func (s *stream) fit(use tok, m *macro, args [][]tok, end tok) ([][]tok, tok, bool) {
	switch {
	case len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0:
		return nil, end, true
	case len(args) == len(m.params):
		return args, end, true
	case m.variadic && len(args) == len(m.params)-1:
		return append(args, nil), end, true
	case len(args) > len(m.params):
		s.pp.errTok(use, "too many arguments provided to function-like macro invocation of '"+m.name+"'")
	default:
		s.pp.errTok(use, "too few arguments provided to function-like macro invocation of '"+m.name+"'")
	}
	return nil, end, false
}

// expandAll expands a finished list of tokens by itself.
func (pp *preprocessor) expandAll(ts []tok, cond bool) []tok {
	plain := true
	for i := range ts {
		if ts[i].kind == kIdent && (cond || pp.lookup(ts[i].text) != nil) {
			plain = false
			break
		}
	}
	if plain {
		return ts
	}
	if pp.depth >= maxNesting {
		pp.errTok(ts[0], "macro arguments are nested too deeply")
		pp.fatal = true
		return nil
	}
	pp.depth++
	defer func() { pp.depth-- }()
	s := stream{pp: pp, cond: cond}
	s.push(ts)
	var out []tok
	for {
		t := s.get()
		if t.kind == kEOF || pp.fatal {
			return out
		}
		if cond && t.kind == kIdent && pp.condOperator(&s, t, &out) {
			continue
		}
		if !s.expand(t) {
			out = append(out, t)
		}
	}
}
