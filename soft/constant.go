package soft

import (
	"encoding/binary"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
)

// scalarTypes are the MTLDataTypes of scalars; vectors of 2 to 4 follow each, but for the matrices behind float and half.
var scalarTypes = [...]struct {
	first uintptr
	kind  ir.Kind
}{
	{3, ir.F32}, {16, ir.F16}, {29, ir.I32}, {33, ir.U32}, {37, ir.I16}, {41, ir.U16}, {45, ir.I8}, {49, ir.U8}, {53, ir.Bool},
	{81, ir.I64}, {85, ir.U64}, {121, ir.BF16},
}

// dataType gives kind and lanes of an MTLDataType.
func dataType(t uintptr) (kind ir.Kind, lanes int, ok bool) {
	for _, s := range scalarTypes {
		if t >= s.first && t < s.first+4 {
			return s.kind, int(t-s.first) + 1, true
		}
	}
	return 0, 0, false
}

func dataTypeOf(kind ir.Kind, lanes int) uintptr {
	for _, s := range scalarTypes {
		if s.kind == kind {
			return s.first + uintptr(lanes-1)
		}
	}
	return 0
}

// constantValues is the state of an MTLFunctionConstantValues; of two values for one constant the later counts.
type constantValues struct{ all []msl.ConstantValue }

func (v *constantValues) set(c msl.ConstantValue) {
	for i, old := range v.all {
		if old.Name == c.Name && old.Index == c.Index {
			v.all[i] = c
			return
		}
	}
	v.all = append(v.all, c)
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLFunctionConstantValues",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(constantValues)
				m.ReturnID(self.ID)
			},
			selSetConstantAtIndex: func(self *objc.Object, m *objc.Msg) {
				self.State.(*constantValues).set(readConstants(m, 1, "", int(m.Arg(2)))[0])
			},
			selSetConstantWithName: func(self *objc.Object, m *objc.Msg) {
				self.State.(*constantValues).set(readConstants(m, 1, objc.GoString(m.ArgID(2)), 0)[0])
			},
			selSetConstants: func(self *objc.Object, m *objc.Msg) {
				for _, c := range readConstants(m, int(m.Arg(3)), "", int(m.Arg(2))) {
					self.State.(*constantValues).set(c)
				}
			},
			selReset: func(self *objc.Object, _ *objc.Msg) { self.State.(*constantValues).all = nil },
		},
	})
}

// readConstants reads n values of the type in argument word 1 from the address in word 0.
func readConstants(m *objc.Msg, n int, name string, index int) []msl.ConstantValue {
	const class = "MTLFunctionConstantValues"
	kind, lanes, ok := dataType(m.Arg(1))
	if !ok {
		assertion(m, class, "type %d cannot be a function constant's", m.Arg(1))
	}
	if m.Arg(0) == 0 {
		assertion(m, class, "value must not be NULL")
	}
	size := int(kind.Size())
	stride := size * lanes
	if lanes == 3 {
		stride = size * 4 // a vector of 3 takes the room of 4
	}
	mem := objc.View(m.Arg(0), n*stride)
	values := make([]msl.ConstantValue, n)
	for i := range values {
		v := msl.ConstantValue{Name: name, Index: index + i, Kind: kind, Bits: make([]uint64, lanes)}
		if name != "" {
			v.Index = 0
		}
		for j := range v.Bits {
			v.Bits[j] = readScalar(mem[i*stride+j*size:], kind)
		}
		values[i] = v
	}
	return values
}

// readScalar reads a value as a ConstantValue holds it.
func readScalar(b []byte, kind ir.Kind) uint64 {
	var bits uint64
	switch kind.Size() {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		bits = uint64(binary.LittleEndian.Uint32(b))
	default:
		bits = binary.LittleEndian.Uint64(b)
	}
	if kind.IsSigned() {
		shift := 64 - 8*kind.Size()
		bits = uint64(int64(bits<<shift) >> shift)
	}
	if kind == ir.Bool && bits != 0 {
		bits = 1
	}
	return bits
}

var functionConstantClass *objc.Class

func init() {
	functionConstantClass = objc.Software().Register(objc.ClassDef{
		Name: "MTLFunctionConstant",
		Instance: map[objc.SEL]objc.Method{
			selName: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.Software().NewString(self.State.(msl.FunctionConstant).Name)))
			},
			selType: func(self *objc.Object, m *objc.Msg) {
				c := self.State.(msl.FunctionConstant)
				m.Return(dataTypeOf(c.Kind, c.Lanes))
			},
			selIndex:    func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(msl.FunctionConstant).Index)) },
			selRequired: func(self *objc.Object, m *objc.Msg) { m.ReturnBool(self.State.(msl.FunctionConstant).Required) },
		},
	})
}

func functionConstantsDictionary(self *objc.Object, m *objc.Msg) {
	var names, constants []objc.ID
	for _, c := range self.State.(*function).function.Constants {
		names = append(names, objc.Autorelease(objc.Software().NewString(c.Name)))
		constants = append(constants, objc.Autorelease(objc.NewObject(functionConstantClass, c)))
	}
	m.ReturnID(objc.Autorelease(objc.NewDictionary(names, constants)))
}
