package reference

import "math"

// Float is what is compared: results come as float32 or, from another reference, float64.
type Float interface{ ~float32 | ~float64 }

// RelRMS returns the relative root-mean-square error of got: the square root of
// sum (got-want)^2 over sum want^2. A NaN, a difference of length, or a want of only zeros that
// got does not share, is +Inf, so that a comparison with a bound cannot pass by accident.
func RelRMS[G, W Float](got []G, want []W) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var difference, scale float64
	for i := range want {
		d := float64(got[i]) - float64(want[i])
		difference += d * d
		scale += float64(want[i]) * float64(want[i])
	}
	if difference == 0 {
		return 0
	}
	r := math.Sqrt(difference / scale)
	if r != r {
		return math.Inf(1)
	}
	return r
}

// BF16Ulps returns how many bfloat16 values lie between x and y, counting one end, after
// rounding both. It is -1 if either is NaN.
func BF16Ulps(x, y float64) int {
	if x != x || y != y {
		return -1
	}
	d := bf16Rank(x) - bf16Rank(y)
	return max(d, -d)
}

// bf16Rank numbers the bfloat16 values in ascending order; both zeros are number 0.
func bf16Rank(x float64) int {
	bits := int(bf16Bits(x))
	if bits&0x8000 != 0 {
		return -(bits & 0x7fff)
	}
	return bits
}
