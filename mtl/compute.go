package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

const (
	maxBuffers  = 31   // [[buffer(n)]] and [[threadgroup(n)]] indices are 0 to 30
	maxSetBytes = 4096 // longest SetBytes
)

// ComputeCommandEncoder encodes compute work. It belongs to one goroutine. Its methods return nothing: the first one that
// fails sticks, nothing is sent after it, and Err and EndEncoding tell. Encoding allocates nothing once the
// command buffer's lists have grown.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder
type ComputeCommandEncoder struct {
	commandEncoder
	dispatchType  DispatchType
	pipeline      *ComputePipelineState
	bound         [maxBuffers]*Buffer // nil: nothing, or bytes
	bindings      bindings
	sentPipeline  objc.ID
	threadgroup   [maxBuffers]int     // bytes of threadgroup memory
	dynamicMemory int                 // their sum
	ids           [maxBuffers]objc.ID // scratch of messages that take a list
}

// NewComputeCommandEncoder begins to encode compute work. EndEncoding must be called before the next encoder is made and before
// Commit.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/makecomputecommandencoder(dispatchtype:)
func (c *CommandBuffer) NewComputeCommandEncoder(t DispatchType) (*ComputeCommandEncoder, error) {
	const op = "CommandBuffer.NewComputeCommandEncoder"
	id, err := c.encodable(op)
	if err != nil {
		return nil, err
	}
	if t != DispatchTypeSerial && t != DispatchTypeConcurrent {
		return nil, argument(op, "dispatch type", "DispatchTypeSerial or DispatchTypeConcurrent", t.String())
	}
	var e *ComputeCommandEncoder
	c.queue.device.runtime.Pool(func() {
		if made := objc.Retain(objc.SendID(id, selComputeCommandEncoder, uintptr(t))); made != 0 {
			e = c.beginCompute(made, t)
		}
	})
	runtime.KeepAlive(c)
	if e == nil {
		return nil, ErrOutOfMemory
	}
	return e, nil
}

// beginCompute makes the encoder of an object, whose reference it takes over.
func (c *CommandBuffer) beginCompute(made objc.ID, t DispatchType) *ComputeCommandEncoder {
	e := &ComputeCommandEncoder{dispatchType: t}
	begin(e, &e.commandEncoder, "compute command encoder", c, made)
	e.msg.bindings = &e.bindings
	return e
}

// Device is the device that the work is for.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/device
func (e *ComputeCommandEncoder) Device() *Device { return e.buffer.queue.device }

// DispatchType says whether dispatches may overlap.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/dispatchtype
func (e *ComputeCommandEncoder) DispatchType() DispatchType { return e.dispatchType }

// Err is the error of the first method that failed, nil if none has.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder
func (e *ComputeCommandEncoder) Err() error { return e.err }

// EndEncoding ends the encoder and gives the error of the first method that failed. Calling it again gives the same.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/endencoding()
func (e *ComputeCommandEncoder) EndEncoding() error {
	return e.endEncoding("ComputeCommandEncoder.EndEncoding")
}

// SetLabel names the encoder for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/label
func (e *ComputeCommandEncoder) SetLabel(s string) {
	if e.usable("ComputeCommandEncoder.SetLabel") {
		e.label.set(&e.handle, s)
	}
}

// PushDebugGroup begins a named group of commands, for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/pushdebuggroup(_:)
func (e *ComputeCommandEncoder) PushDebugGroup(name string) {
	e.pushDebugGroup("ComputeCommandEncoder.PushDebugGroup", name)
}

// PopDebugGroup ends the innermost group.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/popdebuggroup()
func (e *ComputeCommandEncoder) PopDebugGroup() {
	e.popDebugGroup("ComputeCommandEncoder.PopDebugGroup")
}

