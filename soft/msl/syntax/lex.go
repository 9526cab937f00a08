package syntax

import (
	"strings"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// kind is the class of a preprocessing token. Keywords are identifiers; the parser tells them apart.
type kind uint8

const (
	kEOF kind = iota
	kNewline
	kIdent
	kNumber
	kChar
	kString
	kPunct
	kBad // a byte that begins no token, or a literal without its closing quote
)

// tok is a preprocessing token.
type tok struct {
	kind  kind
	bol   bool // first on its line
	space bool // white space stands before it
	glued bool // first half of a >> or >>= that was split for the parser
	text  string
	pos   token.Pos
	hide  *hideSet   // macros that may not expand here
	from  *expansion // the macro it came out of, or nil
}

func (t *tok) is(text string) bool { return t.kind == kPunct && t.text == text }

// lexer cuts one source text into preprocessing tokens. Positions come from a table of line starts, because line splicing
// has already joined lines in src.
type lexer struct {
	file   *token.File
	src    string
	starts []int32 // offset in src where each physical line begins
	off    int
	line   int   // index into starts for off
	delta  int32 // what #line adds
	bol    bool
	errs   func(token.Pos, string)
}

func newLexer(file *token.File, src string, errs func(token.Pos, string)) *lexer {
	src = strings.TrimPrefix(src, "\ufeff")
	clean, starts := splice(src)
	return &lexer{file: file, src: clean, starts: starts, bol: true, errs: errs}
}

// splice removes each backslash-newline and tells where physical lines begin in the result.
func splice(src string) (string, []int32) {
	starts := make([]int32, 1, 64+len(src)/32)
	var b strings.Builder
	kept := 0 // src[:kept] is in b
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\n':
			starts = append(starts, int32(b.Len()+i+1-kept))
		case '\\':
			// Clang allows blanks between the backslash and the end of the line.
			j := i + 1
			for j < len(src) && (src[j] == ' ' || src[j] == '\t' || src[j] == '\r') {
				j++
			}
			if j < len(src) && src[j] == '\n' {
				b.WriteString(src[kept:i])
				kept = j + 1
				i = j
				starts = append(starts, int32(b.Len()))
			}
		}
	}
	if kept == 0 {
		return src, starts
	}
	b.WriteString(src[kept:])
	return b.String(), starts
}

func (l *lexer) pos(off int) token.Pos {
	for l.line+1 < len(l.starts) && int(l.starts[l.line+1]) <= off {
		l.line++
	}
	return token.Pos{File: l.file, Line: int32(l.line+1) + l.delta, Col: int32(off) - l.starts[l.line] + 1}
}

// next gives the next token. Ends of lines are tokens; comments are white space.
func (l *lexer) next() tok {
	space := false
	src := l.src
	for l.off < len(src) {
		switch c := src[l.off]; {
		case c == '\n':
			t := tok{kind: kNewline, pos: l.pos(l.off)}
			l.off++
			l.bol = true
			return t
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			l.off++
			space = true
		case c == '/' && l.off+1 < len(src) && src[l.off+1] == '/':
			if n := strings.IndexByte(src[l.off:], '\n'); n >= 0 {
				l.off += n
			} else {
				l.off = len(src)
			}
			space = true
		case c == '/' && l.off+1 < len(src) && src[l.off+1] == '*':
			n := strings.Index(src[l.off+2:], "*/")
			if n < 0 {
				l.errs(l.pos(l.off), "unterminated /* comment")
				l.off = len(src)
				break
			}
			l.off += n + 4
			space = true
		default:
			t := l.scan()
			t.space, t.bol = space, l.bol
			l.bol = false
			return t
		}
	}
	return tok{kind: kEOF, pos: l.pos(l.off), bol: l.bol}
}

// scan cuts one token; it never gives kEOF or kNewline and always advances.
func (l *lexer) scan() tok {
	start := l.off
	src := l.src
	k := kPunct
	end := start + 1
	switch c := src[start]; {
	case isIdentStart(c):
		k = kIdent
		for end < len(src) && isIdentPart(src[end]) {
			end++
		}
	case isDigit(c) || c == '.' && start+1 < len(src) && isDigit(src[start+1]):
		k = kNumber
		end = scanNumber(src, start)
	case c == '"' || c == '\'':
		var ok bool
		end, ok = scanQuoted(src, start)
		switch {
		case !ok:
			k = kBad
		case c == '"':
			k = kString
		default:
			k = kChar
		}
	default:
		n := punctLen(src[start:])
		if n == 0 {
			k, n = kBad, 1
		}
		end = start + n
	}
	l.off = end
	return tok{kind: k, text: src[start:end], pos: l.pos(start)}
}

// scanNumber gives the end of the preprocessing number at start: digits, letters, dots, separators and signed exponents.
func scanNumber(src string, start int) int {
	i := start + 1
	for i < len(src) {
		c := src[i]
		switch {
		case (c == '+' || c == '-') && strings.IndexByte("eEpP", src[i-1]) >= 0:
			i++
		case c == '\'' && i+1 < len(src) && isIdentPart(src[i+1]):
			i += 2
		case c == '.' || isIdentPart(c):
			i++
		default:
			return i
		}
	}
	return i
}

// scanQuoted gives the end of the literal at start and whether its closing quote was found on the same line.
func scanQuoted(src string, start int) (int, bool) {
	quote := src[start]
	i := start + 1
	for i < len(src) {
		switch src[i] {
		case quote:
			return i + 1, true
		case '\n':
			return i, false
		case '\\':
			i++
			if i < len(src) && src[i] == '\n' {
				return i, false
			}
		}
		i++
	}
	return len(src), false
}

// punctLen gives the length of the punctuator that s begins with, or 0. The longest wins.
func punctLen(s string) int {
	c := s[0]
	var d, e byte
	if len(s) > 1 {
		d = s[1]
	}
	if len(s) > 2 {
		e = s[2]
	}
	switch c {
	case '(', ')', '[', ']', '{', '}', ';', ',', '?', '~':
		return 1
	case '.':
		if d == '.' && e == '.' {
			return 3
		}
		return 1
	case '<', '>':
		if d == c {
			if e == '=' {
				return 3
			}
			return 2
		}
		if d == '=' {
			return 2
		}
		return 1
	case '-':
		if d == '>' || d == '-' || d == '=' {
			return 2
		}
		return 1
	case '+', '&', '|':
		if d == c || d == '=' {
			return 2
		}
		return 1
	case '*', '/', '%', '^', '!', '=':
		if d == '=' {
			return 2
		}
		return 1
	case ':', '#':
		if d == c {
			return 2
		}
		return 1
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdentStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) }
