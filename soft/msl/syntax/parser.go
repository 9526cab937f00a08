package syntax

import (
	"github.com/puremetal/puremetal/soft/msl/token"
)

// parser reads declarations from preprocessed tokens by recursive descent. After an error it sees only the end of the text
// (so that every function returns) until a caller that can go on, a list of declarations or statements, skips ahead and
// clears the error.
type parser struct {
	toks   []tok
	i      int
	t      *tok // toks[i], or eof after an error
	eof    tok
	errs   *errorList
	failed bool
	trying int // inside try: errors are not reported
	steps  int // tokens read, again included: bounds the cost of trying
	limit  int
	depth  int

	scope    *scope
	global   *scope
	methods  map[string]bool // names of member templates, whose < after . or -> opens arguments
	noGT     bool            // > closes a template argument list here
	structs  int             // how many struct bodies we are in
	deferred []deferredBody  // bodies of methods, read once the outermost struct is complete
	anon     int             // unnamed structs and enumerations so far
	halted   bool            // recovery met the end of the text
	epoch    int             // changes with every declared name: what names and args remember holds for one
	names    map[int]nameAt  // names read, by token, so that trying does not read nested ones over and over
	args     map[int]argsAt  // answers of opensArgs, by token
	pending  *Template       // the template header that a struct about to be read belongs to
}

// nameAt is a name read at a token, and where reading it ended.
type nameAt struct {
	name     *Name
	sym      symbol
	end      int
	epoch    int
	typename bool
}

// argsAt is an answer of opensArgs.
type argsAt struct {
	opens bool
	epoch int
}

// deferredBody is a method body to be read when its struct is complete, as C++ has it.
type deferredBody struct {
	at    int
	fn    *FuncDecl
	scope *scope
}

func newParser(toks []tok, errs *errorList) *parser {
	p := &parser{toks: toks, errs: errs, limit: 1<<16 + 16*len(toks), methods: map[string]bool{},
		names: map[int]nameAt{}, args: map[int]argsAt{}}
	p.global = &scope{}
	p.scope = p.global
	p.eof = tok{kind: kEOF, pos: toks[len(toks)-1].pos}
	p.set(0)
	return p
}

func (p *parser) set(i int) {
	p.i = min(i, len(p.toks)-1)
	p.t = &p.toks[p.i]
	if p.failed {
		p.t = &p.eof
	}
}

// next moves to the next token and gives the one left behind.
func (p *parser) next() *tok {
	t := p.t
	if p.failed || t.kind == kEOF {
		return t
	}
	if p.steps++; p.steps > p.limit {
		p.err("the text is too ambiguous to parse in reasonable time")
		p.errs.full = p.trying == 0
		return t
	}
	p.i++
	p.t = &p.toks[p.i]
	return t
}

// peek gives the token n after the current one.
func (p *parser) peek(n int) *tok {
	if p.failed || p.i+n >= len(p.toks) {
		return &p.eof
	}
	return &p.toks[p.i+n]
}

func (p *parser) err(text string) { p.errAt(p.t, text) }

func (p *parser) errAt(t *tok, text string) {
	if !p.failed && p.trying == 0 {
		p.errs.add(t.pos, text, t.from.notes())
	}
	p.failed = true
	p.t = &p.eof
}

// errPos reports an error at the beginning of something already read.
func (p *parser) errPos(pos token.Pos, text string) {
	t := tok{pos: pos}
	p.errAt(&t, text)
}

// describe names the current token for a message.
func (p *parser) describe() string {
	if p.t.kind == kEOF {
		return "end of file"
	}
	return "'" + p.t.text + "'"
}

func (p *parser) is(punct string) bool { return p.t.kind == kPunct && p.t.text == punct }

func (p *parser) isWord(word string) bool { return p.t.kind == kIdent && p.t.text == word }

