package mtl

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

var (
	// ErrIOCancelled says that a command buffer of an IO queue was cancelled before it had loaded all.
	//
	// Reference: https://developer.apple.com/documentation/metal/mtliostatus/cancelled
	ErrIOCancelled = errors.New("mtl: IO command buffer: cancelled")
)

// IOCommandBuffer is a list of loads for an IO queue. It belongs to one goroutine until it is committed; WaitUntilCompleted, Status,
// Error and TryCancel are safe for concurrent use from then on. The methods that encode return nothing: the first that fails
// sticks, nothing is sent after it, and Err and Commit tell.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer
type IOCommandBuffer struct {
	handle
	label
	queue     *IOCommandQueue
	err       error    // the first of a method that encodes
	groups    int      // debug groups that are open
	memory    [][]byte // what LoadBytes loads into
	enqueued  bool
	committed atomic.Bool
}

// Release lets go of the command buffer. If it has been committed it runs all the same; if not, nothing is loaded.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (c *IOCommandBuffer) Release() { c.release() }

// Device is the device of the command buffer's queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer
func (c *IOCommandBuffer) Device() *Device { return c.queue.device }

// SetLabel names the command buffer for tools and in its error.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/label
func (c *IOCommandBuffer) SetLabel(s string) { c.label.set(&c.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/label
func (c *IOCommandBuffer) Label() string { return c.label.get() }

// Err is the error of the first method that failed to encode, nil if none has.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer
func (c *IOCommandBuffer) Err() error { return c.err }

// uncommitted gives the id if the command buffer has not been committed.
func (c *IOCommandBuffer) uncommitted(op string) (objc.ID, error) {
	id := c.object()
	switch {
	case id == 0:
		return 0, releasedArgument(op, "command buffer")
	case c.committed.Load():
		return 0, argument(op, "command buffer", "one that has not been committed", "a committed one")
	}
	return id, nil
}

// waitable gives the id if there is something to wait for.
func (c *IOCommandBuffer) waitable(op string) (objc.ID, error) {
	id := c.object()
	if id == 0 {
		return 0, releasedArgument(op, "command buffer")
	}
	if !c.committed.Load() {
		return 0, argument(op, "command buffer", "a committed one", "one that was not committed")
	}
	return id, nil
}

// Enqueue gives the command buffer its place in the queue before it is committed: on a serial queue those enqueued or committed later
// run after it, and wait for its Commit. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/enqueue()
func (c *IOCommandBuffer) Enqueue() error {
	const op = "IOCommandBuffer.Enqueue"
	id, err := c.uncommitted(op)
	if err != nil {
		return err
	}
	if c.enqueued {
		return argument(op, "command buffer", "one that has not been enqueued", "an enqueued one")
	}
	c.enqueued = true
	objc.Send(id, selEnqueue)
	runtime.KeepAlive(c)
	return nil
}

// AddCompletedHandler has f called when all has been loaded, with nil, or a load has failed, with an *IOCommandBufferError, or the
// command buffer was cancelled, with ErrIOCancelled. f runs on a thread of the system's: it must not block, nor wait for this command
// buffer or a later one. It fails with an *ArgumentError, after Commit for instance.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/addcompletedhandler(_:)
func (c *IOCommandBuffer) AddCompletedHandler(f func(error)) error {
	const op = "IOCommandBuffer.AddCompletedHandler"
	if f == nil {
		return argument(op, "function", "a function", "nil")
	}
	id, err := c.uncommitted(op)
	if err != nil {
		return err
	}
	// The block must not hold c: a forgotten command buffer would keep itself.
	c.whenCompleted(id, func(args []objc.ID) {
		var err error
		objc.RuntimeOf(args[0]).Pool(func() { err = ioError(args[0], objc.GoString(objc.SendID(args[0], selLabel))) })
		f(err)
	})
	return nil
}

func (c *IOCommandBuffer) whenCompleted(id objc.ID, f func(args []objc.ID)) {
	rt := c.queue.device.runtime
	rt.Pool(func() {
		block := rt.NewBlock(1, f)
		objc.Send(id, selAddCompletedHandler, uintptr(block))
		objc.Release(block)
	})
	runtime.KeepAlive(c)
}

// Commit hands the loads to the queue. It fails, and nothing is loaded, if a method that encodes failed.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/commit()
func (c *IOCommandBuffer) Commit() error {
	const op = "IOCommandBuffer.Commit"
	id, err := c.uncommitted(op)
	if err != nil {
		return err
	}
	if c.err == nil && c.groups != 0 {
		c.err = argument(op, "debug groups", "each popped", strconv.Itoa(c.groups)+" open")
	}
	if c.err != nil {
		return c.err
	}
	if memory := c.memory; memory != nil {
		// Until it has completed, the command buffer's block is what keeps the memory.
		c.whenCompleted(id, func([]objc.ID) { runtime.KeepAlive(memory) })
		c.memory = nil
	}
	c.committed.Store(true)
	c.queue.device.runtime.Pool(func() { objc.Send(id, selCommit) })
	runtime.KeepAlive(c)
	return nil
}

// TryCancel asks the system not to load what it has not begun to load. Whether it came in time is for WaitUntilCompleted to tell. It
// fails with an *ArgumentError if the command buffer was not committed.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/trycancel()
func (c *IOCommandBuffer) TryCancel() error {
	id, err := c.waitable("IOCommandBuffer.TryCancel")
	if err != nil {
		return err
	}
	objc.Send(id, selTryCancel)
	runtime.KeepAlive(c)
	return nil
}

// WaitUntilCompleted waits until all has been loaded, or a load has failed, which is an *IOCommandBufferError, or the command buffer was
// cancelled, which is ErrIOCancelled. It fails with an *ArgumentError if the command buffer was not committed.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/waituntilcompleted()
func (c *IOCommandBuffer) WaitUntilCompleted() error {
	id, err := c.waitable("IOCommandBuffer.WaitUntilCompleted")
	if err != nil {
		return err
	}
	c.queue.device.runtime.Pool(func() {
		objc.Send(id, selWaitUntilCompleted)
		err = ioError(id, c.Label())
	})
	runtime.KeepAlive(c)
	return err
}

// Status is how far the loads have come. A released command buffer has IOStatusPending.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/status
func (c *IOCommandBuffer) Status() IOStatus { return IOStatus(c.send(selIOStatus)) }

// Error is what WaitUntilCompleted would give, nil if the command buffer has not completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/error
func (c *IOCommandBuffer) Error() error {
	id := c.object()
	if id == 0 {
		return releasedArgument("IOCommandBuffer.Error", "command buffer")
	}
	var err error
	c.queue.device.runtime.Pool(func() { err = ioError(id, c.Label()) })
	runtime.KeepAlive(c)
	return err
}

// IOCommandBufferError is a load that failed. What the command buffer loads into is undefined.
//
// Reference: https://developer.apple.com/documentation/metal/mtlioerror
type IOCommandBufferError struct {
	Code        IOErrorCode
	Domain      string
	Description string // the system's words
	Label       string // of the command buffer
}

// Error gives the label, the system's words and the code.
//
// Reference: https://developer.apple.com/documentation/metal/mtlioerror
func (e *IOCommandBufferError) Error() string {
	label := ""
	if e.Label != "" {
		label = strconv.Quote(e.Label) + ": "
	}
	return fmt.Sprintf("mtl: IO command buffer: %s%s (%s %d)", label, e.Description, e.Domain, int(e.Code))
}

// ioError gives the error of a command buffer that has failed or was cancelled. A pool is in place.
func ioError(id objc.ID, label string) error {
	switch IOStatus(objc.Send(id, selIOStatus)) {
	case IOStatusCancelled:
		return ErrIOCancelled
	case IOStatusError:
		e := &IOCommandBufferError{Label: label, Description: "failed without an error"}
		if got := objc.ErrorOf(objc.SendID(id, selError)); got != nil {
			e.Code, e.Domain, e.Description = IOErrorCode(got.Code), got.Domain, got.Description
		}
		return e
	}
	return nil
}
