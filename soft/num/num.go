// Package num is the scalar arithmetic of the software Metal device: half and bfloat formats, the maths, common and
// integer functions of the Metal Shading Language, and its conversions. The compiler folds constants with it and the engine
// runs kernels with it, so that both say the same. It owns values only: no registers, no memory, no source text.
//
// Results are the same bits on every GOARCH: all kernels are written here, in float64 where float32 would lose, with each
// product rounded explicitly so that no compiler fuses it into an addition. The one exception is NaN, whose sign and payload
// the processor chooses.
//
// Functions take and give float32 for half and bfloat too: such a value is held as the float32 of the same value, and the
// caller rounds the result with RoundF16 or RoundBF16. That is exact for +, -, *, / and sqrt (24 bits are more than twice 11 plus 1);
// fma, which it is not, has its own forms. ULP figures in comments are the largest error measured against math/big or
// float64 references by the tests of this package, in units in the last place of float32.
//
// Everything here is a pure function, safe for concurrent use, and allocates nothing.
package num

import "math"

var (
	nan32 = float32(math.NaN())
	inf32 = float32(math.Inf(1))
)

const (
	signBit32 = 1 << 31
	absMask32 = signBit32 - 1
	infBits32 = 0x7f800000
)
