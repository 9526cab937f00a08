package syntax

import (
	"strings"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// macro is one definition. It is immutable once made, so predefined macros are shared between compilations.
type macro struct {
	name     string
	pos      token.Pos
	fn       bool // function-like
	variadic bool // the last parameter takes the rest
	params   []string
	body     []tok
	param    []int  // for each body token the index of the parameter it names, or -1
	dynamic  string // "__LINE__", "__FILE__" or "__COUNTER__": the value depends on the place
}

// expansion is one use of a macro; up is the use it is nested in.
type expansion struct {
	m  *macro
	up *expansion
}

// notes tells how a token came out of macros, innermost first.
func (e *expansion) notes() []token.Note {
	var ns []token.Note
	for ; e != nil && len(ns) < 8; e = e.up {
		ns = append(ns, token.Note{Pos: e.m.pos, Text: "expanded from macro '" + e.m.name + "'"})
	}
	return ns
}

// hideSet is the set of macros that may not expand at a token: an immutable list that tokens share.
type hideSet struct {
	m    *macro
	next *hideSet
	n    int
}

func (h *hideSet) size() int {
	if h == nil {
		return 0
	}
	return h.n
}

func (h *hideSet) has(m *macro) bool {
	for ; h != nil; h = h.next {
		if h.m == m {
			return true
		}
	}
	return false
}

func (h *hideSet) with(m *macro) *hideSet {
	if h.has(m) {
		return h
	}
	return &hideSet{m, h, h.size() + 1}
}

func (h *hideSet) union(o *hideSet) *hideSet {
	if h == nil || h == o {
		return o
	}
	r := o
	for ; h != nil; h = h.next {
		r = r.with(h.m)
	}
	return r
}

func (h *hideSet) intersect(o *hideSet) *hideSet {
	if h == o {
		return h
	}
	var r *hideSet
	for ; h != nil; h = h.next {
		if o.has(h.m) {
			r = r.with(h.m)
		}
	}
	return r
}

// dynamic gives the token for a macro whose value depends on where it is used.
func (pp *preprocessor) dynamic(m *macro, use tok) tok {
	t := tok{kind: kNumber, pos: use.pos, space: use.space, from: use.from}
	switch m.dynamic {
	case "__LINE__":
		t.text = itoa(int(use.pos.Line))
	case "__COUNTER__":
		t.text = itoa(pp.counter)
		pp.counter++
	default:
		t.kind, t.text = kString, quote(use.pos.File.Name)
	}
	return t
}

// substitute gives the body of m with its parameters replaced, every token positioned at the use and marked with hide.
func (pp *preprocessor) substitute(use tok, m *macro, args [][]tok, hide *hideSet) []tok {
	from := &expansion{m, use.from}
	expanded := make([][]tok, len(args))
	out := make([]tok, 0, len(m.body))
	sub := substitution{pp: pp, use: use, m: m, args: args, expanded: expanded, from: from}
	out = sub.run(out, 0, len(m.body))
	for i := range out {
		out[i].hide = out[i].hide.union(hide)
	}
	if pp.spend(len(out) * (1 + hide.size())) {
		return nil
	}
	return out
}

// substitution is the state of one macro's replacement.
type substitution struct {
	pp       *preprocessor
	use      tok
	m        *macro
	args     [][]tok
	expanded [][]tok
	from     *expansion
}

// run appends the replacement of body[i:end] to out.
func (s *substitution) run(out []tok, i, end int) []tok {
	m := s.m
	empty := false // the operand before was an empty argument
	for i < end && !s.pp.fatal {
		t := m.body[i]
		if t.is("##") && i > 0 && i+1 < end {
			rhs, n := s.operand(i+1, end)
			i += 1 + n
			switch {
			case empty || len(out) == 0:
				empty = len(rhs) == 0
				out = append(out, rhs...)
			case len(rhs) > 0:
				// GNU: ", ## __VA_ARGS__" keeps the comma as it is.
				if m.variadic && out[len(out)-1].is(",") && m.param[i-1] == len(m.params)-1 {
					out = append(out, rhs...)
					break
				}
				out[len(out)-1] = s.pp.paste(out[len(out)-1], rhs[0])
				out = append(out, rhs[1:]...)
			case m.variadic && out[len(out)-1].is(",") && m.param[i-1] == len(m.params)-1:
				out = out[:len(out)-1]
			}
			continue
		}
		empty = false
		if i+1 < end && m.body[i+1].is("##") {
			ts, n := s.operand(i, end)
			empty = len(ts) == 0
			out = append(out, ts...)
			i += n
			continue
		}
		if p := m.param[i]; p >= 0 {
			n := len(out)
			out = append(out, s.arg(p)...)
			if len(out) > n {
				out[n].space = t.space
			}
			i++
			continue
		}
		ts, n := s.operand(i, end)
		out = append(out, ts...)
		i += n
	}
	return out
}

// operand gives the replacement of the body element at i without expanding an argument, and how many body tokens it spans.
func (s *substitution) operand(i, end int) ([]tok, int) {
	m := s.m
	t := m.body[i]
	if p := m.param[i]; p >= 0 {
		ts := append([]tok(nil), s.args[p]...)
		if len(ts) > 0 {
			ts[0].space = t.space
		}
		return ts, 1
	}
	if m.fn && t.is("#") && i+1 < end && m.param[i+1] >= 0 {
		str := stringify(s.args[m.param[i+1]])
		str.pos, str.space, str.from = s.use.pos, t.space, s.from
		return []tok{str}, 2
	}
	if m.variadic && t.kind == kIdent && t.text == "__VA_OPT__" && i+1 < end && m.body[i+1].is("(") {
		depth, j := 0, i+1
		for ; j < end; j++ {
			if m.body[j].is("(") {
				depth++
			} else if m.body[j].is(")") {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if j < end {
			if len(s.arg(len(m.params)-1)) == 0 {
				return nil, j + 1 - i
			}
			return s.run(nil, i+2, j), j + 1 - i
		}
	}
	t.pos, t.from, t.bol = s.use.pos, s.from, false
	return []tok{t}, 1
}

// arg gives argument p fully expanded.
func (s *substitution) arg(p int) []tok {
	if s.expanded[p] == nil {
		s.expanded[p] = append(make([]tok, 0, len(s.args[p])), s.pp.expandAll(s.args[p], false)...)
	}
	return s.expanded[p]
}

// stringify is the # operator.
func stringify(ts []tok) tok {
	var b strings.Builder
	b.WriteByte('"')
	for i := range ts {
		if i > 0 && ts[i].space {
			b.WriteByte(' ')
		}
		if ts[i].kind == kString || ts[i].kind == kChar {
			b.WriteString(escaper.Replace(ts[i].text))
		} else {
			b.WriteString(ts[i].text)
		}
	}
	b.WriteByte('"')
	return tok{kind: kString, text: b.String()}
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + escaper.Replace(s) + `"` }

// paste is the ## operator.
func (pp *preprocessor) paste(a, b tok) tok {
	text := a.text + b.text
	l := lexer{file: a.pos.File, src: text, starts: []int32{0}, errs: func(token.Pos, string) {}}
	t := l.scan()
	if l.off != len(text) || t.kind == kBad {
		pp.errTok(a, "pasting formed '"+text+"', an invalid preprocessing token")
		return a
	}
	t.pos, t.space, t.from, t.hide = a.pos, a.space, a.from, a.hide.intersect(b.hide)
	return t
}
