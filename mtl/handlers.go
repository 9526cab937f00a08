package mtl

import (
	"context"
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// AddScheduledHandler has f called when the command buffer's work is handed to the device. f runs on a thread of the system's and
// must not block. It fails with an *ArgumentError, after Commit for instance.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/addscheduledhandler(_:)
func (c *CommandBuffer) AddScheduledHandler(f func()) error {
	const op = "CommandBuffer.AddScheduledHandler"
	if f == nil {
		return argument(op, "function", "a function", "nil")
	}
	return c.addHandler(op, selAddScheduledHandler, func([]objc.ID) { f() })
}

// AddCompletedHandler has f called when the work has completed, with nil, or has failed, with a *CommandBufferError.
// WaitUntilCompleted returns after f does. f runs on a thread of the system's: it must not block, nor wait for this command buffer or a later one. It fails
// with an *ArgumentError, after Commit for instance.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/addcompletedhandler(_:)
func (c *CommandBuffer) AddCompletedHandler(f func(error)) error {
	const op = "CommandBuffer.AddCompletedHandler"
	if f == nil {
		return argument(op, "function", "a function", "nil")
	}
	// The block must not hold c: a forgotten command buffer would keep itself.
	return c.addHandler(op, selAddCompletedHandler, func(args []objc.ID) {
		var err error
		objc.RuntimeOf(args[0]).Pool(func() { err = commandBufferError(args[0], objc.GoString(objc.SendID(args[0], selLabel))) })
		f(err)
	})
}

func (c *CommandBuffer) addHandler(op string, sel objc.SEL, f func(args []objc.ID)) error {
	id, err := c.uncommitted(op)
	if err != nil {
		return err
	}
	rt := c.queue.device.runtime
	rt.Pool(func() {
		block := rt.NewBlock(1, f)
		objc.Send(id, sel, uintptr(block))
		objc.Release(block)
	})
	runtime.KeepAlive(c)
	return nil
}

// uncommitted gives the id if the command buffer has not been committed.
func (c *CommandBuffer) uncommitted(op string) (objc.ID, error) {
	id := c.object()
	switch {
	case id == 0:
		return 0, releasedArgument(op, "command buffer")
	case c.committed.Load():
		return 0, argument(op, "command buffer", "one that has not been committed", "a committed one")
	}
	return id, nil
}

// Enqueue gives the command buffer its place in the queue before it is committed: those enqueued or committed later run after it, and
// wait for its Commit. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/enqueue()
func (c *CommandBuffer) Enqueue() error {
	const op = "CommandBuffer.Enqueue"
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

// WaitUntilScheduled waits until the work has been handed to the device. It fails with an *ArgumentError if the command buffer was not
// committed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/waituntilscheduled()
func (c *CommandBuffer) WaitUntilScheduled() error {
	id, err := c.waitable("CommandBuffer.WaitUntilScheduled")
	if err != nil {
		return err
	}
	c.queue.device.runtime.Pool(func() { objc.Send(id, selWaitUntilScheduled) })
	runtime.KeepAlive(c)
	return nil
}

// waitable gives the id if there is something to wait for.
func (c *CommandBuffer) waitable(op string) (objc.ID, error) {
	id := c.object()
	if id == 0 {
		return 0, releasedArgument(op, "command buffer")
	}
	if !c.committed.Load() {
		return 0, argument(op, "command buffer", "a committed one", "one that was not committed")
	}
	return id, nil
}

// WaitUntilCompletedContext is WaitUntilCompleted until ctx is done, which gives ctx.Err(). The work goes on then, and with it all that it
// uses.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/waituntilcompleted()
func (c *CommandBuffer) WaitUntilCompletedContext(ctx context.Context) error {
	id, err := c.waitable("CommandBuffer.WaitUntilCompletedContext")
	if err != nil {
		return err
	}
	if ctx.Done() == nil {
		return c.wait(id)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	objc.Retain(id) // the caller may release while the goroutine waits
	done := make(chan error, 1)
	go func() {
		err := c.wait(id)
		drop(id)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// KernelStartTime is when the system began to prepare the work for the device, in seconds of the clock of GPUStartTime; 0 before it
// has.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/kernelstarttime
func (c *CommandBuffer) KernelStartTime() float64 { return c.time(selKernelStartTime) }

// KernelEndTime is when the system had prepared the work, in seconds of the clock of GPUStartTime; 0 before it has.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/kernelendtime
func (c *CommandBuffer) KernelEndTime() float64 { return c.time(selKernelEndTime) }

// PushDebugGroup begins a named group of encoders, for tools. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/pushdebuggroup(_:)
func (c *CommandBuffer) PushDebugGroup(name string) error {
	id, err := c.encodable("CommandBuffer.PushDebugGroup")
	if err != nil {
		return err
	}
	c.groups++
	sendString(id, selPushDebugGroup, name)
	runtime.KeepAlive(c)
	return nil
}

// PopDebugGroup ends the innermost group; Commit fails while one is open. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/popdebuggroup()
func (c *CommandBuffer) PopDebugGroup() error {
	const op = "CommandBuffer.PopDebugGroup"
	id, err := c.encodable(op)
	if err != nil {
		return err
	}
	if c.groups == 0 {
		return argument(op, "debug groups", "one that is open", "none")
	}
	c.groups--
	objc.Send(id, selPopDebugGroup)
	runtime.KeepAlive(c)
	return nil
}

// checkGroups fails if a debug group is open.
func (c *CommandBuffer) checkGroups(op string) error {
	if c.groups != 0 {
		return argument(op, "debug groups", "each popped", strconv.Itoa(c.groups)+" open")
	}
	return nil
}
