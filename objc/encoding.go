package objc

import (
	"fmt"
	"strconv"
)

// EncodingError says why a type encoding cannot be used.
type EncodingError struct {
	Encoding string
	Offset   int // bytes into Encoding
	Reason   string
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("objc: encoding %q at %d: %s", e.Encoding, e.Offset, e.Reason)
}

type kind uint8

const (
	kindVoid kind = iota
	kindInt       // signed integer of size bytes
	kindUint      // unsigned integer, pointer, id, Class, BOOL
	kindBool
	kindSEL
	kindFloat // float or double
	kindStruct
)

// ctype is a C type as an encoding states it: enough of it to lay it out and to pass it.
type ctype struct {
	kind   kind
	size   int // bytes
	align  int // bytes
	fields []field
}

// field is a scalar leaf of a struct; nested structs and arrays are flattened.
type field struct {
	offset int
	ctype
}

// words is the number of logical words the type takes.
func (t *ctype) words() int { return (t.size + 7) / 8 }

// maxStruct bounds by-value structs, in bytes; the largest that Metal passes is MTLRegion with 48.
const maxStruct = 128

// maxDepth bounds the nesting of an encoding, so that hostile text cannot exhaust the stack.
const maxDepth = 32

// signature is a parsed encoding: of a method without its self and _cmd, or of a C function.
type signature struct {
	result ctype
	args   []ctype
	words  int // logical argument words
}

// MaxWords is the largest number of argument words a message can have.
const MaxWords = 24

// parseMethod reads a method's compact or full encoding.
func parseMethod(encoding string) (signature, error) {
	sig, err := parseTypes(encoding)
	if err != nil {
		return sig, err
	}
	if len(sig.args) < 2 || sig.args[0].kind != kindUint || sig.args[0].size != 8 || sig.args[1].kind != kindSEL {
		return sig, &EncodingError{encoding, 0, "a method's first arguments are an object and a selector"}
	}
	sig.args = sig.args[2:]
	sig.words -= 2
	if sig.words > MaxWords {
		return sig, &EncodingError{encoding, 0, fmt.Sprintf("%d argument words, at most %d", sig.words, MaxWords)}
	}
	return sig, nil
}

// parseFunction reads a C function's encoding: result, then arguments.
func parseFunction(encoding string) (signature, error) {
	sig, err := parseTypes(encoding)
	if err == nil && sig.words > MaxWords {
		err = &EncodingError{encoding, 0, fmt.Sprintf("%d argument words, at most %d", sig.words, MaxWords)}
	}
	return sig, err
}

func parseTypes(encoding string) (signature, error) {
	p := parser{text: encoding}
	sig := signature{result: p.value(0)}
	p.skipDigits()
	for p.err == nil && p.pos < len(p.text) {
		t := p.value(0)
		p.skipDigits()
		if p.err == nil && t.kind == kindVoid {
			p.fail("an argument cannot be void")
		}
		sig.args = append(sig.args, t)
		sig.words += t.words()
	}
	if p.err != nil {
		return signature{}, p.err
	}
	return sig, nil
}

type parser struct {
	text string
	pos  int
	err  error
}

