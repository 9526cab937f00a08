package objc

import (
	"errors"
	"testing"
)

func TestEncodingsAreLaidOutAsCDoes(t *testing.T) {
	cases := []struct {
		encoding    string
		words       int
		size, align int // of the last argument
	}{
		{"v@:", 0, 8, 8},
		{"v24@0:8@16", 1, 8, 8},
		{"Vv@:@", 1, 8, 8},
		{"@@:r^@r^@Q", 3, 8, 8},
		{"v@:{?={?=QQQ}{?=QQQ}}", 6, 48, 8},
		{"v@:{?=CQ}", 2, 16, 8},
		{"v@:{?=QC}", 2, 16, 8},
		{"v@:{?=CCCC}", 1, 4, 1},
		{"v@:{?=ff}", 1, 8, 4},
		{"v@:{?=[3f]C}", 2, 16, 4},
		{"v@:{?=[2{?=SC}]}", 1, 8, 2},
		{"v@:^{?=b8b4[8S]}", 1, 8, 8},
		{"v@:^(?=Qd)", 1, 8, 8},
		{"v@:^^{__IOSurface}", 1, 8, 8},
		{"v@:@?", 1, 8, 8},
		{"v@:@\"NSString\"Q", 2, 8, 8},
		{"v@:B", 1, 1, 1},
	}
	for _, c := range cases {
		sig, err := parseMethod(c.encoding)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if sig.words != c.words {
			t.Errorf("%s: %d words, want %d", c.encoding, sig.words, c.words)
		}
		if n := len(sig.args); n > 0 && (sig.args[n-1].size != c.size || sig.args[n-1].align != c.align) {
			t.Errorf("%s: size %d, align %d, want %d, %d", c.encoding, sig.args[n-1].size, sig.args[n-1].align, c.size, c.align)
		}
	}
}

func TestBadEncodingsAreErrors(t *testing.T) {
	for _, encoding := range []string{
		"", "v", "v@", "v:@", "v@Q", "v@:v", "v@:{", "v@:{?", "v@:{?=", "v@:{?=Q", "v@:{?}", "v@:{?=}", "v@:{?=v}", "v@:(?=Q)",
		"v@:[4Q]", "v@:b3", "v@:?", "v@:^", "v@:^{", "v@:^z", "v@:z", "v@:{?=[0Q]}", "v@:{?=[4Q}", "v@:{?=[999999999999999999999Q]}",
		"v@:{?=[17Q]}", "v@:{?={?=[128C]}C}", "v@:@\"NSString", "v@:QQQQQQQQQQQQQQQQQQQQQQQQQ",
		"v@:^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^v",
	} {
		var want *EncodingError
		if _, err := parseMethod(encoding); !errors.As(err, &want) {
			t.Errorf("%q: error %v, want an *EncodingError", encoding, err)
		}
	}
}

func TestSelectorDeclarationsAreChecked(t *testing.T) {
	a := Sel("declared:twice:", "v@:@Q")
	if b := Sel("declared:twice:", "v@:@Q"); a != b || a.Name() != "declared:twice:" || a.Encoding() != "v@:@Q" || a.Args() != 2 {
		t.Error("the same declaration gives another selector")
	}
	if b := Sel("declared:twice:", "v@:@q"); a != b || b.Encoding() != "v@:@Q" {
		t.Error("the sign of a 64-bit integer makes another selector")
	}
	mustPanic[*SelectorError](t, func() { Sel("declared:twice:", "v@:@@") })
	mustPanic[*SelectorError](t, func() { Sel("one:", "v@:@@") })
	mustPanic[*EncodingError](t, func() { Sel("bad:", "v@:z") })
}

func FuzzEncoding(f *testing.F) {
	for _, s := range []string{"v@:@QQ", "v@:{?={?=QQQ}{?=QQQ}}", "{?=ff}@:^{a=b3}", "v24@0:8@16", "@@:@\"x\"[", "v@:{?=[2{?=SC}]}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, encoding string) {
		sig, err := parseMethod(encoding)
		if err != nil {
			return
		}
		words := 0
		for i := range sig.args {
			a := &sig.args[i]
			if a.size < 1 || a.size > maxStruct || a.size%a.align != 0 {
				t.Fatalf("%q: argument %d has size %d, align %d", encoding, i, a.size, a.align)
			}
			words += a.words()
		}
		if words != sig.words || words > MaxWords {
			t.Fatalf("%q: %d words, want %d", encoding, sig.words, words)
		}
		for _, convention := range []abi{sysv, aapcs} {
			p, reason := lower(convention, &sig, true)
			if reason != "" {
				continue
			}
			// Every argument word is passed once, by itself or in the copy that starts with it.
			seen := make([]int, words)
			for _, at := range append(append(append([]place(nil), p.ints...), p.floats...), p.stack...) {
				if at.kind >= placeWord && at.kind != placeHighHalf {
					seen[at.word]++
				}
			}
			for i, n := range seen {
				if n > 1 {
					t.Fatalf("%q: word %d is passed %d times", encoding, i, n)
				}
			}
			if len(p.ints) > convention.intRegisters() || len(p.floats) > floatRegisters {
				t.Fatalf("%q: %d and %d registers", encoding, len(p.ints), len(p.floats))
			}
		}
	})
}
