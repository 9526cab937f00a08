package mtl

import (
	"math"
	"testing"
)

func TestFunctionConstantsAreTheirIndexTypeAndBits(t *testing.T) {
	all := []struct {
		c     FunctionConstant
		typ   DataType
		bytes string
		text  string
	}{
		{ConstantBool(1, true), DataTypeBool, "\x01", "[[function_constant(1)]] bool = true"},
		{ConstantInt8(2, -2), DataTypeChar, "\xfe", "[[function_constant(2)]] char = -2"},
		{ConstantUint8(3, 254), DataTypeUChar, "\xfe", "[[function_constant(3)]] uchar = 254"},
		{ConstantInt16(4, -2), DataTypeShort, "\xfe\xff", "[[function_constant(4)]] short = -2"},
		{ConstantUint16(5, 0x1234), DataTypeUShort, "\x34\x12", "[[function_constant(5)]] ushort = 4660"},
		{ConstantInt32(6, -2), DataTypeInt, "\xfe\xff\xff\xff", "[[function_constant(6)]] int = -2"},
		{ConstantUint32(7, 1<<31), DataTypeUInt, "\x00\x00\x00\x80", "[[function_constant(7)]] uint = 2147483648"},
		{ConstantInt64(8, -2), DataTypeLong, "\xfe\xff\xff\xff\xff\xff\xff\xff", "[[function_constant(8)]] long = -2"},
		{ConstantUint64(9, 1), DataTypeULong, "\x01\x00\x00\x00\x00\x00\x00\x00", "[[function_constant(9)]] ulong = 1"},
		{ConstantFloat32(10, -1.5), DataTypeFloat, "\x00\x00\xc0\xbf", "[[function_constant(10)]] float = -1.5"},
		{ConstantFloat16(11, 0x3c00), DataTypeHalf, "\x00\x3c", "[[function_constant(11)]] half = 0x3c00"},
		{ConstantBFloat16(12, 0x3f80), DataTypeBFloat, "\x80\x3f", "[[function_constant(12)]] bfloat = 0x3f80"},
	}
	seen := make(map[FunctionConstant]bool)
	for i, c := range all {
		if c.c.Index() != i+1 || c.c.typ != c.typ || string(c.c.bytes()) != c.bytes || c.c.String() != c.text {
			t.Errorf("%s: index %d, type %d, bytes %x", c.c, c.c.Index(), c.c.typ, c.c.bytes())
		}
		seen[c.c] = true
	}
	if len(seen) != len(all) || !seen[ConstantInt16(4, -2)] || seen[ConstantUint16(4, 0xfffe)] || seen[ConstantInt16(5, -2)] {
		t.Error("equality is not that of index, type and value")
	}
	if nan := ConstantFloat32(0, float32(math.NaN())); !map[FunctionConstant]bool{nan: true}[nan] {
		t.Error("equal NaNs differ")
	}
}