// SetComputePipelineState sets the pipeline for the dispatches that follow. Buffers stay bound.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setcomputepipelinestate(_:)
func (e *ComputeCommandEncoder) SetComputePipelineState(p *ComputePipelineState) {
	const op = "ComputeCommandEncoder.SetComputePipelineState"
	if !e.usable(op) {
		return
	}
	switch {
	case p == nil:
		e.fail(argument(op, "pipeline", "a pipeline", "nil"))
	case p.object() == 0:
		e.fail(releasedArgument(op, "pipeline"))
	case p.device.self != e.Device().self:
		e.fail(otherDevice(op, "pipeline", e.Device(), p.device))
	default:
		id := p.object()
		if e.pipeline = p; id == e.sentPipeline {
			return
		}
		e.sentPipeline = id
		e.buffer.keep(&p.handle)
		e.msg.state(e.object(), selSetComputePipelineState, uintptr(id))
		runtime.KeepAlive(p)
		runtime.KeepAlive(e)
	}
}

// SetBuffer binds a buffer, from a byte offset on, to [[buffer(index)]], index 0 to 30. A nil b with offset 0 unbinds.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbuffer(_:offset:index:)
func (e *ComputeCommandEncoder) SetBuffer(b *Buffer, offset, index int) {
	const op = "ComputeCommandEncoder.SetBuffer"
	if !e.usable(op) || !e.checkIndex(op, index) || !e.checkBinding(op, b, offset) {
		return
	}
	e.bound[index] = b
	e.bindings.set(index, e.bind(b), uintptr(offset))
}

// SetBufferOffset moves the offset of the buffer that SetBuffer or SetBuffers bound to index.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbufferoffset(_:index:)
func (e *ComputeCommandEncoder) SetBufferOffset(offset, index int) {
	const op = "ComputeCommandEncoder.SetBufferOffset"
	if !e.usable(op) || !e.checkIndex(op, index) {
		return
	}
	b := e.bound[index]
	if b == nil {
		e.fail(argument(op, "index", "one with a buffer", strconv.Itoa(index)+", which has none"))
		return
	}
	if !e.checkBinding(op, b, offset) {
		return
	}
	e.bindings.set(index, e.bind(b), uintptr(offset))
}

// SetBuffers binds buffers to the indices from first on. There are as many offsets as buffers, and nil entries unbind. However buffers
// are set, those that have changed go out before the next dispatch, neighbours in one message.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbuffers(_:offsets:range:)
func (e *ComputeCommandEncoder) SetBuffers(bs []*Buffer, offsets []int, first int) {
	const op = "ComputeCommandEncoder.SetBuffers"
	if !e.usable(op) {
		return
	}
	if len(offsets) != len(bs) {
		e.fail(intArgument(op, "offsets", strconv.Itoa(len(bs))+" of them, one for each buffer", len(offsets)))
		return
	}
	if first < 0 || first > maxBuffers || len(bs) > maxBuffers-first || len(bs) == 0 {
		e.fail(argument(op, "buffers", "1 or more, indices 0 to 30", strconv.Itoa(len(bs))+" from index "+strconv.Itoa(first)))
		return
	}
	for i, b := range bs {
		if !e.checkBinding(op, b, offsets[i]) {
			return
		}
	}
	for i, b := range bs {
		e.bound[first+i] = b
		e.bindings.set(first+i, e.bind(b), uintptr(offsets[i]))
	}
}

// forget notes that the encoder may no longer have what was set.
func (e *ComputeCommandEncoder) forget() {
	e.sentPipeline = unknown
	e.bindings.forget()
}

// bind keeps b and gives its id; 0 for nil.
func (e *ComputeCommandEncoder) bind(b *Buffer) objc.ID {
	if b == nil {
		return 0
	}
	e.buffer.keep(&b.handle)
	return b.object()
}

