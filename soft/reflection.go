package soft

import (
	"strings"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl/ir"
)

// MTLBindingType, MTLBindingAccess, MTLDataType
const (
	bindingTypeBuffer            = 0
	bindingTypeThreadgroupMemory = 1
	bindingAccessReadOnly        = 0
	bindingAccessReadWrite       = 1
	dataTypeNone                 = 0
	dataTypeStruct               = 1
)

// argument is the state of an MTLBinding.
type argument struct {
	name      string
	kind      uintptr
	index     int
	access    uintptr
	used      bool
	size      int64
	alignment int64
	dataType  uintptr // of a buffer
}

var reflectionClass, bufferBindingClass, threadgroupBindingClass *objc.Class

func init() {
	word := func(f func(*argument) uintptr) objc.Method {
		return func(self *objc.Object, m *objc.Msg) { m.Return(f(self.State.(*argument))) }
	}
	methods := func(more map[objc.SEL]objc.Method) map[objc.SEL]objc.Method {
		more[selName] = func(self *objc.Object, m *objc.Msg) {
			m.ReturnID(objc.Autorelease(objc.Software().NewString(self.State.(*argument).name)))
		}
		more[selLibraryType] = word(func(a *argument) uintptr { return a.kind })
		more[selIndex] = word(func(a *argument) uintptr { return uintptr(a.index) })
		more[selAccess] = word(func(a *argument) uintptr { return a.access })
		more[selIsUsed] = func(self *objc.Object, m *objc.Msg) { m.ReturnBool(self.State.(*argument).used) }
		more[selIsArgument] = func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(true) }
		return more
	}
	bufferBindingClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLBufferBinding",
		Instance: methods(map[objc.SEL]objc.Method{
			selBufferAlignment: word(func(a *argument) uintptr { return uintptr(a.alignment) }),
			selBufferDataSize:  word(func(a *argument) uintptr { return uintptr(a.size) }),
			selBufferDataType:  word(func(a *argument) uintptr { return a.dataType }),
		}),
	})
	threadgroupBindingClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLThreadgroupBinding",
		Instance: methods(map[objc.SEL]objc.Method{
			selThreadgroupMemoryAlignment: word(func(a *argument) uintptr { return uintptr(a.alignment) }),
			selThreadgroupMemoryDataSize:  word(func(a *argument) uintptr { return uintptr(a.size) }),
		}),
	})
	reflectionClass = objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePipelineReflection",
		Instance: map[objc.SEL]objc.Method{
			selBindings: func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(objc.ID)) },
		},
		Dealloc: func(self *objc.Object) { objc.Release(self.State.(objc.ID)) },
	})
}

// newReflection makes an MTLComputePipelineReflection, which the caller owns.
func newReflection(k *ir.Kernel) objc.ID {
	used := make(map[use]bool)
	findUses(k.Body, used)
	var ids []objc.ID
	for i, b := range k.Buffers {
		a := &argument{name: b.Name, kind: bindingTypeBuffer, index: b.Index, access: bindingAccessReadWrite,
			used: used[use{ir.AddrBuffer, int64(i)}], size: b.Elem, alignment: b.Align, dataType: dataTypeNamed(b.Type)}
		if b.ReadOnly {
			a.access = bindingAccessReadOnly
		}
		ids = append(ids, objc.NewObject(bufferBindingClass, a))
	}
	for i, t := range k.Threadgroup {
		ids = append(ids, objc.NewObject(threadgroupBindingClass, &argument{name: t.Name, kind: bindingTypeThreadgroupMemory, index: t.Index,
			access: bindingAccessReadWrite, used: used[use{ir.AddrThreadgroup, int64(i)}], size: t.Elem, alignment: t.Align}))
	}
	array := objc.NewArray(ids)
	for _, id := range ids {
		objc.Release(id)
	}
	return objc.NewObject(reflectionClass, array)
}

// use is an argument whose address is taken: AddrBuffer or AddrThreadgroup and the number that they name it by.
type use struct {
	op     ir.Op
	number int64
}

// findUses notes the arguments that a kernel's code uses.
func findUses(b ir.Block, used map[use]bool) {
	for _, n := range b {
		switch n := n.(type) {
		case *ir.Instr:
			used[use{n.Op, n.Imm}] = true
		case *ir.If:
			findUses(n.Then, used)
			findUses(n.Else, used)
		case *ir.Loop:
			findUses(n.Head, used)
			findUses(n.Body, used)
			findUses(n.Next, used)
		case *ir.Region:
			findUses(n.Body, used)
		}
	}
}

// dataTypeNamed gives the MTLDataType of a Metal type: of numbers and vectors, dataTypeStruct of a struct and dataTypeNone of
// what has none.
func dataTypeNamed(name string) uintptr {
	name = strings.TrimPrefix(name, "atomic_")
	lanes := 1
	if n := len(name); n > 0 && name[n-1] >= '2' && name[n-1] <= '4' {
		lanes = int(name[n-1] - '0')
		name = name[:n-1]
	}
	for _, s := range scalarTypes {
		if s.kind.String() == name {
			return s.first + uintptr(lanes-1)
		}
	}
	if lanes != 1 || strings.ContainsAny(name, "<[*&") || strings.HasPrefix(name, "packed_") {
		return dataTypeNone
	}
	return dataTypeStruct
}
