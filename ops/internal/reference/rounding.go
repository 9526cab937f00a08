package reference

import "math"

// Rounding says whether a stage rounds where its kernel does.
type Rounding int

const (
	Exact Rounding = iota // nowhere
	BF16                  // to bfloat16, at the kernel's rounding points
)

func (r Rounding) round(x float64) float64 {
	if r == BF16 {
		return RoundBF16(x)
	}
	return x
}

// RoundBF16 returns the bfloat16 nearest to x, ties to even.
func RoundBF16(x float64) float64 {
	const smallestNormal, subnormalStep = 0x1p-126, 0x1p-133
	switch {
	case x != x || math.IsInf(x, 0):
		return x
	case math.Abs(x) < smallestNormal:
		return math.RoundToEven(x/subnormalStep) * subnormalStep
	}
	// bfloat16 has 7 explicit bits of significand, float64 has 52.
	u := math.Float64bits(x)
	u += 1<<44 - 1 + u>>45&1
	u &^= 1<<45 - 1
	y := math.Float64frombits(u)
	if math.Abs(y) >= 0x1p128 {
		return math.Inf(int(math.Copysign(1, y)))
	}
	return y
}

// BF16Bits returns the bfloat16 patterns of x, each rounded by RoundBF16.
func BF16Bits(x []float64) []uint16 {
	bits := make([]uint16, len(x))
	for i := range x {
		bits[i] = bf16Bits(x[i])
	}
	return bits
}

func bf16Bits(x float64) uint16 {
	return uint16(math.Float32bits(float32(RoundBF16(x))) >> 16)
}

// FromBF16 returns the values of bfloat16 patterns.
func FromBF16(bits []uint16) []float64 {
	x := make([]float64, len(bits))
	for i := range bits {
		x[i] = float64(math.Float32frombits(uint32(bits[i]) << 16))
	}
	return x
}

// Float32s rounds x to float32.
func Float32s(x []float64) []float32 {
	y := make([]float32, len(x))
	for i := range x {
		y[i] = float32(x[i])
	}
	return y
}

// Float64s widens x.
func Float64s(x []float32) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = float64(x[i])
	}
	return y
}
