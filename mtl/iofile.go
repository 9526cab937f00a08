package mtl

import (
	"github.com/puremetal/puremetal/objc"
)

// IOFileHandle is an open file that IO command buffers load from. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtliofilehandle
type IOFileHandle struct {
	handle
	label
	device *Device
}

// NewIOFileHandle opens a file for loading, as it is: not one of Metal's compressed files. It fails with an *Error, whose code is
// IOErrorURLInvalid where there is no such file, an *ArgumentError or ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeiofilehandle(url:)
func (d *Device) NewIOFileHandle(path string) (*IOFileHandle, error) {
	const op = "Device.NewIOFileHandle"
	if path == "" {
		return nil, argument(op, "path", "a path", `""`)
	}
	made, err := d.makes(op, selNewIOCommandQueue, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		url := uintptr(fileURL(d.runtime, path))
		var made objc.ID
		if objc.Responds(id, selNewIOFileHandle) {
			made = objc.ID(m.Send(id, selNewIOFileHandle, url, m.Out(0)))
		} else { // its name before macOS 14
			made = objc.ID(m.Send(id, selNewIOHandle, url, m.Out(0)))
		}
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	h := &IOFileHandle{device: d}
	own(h, &h.handle, made, drop)
	return h, nil
}

// Release lets go of the file. Command buffers that load from it keep it open until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (h *IOFileHandle) Release() { h.release() }

// Device is the device that opened the file.
//
// Reference: https://developer.apple.com/documentation/metal/mtliofilehandle
func (h *IOFileHandle) Device() *Device { return h.device }

func (h *IOFileHandle) from() *Device { return h.device }

// SetLabel names the handle for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtliofilehandle/label
func (h *IOFileHandle) SetLabel(s string) { h.label.set(&h.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtliofilehandle/label
func (h *IOFileHandle) Label() string { return h.label.get() }
