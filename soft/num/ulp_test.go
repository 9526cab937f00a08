package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is the distance of got from the exact want in units in the last place of float32 at want.
func ulps(got float32, want float64) float64 {
	r := float32(want)
	switch {
	case got != got || want != want:
		if got != got && want != want {
			return 0
		}
		return math.Inf(1)
	case got == r:
		if math.IsInf(float64(r), 0) {
			return 0
		}
	case math.IsInf(float64(got), 0) || math.IsInf(float64(r), 0):
		return math.Inf(1)
	}
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(e-24, -149))
}

// allExponents calls f with zeros, infinities, NaN and values of each exponent and sign.
func allExponents(perExponent int, f func(float32)) {
	r := rand.New(rand.NewPCG(1, 2))
	for e := uint32(0); e < 512; e++ {
		f(math.Float32frombits(e << 23))
		f(math.Float32frombits(e<<23 | 0x7fffff))
		f(math.Float32frombits(e<<23 | 1))
		for range perExponent {
			f(math.Float32frombits(e<<23 | r.Uint32()&0x7fffff))
		}
	}
}

// unary lists the functions of one argument with their float64 reference and the largest error allowed.
var unary = []struct {
	name   string
	f      func(float32) float32
	ref    func(float64) float64
	budget float64 // ULP; 0.5 is correct rounding
}{
	{"exp", Exp, math.Exp, 0.51},
	{"exp2", Exp2, math.Exp2, 0.51},
	{"exp10", Exp10, func(x float64) float64 { return math.Pow(10, x) }, 0.51},
	{"log", Log, math.Log, 0.53},
	{"log2", Log2, math.Log2, 0.54},
	{"log10", Log10, math.Log10, 0.53},
	{"sin", Sin, math.Sin, 0.51},
	{"cos", Cos, math.Cos, 0.51},
	{"tan", Tan, math.Tan, 0.51},
	{"asin", Asin, math.Asin, 0.51},
	{"acos", Acos, func(x float64) float64 { return math.Atan2(math.Sqrt((1-x)*(1+x)), x) }, 0.51},
	{"atan", Atan, math.Atan, 0.51},
	{"sinh", Sinh, math.Sinh, 0.53},
	{"cosh", Cosh, math.Cosh, 0.51},
	{"tanh", Tanh, math.Tanh, 0.53},
	{"asinh", Asinh, math.Asinh, 0.51},
	{"acosh", Acosh, refAcosh, 0.51},
	{"atanh", Atanh, math.Atanh, 0.51},
	{"sinpi", Sinpi, func(x float64) float64 { return refPi(x, math.Sin) }, 0.51},
	{"cospi", Cospi, func(x float64) float64 { return refPi(math.Remainder(x, 2)+0.5, math.Sin) }, 0.51},
	{"tanpi", Tanpi, refTanpi, 0.51},
	{"sqrt", Sqrt, math.Sqrt, 0.5},
	{"rsqrt", Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, 0.5 + 1e-8},
	{"floor", Floor, math.Floor, 0},
	{"ceil", Ceil, math.Ceil, 0},
	{"trunc", Trunc, math.Trunc, 0},
	{"round", Round, math.Round, 0},
	{"rint", Rint, math.RoundToEven, 0},
	{"fabs", Fabs, math.Abs, 0},
}

func refAcosh(x float64) float64 {
	t := x - 1
	if t < 0 {
		return math.NaN()
	}
	return math.Log1p(t + math.Sqrt(2*t+t*t))
}

// refPi reduces x exactly to [-1/2, 1/2] before it multiplies by pi.
func refPi(x float64, f func(float64) float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	r := math.Remainder(x, 2)
	if math.Abs(r) > 0.5 {
		r = math.Copysign(1, r) - r
	}
	return f(math.Pi * r)
}

func refTanpi(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	r := math.Remainder(x, 2)
	s := refPi(r, math.Sin)
	switch a := math.Abs(r); {
	case a == 0.5:
		return math.Copysign(math.Inf(1), r)
	case a > 0.25 && a <= 0.5, a > 0.5 && a < 0.75:
		return math.Copysign(1, s) / math.Tan(math.Pi*(0.5-a)) // tan = 1/tan(pi/2 - .)
	case a == 1:
		return math.Copysign(0, -r)
	case a >= 0.75:
		return math.Copysign(1, -r) * math.Tan(math.Pi*(1-a))
	}
	return math.Tan(math.Pi * r)
}

