package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// blitAlignment is what macOS wants blit offsets and lengths to be multiples of.
const blitAlignment = 4

// BlitCommandEncoder encodes copies and fills. It belongs to one goroutine. Its methods return nothing: the first one that
// fails sticks, nothing is sent after it, and Err and EndEncoding tell.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder
type BlitCommandEncoder struct{ commandEncoder }

// NewBlitCommandEncoder begins to encode copies. EndEncoding must be called before the next encoder is made and before Commit.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/makeblitcommandencoder()
func (c *CommandBuffer) NewBlitCommandEncoder() (*BlitCommandEncoder, error) {
	id, err := c.encodable("CommandBuffer.NewBlitCommandEncoder")
	if err != nil {
		return nil, err
	}
	var e *BlitCommandEncoder
	c.queue.device.runtime.Pool(func() {
		if made := objc.Retain(objc.SendID(id, selBlitCommandEncoder)); made != 0 {
			e = new(BlitCommandEncoder)
			begin(e, &e.commandEncoder, "blit command encoder", c, made)
		}
	})
	runtime.KeepAlive(c)
	if e == nil {
		return nil, ErrOutOfMemory
	}
	return e, nil
}

// Device is the device that the work is for.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/device
func (e *BlitCommandEncoder) Device() *Device { return e.buffer.queue.device }

// Err is the error of the first method that failed, nil if none has.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder
func (e *BlitCommandEncoder) Err() error { return e.err }

// EndEncoding ends the encoder and gives the error of the first method that failed. Calling it again gives the same.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/endencoding()
func (e *BlitCommandEncoder) EndEncoding() error {
	return e.endEncoding("BlitCommandEncoder.EndEncoding")
}

// SetLabel names the encoder for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/label
func (e *BlitCommandEncoder) SetLabel(s string) {
	if e.usable("BlitCommandEncoder.SetLabel") {
		e.label.set(&e.handle, s)
	}
}

// PushDebugGroup begins a named group of commands, for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/pushdebuggroup(_:)
func (e *BlitCommandEncoder) PushDebugGroup(name string) {
	e.pushDebugGroup("BlitCommandEncoder.PushDebugGroup", name)
}

// PopDebugGroup ends the innermost group.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/popdebuggroup()
func (e *BlitCommandEncoder) PopDebugGroup() { e.popDebugGroup("BlitCommandEncoder.PopDebugGroup") }

// CopyBuffer copies n bytes. Offsets and n are multiples of 4, as macOS wants; the ranges lie inside the buffers and, in one
// buffer, do not overlap.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/copy(from:sourceoffset:to:destinationoffset:size:)
func (e *BlitCommandEncoder) CopyBuffer(src *Buffer, srcOffset int, dst *Buffer, dstOffset, n int) {
	const op = "BlitCommandEncoder.CopyBuffer"
	if !e.usable(op) || !e.checkRange(op, "source", src, srcOffset, n) || !e.checkRange(op, "destination", dst, dstOffset, n) {
		return
	}
	if src == dst && srcOffset < dstOffset+n && dstOffset < srcOffset+n {
		e.fail(argument(op, "ranges", "ones that do not overlap", strconv.Itoa(n)+" bytes at "+strconv.Itoa(srcOffset)+" and at "+strconv.Itoa(dstOffset)))
		return
	}
	e.buffer.keep(&src.handle)
	e.buffer.keep(&dst.handle)
	e.msg.Send(e.object(), selCopyFromBuffer, uintptr(src.object()), uintptr(srcOffset), uintptr(dst.object()), uintptr(dstOffset), uintptr(n))
	runtime.KeepAlive(src)
	runtime.KeepAlive(dst)
	runtime.KeepAlive(e)
}

// FillBuffer sets n bytes from offset on to value. offset and n are multiples of 4, as macOS wants.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/fill(buffer:range:value:)
func (e *BlitCommandEncoder) FillBuffer(b *Buffer, offset, n int, value byte) {
	const op = "BlitCommandEncoder.FillBuffer"
	if !e.usable(op) || !e.checkRange(op, "buffer", b, offset, n) {
		return
	}
	e.buffer.keep(&b.handle)
	e.msg.Send(e.object(), selFillBuffer, uintptr(b.object()), uintptr(offset), uintptr(n), uintptr(value))
	runtime.KeepAlive(b)
	runtime.KeepAlive(e)
}

func (e *BlitCommandEncoder) checkRange(op, arg string, b *Buffer, offset, n int) bool {
	if b == nil {
		e.fail(argument(op, arg, "a buffer", "nil"))
		return false
	}
	if !e.checkBuffer(op, arg, b) {
		return false
	}
	if offset < 0 || n < 1 || n > b.length || offset > b.length-n || offset%blitAlignment != 0 || n%blitAlignment != 0 {
		e.fail(argument(op, arg, "1 or more bytes inside its "+strconv.Itoa(b.length)+", offset and count multiples of 4",
			strconv.Itoa(n)+" bytes from "+strconv.Itoa(offset)))
		return false
	}
	return true
}
