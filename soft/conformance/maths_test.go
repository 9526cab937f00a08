package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
)

// The largest errors are those of the Metal Shading Language Specification for single precision without fast maths.
var mathsFunctions = []struct {
	name   string
	f      func(x float64) float64
	lo, hi float64 // arguments are drawn from here
	ulp    float64
	forms  bool // has fast:: and precise:: forms
}{
	{"acos", math.Acos, -1, 1, 4, true},
	{"acosh", math.Acosh, 1, 100, 4, true},
	{"asin", math.Asin, -1, 1, 4, true},
	{"asinh", math.Asinh, -50, 50, 4, true},
	{"atan", math.Atan, -50, 50, 5, true},
	{"atanh", math.Atanh, -0.999, 0.999, 5, true},
	{"ceil", math.Ceil, -50, 50, 0, true},
	{"cos", math.Cos, -100, 100, 4, true},
	{"cosh", math.Cosh, -20, 20, 4, true},
	{"cospi", func(x float64) float64 { return math.Cos(math.Pi * math.Remainder(x, 2)) }, -10, 10, 4, true},
	{"exp", math.Exp, -80, 80, 4, true},
	{"exp2", math.Exp2, -120, 120, 4, true},
	{"exp10", func(x float64) float64 { return math.Pow(10, x) }, -37, 38, 4, true},
	{"fabs", math.Abs, -50, 50, 0, true},
	{"abs", math.Abs, -50, 50, 0, true},
	{"floor", math.Floor, -50, 50, 0, true},
	{"fract", func(x float64) float64 { return x - math.Floor(x) }, -50, 50, 0.5, true},
	{"log", math.Log, 1e-6, 1e6, 4, true},
	{"log2", math.Log2, 1e-6, 1e6, 4, true},
	{"log10", math.Log10, 1e-6, 1e6, 4, true},
	{"rint", math.RoundToEven, -50, 50, 0, true},
	{"round", math.Round, -50, 50, 0, true},
	{"rsqrt", func(x float64) float64 { return 1 / math.Sqrt(x) }, 1e-6, 1e6, 0.51, true},
	{"sin", math.Sin, -100, 100, 4, true},
	{"sinh", math.Sinh, -20, 20, 4, true},
	{"sinpi", func(x float64) float64 { return math.Sin(math.Pi * math.Remainder(x, 2)) }, -1, 1, 4, true},
	{"sqrt", math.Sqrt, 0, 1e6, 0.51, true},
	{"tan", math.Tan, -100, 100, 6, true},
	{"tanh", math.Tanh, -10, 10, 5, true},
	{"tanpi", func(x float64) float64 { return math.Tan(math.Pi * x) }, -0.45, 0.45, 6, true},
	{"trunc", math.Trunc, -50, 50, 0, true},
	{"saturate", func(x float64) float64 { return min(max(x, 0), 1) }, -2, 2, 0, true},
	{"sign", func(x float64) float64 { return float64(b2i(x > 0) - b2i(x < 0)) }, -2, 2, 0, false},
}

func drawn(n int, lo, hi float64, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 7))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(lo + (hi-lo)*r.Float64())
	}
	return v
}

func TestMathsFunctionsInEveryForm(t *testing.T) {
	const n = 130
	for _, f := range mathsFunctions {
		t.Run(f.name, func(t *testing.T) {
			fast, precise := f.name, f.name
			if f.forms {
				fast, precise = "fast::"+f.name, "precise::"+f.name
			}
			k := lower(t, compileText(t, fmt.Sprintf(`
kernel void k(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    device float* o = out + i * 6;
    o[0] = %[1]s(a[i]); o[1] = %[2]s(a[i]); o[2] = %[3]s(a[i]); o[3] = metal::%[1]s(a[i]);
    float3 v = %[1]s(float3(a[i], a[0], a[1])); o[4] = v.x; o[5] = v.z;
}`, f.name, fast, precise)), "k")
			a := drawn(n, f.lo, f.hi, 141)
			expectF32(t, k, n, 6, f.ulp, func(i int) []float64 {
				w := f.f(float64(a[i]))
				return []float64{w, w, w, w, w, f.f(float64(a[1]))}
			}, a)
		})
	}
}

