package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// maxFunctionConstant is the highest index of a function constant.
const maxFunctionConstant = 65535

// Function is a compute function of a library, with its function constants set. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction
type Function struct {
	handle
	label
	device *Device
	name   string
}

// NewFunction finds a function and sets its function constants; those that it does not use are ignored. It fails with a
// *FunctionNotFoundError, with a *CompileError if a constant that it needs is not given, or with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/makefunction(name:constantvalues:)
func (l *Library) NewFunction(name string, constants ...FunctionConstant) (*Function, error) {
	const op = "Library.NewFunction"
	id := l.object()
	if id == 0 {
		return nil, releasedArgument(op, "library")
	}
	if err := checkConstants(op, constants); err != nil {
		return nil, err
	}
	var made objc.ID
	var failure *objc.Error
	l.device.runtime.Pool(func() { made, failure = newFunction(l.device.runtime, id, name, constants) })
	runtime.KeepAlive(l)
	if made == 0 {
		if failure == nil || failure.Code == int(LibraryErrorFunctionNotFound) {
			return nil, &FunctionNotFoundError{name, l.FunctionNames()}
		}
		return nil, compileError(op, failure)
	}
	f := &Function{device: l.device, name: name}
	own(f, &f.handle, made, drop)
	return f, nil
}

func checkConstants(op string, constants []FunctionConstant) error {
	for _, c := range constants {
		if _, ok := dataTypes[c.typ]; !ok {
			return argument(op, "constants", "values made by the Constant functions", "a zero FunctionConstant")
		}
		if c.index < 0 || c.index > maxFunctionConstant {
			return intArgument(op, "constants", "indices 0 to 65535", c.index)
		}
	}
	return nil
}

// newConstantValues makes an MTLFunctionConstantValues, which the caller releases.
func newConstantValues(rt objc.Runtime, constants []FunctionConstant) objc.ID {
	values := newObject(rt, "MTLFunctionConstantValues")
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	for _, c := range constants {
		m.Send(values, selSetConstantValueAtIndex, m.Bytes(c.bytes()), uintptr(c.typ), uintptr(c.index))
	}
	return values
}

// newFunction asks the library for a function, which the caller owns. A pool is in place.
func newFunction(rt objc.Runtime, library objc.ID, name string, constants []FunctionConstant) (objc.ID, *objc.Error) {
	text := rt.NewString(name)
	defer objc.Release(text)
	if len(constants) == 0 {
		f := objc.SendID(library, selNewFunctionWithName, uintptr(text))
		if f == 0 {
			return 0, nil
		}
		if objc.Send(objc.SendID(f, selFunctionConstantsDictionary), selCount) == 0 {
			return f, nil
		}
		// It has constants: specialise it with none, so that a missing one is an error here and not an assertion later.
		objc.Release(f)
	}
	values := newConstantValues(rt, constants)
	defer objc.Release(values)
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	f := objc.ID(m.Send(library, selNewFunctionWithConstants, uintptr(text), uintptr(values), m.Out(0)))
	if f != 0 {
		return f, nil
	}
	return 0, objc.ErrorOf(m.OutID(0))
}

// Release lets go of the function. Pipelines made from it stay usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (f *Function) Release() { f.release() }

// Device is the device of the function's library.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/device
func (f *Function) Device() *Device { return f.device }

// Name is the function's name in its library.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/name
func (f *Function) Name() string { return f.name }

// SetLabel names the function for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/label
func (f *Function) SetLabel(s string) { f.label.set(&f.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/label
func (f *Function) Label() string { return f.label.get() }