func (p *parser) accept(punct string) bool {
	if p.is(punct) {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptWord(word string) bool {
	if p.isWord(word) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(punct string) *tok {
	if !p.is(punct) {
		p.err("expected '" + punct + "' before " + p.describe())
		return p.t
	}
	return p.next()
}

// expectSemi wants the ; that ends something; what is missing is reported where that something ends.
func (p *parser) expectSemi(after string) {
	if p.accept(";") || p.failed {
		return
	}
	last := p.t
	if p.i > 0 {
		last = &p.toks[p.i-1]
	}
	pos := last.pos
	pos.Col += int32(len(last.text))
	if last.from != nil {
		pos = last.pos
	}
	p.errAt(&tok{pos: pos, from: last.from}, "expected ';' after "+after)
}

func (p *parser) ident() string {
	if p.t.kind != kIdent || keyword(p.t.text) {
		p.err("expected a name before " + p.describe())
		return ""
	}
	return p.next().text
}

// enter guards recursion; the caller defers or calls leave if it reports true.
func (p *parser) enter() bool {
	if p.failed {
		return false
	}
	if p.depth >= maxDepth {
		p.err("the text is nested too deeply (limit 1024)")
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }

// try runs f and reports whether it read without error and was satisfied; if not, it is as if f had not run.
func (p *parser) try(f func() bool) bool {
	if p.failed {
		return false
	}
	i, depth, sc, noGT, epoch := p.i, p.depth, p.scope, p.noGT, p.epoch
	p.trying++
	ok := f() && !p.failed
	p.trying--
	if p.epoch != epoch {
		p.epoch++ // what it declared may be gone
	}
	if !ok {
		p.depth, p.scope, p.noGT = depth, sc, noGT
		p.failed = false
		p.set(i)
		if p.steps > p.limit {
			p.next() // reports it
		}
	}
	return ok
}

// look runs f and goes back whatever it read.
func (p *parser) look(f func() bool) bool {
	i := p.i
	ok := p.try(f)
	if ok {
		p.set(i)
	}
	return ok
}

func (p *parser) push() *scope {
	old := p.scope
	p.scope = &scope{outer: old}
	return old
}

// recover clears an error and skips to where a declaration or statement may begin again: past the next ; or the next
// balanced {...}, or before a } that closes what we are in. start is where the failed one began.
func (p *parser) recover(start int) {
	if p.halted {
		return
	}
	p.failed = false
	at := p.i
	p.set(start)
	depth, parens := 0, 0
	header := p.isWord("for") // its semicolons end nothing
	for p.t.kind != kEOF {
		done := p.i >= at
		switch {
		case header && p.is("("):
			parens++
		case header && p.is(")"):
			parens--
			header = parens > 0
		case p.is("{"):
			depth++
		case p.is("}"):
			if depth == 0 {
				if p.i == start {
					p.i++
					p.set(p.i)
				}
				return
			}
			depth--
			if depth == 0 && done {
				p.set(p.i + 1)
				if p.isWord("else") || p.isWord("catch") {
					continue
				}
				if p.is(";") {
					p.set(p.i + 1)
				}
				return
			}
		case p.is(";") && depth == 0 && done && parens <= 0:
			p.set(p.i + 1)
			return
		}
		p.set(p.i + 1)
	}
	p.halted, p.failed = true, true // what is left unclosed needs no word of its own
	p.t = &p.eof
}

// declare makes a name known in sc.
func (p *parser) declare(sc *scope, name string, sym symbol) {
	p.epoch++
	sc.declare(name, sym)
}

// skipBalanced skips from an opening bracket past its closing one.
func (p *parser) skipBalanced() {
	depth := 0
	for {
		switch {
		case p.t.kind == kEOF:
			p.err("unexpected end of file, expected a closing bracket")
			return
		case p.is("(") || p.is("[") || p.is("{"):
			depth++
		case p.is(")") || p.is("]") || p.is("}"):
			depth--
		}
		p.next()
		if depth == 0 {
			return
		}
	}
}

// keyword reports whether a word cannot be a name.
func keyword(s string) bool { return keywords[s] }

var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range []string{
		"alignas", "alignof", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const", "const_cast", "constant",
		"constexpr", "continue", "decltype", "default", "delete", "device", "do", "double", "dynamic_cast", "else", "enum",
		"explicit", "extern", "false", "float", "for", "fragment", "friend", "goto", "half", "if", "inline", "int", "kernel",
		"long", "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "private", "protected", "public", "register",
		"reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
		"template", "this", "thread", "threadgroup", "throw", "true", "try", "typedef", "typeid", "typename", "union",
		"unsigned", "using", "vertex", "virtual", "void", "volatile", "while", "threadgroup_imageblock", "ray_data", "object_data",
		"_Pragma", "thread_local",
	} {
		m[k] = true
	}
	return m
}()
