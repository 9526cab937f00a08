package syntax

import (
	"strconv"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// condition is an open #if.
type condition struct {
	pos   token.Pos
	taken bool // a branch was taken
	other bool // #else was seen
}

// line reads the rest of a directive's line.
func (pp *preprocessor) line() []tok {
	var ts []tok
	for {
		t := pp.lex.next()
		if t.kind == kNewline || t.kind == kEOF {
			return ts
		}
		t.bol = false
		ts = append(ts, t)
	}
}

// directive handles the line that the # token begins. What is left over at the end of a line is ignored: Clang only warns of it.
func (pp *preprocessor) directive(hash tok) {
	pp.at = hash.pos
	ts := pp.line()
	if len(ts) == 0 {
		return
	}
	name := ts[0]
	rest := ts[1:]
	if name.kind == kNumber { // "# 12 "file"", as preprocessed text has it
		pp.lineDirective(name, ts)
		return
	}
	switch name.text {
	case "define":
		pp.define(name, rest)
	case "undef":
		if pp.macroName(name, rest) {
			pp.macros[rest[0].text] = nil
		}
	case "if":
		pp.open(name, pp.condValue(name, rest))
	case "ifdef", "ifndef":
		ok := pp.macroName(name, rest)
		if ok {
			ok = pp.isDefined(rest[0].text) == (name.text == "ifdef")
		}
		pp.open(name, ok)
	case "elif", "elifdef", "elifndef", "else":
		if pp.other(name) {
			pp.skip()
		}
	case "endif":
		if len(pp.conds) == 0 {
			pp.err(name.pos, "#endif without #if")
			return
		}
		pp.conds = pp.conds[:len(pp.conds)-1]
	case "error":
		pp.err(name.pos, spell(rest))
	case "warning", "pragma", "ident":
		// They ask for nothing that changes the meaning.
	case "include", "import":
		pp.include(name, rest)
	case "line":
		if len(rest) == 0 {
			pp.err(name.pos, "#line directive requires a positive integer argument")
			return
		}
		pp.lineDirective(name, pp.expandAll(rest, false))
	default:
		pp.err(name.pos, "invalid preprocessing directive '#"+name.text+"'")
	}
}

// spell gives tokens as text, white space as single blanks.
func spell(ts []tok) string {
	var b strings.Builder
	for i := range ts {
		if i > 0 && ts[i].space {
			b.WriteByte(' ')
		}
		b.WriteString(ts[i].text)
	}
	return b.String()
}

// macroName checks that rest begins with a name that may be defined.
func (pp *preprocessor) macroName(at tok, rest []tok) bool {
	switch {
	case len(rest) == 0:
		pp.err(at.pos, "macro name missing")
	case rest[0].kind != kIdent:
		pp.err(rest[0].pos, "macro name must be an identifier")
	case rest[0].text == "defined":
		pp.err(rest[0].pos, "'defined' cannot be used as a macro name")
	default:
		return true
	}
	return false
}

func (pp *preprocessor) isDefined(name string) bool {
	return pp.lookup(name) != nil || condOperators[name]
}

// define handles #define.
func (pp *preprocessor) define(at tok, rest []tok) {
	if !pp.macroName(at, rest) {
		return
	}
	m := &macro{name: rest[0].text, pos: rest[0].pos}
	body := rest[1:]
	if len(body) > 0 && body[0].is("(") && !body[0].space {
		n, ok := pp.params(m, body)
		if !ok {
			return
		}
		body = body[n:]
	}
	m.body = body
	if len(body) > 0 && (body[0].is("##") || body[len(body)-1].is("##")) {
		pp.err(body[0].pos, "'##' cannot appear at either end of a macro expansion")
		return
	}
	m.number()
	if m.fn {
		for i := range body {
			if body[i].is("#") && (i+1 == len(body) || m.param[i+1] < 0 && body[i+1].text != "__VA_OPT__") {
				pp.err(body[i].pos, "'#' is not followed by a macro parameter")
				return
			}
		}
	}
	// A different earlier definition is only worth a warning to Clang, and the new one holds.
	pp.macros[m.name] = m
}

// params reads the parameter list of a function-like macro and gives how many tokens it spans.
func (pp *preprocessor) params(m *macro, ts []tok) (int, bool) {
	m.fn = true
	i := 1
	if i < len(ts) && ts[i].is(")") {
		return 2, true
	}
	for i < len(ts) {
		switch {
		case ts[i].is("..."):
			m.variadic = true
			m.params = append(m.params, "__VA_ARGS__")
			i++
		case ts[i].kind == kIdent:
			for _, p := range m.params {
				if p == ts[i].text {
					pp.err(ts[i].pos, "duplicate macro parameter name '"+p+"'")
					return 0, false
				}
			}
			m.params = append(m.params, ts[i].text)
			i++
			if i < len(ts) && ts[i].is("...") {
				m.variadic = true
				i++
			}
		default:
			pp.err(ts[i].pos, "invalid token in macro parameter list")
			return 0, false
		}
		switch {
		case i < len(ts) && ts[i].is(")"):
			return i + 1, true
		case i < len(ts) && ts[i].is(",") && !m.variadic:
			i++
		case i < len(ts):
			pp.err(ts[i].pos, "expected comma in macro parameter list")
			return 0, false
		}
	}
	pp.err(m.pos, "missing ')' in macro parameter list")
	return 0, false
}

// open begins a conditional.
func (pp *preprocessor) open(at tok, take bool) {
	pp.conds = append(pp.conds, condition{pos: at.pos, taken: take})
	if !take {
		pp.skip()
	}
}

// other handles the start of another branch after a taken one, and reports whether text is to be skipped.
func (pp *preprocessor) other(name tok) bool {
	if len(pp.conds) == 0 {
		pp.err(name.pos, "#"+name.text+" without #if")
		return false
	}
	c := &pp.conds[len(pp.conds)-1]
	if c.other {
		pp.err(name.pos, "#"+name.text+" after #else")
	}
	c.other = c.other || name.text == "else"
	return true
}

// skip reads past text that is not taken, up to the branch that is or the #endif.
func (pp *preprocessor) skip() {
	depth := 0
	for {
		t := pp.lex.next()
		if t.kind == kEOF {
			return
		}
		if !t.bol || !t.is("#") {
			continue
		}
		name := pp.lex.next()
		if name.kind == kNewline || name.kind == kEOF {
			continue
		}
		c := &pp.conds[len(pp.conds)-1]
		switch name.text {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			if depth == 0 {
				pp.line()
				pp.conds = pp.conds[:len(pp.conds)-1]
				return
			}
			depth--
		case "else", "elif", "elifdef", "elifndef":
			if depth > 0 {
				break
			}
			rest := pp.line()
			pp.other(name)
			if c.taken {
				break
			}
			switch name.text {
			case "else":
				c.taken = true
			case "elif":
				pp.at = name.pos
				c.taken = pp.condValue(name, rest)
			default:
				c.taken = pp.macroName(name, rest) && pp.isDefined(rest[0].text) == (name.text == "elifdef")
			}
			if c.taken {
				return
			}
			continue
		}
	}
}

// maxLine keeps line numbers far from overflow.
const maxLine = 1 << 30

// lineDirective sets the line number, and the name of the file if given, of the line that follows.
func (pp *preprocessor) lineDirective(at tok, ts []tok) {
	n := int64(0)
	if len(ts) > 0 && ts[0].kind == kNumber {
		if v, err := strconv.ParseInt(ts[0].text, 10, 32); err == nil && v <= maxLine {
			n = v
		}
	}
	if n < 1 {
		pp.err(at.pos, "#line directive requires a positive integer argument")
		return
	}
	if len(ts) > 1 {
		if ts[1].kind != kString {
			pp.err(ts[1].pos, "invalid filename for #line directive")
			return
		}
		name, _ := unquote(ts[1].text)
		pp.lex.file = &token.File{Name: string(name)}
	}
	l := pp.lex
	l.delta = 0
	l.delta = int32(n) - l.pos(l.off).Line
}

// include accepts the headers of Metal's library, whose contents the compiler knows without text.
func (pp *preprocessor) include(at tok, rest []tok) {
	if len(rest) > 0 && !rest[0].is("<") && rest[0].kind != kString {
		rest = pp.expandAll(rest, false)
	}
	name, _, ok := headerName(rest)
	if !ok {
		pp.err(at.pos, "expected \"FILENAME\" or <FILENAME>")
		return
	}
	if !knownHeader(name) {
		pp.err(rest[0].pos, "'"+name+"' file not found")
	}
}

// headerName reads <name> or "name" and gives how many tokens it spans.
func headerName(ts []tok) (name string, n int, ok bool) {
	if len(ts) == 0 {
		return "", 0, false
	}
	if ts[0].kind == kString {
		return ts[0].text[1 : len(ts[0].text)-1], 1, true
	}
	if !ts[0].is("<") {
		return "", 0, false
	}
	var b strings.Builder
	for i := 1; i < len(ts); i++ {
		if ts[i].is(">") {
			return b.String(), i + 1, true
		}
		b.WriteString(ts[i].text)
	}
	return "", 0, false
}
