package syntax

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// diagnostics gives the errors of src as "line:col text" lines.
func diagnostics(t *testing.T, src string) string {
	t.Helper()
	f, err := Parse("t.metal", src, nil, 31)
	if err == nil {
		return ""
	}
	var list token.ErrorList
	if f != nil || !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("%q: got %v, %v", src, f, err)
	}
	var ss []string
	for _, e := range list {
		if e.Pos.File == nil || e.Pos.Line < 1 || e.Pos.Col < 1 {
			t.Errorf("%q: %q has no position", src, e.Text)
		}
		ss = append(ss, strings.TrimPrefix(e.Pos.String(), "t.metal:")+" "+e.Text)
	}
	return strings.Join(ss, "\n")
}

func TestErrorsStandWhereTheMistakeIs(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"int a", "1:6 expected ';' after declaration"},
		{"void f() {\n  int a = 1\n  a = 2;\n}", "2:12 expected ';' after declaration"},
		{"void f() { a = ; }", "1:16 expected an expression before ';'"},
		{"void f() { g(1, 2; }", "1:18 expected ')' before ';'"},
		{"void f() { foo x; }", "1:12 unknown type name 'foo'"},
		{"foo f(int x);", "1:1 unknown type name 'foo'"},
		{"void f(foo x) { bar y; }\nint b = ;", "1:8 unknown type name 'foo'\n2:9 expected an expression before ';'"},
		{"void f() { x[1 = 2; }\nvoid g() { return 1 }", "1:19 expected ']' before ';'\n2:20 expected ';' after return statement"},
		{"void f() { int a = 1 +; int b = * ; a b; }", "1:23 expected an expression before ';'\n1:35 expected an expression before ';'\n1:38 expected ';' after expression"},
		{"void f() { if (a { b; } c = ; }", "1:18 expected ')' before '{'\n1:29 expected an expression before ';'"},
		{"struct S { int a; foo b; int c };\nint x = ;", "1:19 unknown type name 'foo'\n1:31 expected ';' after declaration\n2:9 expected an expression before ';'"},
		{"int x;\n}", "2:1 extraneous closing brace ('}')"},
		{"void f() {", "1:11 expected '}' before end of file"},
		{"vertex float4 v() { return 1; }", "1:1 vertex functions are not supported: only compute kernels are"},
		{"[[fragment]] float4 v() { return 1; }", "1:3 fragment functions are not supported: only compute kernels are"},
		{"void f() { auto g = [](int x) { return x; }; }", "1:21 lambda expressions are not supported"},
		{"void f() { goto a; }", "1:12 goto is not supported in Metal"},
		{"void f() { a: return; }", "1:12 labels are not supported in Metal"},
		{"void f() { try { } catch (...) { } }", "1:12 exceptions are not supported in Metal"},
		{"void f() { throw 1; }", "1:12 exceptions are not supported in Metal"},
		{"void f() { int *p = new int; }", "1:21 'new' is not supported in Metal"},
		{"void f() { delete p; }", "1:12 'delete' is not supported in Metal"},
		{"void f() { asm(\"\"); }", "1:12 inline assembly is not supported"},
		{"struct S { virtual void f(); };", "1:12 virtual functions are not supported in Metal"},
		{"struct S { ~S() {} };", "1:12 destructors are not supported"},
		{"struct S { int a : 3; };", "1:18 bit-fields are not supported in Metal"},
		{"void f() { for (int x = 1 : y) { } }", "1:12 a range-based for loop declares one variable without an initializer"},
		{"void f() { dynamic_cast<int>(x); }", "1:12 run-time type information is not supported in Metal"},
		{"void f() { auto [a, b] = c; }", "1:17 structured bindings are not supported in Metal"},
		{"void f() { sizeof(struct { int a; }); }", "1:19 a type cannot be defined here"},
		{"void f(struct { int a; } x);", "1:8 a type cannot be defined here"},
		{"struct S { int f() override; };", "1:20 virtual functions are not supported in Metal"},
		{"struct S { int f() &; };", "1:20 reference-qualified methods are not supported"},
		{"struct S { int f() device thread; };", "1:27 multiple address spaces specified for a method"},
		{"kernel int x;", "1:12 'kernel' can only be applied to functions"},
		{"void f() { int g(); }", "1:17 functions cannot be declared inside of a function (or the variable needs '{}' to be value-initialised)"},
		{"template <typename T> struct S { T a; }; template struct S<int>;", "1:51 explicit instantiation of a class template is not supported"},
		{"template <typename T> void f(T); template void f<int>(int) {}", "1:60 an explicit instantiation cannot have a body; an explicit specialisation begins with template <>"},
		{"void f() { template <typename T> T x; }", "1:12 templates cannot be declared inside of a function"},
		{"void f() { namespace a {} }", "1:12 namespaces can only be defined in namespace scope"},
		{"struct S { friend void f(); };", "1:12 friend declarations are not supported"},
		{"int a = (1, , 2);", "1:13 expected an expression before ','"},
		{"int a[] = {[0] = 1};", "1:12 array designators are not supported"},
		{"void f() { x ?: y; }", "1:15 a conditional expression without a middle operand is not supported"},
		{"void f() { case 1 ... 2: ; }", "1:19 case ranges are not supported"},
		{"int &&&x;", "1:7 a reference to a reference cannot be declared"},
		{"void f() { int x::y; }", "1:16 a static data member cannot be defined outside of its struct"},
		{"int x; int y = x::z;", "1:17 'x' is not a class, namespace, or enumeration"},
		{"extern \"C\" { int x; }", "1:1 linkage specifications are not supported in Metal"},
		{"void f() { else x; }", "1:12 expected a statement before 'else': there is no if for it"},
		{"void f() { if (int x) ; }", "1:16 variable declaration in condition must have an initializer"},
		{"namespace a = b;", "1:15 a namespace alias must name a namespace"},
		{"int operator.(int);", "1:13 '.' cannot be overloaded"},
		{"using T;", "1:7 using declaration requires a qualified name"},
		{"int a = '\\x100';", "1:9 invalid hex escape sequence"},
		{"decltype(auto) f();", "1:10 decltype(auto) is not supported"},
		{"device constant int *p;", "1:8 multiple address spaces specified for type: 'device' and 'constant'"},
		{"unsigned float f;", "1:1 invalid combination of type specifiers"},
		{"int float f;", "1:5 cannot combine with previous 'int' declaration specifier"},
		{"void f(int x, ...);", "1:15 variadic functions are not supported in Metal"},
		{"template <template <typename> class T> struct S {};", "1:11 template template parameters are not supported"},
		{"int a = 0x;", "1:9 invalid digit in integer constant '0x'"},
		{"int a = 12q;", "1:9 invalid suffix 'q' on integer constant"},
		{"int a = 1f;", "1:9 invalid suffix 'f' on integer constant"},
		{"int a = 09;", "1:9 invalid digit in integer constant '09'"},
		{"float a = 1.0x;", "1:11 invalid suffix 'x' on floating constant"},
		{"float a = 1e;", "1:11 exponent has no digits"},
		{"ulong a = 99999999999999999999;", "1:11 integer literal is too large to be represented in any integer type"},
		{"int a = '';", "1:9 empty character constant"},
		{"int a = 'a", "1:9 missing terminating ' character"},
		{"static_assert(1, \"a);", "1:18 missing terminating '\"' character"},
		{"int a = @;", "1:9 unexpected character \"@\""},
		{"/* a", "1:1 unterminated /* comment"},
		{"#include <iostream>\nint a", "1:10 'iostream' file not found"},
		{"#error no good, \"at\" all", "1:2 no good, \"at\" all"},
		{"#if 1\n#else\n#else\n#endif\n#endif", "3:2 #else after #else\n5:2 #endif without #if"},
		{"#if 1 +\n#endif\n#if (1\n#endif\n#if 1 2\n#endif\n#if\n#endif", "1:2 expected value in expression\n3:2 expected ')' in preprocessor expression\n5:7 token is not a valid binary operator in a preprocessor subexpression\n7:2 expected value in expression"},
		{"#if 1/0\n#endif", "1:6 division by zero in preprocessor expression"},
		{"\n#ifdef A", "2:2 unterminated conditional directive"},
		{"#define\n#define 1\n#define f(a\n#define g(a,a) 1\n#define h(a) #b\n#define i ## a\n#undef", "1:2 macro name missing\n2:9 macro name must be an identifier\n3:9 missing ')' in macro parameter list\n4:13 duplicate macro parameter name 'a'\n5:14 '#' is not followed by a macro parameter\n6:11 '##' cannot appear at either end of a macro expansion\n7:2 macro name missing"},
		{"#frob", "1:2 invalid preprocessing directive '#frob'"},
		{"#define f(a, b) a\nf(1) f(1, 2, 3) f(1", "2:1 too few arguments provided to function-like macro invocation of 'f'\n2:6 too many arguments provided to function-like macro invocation of 'f'\n2:17 unterminated argument list invoking macro 'f'"},
		{"#define c(a, b) a ## b\nc(+, 1)", "2:3 pasting formed '+1', an invalid preprocessing token"},
		{"#define BAD int = 3;\n  BAD", "2:3 expected a name before '='"},
		{"#line 100\nint = 1;", "100:5 expected a name before '='"},
		{"int a\\\nb = ;", "2:5 expected an expression before ';'"},
	} {
		if got := diagnostics(t, c.in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestAnErrorInsideAMacroNotesTheMacro(t *testing.T) {
	_, err := Parse("t.metal", "#define INNER int = 3;\n#define OUTER INNER\n\nOUTER", nil, 31)
	want := "t.metal:4:1: error: expected a name before '='\nt.metal:1:9: note: expanded from macro 'INNER'\nt.metal:2:9: note: expanded from macro 'OUTER'\n1 error generated."
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestAnArgumentKeepsItsOwnPosition(t *testing.T) {
	if got, want := diagnostics(t, "#define ID(x) x\nint a = ID(1 + ;\n);"), "2:16 expected an expression before ';'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestErrorsAreCappedAtTwenty(t *testing.T) {
	_, err := Parse("t.metal", strings.Repeat("int = 1;\n", 100), nil, 31)
	var list token.ErrorList
	if !errors.As(err, &list) || len(list) != maxErrors+1 || list[maxErrors].Text != "too many errors emitted, stopping now" {
		t.Errorf("got %v", err)
	}
}

func TestDeepNestingIsAnErrorAndNotACrash(t *testing.T) {
	const n = 20000
	for _, src := range []string{
		"int a = " + strings.Repeat("(", n), "int a = " + strings.Repeat("-", n) + "1;", "int a = " + strings.Repeat("!", n),
		"void f() " + strings.Repeat("{", n), "void f() { " + strings.Repeat("if (1) ", n), "int " + strings.Repeat("(*", n),
		"int " + strings.Repeat("*", n) + "a;", "int a" + strings.Repeat("[1]", n) + ";", "int a = " + strings.Repeat("{", n),
		"int a = b" + strings.Repeat("(b", n), strings.Repeat("namespace a {", n), strings.Repeat("struct a {", n), strings.Repeat("template <typename T> ", n),
		"int a = " + strings.Repeat("vec<", n), "int a = " + strings.Repeat("q<", n), "int a = 1" + strings.Repeat("+1", n) + ";", "int a = b" + strings.Repeat(".c", n) + ";",
		"int a = " + strings.Repeat("1 ? ", n), "int a = " + strings.Repeat("(int)", n) + "1;", "void f(" + strings.Repeat("void (*g)(", n),
		"int a = " + strings.Repeat("b=", n) + "1;", "#if " + strings.Repeat("(", n), "#if " + strings.Repeat("-", n) + "1\n#endif",
		"#define f(x) x\n" + strings.Repeat("f(", n), "#define f(x) x\n" + strings.Repeat("f(", n) + strings.Repeat(")", n), "int a = " + strings.Repeat("sizeof ", n) + "b;",
		"int a = " + strings.Repeat("sizeof(", n), "void f() {" + strings.Repeat("int(", n), "decltype(" + strings.Repeat("decltype(", n),
		"void f() {" + strings.Repeat("q<q<q<q>(", n), strings.Repeat("#if 1\n", n), "namespace " + strings.Repeat("a::", n) + "b {}", "a" + strings.Repeat("::a", n) + " b;",
		"typename " + strings.Repeat("a<typename ", n), "void f() { " + strings.Repeat("switch (1) {", n), "void f() { " + strings.Repeat("do ", n), "[[a(" + strings.Repeat("(", n),
	} {
		start := time.Now()
		if diagnostics(t, src) == "" {
			t.Errorf("%.40s... is accepted", src)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%.40s... takes %v", src, d)
		}
	}
}
