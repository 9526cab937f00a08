package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// DynamicLibrary is compiled code that libraries link to by its install name. The software device has none. It is safe for
// concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary
type DynamicLibrary struct {
	handle
	label
	device      *Device
	installName string
}

// NewDynamicLibrary makes a dynamic library of a library compiled with LibraryTypeDynamic. It fails with ErrUnsupported, an
// *Error or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makedynamiclibrary(library:)
func (d *Device) NewDynamicLibrary(l *Library) (*DynamicLibrary, error) {
	const op = "Device.NewDynamicLibrary"
	if _, err := d.live(op); err != nil {
		return nil, err
	}
	library, err := objectOf(op, "library", d, l)
	if err != nil {
		return nil, err
	}
	if l.Type() != LibraryTypeDynamic {
		return nil, argument(op, "library", "one compiled with LibraryTypeDynamic", "an executable one")
	}
	made, err := d.newDynamicLibrary(op, selNewDynamicLibrary, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		made := objc.ID(m.Send(id, selNewDynamicLibrary, uintptr(library), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	runtime.KeepAlive(l)
	return made, err
}

// NewDynamicLibraryWithURL loads a dynamic library from a file that Serialize wrote. It fails with ErrUnsupported or an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makedynamiclibrary(url:)
func (d *Device) NewDynamicLibraryWithURL(path string) (*DynamicLibrary, error) {
	const op = "Device.NewDynamicLibraryWithURL"
	return d.newDynamicLibrary(op, selNewDynamicLibraryWithURL, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		made := objc.ID(m.Send(id, selNewDynamicLibraryWithURL, uintptr(fileURL(d.runtime, path)), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
}

func (d *Device) newDynamicLibrary(op string, sel objc.SEL, f func(m *objc.Msg, id objc.ID) (objc.ID, error)) (*DynamicLibrary, error) {
	if _, err := d.live(op); err != nil {
		return nil, err
	}
	if !d.can(selSupportsDynamicLibraries) {
		return nil, unsupported(op, "dynamic libraries")
	}
	made, err := d.makes(op, sel, f)
	if err != nil {
		return nil, err
	}
	l := &DynamicLibrary{device: d}
	own(l, &l.handle, made, drop)
	d.runtime.Pool(func() { l.installName = objc.GoString(objc.SendID(made, selInstallName)) })
	return l, nil
}

// Release lets go of the dynamic library. Pipelines that use it stay usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (l *DynamicLibrary) Release() { l.release() }

// Device is the device that made the dynamic library.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary/device
func (l *DynamicLibrary) Device() *Device { return l.device }

func (l *DynamicLibrary) from() *Device { return l.device }

// InstallName is where programs that link to the library find it.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary/installname
func (l *DynamicLibrary) InstallName() string { return l.installName }

// Serialize writes the dynamic library to a file. It fails with an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary/serialize(to:)
func (l *DynamicLibrary) Serialize(path string) error {
	return serialize("DynamicLibrary.Serialize", "dynamic library", &l.handle, path)
}

// SetLabel names the dynamic library for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary/label
func (l *DynamicLibrary) SetLabel(s string) { l.label.set(&l.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtldynamiclibrary/label
func (l *DynamicLibrary) Label() string { return l.label.get() }

// serialize writes the object of h to a file.
func serialize(op, what string, h *handle, path string) error {
	id := h.object()
	if id == 0 {
		return releasedArgument(op, what)
	}
	if path == "" {
		return argument(op, "path", "the path of a file", "none")
	}
	rt := objc.RuntimeOf(id)
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	var err error
	rt.Pool(func() {
		if m.Send(id, selSerializeToURL, uintptr(fileURL(rt, path)), m.Out(0)); !m.Bool() {
			err = failed(op, m.OutID(0))
		}
	})
	runtime.KeepAlive(h)
	return err
}

// can asks the device a question that is answered with yes or no. No pool is needed.
func (d *Device) can(question objc.SEL) bool { return d.send(question)&0xff != 0 }
