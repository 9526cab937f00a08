package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number is the value of a numeric literal.
type number struct {
	float          bool
	val            float64
	suffix         string // of a floating literal: "", "f", "h", "bf"
	int            uint64
	unsigned, long bool
	decimal        bool
}

// parseNumber reads a preprocessing number; the second result is what is wrong with it, or "".
func parseNumber(text string) (number, string) {
	s := text
	if strings.IndexByte(s, '\'') >= 0 {
		s = strings.ReplaceAll(s, "'", "")
	}
	base, digits := 10, s
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			base, digits = 16, s[2:]
		case 'b', 'B':
			base, digits = 2, s[2:]
		}
	}
	end := 0
	for end < len(digits) && (isDigit(digits[end]) || base == 16 && isHex(digits[end])) {
		end++
	}
	isFloat := end < len(digits) && (digits[end] == '.' ||
		base == 10 && (digits[end]|0x20) == 'e' || base == 16 && (digits[end]|0x20) == 'p')
	if isFloat {
		return parseFloat(text, s, base)
	}
	n := number{decimal: base == 10}
	switch strings.ToLower(digits[end:]) {
	case "":
	case "u":
		n.unsigned = true
	case "l", "ll":
		n.long = true
	case "ul", "lu", "ull", "llu":
		n.unsigned, n.long = true, true
	default:
		return n, "invalid suffix '" + digits[end:] + "' on integer constant"
	}
	digits = digits[:end]
	if base == 10 && len(digits) > 1 && digits[0] == '0' {
		base, n.decimal = 8, false
	}
	if digits == "" {
		return n, "invalid digit in integer constant '" + text + "'"
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
			return n, "integer literal is too large to be represented in any integer type"
		}
		return n, "invalid digit in integer constant '" + text + "'"
	}
	n.int = v
	return n, ""
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func floatSuffix(s string) bool {
	switch s {
	case "", "f", "F", "h", "H", "bf", "BF":
		return true
	}
	return false
}

// parseFloat reads a floating literal s in the given base. Literals of type float are rounded to float once, from the text.
func parseFloat(text, s string, base int) (number, string) {
	n := number{float: true}
	end := 0
	if base == 16 {
		p := strings.IndexAny(s, "pP")
		if p < 0 {
			return n, "hexadecimal floating constant requires an exponent"
		}
		end = p + 1
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			end++
		}
		for end < len(s) && isDigit(s[end]) {
			end++
		}
	} else {
		for end < len(s) && (isDigit(s[end]) || s[end] == '.') {
			end++
		}
		if end < len(s) && s[end]|0x20 == 'e' {
			end++
			if end < len(s) && (s[end] == '+' || s[end] == '-') {
				end++
			}
			for end < len(s) && isDigit(s[end]) {
				end++
			}
		}
	}
	if !floatSuffix(s[end:]) {
		return n, "invalid suffix '" + s[end:] + "' on floating constant"
	}
	n.suffix = strings.ToLower(s[end:])
	bits := 64
	if n.suffix == "" || n.suffix == "f" {
		bits = 32
	}
	v, err := strconv.ParseFloat(s[:end], bits)
	if err != nil && !math.IsInf(v, 0) {
		if c := s[end-1] | 0x20; c == 'e' || c == 'p' || c == '-' || c == '+' {
			return n, "exponent has no digits"
		}
		return n, "invalid floating constant '" + text + "'"
	}
	n.val = v
	return n, ""
}

// unquote gives the bytes of a string or character literal; the second result is what is wrong with it, or "".
func unquote(text string) ([]byte, string) {
	s := text[1 : len(text)-1]
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		i++
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if i == len(s) {
			return out, "incomplete escape sequence"
		}
		c = s[i]
		i++
		if k := strings.IndexByte(`abfnrtv\'"?`, c); k >= 0 {
			out = append(out, "\a\b\f\n\r\t\v\\'\"?"[k])
			continue
		}
		switch {
		case '0' <= c && c <= '7':
			v := int(c - '0')
			for k := 0; k < 2 && i < len(s) && '0' <= s[i] && s[i] <= '7'; k++ {
				v = v*8 + int(s[i]-'0')
				i++
			}
			if v > 255 {
				return out, "octal escape sequence out of range"
			}
			out = append(out, byte(v))
		case c == 'x':
			j := i
			for j < len(s) && isHex(s[j]) {
				j++
			}
			v, err := strconv.ParseUint(s[i:j], 16, 8)
			if err != nil {
				return out, "invalid hex escape sequence"
			}
			out = append(out, byte(v))
			i = j
		case c == 'u' || c == 'U':
			n := 4
			if c == 'U' {
				n = 8
			}
			if i+n > len(s) {
				return out, "incomplete universal character name"
			}
			v, err := strconv.ParseUint(s[i:i+n], 16, 32)
			if err != nil || !utf8.ValidRune(rune(v)) {
				return out, "invalid universal character name"
			}
			out = utf8.AppendRune(out, rune(v))
			i += n
		default:
			out = append(out, c) // Clang warns of an unknown escape and takes the character itself
		}
	}
	return out, ""
}

// parseChar gives the value of a character literal: a signed char.
func parseChar(text string) (int64, string) {
	b, err := unquote(text)
	if err == "" && len(b) != 1 {
		if len(b) == 0 {
			err = "empty character constant"
		} else {
			err = "multi-character character constant is not supported"
		}
	}
	if err != "" {
		return 0, err
	}
	return int64(int8(b[0])), ""
}
