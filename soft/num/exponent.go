package num

import "math"

// Ldexp is x * 2^n, rounded once.
func Ldexp(x float32, n int32) float32 {
	// A float64 holds every product with an exponent in this range exactly; beyond it the result is 0 or infinite anyway.
	n = max(-400, min(400, n))
	return float32(float64(x) * math.Float64frombits(uint64(n+1023)<<52))
}

// Ilogb is the exponent of x as an integer: floor(log2(|x|)). Zero gives the smallest int32, an infinity or NaN the largest.
func Ilogb(x float32) int32 {
	switch {
	case x == 0:
		return math.MinInt32
	case !finite(x):
		return math.MaxInt32
	}
	return int32(math.Float64bits(float64(x))>>52&0x7ff) - 1023
}

// Frexp gives a fraction in [1/2, 1) with the sign of x and an exponent with x = fraction * 2^exponent. Zero, infinities and
// NaN come back with exponent 0.
func Frexp(x float32) (fraction float32, exponent int32) {
	if x == 0 || !finite(x) {
		return x, 0
	}
	u := math.Float64bits(float64(x))
	return float32(math.Float64frombits(u&^(0x7ff<<52) | 1022<<52)), int32(u>>52&0x7ff) - 1022
}

// NextAfter is the float32 next to x in the direction of y.
func NextAfter(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return nan32
	case x == y:
		return y
	case x == 0:
		return Copysign(math.SmallestNonzeroFloat32, y)
	}
	return math.Float32frombits(towards(math.Float32bits(x), x, y, 1))
}

// NextAfterF16 is the half next to x in the direction of y; x and y are half values.
func NextAfterF16(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return nan32
	case x == y:
		return y
	case x == 0:
		return Copysign(0x1p-24, y)
	}
	return F16ToF32(uint16(towards(uint32(F32ToF16(x)), x, y, 1)))
}

// NextAfterBF16 is the bfloat next to x in the direction of y; x and y are bfloat values.
func NextAfterBF16(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return nan32
	case x == y:
		return y
	case x == 0:
		return Copysign(0x1p-133, y)
	}
	return math.Float32frombits(towards(math.Float32bits(x), x, y, 1<<16))
}

// towards steps the bits of non-zero x: the magnitude grows where y lies farther from zero on the same side.
func towards(u uint32, x, y float32, unit uint32) uint32 {
	if (y > x) == (x > 0) {
		return u + unit
	}
	return u - unit
}
