package syntax

import (
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// expandText gives the tokens of src after preprocessing, one blank between them, and the diagnostics.
func expandText(src string, macros map[string]string, version int) (string, token.ErrorList) {
	var errs errorList
	toks := preprocess(&token.File{Name: "t.metal"}, src, macros, version, &errs)
	var b strings.Builder
	for i, t := range toks {
		if t.kind == kEOF {
			break
		}
		if i > 0 && !toks[i-1].glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String(), errs.list
}

func TestMacrosExpandAsTheStandardSays(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"#define A 1\nA A2 A", "1 A2 1"},
		{"#define A B\n#define B A\nA B", "A B"},
		{"#define f(x) x + f(x)\nf(f(1))", "1 + f ( 1 ) + f ( 1 + f ( 1 ) )"},
		{"#define f(x) x\n#define g f\ng(1) g f f\n(2)", "1 f f 2"},
		{"#define f() 1\nf() f ( ) f", "1 1 f"},
		{"#define f(a, b) a|b\nf(1, (2, 3)) f(, ) f(,x)", "1 | ( 2 , 3 ) | | x"},
		{"#define S(x) #x\nS(a  +  b) S(\"q\\n\") S() S( 'c' )", `"a + b" "\"q\\n\"" "" "'c'"`},
		{"#define S(x) #x\n#define T(x) S(x)\n#define A 1\nS(A) T(A)", `"A" "1"`},
		{"#define C(a, b) a ## b\n#define xy 7\nC(x, y) C(, y) C(x, ) C(1, e3f) C(<, <=)", "7 y x 1e3f <<="},
		{"#define C(a, b) a##b\n#define D(a, b) C(a, b)\n#define A 1\nC(A, A) D(A, A)", "AA 11"},
		{"#define H # ## #\n#define mk(a, b) a H b\nmk(x, y)", "x ## y"},
		{"#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)", "123 45 67 89 10 11 12"},
		{"#define V(...) f(__VA_ARGS__)\nV() V(1) V(1, 2)", "f ( ) f ( 1 ) f ( 1 , 2 )"},
		{"#define V(a, ...) f(a, ## __VA_ARGS__)\nV(1) V(1, 2, 3)", "f ( 1 ) f ( 1 , 2 , 3 )"},
		{"#define V(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nV(1) V(1, 2)", "f ( 1 ) f ( 1 , 2 )"},
		{"#define V(a, r...) f(a, r)\nV(1, 2, 3)", "f ( 1 , 2 , 3 )"},
		{"#define V(...) #__VA_ARGS__\nV(a, b  c)", `"a, b c"`},
		{"#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n" +
			"f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
			"f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; " +
				"f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;"},
		{"#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"},
		{"#define A 1 // one\n#define B /* two */ 2\nA/**/B", "1 2"},
		{"#def\\\nine A 1 + \\\n 2\nA", "1 + 2"},
		{"#define f(x) [x]\nf(a\n#define b 2\nb)", "[ a 2 ]"},
		{"__LINE__\n__LINE__ /*\n*/ __LINE__\n#line 40 \"x.h\"\n__LINE__ __FILE__", `1 2 3 40 "x.h"`},
		{"#define L __LINE__\n\nL", "3"},
		{"#define f(x) x\nf(\n__LINE__)", "3"},
		{"__COUNTER__ __COUNTER__", "0 1"},
		{"_Pragma(\"once\") a\n#pragma unroll(4)\n#pragma METAL fp math_mode(safe)\nb", "a b"},
		{"#define U _Pragma(\"clang loop unroll(full)\")\nU for", "for"},
		{"#include <metal_stdlib>\n#include \"metal_math\"\n#define H <metal_atomic>\n#include H\nx", "x"},
		{"a >> b >>= c", "a >> b >>= c"},
		{"/* a\n b */ c // d \\\n e\nf", "c f"},
		{"#\n # define X 1\n  #  undef X\nX", "X"},
		{"\ufeff#define A 1\r\nA\r\n", "1"},
		{"#define A \\ \n 4\nA", "4"},
		{"#if 1 // c\na\n#else x\n#endif y\n#undef A B\n#include <metal_stdlib> z\nb", "a b"},
		{"#if 0\n'x\n#else\ny\n#endif", "y"},
		{"__METAL_VERSION__ __METAL__ __cplusplus", "310 1 201402L"},
		{"#undef INFINITY\nINFINITY", "INFINITY"},
		{"#define EMPTY\n#define f(x) (x)\nf EMPTY (1)", "f ( 1 )"},
	} {
		got, errs := expandText(c.in, nil, 31)
		if len(errs) > 0 {
			t.Errorf("%s\n%v", c.in, errs)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestConditionsAreIntegerExpressions(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"1", true}, {"0", false}, {"x", false}, {"true", true}, {"1 + 2 * 3 == 7", true}, {"(1 + 2) * 3 == 9", true},
		{"-1 < 0", true}, {"-1 < 0u", false}, {"-1 >> 1 == -1", true}, {"~0u >> 63 == 1", true}, {"1 ? 0 : 1", false},
		{"0 && 1 / 0", false}, {"1 || 1 / 0", true}, {"1 ? 2 : 1 / 0", true}, {"'a' == 97", true}, {"0x10 == 16 && 010 == 8 && 0b11 == 3", true},
		{"defined A", true}, {"defined(A) && !defined(B)", true}, {"A == 5", true}, {"F(2) == 3", true}, {"defined F", true},
		{"__METAL_VERSION__ >= 310", true}, {"defined(__HAVE_BFLOAT__)", true}, {"__has_include(<metal_stdlib>)", true},
		{"__has_include(\"no.h\")", false}, {"defined(__has_include) && __has_include(<metal_math>)", true}, {"__has_feature(x)", false},
		{"D", true}, {"1'000 == 1000", true}, {"5 % 3 == 2 && -7 / 2 == -3", true}, {"(2 | 1) ^ 3 & 1", true}, {"not 0 and 1", true}, {"!A", false},
		{"1 == 2 ? 3 : 4 == 4", true}, {"8 - 4 - 2 == 2 && 64 / 8 / 2 == 4", true}, {"A(1)", false},
	} {
		src := "#define A 5\n#define F(x) x + 1\n#define D defined(A)\n"
		if c.in == "A(1)" {
			src = "#define A(x) 0\n"
		}
		got, errs := expandText(src+"#if "+c.in+"\nyes\n#else\nno\n#endif", nil, 31)
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.in, errs)
		}
		if (got == "yes") != c.want {
			t.Errorf("#if %s takes %s", c.in, got)
		}
	}
}

