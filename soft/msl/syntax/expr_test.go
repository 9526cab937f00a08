package syntax

import "testing"

// parseOrFail gives the tree of src.
func parseOrFail(t *testing.T, src string) *File {
	t.Helper()
	f, err := Parse("t.metal", src, nil, 31)
	if err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	return f
}

func TestExpressionsBindAsInC(t *testing.T) {
	const before = `struct S { int a; template <int N> int get() { return N; } };
enum E { E0, E1 };
template <typename T> T id(T x) { return x; }
template <int N> constexpr constant int twice = N * 2;
template <typename T> struct box { T v; };
namespace ns { struct Q { int z; }; template <typename T> T dup(T x) { return x; } constant int k = 3; }
void f(int a, int b, int c, device float *p, S s, thread S *q, bool bo, float4 v) { `
	for _, c := range []struct{ in, want string }{
		{"a + b * c", "(a + (b * c))"},
		{"a * b + c", "((a * b) + c)"},
		{"a - b - c", "((a - b) - c)"},
		{"a << b + c", "(a << (b + c))"},
		{"a >> b >> c", "((a >> b) >> c)"},
		{"a < b == c > a", "((a < b) == (c > a))"},
		{"a & b == c", "(a & (b == c))"},
		{"a | b ^ c & a", "(a | (b ^ (c & a)))"},
		{"a || b && c", "(a || (b && c))"},
		{"a = b = c", "(a = (b = c))"},
		{"a += b, c -= a", "((a += b) , (c -= a))"},
		{"a >>= b", "(a >>= b)"},
		{"a >= b", "(a >= b)"},
		{"a ? b : c ? a : b", "(a ? b : (c ? a : b))"},
		{"a ? b, c : a = b", "(a ? (b , c) : (a = b))"},
		{"-a++", "(-(a++))"},
		{"!~-+a", "(!(~(-(+a))))"},
		{"*p++", "(*(p++))"},
		{"&p[a]", "(&p[a])"},
		{"- -a - --b", "((-(-a)) - (--b))"},
		{"a and not b or c", "((a && (!b)) || c)"},
		{"s.a + q->a", "(s.a + q->a)"},
		{"v.xyz.zyx", "v.xyz.zyx"},
		{"(a) + b", "(a + b)"},
		{"(int)a + b", "(cast<int>(a) + b)"},
		{"(float)-a", "cast<float>((-a))"},
		{"(device float4 *)p + 1", "(cast<ptr(device float4)>(p) + 1)"},
		{"(const device half*)(p + a)", "cast<ptr(device const half)>((p + a))"},
		{"(device float (*)[4])p", "cast<ptr(array[4](device float))>(p)"},
		{"(float4)(a)", "cast<float4>(a)"},
		{"(float4){1, 2, 3, 4}", "new<float4>{1, 2, 3, 4}"},
		{"(float(a) + 1)", "(new<float>(a) + 1)"},
		{"float2(a, b).x", "new<float2>(a, b).x"},
		{"float4{1.0f, 2}[1]", "new<float4>{1.0f, 2}[1]"},
		{"uint3(1)", "new<uint3>(1)"},
		{"unsigned(a)", "new<uint>(a)"},
		{"vec<float, 4>(v)", "new<vec<float, =4>>(v)"},
		{"metal::vec<uint, 2>(1u)", "new<metal::vec<uint, =2>>(1u)"},
		{"static_cast<device float*>(p)", "staticcast<ptr(device float)>(p)"},
		{"reinterpret_cast<device const uint &>(*p)", "reinterpretcast<ref(device const uint)>((*p))"},
		{"static_cast<vec<half, 4>>(v)", "staticcast<vec<half, =4>>(v)"},
		{"as_type<uint>(v.x) >> 16", "(as_type<uint>(v.x) >> 16)"},
		{"sizeof(float4)", "sizeof<float4>"},
		{"sizeof(device float *)", "sizeof<ptr(device float)>"},
		{"sizeof(a)", "sizeof(a)"},
		{"sizeof a * 2", "(sizeof(a) * 2)"},
		{"sizeof(float) * 2", "(sizeof<float> * 2)"},
		{"alignof(S)", "alignof<S>"},
		{"sizeof(s.a)", "sizeof(s.a)"},
		{"id<int>(a)", "id<int>(a)"},
		{"id<constant S &>(s)", "id<ref(constant S)>(s)"},
		{"id(a) < b", "(id(a) < b)"},
		{"a < b && c > (a)", "((a < b) && (c > a))"},
		{"twice<2> + 1", "(twice<=2> + 1)"},
		{"id<box<box<int>>>(box<box<int>>{})", "id<box<box<int>>>(new<box<box<int>>>{})"},
		{"id<vec<int, (2 > 1) ? 2 : 3>>(a)", "id<vec<int, =((2 > 1) ? 2 : 3)>>(a)"},
		{"box<int[2 > 1]>{}.v[0]", "new<box<array[(2 > 1)](int)>>{}.v[0]"},
		{"s.get<3>() + 1", "(s.get<=3>() + 1)"},
		{"s.template get<1>()", "s.get<=1>()"},
		{"q->get<2>()", "q->get<=2>()"},
		{"s.a < b", "(s.a < b)"},
		{"s.get < b", "(s.get < b)"},
		{"ns::dup<float>(1.0f)", "ns::dup<float>(1.0f)"},
		{"ns::Q{1}.z", "new<ns::Q>{1}.z"},
		{"ns::k * 2", "(ns::k * 2)"},
		{"::twice<1>", "::twice<=1>"},
		{"metal::max(a, b)", "metal::max(a, b)"},
		{"metal::precise::exp(v.x)", "metal::precise::exp(v.x)"},
		{"max<float>(a, b)", "max<float>(a, b)"},
		{"mem_flags::mem_device | mem_flags::mem_threadgroup", "(mem_flags::mem_device | mem_flags::mem_threadgroup)"},
		{"numeric_limits<float>::max()", "numeric_limits<float>::max()"},
		{"metal::numeric_limits<half>::lowest()", "metal::numeric_limits<half>::lowest()"},
		{"is_same_v<float, half> && true", "(is_same_v<float, half> && true)"},
		{"is_same<float, half>::value", "is_same<float, half>::value"},
		{"make_filled_simdgroup_matrix<float, 8, 8>(0.f)", "make_filled_simdgroup_matrix<float, =8, =8>(0.0f)"},
		{"INFINITY", "+Inff"},
		{"-NAN", "(-NaNf)"},
		{"HUGE_VALH", "+Infh"},
		{"M_PI_F", "3.1415927410125732f"},
		{"M_PI_H", "3.141592653589793h"},
		{"FLT_MAX", "3.4028234663852886e+38f"},
		{"HALF_MAX", "65504.0h"},
		{"INT_MIN", "((-2147483647) - 1)"},
		{"UINT_MAX", "4294967295u"},
		{"0x1F + 0b101 + 017 + 1'000'000", "(((31 + 5) + 15) + 1000000)"},
		{"10u + 10l + 10UL + 10ull + 0xFFul", "((((10u + 10l) + 10ul) + 10ul) + 255ul)"},
		{"1.5h * 2.5H", "(1.5h * 2.5h)"},
		{"1.0bf + 2.5BF", "(1.0bf + 2.5bf)"},
		{"1e3 + 1.5e-3f + .5f + 5.", "(((1000.0 + 0.001500000013038516f) + 0.5f) + 5.0)"},
		{"0x1.8p3f", "12.0f"},
		{"'a' + '\\n' + '\\x41' + '\\0'", "(((char(97) + char(10)) + char(65)) + char(0))"},
		{"'\\101' + '\\'' + '\\q' + '\\xff' + '\"'", "((((char(65) + char(39)) + char(113)) + char(-1)) + char(34))"},
		{"true ? nullptr : nullptr", "(true ? nullptr : nullptr)"},
		{"f(a, {1, 2}, {})", "f(a, {1, 2}, {})"},
		{"s = {1}", "(s = {1})"},
		{"E0 | E::E1", "(E0 | E::E1)"},
		{"p[a < b ? a : b]", "p[((a < b) ? a : b)]"},
		{"((device uint4*)p)[a]", "cast<ptr(device uint4)>(p)[a]"},
		{"*(threadgroup float*)(p)", "(*cast<ptr(threadgroup float)>(p))"},
		{"(*q).a", "(*q).a"},
		{"f((thread S&)s)", "f(cast<ref(thread S)>(s))"},
		{"decltype(s)::a + decltype(box<int>{})::size", "(decltype<=s>::a + decltype<=new<box<int>>{}>::size)"},
		{"__is_empty(S) && __is_convertible(int, device float *)", "(__is_empty<S> && __is_convertible<int, ptr(device float)>)"},
		{"decltype(s)::type(1)", "new<decltype<=s>::type>(1)"},
		{"decltype(a)(b)", "new<decltype(a)>(b)"},
		{"this->a", "this->a"},
		{"simd_shuffle_xor(a, 1 << 2) >= 0", "(simd_shuffle_xor(a, (1 << 2)) >= 0)"},
	} {
		f := parseOrFail(t, before+c.in+"; }")
		fn := f.Decls[len(f.Decls)-1].(*FuncDecl)
		got := DumpExpr(fn.Body.Stmts[0].(*ExprStmt).X)
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestALocalNameHidesALibraryName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"int vec = 1; vec < 2;", "(vec < 2)"},
		{"int array = 1, b = 2; array * b;", "(array * b)"},
		{"int half4 = 1; (half4) - 1;", "(half4 - 1)"},
		{"int a, b, c; a < b > c;", "((a < b) > c)"},
		{"int max = 3; max < 4;", "(max < 4)"},
		{"int type = 2; type * 2;", "(type * 2)"},
	} {
		f := parseOrFail(t, "void f() { "+c.in+" }")
		ss := f.Decls[0].(*FuncDecl).Body.Stmts
		x, ok := ss[len(ss)-1].(*ExprStmt)
		if !ok {
			t.Errorf("%s: not an expression", c.in)
			continue
		}
		if got := DumpExpr(x.X); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}
