package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

var (
	selBufferDevice    = objc.Sel("device", "@@:")
	selBufferLength    = objc.Sel("length", "Q@:")
	selResourceOptions = objc.Sel("resourceOptions", "Q@:")
)

// ID is the Objective-C object, for other code of the process that speaks to Metal by itself, such as a user interface made with
// darwinkit or purego/objc: convert it to their pointer type. It stays this package's and is valid until Release; who keeps it longer
// retains it. It is 0 once released.
//
// Reference: https://developer.apple.com/documentation/objectivec/nsobject-swift.class
func (h *handle) ID() objc.ID { return h.object() }

// DeviceFromID makes a *Device of an id<MTLDevice> that other code of the process has. It takes a reference of its own, which Release
// lets go of; the caller keeps, and releases, the one it has. It fails with an *ArgumentError if id is nil. An id that is not of
// a device, or no longer, ends the process.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice
func DeviceFromID(id objc.ID) (*Device, error) {
	if id == 0 {
		return nil, argument("DeviceFromID", "id", "an id<MTLDevice>", "nil")
	}
	if _, err := objc.Native(); err != nil && objc.RuntimeOf(id) == (objc.Runtime{}) {
		return nil, argument("DeviceFromID", "id", "an object of a runtime of this process", err.Error())
	}
	rt := objc.RuntimeOf(id)
	var d *Device
	rt.Pool(func() { d = newDevice(rt, objc.Retain(id)) })
	return d, nil
}

// BufferFromID makes a *Buffer of an id<MTLBuffer> of this device that other code of the process has. It takes a reference of its own,
// which Release lets go of; the caller keeps, and releases, the one it has. Its memory is the same: Contents sees what the other
// code writes. It fails with an *ArgumentError if id is nil or another device's. An id that is not of a buffer, or no longer,
// ends the process.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer
func (d *Device) BufferFromID(id objc.ID) (*Buffer, error) {
	const op = "Device.BufferFromID"
	if _, err := d.live(op); err != nil {
		return nil, err
	}
	if id == 0 {
		return nil, argument(op, "id", "an id<MTLBuffer>", "nil")
	}
	if objc.RuntimeOf(id) != d.runtime {
		return nil, argument(op, "id", "a buffer of "+d.name, "an object of another runtime")
	}
	var b *Buffer
	d.runtime.Pool(func() {
		if objc.SendID(id, selBufferDevice) == d.self {
			b = d.adopt(int(objc.Send(id, selBufferLength)), ResourceOptions(objc.Send(id, selResourceOptions)),
				func(*objc.Msg) uintptr { return uintptr(objc.Retain(id)) })
		}
	})
	runtime.KeepAlive(d)
	if b == nil {
		return nil, argument(op, "id", "a buffer of "+d.name, "another device's")
	}
	return b, nil
}