func TestMathsFunctionsOfHalfAndBfloat(t *testing.T) {
	const n = 130
	for _, f := range mathsFunctions {
		for _, c := range []struct {
			name  string
			conv  func(float32) uint16
			value func(uint16) float32
			eps   float64
		}{{"half", num.F32ToF16, num.F16ToF32, 0x1p-10}, {"bfloat", num.F32ToBF16, num.BF16ToF32, 0x1p-7}} {
			t.Run(f.name+" of "+c.name, func(t *testing.T) {
				k := lower(t, compileText(t, fmt.Sprintf(`
kernel void k(device %[2]s* out [[buffer(0)]], device const %[2]s* a [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = %[1]s(a[i]); }`,
					f.name, c.name)), "k")
				a := make([]uint16, n)
				for i, x := range drawn(n, max(f.lo, -4), min(f.hi, 4), 142) {
					a[i] = c.conv(x)
				}
				sweep(t, k, n, [][]byte{make([]byte, 2*n), mem(a)}, func(t *testing.T, tg int, out [][]byte) {
					for i, h := range decode[uint16](out[0]) {
						x := float64(c.value(a[i]))
						w := f.f(x)
						if g := float64(c.value(h)); math.Abs(g-w) > c.eps*math.Abs(w)+0x1p-24 && !(g != g && w != w) {
							t.Errorf("%s(%g) of %s: got %g, want %g", f.name, x, c.name, g, w)
							return
						}
					}
				})
			})
		}
	}
}

func TestMathsFunctionsOfSeveralArguments(t *testing.T) {
	const n = 130
	a, b, c := drawn(n, 0.01, 20, 151), drawn(n, -6, 6, 152), drawn(n, -20, 20, 153)
	k := lower(t, compileText(t, `
kernel void k(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], device const float* b [[buffer(2)]],
              device const float* c [[buffer(3)]], uint i [[thread_position_in_grid]]) {
    float x = a[i], y = b[i], z = c[i];
    device float* o = out + i * 32;
    o[0] = pow(x, y); o[1] = powr(x, y); o[2] = atan2(y, z); o[3] = fmod(z, y); o[4] = fma(x, y, z); o[5] = copysign(x, y);
    o[6] = fdim(y, z); o[7] = fmin(y, z); o[8] = fmax(y, z); o[9] = ldexp(x, int(i) % 9 - 4);
    int e; o[10] = frexp(z, e); o[11] = e;
    float whole; o[12] = modf(z, whole); o[13] = whole;
    float co; o[14] = sincos(z, co); o[15] = co;
    o[16] = mix(x, y, 0.25f); o[17] = clamp(z, -1.0f, 2.0f); o[18] = step(y, z); o[19] = smoothstep(-2.0f, 3.0f, y);
    o[20] = min(y, z); o[21] = max(y, z); o[22] = min3(x, y, z); o[23] = max3(x, y, z); o[24] = median3(x, y, z);
    o[25] = fast::pow(x, y); o[26] = precise::fmod(z, y); o[27] = ilogb(x); o[28] = nextafter(x, 100.0f);
    o[29] = fmin3(x, y, z); o[30] = fmax3(x, y, z); o[31] = fmedian3(x, y, z);
}`), "k")
	// pow is allowed 16 ULP, the rest is correctly rounded or better than 6.
	expectF32(t, k, n, 32, 16, func(i int) []float64 {
		x, y, z := float64(a[i]), float64(b[i]), float64(c[i])
		frac, e := math.Frexp(z)
		whole, part := math.Modf(z)
		s := min(max(float64(float32(y+2)/5), 0), 1)
		step := 1.0
		if z < y {
			step = 0
		}
		return []float64{math.Pow(x, y), math.Pow(x, y), math.Atan2(y, z), math.Mod(z, y), math.FMA(x, y, z), math.Copysign(x, y),
			max(y-z, 0), min(y, z), max(y, z), math.Ldexp(x, i%9-4), frac, float64(e), part, whole, math.Sin(z), math.Cos(z),
			float64(a[i] + float32((b[i]-a[i])*0.25)), min(max(z, -1), 2), step, s * s * (3 - 2*s), min(y, z), max(y, z), min(x, y, z), max(x, y, z),
			max(min(x, y), min(max(x, y), z)), math.Pow(x, y), math.Mod(z, y), float64(math.Ilogb(x)), float64(math.Nextafter32(a[i], 100)),
			min(x, y, z), max(x, y, z), max(min(x, y), min(max(x, y), z))}
	}, a, b, c)
}

