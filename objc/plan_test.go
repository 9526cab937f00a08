package objc

import (
	"fmt"
	"strings"
	"testing"
)

// describe writes a plan as registers, floating-point registers, stack words and result, for tables.
func (p *plan) describe() string {
	list := func(places []place) string {
		var s []string
		for _, at := range places {
			name := map[placeKind]string{
				placePad: "_", placeSelf: "self", placeSelector: "cmd", placeResult: "&result", placeWord: "w", placeBool: "bool",
				placeU8: "u8:", placeS8: "s8:", placeU16: "u16:", placeS16: "s16:", placeU32: "u32:", placeS32: "s32:",
				placeSEL: "sel:", placeCopy: "&w", placeHighHalf: "high:",
			}[at.kind]
			if at.kind > placeResult {
				name += fmt.Sprint(at.word)
			}
			s = append(s, name)
		}
		return strings.Join(s, " ")
	}
	s := list(p.ints)
	if len(p.floats) > 0 {
		s += " | f: " + list(p.floats)
	}
	if len(p.stack) > 0 {
		s += " | stack: " + list(p.stack)
	}
	for i, r := range p.result {
		if i == 0 {
			s += " ->"
		}
		bank := "r"
		if r.float {
			bank = "f"
		}
		s += fmt.Sprintf(" %s%d/%d=w%d", bank, r.register, r.size, r.word)
		if r.high {
			s += "high"
		}
	}
	if p.memory {
		s += " -> memory"
	}
	if p.flat == nil {
		s += " (typed)"
	}
	return s
}

const copyFromTexture = "v@:@QQ{?=QQQ}{?=QQQ}@QQ{?=QQQ}"

