package num

import "math"

func finite(x float32) bool { return math.Float32bits(x)&infBits32 != infBits32 }

// Fabs is |x|.
func Fabs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) & absMask32) }

// Copysign is x with the sign of y.
func Copysign(x, y float32) float32 {
	return math.Float32frombits(math.Float32bits(x)&absMask32 | math.Float32bits(y)&signBit32)
}

// Fmin is the lesser of a and b, or the one that is a number. Of two zeros it gives either.
func Fmin(a, b float32) float32 {
	if b < a || a != a {
		return b
	}
	return a
}

// Fmax is the greater of a and b, or the one that is a number. Of two zeros it gives either.
func Fmax(a, b float32) float32 {
	if b > a || a != a {
		return b
	}
	return a
}

// Clamp is fmin(fmax(x, lo), hi).
func Clamp(x, lo, hi float32) float32 { return Fmin(Fmax(x, lo), hi) }

// Saturate clamps x to [0, 1]; NaN gives 0.
func Saturate(x float32) float32 {
	if x > 1 {
		return 1
	}
	if x > 0 {
		return x
	}
	return 0
}

// Fdim is x-y where x > y, NaN where either is NaN, else +0.
func Fdim(x, y float32) float32 {
	if x <= y {
		return 0
	}
	return x - y
}

// Sign is -1, +1, the zero that x is, or 0 for NaN.
func Sign(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x == 0:
		return x
	}
	return 0
}

// Step is 0 where x < edge, else 1.
func Step(edge, x float32) float32 {
	if x < edge {
		return 0
	}
	return 1
}

// Smoothstep is the cubic from 0 at edge0 to 1 at edge1, each operation rounded to float32.
func Smoothstep(edge0, edge1, x float32) float32 {
	t := Saturate((x - edge0) / (edge1 - edge0))
	return float32(float32(t*t) * (3 - float32(2*t)))
}

// Mix is x + (y-x)*a, each operation rounded to float32.
func Mix(x, y, a float32) float32 { return x + float32((y-x)*a) }

// Sqrt is the square root, correctly rounded.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Rsqrt is 1/sqrt(x), correctly rounded: checked once for every significand and parity of the exponent.
func Rsqrt(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

// IsNaN reports whether x is NaN.
func IsNaN(x float32) bool { return x != x }

// IsInf reports whether x is an infinity.
func IsInf(x float32) bool { return math.Float32bits(x)&absMask32 == infBits32 }

// IsFinite reports whether x is neither an infinity nor NaN.
func IsFinite(x float32) bool { return finite(x) }

// IsNormal reports whether x is a normal float32: not zero, subnormal, infinite or NaN.
func IsNormal(x float32) bool { return math.Float32bits(x)&infBits32-0x800000 < infBits32-0x800000 }

// IsNormalF16 reports whether x, a half value, is a normal half.
func IsNormalF16(x float32) bool { return finite(x) && Fabs(x) >= 0x1p-14 }

// SignBit reports whether the sign bit of x is set.
func SignBit(x float32) bool { return math.Float32bits(x)>>31 != 0 }
