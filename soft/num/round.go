package num

import "math"

// Floor is the largest integer not above x.
func Floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// Ceil is the smallest integer not below x.
func Ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// Trunc rounds towards zero.
func Trunc(x float32) float32 { return float32(math.Trunc(float64(x))) }

// Rint rounds to the nearest integer, halves to even.
func Rint(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// Round rounds to the nearest integer, halves away from zero.
func Round(x float32) float32 {
	// The sum is exact in float64 wherever x has a fraction.
	return float32(math.Trunc(float64(x) + math.Copysign(0.5, float64(x))))
}

// Fract is x - floor(x), kept below 1; 0 for an infinity.
func Fract(x float32) float32 { return fract(x, 0x1.fffffep-1) }

// FractF16 is Fract for a half x: the result is below 1 in half.
func FractF16(x float32) float32 { return fract(x, 0x1.ffcp-1) }

// FractBF16 is Fract for a bfloat x: the result is below 1 in bfloat.
func FractBF16(x float32) float32 { return fract(x, 0x1.fep-1) }

func fract(x, below1 float32) float32 {
	if math.IsInf(float64(x), 0) {
		return 0
	}
	f := float32(float64(x) - math.Floor(float64(x)))
	if f > below1 {
		return below1
	}
	return f
}

// Fmod is the remainder of the division that truncates; it has the sign of x and is exact.
func Fmod(x, y float32) float32 {
	a, b := math.Abs(float64(x)), math.Abs(float64(y))
	switch {
	case !(a <= math.MaxFloat32) || !(b > 0):
		return nan32 // x not finite, y zero or NaN
	case a < b:
		return x
	}
	q := a / b
	var r float64
	if q < 1<<28 {
		// q*b is exact. The quotient may have been rounded up to the next integer.
		r = a - float64(math.Trunc(q)*b)
		if r < 0 {
			r += b
		}
	} else {
		r = math.Mod(a, b)
	}
	return Copysign(float32(r), x)
}