func TestFunctionsStayWithinTheirULPBudgetOnAllExponents(t *testing.T) {
	for _, u := range unary {
		worst, at := 0.0, float32(0)
		allExponents(96, func(x float32) {
			if e := ulps(u.f(x), u.ref(float64(x))); e > worst {
				worst, at = e, x
			}
		})
		// Where most results are neither 0, 1 nor infinite.
		r := rand.New(rand.NewPCG(3, 4))
		for range 20000 {
			x := float32(r.NormFloat64() * 4)
			if e := ulps(u.f(x), u.ref(float64(x))); e > worst {
				worst, at = e, x
			}
		}
		t.Logf("%-6s %.4f ULP at %g", u.name, worst, at)
		if worst > u.budget {
			t.Errorf("%s: %.4f ULP at %g (got %g, want %g), budget %g", u.name, worst, at, u.f(at), u.ref(float64(at)), u.budget)
		}
	}
}

func TestBinaryFunctionsStayWithinTheirULPBudget(t *testing.T) {
	for _, u := range []struct {
		name   string
		f      func(x, y float32) float32
		ref    func(x, y float64) float64
		budget float64
	}{
		{"pow", Pow, math.Pow, 0.51},
		{"powr", Powr, refPowr, 0.51},
		{"atan2", Atan2, math.Atan2, 0.51},
		{"fmod", Fmod, math.Mod, 0},
		{"fdim", Fdim, refFdim, 0.5},
		{"copysign", Copysign, math.Copysign, 0},
		{"fmin", Fmin, refFmin, 0},
		{"fmax", Fmax, func(x, y float64) float64 { return -refFmin(-x, -y) }, 0},
	} {
		worst, ax, ay := 0.0, float32(0), float32(0)
		r := rand.New(rand.NewPCG(5, 6))
		try := func(x, y float32) {
			if e := ulps(u.f(x, y), u.ref(float64(x), float64(y))); e > worst {
				worst, ax, ay = e, x, y
			}
		}
		special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1e-45, math.MaxFloat32, -math.MaxFloat32,
			1 << 24, 1<<24 - 1, -(1<<24 - 1), inf32, -inf32, nan32, 8388609.5 / 2}
		for _, x := range special {
			for _, y := range special {
				try(x, y)
			}
		}
		allExponents(32, func(x float32) {
			try(x, math.Float32frombits(r.Uint32()))
			try(math.Float32frombits(r.Uint32()), x)
			try(x, float32(r.NormFloat64()*3))
			try(float32(r.NormFloat64()*3), x)
		})
		for range 20000 {
			try(float32(math.Abs(r.NormFloat64()*4)), float32(r.NormFloat64()*20))
			try(float32(int(r.Uint32()%40)-20), float32(int(r.Uint32()%40)-20))
		}
		t.Logf("%-6s %.4f ULP at %g, %g", u.name, worst, ax, ay)
		if worst > u.budget {
			t.Errorf("%s: %.4f ULP at %g, %g (got %g, want %g), budget %g", u.name, worst, ax, ay,
				u.f(ax, ay), u.ref(float64(ax), float64(ay)), u.budget)
		}
	}
}

func refPowr(x, y float64) float64 {
	if x < 0 || x != x || y != y || y == 0 && (x == 0 || math.IsInf(x, 0)) || x == 1 && math.IsInf(y, 0) {
		return math.NaN()
	}
	return math.Pow(math.Abs(x), y)
}

func refFdim(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case x > y:
		return x - y
	}
	return 0
}

func refFmin(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Min(x, y)
}

// bigFma rounds a*b+c once with math/big; the operands are finite and the result is not zero.
func bigFma(a, b, c float32) float32 {
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(800).SetFloat64(float64(x)) }
	p := exact(a)
	p.Mul(p, exact(b)).Add(p, exact(c))
	f, _ := p.Float32()
	return f
}

func bigHalf(a, b, c float32, round func(*big.Float) float32) float32 {
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(800).SetFloat64(float64(x)) }
	p := exact(a)
	p.Mul(p, exact(b)).Add(p, exact(c))
	return round(p)
}

// nearest rounds p to the nearest multiple of the spacing of a format with prec bits and least exponent least.
func nearest(prec, least int) func(*big.Float) float32 {
	return func(p *big.Float) float32 {
		if p.Sign() == 0 {
			return 0
		}
		e := max(p.MantExp(nil)-prec, least)
		s := new(big.Float).SetMantExp(p, -e)
		i, _ := s.Int(nil)
		d := new(big.Float).SetPrec(800).Sub(s, new(big.Float).SetPrec(800).SetInt(i))
		d.Abs(d)
		half := d.Cmp(big.NewFloat(0.5))
		if half > 0 || half == 0 && i.Bit(0) == 1 {
			i.Add(i, big.NewInt(int64(p.Sign())))
		}
		f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(i), e).Float32()
		return f
	}
}

func TestFmaRoundsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	check := func(a, b, c float32) {
		if !finite(a) || !finite(b) || !finite(c) {
			return
		}
		if got, want := Fma(a, b, c), bigFma(a, b, c); got != want {
			t.Fatalf("Fma(%g, %g, %g) = %g, want %g", a, b, c, got, want)
		}
	}
	for range 20000 {
		a, b := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
		check(a, b, math.Float32frombits(r.Uint32()))
		// An addend near the product, and one that puts the sum at a midpoint.
		p := float32(float64(a) * float64(b))
		check(a, b, math.Float32frombits(math.Float32bits(-p)+r.Uint32()%64-32))
	}
	// Sums that float64 rounds to the midpoint of two float32, normal and subnormal.
	for _, s := range []float32{1, -1} {
		// The product is 2^-24 less 2^-70: float64 takes the sum for the midpoint above the addend.
		check(s*(1+0x1p-23), 0x1p-24*(1-0x1p-23), s)
		check(s*(1+0x1p-23), 0x1p-24*(1-0x1p-23), s*(1+0x1p-23))
		check(s*0x1p-75*(1+0x1p-23), 0x1p-75*(1-0x1p-23), s*0x1p-149)
		check(s*0x1p-75*(1+0x1p-23), 0x1p-75*(1-0x1p-23), s*0x1.8p-127)
		check(s*0x1p-75*(1+0x1p-23), 0x1p-75*(1-0x1p-24), s*0x1p-126)
		check(s*0x1p-75*(1+0x1p-23), 0x1p-75, s*0x1.000002p-126)
		check(s*0x1p-75*(1-0x1p-24), 0x1p-75*(1+0x1p-23), s*0x1.00001p-127)
		check(s*(0x1p23+1), 0x1p-24, s*0x1p60)
	}
	if got := Fma(inf32, 0, 1); got == got {
		t.Errorf("inf*0+1 = %g, want NaN", got)
	}
	if got := Fma(math.MaxFloat32, 2, -inf32); got != -inf32 {
		t.Errorf("max*2-inf = %g, want -inf", got)
	}
	if got := Fma(math.MaxFloat32, 2, -math.MaxFloat32); got != math.MaxFloat32 {
		t.Errorf("max*2-max = %g, want max", got)
	}
}

func TestNarrowFmaRoundsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	half, bfloat := nearest(11, -24), nearest(8, -133)
	for range 30000 {
		a, b, c := F16ToF32(uint16(r.Uint32()&0xbfff)), F16ToF32(uint16(r.Uint32()&0xbfff)), F16ToF32(uint16(r.Uint32()&0xbfff))
		if got, want := FmaF16(a, b, c), bigHalf(a, b, c, half); got != want && Fabs(want) <= 65504 {
			t.Fatalf("FmaF16(%g, %g, %g) = %g, want %g", a, b, c, got, want)
		}
		narrow := func() float32 { return BF16ToF32(uint16(0x3000 + r.Uint32()&0x8fff)) }
		a, b, c = narrow(), narrow(), narrow()
		if got, want := FmaBF16(a, b, c), bigHalf(a, b, c, bfloat); got != want {
			t.Fatalf("FmaBF16(%g, %g, %g) = %g, want %g", a, b, c, got, want)
		}
	}
	// A case that rounding to float32 in between gets wrong: 1 + 2^-11 is a midpoint, the rest is 2^-26.
	a, b, c := F16ToF32(0x1001), F16ToF32(0x1000), float32(1)
	if got, want := FmaF16(a, b, c), bigHalf(a, b, c, half); got != want {
		t.Errorf("FmaF16(%g, %g, 1) = %g, want %g", a, b, got, want)
	}
}

func TestRsqrtIsCorrectlyRoundedNearMidpoints(t *testing.T) {
	// y is the correct result if (y-half ulp)^2 * x < 1 < (y+half ulp)^2 * x; the products fit 128 bits, here in big.Int.
	r := rand.New(rand.NewPCG(11, 12))
	for range 50000 {
		m := uint64(r.Uint32()&0x7fffff|0x800000) << (r.Uint32() & 1)
		x := float32(m) * 0x1p-23 // [1, 4)
		y := Rsqrt(x)             // (1/2, 1]: a multiple of 2^-24
		k := new(big.Int).SetUint64(uint64(float64(y) * 0x1p25))
		if y == 1 {
			continue
		}
		one := new(big.Int).Lsh(big.NewInt(1), 23+50)
		sq := func(d int64) int {
			v := new(big.Int).Add(k, big.NewInt(d))
			v.Mul(v, v).Mul(v, new(big.Int).SetUint64(m))
			return v.Cmp(one)
		}
		if sq(-1) > 0 || sq(1) < 0 {
			t.Fatalf("Rsqrt(%g) = %g is not the nearest float32", x, y)
		}
	}
}