func TestGeometricFunctions(t *testing.T) {
	const n = 130
	a, b := drawn(4*n, -4, 4, 161), drawn(4*n, -4, 4, 162)
	k := lower(t, compileText(t, `
kernel void k(device float* out [[buffer(0)]], device const float4* a [[buffer(1)]], device const float4* b [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
    float4 x = a[i], y = b[i];
    device float* o = out + i * 22;
    o[0] = dot(x, y); o[1] = dot(x.xy, y.xy); o[2] = dot(x.xyz, y.xyz);
    o[3] = length(x); o[4] = length_squared(x.xyz); o[5] = distance(x, y); o[6] = distance_squared(x.xy, y.xy);
    float3 c = cross(x.xyz, y.xyz); o[7] = c.x; o[8] = c.y; o[9] = c.z;
    float3 u = normalize(x.xyz); o[10] = u.x; o[11] = u.y; o[12] = u.z;
    float2 r = reflect(x.xy, float2(0, 1)); o[13] = r.x; o[14] = r.y;
    float3 f = faceforward(x.xyz, y.xyz, float3(0, 0, 1)); o[15] = f.x;
    float3 t = refract(float3(0.6f, -0.8f, 0), float3(0, 1, 0), 0.5f); o[16] = t.x; o[17] = t.y;
    o[18] = fast::length(x); o[19] = precise::normalize(y).w; o[20] = fast::distance(x, y); o[21] = fast::normalize(y.xy).y;
}`), "k")
	memory := [][]byte{make([]byte, 22*4*n), mem(a), mem(b)}
	sweep(t, k, n, memory, func(t *testing.T, tg int, out [][]byte) {
		got := decode[float32](out[0])
		for i := range n {
			x, y := each(a[4*i:4*i+4], func(f float32) float64 { return float64(f) }), each(b[4*i:4*i+4], func(f float32) float64 { return float64(f) })
			dot := func(p, q []float64, n int) (s float64) {
				for j := range n {
					s += p[j] * q[j]
				}
				return s
			}
			d := each([]int{0, 1, 2, 3}, func(j int) float64 { return x[j] - y[j] })
			l := math.Sqrt(dot(x, x, 3))
			face := x[0]
			if y[2] >= 0 {
				face = -x[0]
			}
			k := 1 - 0.25*(1-0.64)
			want := []float64{dot(x, y, 4), dot(x, y, 2), dot(x, y, 3), math.Sqrt(dot(x, x, 4)), dot(x, x, 3), math.Sqrt(dot(d, d, 4)), dot(d, d, 2),
				x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0], x[0] / l, x[1] / l, x[2] / l, x[0], -x[1], face,
				0.3, -math.Sqrt(k), math.Sqrt(dot(x, x, 4)), y[3] / math.Sqrt(dot(y, y, 4)), math.Sqrt(dot(d, d, 4)),
				y[1] / math.Sqrt(dot(y, y, 2))}
			for j, w := range want {
				// Sums may be rounded in any order: compare against the size of their terms.
				if g := float64(got[i*22+j]); math.Abs(g-w) > 4e-6*max(1, math.Abs(w)) {
					t.Errorf("thread %d, result %d: got %g, want %g", i, j, g, w)
					return
				}
			}
		}
	})
}

func TestRelationalFunctions(t *testing.T) {
	in := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0x1p-130, -0x1p-126, 3}
	n := len(in) * len(in)
	k := lower(t, compileText(t, `
kernel void k(device int* out [[buffer(0)]], device const float* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float x = a[i / 10], y = a[i % 10];
    device int* o = out + i * 16;
    o[0] = isnan(x); o[1] = isinf(x); o[2] = isfinite(x); o[3] = isnormal(x); o[4] = signbit(x); o[5] = isordered(x, y); o[6] = isunordered(x, y);
    o[7] = x < y; o[8] = x <= y; o[9] = x == y; o[10] = x != y; o[11] = !(x > y); o[12] = isnan(fmin(x, y)); o[13] = int(select(1.0f, 2.0f, x < y));
    o[14] = any(isnan(float3(x, y, 0))) + 2 * all(isfinite(float2(x, y))); o[15] = any(bool2(x > 0, y > 0)) * 2 + all(bool3(x > 0, y > 0, true));
}`), "k")
	expect(t, k, n, 16, func(i int) []int32 {
		x, y := in[i/10], in[i%10]
		nan := func(f float32) bool { return f != f }
		fin := func(f float32) bool { return !nan(f) && !math.IsInf(float64(f), 0) }
		ab := math.Abs(float64(x))
		return []int32{b2i(nan(x)), b2i(math.IsInf(float64(x), 0)), b2i(fin(x)), b2i(fin(x) && ab >= 0x1p-126), b2i(math.Signbit(float64(x))),
			b2i(!nan(x) && !nan(y)), b2i(nan(x) || nan(y)), b2i(x < y), b2i(x <= y), b2i(x == y), b2i(x != y), b2i(!(x > y)), b2i(nan(x) && nan(y)),
			1 + b2i(x < y), b2i(nan(x) || nan(y)) + 2*b2i(fin(x) && fin(y)), 2*b2i(x > 0 || y > 0) + b2i(x > 0 && y > 0)}
	}, in)
}

