package objc

import (
	"fmt"
	"math"
)

var (
	selNumberWithBool     = Sel("numberWithBool:", "@@:B")
	selNumberWithChar     = Sel("numberWithChar:", "@@:c")
	selNumberWithUChar    = Sel("numberWithUnsignedChar:", "@@:C")
	selNumberWithShort    = Sel("numberWithShort:", "@@:s")
	selNumberWithUShort   = Sel("numberWithUnsignedShort:", "@@:S")
	selNumberWithInt      = Sel("numberWithInt:", "@@:i")
	selNumberWithUInt     = Sel("numberWithUnsignedInt:", "@@:I")
	selNumberWithLong     = Sel("numberWithLongLong:", "@@:q")
	selNumberWithULong    = Sel("numberWithUnsignedLongLong:", "@@:Q")
	selNumberWithInteger  = Sel("numberWithInteger:", "@@:q")
	selNumberWithUInteger = Sel("numberWithUnsignedInteger:", "@@:Q")
	selNumberWithFloat    = Sel("numberWithFloat:", "@@:f")
	selNumberWithDouble   = Sel("numberWithDouble:", "@@:d")

	selBoolValue     = Sel("boolValue", "B@:")
	selCharValue     = Sel("charValue", "c@:")
	selUCharValue    = Sel("unsignedCharValue", "C@:")
	selShortValue    = Sel("shortValue", "s@:")
	selUShortValue   = Sel("unsignedShortValue", "S@:")
	selIntValue      = Sel("intValue", "i@:")
	selUIntValue     = Sel("unsignedIntValue", "I@:")
	selLongValue     = Sel("longLongValue", "q@:")
	selULongValue    = Sel("unsignedLongLongValue", "Q@:")
	selIntegerValue  = Sel("integerValue", "q@:")
	selUIntegerValue = Sel("unsignedIntegerValue", "Q@:")
	selFloatValue    = Sel("floatValue", "f@:")
	selDoubleValue   = Sel("doubleValue", "d@:")
	selStringValue   = Sel("stringValue", "@@:")
)

var numberClass *Class

// number is the state of a software NSNumber.
type number struct {
	kind kind // kindInt, kindUint or kindFloat
	bits uint64
}

func signed(v int64) number    { return number{kindInt, uint64(v)} }
func unsigned(v uint64) number { return number{kindUint, v} }
func float(v float64) number   { return number{kindFloat, math.Float64bits(v)} }

func (n number) integer() uint64 {
	if n.kind == kindFloat {
		return uint64(int64(math.Float64frombits(n.bits)))
	}
	return n.bits
}

func (n number) float() float64 {
	switch n.kind {
	case kindInt:
		return float64(int64(n.bits))
	case kindUint:
		return float64(n.bits)
	}
	return math.Float64frombits(n.bits)
}

// canonical gives equal numbers equal representations: integers where the value is one.
func (n number) canonical() number {
	switch n.kind {
	case kindUint:
		if n.bits < 1<<63 {
			return number{kindInt, n.bits}
		}
	case kindFloat:
		if v := n.float(); v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return signed(int64(v))
		}
	}
	return n
}

func (n number) String() string {
	switch n.kind {
	case kindInt:
		return fmt.Sprint(int64(n.bits))
	case kindUint:
		return fmt.Sprint(n.bits)
	}
	return fmt.Sprint(n.float())
}

func registerNumber() {
	make := func(of func(m *Msg) number) Method {
		return func(_ *Object, m *Msg) { m.ReturnID(Autorelease(NewObject(numberClass, of(m)))) }
	}
	makeSigned := make(func(m *Msg) number { return signed(int64(m.Arg(0))) })
	makeUnsigned := make(func(m *Msg) number { return unsigned(uint64(m.Arg(0))) })
	value := func(of func(n number) uintptr) Method {
		return func(self *Object, m *Msg) {
			n, _ := self.State.(number)
			m.Return(of(n))
		}
	}
	integer := value(func(n number) uintptr { return uintptr(n.integer()) })
	describe := func(self *Object, m *Msg) {
		n, _ := self.State.(number)
		m.ReturnID(Autorelease(newString(n.String())))
	}
	numberClass = register(ClassDef{
		Name: "NSNumber",
		Class: map[SEL]Method{
			selNumberWithBool:     make(func(m *Msg) number { return unsigned(uint64(m.Arg(0) & 1)) }),
			selNumberWithChar:     make(func(m *Msg) number { return signed(int64(int8(m.Arg(0)))) }),
			selNumberWithUChar:    make(func(m *Msg) number { return unsigned(uint64(uint8(m.Arg(0)))) }),
			selNumberWithShort:    make(func(m *Msg) number { return signed(int64(int16(m.Arg(0)))) }),
			selNumberWithUShort:   make(func(m *Msg) number { return unsigned(uint64(uint16(m.Arg(0)))) }),
			selNumberWithInt:      make(func(m *Msg) number { return signed(int64(int32(m.Arg(0)))) }),
			selNumberWithUInt:     make(func(m *Msg) number { return unsigned(uint64(uint32(m.Arg(0)))) }),
			selNumberWithLong:     makeSigned,
			selNumberWithULong:    makeUnsigned,
			selNumberWithInteger:  makeSigned,
			selNumberWithUInteger: makeUnsigned,
			selNumberWithFloat:    make(func(m *Msg) number { return float(float64(m.ArgFloat32(0))) }),
			selNumberWithDouble:   make(func(m *Msg) number { return float(m.ArgFloat64(0)) }),
		},
		Instance: map[SEL]Method{
			selBoolValue: func(self *Object, m *Msg) {
				n, _ := self.State.(number)
				m.ReturnBool(n.float() != 0)
			},
			selCharValue:     value(func(n number) uintptr { return uintptr(int8(n.integer())) }),
			selUCharValue:    value(func(n number) uintptr { return uintptr(uint8(n.integer())) }),
			selShortValue:    value(func(n number) uintptr { return uintptr(int16(n.integer())) }),
			selUShortValue:   value(func(n number) uintptr { return uintptr(uint16(n.integer())) }),
			selIntValue:      value(func(n number) uintptr { return uintptr(int32(n.integer())) }),
			selUIntValue:     value(func(n number) uintptr { return uintptr(uint32(n.integer())) }),
			selLongValue:     integer,
			selULongValue:    integer,
			selIntegerValue:  integer,
			selUIntegerValue: integer,
			selFloatValue:    value(func(n number) uintptr { return uintptr(math.Float32bits(float32(n.float()))) }),
			selDoubleValue:   value(func(n number) uintptr { return uintptr(math.Float64bits(n.float())) }),
			selHash:          value(func(n number) uintptr { return uintptr(n.canonical().bits) }),
			selIsEqual:       func(self *Object, m *Msg) { m.ReturnBool(keyOf(self.ID) == keyOf(m.ArgID(0))) },
			selStringValue:   describe,
			selDescription:   describe,
			selCopy:          copySelf,
		},
	}, rootClass)
}
