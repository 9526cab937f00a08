package mtl

import (
	"encoding/binary"
	"fmt"
	"math"
)

// FunctionConstant is a value for a [[function_constant(index)]] of a shader. It is comparable: two are equal if index,
// type and value are, so it can be part of a map key.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunctionconstantvalues
type FunctionConstant struct {
	index int
	typ   DataType
	bits  uint64
}

// dataTypes are those of function constants.
var dataTypes = map[DataType]struct {
	name string
	size int
}{
	DataTypeFloat: {"float", 4}, DataTypeHalf: {"half", 2}, DataTypeBFloat: {"bfloat", 2},
	DataTypeInt: {"int", 4}, DataTypeUInt: {"uint", 4}, DataTypeShort: {"short", 2}, DataTypeUShort: {"ushort", 2},
	DataTypeChar: {"char", 1}, DataTypeUChar: {"uchar", 1}, DataTypeLong: {"long", 8}, DataTypeULong: {"ulong", 8},
	DataTypeBool: {"bool", 1},
}

// ConstantBool sets a bool.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/bool
func ConstantBool(index int, v bool) FunctionConstant {
	return FunctionConstant{index, DataTypeBool, uint64(bit(v))}
}

// ConstantInt8 sets a char.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/char
func ConstantInt8(index int, v int8) FunctionConstant {
	return FunctionConstant{index, DataTypeChar, uint64(uint8(v))}
}

// ConstantUint8 sets a uchar.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/uchar
func ConstantUint8(index int, v uint8) FunctionConstant {
	return FunctionConstant{index, DataTypeUChar, uint64(v)}
}

// ConstantInt16 sets a short.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/short
func ConstantInt16(index int, v int16) FunctionConstant {
	return FunctionConstant{index, DataTypeShort, uint64(uint16(v))}
}

// ConstantUint16 sets a ushort.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/ushort
func ConstantUint16(index int, v uint16) FunctionConstant {
	return FunctionConstant{index, DataTypeUShort, uint64(v)}
}

// ConstantInt32 sets an int.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/int
func ConstantInt32(index int, v int32) FunctionConstant {
	return FunctionConstant{index, DataTypeInt, uint64(uint32(v))}
}

// ConstantUint32 sets a uint.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/uint
func ConstantUint32(index int, v uint32) FunctionConstant {
	return FunctionConstant{index, DataTypeUInt, uint64(v)}
}

// ConstantInt64 sets a long.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/long
func ConstantInt64(index int, v int64) FunctionConstant {
	return FunctionConstant{index, DataTypeLong, uint64(v)}
}

// ConstantUint64 sets a ulong.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/ulong
func ConstantUint64(index int, v uint64) FunctionConstant {
	return FunctionConstant{index, DataTypeULong, v}
}

// ConstantFloat32 sets a float. Two constants with the same bits are equal, NaNs too.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/float
func ConstantFloat32(index int, v float32) FunctionConstant {
	return FunctionConstant{index, DataTypeFloat, uint64(math.Float32bits(v))}
}

// ConstantFloat16 sets a half to the value with these IEEE-754 bits.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/half
func ConstantFloat16(index int, bits uint16) FunctionConstant {
	return FunctionConstant{index, DataTypeHalf, uint64(bits)}
}

// ConstantBFloat16 sets a bfloat to the value with these bits, the upper half of a float's.
//
// Reference: https://developer.apple.com/documentation/metal/mtldatatype/bfloat
func ConstantBFloat16(index int, bits uint16) FunctionConstant {
	return FunctionConstant{index, DataTypeBFloat, uint64(bits)}
}

// Index is the constant's [[function_constant(index)]].
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunctionconstant/index
func (c FunctionConstant) Index() int { return c.index }

// String gives "[[function_constant(index)]] type = value".
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunctionconstantvalues
func (c FunctionConstant) String() string {
	var v any = c.bits
	switch c.typ {
	case DataTypeBool:
		v = c.bits != 0
	case DataTypeChar:
		v = int8(c.bits)
	case DataTypeShort:
		v = int16(c.bits)
	case DataTypeInt:
		v = int32(c.bits)
	case DataTypeLong:
		v = int64(c.bits)
	case DataTypeFloat:
		v = math.Float32frombits(uint32(c.bits))
	case DataTypeHalf, DataTypeBFloat:
		v = fmt.Sprintf("0x%04x", c.bits)
	}
	return fmt.Sprintf("[[function_constant(%d)]] %s = %v", c.index, dataTypes[c.typ].name, v)
}

// bytes is the value's memory image, little-endian as all devices are.
func (c FunctionConstant) bytes() []byte {
	return binary.LittleEndian.AppendUint64(nil, c.bits)[:dataTypes[c.typ].size]
}