func TestMatrices(t *testing.T) {
	const n = 40
	a := drawn(16*n, -3, 3, 171)
	for i := range a {
		a[i] = float32(math.Round(float64(a[i])))
	}
	k := lower(t, compileText(t, `
kernel void k(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    device const float* p = a + i * 16;
    device float* o = out + i * 24;
    float2x3 m = float2x3(p[0], p[1], p[2], p[3], p[4], p[5]);
    float3x2 t = transpose(m);
    float3 v = m * float2(p[6], p[7]);
    float2 w = float3(p[8], p[9], p[10]) * m;
    float2x2 q = t * m;
    o[0] = m[1][0]; o[1] = t[0][1]; o[2] = v.x; o[3] = v.y; o[4] = v.z; o[5] = w.x; o[6] = w.y;
    o[7] = q[0][0]; o[8] = q[0][1]; o[9] = q[1][0]; o[10] = q[1][1];
    o[11] = determinant(q); o[12] = determinant(float3x3(float3(p[0], p[1], p[2]), float3(p[3], p[4], p[5]), float3(p[6], p[7], p[8])));
    float4x4 e = float4x4(2.0f); e[3] = float4(p[0], p[1], p[2], p[3]); e *= 2.0f;
    float4 r = e * float4(1, 2, 3, 4);
    o[13] = r.x; o[14] = r.y; o[15] = r.z; o[16] = r.w;
    float2x3 s = m + m * 3.0f - m; o[17] = s[1].z; o[18] = (-s)[0].y;
    float3x3 g(1.0f); g[0].yz = float2(5, 6); o[19] = g[0][2] + g[1][1] * 10 + g[1][0] * 100;
    o[20] = m[i & 1][i % 3]; m[i & 1] = float3(9); o[21] = m[0].x + m[1].x; 
    half2x2 h = half2x2(half2(1.0h, 2.0h), half2(3.0h, 4.0h)); o[22] = float((h * h)[1][0]); o[23] = all(m[0] == m[0]);
}`), "k")
	expect(t, k, n, 24, func(i int) []float32 {
		p := a[16*i:]
		m := func(c, r int) float32 { return p[3*c+r] }
		q := func(c, r int) (s float32) {
			for j := range 3 {
				s += m(r, j) * m(c, j)
			}
			return s
		}
		v := func(r int) float32 { return m(0, r)*p[6] + m(1, r)*p[7] }
		w := func(c int) float32 { return m(c, 0)*p[8] + m(c, 1)*p[9] + m(c, 2)*p[10] }
		d := p[0]*(p[4]*p[8]-p[5]*p[7]) - p[3]*(p[1]*p[8]-p[2]*p[7]) + p[6]*(p[1]*p[5]-p[2]*p[4])
		r := func(j int) float32 {
			x := []float32{4, 8, 12, 0}[j] + 8*p[j]
			return x
		}
		other := p[3*(1-i&1)]
		return []float32{p[3], p[3], v(0), v(1), v(2), w(0), w(1), q(0, 0), q(0, 1), q(1, 0), q(1, 1), q(0, 0)*q(1, 1) - q(0, 1)*q(1, 0), d,
			r(0), r(1), r(2), r(3), 3 * p[5], -3 * p[1], 16, m(i&1, i%3), 9 + other, 3*1 + 4*3, 1}
	}, a)
}
