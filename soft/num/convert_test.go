package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func wantInt[T Int](f float32) T {
	switch {
	case f != f:
		return 0
	case math.IsInf(float64(f), 1):
		return MaxOf[T]()
	case math.IsInf(float64(f), -1):
		return MinOf[T]()
	}
	i, _ := new(big.Float).SetFloat64(float64(f)).Int(nil)
	return satTo[T](i)
}

func checkToInt[T Int](t *testing.T, f float32) {
	t.Helper()
	if got, want := FloatToInt[T](f), wantInt[T](f); got != want {
		t.Fatalf("%g to %T = %d, want %d", f, got, got, want)
	}
}

func TestFloatToIntegerTruncatesAndSaturates(t *testing.T) {
	check := func(f float32) {
		checkToInt[int8](t, f)
		checkToInt[uint8](t, f)
		checkToInt[int16](t, f)
		checkToInt[uint16](t, f)
		checkToInt[int32](t, f)
		checkToInt[uint32](t, f)
		checkToInt[int64](t, f)
		checkToInt[uint64](t, f)
	}
	allExponents(16, check)
	for n := range 66 {
		p := float32(math.Ldexp(1, n))
		for _, f := range []float32{p, math.Nextafter32(p, 0), math.Nextafter32(p, inf32), p - 0.5, p + 0.5, p - 1} {
			check(f)
			check(-f)
		}
	}
	for i := range 1 << 16 {
		check(F16ToF32(uint16(i)))
	}
}

func checkFromInt[T Int](t *testing.T, a T) {
	t.Helper()
	exact := new(big.Float).SetPrec(80).SetInt(toBig(a))
	if got, want := IntToF32(a), nearest(24, -149)(exact); got != want {
		t.Fatalf("%d of %T to float = %g, want %g", a, a, got, want)
	}
	if got, want := IntToBF16(a), nearest(8, -133)(exact); got != want {
		t.Fatalf("%d of %T to bfloat = %g, want %g", a, a, got, want)
	}
	want := nearest(11, -24)(exact)
	if want > 65504 {
		want = inf32
	}
	if want < -65504 {
		want = -inf32
	}
	if got := IntToF16(a); got != want {
		t.Fatalf("%d of %T to half = %g, want %g", a, a, got, want)
	}
}

func TestIntegerToFloatRoundsOnce(t *testing.T) {
	check := func(u uint64) {
		checkFromInt(t, int8(u))
		checkFromInt(t, uint8(u))
		checkFromInt(t, int16(u))
		checkFromInt(t, uint16(u))
		checkFromInt(t, int32(u))
		checkFromInt(t, uint32(u))
		checkFromInt(t, int64(u))
		checkFromInt(t, u)
	}
	r := rand.New(rand.NewPCG(15, 16))
	for range 3000 {
		check(edgy(r))
	}
	// Just above a midpoint of bfloat by less than float32 can hold: two roundings would give the even neighbour below.
	for s := range 55 {
		for _, d := range []uint64{0, 1, 2, math.MaxUint64} {
			check(0x101<<s + d)
			check(0x103<<s + d)
			check(0x1000001<<min(s, 39) + d)
		}
	}
	for _, u := range []uint64{65503, 65504, 65519, 65520, 65521, 65535, 65536, 2049, 2051, 4098, 4102} {
		check(u)
		check(-u)
	}
	checkFromInt(t, int64(math.MinInt64))
	if got := IntToBF16(int64(0x101_0000_0000_01)); got != 0x102<<40 {
		t.Errorf("0x10100000000 01 to bfloat = %g", got)
	}
}

func TestSaturatingConversionBetweenIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 5000 {
		u := edgy(r)
		s, x := int64(u), new(big.Int).SetUint64(u)
		y := big.NewInt(s)
		if SatConvert[int8](s) != satTo[int8](y) || SatConvert[uint16](s) != satTo[uint16](y) || SatConvert[uint32](s) != satTo[uint32](y) ||
			SatConvert[uint64](s) != satTo[uint64](y) || SatConvert[int32](u) != satTo[int32](x) || SatConvert[int64](u) != satTo[int64](x) ||
			SatConvert[uint8](u) != satTo[uint8](x) {
			t.Fatalf("saturating conversion of %d or %d", s, u)
		}
	}
}

func TestFloatToBoolHoldsForNaN(t *testing.T) {
	if FloatToBool(0) || FloatToBool(negZero) || !FloatToBool(1e-45) || !FloatToBool(nan32) {
		t.Error("float to bool")
	}
}

func FuzzFloatFunctionsNeverLeaveTheirRange(f *testing.F) {
	f.Add(uint32(0x3f800000), uint32(0), uint32(0x80000000))
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
		for _, u := range unary {
			if e := ulps(u.f(x), u.ref(float64(x))); e > u.budget {
				t.Errorf("%s(%g): %g ULP", u.name, x, e)
			}
		}
		if finite(x) && finite(y) && finite(z) && x != 0 && y != 0 && z != 0 {
			if got, want := Fma(x, y, z), bigFma(x, y, z); got != want {
				t.Errorf("Fma(%g, %g, %g) = %g, want %g", x, y, z, got, want)
			}
		}
		for _, r := range []float32{Fract(x), Saturate(x), Step(x, y)} {
			if r < 0 || r > 1 {
				t.Errorf("result %g outside [0, 1] for %g, %g", r, x, y)
			}
		}
		if got, want := Fmod(x, y), float32(math.Mod(float64(x), float64(y))); !same(got, want) {
			t.Errorf("Fmod(%g, %g) = %g, want %g", x, y, got, want)
		}
		checkToInt[int8](t, x)
		checkToInt[uint64](t, x)
	})
}
