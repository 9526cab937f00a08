package mtl

import (
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// MTL4CommandAllocatorDescriptor says how to make a command allocator.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocatordescriptor
type MTL4CommandAllocatorDescriptor struct {
	Label string // for tools
}

// MTL4CommandAllocator is the memory that command buffers record into, one at a time. It grows until Reset. Recording into it
// belongs to one goroutine.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocator
type MTL4CommandAllocator struct {
	handle
	device    *Device
	label     string
	recording atomic.Bool   // a command buffer has begun with it and not ended
	inFlight  atomic.Int64  // committed command buffers that have not completed
	resets    atomic.Uint64 // what was recorded before the last has gone
}

// NewMTL4CommandAllocator makes an allocator; desc may be nil. It fails with ErrUnsupported before macOS 26 and on devices without
// Metal 4, with an *Error, or with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecommandallocator(descriptor:)
func (d *Device) NewMTL4CommandAllocator(desc *MTL4CommandAllocatorDescriptor) (*MTL4CommandAllocator, error) {
	const op = "Device.NewMTL4CommandAllocator"
	if desc == nil {
		desc = &MTL4CommandAllocatorDescriptor{}
	}
	made, err := d.makes(op, selNewCommandAllocator, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newLabelled(d.runtime, "MTL4CommandAllocatorDescriptor", desc.Label)
		defer objc.Release(o)
		return madeOrFailed(op, m, objc.ID(m.Send(id, selNewCommandAllocator, uintptr(o), m.Out(0))))
	})
	if err != nil {
		return nil, err
	}
	a := &MTL4CommandAllocator{device: d, label: desc.Label}
	own(a, &a.handle, made, drop)
	return a, nil
}

// newLabelled makes a descriptor with a label, which the caller releases. A pool is in place.
func newLabelled(rt objc.Runtime, class, label string) objc.ID {
	o := newObject(rt, class)
	if label != "" {
		sendString(o, selSetLabel, label)
	}
	return o
}

// madeOrFailed gives what a message made, or the NSError that it left in its first out-parameter.
func madeOrFailed(op string, m *objc.Msg, made objc.ID) (objc.ID, error) {
	if made == 0 {
		return 0, failed(op, m.OutID(0))
	}
	return made, nil
}

// Release lets go of the allocator. Committed command buffers keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (a *MTL4CommandAllocator) Release() { a.release() }

// Device is the device that made the allocator.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocator/device
func (a *MTL4CommandAllocator) Device() *Device { return a.device }

func (a *MTL4CommandAllocator) from() *Device { return a.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocator/label
func (a *MTL4CommandAllocator) Label() string { return a.label }

// AllocatedSize is the number of bytes that the allocator has taken; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocator/allocatedsize()
func (a *MTL4CommandAllocator) AllocatedSize() int { return int(a.send(selAllocatedSize)) }

// Reset takes back the memory of all that was recorded, so that it can be used again. What was recorded and not committed is lost:
// committing it fails. It fails with an *ArgumentError while a command buffer records into the allocator or a committed one has not
// completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandallocator/reset()
func (a *MTL4CommandAllocator) Reset() error {
	const op = "MTL4CommandAllocator.Reset"
	switch {
	case a.object() == 0:
		return releasedArgument(op, "allocator")
	case a.recording.Load():
		return argument(op, "allocator", "one that no command buffer records into", "one that a command buffer has begun with and not ended")
	case a.inFlight.Load() != 0:
		return argument(op, "allocator", "one whose command buffers have completed", "one with committed work that has not")
	}
	a.resets.Add(1)
	a.send(selReset)
	return nil
}
