package mtl

import (
	"runtime"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// NewLibraryWithURL loads a library from a file. A GPU takes what Apple's metallib tool writes. The software device takes
// what soft.LibraryFile writes, shader text with a header, and nothing that is compiled for a GPU. It fails with an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makelibrary(url:)
func (d *Device) NewLibraryWithURL(path string) (*Library, error) {
	const op = "Device.NewLibraryWithURL"
	return d.loadLibrary(op, selNewLibraryWithURL, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		made := objc.ID(m.Send(id, selNewLibraryWithURL, uintptr(fileURL(d.runtime, path)), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
}

// NewLibraryWithData makes a library of the contents of a library file, see NewLibraryWithURL. data is copied. It fails with an
// *Error, or an *ArgumentError if data is empty.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makelibrary(data:)
func (d *Device) NewLibraryWithData(data []byte) (*Library, error) {
	const op = "Device.NewLibraryWithData"
	if len(data) == 0 {
		return nil, argument(op, "data", "the contents of a library file", "none")
	}
	return d.loadLibrary(op, selNewLibraryWithData, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		create, err := d.runtime.Func("dispatch_data_create", "@r^vQ@@?")
		if err != nil {
			return 0, unsupported(op, err.Error())
		}
		// Safety: the pinner keeps the bytes in place, and on the heap, while they are copied: a dispatch_data_t made
		// without a destructor copies them.
		var pin runtime.Pinner
		pin.Pin(unsafe.SliceData(data))
		content := objc.ID(create.Call(uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), 0, 0))
		pin.Unpin()
		defer objc.Release(content)
		made := objc.ID(m.Send(id, selNewLibraryWithData, uintptr(content), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
}

func (d *Device) loadLibrary(op string, sel objc.SEL, f func(m *objc.Msg, id objc.ID) (objc.ID, error)) (*Library, error) {
	id, err := d.makes(op, sel, f)
	if err != nil {
		return nil, err
	}
	var l *Library
	d.runtime.Pool(func() { l = newLibrary(d, id, nil) })
	return l, nil
}
