package mtl

import (
	"context"
	"errors"
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// IOCommandQueueDescriptor says how to make an IO command queue. A count of 0 leaves the choice to the system.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueuedescriptor
type IOCommandQueueDescriptor struct {
	Label    string
	Type     IOCommandQueueType
	Priority IOPriority // the zero value is IOPriorityHigh; a nil descriptor gives IOPriorityNormal

	MaxCommandBufferCount int // command buffers that have not completed; NewCommandBuffer waits for one to complete
	MaxCommandsInFlight   int // commands that run at a time
}

// IOCommandQueue loads from files into buffers and memory, beside the work of the other queues. On a serial queue one
// command buffer runs after the other, and the loads of each in their order; on a concurrent one command buffers overlap and so do the
// loads of each, up to the barriers. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue
type IOCommandQueue struct {
	handle
	label
	device *Device
}

// NewIOCommandQueue makes a queue that loads; nil is Metal's default descriptor, for a concurrent queue of normal priority. It
// fails with an *ArgumentError, an *Error or ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeiocommandqueue(descriptor:)
func (d *Device) NewIOCommandQueue(desc *IOCommandQueueDescriptor) (*IOCommandQueue, error) {
	const op = "Device.NewIOCommandQueue"
	if err := desc.check(op); err != nil {
		return nil, err
	}
	made, err := d.makes(op, selNewIOCommandQueue, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newObject(d.runtime, "MTLIOCommandQueueDescriptor")
		defer objc.Release(o)
		if desc != nil {
			objc.Send(o, selSetType, uintptr(desc.Type))
			objc.Send(o, selSetPriority, uintptr(desc.Priority))
			if desc.MaxCommandBufferCount != 0 {
				objc.Send(o, selSetMaxCommandBufferCount, uintptr(desc.MaxCommandBufferCount))
			}
			if desc.MaxCommandsInFlight != 0 {
				objc.Send(o, selSetMaxCommandsInFlight, uintptr(desc.MaxCommandsInFlight))
			}
		}
		made := objc.ID(m.Send(id, selNewIOCommandQueue, uintptr(o), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	q := &IOCommandQueue{device: d}
	own(q, &q.handle, made, drop)
	if desc != nil && desc.Label != "" {
		q.SetLabel(desc.Label)
	}
	return q, nil
}

func (desc *IOCommandQueueDescriptor) check(op string) error {
	switch {
	case desc == nil:
	case desc.Type != IOCommandQueueTypeConcurrent && desc.Type != IOCommandQueueTypeSerial:
		return intArgument(op, "Type", "this package's constants", int(desc.Type))
	case desc.Priority < IOPriorityHigh || desc.Priority > IOPriorityLow:
		return intArgument(op, "Priority", "this package's constants", int(desc.Priority))
	case desc.MaxCommandBufferCount < 0:
		return intArgument(op, "MaxCommandBufferCount", "0 or more", desc.MaxCommandBufferCount)
	case desc.MaxCommandsInFlight < 0:
		return intArgument(op, "MaxCommandsInFlight", "0 or more", desc.MaxCommandsInFlight)
	}
	return nil
}

// Release lets go of the queue. Command buffers that have been committed still run.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (q *IOCommandQueue) Release() { q.release() }

// Device is the device that made the queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue
func (q *IOCommandQueue) Device() *Device { return q.device }

// SetLabel names the queue for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue/label
func (q *IOCommandQueue) SetLabel(s string) { q.label.set(&q.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue/label
func (q *IOCommandQueue) Label() string { return q.label.get() }

// EnqueueBarrier has the command buffers that are enqueued or committed from now on wait for those before. It fails with an
// *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue/enqueuebarrier()
func (q *IOCommandQueue) EnqueueBarrier() error {
	id, err := q.live("IOCommandQueue.EnqueueBarrier")
	if err != nil {
		return err
	}
	objc.Send(id, selEnqueueBarrier)
	runtime.KeepAlive(q)
	return nil
}

// NewCommandBuffer makes a command buffer, which keeps what it loads from and into until it has completed. It fails with an
// *ArgumentError or ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue/makecommandbuffer()
func (q *IOCommandQueue) NewCommandBuffer() (*IOCommandBuffer, error) {
	id, err := q.live("IOCommandQueue.NewCommandBuffer")
	if err != nil {
		return nil, err
	}
	var c *IOCommandBuffer
	q.device.runtime.Pool(func() {
		// The result is autoreleased: what leaves the pool is retained.
		if made := objc.Retain(objc.SendID(id, selCommandBuffer)); made != 0 {
			c = &IOCommandBuffer{queue: q}
			own(c, &c.handle, made, drop)
		}
	})
	runtime.KeepAlive(q)
	if c == nil {
		return nil, ErrOutOfMemory
	}
	return c, nil
}

// live gives the queue's id for an operation on it.
func (q *IOCommandQueue) live(op string) (objc.ID, error) {
	if q == nil {
		return 0, argument(op, "queue", "a queue", "nil")
	}
	id := q.object()
	if id == 0 {
		return 0, releasedArgument(op, "queue")
	}
	return id, nil
}

// Run has f encode loads into one command buffer, commits it and waits until all has been loaded. f runs on the caller's goroutine,
// locked to its OS thread inside one autorelease pool, and must not use the command buffer after it returns. Nothing is loaded if f fails
// or panics or one of the command buffer's methods failed; Run's error is then f's, or the method's. A load that fails is an
// *IOCommandBufferError.
//
// If ctx is done before all has been loaded, Run cancels the rest and gives ctx.Err(). It still waits until the system has let go of
// the memory, so that the caller may use it; what is in it is undefined.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandqueue
func (q *IOCommandQueue) Run(ctx context.Context, f func(*IOCommandBuffer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c, err := q.NewCommandBuffer()
	if err != nil {
		return err
	}
	defer c.Release()
	q.device.runtime.Pool(func() {
		if err = f(c); err == nil && c.err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = c.Commit()
		}
	})
	if err != nil {
		return err
	}
	cancelled := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.send(selTryCancel)
		close(cancelled)
	})
	err = c.WaitUntilCompleted()
	if !stop() {
		<-cancelled // it uses c
	}
	if errors.Is(err, ErrIOCancelled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

var ioStatuses = [...]string{"pending", "cancelled", "error", "complete"}

// String names the status.
//
// Reference: https://developer.apple.com/documentation/metal/mtliostatus
func (s IOStatus) String() string {
	if s >= 0 && int(s) < len(ioStatuses) {
		return ioStatuses[s]
	}
	return "IOStatus(" + strconv.Itoa(int(s)) + ")"
}
