package mtl

import (
	"fmt"
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// fileURL makes an autoreleased NSURL of a path.
func fileURL(rt objc.Runtime, path string) objc.ID {
	text := rt.NewString(path)
	defer objc.Release(text)
	return objc.SendID(rt.Class("NSURL"), selFileURLWithPath, uintptr(text))
}

// newArray makes an autoreleased NSArray.
func newArray(rt objc.Runtime, ids []objc.ID) objc.ID {
	m := new(objc.Msg)
	return objc.ID(m.Send(rt.Class("NSArray"), selArrayWithObjects, m.IDs(ids), uintptr(len(ids))))
}

// elements calls f for each object of an NSArray.
func elements(array objc.ID, f func(id objc.ID)) {
	for i := range objc.Send(array, selCount) {
		f(objc.SendID(array, selObjectAtIndex, i))
	}
}

// owner is an object of this package that holds an Objective-C one.
type owner interface {
	object() objc.ID
	from() *Device
}

// objects gives the ids of arguments, which belong to device d.
func objects[T owner](op, arg string, d *Device, all []T) ([]objc.ID, error) {
	ids := make([]objc.ID, len(all))
	for i, o := range all {
		id, err := objectOf(op, arg, d, o)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

// objectOf gives the id of an argument, which belongs to device d.
func objectOf[T owner](op, arg string, d *Device, o T) (objc.ID, error) {
	if any(o) == any(*new(T)) {
		return 0, argument(op, arg, "an object", "nil")
	}
	id := o.object()
	if id == 0 {
		return 0, releasedArgument(op, arg)
	}
	if o.from().self != d.self {
		return 0, otherDevice(op, arg, d, o.from())
	}
	return id, nil
}

func (f *Function) from() *Device             { return f.device }
func (l *Library) from() *Device              { return l.device }
func (b *Buffer) from() *Device               { return b.device }
func (p *ComputePipelineState) from() *Device { return p.device }

// unsupported says that op needs what the device or its system lacks.
func unsupported(op, what string) error {
	return fmt.Errorf("%w: %s: %s", ErrUnsupported, op, what)
}

// needs gives ErrUnsupported unless an object has a method for sel.
func needs(op string, id objc.ID, sel objc.SEL) error {
	if !objc.Responds(id, sel) {
		return unsupported(op, "no "+sel.Name())
	}
	return nil
}

// makes runs f, which sends a message that makes an object or an NSError from this device, in a pool, and gives the object.
// sel is the selector that f sends: without it the device cannot do it.
func (d *Device) makes(op string, sel objc.SEL, f func(m *objc.Msg, id objc.ID) (objc.ID, error)) (objc.ID, error) {
	var made objc.ID
	var err error
	if refused := d.create(op, func(m *objc.Msg, id objc.ID) {
		if err = needs(op, id, sel); err == nil {
			made, err = f(m, id)
		}
	}); refused != nil {
		return 0, refused
	}
	if err == nil && made == 0 {
		err = ErrOutOfMemory
	}
	runtime.KeepAlive(d)
	return made, err
}

// Error is an NSError: what Metal says of a file, an archive, a capture, ... that it could not make or use.
//
// Reference: https://developer.apple.com/documentation/foundation/nserror
type Error struct {
	Op          string // "Device.NewLibraryWithURL"
	Domain      string // "MTLLibraryErrorDomain"
	Code        int
	Description string
}

// Error gives the operation, Metal's words and the code.
//
// Reference: https://developer.apple.com/documentation/foundation/nserror
func (e *Error) Error() string {
	return fmt.Sprintf("mtl: %s: %s (%s %d)", e.Op, e.Description, e.Domain, e.Code)
}

// failed gives Metal's NSError for op.
func failed(op string, id objc.ID) error {
	e := objc.ErrorOf(id)
	if e == nil {
		return &Error{Op: op, Description: "failed without an error"}
	}
	return &Error{op, e.Domain, e.Code, e.Description}
}
