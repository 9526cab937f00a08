package num

import (
	"math/bits"
	"unsafe"
)

// Int is an integer type of the Metal Shading Language: char, short, int, long and their unsigned forms.
type Int interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func width[T Int]() uint {
	var z T
	return uint(unsafe.Sizeof(z)) * 8
}

func signed[T Int]() bool { return ^T(0) < 0 }

// low gives the bits of a, zero-extended.
func low[T Int](a T) uint64 { return uint64(a) & (^uint64(0) >> (64 - width[T]())) }

// MaxOf is the largest value of T.
func MaxOf[T Int]() T {
	if signed[T]() {
		return ^MinOf[T]()
	}
	return ^T(0)
}

// MinOf is the smallest value of T.
func MinOf[T Int]() T {
	if signed[T]() {
		return T(1) << (width[T]() - 1)
	}
	return 0
}

// Div truncates; a division by zero gives 0, and the smallest value by -1 wraps.
func Div[T Int](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

// Rem is the remainder of Div with the sign of a; by zero it gives 0.
func Rem[T Int](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// Shl shifts left by n modulo the width of T.
func Shl[T Int](a, n T) T { return a << (uint64(n) & uint64(width[T]()-1)) }

// Shr shifts right by n modulo the width of T, keeping the sign of signed types.
func Shr[T Int](a, n T) T { return a >> (uint64(n) & uint64(width[T]()-1)) }

// Abs is |a|; the smallest value wraps to itself.
func Abs[T Int](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// AbsDiff gives the bits of |a-b|, which always fits the unsigned type of that width.
func AbsDiff[T Int](a, b T) T {
	if a < b {
		return b - a
	}
	return a - b
}

// ClampInt is min(max(x, lo), hi).
func ClampInt[T Int](x, lo, hi T) T { return min(max(x, lo), hi) }

// AddSat is a+b, saturated.
func AddSat[T Int](a, b T) T {
	s := a + b
	if signed[T]() {
		if (a^s)&(b^s) < 0 {
			if a < 0 {
				return MinOf[T]()
			}
			return MaxOf[T]()
		}
		return s
	}
	if s < a {
		return ^T(0)
	}
	return s
}

// SubSat is a-b, saturated.
func SubSat[T Int](a, b T) T {
	d := a - b
	if signed[T]() {
		if (a^b)&(a^d) < 0 {
			if a < 0 {
				return MinOf[T]()
			}
			return MaxOf[T]()
		}
		return d
	}
	if a < b {
		return 0
	}
	return d
}

// MulHi is the upper half of the product of a and b.
func MulHi[T Int](a, b T) T {
	w := width[T]()
	if w < 64 {
		if signed[T]() {
			return T(int64(a) * int64(b) >> w)
		}
		return T(uint64(a) * uint64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	if signed[T]() {
		hi -= uint64(int64(a)>>63)&uint64(b) + uint64(int64(b)>>63)&uint64(a)
	}
	return T(hi)
}

// HAdd is (a+b)>>1 without overflow.
func HAdd[T Int](a, b T) T { return a&b + (a^b)>>1 }

// RHAdd is (a+b+1)>>1 without overflow.
func RHAdd[T Int](a, b T) T { return a | b - (a^b)>>1 }

// MadHi is MulHi(a, b) + c, wrapping.
func MadHi[T Int](a, b, c T) T { return MulHi(a, b) + c }

// MadSat is a*b+c, saturated once.
func MadSat[T Int](a, b, c T) T {
	if signed[T]() {
		hi, lo := uint64(MulHi(int64(a), int64(b))), uint64(a)*uint64(b)
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(int64(c)), 0)
		hi, _ = bits.Add64(hi, uint64(int64(c)>>63), carry)
		switch {
		case int64(hi) < int64(lo)>>63:
			return MinOf[T]()
		case int64(hi) > int64(lo)>>63:
			return MaxOf[T]()
		}
		return T(max(int64(MinOf[T]()), min(int64(MaxOf[T]()), int64(lo))))
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c), 0)
	if hi+carry != 0 || lo > uint64(^T(0)) {
		return ^T(0)
	}
	return T(lo)
}

// Clz counts leading zero bits; of 0 it is the width of T.
func Clz[T Int](a T) T { return T(width[T]() - uint(bits.Len64(low(a)))) }

// Ctz counts trailing zero bits; of 0 it is the width of T.
func Ctz[T Int](a T) T { return T(min(uint(bits.TrailingZeros64(low(a))), width[T]())) }

// Popcount counts the bits that are set.
func Popcount[T Int](a T) T { return T(bits.OnesCount64(low(a))) }

// ReverseBits reverses the order of the bits.
func ReverseBits[T Int](a T) T { return T(bits.Reverse64(low(a)) >> (64 - width[T]())) }

// Rotate rotates left by n modulo the width of T.
func Rotate[T Int](a, n T) T {
	w := width[T]()
	s := uint(n) & (w - 1)
	u := low(a)
	return T(u<<s | u>>(w-s))
}

// ExtractBits gives n bits of a from bit offset on, sign-extended for signed types. Bits beyond the width of T, which Metal
// leaves undefined, are taken as copies of the top bit for signed types and as 0 for unsigned ones.
func ExtractBits[T Int](a T, offset, n uint32) T {
	w := uint32(width[T]())
	if n == 0 {
		return 0
	}
	r := a >> offset // Go shifts by more than the width to the sign or 0
	if n >= w {
		return r
	}
	return r << (w - n) >> (w - n)
}

// InsertBits gives base with n bits from bit offset on replaced by the low bits of insert. Bits beyond the width of T fall
// away.
func InsertBits[T Int](base, insert T, offset, n uint32) T {
	w := uint32(width[T]())
	m := ^T(0)
	if n < w {
		m = T(1)<<n - 1
	}
	m <<= offset
	return base&^m | insert<<offset&m
}
