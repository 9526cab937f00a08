package mtl

import (
	"runtime"
	"slices"

	"github.com/puremetal/puremetal/objc"
)

// Fence orders encoders of one queue that use the same untracked resources: one updates it, those after wait for it. It is safe for
// concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfence
type Fence struct {
	handle
	label
	device *Device
}

// NewFence makes a fence. It fails with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makefence()
func (d *Device) NewFence() (*Fence, error) {
	var f *Fence
	err := d.create("Device.NewFence", func(m *objc.Msg, id objc.ID) {
		if made := objc.ID(m.Send(id, selNewFence)); made != 0 {
			f = &Fence{device: d}
			own(f, &f.handle, made, drop)
		}
	})
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, ErrOutOfMemory
	}
	return f, nil
}

// Release lets go of the fence. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (f *Fence) Release() { f.release() }

// Device is the device that made the fence.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfence/device
func (f *Fence) Device() *Device { return f.device }

// SetLabel names the fence for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfence/label
func (f *Fence) SetLabel(s string) { f.label.set(&f.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfence/label
func (f *Fence) Label() string { return f.label.get() }

// UpdateFence has the fence tell that all work of this encoder, what comes after included, has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/updatefence(_:)
func (e *ComputeCommandEncoder) UpdateFence(f *Fence) {
	e.updateFence("ComputeCommandEncoder.UpdateFence", f)
}

// WaitForFence has this encoder wait for the encoders before it that update the fence. It comes before the work that needs it, and
// not after an UpdateFence of the same fence in this encoder.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/waitforfence(_:)
func (e *ComputeCommandEncoder) WaitForFence(f *Fence) {
	e.waitForFence("ComputeCommandEncoder.WaitForFence", f)
}

// UpdateFence has the fence tell that all work of this encoder, what comes after included, has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/updatefence(_:)
func (e *BlitCommandEncoder) UpdateFence(f *Fence) {
	e.updateFence("BlitCommandEncoder.UpdateFence", f)
}

// WaitForFence has this encoder wait for the encoders before it that update the fence. It comes before the work that needs it, and
// not after an UpdateFence of the same fence in this encoder.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/waitforfence(_:)
func (e *BlitCommandEncoder) WaitForFence(f *Fence) {
	e.waitForFence("BlitCommandEncoder.WaitForFence", f)
}

func (e *commandEncoder) updateFence(op string, f *Fence) {
	if e.usable(op) && e.checkFence(op, f) {
		e.updated = append(e.updated, f)
		e.sendFence(selUpdateFence, f)
	}
}

func (e *commandEncoder) waitForFence(op string, f *Fence) {
	if !e.usable(op) || !e.checkFence(op, f) {
		return
	}
	if slices.Contains(e.updated, f) {
		e.fail(argument(op, "fence", "one that this encoder has not updated", "one that it has"))
		return
	}
	e.sendFence(selWaitForFence, f)
}

func (e *commandEncoder) sendFence(sel objc.SEL, f *Fence) {
	e.buffer.keep(&f.handle)
	e.msg.Send(e.object(), sel, uintptr(f.object()))
	runtime.KeepAlive(f)
	runtime.KeepAlive(e)
}

func (e *commandEncoder) checkFence(op string, f *Fence) bool {
	switch {
	case f == nil:
		e.fail(argument(op, "fence", "a fence", "nil"))
	case f.object() == 0:
		e.fail(releasedArgument(op, "fence"))
	case f.device.self != e.buffer.queue.device.self:
		e.fail(otherDevice(op, "fence", e.buffer.queue.device, f.device))
	default:
		return true
	}
	return false
}
