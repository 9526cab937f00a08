package num

import "math"

// sumOdd adds exactly and rounds to float64 by jamming: an inexact sum gets an odd last bit. Rounding that again, to a
// format at least two bits narrower, gives what rounding the exact sum once would.
func sumOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	e := (a - (s - t)) + (b - t)
	if e == 0 || e != e {
		return s
	}
	u := math.Float64bits(s)
	if u&1 != 0 {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}

// odd32 narrows to float32 by jamming.
func odd32(d float64) float32 {
	f := float32(d)
	if float64(f) == d || f != f {
		return f
	}
	b := math.Float32bits(f)
	if b&1 != 0 {
		return f
	}
	if math.Abs(float64(f)) < math.Abs(d) {
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}

// Fma gives a*b+c rounded once.
func Fma(a, b, c float32) float32 {
	// The product of two 24-bit significands is exact in float64.
	return float32(sumOdd(float64(float64(a)*float64(b)), float64(c)))
}

// FmaF16 gives a*b+c rounded once to half, for half operands.
func FmaF16(a, b, c float32) float32 {
	return RoundF16(odd32(sumOdd(float64(float64(a)*float64(b)), float64(c))))
}

// FmaBF16 gives a*b+c rounded once to bfloat, for bfloat operands.
func FmaBF16(a, b, c float32) float32 {
	return RoundBF16(odd32(sumOdd(float64(float64(a)*float64(b)), float64(c))))
}
