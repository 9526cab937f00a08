package mtl

import (
	"strings"
	"testing"
)

// plainEncoding reduces a method's encoding, as a runtime tells it, to what a caller depends on: frame offsets and
// qualifiers go, and a BOOL is B on every architecture (x86-64 writes c, and nothing in Metal is a char otherwise).
func plainEncoding(s string) string {
	var b strings.Builder
	inName, brackets := false, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inName:
			inName = c != '='
		case c == '{' || c == '(':
			inName = true
		case c == '[':
			brackets++
		case c == ']':
			brackets--
		case c == '"': // the class of an object
			for i++; i < len(s) && s[i] != '"'; i++ {
			}
			continue
		case '0' <= c && c <= '9' && brackets == 0, strings.IndexByte("rnNoORV", c) >= 0:
			continue
		case c == 'c':
			c = 'B'
		}
		b.WriteByte(c)
	}
	return b.String()
}

func TestPlainEncodingsLeaveWhatACallerDependsOn(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"@40@0:8@16@24^@32", "@@:@@^@"},
		{"v48@0:8{?=QQQ}16{?=QQQ}40", "v@:{?=QQQ}{?=QQQ}"},
		{"v40@0:8r^v16Q24Q32", "v@:^vQQ"},
		{"c24@0:8q16", "B@:q"},
		{"v24@0:8{_NSRange=QQ}16", "v@:{_NSRange=QQ}"},
		{`@24@0:8@"NSString"16`, "@@:@"},
		{"v16@?0[4f]8", "v@?[4f]"},
	} {
		if got := plainEncoding(c.in); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}
