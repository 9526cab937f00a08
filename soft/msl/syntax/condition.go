package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// condOperators are the names that ask a question in an #if and count as defined.
var condOperators = map[string]bool{
	"__has_include": true, "__has_feature": true, "__has_extension": true, "__has_attribute": true,
	"__has_builtin": true, "__has_cpp_attribute": true,
}

// condOperator handles defined and the __has_ operators at t, appending the answer to out. It reports whether t was one.
func (pp *preprocessor) condOperator(s *stream, t tok, out *[]tok) bool {
	answer := false
	switch {
	case t.text == "defined":
		name := s.get()
		paren := name.is("(")
		if paren {
			name = s.get()
		}
		if name.kind != kIdent {
			pp.errTok(t, "macro name missing after 'defined'")
		}
		answer = pp.isDefined(name.text)
		if paren {
			if end := s.get(); !end.is(")") {
				pp.errTok(t, "missing ')' after 'defined'")
			}
		}
	case condOperators[t.text]:
		open := s.get()
		if !open.is("(") {
			pp.errTok(t, "missing '(' after '"+t.text+"'")
			return true
		}
		var ts []tok
		for depth := 0; ; {
			a := s.get()
			if a.kind == kEOF {
				pp.errTok(t, "missing ')' after '"+t.text+"'")
				return true
			}
			if a.is("(") {
				depth++
			} else if a.is(")") {
				if depth == 0 {
					break
				}
				depth--
			}
			ts = append(ts, a)
		}
		if t.text == "__has_include" {
			name, n, ok := headerName(ts)
			if !ok || n != len(ts) {
				pp.errTok(t, "expected \"FILENAME\" or <FILENAME>")
			}
			answer = knownHeader(name)
		}
	default:
		return false
	}
	n := tok{kind: kNumber, text: "0", pos: t.pos}
	if answer {
		n.text = "1"
	}
	*out = append(*out, n)
	return true
}

// condValue evaluates the expression of an #if or #elif.
func (pp *preprocessor) condValue(at tok, rest []tok) bool {
	if len(rest) == 0 {
		pp.err(at.pos, "expected value in expression")
		return false
	}
	e := condExpr{pp: pp, ts: pp.expandAll(rest, true), at: at.pos}
	v := e.ternary(true)
	if !e.failed && e.i < len(e.ts) {
		e.fail("token is not a valid binary operator in a preprocessor subexpression")
	}
	return !e.failed && v.v != 0
}

// condNum is a value in an #if: 64 bits, signed or not.
type condNum struct {
	v        uint64
	unsigned bool
}

// condExpr evaluates an #if expression. live is false where a value is not needed, so that errors of value do not count.
type condExpr struct {
	pp     *preprocessor
	ts     []tok
	i      int
	at     token.Pos
	depth  int
	failed bool
}

func (e *condExpr) fail(text string) {
	if !e.failed {
		e.failed = true
		pos := e.at
		if e.i < len(e.ts) {
			pos = e.ts[e.i].pos
		}
		e.pp.err(pos, text)
	}
	e.i = len(e.ts)
}

func (e *condExpr) op() string {
	if e.i < len(e.ts) {
		t := &e.ts[e.i]
		if t.kind == kPunct {
			return t.text
		}
		if t.kind == kIdent {
			return alternative(t.text)
		}
	}
	return ""
}

func (e *condExpr) ternary(live bool) condNum {
	if e.depth++; e.depth > maxNesting {
		e.fail("expression is nested too deeply")
		return condNum{}
	}
	defer func() { e.depth-- }()
	c := e.binary(1, live)
	if e.op() != "?" {
		return c
	}
	e.i++
	x := e.ternary(live && c.v != 0)
	if e.op() != ":" {
		e.fail("expected ':' in expression")
		return condNum{}
	}
	e.i++
	y := e.ternary(live && c.v == 0)
	u := x.unsigned || y.unsigned
	if c.v == 0 {
		x = y
	}
	x.unsigned = u
	return x
}

// precedence gives the binding strength of a binary operator, or 0; the comma and assignments are left out.
func precedence(op string) int {
	switch op {
	case "||":
		return 1
	case "&&":
		return 2
	case "|":
		return 3
	case "^":
		return 4
	case "&":
		return 5
	case "==", "!=":
		return 6
	case "<", ">", "<=", ">=":
		return 7
	case "<<", ">>":
		return 8
	case "+", "-":
		return 9
	case "*", "/", "%":
		return 10
	}
	return 0
}

