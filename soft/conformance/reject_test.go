package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// wrongPrograms are rejected at the place that @ marks, with a message that contains the fragment.
var wrongPrograms = []struct{ name, src, fragment string }{
	// Names.
	{"undeclared name", `void f() { int x = @y; }`, "'y'"},
	{"undeclared function", `void f() { @g(1); }`, "'g'"},
	{"undeclared type", `@Foo f() { }`, "'Foo'"},
	{"unknown member", `struct S { int a; }; int f(S s) { return s.@b; }`, "'b'"},
	{"unknown namespace", `void f() { @nowhere::g(); }`, "nowhere"},
	{"redefined variable", `void f() { int a = 1; int @a = 2; }`, "'a'"},
	{"redefined function", `int f() { return 1; } int @f() { return 2; }`, "'f'"},
	{"redefined struct", `struct S { int a; }; struct @S { int b; };`, "'S'"},
	{"redefined parameter", `void f(int a, float @a) { }`, "'a'"},
	{"name out of scope", `void f() { { int a = 1; } @a = 2; }`, "'a'"},
	{"use before declaration", `int f() { return @g(); } int g() { return 1; }`, "'g'"},

	// Syntax.
	{"missing semicolon", `void f() { int a = 1@ }`, "';'"},
	{"missing brace", "void f() { int a = 1;\n@", "'}'"},
	{"missing parenthesis", `int f(int a) { return (a + 1@; }`, "')'"},
	{"missing operand", `int f(int a) { return a + @; }`, "expression"},
	{"stray else", `void f() { @else { } }`, "'else'"},
	{"break outside loop", `void f() { @break; }`, "break"},
	{"continue outside loop", `void f() { switch (1) { case 1: @continue; } }`, "continue"},
	{"case outside switch", `void f() { @case 1: ; }`, "case"},
	{"duplicate case", `void f(int a) { switch (a) { case 1: break; case @1: break; } }`, "duplicate"},
	{"two defaults", `void f(int a) { switch (a) { default: break; @default: break; } }`, "default"},
	{"case not constant", `void f(int a, int b) { switch (a) { case @b: break; } }`, "constant"},
	{"switch on float", `void f(float a) { switch (@a) { case 1: break; } }`, "integer"},
	{"goto", `void f() { @goto end; end: ; }`, "goto"},
	{"bad number", `int f() { return @12abc; }`, "suffix"},
	{"bad octal digit", `int f() { return @089; }`, "'089'"},
	{"unterminated string", "constant char* s = @\"abc;\n", ""},
	{"unterminated comment", "void f() { } @/* abc", "comment"},
	{"stray character", "void f() { int a = 1 @` 2; }", ""},

	// Types.
	{"double", `void f() { @double d = 1; }`, "double"},
	{"long double", `@long double f() { return 1; }`, ""},
	{"half vector to float vector", `void f(half2 h) { float2 v = @h; }`, "half2"},
	{"float vector to int vector", `void f(float2 h) { int2 v = @h; }`, "float2"},
	{"vector widths differ", `float3 f(float2 a, float3 b) { return a @+ b; }`, "float2"},
	{"too few vector elements", `float4 f(float2 a) { return @float4(a, 1.0f); }`, "float4"},
	{"too many vector elements", `float2 f(float2 a) { return @float2(a, 1.0f); }`, "float2"},
	{"struct in arithmetic", `struct S { int a; }; int f(S s) { return s @+ 1; }`, "S"},
	{"struct as condition", `struct S { int a; }; void f(S s) { if (@s) { } }`, "S"},
	{"modulo of floats", `float f(float a) { return a @% 2.0f; }`, "'float'"},
	{"shift of floats", `float f(float a) { return a @<< 1; }`, "'float'"},
	{"complement of a float", `float f(float a) { return @~a; }`, "'float'"},
	{"pointer to integer", `int f(device int* p) { return @p; }`, "device int"},
	{"integer to pointer", `void f(device int* p) { p = @1; }`, ""},
	{"pointer times integer", `void f(device int* p) { p = p @* 2; }`, "*"},
	{"dereference of an integer", `int f(int a) { return @*a; }`, "'int'"},
	{"subscript of an integer", `int f(int a) { return a@[0]; }`, ""},
	{"call of an integer", `int f(int a) { return @a(1); }`, ""},
	{"member of an integer", `int f(int a) { return a@.x; }`, "'int'"},
	{"arrow on a struct", `struct S { int a; }; int f(S s) { return s@->a; }`, "->"},
	{"void variable", `void f() { void @a; }`, "void"},
	{"void value", `void g() { } int f() { return @g(); }`, "void"},
	{"value returned from void", `void f() { return @1; }`, "void"},
	{"value missing in return", `int f() { @return; }`, "return"},
	{"array of negative size", `void f() { int a[@-1]; }`, "negative"},
	{"array of variable size", `void f(int n) { int a[@n]; }`, "constant"},
	{"too many initialisers", `void f() { int a[2] = {1, 2, @3}; }`, ""},
	{"array assigned", `void f() { int a[2], b[2]; a @= b; }`, ""},
	{"unknown as_type size", `void f(float a) { ushort u = @as_type<ushort>(a); }`, "size"},

	// const and lvalues.
	{"assignment to const", `void f() { const int a = 1; a @= 2; }`, "const"},
	{"assignment through const pointer", `void f(device const int* p) { p[0] @= 2; }`, "const"},
	{"assignment to constant memory", `void f(constant int& c) { c @= 2; }`, ""},
	{"assignment to a value", `void f(int a) { (a + 1) @= 2; }`, ""},
	{"assignment to a conditional of two types", `void f(bool c, int i, float g) { (c ? i : g) @= 1; }`, "assignable"},
	{"constructor of another address space", `struct S { int a; S(int x) device : a(x) {} }; void f() { S s = @S(1); }`, "S"},
	{"increment of a value", `void f(int a) { @++(a + 1); }`, ""},
	{"address of a value", `void f(int a) { thread int* p = @&(a + 1); }`, ""},
	{"assignment to duplicate swizzle", `void f(float4 v) { v.xx @= float2(1); }`, ""},
	{"const dropped", `void g(device int* p) { } void f(device const int* p) { @g(p); }`, "'g'"},

	// Swizzles.
	{"component beyond width", `float f(float2 v) { return v.@z; }`, "z"},
	{"mixed component sets", `float2 f(float4 v) { return v.@xg; }`, "xg"},
	{"swizzle too long", `void f(float4 v) { auto a = v.@xyzwx; }`, "xyzwx"},

	// Address spaces.
	{"device pointer without space", `void f(@int* p) { }`, "address space"},
	{"wrong address space argument", `void g(threadgroup int* p) { } void f(device int* p) { @g(p); }`, "'g'"},
	{"pointer space conversion", `void f(device int* p) { threadgroup int* q = @p; }`, "threadgroup"},
	{"reference to another space", `void g(thread int& x) { } void f(device int& x) { @g(x); }`, "'g'"},
	{"program-scope variable", `int @counter = 0;`, "constant"},
	{"device variable in a function", `void f() { device int @a; }`, "device"},
	{"constant without initialiser", `constant int @a;`, "initial"},
	{"constant from a call", `int g() { return 1; } constant int a = @g();`, "constant"},
	{"threadgroup initialiser", `kernel void f(device int* o [[buffer(0)]]) { threadgroup int @a = 1; o[0] = a; }`, "threadgroup"},
	{"cast between spaces", `void f(device int* p) { threadgroup int* q = @(threadgroup int*)p; }`, ""},

	// Calls and overloads.
	{"too few arguments", `int g(int a, int b) { return a; } int f() { return @g(1); }`, "'g'"},
	{"too many arguments", `int g(int a) { return a; } int f() { return @g(1, 2); }`, "'g'"},
	{"ambiguous call", `int g(float a) { return 1; } int g(half a) { return 2; } int f(int x) { return @g(x); }`, "ambiguous"},
	{"no viable overload", `int g(int2 a) { return 1; } int f(float3 x) { return @g(x); }`, "'g'"},
	{"recursion", `int f(int a) { return a < 1 ? 0 : @f(a - 1); }`, "recurs"},
	{"mutual recursion", `int g(int a); int f(int a) { return g(a); } int g(int a) { return @f(a); }`, "recurs"},
	{"call of an undefined function", "int g(int a);\nkernel void k(device int* o [[buffer(0)]]) { o[0] = @g(1); }", "'g'"},
	{"maths of integers is ambiguous", `float f(int a) { return @exp(a); }`, "exp"},
	{"unknown library function", `float f(float a) { return @exq(a); }`, "exq"},
	{"function pointer", `int g(int a) { return a; } void f() { int (@*p)(int) = g; }`, ""},

	// Features that the shading language leaves out.
	{"new", `void f() { thread int* p = @new int; }`, "new"},
	{"virtual", `struct S { @virtual void f() { } };`, "virtual"},
	{"exceptions", `void f() { @throw 1; }`, "exceptions"},
	{"try", `void f() { @try { } catch (int) { } }`, "exceptions"},
	{"static local", `void f() { @static int a = 1; }`, "static"},
	{"thread_local", `@thread_local int a;`, "thread_local"},
	{"unknown include", "#include @<vector>\n", "vector"},
	{"assembler", `void f() { @asm("nop"); }`, "assembly"},
	{"variadic function", `void f(int a, @...) { }`, ""},
	{"typeid", `void f(int a) { @typeid(a); }`, "type information"},
	{"dynamic_cast", `void f(thread int* a) { @dynamic_cast<thread int*>(a); }`, "type information"},

	// Kernels and attributes.
	{"kernel with a result", `kernel @int k(device int* o [[buffer(0)]]) { return 1; }`, "void"},
	{"kernel called", `kernel void k(device int* o [[buffer(0)]]) { } void f(device int* o) { @k(o); }`, "kernel"},
	{"two buffers of one index", `kernel void k(device int* a [[buffer(0)]], device int* @b [[buffer(0)]]) { }`, "buffer"},
	{"buffer index too large", `kernel void k(device int* @a [[buffer(31)]]) { }`, "31"},
	{"scalar as buffer", `kernel void k(int @a [[buffer(0)]]) { }`, "'int'"},
	{"thread pointer as buffer", `kernel void k(thread int* @a [[buffer(0)]]) { }`, ""},
	{"wrong type of a built-in", `kernel void k(float @i [[thread_position_in_grid]]) { }`, "thread_position_in_grid"},
	{"wrong width of a built-in", `kernel void k(uint4 @i [[thread_position_in_grid]]) { }`, "thread_position_in_grid"},
	{"vector for a scalar built-in", `kernel void k(uint2 @i [[thread_index_in_simdgroup]]) { }`, "thread_index_in_simdgroup"},
	{"input without attribute", `kernel void k(device int* o [[buffer(0)]], uint @i) { }`, ""},
	{"unknown attribute of a parameter", `kernel void k(device int* o [[buffer(0)]], uint i [[@no_such_thing]]) { }`, "no_such_thing"},
	{"positions of different widths", `kernel void k(uint2 a [[thread_position_in_grid]], uint3 @b [[thread_position_in_threadgroup]]) { }`, ""},
	{"threadgroup variable in a function", `void f() { threadgroup int @a[4]; }`, "threadgroup"},
	{"function constant with initialiser", `constant int @a [[function_constant(0)]] = 1;`, ""},
	{"function constant of struct type", `struct S { int a; }; constant S @a [[function_constant(0)]];`, ""},
	{"two function constants of one index", "constant int a [[function_constant(0)]];\nconstant int @b [[function_constant(0)]];", "0"},

	// Templates.
	{"undeducible template argument", `template <typename T> T g() { return T(0); } int f() { return @g(); }`, "'g'"},
	{"conflicting deduction", `template <typename T> T g(T a, T b) { return a; } int f() { return @g(1, 1.0f); }`, "'g'"},
	{"too many template arguments", `template <typename T> struct S { T a; }; void f() { @S<int, int> s; }`, "S"},
	{"too few template arguments", `template <typename T, int N> struct S { T a[N]; }; void f() { @S<int> s; }`, "S"},
	{"template argument not constant", `template <int N> int g() { return N; } int f(int n) { return g<@n>(); }`, ""},
	{"error in an instance", `template <typename T> int g(T a) { return a@.x; } int f() { return g(1); }`, "'int'"},
	{"static_assert", `@static_assert(sizeof(float3) == 12, "float3 is padded");`, "float3 is padded"},
	{"static_assert in an instance", `template <int N> int g() { @static_assert(N > 3, "N is small"); return N; } int f() { return g<2>(); }`, "N is small"},
	{"explicit instantiation of nothing", `template [[host_name("x")]] kernel void @nothing<int>(device int*);`, "nothing"},

	// Preprocessor.
	{"error directive", "#@error no good\n", "no good"},
	{"unbalanced endif", "#@endif\n", "endif"},
	{"missing endif", "#@if 1\nvoid f() { }\n", "unterminated"},
	{"else after else", "#if 1\n#else\n#@else\n#endif\n", "else"},
	{"unknown directive", "#@frobnicate\n", "frobnicate"},
	{"wrong number of macro arguments", "#define F(a, b) a\nint f() { return @F(1); }", "F"},
	{"division by zero in a condition", "#if 1 @/ 0\n#endif\n", "zero"},
	{"paste makes no token", "#define P(a, b) a##b\nint x() { return P(@+, /); }", "'+/'"},
	{"unterminated macro call", "#define F(a) a\nint f() { return @F(1; }", "F"},

	// simdgroup matrices, atomics.
	{"matrix of int", `void f() { @simdgroup_matrix<int, 8, 8> m; }`, ""},
	{"matrix of another shape", `void f() { @simdgroup_matrix<float, 4, 4> m; }`, ""},
	{"matrix in a struct buffer", `kernel void k(device simdgroup_float8x8* @m [[buffer(0)]]) { }`, ""},
	{"plain pointer to an atomic", `void f(device int* p) { @atomic_fetch_add_explicit(p, 1, memory_order_relaxed); }`, "atomic_fetch_add_explicit"},
	{"stronger memory order", `void f(device atomic_int* p) { atomic_fetch_add_explicit(p, 1, @memory_order_seq_cst); }`, "memory_order_seq_cst"},
	{"atomic assigned", `void f(device atomic_int* p) { *p @= 1; }`, ""},
	{"atomic of short", `void f(device @atomic<short>* p) { }`, ""},
	{"load into a matrix of another type", `void f(device half* p) { simdgroup_float8x8 m; @simdgroup_load(m, p, 8); }`, "simdgroup_load"},
}

