package safetensors

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// entry is one tensor of a header, as written; nothing about it has been checked yet.
type entry struct {
	name       string
	dtype      DType
	shape      []int
	begin, end int64
}

// header is a parsed header.
type header struct {
	metadata map[string]string
	entries  []entry
}

// maxRank bounds the length of a shape.
const maxRank = 64

// parseHeader reads the JSON of a header. The grammar is the format's own and no more:
// an object of tensor descriptions, one of whose names may be __metadata__, an object of
// strings. Every name may occur once, every field of a description must, and numbers are
// plain non-negative integers. A hand-written reader is shorter than teaching a general
// one all that.
func parseHeader(text []byte) (*header, error) {
	p := &parser{text: text}
	h := &header{}
	seen := map[string]bool{}
	err := p.object(func(name string) error {
		if seen[name] {
			return fmt.Errorf("name %s occurs twice", quote(name))
		}
		seen[name] = true
		if name == "__metadata__" {
			var err error
			h.metadata, err = p.metadata()
			return err
		}
		e, err := p.entry(name)
		h.entries = append(h.entries, e)
		return err
	})
	if err == nil {
		p.space()
		if p.at != len(p.text) {
			err = p.unexpected("nothing but spaces after the header's object")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("at byte %d of the header: %w", p.at, err)
	}
	return h, nil
}

type parser struct {
	text []byte
	at   int
}

func (p *parser) metadata() (map[string]string, error) {
	m := map[string]string{}
	err := p.object(func(key string) error {
		if _, dup := m[key]; dup {
			return fmt.Errorf("metadata key %s occurs twice", quote(key))
		}
		value, err := p.str()
		m[key] = value
		return err
	})
	return m, err
}

func (p *parser) entry(name string) (entry, error) {
	e := entry{name: name}
	var dtype, shape, offsets bool
	err := p.object(func(field string) error {
		once := func(seen *bool) error {
			if *seen {
				return fmt.Errorf("tensor %s: field %q occurs twice", quote(name), field)
			}
			*seen = true
			return nil
		}
		switch field {
		case "dtype":
			if err := once(&dtype); err != nil {
				return err
			}
			s, err := p.str()
			e.dtype = DType(s)
			return err
		case "shape":
			if err := once(&shape); err != nil {
				return err
			}
			e.shape = []int{}
			return p.array(func() error {
				n, err := p.integer()
				if err == nil && int64(int(n)) != n {
					err = fmt.Errorf("dimension %d does not fit an int", n)
				}
				if err == nil && len(e.shape) == maxRank {
					err = fmt.Errorf("more than %d dimensions", maxRank)
				}
				e.shape = append(e.shape, int(n))
				return err
			})
		case "data_offsets":
			if err := once(&offsets); err != nil {
				return err
			}
			n := 0
			err := p.array(func() error {
				v, err := p.integer()
				switch n {
				case 0:
					e.begin = v
				case 1:
					e.end = v
				default:
					err = errors.New("more than two data_offsets")
				}
				n++
				return err
			})
			if err == nil && n != 2 {
				err = fmt.Errorf("tensor %s: wanted two data_offsets, got %d", quote(name), n)
			}
			return err
		}
		return fmt.Errorf("tensor %s: unknown field %s", quote(name), quote(field))
	})
	if err == nil && !(dtype && shape && offsets) {
		err = fmt.Errorf("tensor %s: wanted the fields dtype, shape and data_offsets", quote(name))
	}
	return e, err
}

// object reads an object; value is called with each name and reads what follows the colon.
func (p *parser) object(value func(name string) error) error {
	return p.list('{', '}', func() error {
		name, err := p.str()
		if err != nil {
			return err
		}
		if err := p.expect(':'); err != nil {
			return err
		}
		return value(name)
	})
}

func (p *parser) array(element func() error) error { return p.list('[', ']', element) }

func (p *parser) list(open, end byte, element func() error) error {
	if err := p.expect(open); err != nil {
		return err
	}
	if p.accept(end) {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if p.accept(end) {
			return nil
		}
		if err := p.expect(','); err != nil {
			return err
		}
	}
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) accept(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(c byte) error {
	if p.accept(c) {
		return nil
	}
	return p.unexpected(strconv.Quote(string(c)))
}

func (p *parser) unexpected(wanted string) error {
	if p.at == len(p.text) {
		return fmt.Errorf("wanted %s, got the end of the header", wanted)
	}
	return fmt.Errorf("wanted %s, got %q", wanted, p.text[p.at])
}

func (p *parser) integer() (int64, error) {
	p.space()
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	digits := p.text[start:p.at]
	if len(digits) == 0 {
		return 0, p.unexpected("a non-negative integer")
	}
	if digits[0] == '0' && len(digits) > 1 {
		return 0, errors.New("integer with a leading zero")
	}
	if p.at < len(p.text) && (p.text[p.at] == '.' || p.text[p.at]|0x20 == 'e') {
		return 0, errors.New("wanted an integer, got a fraction")
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return 0, errors.New("integer does not fit 64 bits")
	}
	return n, nil
}

// str reads a string. Raw control characters, broken UTF-8, unknown escapes and lone
// surrogates are errors: a name that could be read in two ways is no name.
func (p *parser) str() (string, error) {
	if err := p.expect('"'); err != nil {
		return "", err
	}
	var out []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return string(out), nil
		case c < 0x20:
			return "", fmt.Errorf("control character %q in a string", c)
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c < utf8.RuneSelf:
			out = append(out, c)
			p.at++
		default:
			r, n := utf8.DecodeRune(p.text[p.at:])
			if r == utf8.RuneError && n == 1 {
				return "", errors.New("string is not UTF-8")
			}
			out = append(out, p.text[p.at:p.at+n]...)
			p.at += n
		}
	}
	return "", errors.New("string is not closed")
}

func (p *parser) escape() (rune, error) {
	if p.at+1 >= len(p.text) {
		return 0, errors.New("string is not closed")
	}
	c := p.text[p.at+1]
	p.at += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, err := p.hex4()
		if err != nil || !utf16.IsSurrogate(r) {
			return r, err
		}
		if p.at+1 < len(p.text) && p.text[p.at] == '\\' && p.text[p.at+1] == 'u' {
			p.at += 2
			low, err := p.hex4()
			if err != nil {
				return 0, err
			}
			if r := utf16.DecodeRune(r, low); r != utf8.RuneError {
				return r, nil
			}
		}
		return 0, errors.New("lone surrogate in a string")
	}
	return 0, fmt.Errorf("unknown escape \\%c in a string", c)
}

func (p *parser) hex4() (rune, error) {
	if p.at+4 > len(p.text) {
		return 0, errors.New("\\u wants four hexadecimal digits")
	}
	n, err := strconv.ParseUint(string(p.text[p.at:p.at+4]), 16, 16)
	if err != nil {
		return 0, errors.New("\\u wants four hexadecimal digits")
	}
	p.at += 4
	return rune(n), nil
}