func (e *condExpr) binary(min int, live bool) condNum {
	x := e.unary(live)
	for !e.failed {
		op := e.op()
		p := precedence(op)
		if p < min || p == 0 {
			return x
		}
		at := e.i
		e.i++
		need := live && !(op == "&&" && x.v == 0) && !(op == "||" && x.v != 0)
		y := e.binary(p+1, need)
		x = e.apply(op, x, y, need, at)
	}
	return condNum{}
}

func (e *condExpr) apply(op string, x, y condNum, live bool, at int) condNum {
	u := x.unsigned || y.unsigned
	truth := func(b bool) condNum {
		if b {
			return condNum{v: 1}
		}
		return condNum{}
	}
	switch op {
	case "||":
		return truth(x.v != 0 || y.v != 0)
	case "&&":
		return truth(x.v != 0 && y.v != 0)
	case "==":
		return truth(x.v == y.v)
	case "!=":
		return truth(x.v != y.v)
	case "<":
		return truth(u && x.v < y.v || !u && int64(x.v) < int64(y.v))
	case ">":
		return truth(u && x.v > y.v || !u && int64(x.v) > int64(y.v))
	case "<=":
		return truth(u && x.v <= y.v || !u && int64(x.v) <= int64(y.v))
	case ">=":
		return truth(u && x.v >= y.v || !u && int64(x.v) >= int64(y.v))
	case "|":
		return condNum{x.v | y.v, u}
	case "^":
		return condNum{x.v ^ y.v, u}
	case "&":
		return condNum{x.v & y.v, u}
	case "<<":
		return condNum{x.v << min(y.v, 64), x.unsigned}
	case ">>":
		if x.unsigned {
			return condNum{x.v >> min(y.v, 64), true}
		}
		return condNum{uint64(int64(x.v) >> min(y.v, 63)), false}
	case "+":
		return condNum{x.v + y.v, u}
	case "-":
		return condNum{x.v - y.v, u}
	case "*":
		return condNum{x.v * y.v, u}
	}
	if y.v == 0 {
		if live {
			e.i = at
			e.fail("division by zero in preprocessor expression")
		}
		return condNum{unsigned: u}
	}
	switch {
	case op == "/" && u:
		return condNum{x.v / y.v, u}
	case op == "/":
		return condNum{uint64(int64(x.v) / int64(y.v)), u}
	case u:
		return condNum{x.v % y.v, u}
	}
	return condNum{uint64(int64(x.v) % int64(y.v)), u}
}

func (e *condExpr) unary(live bool) condNum {
	if e.depth++; e.depth > maxNesting {
		e.fail("expression is nested too deeply")
		return condNum{}
	}
	defer func() { e.depth-- }()
	switch e.op() {
	case "-":
		e.i++
		x := e.unary(live)
		return condNum{-x.v, x.unsigned}
	case "+":
		e.i++
		return e.unary(live)
	case "~":
		e.i++
		x := e.unary(live)
		return condNum{^x.v, x.unsigned}
	case "!":
		e.i++
		if e.unary(live).v == 0 {
			return condNum{v: 1}
		}
		return condNum{}
	case "(":
		e.i++
		x := e.ternary(live)
		if e.op() != ")" {
			e.fail("expected ')' in preprocessor expression")
		}
		e.i++
		return x
	}
	return e.primary()
}

func (e *condExpr) primary() condNum {
	if e.i >= len(e.ts) {
		e.fail("expected value in expression")
		return condNum{}
	}
	t := e.ts[e.i]
	switch t.kind {
	case kNumber:
		lit, err := parseNumber(t.text)
		if err != "" {
			e.fail(err)
			return condNum{}
		}
		if lit.float {
			e.fail("floating point literal in preprocessor expression")
			return condNum{}
		}
		e.i++
		return condNum{lit.int, lit.unsigned || lit.int > 1<<63-1}
	case kChar:
		v, err := parseChar(t.text)
		if err != "" {
			e.fail(err)
		}
		e.i++
		return condNum{v: uint64(v)}
	case kIdent:
		e.i++
		if t.text == "true" {
			return condNum{v: 1}
		}
		return condNum{} // a name that is no macro is zero
	}
	e.fail("invalid token at start of a preprocessor expression")
	return condNum{}
}