func TestWrongProgramsAreRejectedWhereTheyAreWrong(t *testing.T) {
	for _, c := range wrongPrograms {
		t.Run(c.name, func(t *testing.T) {
			before, after, ok := strings.Cut(header+c.src, "@")
			if !ok {
				t.Fatal("no position is marked")
			}
			line := strings.Count(before, "\n") + 1
			col := len(before) - strings.LastIndex(before, "\n")
			text := before + after
			l, err := msl.Compile(text, msl.Options{})
			if err == nil {
				// Some rules are those of a pipeline: the kernel is refused then.
				for _, f := range l.Functions() {
					if _, err = l.Kernel(f.Name, nil); err != nil {
						break
					}
				}
			}
			if err == nil {
				t.Fatalf("accepted:\n%s", c.src)
			}
			var list token.ErrorList
			if !errors.As(err, &list) || len(list) == 0 {
				t.Fatalf("the error is no list of diagnostics but %T: %v", err, err)
			}
			e := list[0]
			if int(e.Pos.Line) != line || int(e.Pos.Col) != col || !strings.Contains(e.Error(), c.fragment) {
				t.Errorf("got  %v\nwant program_source:%d:%d with %q\n%s", e, line, col, c.fragment, c.src)
			}
		})
	}
}

func TestAnErrorDoesNotHideTheNext(t *testing.T) {
	_, err := msl.Compile(header+"void f() { int a = first; }\nvoid g() { second(); }\nint h(int x) { return third; }\n", msl.Options{})
	for _, name := range []string{"first", "second", "third"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
}
