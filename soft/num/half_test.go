package num

import (
	"math"
	"testing"
)

// f16Value decodes half bits by the definition of the format.
func f16Value(h uint16) float64 {
	s, e, m := 1.0, int(h>>10&31), float64(h&0x3ff)
	if h>>15 != 0 {
		s = -1
	}
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		return s * math.Inf(1)
	case e == 0:
		return math.Copysign(math.Ldexp(m, -24), s)
	}
	return s * math.Ldexp(1024+m, e-25)
}

func TestEveryHalfConvertsToItsValueAndBack(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		f, want := F16ToF32(h), f16Value(h)
		if want != want {
			if f == f || math.Signbit(float64(f)) != (h>>15 != 0) {
				t.Fatalf("half %#04x: got %g, want a NaN of the same sign", h, f)
			}
			if back := F32ToF16(f); back != h|0x200 {
				t.Fatalf("NaN %#04x came back as %#04x", h, back)
			}
			continue
		}
		if math.Float64bits(float64(f)) != math.Float64bits(want) {
			t.Fatalf("half %#04x: got %g, want %g", h, f, want)
		}
		if back := F32ToF16(f); back != h {
			t.Fatalf("half %#04x came back as %#04x", h, back)
		}
		if r := RoundF16(f); math.Float32bits(r) != math.Float32bits(f) {
			t.Fatalf("RoundF16(%g) = %g, want the half itself", f, r)
		}
	}
}

// TestRoundingToHalfTurnsAtMidpoints walks all pairs of neighbouring halves: below the midpoint the lower one, above it the
// upper one, at it the even one.
func TestRoundingToHalfTurnsAtMidpoints(t *testing.T) {
	for h := uint16(0); h < 0x7c00; h++ {
		lo := f16Value(h)
		hi := f16Value(h + 1)
		if h == 0x7bff {
			hi = 65536
		}
		checkMidpoint(t, h, float32((lo+hi)/2), F32ToF16, RoundF16, F16ToF32)
	}
}

func TestRoundingToBfloatTurnsAtMidpoints(t *testing.T) {
	for h := uint16(0); h < 0x7f80; h++ {
		mid := math.Float32frombits(uint32(h)<<16 | 0x8000)
		checkMidpoint(t, h, mid, F32ToBF16, RoundBF16, BF16ToF32)
	}
}

func checkMidpoint(t *testing.T, h uint16, mid float32, conv func(float32) uint16, round func(float32) float32, value func(uint16) float32) {
	t.Helper()
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		x    float32
		want uint16
	}{
		{math.Nextafter32(mid, 0), h},
		{mid, h + h&1},
		{math.Nextafter32(mid, inf), h + 1},
	} {
		for _, s := range []uint16{0, 0x8000} {
			x := c.x
			if s != 0 {
				x = -x
			}
			if got := conv(x); got != c.want|s {
				t.Fatalf("%g: got %#04x, want %#04x", x, got, c.want|s)
			}
			if got, want := round(x), value(c.want|s); math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("rounding %g: got %g, want %g", x, got, want)
			}
		}
	}
}

func TestEveryBfloatConvertsToItsValueAndBack(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		f := BF16ToF32(h)
		if math.Float32bits(f) != uint32(h)<<16 {
			t.Fatalf("bfloat %#04x has bits %#08x", h, math.Float32bits(f))
		}
		want := h
		if f != f {
			want |= 0x40
		}
		if back := F32ToBF16(f); back != want {
			t.Fatalf("bfloat %#04x came back as %#04x", h, back)
		}
	}
}

func TestLowNaNPayloadsStayNaN(t *testing.T) {
	for _, b := range []uint32{0x7f800001, 0xff800001, 0x7f80ffff, 0x7fffffff} {
		f := math.Float32frombits(b)
		if h := F32ToF16(f); h&0x7c00 != 0x7c00 || h&0x3ff == 0 || uint32(h>>15) != b>>31 {
			t.Errorf("half of NaN %#08x is %#04x", b, h)
		}
		if h := F32ToBF16(f); h&0x7f80 != 0x7f80 || h&0x7f == 0 || uint32(h>>15) != b>>31 {
			t.Errorf("bfloat of NaN %#08x is %#04x", b, h)
		}
		if RoundF16(f) == RoundF16(f) || RoundBF16(f) == RoundBF16(f) {
			t.Errorf("rounding NaN %#08x gave a number", b)
		}
	}
}

func TestRoundingAgreesWithConvertingThereAndBack(t *testing.T) {
	// Every exponent, significands that touch each rounding bit.
	for e := uint32(0); e < 512; e++ {
		for _, m := range []uint32{0, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x7fff, 0x8000, 0x8001, 0x17fff, 0x18000, 0x7fffff, 0x7fefff, 0x7ff000, 0x555555} {
			f := math.Float32frombits(e<<23 | m)
			if a, b := RoundF16(f), F16ToF32(F32ToF16(f)); math.Float32bits(a) != math.Float32bits(b) {
				t.Fatalf("RoundF16(%g) = %g, by way of bits %g", f, a, b)
			}
			if a, b := RoundBF16(f), BF16ToF32(F32ToBF16(f)); math.Float32bits(a) != math.Float32bits(b) {
				t.Fatalf("RoundBF16(%g) = %g, by way of bits %g", f, a, b)
			}
		}
	}
}

func TestSlicesConvertElementByElementUpToTheShorter(t *testing.T) {
	src := []uint16{0x3c00, 0xc000, 0x7bff, 1}
	dst := make([]float32, 3)
	F16ToF32s(dst, src)
	if dst[0] != 1 || dst[1] != -2 || dst[2] != 65504 {
		t.Fatalf("F16ToF32s gave %v", dst)
	}
	back := make([]uint16, 4)
	F32ToF16s(back, dst)
	if back[0] != src[0] || back[1] != src[1] || back[2] != src[2] || back[3] != 0 {
		t.Fatalf("F32ToF16s gave %#04x", back)
	}
	b := []uint16{0x3f80, 0xc040}
	BF16ToF32s(dst, b)
	if dst[0] != 1 || dst[1] != -3 {
		t.Fatalf("BF16ToF32s gave %v", dst)
	}
	F32ToBF16s(back, dst)
	if back[0] != b[0] || back[1] != b[1] {
		t.Fatalf("F32ToBF16s gave %#04x", back)
	}
	x := []float32{1.00049, 3.1415927}
	RoundF16s(x)
	if x[0] != 1.0009765625 && x[0] != 1 || x[1] != 3.140625 {
		t.Fatalf("RoundF16s gave %v", x)
	}
	x = []float32{3.1415927}
	RoundBF16s(x)
	if x[0] != 3.140625 {
		t.Fatalf("RoundBF16s gave %v", x)
	}
}
