package num

import "math"

// F16ToF32 gives the value of half bits, exactly. NaN payloads move to the top of the wider field.
func F16ToF32(h uint16) float32 {
	u := uint32(h&0x7fff) << 13
	if u-0x400<<13 < 0x7800<<13 {
		return math.Float32frombits(uint32(h&0x8000)<<16 | (u + 112<<23))
	}
	return f16Rare(h)
}

// f16Rare converts zeros, subnormals, infinities and NaNs.
func f16Rare(h uint16) float32 {
	s := uint32(h&0x8000) << 16
	m := uint32(h & 0x3ff)
	if h&0x7c00 != 0 {
		return math.Float32frombits(s | infBits32 | m<<13)
	}
	// m * 2^-24 is exact, and an integer conversion avoids a subnormal operand.
	return math.Float32frombits(s | math.Float32bits(float32(int32(m))*0x1p-24))
}

// F32ToF16 rounds f to half, to nearest even; too large gives infinity, NaN stays NaN and becomes quiet.
func F32ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	s := uint16(b >> 16 & 0x8000)
	u := b & absMask32
	if u-0x38800000 < 0x47800000-0x38800000 {
		// A carry out of the largest finite half runs into the exponent and gives infinity.
		return s | uint16((u+0xfff+(u>>13&1)-112<<23)>>13)
	}
	return s | f16RareBits(u)
}

func f16RareBits(u uint32) uint16 {
	switch {
	case u > infBits32:
		return 0x7e00 | uint16(u>>13&0x3ff)
	case u >= 0x47800000:
		return 0x7c00
	}
	// 0.5 has the unit in the last place of half's subnormals, so the addition rounds there.
	return uint16(math.Float32bits(math.Float32frombits(u)+0.5) - 0x3f000000)
}

// RoundF16 rounds f to the nearest half value, ties to even.
func RoundF16(f float32) float32 {
	b := math.Float32bits(f)
	u := b & absMask32
	// Up to the midpoint above the largest finite half, which itself rounds away.
	if u-0x38800000 < 0x477ff000-0x38800000 {
		return math.Float32frombits((b + 0xfff + (b >> 13 & 1)) &^ 0x1fff)
	}
	return roundF16Rare(b, u)
}

func roundF16Rare(b, u uint32) float32 {
	s := b & signBit32
	switch {
	case u > infBits32:
		return math.Float32frombits((b | 0x400000) &^ 0x1fff)
	case u >= 0x477ff000:
		return math.Float32frombits(s | infBits32)
	}
	r := math.Float32frombits(u) + 0.5
	return math.Float32frombits(s | math.Float32bits(r-0.5))
}

// BF16ToF32 gives the value of bfloat bits, exactly.
func BF16ToF32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F32ToBF16 rounds f to bfloat, to nearest even; too large gives infinity, NaN stays NaN and becomes quiet.
func F32ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&absMask32 > infBits32 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + (b >> 16 & 1)) >> 16)
}

// RoundBF16 rounds f to the nearest bfloat value, ties to even.
func RoundBF16(f float32) float32 {
	b := math.Float32bits(f)
	if b&absMask32 > infBits32 {
		return math.Float32frombits((b | 0x400000) &^ 0xffff)
	}
	return math.Float32frombits((b + 0x7fff + (b >> 16 & 1)) &^ 0xffff)
}

// F16ToF32s converts half bits to values; it converts min(len(dst), len(src)) elements.
func F16ToF32s(dst []float32, src []uint16) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for i, h := range src {
		dst[i] = F16ToF32(h)
	}
}

// F32ToF16s rounds values to half bits; it converts min(len(dst), len(src)) elements.
func F32ToF16s(dst []uint16, src []float32) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for i, f := range src {
		dst[i] = F32ToF16(f)
	}
}

// BF16ToF32s converts bfloat bits to values; it converts min(len(dst), len(src)) elements.
func BF16ToF32s(dst []float32, src []uint16) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for i, h := range src {
		dst[i] = BF16ToF32(h)
	}
}

// F32ToBF16s rounds values to bfloat bits; it converts min(len(dst), len(src)) elements.
func F32ToBF16s(dst []uint16, src []float32) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	for i, f := range src {
		dst[i] = F32ToBF16(f)
	}
}

// RoundF16s rounds each element to half in place.
func RoundF16s(x []float32) {
	for i, f := range x {
		x[i] = RoundF16(f)
	}
}

// RoundBF16s rounds each element to bfloat in place.
func RoundBF16s(x []float32) {
	for i, f := range x {
		x[i] = RoundBF16(f)
	}
}