// SetBytes gives a copy of b, 1 to 4096 bytes, to [[buffer(index)]].
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbytes(_:length:index:)
func (e *ComputeCommandEncoder) SetBytes(b []byte, index int) {
	const op = "ComputeCommandEncoder.SetBytes"
	if !e.usable(op) || !e.checkIndex(op, index) {
		return
	}
	if len(b) < 1 || len(b) > maxSetBytes {
		e.fail(intArgument(op, "bytes", "1 to 4096 bytes", len(b)))
		return
	}
	e.bound[index] = nil
	e.bindings.setBytes(index)
	e.msg.state(e.object(), selSetBytes, e.msg.Bytes(b), uintptr(len(b)), uintptr(index))
	runtime.KeepAlive(e)
}

// SetThreadgroupMemoryLength gives [[threadgroup(index)]] length bytes, a multiple of 16; 0 takes them away.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setthreadgroupmemorylength(_:index:)
func (e *ComputeCommandEncoder) SetThreadgroupMemoryLength(length, index int) {
	const op = "ComputeCommandEncoder.SetThreadgroupMemoryLength"
	if !e.usable(op) || !e.checkIndex(op, index) {
		return
	}
	most := e.Device().maxThreadgroupMemory
	if length < 0 || length%16 != 0 || length > most {
		e.fail(intArgument(op, "length", "a multiple of 16 from 0 to "+strconv.Itoa(most), length))
		return
	}
	if length == e.threadgroup[index] {
		return
	}
	e.dynamicMemory += length - e.threadgroup[index]
	e.threadgroup[index] = length
	e.msg.state(e.object(), selSetThreadgroupMemoryLength, uintptr(length), uintptr(index))
	runtime.KeepAlive(e)
}

// MemoryBarrier orders what an encoder of DispatchTypeConcurrent has dispatched so far before what it dispatches next, for the
// resources of the scope. It does nothing in a serial encoder, whose dispatches are ordered.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/memorybarrier(scope:)
func (e *ComputeCommandEncoder) MemoryBarrier(s BarrierScope) {
	const op = "ComputeCommandEncoder.MemoryBarrier"
	if !e.usable(op) {
		return
	}
	if s != BarrierScopeBuffers {
		e.fail(intArgument(op, "scope", "BarrierScopeBuffers", int(s)))
		return
	}
	e.msg.Send(e.object(), selMemoryBarrierWithScope, uintptr(s))
	runtime.KeepAlive(e)
}

// MemoryBarrierWithResources is MemoryBarrier for the given buffers alone, at most 31.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/memorybarrier(resources:)
func (e *ComputeCommandEncoder) MemoryBarrierWithResources(bs ...*Buffer) {
	const op = "ComputeCommandEncoder.MemoryBarrierWithResources"
	if !e.usable(op) {
		return
	}
	if len(bs) == 0 || len(bs) > maxBuffers {
		e.fail(intArgument(op, "buffers", "1 to 31", len(bs)))
		return
	}
	for i, b := range bs {
		if b == nil {
			e.fail(argument(op, "buffers", "buffers", "nil"))
			return
		}
		if !e.checkBuffer(op, "buffers", b) {
			return
		}
		e.ids[i] = e.bind(b)
	}
	e.msg.Send(e.object(), selMemoryBarrierWithResources, e.msg.IDs(e.ids[:len(bs)]), uintptr(len(bs)))
	runtime.KeepAlive(bs)
	runtime.KeepAlive(e)
}

func (e *ComputeCommandEncoder) checkIndex(op string, index int) bool {
	if index < 0 || index >= maxBuffers {
		e.fail(intArgument(op, "index", "0 to 30", index))
		return false
	}
	return true
}

// checkBinding holds a buffer, which may be nil, and its offset to Metal's rules.
func (e *ComputeCommandEncoder) checkBinding(op string, b *Buffer, offset int) bool {
	if b == nil {
		if offset != 0 {
			e.fail(intArgument(op, "offset", "0 where the buffer is nil", offset))
			return false
		}
		return true
	}
	if !e.checkBuffer(op, "buffer", b) {
		return false
	}
	if offset < 0 || offset >= b.length {
		e.fail(intArgument(op, "offset", "0 to "+strconv.Itoa(b.length-1)+", inside the buffer", offset))
		return false
	}
	return true
}
