package safetensors

import (
	"math"
	"strconv"
)

// A DType is the element type of a tensor, spelt as in the file.
type DType string

// The element types of the format.
const (
	Bool   DType = "BOOL"
	U8     DType = "U8"
	I8     DType = "I8"
	F8E5M2 DType = "F8_E5M2"
	F8E4M3 DType = "F8_E4M3"
	F8E8M0 DType = "F8_E8M0"
	F4     DType = "F4"
	F6E2M3 DType = "F6_E2M3"
	F6E3M2 DType = "F6_E3M2"
	I16    DType = "I16"
	U16    DType = "U16"
	F16    DType = "F16"
	BF16   DType = "BF16"
	I32    DType = "I32"
	U32    DType = "U32"
	F32    DType = "F32"
	C64    DType = "C64"
	F64    DType = "F64"
	I64    DType = "I64"
	U64    DType = "U64"
)

// Bits returns the size of one element in bits, or 0 for a type this package does not know.
func (d DType) Bits() int {
	switch d {
	case F4:
		return 4
	case F6E2M3, F6E3M2:
		return 6
	case Bool, U8, I8, F8E5M2, F8E4M3, F8E8M0:
		return 8
	case I16, U16, F16, BF16:
		return 16
	case I32, U32, F32:
		return 32
	case I64, U64, F64, C64:
		return 64
	}
	return 0
}

// elements returns the product of shape; ok is false if it exceeds an int64 or
// a dimension is negative.
func elements(shape []int) (n int64, ok bool) {
	empty := false
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		empty = empty || d == 0
	}
	if empty {
		return 0, true
	}
	n = 1
	for _, d := range shape {
		if n > math.MaxInt64/int64(d) {
			return 0, false
		}
		n *= int64(d)
	}
	return n, true
}

// byteSize returns the bytes that shape elements of d occupy; ok is false if that
// exceeds an int64 or is not a whole number of bytes.
func (d DType) byteSize(shape []int) (size int64, ok bool) {
	n, ok := elements(shape)
	bits := int64(d.Bits())
	if !ok || n > math.MaxInt64/bits || n*bits%8 != 0 {
		return 0, false
	}
	return n * bits / 8, true
}

// bfloat16Bits rounds x to the nearest bfloat16, ties to even; a NaN stays a NaN.
func bfloat16Bits(x float32) uint16 {
	u := math.Float32bits(x)
	if x != x {
		return uint16(u>>16) | 0x40
	}
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}

// float16Value widens the IEEE half with the given bits; the result is exact.
func float16Value(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, frac := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	case 0:
		// A subnormal half is frac units of 2^-24, and that is a normal float32.
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

func quote(s string) string { return strconv.Quote(s) }
