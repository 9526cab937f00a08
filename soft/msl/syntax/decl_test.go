package syntax

import (
	"strings"
	"testing"
)

func TestDeclarationsReadFromTheInsideOut(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"int a, *b, c[3], *d[2];", "var a int\nvar b ptr(int)\nvar c array[3](int)\nvar d array[2](ptr(int))"},
		{"int a[2][3];", "var a array[2](array[3](int))"},
		{"constant float x[] = {1, 2.0h};", "var @constant x array[](constant float) = {1, 2.0h}"},
		{"constant constexpr int N = 4;", "var constexpr @constant N constant int = 4"},
		{"static constexpr constant uint N = 4u;", "var static constexpr @constant N constant uint = 4u"},
		{"constexpr const constant int N{4};", "var constexpr @constant N constant const int = {4}"},
		{"constant bool f [[function_constant(3)]];", "var [[function_constant(3)]] @constant f constant bool"},
		{"constant float4 v(1, 2, 3, 4);", "var @constant v constant float4 = new<constant float4>(1, 2, 3, 4)"},
		{"unsigned u; unsigned char uc; long int l; unsigned long long ull; signed char sc; short int s; long long ll;",
			"var u uint\nvar uc uchar\nvar l long\nvar ull ulong\nvar sc char\nvar s short\nvar ll long"},
		{"int unsigned long x;", "var x ulong"},
		{"void f(device const float *a, const device float* b, float const device *c, device float *const d);",
			"func f(a ptr(device const float), b ptr(device const float), c ptr(device const float), d const ptr(device float)) void;"},
		{"void f(threadgroup float (&x)[4], device float (*p)[2][3], constant int (&q)[]);",
			"func f(x ref(array[4](threadgroup float)), p ptr(array[2](array[3](device float))), q ref(array[](constant int))) void;"},
		{"void f(device float *device *p, thread int &&r);", "func f(p ptr(device ptr(device float)), r rref(thread int)) void;"},
		{"void f(void (*g)(int, device float *), int (*const h[2])(void));",
			"func f(g ptr(func(int, ptr(device float))void), h array[2](const ptr(func()int))) void;"},
		{"void f(int, float = 1.0f, int x = 3);", "func f(int, float = 1.0f, x int = 3) void;"},
		{"void f(); int g(void);", "func f() void;\nfunc g() int;"},
		{"kernel void k(uint i [[thread_position_in_grid]], device int *p [[buffer(0), maybe_unused]]) {}",
			"func kernel k([[thread_position_in_grid]] i uint, [[buffer(0)]] p ptr(device int)) void"},
		{"[[kernel, max_total_threads_per_threadgroup(64)]] void k() {}", "func [[max_total_threads_per_threadgroup(64)]] kernel k() void"},
		{"[[metal::kernel]] void k() {}", "func kernel k() void"},
		{"static inline __attribute__((always_inline)) int f() { return 1; }", "func static inline f() int\n  return 1"},
		{"METAL_FUNC int f() { return 1; }", "func inline f() int\n  return 1"},
		{"auto f(int a) -> decltype(a + 1) { return a; }", "func f(a int) decltype((a + 1))\n  return a"},
		{"typedef float real; typedef device float *fp; real r; fp q;", "using real = float\nusing fp = ptr(device float)\nvar r real\nvar q fp"},
		{"typedef int (*fn)(float); typedef float row[4];", "using fn = ptr(func(float)int)\nusing row = array[4](float)"},
		{"using T = metal::vec<float, 4>; T t;", "using T = metal::vec<float, =4>\nvar t T"},
		{"template <typename T> using ptr = device T*; ptr<int> p;", "template<type T> using ptr = ptr(device T)\nvar p ptr<int>"},
		{"struct S; struct S { int a, b[2]; float c; };", "struct S;\nstruct S\n  var a int\n  var b array[2](int)\n  var c float"},
		{"typedef struct { int a; } S; S s;", "struct S\n  var a int\nvar s S"},
		{"typedef struct S { int a; } S; S s;", "struct S\n  var a int\nvar s S"},
		{"typedef struct { int a; } S, *P; P p;", "struct S\n  var a int\nusing P = ptr(S)\nvar p P"},
		{"typedef enum { A } E; E e;", "enum (unnamed 1) A\nusing E = (unnamed 1)\nvar e E"},
		{"template <int> void f(device float *); typedef void (fn)(device float *); template [[host_name(\"a\")]] kernel fn f<1>;",
			"template<int> func f(ptr(device float)) void;\nusing fn = func(ptr(device float))void\ninstantiate [[host_name(\"a\")]] kernel f<=1> fn"},
		{"kernel void k [[max_total_threads_per_threadgroup(8)]] (uint i) {} int a [[x]][2], b[3] [[y]];",
			"func [[max_total_threads_per_threadgroup(8)]] kernel k(i uint) void\nvar [[x]] a array[2](int)\nvar [[y]] b array[3](int)"},
		{"namespace a { namespace b { int x; struct S {}; } } namespace c = a::b; namespace m = metal; c::S s; int y = c::x + m::abs(1); m::float4 v; using namespace c; S t;",
			"namespace a\n  namespace b\n    var x int\n    struct S\nvar s a::b::S\nvar y int = (a::b::x + metal::abs(1))\nvar v metal::float4\nusing namespace a::b\nvar t S"},
		{"template <typename T> constexpr constant bool v = some_trait<is_same<T, int>, T>::value;",
			"template<type T> var constexpr @constant v constant bool = some_trait<is_same<T, int>, T>::value"},
		{"template <typename T, int N> struct S { void f(int); int n; }; template <> void S<float, 2>::f(int a) { n = a; }",
			"template<type T, int N> struct S\n  func f(int) void;\n  var n int\ntemplate<> func S<float, =2>::f(a int) void\n  (n = a)"},
		{"namespace metal { int mine; } metal::float4 v; metal::vec<int, 2> w;", "namespace metal\n  var mine int\nvar v metal::float4\nvar w metal::vec<int, =2>"},
		{"struct S { int a; } s, *p;", "struct S\n  var a int\nvar s S\nvar p ptr(S)"},
		{"struct S { union { int a; float b; }; int c; };", "struct S\n  union \n    var a int\n    var b float\n  var c int"},
		{"struct S { struct { int a; } in; };", "struct S\n  struct (unnamed 1)\n    var a int\n  var in (unnamed 1)"},
		{"struct A { int x; }; struct B : A, public metal::vec<int, 2> { int y = 1; };",
			"struct A\n  var x int\nstruct B : A, metal::vec<int, =2>\n  var y int = 1"},
		{"struct alignas(16) S { alignas(8) int a; } ; struct __attribute__((packed)) Q { char c; };",
			"struct [[alignas(16)]] S\n  var [[alignas(8)]] a int\nstruct [[packed]] Q\n  var c char"},
		{"class C { public: int a; private: int b; };", "struct C\n  var a int\n  var b int"},
		{"struct S { int n; S(int a) : n(a), m{2} { n++; } S() = default; S(thread const S &) = delete; int m; };",
			"struct S\n  var n int\n  func S(a int)\n    init n(a)\n    init m(2)\n    (n++)\n  func S() = default;\n  func S(ref(thread const S)) = delete;\n  var m int"},
		{"struct S { int f() const { return n; } int g() const device; int n; static int h(int x) { return x; } };",
			"struct S\n  func f() int const\n    return n\n  func g() int const device;\n  var n int\n  func static h(x int) int\n    return x"},
		{"struct S { int operator()(int a) const; S operator+(S o); int operator[](int i); operator float() const; S operator>>(int a); thread S &operator+=(S o); };",
			"struct S\n  func operator()(a int) int const;\n  func operator+(o S) S;\n  func operator[](i int) int;\n  func operator T() float const;\n  func operator>>(a int) S;\n  func operator+=(o S) ref(thread S);"},
		{"struct S {}; bool operator<(S a, S b) { return false; } bool operator>>=(S, int);",
			"struct S\nfunc operator<(a S, b S) bool\n  return false\nfunc operator>>=(S, int) bool;"},
		{"enum E { A, B = A + 2, }; enum class F : uchar { X }; enum { Z = 1 << 3 }; E e = B; F f = F::X;",
			"enum E A B=(A + 2)\nenum class F : uchar X\nenum (unnamed 1) Z=(1 << 3)\nvar e E = B\nvar f F = F::X"},
		{"static_assert(sizeof(int) == 4, \"si\" \"ze\"); static_assert(true);", "static_assert (sizeof<int> == 4) \"size\"\nstatic_assert true \"\""},
		{"namespace a::b { int x; } namespace a { int y; } using namespace a; using a::b::x;",
			"namespace a\n  namespace b\n    var x int\nnamespace a\n  var y int\nusing namespace a\nusing a::b::x"},
		{"namespace n { struct S {}; } using namespace n; S s; n::S q;", "namespace n\n  struct S\nusing namespace n\nvar s S\nvar q n::S"},
		{"template <typename T, int N = 4, class U = metal::vec<T, N>> struct S { U u[N]; };",
			"template<type T, int N==4, type U=metal::vec<T, =N>> struct S\n  var u array[N](U)"},
		{"template <bool B = (1 > 2)> struct S {}; S<> s; S<(2 > 1)> t;", "template<bool B==(1 > 2)> struct S\nvar s S<>\nvar t S<=(2 > 1)>"},
		{"template <typename T> struct S { T a; }; template <> struct S<int> { int b; }; template <typename T> struct S<T *> {}; S<S<int>> s;",
			"template<type T> struct S\n  var a T\ntemplate<> struct S<int>\n  var b int\ntemplate<type T> struct S<ptr(T)>\nvar s S<S<int>>"},
		{"template <typename T> T f(T x); template <> int f<int>(int x) { return x; }",
			"template<type T> func f(x T) T;\ntemplate<> func f<int>(x int) int\n  return x"},
		{"template <typename T> void f(T); template void f<int>(int); template [[host_name(\"g\")]] kernel decltype(f<float>) f<float>;",
			"template<type T> func f(T) void;\ninstantiate f<int>(int) void;\ninstantiate [[host_name(\"g\")]] kernel f<float> decltype(f<float>)"},
		{"template <int N> int h(); int h(int); int y = h<2>();", "template<int N> func h() int;\nfunc h(int) int;\nvar y int = h<=2>()"},
		{"template <void (*fn)(device const int *, short)> void f() { fn(nullptr, 1); }",
			"template<ptr(func(ptr(device const int), short)void) fn> func f() void\n  fn(nullptr, 1)"},
		{"template <typename T> constexpr constant bool v = metal::is_same_v<T, int>;",
			"template<type T> var constexpr @constant v constant bool = metal::is_same_v<T, int>"},
		{"template <typename... Ts> int f(Ts... xs) { return sizeof...(Ts) + f(xs...) + (xs + ...) + (0 + ... + xs); }",
			"template<type... Ts> func f(xs Ts...) int\n  return (((sizeof...(Ts) + f(xs...)) + fold(xs + ...)) + fold(0 + ... + xs))"},
		{"template <typename T> struct S { typedef T type; T get(); }; template <typename T> T S<T>::get() { return T(1); }",
			"template<type T> struct S\n  using type = T\n  func get() T;\ntemplate<type T> func S<T>::get() T\n  return new<T>(1)"},
		{"template <typename T> void f() { typename T::type x; T::go(x); typename T::template in<int>::u y; }",
			"template<type T> func f() void\n  var x T::type\n  T::go(x)\n  var y T::in<int>::u"},
		{"struct P { int a; float b; }; constant P p = {.a = 1, .b = 2.0f};", "struct P\n  var a int\n  var b float\nvar @constant p constant P = {.a=1, .b=2.0f}"},
	} {
		got := strings.TrimSuffix(Dump(parseOrFail(t, c.in)), "\n")
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestStatementsRead(t *testing.T) {
	const before = "template <typename T> struct box { T v; }; struct S { int a; }; int g(int a, int b, device float *p, S s, bool c) {"
	for _, c := range []struct{ in, want string }{
		{"if (a) b = 1; else if (c) b = 2; else b = 3;", "if a\n  (b = 1)\nelse\n  if c\n    (b = 2)\n  else\n    (b = 3)"},
		{"if (a) if (b) a = 1; else a = 2;", "if a\n  if b\n    (a = 1)\n  else\n    (a = 2)"},
		{"if constexpr (sizeof(int) > 2) return 1;", "if constexpr (sizeof<int> > 2)\n  return 1"},
		{"if (int x = a) return x;", "cond\n  var x int = a\nif\n  return x"},
		{"if (int x = a; x < 3) return x;", "init\n  var x int = a\nif (x < 3)\n  return x"},
		{"for (int i = 0, j = 1; i < a; ++i, j++) { continue; }", "init\n  var i int = 0\n  var j int = 1\nfor (i < a); ((++i) , (j++))\n  {\n    continue\n  }"},
		{"for (;;) break;", "for\n  break"},
		{"for (a = 1; a < 2;) ;", "init\n  (a = 1)\nfor (a < 2)\n  ;"},
		{"while (a--) b++;", "while (a--)\n  (b++)"},
		{"while (int x = a) b += x;", "for\n  {\n    var x int = a\n    if (!x)\n      break\n    (b += x)\n  }"},
		{"do { a++; } while (a < 3);", "do while (a < 3)\n  {\n    (a++)\n  }"},
		{"switch (a) { case 1: case 2 + 1: b = 1; break; default: return 0; }", "switch a\n  case 1\n  case (2 + 1)\n  (b = 1)\n  break\n  default\n  return 0"},
		{"switch (int k = a; k) { default: ; }", "{\n  var k int = a\n  switch k\n    default\n    ;\n}"},
		{"{ int x; } ;", "{\n  var x int\n}\n;"},
		{"S x, *y = &s;", "var x S\nvar y ptr(S) = (&s)"},
		{"S x(s), y{1}, z = {2};", "var x S = new<S>(s)\nvar y S = {1}\nvar z S = {2}"},
		{"S(s);", "new<S>(s)"},
		{"int(a);", "new<int>(a)"},
		{"float(b) + 1;", "(new<float>(b) + 1)"},
		{"device float (*q)[4] = (device float (*)[4])p;", "var q ptr(array[4](device float)) = cast<ptr(array[4](device float))>(p)"},
		{"int (*q)[4];", "var q ptr(array[4](int))"},
		{"auto x = a * b;", "var x auto = (a * b)"},
		{"const auto &x = s;", "var x ref(const auto) = s"},
		{"thread auto *x = &s;", "var x ptr(thread auto) = (&s)"},
		{"threadgroup float sh[4][8];", "var @threadgroup sh array[4](array[8](threadgroup float))"},
		{"a * b;", "(a * b)"},
		{"S * b;", "var b ptr(S)"},
		{"box<int> x; box<box<int>> y;", "var x box<int>\nvar y box<box<int>>"},
		{"box<int>{1}.v + 1;", "(new<box<int>>{1}.v + 1)"},
		{"typedef int T; T x = T(3); using U = T; U y;", "using T = int\nvar x T = new<T>(3)\nusing U = T\nvar y U"},
		{"struct L { int q; int f() { return q; } }; L l; l.f();", "struct L\n  var q int\n  func f() int\n    return q\nvar l L\nl.f()"},
		{"enum { P = 2 }; a = P;", "enum (unnamed 1) P=2\n(a = P)"},
		{"metal::vec<float, 2> v = metal::vec<float, 2>(1);", "var v metal::vec<float, =2> = new<metal::vec<float, =2>>(1)"},
		{"float4 v(float3(1), 2);", "var v float4 = new<float4>(new<float3>(1), 2)"},
		{"decltype(a) x = a;", "var x decltype(a) = a"},
		{"return {1, 2};", "return {1, 2}"},
		{"(void)a;", "cast<void>(a)"},
		{"static constant int k[2] = {1, 2}; const short q = 1;", "var static @constant k array[2](constant int) = {1, 2}\nvar q const short = 1"},
		{"mem_flags f = mem_flags::mem_none;", "var f mem_flags = mem_flags::mem_none"},
		{"[[maybe_unused]] int x = 1;", "var x int = 1"},
		{"c ? a : b;", "(c ? a : b)"},
	} {
		f := parseOrFail(t, before+c.in+"}")
		body := &dumper{}
		body.stmts(f.Decls[len(f.Decls)-1].(*FuncDecl).Body.Stmts)
		if got := strings.TrimSuffix(body.b.String(), "\n"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestAMethodBodyOfANestedStructSeesTheOuterStruct(t *testing.T) {
	got := Dump(parseOrFail(t, "struct A { struct B { int f() { return sizeof(T); } }; typedef int T; };"))
	want := "struct A\n  struct B\n    func f() int\n      return sizeof<T>\n  using T = int\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestAMethodBodySeesWhatItsStructDeclaresLater(t *testing.T) {
	got := Dump(parseOrFail(t, "struct S { int f() { T x; return g<2>() + (T)n; } typedef float T; int n; template <int K> int g() { return K; } };"))
	want := "struct S\n  func f() int\n    var x T\n    return (g<=2>() + cast<T>(n))\n  using T = float\n  var n int\n  template<int K> func g() int\n    return K\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
