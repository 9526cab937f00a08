package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// CommandQueueDescriptor says how to make a command queue. Its zero value is what NewCommandQueue makes.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueuedescriptor
type CommandQueueDescriptor struct {
	Label                 string
	MaxCommandBufferCount int       // see NewCommandQueueWithMaxCommandBufferCount; 0 leaves it to Metal
	LogState              *LogState // collects what kernels log; nil for none
}

// NewCommandQueueWithDescriptor makes a queue. It came with macOS 15; for a queue of a size on older systems see
// NewCommandQueueWithMaxCommandBufferCount. It fails with an *ArgumentError, ErrUnsupported or ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecommandqueue(descriptor:)
func (d *Device) NewCommandQueueWithDescriptor(desc *CommandQueueDescriptor) (*CommandQueue, error) {
	const op = "Device.NewCommandQueueWithDescriptor"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	if desc.MaxCommandBufferCount < 0 {
		return nil, intArgument(op, "MaxCommandBufferCount", "0 or more", desc.MaxCommandBufferCount)
	}
	made, err := d.makes(op, selNewCommandQueueWithDescriptor, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newObject(d.runtime, "MTLCommandQueueDescriptor")
		defer objc.Release(o)
		if desc.MaxCommandBufferCount != 0 {
			objc.Send(o, selSetMaxCommandBufferCount, uintptr(desc.MaxCommandBufferCount))
		}
		if err := setLogState(op, d, o, desc.LogState); err != nil {
			return 0, err
		}
		return objc.ID(m.Send(id, selNewCommandQueueWithDescriptor, uintptr(o))), nil
	})
	if err != nil {
		return nil, err
	}
	q := adoptQueue(d, made)
	if desc.Label != "" {
		q.SetLabel(desc.Label)
	}
	return q, nil
}

// NewCommandQueueWithMaxCommandBufferCount makes a queue that has at most n command buffers, 1 or more, which have not completed:
// NewCommandBuffer waits for one to complete, or to be released without having been committed. NewCommandQueue leaves n to Metal. It
// fails with an *ArgumentError or ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecommandqueue(maxcommandbuffercount:)
func (d *Device) NewCommandQueueWithMaxCommandBufferCount(n int) (*CommandQueue, error) {
	const op = "Device.NewCommandQueueWithMaxCommandBufferCount"
	if n < 1 {
		return nil, intArgument(op, "count", "1 or more", n)
	}
	made, err := d.makes(op, selNewCommandQueueWithMax, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		return objc.ID(m.Send(id, selNewCommandQueueWithMax, uintptr(n))), nil
	})
	if err != nil {
		return nil, err
	}
	return adoptQueue(d, made), nil
}

// adoptQueue takes over the caller's reference to a queue.
func adoptQueue(d *Device, id objc.ID) *CommandQueue {
	q := &CommandQueue{device: d}
	own(q, &q.handle, id, drop)
	runtime.KeepAlive(d)
	return q
}
