package mtl

import (
	"slices"

	"github.com/puremetal/puremetal/objc"
)

// Library is a set of compiled functions. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary
type Library struct {
	handle
	label
	device   *Device
	names    []string
	warnings []Diagnostic
}

// NewLibraryWithSource compiles shader text; o may be nil. It fails with a *CompileError that has the positions.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makelibrary(source:options:)
func (d *Device) NewLibraryWithSource(src string, o *CompileOptions) (*Library, error) {
	const op = "Device.NewLibraryWithSource"
	if o == nil {
		o = &CompileOptions{}
	}
	var l *Library
	var failure *objc.Error
	var refused error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		var options objc.ID
		if options, refused = newCompileOptions(op, d, o); refused != nil {
			return
		}
		text := d.runtime.NewString(src)
		made := objc.ID(m.Send(id, selNewLibraryWithSource, uintptr(text), uintptr(options), m.Out(0)))
		objc.Release(text)
		objc.Release(options)
		// The nil result decides: warnings come as an NSError beside a library.
		failure = objc.ErrorOf(m.OutID(0))
		if made != 0 {
			l = newLibrary(d, made, failure)
		}
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, compileError(op, failure)
	}
	return l, nil
}

// newLibrary takes over the caller's reference to id. A pool is in place.
func newLibrary(d *Device, id objc.ID, warnings *objc.Error) *Library {
	l := &Library{device: d}
	own(l, &l.handle, id, drop)
	array := objc.SendID(id, selFunctionNames)
	for i := range objc.Send(array, selCount) {
		l.names = append(l.names, objc.GoString(objc.SendID(array, selObjectAtIndex, i)))
	}
	if warnings != nil {
		l.warnings = parseDiagnostics(warnings.Description)
	}
	return l
}

// Release lets go of the library. Its functions stay usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (l *Library) Release() { l.release() }

// Device is the device that compiled the library.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/device
func (l *Library) Device() *Device { return l.device }

// FunctionNames are the names of the functions that NewFunction can find. The slice is the caller's.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/functionnames
func (l *Library) FunctionNames() []string { return slices.Clone(l.names) }

// Warnings are what the compiler remarked on text that compiled. The slice is the caller's.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct/compilewarning
func (l *Library) Warnings() []Diagnostic { return slices.Clone(l.warnings) }

// SetLabel names the library for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/label
func (l *Library) SetLabel(s string) { l.label.set(&l.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibrary/label
func (l *Library) Label() string { return l.label.get() }
