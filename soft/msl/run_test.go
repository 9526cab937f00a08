package msl_test

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/simt"
)

const header = "#include <metal_stdlib>\nusing namespace metal;\n"

// compile compiles src, which lacks the header, or ends the test.
func compile(t testing.TB, src string) *msl.Library {
	t.Helper()
	l, err := msl.Compile(header+src, msl.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return l
}

func kernel(t testing.TB, l *msl.Library, name string, cs ...msl.ConstantValue) *ir.Kernel {
	t.Helper()
	k, err := l.Kernel(name, cs)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// run executes a kernel with every check of the engine on; the buffers are bound from index 0 on.
func run(t testing.TB, k *ir.Kernel, grid, group int, buffers ...[]byte) {
	t.Helper()
	e, err := simt.Compile(k)
	if err != nil {
		t.Fatalf("%v\n%s", err, k.Dump())
	}
	d := &simt.Dispatch{Grid: [3]int{grid, 1, 1}, Threadgroup: [3]int{group, 1, 1}, Checks: simt.CheckAll, Workers: 1}
	for _, b := range buffers {
		d.Buffers = append(d.Buffers, simt.Binding{Mem: b, Bound: b != nil})
	}
	if err := e.Run(d); err != nil {
		t.Fatalf("%v\n%s", err, k.Dump())
	}
}

func f32s(vs ...float32) []byte {
	b := make([]byte, 0, 4*len(vs))
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func f32At(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }

func i32At(b []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(b[4*i:])) }

// ints runs a body that writes n ints to o in one thread.
func ints(t *testing.T, prefix, body string, want ...int32) {
	t.Helper()
	l := compile(t, prefix+"\nkernel void k(device int* o [[buffer(0)]], device const int* in [[buffer(1)]]) {\n"+body+"\n}\n")
	out := make([]byte, 4*len(want))
	in := make([]byte, 64)
	for i := range 16 {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(i))
	}
	run(t, kernel(t, l, "k"), 1, 1, out, in)
	for i, w := range want {
		if got := i32At(out, i); got != w {
			t.Errorf("o[%d] = %d, want %d", i, got, w)
		}
	}
}

func TestTiledProductInTemplatesMatchesGo(t *testing.T) {
	text, err := os.ReadFile("testdata/tiles.metal")
	if err != nil {
		t.Fatal(err)
	}
	l, err := msl.Compile(string(text), msl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n, depth = 16, 32
	a, b := make([]float32, n*depth), make([]float32, depth*n)
	for i := range a {
		a[i] = float32(i%7) - 2
		b[i] = float32(i%5) - 1
	}
	for _, withBias := range []bool{false, true} {
		cs := []msl.ConstantValue{{Index: 200, Kind: ir.Bool, Bits: []uint64{1}}}
		bias := []byte(nil)
		add := float32(0)
		if withBias {
			cs = append(cs, msl.ConstantValue{Name: "has_bias", Kind: ir.Bool, Bits: []uint64{1}})
			bias, add = f32s(0.5), 0.5
		}
		k := kernel(t, l, "tile_gemm_float32", cs...)
		if k.MaxTotalThreads != 32 {
			t.Errorf("MaxTotalThreads is %d, want 32", k.MaxTotalThreads)
		}
		out, rowmax := make([]byte, 4*n*n), make([]byte, 4*n)
		run(t, k, 32, 32, f32s(a...), f32s(b...), out, []byte{depth, 0, 0, 0}, rowmax, bias)
		for i := range n {
			best := float32(math.Inf(-1))
			for j := range n {
				var want float32
				for d := range depth {
					want += a[i*depth+d] * b[d*n+j]
				}
				best = max(best, want)
				if got := f32At(out, i*n+j); got != want+add {
					t.Fatalf("bias %v: product[%d][%d] = %v, want %v", withBias, i, j, got, want+add)
				}
			}
			if got := f32At(rowmax, i); got != best {
				t.Errorf("maximum of row %d is %v, want %v", i, got, best)
			}
		}
	}
	w := []byte{0x21, 0x43, 0x65, 0x87, 9, 9, 9, 9}
	out := make([]byte, 4*8)
	run(t, kernel(t, l, "apply_4"), 8, 8, w, out)
	for i := range 8 {
		// unpack * 3 + (1+2+3) + (-1) + 1
		if got, want := f32At(out, i), float32(i+1)*3+6; got != want {
			t.Errorf("apply_4[%d] = %v, want %v", i, got, want)
		}
	}
}

func TestVariablesThatChangeHomesKeepTheirValues(t *testing.T) {
	// An array whose address is reinterpreted, one indexed by a value, a pointer that moves, and one that is chosen.
	ints(t, "", `
		int a[4] = {1, 2, 3, 4};
		thread uchar* bytes = (thread uchar*)a;
		bytes[4] = 9;
		o[0] = a[1];
		int b[3] = {5, 6, 7};
		b[in[2]] += 10;
		o[1] = b[2];
		thread int* p = b;
		p++;
		*p = 40;
		o[2] = b[1] + *(p + 1);
		int x = 1, y = 2;
		thread int* q = in[1] > 0 ? &x : &y;
		*q = 77;
		o[3] = x * 100 + y;`, 9, 17, 57, 7702)
}

func TestArgumentsAreCopiesUnlessTheyAreReferences(t *testing.T) {
	ints(t, `
		struct S { int a, b; void set(int v) { a = v; b += v; } int sum() const { return a + b; } };
		int change(thread int& x, int y) { x += 5; return y; }
		int twice(int x) { x *= 2; return x; }
		S swapped(S s) { return S{s.b, s.a}; }
		thread int& larger(thread int& a) { return a; }`, `
		int x = in[3];
		o[0] = change(x, x);
		o[1] = x;
		o[2] = twice(x) + x;
		S s = {in[1], in[2]};
		s.set(s.b);
		o[3] = s.sum();
		s = swapped(s);
		o[4] = s.a * 10 + s.b;
		larger(x) = 3;
		o[5] = x++ + 10 * x;
		int4 v = int4(in[1], in[2], in[3], in[4]);
		v.xy = v.yx;
		v.zw += v.xy;
		o[6] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;
		v[in[1]] = 9;
		o[7] = v.y;`, 3, 8, 24, 6, 42, 43, 2155, 9)
}

func TestControlFlowUnderDivergence(t *testing.T) {
	l := compile(t, `
int grade(int x) {
	if (x < 2) return 1;
	for (int i = 0; i < x; i++) {
		if (i == 5) return 50 + x;
		if (i == 3 && x == 4) break;
	}
	return -x;
}
kernel void k(device int* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
	int s = 0;
	switch (i % 5) {
	case 0: s = 10; break;
	case 1: s = 1;
	case 2: s += 2; break;
	default: s = 100; if (i % 2) break; s = 200;
	case 3: s += 30;
	}
	int n = 0;
	do { n++; if (n == int(i)) continue; if (n > 4) break; } while (n < int(i));
	o[i] = s * 10000 + n * 100 + grade(i);
}`)
	out := make([]byte, 4*40)
	run(t, kernel(t, l, "k"), 40, 40, out)
	for i := range int32(40) {
		var s int32
		switch i % 5 {
		case 0:
			s = 10
		case 1:
			s = 3
		case 2:
			s = 2
		case 3:
			s = 30
		default:
			s = 100
			if i%2 == 0 {
				s = 230
			}
		}
		n := int32(0)
		for {
			n++
			if n != i && n > 4 {
				break
			}
			if n >= i {
				break
			}
		}
		g := -i
		if i < 2 {
			g = 1
		} else if i > 5 {
			g = 50 + i
		}
		if got := i32At(out, int(i)); got != s*10000+n*100+g {
			t.Errorf("thread %d: got %d, want %d", i, got, s*10000+n*100+g)
		}
	}
}

func TestConstantEvaluation(t *testing.T) {
	ints(t, `
		constexpr int log2i(int n) { int r = 0; while (n > 1) { n >>= 1; ++r; } return r; }
		template <int N> struct Fact { static constexpr constant int value = N * Fact<N - 1>::value; };
		template <> struct Fact<0> { static constexpr constant int value = 1; };
		constexpr constant float third = 1.0f / 3.0f;
		enum Mode { A = 3, B, C = A * 2 };
		static_assert(log2i(64) == 6, "log2");
		static_assert(sizeof(float3) == 16 && sizeof(packed_float3) == 12, "sizes");
		template <typename T> constexpr int width() { if constexpr (is_same_v<T, half>) return 2; else return sizeof(T); }`, `
		int a[log2i(16)];
		for (int i = 0; i < log2i(16); i++) a[i] = i * i;
		o[0] = a[3];
		o[1] = Fact<5>::value;
		o[2] = int(third * 300.0f);
		o[3] = B * 10 + C;
		o[4] = width<half>() * 10 + width<float>();
		o[5] = numeric_limits<int>::max() == 0x7fffffff && numeric_limits<half>::max() == 65504.0h;
		o[6] = as_type<int>(1.0f) >> 20;`, 9, 120, 100, 46, 24, 1, 0x3f8)
}

func TestRangeBasedForVisitsEveryElement(t *testing.T) {
	ints(t, "", `
    int a[3] = {1, 2, 3};
    int sum = 0;
    for (int x : a) { if (x == 2) continue; sum += x; }
    o[0] = sum;
    for (thread int &x : a) x *= 10;
    for (auto x : a) for (int y : a) { if (y > x) break; sum += 1; }
    o[1] = a[0] + a[1] + a[2];
    o[2] = sum;
    array<int, 2> b = {7, 8};
    o[3] = 0;
    for (const auto x : b) o[3] = o[3] * 100 + x;`, 4, 60, 4+1+2+3, 708)
	if _, err := msl.Compile("using namespace metal; void f(float4 v) { for (float x : v) { } }", msl.Options{}); err == nil || !strings.Contains(err.Error(), "program_source:1:58: error: invalid range expression of type 'float4'") {
		t.Errorf("error %v", err)
	}
}
