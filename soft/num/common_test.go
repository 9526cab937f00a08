package num

import (
	"math"
	"testing"
)

var negZero = float32(math.Copysign(0, -1))

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestEdgeCasesOfUnaryFunctions(t *testing.T) {
	sub := float32(0x1p-149)
	for _, c := range []struct {
		name    string
		f       func(float32) float32
		x, want float32
	}{
		{"exp", Exp, -inf32, 0}, {"exp", Exp, 0, 1}, {"exp", Exp, 88.8, inf32}, {"exp", Exp, -103, sub}, {"exp", Exp, -104, 0},
		{"exp2", Exp2, 127, 0x1p127}, {"exp2", Exp2, 128, inf32}, {"exp2", Exp2, -149, sub}, {"exp2", Exp2, -126, 0x1p-126},
		{"exp10", Exp10, 3, 1000}, {"exp10", Exp10, 10, 1e10}, {"exp10", Exp10, 39, inf32},
		{"log", Log, 1, 0}, {"log", Log, 0, -inf32}, {"log", Log, negZero, -inf32}, {"log", Log, -1, nan32}, {"log", Log, inf32, inf32},
		{"log2", Log2, 1024, 10}, {"log2", Log2, sub, -149}, {"log10", Log10, 1000, 3}, {"log2", Log2, -inf32, nan32},
		{"sin", Sin, negZero, negZero}, {"sin", Sin, inf32, nan32}, {"cos", Cos, 0, 1}, {"tan", Tan, negZero, negZero},
		{"sinpi", Sinpi, 1, 0}, {"sinpi", Sinpi, -2, negZero}, {"sinpi", Sinpi, 0.5, 1}, {"sinpi", Sinpi, 1.5, -1},
		{"cospi", Cospi, 0.5, 0}, {"cospi", Cospi, 1.5, 0}, {"cospi", Cospi, -1, -1}, {"cospi", Cospi, 1e30, 1},
		{"tanpi", Tanpi, 0.25, 1}, {"tanpi", Tanpi, 0.5, inf32}, {"tanpi", Tanpi, -0.5, -inf32}, {"sinpi", Sinpi, negZero, negZero},
		{"asin", Asin, 1.5, nan32}, {"asin", Asin, negZero, negZero}, {"acos", Acos, 1, 0}, {"acos", Acos, -2, nan32},
		{"atan", Atan, inf32, math.Pi / 2}, {"atan", Atan, negZero, negZero},
		{"tanh", Tanh, inf32, 1}, {"tanh", Tanh, -inf32, -1}, {"tanh", Tanh, negZero, negZero}, {"tanh", Tanh, sub, sub},
		{"sinh", Sinh, -inf32, -inf32}, {"cosh", Cosh, -inf32, inf32}, {"asinh", Asinh, -inf32, -inf32},
		{"acosh", Acosh, 1, 0}, {"acosh", Acosh, 0.5, nan32}, {"atanh", Atanh, 1, inf32}, {"atanh", Atanh, 2, nan32},
		{"floor", Floor, negZero, negZero}, {"floor", Floor, -0.5, -1}, {"ceil", Ceil, -0.5, negZero},
		{"round", Round, 2.5, 3}, {"round", Round, -2.5, -3}, {"round", Round, 0.49999997, 0}, {"round", Round, 8388609, 8388609},
		{"rint", Rint, 2.5, 2}, {"rint", Rint, 3.5, 4}, {"rint", Rint, -0.5, negZero},
		{"fract", Fract, 1.25, 0.25}, {"fract", Fract, -0.25, 0.75}, {"fract", Fract, -1e-10, 0x1.fffffep-1},
		{"fract", FractF16, -0x1p-24, 0x1.ffcp-1}, {"fract", FractBF16, -0x1p-30, 0x1.fep-1}, {"fract", Fract, inf32, 0},
		{"rsqrt", Rsqrt, 4, 0.5}, {"rsqrt", Rsqrt, 0, inf32}, {"rsqrt", Rsqrt, -1, nan32}, {"sqrt", Sqrt, -1, nan32},
		{"saturate", Saturate, 2, 1}, {"saturate", Saturate, -2, 0}, {"saturate", Saturate, 0.25, 0.25}, {"saturate", Saturate, nan32, 0},
		{"sign", Sign, -3, -1}, {"sign", Sign, 1e-30, 1}, {"sign", Sign, negZero, negZero}, {"sign", Sign, nan32, 0},
	} {
		if got := c.f(c.x); !same(got, c.want) {
			t.Errorf("%s(%g) = %g, want %g", c.name, c.x, got, c.want)
		}
	}
}

func TestNaNStaysNaNThroughTheMaths(t *testing.T) {
	for _, u := range unary {
		if got := u.f(nan32); got == got {
			t.Errorf("%s(NaN) = %g", u.name, got)
		}
	}
}