func TestPlansPutEveryWordInItsPlace(t *testing.T) {
	cases := []struct{ name, encoding, amd64, arm64 string }{
		{"ids and integers", "v@:@QQ", "self cmd w0 w1 w2", "self cmd w0 w1 w2"},
		{"object result", "@@:", "self cmd -> r0/8=w0", "self cmd -> r0/8=w0"},
		{"BOOL both ways", "B@:B", "self cmd bool0 -> r0/1=w0", "self cmd bool0 -> r0/1=w0"},
		{"narrow integers", "i@:cCsSiI", "self cmd s8:0 u8:1 s16:2 u16:3 | stack: s32:4 u32:5 -> r0/4=w0",
			"self cmd s8:0 u8:1 s16:2 u16:3 s32:4 u32:5 -> r0/4=w0"},
		{"a selector", "B@::", "self cmd sel:0 -> r0/1=w0", "self cmd sel:0 -> r0/1=w0"},
		{"two MTLSize", "v@:{?=QQQ}{?=QQQ}", "self cmd | stack: w0 w1 w2 w3 w4 w5", "self cmd &w0 &w3"},
		{"MTLRegion between integers", "v@:{?={?=QQQ}{?=QQQ}}Q^vQ", "self cmd w6 w7 w8 | stack: w0 w1 w2 w3 w4 w5", "self cmd &w0 w6 w7 w8"},
		{"NSRange", "v@:{_NSRange=QQ}C", "self cmd w0 w1 u8:2", "self cmd w0 w1 u8:2"},
		{"NSRange result", "{_NSRange=QQ}@:", "self cmd -> r0/8=w0 r1/8=w1", "self cmd -> r0/8=w0 r1/8=w1"},
		{"NSRange that no longer fits registers", "v@:QQQ{_NSRange=QQ}Q", "self cmd w0 w1 w2 w5 | stack: w3 w4", "self cmd w0 w1 w2 w3 w4 w5"},
		{"NSRange that fits neither's", "v@:QQQQQ{_NSRange=QQ}Q", "self cmd w0 w1 w2 w3 | stack: w4 w5 w6 w7", "self cmd w0 w1 w2 w3 w4 _ | stack: w5 w6 w7"},
		{"setBuffers", "v@:r^@r^Q{_NSRange=QQ}", "self cmd w0 w1 w2 w3", "self cmd w0 w1 w2 w3"},
		{"texture copy", copyFromTexture,
			"self cmd w0 w1 w2 w9 | stack: w3 w4 w5 w6 w7 w8 w10 w11 w12 w13 w14", "self cmd w0 w1 w2 &w3 &w6 w9 | stack: w10 w11 &w12"},
		{"MTLSize result", "{?=QQQ}@:", "&result self cmd -> memory", "self cmd -> memory (typed)"},
		{"MTLRegion result with an argument", "{?={?=QQQ}{?=QQQ}}@:Q", "&result self cmd w0 -> memory", "self cmd w0 -> memory (typed)"},
		{"MTLResourceID", "{MTLResourceID=Q}@:{MTLResourceID=Q}Q", "self cmd w0 w1 -> r0/8=w0", "self cmd w0 w1 -> r0/8=w0"},
		{"swizzle channels", "{?=CCCC}@:{?=CCCC}", "self cmd w0 -> r0/4=w0", "self cmd w0 -> r0/4=w0"},
		{"double result", "d@:", "self cmd -> f0/8=w0 (typed)", "self cmd -> f0/8=w0 (typed)"},
		{"float result", "f@:", "self cmd -> f0/4=w0 (typed)", "self cmd -> f0/4=w0 (typed)"},
		{"floats between integers", "v@:@ffQ", "self cmd w0 w3 | f: w1 w2 (typed)", "self cmd w0 w3 | f: w1 w2 (typed)"},
		{"nine doubles", "v@:ddddddddd", "self cmd | f: w0 w1 w2 w3 w4 w5 w6 w7 | stack: w8 (typed)", "self cmd | f: w0 w1 w2 w3 w4 w5 w6 w7 | stack: w8 (typed)"},
		{"MTLClearColor both ways", "{?=dddd}@:{?=dddd}", "&result self cmd | stack: w0 w1 w2 w3 -> memory",
			"self cmd | f: w0 w1 w2 w3 -> f0/8=w0 f1/8=w1 f2/8=w2 f3/8=w3 (typed)"},
		{"two floats", "{?=ff}@:{?=ff}", "self cmd | f: w0 -> f0/8=w0 (typed)", "self cmd | f: w0 high:0 -> f0/4=w0 f1/4=w0high (typed)"},
		{"three floats", "{?=fff}@:", "self cmd -> f0/8=w0 f1/4=w1 (typed)", "self cmd -> f0/4=w0 f1/4=w0high f2/4=w1 (typed)"},
		{"CGSize", "{CGSize=dd}@:{CGSize=dd}", "self cmd | f: w0 w1 -> f0/8=w0 f1/8=w1 (typed)", "self cmd | f: w0 w1 -> f0/8=w0 f1/8=w1 (typed)"},
		{"integer and double", "{?=Qd}@:{?=dQ}", "self cmd w1 | f: w0 -> r0/8=w0 f0/8=w1 (typed)", "self cmd w0 w1 -> r0/8=w0 r1/8=w1"},
		{"float and integer in one word", "v@:{?=fI}", "self cmd w0", "self cmd w0"},
		{"five doubles are memory", "v@:{?=ddddd}", "self cmd | stack: w0 w1 w2 w3 w4", "self cmd &w0"},
		{"homogeneous struct after six doubles", "v@:dddddd{?=ddd}d",
			"self cmd | f: w0 w1 w2 w3 w4 w5 w9 | stack: w6 w7 w8 (typed)", "self cmd | f: w0 w1 w2 w3 w4 w5 _ _ | stack: w6 w7 w8 w9 (typed)"},
		{"error parameter and block", "@@:@^@@?", "self cmd w0 w1 w2 -> r0/8=w0", "self cmd w0 w1 w2 -> r0/8=w0"},
	}
	for _, c := range cases {
		sig, err := parseMethod(c.encoding)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for a, want := range map[abi]string{sysv: c.amd64, aapcs: c.arm64} {
			p, reason := lower(a, &sig, true)
			if reason != "" {
				t.Errorf("%s: %s", c.name, reason)
			} else if got := p.describe(); got != want {
				t.Errorf("%s, abi %d:\n got %s\nwant %s", c.name, a, got, want)
			}
		}
	}
}

