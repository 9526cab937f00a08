package msl_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func TestErrorsSayWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"int f() { return y; }", "3:18 use of undeclared identifier 'y'"},
		{"void f(float3 a, int3 b) { a + b; }", "3:30 invalid operands to binary expression ('float3' and 'int3')"},
		{"float f(int x) { return sqrt(x); }", "3:25 call to 'sqrt' is ambiguous"},
		{"float f(float x) { return max(x, 0); }", "3:27 call to 'max' is ambiguous"},
		{"kernel void k(device int* o) { double d = 0; }", "3:32 'double' is not supported in Metal"},
		{"kernel void k(device int* a [[buffer(1)]], device int* b [[buffer(1)]]) {}", "3:56 cannot reserve 'buffer' resource location at index 1: already used by 'a'"},
		{"void f(threadgroup float* p, device float* q) { p = q; }", "3:53 assigning to 'threadgroup float *' from incompatible type 'device float *'"},
		{"void f(device float* q) { threadgroup int* p = (threadgroup int*)q; }", "3:48 C-style cast from 'device float *' to 'threadgroup int *' converts between mismatching address spaces"},
		{"void f() { threadgroup int x[4]; }", "3:28 variables in the threadgroup address space can only be declared in a kernel function"},
		{"template <typename T> enable_if_t<is_integral_v<T>, T> g(T x) { return x; } float f(float x) { return g(x); }",
			"3:103 no matching function for call to 'g'"},
		{"struct S { int a; void set() { a = 1; } }; void f(const thread S& s) { s.set(); }", "3:74 no matching function for call to 'set'"},
		{"kernel void k(texture2d<float> t [[texture(0)]]) {}", "type 'texture2d' is not supported by the software Metal compiler"},
		{"int f(int n) { int a[n]; return a[0]; }", "'n' is not a constant"},
		{"constant int a = 1; void f() { a = 2; }", "3:34 cannot assign to a variable in the constant address space"},
		{"int x = 3;", "program scope variable must reside in constant address space"},
	} {
		_, err := msl.Compile(header+c.src, msl.Options{})
		var list token.ErrorList
		if !errors.As(err, &list) {
			t.Errorf("%s\naccepted, or no list: %v", c.src, err)
			continue
		}
		got := fmt.Sprintf("%d:%d %s", list[0].Pos.Line, list[0].Pos.Col, list[0].Text)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestEveryFunctionIsCheckedThoughNothingCallsIt(t *testing.T) {
	_, err := msl.Compile(header+"void f() { one; }\nvoid g() { two; three; }\nstruct S { void h() { four; } };", msl.Options{})
	for _, name := range []string{"one", "two", "three"} {
		if err == nil || !strings.Contains(err.Error(), "'"+name+"'") {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
}

func TestElementwiseKernelIsAsShortAsItCanBe(t *testing.T) {
	l := compile(t, `kernel void add(device const float* a, device const float* b, device float* c, uint i [[thread_position_in_grid]]) {
	c[i] = a[i + 0] + b[i] * 1.0f;
}`)
	const want = `buffer 0 a float elem=4 readonly=true ref=false
buffer 1 b float elem=4 readonly=true ref=false
buffer 2 c float elem=4 readonly=false ref=false
r0 = AddrBuffer
r1 = AddrBuffer imm=1,0
r2 = AddrBuffer imm=2,0
r3 = Builtin.uint
Load.float r0 r3 {r5} imm=4,0
Load.float r1 r3 {r6} imm=4,0
r8 = Add.float r5 r6
Store.float r2 r3 {r8} imm=4,0
`
	if got := normalise(kernel(t, l, "add").Dump()); got != normalise(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// normalise numbers the temporaries of a dump in the order of their appearance.
func normalise(s string) string {
	names := map[string]string{}
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		if s[i] == 'r' && (i == 0 || strings.IndexByte(" {\n", s[i-1]) >= 0) {
			for j = i + 1; j < len(s) && s[j] >= '0' && s[j] <= '9'; j++ {
			}
		}
		if j > i+1 {
			if names[s[i:j]] == "" {
				names[s[i:j]] = fmt.Sprintf("r%d", len(names))
			}
			b.WriteString(names[s[i:j]])
			i = j
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func TestFunctionConstantsLeaveOnlyTheLiveBranch(t *testing.T) {
	l := compile(t, `constant bool fast [[function_constant(3)]];
constant int n [[function_constant(4)]];
constant int m = is_function_constant_defined(n) ? n * 2 : 5;
kernel void k(device float* o, uint i [[thread_position_in_grid]]) { if (fast) o[i] = m; else o[i] = exp(o[i]); }`)
	fs := l.Functions()
	if len(fs) != 1 || fmt.Sprint(fs[0].Constants) != "[{fast 3 bool 1 true} {n 4 int 1 false}]" {
		t.Errorf("constants: %v", fs[0].Constants)
	}
	k := kernel(t, l, "k", msl.ConstantValue{Index: 3, Kind: ir.Bool, Bits: []uint64{1}}, msl.ConstantValue{Name: "n", Kind: ir.I32, Bits: []uint64{21}})
	if d := k.Dump(); strings.Contains(d, "Exp") || strings.Contains(d, "if ") || !strings.Contains(d, "{42}") {
		t.Errorf("not folded:\n%s", d)
	}
	if _, err := l.Kernel("k", nil); err == nil || !strings.Contains(err.Error(), `"fast" (index 3)`) {
		t.Errorf("missing constant: %v", err)
	}
	if _, err := l.Kernel("none", nil); !errors.Is(err, msl.ErrNoFunction) {
		t.Errorf("missing function: %v", err)
	}
	if _, err := l.Kernel("k", []msl.ConstantValue{{Index: 3, Kind: ir.F32, Bits: []uint64{1}}}); err == nil || !strings.Contains(err.Error(), "wanted bool, got float") {
		t.Errorf("wrong kind: %v", err)
	}
}

func TestLoopsBoundedByFunctionConstantsAreUnrolled(t *testing.T) {
	l := compile(t, `constant uint n [[function_constant(0)]];
constant uint twice = n * 2;
kernel void k(device float* x, uint i [[thread_position_in_grid]]) {
    float a[8];
    for (uint j = 0; j < n; j++) a[j] = x[i + j];
    for (uint j = n; j < twice; j++) a[j] = x[i - j];
    for (uint j = 0; j < twice; j++) x[i + j] = a[j] * 2;
}`)
	d := kernel(t, l, "k", msl.ConstantValue{Index: 0, Kind: ir.U32, Bits: []uint64{4}}).Dump()
	if strings.Contains(d, "loop") {
		t.Errorf("loops are left:\n%s", d)
	}
	if _, err := msl.Compile("constant uint n [[function_constant(0)]];\nkernel void k(device float* x) { float a[n]; }", msl.Options{}); err == nil {
		t.Error("a function constant was taken for an array's length")
	}
}

func TestCompilingALargeKernelIsQuick(t *testing.T) {
	text, err := os.ReadFile("testdata/tiles.metal")
	if err != nil {
		t.Fatal(err)
	}
	best := time.Hour
	for range 3 {
		at := time.Now()
		if _, err := msl.Compile(string(text), msl.Options{}); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(at))
	}
	// Five kernels, two of them large. Far more time than this means that something grows faster than it should.
	if best > 500*time.Millisecond {
		t.Errorf("compilation took %v", best)
	}
}

func BenchmarkCompile(b *testing.B) {
	text, err := os.ReadFile("testdata/tiles.metal")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := msl.Compile(string(text), msl.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzCompile looks for texts that the compiler does not survive, or that it makes an ill-formed kernel of.
func FuzzCompile(f *testing.F) {
	for _, name := range []string{"testdata/tiles.metal"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(header + "kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { float4 v = o[i]; v.xy = v.zw; o[i] = dot(v, v); }")
	f.Add(header + "union U { float f; uchar b[4]; }; kernel void k(device int* o) { U u; u.f = o[0]; switch (u.b[1]) { case 1: o[1] = 2; default: break; } }")
	f.Add(header + "template <typename T, int N> struct A { T v[N]; T& operator[](int i) { return v[i]; } }; kernel void k(device int* o) { A<int, 3> a; o[0] = sizeof(a); }")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<14 {
			return
		}
		l, err := msl.Compile(src, msl.Options{})
		if err != nil {
			if strings.Contains(err.Error(), "internal error") {
				t.Fatal(err)
			}
			return
		}
		for _, fn := range l.Functions() {
			k, err := l.Kernel(fn.Name, nil)
			if err == nil {
				k.Dump()
			} else if strings.Contains(err.Error(), "internal error") {
				t.Fatal(err)
			}
		}
	})
}