func TestMinAndMaxPreferNumbersOverNaN(t *testing.T) {
	for _, c := range []struct{ got, want float32 }{
		{Fmin(nan32, 3), 3}, {Fmin(3, nan32), 3}, {Fmax(nan32, 3), 3}, {Fmax(3, nan32), 3}, {Fmin(nan32, nan32), nan32},
		{Fmin(2, 3), 2}, {Fmin(3, 2), 2}, {Fmax(2, 3), 3}, {Fmax(3, 2), 3},
		{Clamp(5, 1, 3), 3}, {Clamp(-5, 1, 3), 1}, {Clamp(2, 1, 3), 2}, {Clamp(nan32, 1, 3), 1},
	} {
		if !same(c.got, c.want) {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
}

func TestInterpolationFunctions(t *testing.T) {
	for _, c := range []struct{ got, want float32 }{
		{Step(1, 0.5), 0}, {Step(1, 1), 1}, {Mix(2, 6, 0.25), 3}, {Smoothstep(2, 4, 3), 0.5}, {Smoothstep(2, 4, 1), 0},
		{Smoothstep(2, 4, 9), 1}, {Smoothstep(0, 1, 0.25), 0.15625}, {Fdim(5, 3), 2}, {Fdim(3, 5), 0}, {Fdim(nan32, 1), nan32},
	} {
		if !same(c.got, c.want) {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
}

func TestClassification(t *testing.T) {
	for _, c := range []struct {
		x                                  float32
		nan, inf, fin, norm, normF16, sign bool
	}{
		{0, false, false, true, false, false, false},
		{negZero, false, false, true, false, false, true},
		{-1, false, false, true, true, true, true},
		{0x1p-126, false, false, true, true, false, false},
		{0x1p-127, false, false, true, false, false, false},
		{0x1p-14, false, false, true, true, true, false},
		{0x1p-15, false, false, true, true, false, false},
		{-inf32, false, true, false, false, false, true},
		{float32(math.Abs(math.NaN())), true, false, false, false, false, false},
	} {
		if IsNaN(c.x) != c.nan || IsInf(c.x) != c.inf || IsFinite(c.x) != c.fin || IsNormal(c.x) != c.norm ||
			IsNormalF16(c.x) != c.normF16 || SignBit(c.x) != c.sign {
			t.Errorf("%g is classified wrongly", c.x)
		}
	}
}

func TestFrexpIlogbAndLdexpAgreeOnAllExponents(t *testing.T) {
	allExponents(8, func(x float32) {
		m, e := Frexp(x)
		wm, we := math.Frexp(float64(x))
		if !same(m, float32(wm)) || int(e) != we {
			t.Fatalf("Frexp(%g) = %g, %d, want %g, %d", x, m, e, wm, we)
		}
		if finite(x) && x != 0 && int(Ilogb(x)) != math.Ilogb(float64(x)) {
			t.Fatalf("Ilogb(%g) = %d", x, Ilogb(x))
		}
		for _, n := range []int32{0, 1, -1, 100, -100, 149, -149, 300, -300, math.MaxInt32, math.MinInt32} {
			if got, want := Ldexp(x, n), float32(math.Ldexp(float64(x), int(max(-1000, min(1000, n))))); !same(got, want) {
				t.Fatalf("Ldexp(%g, %d) = %g, want %g", x, n, got, want)
			}
		}
	})
	if Ilogb(0) != math.MinInt32 || Ilogb(inf32) != math.MaxInt32 || Ilogb(nan32) != math.MaxInt32 {
		t.Error("Ilogb of zero, infinity or NaN")
	}
}

func TestNextAfterStepsOneValue(t *testing.T) {
	allExponents(8, func(x float32) {
		for _, y := range []float32{0, negZero, inf32, -inf32, 1, -1, x, nan32} {
			want := math.Nextafter32(x, y)
			if x == y {
				want = y
			}
			if got := NextAfter(x, y); !same(got, want) {
				t.Fatalf("NextAfter(%g, %g) = %g, want %g", x, y, got, want)
			}
		}
	})
	for h := uint16(1); h < 0x7c00; h++ {
		if got := NextAfterF16(F16ToF32(h), inf32); F32ToF16(got) != h+1 {
			t.Fatalf("half after %#04x is %#04x", h, F32ToF16(got))
		}
		if got := NextAfterF16(F16ToF32(h|0x8000), inf32); F32ToF16(got) != (h|0x8000)-1 {
			t.Fatalf("half after %#04x is %#04x", h|0x8000, F32ToF16(got))
		}
	}
	for h := uint16(1); h < 0x7f80; h++ {
		if got := NextAfterBF16(BF16ToF32(h), 0); F32ToBF16(got) != h-1 {
			t.Fatalf("bfloat before %#04x is %#04x", h, F32ToBF16(got))
		}
	}
	if NextAfterF16(0, -1) != -0x1p-24 || NextAfterBF16(0, 1) != 0x1p-133 || !same(NextAfterF16(0, negZero), negZero) {
		t.Error("neighbours of zero")
	}
}
