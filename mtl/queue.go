package mtl

import (
	"context"
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// CommandQueue runs command buffers in the order in which they are committed. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue
type CommandQueue struct {
	handle
	label
	device *Device
	sets   residencySets
}

// NewCommandQueue makes a queue. It fails with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecommandqueue()
func (d *Device) NewCommandQueue() (*CommandQueue, error) {
	var q *CommandQueue
	err := d.create("Device.NewCommandQueue", func(m *objc.Msg, id objc.ID) {
		if made := objc.ID(m.Send(id, selNewCommandQueue)); made != 0 {
			q = &CommandQueue{device: d}
			own(q, &q.handle, made, drop)
		}
	})
	if err != nil {
		return nil, err
	}
	if q == nil {
		return nil, ErrOutOfMemory
	}
	return q, nil
}

// Release lets go of the queue. Command buffers that have been committed still run.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (q *CommandQueue) Release() { q.release() }

// Device is the device that made the queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/device
func (q *CommandQueue) Device() *Device { return q.device }

// SetLabel names the queue for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/label
func (q *CommandQueue) SetLabel(s string) { q.label.set(&q.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/label
func (q *CommandQueue) Label() string { return q.label.get() }

// NewCommandBuffer makes a command buffer, which keeps what its encoders use until it has completed. It fails with
// ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/makecommandbuffer()
func (q *CommandQueue) NewCommandBuffer() (*CommandBuffer, error) {
	id, err := q.live("CommandQueue.NewCommandBuffer")
	if err != nil {
		return nil, err
	}
	var c *CommandBuffer
	q.device.runtime.Pool(func() {
		// The result is autoreleased: what leaves the pool is retained.
		if made := objc.Retain(objc.SendID(id, selCommandBuffer)); made != 0 {
			c = newCommandBuffer(q, made, false)
		}
	})
	runtime.KeepAlive(q)
	if c == nil {
		return nil, ErrOutOfMemory
	}
	return c, nil
}

// live gives the queue's id for an operation on it.
func (q *CommandQueue) live(op string) (objc.ID, error) {
	if q == nil {
		return 0, argument(op, "queue", "a queue", "nil")
	}
	id := q.object()
	if id == 0 {
		return 0, releasedArgument(op, "queue")
	}
	return id, nil
}

// Run has f encode compute work, in one command buffer with one serial encoder, commits it and waits until it has
// completed. f runs on the caller's goroutine, locked to its OS thread inside one autorelease pool, and must not use the
// encoder after it returns. Nothing is committed if f fails or panics or an encoder method failed; Run's error is then f's, or
// the encoder's. A failure on the device is a *CommandBufferError.
//
// If ctx is done before the work is committed, Run gives ctx.Err() and nothing runs. If it is done later, Run gives ctx.Err() at
// once, but work on a device cannot be called back: it runs on, everything it uses stays alive until it has completed,
// and the contents of the buffers it writes are undefined until then.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue
func (q *CommandQueue) Run(ctx context.Context, f func(*ComputeCommandEncoder) error) error {
	return q.run(ctx, DispatchTypeSerial, f)
}

// RunConcurrent is Run with an encoder whose dispatches may overlap; f orders them with MemoryBarrier.
//
// Reference: https://developer.apple.com/documentation/metal/mtldispatchtype/concurrent
func (q *CommandQueue) RunConcurrent(ctx context.Context, f func(*ComputeCommandEncoder) error) error {
	return q.run(ctx, DispatchTypeConcurrent, f)
}

func (q *CommandQueue) run(ctx context.Context, t DispatchType, f func(*ComputeCommandEncoder) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c, err := q.NewCommandBuffer()
	if err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			c.Release() // ends the encoder too
		}
	}()
	q.device.runtime.Pool(func() { err = c.encode(ctx, t, f) })
	if err != nil {
		return err
	}
	committed = true
	return c.waitAndRelease(ctx)
}

// encode has f fill the command buffer and commits it.
func (c *CommandBuffer) encode(ctx context.Context, t DispatchType, f func(*ComputeCommandEncoder) error) error {
	e, err := c.NewComputeCommandEncoder(t)
	if err != nil {
		return err
	}
	if err := f(e); err != nil {
		return err
	}
	if err := e.EndEncoding(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.Commit()
}

// waitAndRelease waits for the command buffer or for ctx. It takes over the command buffer: where ctx is done first, a
// goroutine keeps it, and with it all it uses, until it has completed.
func (c *CommandBuffer) waitAndRelease(ctx context.Context) error {
	if ctx.Done() == nil {
		defer c.Release()
		return c.WaitUntilCompleted()
	}
	done := make(chan error, 1)
	go func() {
		err := c.WaitUntilCompleted()
		c.Release() // before who waits goes on
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
