package mtl

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// CommandBuffer is work for a queue. It belongs to one goroutine until it is committed; WaitUntilCompleted, Status, Error and the
// times are safe for concurrent use from then on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer
type CommandBuffer struct {
	handle
	label
	queue     *CommandQueue
	serial    uint64
	open      *commandEncoder // the encoder that has not ended, if any
	failed    error           // the first error of an encoder
	groups    int             // debug groups that are open
	enqueued  bool
	committed atomic.Bool
	pins      *pins // nil if the device retains what it uses

	mu   sync.Mutex
	kept []*handle // what the device may use, kept reachable until the command buffer has completed
}

var commandBufferSerial atomic.Uint64

func newCommandBuffer(q *CommandQueue, id objc.ID, unretained bool) *CommandBuffer {
	c := &CommandBuffer{queue: q, serial: commandBufferSerial.Add(1)}
	if !unretained {
		own(c, &c.handle, id, drop)
		return c
	}
	p := new(pins)
	c.pins = p
	own(c, &c.handle, id, func(id objc.ID) {
		drop(id)
		p.forget()
	})
	return c
}

// Release lets go of the command buffer. If it has been committed it runs all the same; if not, its encoder is ended and
// what was encoded is dropped.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (c *CommandBuffer) Release() {
	if c.object() == 0 {
		return
	}
	if c.open != nil {
		c.open.end()
	}
	c.release()
	c.pins.forget()
}

// Device is the device of the command buffer's queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/device
func (c *CommandBuffer) Device() *Device { return c.queue.device }

// SetLabel names the command buffer for tools and in its error.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/label
func (c *CommandBuffer) SetLabel(s string) { c.label.set(&c.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/label
func (c *CommandBuffer) Label() string { return c.label.get() }

// keep holds on to what an encoder uses.
func (c *CommandBuffer) keep(h *handle) {
	if c.open != nil {
		c.open.msg.pin(h)
	}
	if h.user.Load() == c.serial {
		return
	}
	h.user.Store(c.serial)
	c.kept = append(c.kept, h)
	if c.pins != nil {
		c.pins.add(h)
	}
}

// encodable gives the id if an encoder may be made.
func (c *CommandBuffer) encodable(op string) (objc.ID, error) {
	id := c.object()
	switch {
	case id == 0:
		return 0, releasedArgument(op, "command buffer")
	case c.committed.Load():
		return 0, argument(op, "command buffer", "one that has not been committed", "a committed one")
	case c.open != nil:
		return 0, argument(op, "command buffer", "one without an open encoder: call EndEncoding first", "one with an open "+c.open.kind)
	}
	return id, nil
}

// Commit hands the work to the queue. It fails, and nothing runs, if an encoder of this command buffer failed or has not
// ended.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/commit()
func (c *CommandBuffer) Commit() error {
	const op = "CommandBuffer.Commit"
	id, err := c.encodable(op)
	if err != nil {
		return err
	}
	if c.failed != nil {
		return c.failed
	}
	if err := c.checkGroups(op); err != nil {
		return err
	}
	if c.pins != nil {
		p := c.pins
		if err := c.addHandler(op, selAddCompletedHandler, func([]objc.ID) { p.drop() }); err != nil {
			return err
		}
		p.committed.Store(true)
	}
	c.committed.Store(true)
	c.queue.device.runtime.Pool(func() { objc.Send(id, selCommit) })
	runtime.KeepAlive(c)
	return nil
}

// WaitUntilCompleted waits until the work has completed, or failed, which is a *CommandBufferError. It fails with an
// *ArgumentError if the command buffer was not committed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/waituntilcompleted()
func (c *CommandBuffer) WaitUntilCompleted() error {
	id, err := c.waitable("CommandBuffer.WaitUntilCompleted")
	if err != nil {
		return err
	}
	return c.wait(id)
}

func (c *CommandBuffer) wait(id objc.ID) error {
	if c.queue.device.IsSoftware() {
		// It waits on a Go channel. A goroutine locked to its thread, as in a pool, would pay for two thread switches more, so
		// the pool begins when there is nothing left to wait for.
		objc.Send(id, selWaitUntilCompleted)
	}
	var err error
	c.queue.device.runtime.Pool(func() {
		objc.Send(id, selWaitUntilCompleted)
		err = c.readError(id)
	})
	c.mu.Lock()
	c.kept = nil
	c.mu.Unlock()
	runtime.KeepAlive(c)
	return err
}

// readError gives the error of a command buffer that has failed. A pool is in place.
func (c *CommandBuffer) readError(id objc.ID) error { return commandBufferError(id, c.Label()) }

// commandBufferError gives the error of a command buffer that has failed. A pool is in place.
func commandBufferError(id objc.ID, label string) error {
	if CommandBufferStatus(objc.Send(id, selStatus)) != CommandBufferStatusError {
		return nil
	}
	e := &CommandBufferError{Label: label, Description: "failed without an error"}
	failure := objc.SendID(id, selError)
	if got := objc.ErrorOf(failure); got != nil {
		e.Code, e.Domain, e.Description = CommandBufferErrorCode(got.Code), got.Domain, got.Description
		e.Encoders = readEncoders(failure)
	}
	return e
}

// Status is how far the work has come. A released command buffer has CommandBufferStatusNotEnqueued.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/status
func (c *CommandBuffer) Status() CommandBufferStatus { return CommandBufferStatus(c.send(selStatus)) }

// Error is the *CommandBufferError of work that has failed, nil of work that has not, or not yet.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/error
func (c *CommandBuffer) Error() error {
	id := c.object()
	if id == 0 {
		return releasedArgument("CommandBuffer.Error", "command buffer")
	}
	var err error
	c.queue.device.runtime.Pool(func() { err = c.readError(id) })
	runtime.KeepAlive(c)
	return err
}

// GPUStartTime is when the device began the work, in seconds of the system's clock; 0 before it has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/gpustarttime
func (c *CommandBuffer) GPUStartTime() float64 { return c.time(selGPUStartTime) }

// GPUEndTime is when the device ended the work, in seconds of the same clock as GPUStartTime; 0 before it has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/gpuendtime
func (c *CommandBuffer) GPUEndTime() float64 { return c.time(selGPUEndTime) }

func (c *CommandBuffer) time(sel objc.SEL) float64 {
	t := objc.SendFloat64(c.object(), sel)
	runtime.KeepAlive(c)
	return t
}
