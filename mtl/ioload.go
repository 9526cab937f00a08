package mtl

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// ioStatusSize is the size of an IOStatus in memory.
const ioStatusSize = 8

// usable gives the id for a method that encodes, 0 if it is not to.
func (c *IOCommandBuffer) usable(op string) objc.ID {
	if c.err != nil {
		return 0
	}
	id, err := c.uncommitted(op)
	c.err = err
	return id
}

// source gives the id of a handle if size bytes can be loaded from its offset on.
func (c *IOCommandBuffer) source(op string, h *IOFileHandle, offset, size int) objc.ID {
	id, err := objectOf(op, "handle", c.queue.device, h)
	switch {
	case err != nil:
		c.err = err
	case offset < 0 || offset+size < offset:
		c.err = intArgument(op, "handle offset", "an offset in a file", offset)
	default:
		return id
	}
	return 0
}

// destination gives the id of a buffer if it has size bytes from offset on.
func (c *IOCommandBuffer) destination(op string, b *Buffer, offset, size int) objc.ID {
	id, err := objectOf(op, "buffer", c.queue.device, b)
	switch {
	case err != nil:
		c.err = err
	case offset < 0 || size < 1 || size > b.length || offset > b.length-size:
		c.err = argument(op, "range", "1 or more bytes inside the buffer's "+strconv.Itoa(b.length),
			strconv.Itoa(size)+" bytes from "+strconv.Itoa(offset))
	default:
		return id
	}
	return 0
}

// LoadBuffer loads size bytes of a file, from handleOffset on, into b from offset on. The buffer's memory may be private. A file that ends
// before is an error of the command buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/load(_:offset:size:sourcehandle:sourcehandleoffset:)
func (c *IOCommandBuffer) LoadBuffer(b *Buffer, offset, size int, h *IOFileHandle, handleOffset int) {
	const op = "IOCommandBuffer.LoadBuffer"
	id := c.usable(op)
	if id == 0 {
		return
	}
	to := c.destination(op, b, offset, size)
	if to == 0 {
		return
	}
	if from := c.source(op, h, handleOffset, size); from != 0 {
		objc.Send(id, selLoadBuffer, uintptr(to), uintptr(offset), uintptr(size), uintptr(from), uintptr(handleOffset))
	}
	runtime.KeepAlive(b)
	runtime.KeepAlive(h)
	runtime.KeepAlive(c)
}

// LoadBytes loads len(dst) bytes of a file, from handleOffset on, into memory. dst may be Go's; nobody may touch it until the command
// buffer has completed. A file that ends before is an error of the command buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/loadbytes(_:size:sourcehandle:sourcehandleoffset:)
func (c *IOCommandBuffer) LoadBytes(dst []byte, h *IOFileHandle, handleOffset int) {
	const op = "IOCommandBuffer.LoadBytes"
	id := c.usable(op)
	if id == 0 {
		return
	}
	if len(dst) == 0 {
		c.err = argument(op, "bytes", "1 or more", "none")
		return
	}
	if from := c.source(op, h, handleOffset, len(dst)); from != 0 {
		c.memory = append(c.memory, dst)
		// Safety: c.memory, and from Commit on a block that the command buffer releases when it has completed, hold dst, so it is on the
		// heap, which does not move, and lives for as long as it is written to.
		objc.Send(id, selLoadBytes, uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(len(dst)), uintptr(from), uintptr(handleOffset))
	}
	runtime.KeepAlive(h)
	runtime.KeepAlive(c)
}

// CopyStatus has the command buffer's IOStatus written to b when it has completed, at offset, a multiple of 8, for kernels that are to
// know whether their data are there. It is at most 8 bytes, the lowest first: clear them before.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/copystatus(buffer:offset:)
func (c *IOCommandBuffer) CopyStatus(b *Buffer, offset int) {
	const op = "IOCommandBuffer.CopyStatus"
	id := c.usable(op)
	if id == 0 {
		return
	}
	to := c.destination(op, b, offset, ioStatusSize)
	switch {
	case to == 0:
	case offset%ioStatusSize != 0:
		c.err = intArgument(op, "offset", "a multiple of 8", offset)
	default:
		objc.Send(id, selCopyStatusToBuffer, uintptr(to), uintptr(offset))
	}
	runtime.KeepAlive(b)
	runtime.KeepAlive(c)
}

// AddBarrier has what is encoded after this wait for all loads before it. On a serial queue it changes nothing.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/addbarrier()
func (c *IOCommandBuffer) AddBarrier() {
	if id := c.usable("IOCommandBuffer.AddBarrier"); id != 0 {
		objc.Send(id, selAddBarrier)
		runtime.KeepAlive(c)
	}
}

// SignalEvent gives e the value when what was encoded before has been loaded, so that a command buffer of another queue, which waits
// for the event, can begin. If a load fails or the command buffer is cancelled before that, the software device does not signal.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/signalevent(_:value:)
func (c *IOCommandBuffer) SignalEvent(e *SharedEvent, value uint64) {
	c.encodeEvent("IOCommandBuffer.SignalEvent", selIOSignalEvent, e, value)
}

// WaitForEvent has what is encoded after this wait until e has the value or a greater one.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/waitforevent(_:value:)
func (c *IOCommandBuffer) WaitForEvent(e *SharedEvent, value uint64) {
	c.encodeEvent("IOCommandBuffer.WaitForEvent", selIOWaitForEvent, e, value)
}

func (c *IOCommandBuffer) encodeEvent(op string, sel objc.SEL, e *SharedEvent, value uint64) {
	id := c.usable(op)
	if id == 0 {
		return
	}
	event, err := e.live(op)
	switch {
	case err != nil:
		c.err = err
	case e.device.self != c.queue.device.self:
		c.err = otherDevice(op, "event", c.queue.device, e.device)
	default:
		objc.Send(id, sel, uintptr(event), uintptr(value))
	}
	runtime.KeepAlive(e)
	runtime.KeepAlive(c)
}

// PushDebugGroup begins a named group of loads, for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/pushdebuggroup(_:)
func (c *IOCommandBuffer) PushDebugGroup(name string) {
	if id := c.usable("IOCommandBuffer.PushDebugGroup"); id != 0 {
		c.groups++
		sendString(id, selPushDebugGroup, name)
		runtime.KeepAlive(c)
	}
}

// PopDebugGroup ends the innermost group.
//
// Reference: https://developer.apple.com/documentation/metal/mtliocommandbuffer/popdebuggroup()
func (c *IOCommandBuffer) PopDebugGroup() {
	const op = "IOCommandBuffer.PopDebugGroup"
	id := c.usable(op)
	switch {
	case id == 0:
	case c.groups == 0:
		c.err = argument(op, "debug groups", "one that is open", "none")
	default:
		c.groups--
		objc.Send(id, selPopDebugGroup)
		runtime.KeepAlive(c)
	}
}
