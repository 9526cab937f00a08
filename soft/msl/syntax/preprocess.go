package syntax

import (
	"sort"
	"strconv"

	"github.com/puremetal/puremetal/soft/msl/token"
)

const (
	maxErrors    = 20      // diagnostics before giving up
	maxDepth     = 1024    // nesting of expressions, statements and types: the depth of the tree
	maxNesting   = 256     // nesting of macro arguments
	maxExpansion = 1 << 22 // tokens that macros may produce in all
	maxSource    = 1 << 26 // bytes of text, so that offsets fit 32 bits
)

// preprocessor turns a source text into the tokens the parser reads.
type preprocessor struct {
	lex     *lexer
	out     []tok
	macros  map[string]*macro // by this text; nil hides a predefined macro
	base    map[string]*macro // predefined
	conds   []condition
	at      token.Pos // where the directive or line being read stands
	counter int
	depth   int
	spent   int
	fatal   bool
	errs    *errorList
}

// errorList collects diagnostics up to the cap.
type errorList struct {
	list token.ErrorList
	full bool
}

func (l *errorList) add(pos token.Pos, text string, notes []token.Note) {
	if l.full {
		return
	}
	if len(l.list) == maxErrors {
		l.full = true
		l.list = append(l.list, &token.Error{Pos: pos, Text: "too many errors emitted, stopping now"})
		return
	}
	l.list = append(l.list, &token.Error{Pos: pos, Text: text, Notes: notes})
}

func (pp *preprocessor) err(pos token.Pos, text string) { pp.errs.add(pos, text, nil) }

func (pp *preprocessor) errTok(t tok, text string) { pp.errs.add(t.pos, text, t.from.notes()) }

// spend counts work done by macro expansion and reports whether the limit is passed.
func (pp *preprocessor) spend(n int) bool {
	if pp.spent += n; pp.spent > maxExpansion && !pp.fatal {
		pp.err(pp.at, "macro expansion produces too many tokens")
		pp.fatal = true
	}
	return pp.fatal
}

func (pp *preprocessor) lookup(name string) *macro {
	if m, ok := pp.macros[name]; ok {
		return m
	}
	return pp.base[name]
}

// preprocess gives the tokens of src after preprocessing, ended by a kEOF token.
func preprocess(file *token.File, src string, macros map[string]string, version int, errs *errorList) []tok {
	pp := &preprocessor{macros: map[string]*macro{}, base: predefined(version), errs: errs}
	names := make([]string, 0, len(macros))
	for name := range macros {
		names = append(names, name)
	}
	sort.Strings(names)
	options := &token.File{Name: "<command line>"}
	for _, name := range names {
		pp.defineOption(options, name, macros[name])
	}
	pp.lex = newLexer(file, src, pp.err)
	pp.out = make([]tok, 0, 64+len(src)/5)
	pp.run()
	return pp.out
}

// defineOption defines an object-like macro given with the compile options.
func (pp *preprocessor) defineOption(file *token.File, name, body string) {
	for i := 0; i < len(name); i++ {
		if !isIdentStart(name[i]) && (i == 0 || !isDigit(name[i])) {
			name = ""
		}
	}
	if name == "" || name == "defined" {
		pp.err(token.Pos{File: file, Line: 1, Col: 1}, "the name of a macro option must be an identifier")
		return
	}
	pp.macros[name] = objectMacro(file, name, body, pp.err)
}

// objectMacro makes an object-like macro from text.
func objectMacro(file *token.File, name, body string, errs func(token.Pos, string)) *macro {
	m := &macro{name: name, pos: token.Pos{File: file, Line: 1, Col: 1}}
	l := newLexer(file, body, errs)
	for t := l.next(); t.kind != kEOF; t = l.next() {
		if t.kind != kNewline {
			t.bol = false
			m.body = append(m.body, t)
		}
	}
	m.number()
	return m
}

// number finds the parameters in the body.
func (m *macro) number() {
	m.param = make([]int, len(m.body))
	for i := range m.body {
		m.param[i] = -1
		if m.body[i].kind == kIdent {
			for p, name := range m.params {
				if name == m.body[i].text {
					m.param[i] = p
				}
			}
		}
	}
}

func (pp *preprocessor) run() {
	s := stream{pp: pp, text: true}
	for !pp.fatal && !pp.errs.full {
		t := s.get()
		pp.at = t.pos
		switch {
		case t.kind == kEOF:
			for _, c := range pp.conds {
				pp.err(c.pos, "unterminated conditional directive")
			}
			pp.out = append(pp.out, t)
			return
		case t.bol && t.is("#") && t.from == nil:
			pp.directive(t)
		case t.kind == kIdent && t.text == "_Pragma":
			pp.pragmaOperator(&s, t)
		case !s.expand(t):
			pp.emit(t)
		}
	}
	pp.out = append(pp.out, tok{kind: kEOF, pos: pp.at})
}

// emit hands a token to the parser. Templates close with single > tokens, so >> and >>= are split in two.
func (pp *preprocessor) emit(t tok) {
	t.hide = nil
	switch t.kind {
	case kIdent:
		if op := alternative(t.text); op != "" {
			t.kind, t.text = kPunct, op
		}
	case kPunct:
		if len(t.text) > 1 && t.text[0] == '>' && t.text[1] == '>' {
			rest := t
			t.text, t.glued = ">", true
			rest.text, rest.space, rest.bol = rest.text[1:], false, false
			rest.pos.Col++
			pp.out = append(pp.out, t, rest)
			return
		}
	case kBad:
		switch t.text[0] {
		case '"':
			pp.errTok(t, `missing terminating '"' character`)
		case '\'':
			pp.errTok(t, "missing terminating ' character")
		default:
			pp.errTok(t, "unexpected character "+strconv.QuoteToASCII(t.text))
		}
		return
	}
	pp.out = append(pp.out, t)
}

// alternative gives the operator that an alternative token such as "and" stands for, or "".
func alternative(name string) string {
	switch name {
	case "and":
		return "&&"
	case "or":
		return "||"
	case "not":
		return "!"
	case "not_eq":
		return "!="
	case "bitand":
		return "&"
	case "bitor":
		return "|"
	case "xor":
		return "^"
	case "compl":
		return "~"
	case "and_eq":
		return "&="
	case "or_eq":
		return "|="
	case "xor_eq":
		return "^="
	}
	return ""
}

// pragmaOperator reads _Pragma("text") and ignores it, as #pragma is.
func (pp *preprocessor) pragmaOperator(s *stream, at tok) {
	open := s.get()
	if !open.is("(") {
		pp.errTok(at, "_Pragma takes a parenthesized string literal")
		s.unget(open)
		return
	}
	text, end := s.get(), s.get()
	if text.kind != kString || !end.is(")") {
		pp.errTok(at, "_Pragma takes a parenthesized string literal")
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
