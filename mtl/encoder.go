package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// commandEncoder is what the encoders have in common: the command buffer they fill, the messages that wait to be sent, and the first
// error, after which nothing more is recorded.
type commandEncoder struct {
	handle
	label
	kind   string
	buffer *CommandBuffer
	msg    *batch // nil once ended
	err    error
	tail   *tail

	updated []*Fence // by this encoder
}

// tail is what is left to do at an encoder's end. It is not part of the encoder, so that it can be done for one that its
// program forgot: Metal asserts if an encoder goes without having ended.
type tail struct {
	buffer objc.ID   // owned: of two forgotten objects the garbage collector may find the command buffer first
	groups int       // debug groups that are open
	pinned []*handle // what messages use that may not have been sent
	unsent *batch    // at the end of an encoder that is not forgotten: its messages
}

// pin keeps the object of h past its release until the encoder's end.
func (b *batch) pin(h *handle) {
	if h.encoder.Load() != b.serial {
		h.encoder.Store(b.serial)
		h.pin()
		b.tail.pinned = append(b.tail.pinned, h)
	}
}

func (t *tail) unpin() {
	for _, h := range t.pinned {
		h.unpin()
	}
	t.pinned = nil
}

// begin takes over the caller's reference to id.
func begin[T any](owner *T, e *commandEncoder, kind string, c *CommandBuffer, id objc.ID) {
	e.kind, e.buffer = kind, c
	e.tail = &tail{buffer: objc.Retain(c.object())}
	e.msg = newBatch(e.tail)
	own(owner, &e.handle, id, e.tail.end)
	c.open = e
}

// end ends the encoder id and lets go of it.
func (t *tail) end(id objc.ID) {
	objc.RuntimeOf(id).Pool(func() {
		if t.unsent != nil {
			t.unsent.flush(id)
		}
		for ; t.groups > 0; t.groups-- {
			objc.Send(id, selPopDebugGroup)
		}
		objc.Send(id, selEndEncoding)
		objc.Release(id)
		objc.Release(t.buffer)
	})
	t.unpin()
}

// end ends the encoder, once.
func (e *commandEncoder) end() {
	if e.msg == nil {
		return
	}
	b := e.msg
	e.msg = nil
	e.buffer.open = nil
	if e.buffer.failed == nil {
		e.buffer.failed = e.err
	}
	if id := e.disown(); id != 0 {
		e.tail.unsent = b
		e.tail.end(id)
		b.free()
	}
}

// flush sends what is recorded, before a message that is not.
func (e *commandEncoder) flush() {
	e.msg.flush(e.object())
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
	if e.msg != nil && e.err == nil && e.tail.groups != 0 {
		e.fail(argument(op, "debug groups", "each popped", strconv.Itoa(e.tail.groups)+" open"))
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
	e.flush()
	e.tail.groups++
	sendString(e.object(), selPushDebugGroup, name)
	runtime.KeepAlive(e)
}

func (e *commandEncoder) popDebugGroup(op string) {
	if !e.usable(op) {
		return
	}
	if e.tail.groups == 0 {
		e.fail(argument(op, "debug groups", "one that is open", "none"))
		return
	}
	e.flush() // the tail counts the groups that Metal has open
	e.tail.groups--
	objc.Send(e.object(), selPopDebugGroup)
	runtime.KeepAlive(e)
}
