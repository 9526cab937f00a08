package mtl

import (
	"cmp"
	"runtime"
	"slices"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// FunctionDescriptor says which function of a library to make, and how.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunctiondescriptor
type FunctionDescriptor struct {
	Name            string
	SpecializedName string // what the function with its constants set is called; "" leaves it its name
	Constants       []FunctionConstant
	Options         FunctionOptions  // FunctionOptionNone or FunctionOptionCompileToBinary, for LinkedFunctions.BinaryFunctions
	BinaryArchives  []*BinaryArchive // where to look for compiled code first
}

// NewFunctionWithDescriptor makes a function as NewFunction does, and fails as it does; with ErrUnsupported besides if the device
// cannot compile functions by themselves.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/makefunction(descriptor:)
func (l *Library) NewFunctionWithDescriptor(desc *FunctionDescriptor) (*Function, error) {
	const op = "Library.NewFunctionWithDescriptor"
	id := l.object()
	if id == 0 {
		return nil, releasedArgument(op, "library")
	}
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	if desc.Name == "" {
		return nil, argument(op, "Name", "a function's name", strconv.Quote(""))
	}
	if !slices.Contains(l.names, desc.Name) {
		return nil, &FunctionNotFoundError{desc.Name, l.FunctionNames()}
	}
	archives, err := desc.check(op, l.device)
	if err != nil {
		return nil, err
	}
	f := &Function{device: l.device}
	var made objc.ID
	var failure *objc.Error
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	l.device.runtime.Pool(func() {
		o := newFunctionDescriptor(l.device.runtime, desc, archives)
		made = objc.ID(m.Send(id, selNewFunctionWithDescriptor, uintptr(o), m.Out(0)))
		objc.Release(o)
		if made == 0 {
			failure = objc.ErrorOf(m.OutID(0))
			return
		}
		f.name = objc.GoString(objc.SendID(made, selName))
	})
	runtime.KeepAlive(l)
	runtime.KeepAlive(desc)
	if made == 0 {
		return nil, compileError(op, failure)
	}
	own(f, &f.handle, made, drop)
	return f, nil
}

// check holds the descriptor to what Metal would assert on and to what the device has, and gives its archives.
func (desc *FunctionDescriptor) check(op string, d *Device) ([]objc.ID, error) {
	if err := checkConstants(op, desc.Constants); err != nil {
		return nil, err
	}
	switch desc.Options {
	case FunctionOptionNone:
	case FunctionOptionCompileToBinary:
		if !d.can(selSupportsFunctionPointers) {
			return nil, unsupported(op, "function pointers")
		}
	default:
		return nil, intArgument(op, "Options", "FunctionOptionNone or FunctionOptionCompileToBinary", int(desc.Options))
	}
	return objects(op, "BinaryArchives", d, desc.BinaryArchives)
}

// newFunctionDescriptor makes an MTLFunctionDescriptor, which the caller releases. A pool is in place.
func newFunctionDescriptor(rt objc.Runtime, desc *FunctionDescriptor, archives []objc.ID) objc.ID {
	o := newObject(rt, "MTLFunctionDescriptor")
	sendString(o, selSetName, desc.Name)
	if desc.SpecializedName != "" {
		sendString(o, selSetSpecializedName, desc.SpecializedName)
	}
	// Values are given even if there are none, so that a missing one is an error here and not an assertion later.
	values := newConstantValues(rt, desc.Constants)
	objc.Send(o, selSetConstantValues, uintptr(values))
	objc.Release(values)
	if desc.Options != FunctionOptionNone {
		objc.Send(o, selSetOptions, uintptr(desc.Options))
	}
	if len(archives) > 0 {
		objc.Send(o, selSetBinaryArchives, uintptr(newArray(rt, archives)))
	}
	return o
}

// FunctionConstantInfo describes a [[function_constant(index)]] that a function uses.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunctionconstant
type FunctionConstantInfo struct {
	Name     string
	Index    int
	Type     DataType
	Required bool // the function cannot be made without a value
}

// FunctionConstants describes the constants of a function, by index. It fails with a *FunctionNotFoundError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/functionconstantsdictionary
func (l *Library) FunctionConstants(name string) ([]FunctionConstantInfo, error) {
	const op = "Library.FunctionConstants"
	id := l.object()
	if id == 0 {
		return nil, releasedArgument(op, "library")
	}
	var all []FunctionConstantInfo
	found := false
	rt := l.device.runtime
	rt.Pool(func() {
		text := rt.NewString(name)
		f := objc.SendID(id, selNewFunctionWithName, uintptr(text))
		objc.Release(text)
		if f == 0 {
			return
		}
		found = true
		constants := objc.SendID(f, selFunctionConstantsDictionary)
		elements(objc.SendID(constants, selAllKeys), func(key objc.ID) {
			c := objc.SendID(constants, selObjectForKey, uintptr(key))
			all = append(all, FunctionConstantInfo{
				Name:     objc.GoString(objc.SendID(c, selName)),
				Index:    int(objc.Send(c, selIndex)),
				Type:     DataType(objc.Send(c, selConstantType)),
				Required: objc.SendBool(c, selRequired),
			})
		})
		objc.Release(f)
	})
	runtime.KeepAlive(l)
	if !found {
		return nil, &FunctionNotFoundError{name, l.FunctionNames()}
	}
	slices.SortFunc(all, func(a, b FunctionConstantInfo) int { return cmp.Compare(a.Index, b.Index) })
	return all, nil
}

// Type is the kind of the function; FunctionTypeKernel for what pipelines can be made from. 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/functiontype
func (f *Function) Type() FunctionType { return FunctionType(f.send(selFunctionType)) }

// Type says whether the library is executable or made for NewDynamicLibrary. LibraryTypeExecutable once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/type
func (l *Library) Type() LibraryType { return LibraryType(l.send(selLibraryType)) }

// InstallName is where programs find the dynamic library that is made of this one; "" if it is not for that, or released.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/installname
func (l *Library) InstallName() string {
	var s string
	l.device.runtime.Pool(func() { s = objc.GoString(objc.ID(l.send(selInstallName))) })
	return s
}