func (p *parser) fail(reason string) {
	if p.err == nil {
		p.err = &EncodingError{p.text, p.pos, reason}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) skipDigits() {
	for c := p.peek(); c >= '0' && c <= '9' || c == '-' || c == '+'; c = p.peek() {
		p.pos++
	}
}

func scalar(k kind, size int) ctype { return ctype{kind: k, size: size, align: size} }

// value reads a type that is passed by value.
func (p *parser) value(depth int) ctype {
	if p.err != nil {
		return ctype{}
	}
	if depth > maxDepth {
		p.fail("nested too deeply")
		return ctype{}
	}
	p.skipQualifiers()
	c := p.peek()
	switch c {
	case 0:
		p.fail("a type is missing")
		return ctype{}
	case '{':
		return p.structure(depth)
	case '(', '[', 'b', '?':
		p.fail("unions, arrays, bit-fields and unknown types are not passed by value")
		return ctype{}
	}
	p.pos++
	switch c {
	case 'v':
		return ctype{kind: kindVoid, align: 1}
	case 'c':
		return scalar(kindInt, 1)
	case 's':
		return scalar(kindInt, 2)
	case 'i', 'l':
		return scalar(kindInt, 4)
	case 'q':
		return scalar(kindInt, 8)
	case 'C':
		return scalar(kindUint, 1)
	case 'S':
		return scalar(kindUint, 2)
	case 'I', 'L':
		return scalar(kindUint, 4)
	case 'Q', '*', '#':
		return scalar(kindUint, 8)
	case 'B':
		return scalar(kindBool, 1)
	case ':':
		return scalar(kindSEL, 8)
	case 'f':
		return scalar(kindFloat, 4)
	case 'd':
		return scalar(kindFloat, 8)
	case '@':
		p.skipObject()
		return scalar(kindUint, 8)
	case '^':
		p.pointee(depth + 1)
		return scalar(kindUint, 8)
	}
	p.pos--
	p.fail("unknown type " + strconv.Quote(string(rune(c))))
	return ctype{}
}

// skipQualifiers passes over const, in, inout, out, bycopy, byref, oneway and _Atomic.
func (p *parser) skipQualifiers() {
	for {
		switch p.peek() {
		case 'r', 'n', 'N', 'o', 'O', 'R', 'V', 'A':
			p.pos++
		default:
			return
		}
	}
}

// skipObject passes over what may follow '@': the '?' of a block or a quoted class name.
func (p *parser) skipObject() {
	switch p.peek() {
	case '?':
		p.pos++
	case '"':
		for p.pos++; p.pos < len(p.text); p.pos++ {
			if p.text[p.pos] == '"' {
				p.pos++
				return
			}
		}
		p.fail("a class name has no end")
	}
}

// structure reads {name=fields} and lays it out as C does.
func (p *parser) structure(depth int) ctype {
	p.pos++
	p.skipName('}')
	if p.peek() != '=' {
		p.fail("a struct passed by value needs its fields")
		return ctype{}
	}
	p.pos++
	t := ctype{kind: kindStruct, align: 1}
	for p.err == nil && p.peek() != '}' {
		p.member(&t, depth+1)
	}
	if p.err != nil {
		return ctype{}
	}
	p.pos++
	if t.size == 0 {
		p.fail("an empty struct is not passed")
		return ctype{}
	}
	t.size = roundUp(t.size, t.align)
	return t
}

// member reads one field, which may be a struct or an array, and appends its leaves to t.
func (p *parser) member(t *ctype, depth int) {
	if depth > maxDepth {
		p.fail("nested too deeply")
		return
	}
	count := 1
	array := p.peek() == '['
	if array {
		p.pos++
		start := p.pos
		for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
			p.pos++
		}
		n, err := strconv.Atoi(p.text[start:p.pos])
		if err != nil || n < 1 || n > maxStruct {
			p.fail("an array passed by value has 1 to " + strconv.Itoa(maxStruct) + " elements")
			return
		}
		count = n
	}
	m := p.value(depth)
	if p.err == nil && m.kind == kindVoid {
		p.fail("a field cannot be void")
	}
	if array {
		if p.err == nil && p.peek() != ']' {
			p.fail("an array has no end")
		}
		p.pos++
	}
	if p.err != nil {
		return
	}
	t.align = max(t.align, m.align)
	for range count {
		at := roundUp(t.size, m.align)
		if at+m.size > maxStruct {
			p.fail("a struct passed by value has at most " + strconv.Itoa(maxStruct) + " bytes")
			return
		}
		if m.kind == kindStruct {
			for _, f := range m.fields {
				t.fields = append(t.fields, field{at + f.offset, f.ctype})
			}
		} else {
			t.fields = append(t.fields, field{at, m})
		}
		t.size = at + m.size
	}
}

// skipName passes over a tag up to '=' or end.
func (p *parser) skipName(end byte) {
	for c := p.peek(); c != 0 && c != '=' && c != end; c = p.peek() {
		p.pos++
	}
}

// pointee passes over what a pointer points to; its layout does not matter.
func (p *parser) pointee(depth int) {
	if depth > maxDepth {
		p.fail("nested too deeply")
		return
	}
	p.skipQualifiers()
	c := p.peek()
	p.pos++
	switch c {
	case '{':
		p.skipGroup('{', '}')
	case '(':
		p.skipGroup('(', ')')
	case '[':
		p.skipGroup('[', ']')
	case '^':
		p.pointee(depth + 1)
	case '@':
		p.skipObject()
	case 'c', 's', 'i', 'l', 'q', 'C', 'S', 'I', 'L', 'Q', '*', '#', 'B', ':', 'f', 'd', 'v', '?':
	default:
		p.pos--
		p.fail("a pointer to what?")
	}
}

// skipGroup passes over a bracketed type whose opening bracket has been read.
func (p *parser) skipGroup(open, end byte) {
	for level := 1; level > 0; p.pos++ {
		switch p.peek() {
		case 0:
			p.fail("a bracket has no end")
			return
		case open:
			level++
		case end:
			level--
		}
	}
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }
