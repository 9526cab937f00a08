package mtl

import (
	"runtime"
	"strconv"
)

// maxUses is the number of resources that one message takes from the encoder's scratch.
const maxUses = maxBuffers

// UseResource tells that the dispatches that follow use a buffer that they reach by an address in memory, and not by SetBuffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/useresource(_:usage:)
func (e *ComputeCommandEncoder) UseResource(b *Buffer, u ResourceUsage) {
	const op = "ComputeCommandEncoder.UseResource"
	if e.usable(op) && e.checkUsage(op, u) && e.checkUse(op, b) {
		e.msg.Send(e.object(), selUseResource, uintptr(e.bind(b)), uintptr(u))
		runtime.KeepAlive(b)
		runtime.KeepAlive(e)
	}
}

// UseResources is UseResource for several buffers at once.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/useresources(_:usage:)
func (e *ComputeCommandEncoder) UseResources(u ResourceUsage, bs ...*Buffer) {
	const op = "ComputeCommandEncoder.UseResources"
	if !e.usable(op) || !e.checkUsage(op, u) {
		return
	}
	if len(bs) == 0 {
		e.fail(intArgument(op, "buffers", "1 or more", 0))
		return
	}
	for _, b := range bs {
		if !e.checkUse(op, b) {
			return
		}
	}
	for len(bs) > 0 {
		n := min(len(bs), maxUses)
		for i, b := range bs[:n] {
			e.ids[i] = e.bind(b)
		}
		e.msg.Send(e.object(), selUseResources, e.msg.IDs(e.ids[:n]), uintptr(n), uintptr(u))
		runtime.KeepAlive(bs)
		bs = bs[n:]
	}
	runtime.KeepAlive(e)
}

// UseHeap tells that the dispatches that follow read buffers of a heap that they reach by an address in memory. What they
// write needs UseResource.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/useheap(_:)
func (e *ComputeCommandEncoder) UseHeap(h *Heap) {
	const op = "ComputeCommandEncoder.UseHeap"
	if e.usable(op) && e.checkHeap(op, h) {
		e.buffer.keep(&h.handle)
		e.msg.Send(e.object(), selUseHeap, uintptr(h.object()))
		runtime.KeepAlive(h)
		runtime.KeepAlive(e)
	}
}

// UseHeaps is UseHeap for several heaps at once.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/useheaps(_:)
func (e *ComputeCommandEncoder) UseHeaps(hs ...*Heap) {
	const op = "ComputeCommandEncoder.UseHeaps"
	if !e.usable(op) {
		return
	}
	if len(hs) == 0 || len(hs) > maxUses {
		e.fail(intArgument(op, "heaps", "1 to "+strconv.Itoa(maxUses), len(hs)))
		return
	}
	for i, h := range hs {
		if !e.checkHeap(op, h) {
			return
		}
		e.buffer.keep(&h.handle)
		e.ids[i] = h.object()
	}
	e.msg.Send(e.object(), selUseHeaps, e.msg.IDs(e.ids[:len(hs)]), uintptr(len(hs)))
	runtime.KeepAlive(hs)
	runtime.KeepAlive(e)
}

func (e *ComputeCommandEncoder) checkUsage(op string, u ResourceUsage) bool {
	if u == 0 || u&^(ResourceUsageRead|ResourceUsageWrite) != 0 {
		e.fail(intArgument(op, "usage", "ResourceUsageRead, ResourceUsageWrite or both", int(u)))
		return false
	}
	return true
}

func (e *ComputeCommandEncoder) checkUse(op string, b *Buffer) bool {
	if b == nil {
		e.fail(argument(op, "buffer", "a buffer", "nil"))
		return false
	}
	return e.checkBuffer(op, "buffer", b)
}

func (e *ComputeCommandEncoder) checkHeap(op string, h *Heap) bool {
	switch {
	case h == nil:
		e.fail(argument(op, "heap", "a heap", "nil"))
	case h.object() == 0:
		e.fail(releasedArgument(op, "heap"))
	case h.device.self != e.Device().self:
		e.fail(otherDevice(op, "heap", e.Device(), h.device))
	default:
		return true
	}
	return false
}

// indirectArguments is the size of the grid in an indirect buffer: three 32-bit counts.
const indirectArguments = 12

// DispatchThreadgroupsIndirect runs the pipeline over a grid of threadgroups of group threads each, whose extent stands in a buffer
// when the dispatch runs: three uint32, width, height and depth in threadgroups, from a byte offset that is a multiple of 4.
// An earlier dispatch may have written them. An extent of 0 runs nothing.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/dispatchthreadgroups(indirectbuffer:indirectbufferoffset:threadsperthreadgroup:)
func (e *ComputeCommandEncoder) DispatchThreadgroupsIndirect(b *Buffer, offset int, group Size) {
	const op = "ComputeCommandEncoder.DispatchThreadgroupsIndirect"
	if !e.usable(op) || !e.checkGroup(op, group) || !e.checkUse(op, b) {
		return
	}
	if offset < 0 || offset%4 != 0 || offset > b.length-indirectArguments {
		e.fail(intArgument(op, "offset", "a multiple of 4 with "+strconv.Itoa(indirectArguments)+" bytes behind it in the buffer's "+strconv.Itoa(b.length), offset))
		return
	}
	e.msg.Send(e.object(), selDispatchIndirect, uintptr(e.bind(b)), uintptr(offset),
		uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
	runtime.KeepAlive(b)
	runtime.KeepAlive(e)
}

// InsertDebugSignpost names a point among the commands, for tools and for the Encoders of a *CommandBufferError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/insertdebugsignpost(_:)
func (e *ComputeCommandEncoder) InsertDebugSignpost(name string) {
	e.insertDebugSignpost("ComputeCommandEncoder.InsertDebugSignpost", name)
}

// InsertDebugSignpost names a point among the commands, for tools and for the Encoders of a *CommandBufferError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencoder/insertdebugsignpost(_:)
func (e *BlitCommandEncoder) InsertDebugSignpost(name string) {
	e.insertDebugSignpost("BlitCommandEncoder.InsertDebugSignpost", name)
}

func (e *commandEncoder) insertDebugSignpost(op, name string) {
	if e.usable(op) {
		e.flush()
		sendString(e.object(), selInsertDebugSignpost, name)
		runtime.KeepAlive(e)
	}
}