func TestOneBranchOfAConditionalIsTaken(t *testing.T) {
	const src = "#if A == 1\n1\n#elif A == 2\n2\n# if B\n2b\n# else\n2c\n# endif\n#elif A == 3\n3\n#else\n4\n#endif\n#ifdef B\nb\n#endif\n#ifndef B\nn\n#endif\n"
	for _, c := range []struct{ a, b, want string }{
		{"1", "", "1 n"}, {"2", "", "2 2c n"}, {"2", "1", "2 2b b"}, {"3", "", "3 n"}, {"9", "1", "4 b"},
	} {
		macros := map[string]string{"A": c.a}
		if c.b != "" {
			macros["B"] = c.b
		}
		if got, errs := expandText(src, macros, 31); got != c.want || len(errs) > 0 {
			t.Errorf("A=%s B=%s: got %s, want %s, %v", c.a, c.b, got, c.want, errs)
		}
	}
}

func TestPredefinedMacrosFollowTheLanguageVersion(t *testing.T) {
	for version, want := range map[int]string{
		30: "300 __HAVE_BFLOAT__ 201402L M_PI_BF", 31: "310 1 201402L 3.14159265358979323846264338327950288bf",
		32: "320 1 201402L 3.14159265358979323846264338327950288bf", 40: "400 1 201703L 3.14159265358979323846264338327950288bf",
	} {
		if got, _ := expandText("__METAL_VERSION__ __HAVE_BFLOAT__ __cplusplus M_PI_BF", nil, version); got != want {
			t.Errorf("version %d: got %s, want %s", version, got, want)
		}
	}
}

func TestOptionMacrosComeBeforeTheFirstLine(t *testing.T) {
	got, errs := expandText("TILE * N + EMPTY + LATER", map[string]string{"TILE": "(8 + N)", "N": "3", "EMPTY": "", "LATER": "TILE"}, 31)
	if want := "( 8 + 3 ) * 3 + + ( 8 + 3 )"; got != want || len(errs) > 0 {
		t.Errorf("got %s, want %s, %v", got, want, errs)
	}
	if _, errs := expandText("", map[string]string{"1x": "2"}, 31); len(errs) != 1 {
		t.Errorf("a bad name gives %v", errs)
	}
}

func TestRunawayMacrosAreAnError(t *testing.T) {
	var b strings.Builder
	b.WriteString("#define A0 x x x x x x x x\n")
	for i := 1; i < 12; i++ {
		p, n := itoa(i-1), itoa(i)
		b.WriteString("#define A" + n + " A" + p + " A" + p + " A" + p + " A" + p + " A" + p + " A" + p + " A" + p + " A" + p + "\n")
	}
	b.WriteString("A11\n")
	_, errs := expandText(b.String(), nil, 31)
	if len(errs) != 1 || errs[0].Text != "macro expansion produces too many tokens" {
		t.Errorf("got %v", errs)
	}
}