func TestStackWordsFollowAFullSetOfRegisters(t *testing.T) {
	sig, err := parseMethod(copyFromTexture)
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[abi][2]int{sysv: {17, 6}, aapcs: {11, 8}} {
		p, _ := lower(a, &sig, true)
		if len(p.flat) != want[0] || p.flat[want[1]] != p.stack[0] {
			t.Errorf("abi %d: %d words, want %d, the stack from %d", a, len(p.flat), want[0], want[1])
		}
	}
	sig, _ = parseMethod("v@:{?=QQQ}")
	p, _ := lower(sysv, &sig, true)
	for i := 2; i < 6; i++ {
		if p.flat[i].kind != placePad {
			t.Errorf("register %d holds %v, want nothing", i, p.flat[i])
		}
	}
}

func TestFunctionsHaveNoReceiver(t *testing.T) {
	for _, c := range []struct{ encoding, amd64, arm64 string }{
		{"@{?=QQQ}Q", "w3 | stack: w0 w1 w2 -> r0/8=w0", "&w0 w3 -> r0/8=w0"},
		{"@", " -> r0/8=w0", " -> r0/8=w0"},
		{"v", "", ""},
	} {
		sig, err := parseFunction(c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		for a, want := range map[abi]string{sysv: c.amd64, aapcs: c.arm64} {
			if p, _ := lower(a, &sig, false); p.describe() != want {
				t.Errorf("%s, abi %d: %q, want %q", c.encoding, a, p.describe(), want)
			}
		}
	}
}

func TestShapesThatTheTwoArmConventionsPassDifferentlyAreRefused(t *testing.T) {
	for _, encoding := range []string{"v@:QQQQQQI", "v@:QQQQQQ{?=CCCC}", "v@:dddddddd{?=fff}", "v@:dddddddff"} {
		sig, err := parseMethod(encoding)
		if err != nil {
			t.Fatal(err)
		}
		if _, reason := lower(aapcs, &sig, true); reason == "" {
			t.Errorf("%s is passed", encoding)
		}
	}
}

func TestResultsAreCutToTheirType(t *testing.T) {
	const junk = 0xa5a5a5a5a5a5a500
	cases := []struct {
		encoding string
		r0       uintptr
		want     uintptr
	}{
		{"B@:", junk | 1, 1}, {"B@:", junk, 0}, {"c@:", junk | 0xff, ^uintptr(0)}, {"C@:", junk | 0xff, 0xff},
		{"i@:", 0xa5a5a5a5_fffffffe, ^uintptr(1)}, {"I@:", 0xa5a5a5a5_fffffffe, 0xfffffffe},
		{"s@:", junk&^0xffff | 0x8000, 0xffff_ffff_ffff_8000}, {"S@:", junk&^0xffff | 0x8000, 0x8000},
		{"Q@:", 0xfedcba9876543210, 0xfedcba9876543210}, {"v@:", junk, 0}, {"{?=CCCC}@:", 0xa5a5a5a5_04030201, 0x04030201},
	}
	for _, c := range cases {
		sig, err := parseMethod(c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []abi{sysv, aapcs} {
			p, _ := lower(a, &sig, true)
			var got resultWords
			p.load(&got, &results{ints: [2]uintptr{c.r0, junk}})
			if got[0] != c.want {
				t.Errorf("%s, abi %d: %#x becomes %#x, want %#x", c.encoding, a, c.r0, got[0], c.want)
			}
		}
	}
	sig, _ := parseMethod("{?=fff}@:")
	r := &results{floats: [4]uint64{0xaaaaaaaa00000001, 0xbbbbbbbb00000002, 0xcccccccc00000003}}
	p, _ := lower(aapcs, &sig, true)
	var got resultWords
	p.load(&got, r)
	if got[0] != 2<<32|1 || got[1] != 3 {
		t.Errorf("three floats become %#x", got[:2])
	}
}
