package num

import (
	"math"
	"math/bits"
)

// FloatToInt truncates towards zero, saturates at the range of T and gives 0 for NaN.
func FloatToInt[T Int](f float32) T {
	// Both limits are powers of two, or 0, and so exact: the comparison is with the first value that does not fit.
	lo := float32(MinOf[T]())
	hi := float32(MaxOf[T]()/2+1) * 2
	switch {
	case f != f:
		return 0
	case f <= lo:
		return MinOf[T]()
	case f >= hi:
		return MaxOf[T]()
	}
	if !signed[T]() && width[T]() == 64 {
		if f >= 1<<63 {
			return T(uint64(int64(f-(1<<63))) + 1<<63)
		}
	}
	return T(int64(f))
}

// FloatToBool is f != 0; NaN is true.
func FloatToBool(f float32) bool { return f != 0 }

// IntToF32 rounds a to float32, to nearest even.
func IntToF32[T Int](a T) float32 {
	if width[T]() < 64 {
		return float32(float64(int64(a))) // exact in float64
	}
	if signed[T]() && a < 0 {
		return -u64ToF32(-uint64(a))
	}
	return u64ToF32(uint64(a))
}

// u64ToF32 rounds once everywhere. Go's own conversion does not: on 386 it goes by way of float64.
func u64ToF32(u uint64) float32 {
	if u < 1<<53 {
		return float32(float64(int64(u)))
	}
	// Jam the bits that float64 cannot hold into the last one that it can.
	t := u >> 11
	if u&0x7ff != 0 {
		t |= 1
	}
	return float32(float64(int64(t)) * 0x1p11)
}

// IntToF16 rounds a once to half. A magnitude that float32 cannot hold is infinite in half, so two roundings are one.
func IntToF16[T Int](a T) float32 { return RoundF16(IntToF32(a)) }

// IntToBF16 rounds a once to bfloat.
func IntToBF16[T Int](a T) float32 {
	if signed[T]() && a < 0 {
		return -RoundBF16(odd24(-uint64(int64(a))))
	}
	return RoundBF16(odd24(uint64(a)))
}

// odd24 narrows u to the 24 bits of float32 by jamming, so that a later rounding to bfloat is the only one.
func odd24(u uint64) float32 {
	n := bits.Len64(u)
	if n <= 24 {
		return float32(int32(u))
	}
	s := uint(n - 24)
	t := u >> s
	if t<<s != u {
		t |= 1
	}
	return float32(int32(t)) * math.Float32frombits(uint32(127+s)<<23)
}

// SatConvert converts a to T, saturating at the range of T.
func SatConvert[T, S Int](a S) T {
	if signed[S]() && a < 0 {
		return T(max(int64(a), int64(MinOf[T]())))
	}
	return T(min(uint64(a), uint64(MaxOf[T]())))
}
