package msl

import (
	"math"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// canon brings bits to the form in which constants of kind k are kept: integers sign- or zero-extended, bool 0 or 1,
// all floats as the bits of a float32.
func canon(k ir.Kind, bits uint64) uint64 {
	switch k {
	case ir.Bool:
		return b2u(bits != 0)
	case ir.I8:
		return uint64(int64(int8(bits)))
	case ir.U8:
		return uint64(uint8(bits))
	case ir.I16:
		return uint64(int64(int16(bits)))
	case ir.U16:
		return uint64(uint16(bits))
	case ir.I32:
		return uint64(int64(int32(bits)))
	case ir.U32, ir.F16, ir.BF16, ir.F32:
		return uint64(uint32(bits))
	}
	return bits
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func f32(bits uint64) float32 { return math.Float32frombits(uint32(bits)) }

// roundTo gives the bits of v rounded to the float kind k.
func roundTo(k ir.Kind, v float32) uint64 {
	switch k {
	case ir.F16:
		v = num.RoundF16(v)
	case ir.BF16:
		v = num.RoundBF16(v)
	}
	return uint64(math.Float32bits(v))
}

// foldConvert converts the constant bits of kind from to kind to.
func foldConvert(from, to ir.Kind, bits uint64) uint64 {
	switch {
	case to == ir.Bool:
		if from.IsFloat() {
			return b2u(f32(bits) != 0)
		}
		return b2u(bits != 0)
	case from.IsFloat() && to.IsFloat():
		return roundTo(to, f32(bits))
	case from.IsFloat():
		v := f32(bits)
		switch to {
		case ir.I8:
			return canon(to, uint64(num.FloatToInt[int8](v)))
		case ir.U8:
			return uint64(num.FloatToInt[uint8](v))
		case ir.I16:
			return canon(to, uint64(num.FloatToInt[int16](v)))
		case ir.U16:
			return uint64(num.FloatToInt[uint16](v))
		case ir.I32:
			return canon(to, uint64(num.FloatToInt[int32](v)))
		case ir.U32:
			return uint64(num.FloatToInt[uint32](v))
		case ir.I64:
			return uint64(num.FloatToInt[int64](v))
		}
		return num.FloatToInt[uint64](v)
	case to.IsFloat():
		if from == ir.U64 {
			switch to {
			case ir.BF16:
				return uint64(math.Float32bits(num.IntToBF16(bits)))
			case ir.F16:
				return uint64(math.Float32bits(num.IntToF16(bits)))
			}
			return uint64(math.Float32bits(float32(bits)))
		}
		v := int64(bits)
		switch to {
		case ir.BF16:
			return uint64(math.Float32bits(num.IntToBF16(v)))
		case ir.F16:
			return uint64(math.Float32bits(num.IntToF16(v)))
		}
		return uint64(math.Float32bits(float32(v)))
	}
	return canon(to, bits)
}

// foldBitcast reinterprets constant bits; the sizes are equal.
func foldBitcast(from, to ir.Kind, bits uint64) uint64 {
	switch from {
	case ir.F16:
		bits = uint64(num.F32ToF16(f32(bits)))
	case ir.BF16:
		bits = uint64(num.F32ToBF16(f32(bits)))
	}
	switch to {
	case ir.F16:
		return uint64(math.Float32bits(num.F16ToF32(uint16(bits))))
	case ir.BF16:
		return uint64(math.Float32bits(num.BF16ToF32(uint16(bits))))
	}
	return canon(to, bits)
}

// fold computes op on constants of kind k. ok is false for what is left to the engine.
func fold(op ir.Op, k ir.Kind, a, b, c uint64) (bits uint64, ok bool) {
	if k.IsFloat() {
		return foldFloat(op, k, f32(a), f32(b), f32(c))
	}
	switch k {
	case ir.Bool:
		return foldBool(op, a, b)
	case ir.I8:
		return foldInt(op, int8(a), int8(b), int8(c))
	case ir.U8:
		return foldInt(op, uint8(a), uint8(b), uint8(c))
	case ir.I16:
		return foldInt(op, int16(a), int16(b), int16(c))
	case ir.U16:
		return foldInt(op, uint16(a), uint16(b), uint16(c))
	case ir.I32:
		return foldInt(op, int32(a), int32(b), int32(c))
	case ir.U32:
		return foldInt(op, uint32(a), uint32(b), uint32(c))
	case ir.I64:
		return foldInt(op, int64(a), int64(b), int64(c))
	case ir.U64:
		return foldInt(op, a, b, c)
	}
	return 0, false
}

func foldBool(op ir.Op, a, b uint64) (uint64, bool) {
	switch op {
	case ir.And:
		return a & b, true
	case ir.Or:
		return a | b, true
	case ir.Xor, ir.Ne:
		return a ^ b, true
	case ir.Not:
		return a ^ 1, true
	case ir.Eq:
		return a ^ b ^ 1, true
	}
	return 0, false
}

func foldInt[T num.Int](op ir.Op, a, b, c T) (uint64, bool) {
	switch op {
	case ir.Eq:
		return b2u(a == b), true
	case ir.Ne:
		return b2u(a != b), true
	case ir.Lt:
		return b2u(a < b), true
	case ir.Le:
		return b2u(a <= b), true
	case ir.Gt:
		return b2u(a > b), true
	case ir.Ge:
		return b2u(a >= b), true
	}
	var r T
	switch op {
	case ir.Neg:
		r = -a
	case ir.Add:
		r = a + b
	case ir.Sub:
		r = a - b
	case ir.Mul:
		r = a * b
	case ir.Div:
		r = num.Div(a, b)
	case ir.Rem:
		r = num.Rem(a, b)
	case ir.And:
		r = a & b
	case ir.Or:
		r = a | b
	case ir.Xor:
		r = a ^ b
	case ir.Not:
		r = ^a
	case ir.Shl:
		r = num.Shl(a, b)
	case ir.Shr:
		r = num.Shr(a, b)
	case ir.Abs:
		r = num.Abs(a)
	case ir.Min:
		r = min(a, b)
	case ir.Max:
		r = max(a, b)
	case ir.Clamp:
		r = num.ClampInt(a, b, c)
	case ir.AbsDiff:
		r = num.AbsDiff(a, b)
	case ir.AddSat:
		r = num.AddSat(a, b)
	case ir.SubSat:
		r = num.SubSat(a, b)
	case ir.MulHi:
		r = num.MulHi(a, b)
	case ir.HAdd:
		r = num.HAdd(a, b)
	case ir.RHAdd:
		r = num.RHAdd(a, b)
	case ir.Mad:
		r = a*b + c
	case ir.MadHi:
		r = num.MadHi(a, b, c)
	case ir.MadSat:
		r = num.MadSat(a, b, c)
	case ir.Clz:
		r = num.Clz(a)
	case ir.Ctz:
		r = num.Ctz(a)
	case ir.Popcount:
		r = num.Popcount(a)
	case ir.ReverseBits:
		r = num.ReverseBits(a)
	case ir.Rotate:
		r = num.Rotate(a, b)
	default:
		return 0, false
	}
	return uint64(r), true
}

// foldFloat leaves to the engine what has a fast and a precise form, apart from the exactly rounded ones.
func foldFloat(op ir.Op, k ir.Kind, a, b, c float32) (uint64, bool) {
	switch op {
	case ir.Eq:
		return b2u(a == b), true
	case ir.Ne:
		return b2u(a != b), true
	case ir.Lt:
		return b2u(a < b), true
	case ir.Le:
		return b2u(a <= b), true
	case ir.Gt:
		return b2u(a > b), true
	case ir.Ge:
		return b2u(a >= b), true
	case ir.IsNaN:
		return b2u(num.IsNaN(a)), true
	case ir.IsInf:
		return b2u(num.IsInf(a)), true
	case ir.IsFinite:
		return b2u(num.IsFinite(a)), true
	}
	var r float32
	switch op {
	case ir.Neg:
		r = -a
	case ir.Add:
		r = a + b
	case ir.Sub:
		r = a - b
	case ir.Mul:
		r = float32(a * b)
	case ir.Div:
		r = a / b
	case ir.Rem:
		r = num.Fmod(a, b)
	case ir.Abs:
		r = num.Fabs(a)
	case ir.Min:
		r = num.Fmin(a, b)
	case ir.Max:
		r = num.Fmax(a, b)
	case ir.Clamp:
		r = num.Clamp(a, b, c)
	case ir.Floor:
		r = num.Floor(a)
	case ir.Ceil:
		r = num.Ceil(a)
	case ir.Trunc:
		r = num.Trunc(a)
	case ir.Round:
		r = num.Round(a)
	case ir.Rint:
		r = num.Rint(a)
	case ir.Sqrt:
		r = num.Sqrt(a)
	case ir.Rsqrt:
		r = num.Rsqrt(a)
	case ir.Exp:
		r = num.Exp(a)
	case ir.Exp2:
		r = num.Exp2(a)
	case ir.Log:
		r = num.Log(a)
	case ir.Log2:
		r = num.Log2(a)
	case ir.Pow:
		r = num.Pow(a, b)
	case ir.Saturate:
		r = num.Saturate(a)
	case ir.Sign:
		r = num.Sign(a)
	default:
		return 0, false
	}
	return roundTo(k, r), true
}
