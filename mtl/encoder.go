package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// commandEncoder is what the encoders have in common: the command buffer they fill, a record to send on, and the first error,
// after which nothing more is sent.
type commandEncoder struct {
	handle
	label
	kind   string
	buffer *CommandBuffer
	msg    *objc.Msg // nil once ended
	err    error
	groups int // debug groups that are open
}

// begin takes over the caller's reference to id. The encoder holds one on its command buffer: if the program forgets both, the
// garbage collector may find either first.
func begin[T any](owner *T, e *commandEncoder, kind string, c *CommandBuffer, id objc.ID) {
	e.kind, e.buffer = kind, c
	e.msg = messages.Get().(*objc.Msg)
	buffer := objc.Retain(c.object())
	own(owner, &e.handle, id, func(id objc.ID) { endEncoder(id, buffer) })
	c.open = e
}

// endEncoder ends an encoder and lets go of it and of its command buffer. Metal asserts if an encoder goes that was not ended.
func endEncoder(id, buffer objc.ID) {
	objc.RuntimeOf(id).Pool(func() {
		objc.Send(id, selEndEncoding)
		objc.Release(id)
		objc.Release(buffer)
	})
}

// end sends endEncoding, once, and lets go of the encoder.
func (e *commandEncoder) end() {
	if e.msg == nil {
		return
	}
	messages.Put(e.msg)
	e.msg = nil
	e.buffer.open = nil
	if e.buffer.failed == nil {
		e.buffer.failed = e.err
	}
	if id := e.disown(); id != 0 {
		endEncoder(id, e.buffer.object())
	}
}

// usable reports whether op may go on: no error so far, and not ended.
func (e *commandEncoder) usable(op string) bool {
	if e.err != nil {
		return false
	}
	if e.msg == nil {
		e.err = argument(op, e.kind, "one that has not ended", "use after EndEncoding")
		return false
	}
	return true
}

func (e *commandEncoder) fail(err error) { e.err = err }

// endEncoding is the exported EndEncoding.
func (e *commandEncoder) endEncoding(op string) error {
	if e.msg != nil && e.err == nil && e.groups != 0 {
		e.fail(argument(op, "debug groups", "each popped", strconv.Itoa(e.groups)+" open"))
	}
	e.end()
	return e.err
}

// checkBuffer tells what is wrong with a buffer argument. Keep it small: it is on the path of every dispatch.
func (e *commandEncoder) checkBuffer(op, arg string, b *Buffer) bool {
	if b.object() == 0 {
		e.fail(releasedArgument(op, arg))
		return false
	}
	if b.device.self != e.buffer.queue.device.self {
		e.fail(otherDevice(op, arg, e.buffer.queue.device, b.device))
		return false
	}
	return true
}

func (e *commandEncoder) pushDebugGroup(op, name string) {
	if !e.usable(op) {
		return
	}
	e.groups++
	sendString(e.object(), selPushDebugGroup, name)
	runtime.KeepAlive(e)
}

func (e *commandEncoder) popDebugGroup(op string) {
	if !e.usable(op) {
		return
	}
	if e.groups == 0 {
		e.fail(argument(op, "debug groups", "one that is open", "none"))
		return
	}
	e.groups--
	e.msg.Send(e.object(), selPopDebugGroup)
	runtime.KeepAlive(e)
}
