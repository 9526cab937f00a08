package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// SetComputePipelineState sets the pipeline of the dispatches that follow.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/setcomputepipelinestate(_:)
func (e *MTL4ComputeCommandEncoder) SetComputePipelineState(p *ComputePipelineState) {
	const op = "MTL4ComputeCommandEncoder.SetComputePipelineState"
	if !e.usable(op) {
		return
	}
	id, err := objectOf(op, "pipeline", e.Device(), p)
	if !e.check(err) {
		return
	}
	e.pipeline = p
	e.buffer.keep(&p.handle)
	e.msg.Send(e.object(), selSetComputePipelineState, uintptr(id))
	runtime.KeepAlive(e)
}

// SetArgumentTable sets the table that the dispatches that follow take their arguments from, each as the table is then; nil for
// none.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/setargumenttable(_:)
func (e *MTL4ComputeCommandEncoder) SetArgumentTable(t *MTL4ArgumentTable) {
	const op = "MTL4ComputeCommandEncoder.SetArgumentTable"
	if !e.usable(op) {
		return
	}
	var id objc.ID
	if t != nil {
		var err error
		if id, err = objectOf(op, "argument table", e.Device(), t); !e.check(err) {
			return
		}
		e.buffer.keep(&t.handle)
	}
	e.table, e.keptTable = t, 0
	e.msg.Send(e.object(), selSetArgumentTable, uintptr(id))
	runtime.KeepAlive(e)
}

// SetThreadgroupMemoryLength gives [[threadgroup(index)]] length bytes, a multiple of 16; 0 takes them away.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/setthreadgroupmemorylength(_:index:)
func (e *MTL4ComputeCommandEncoder) SetThreadgroupMemoryLength(length, index int) {
	const op = "MTL4ComputeCommandEncoder.SetThreadgroupMemoryLength"
	if !e.usable(op) {
		return
	}
	if index < 0 || index >= maxBuffers {
		e.fail(intArgument(op, "index", "0 to 30", index))
		return
	}
	if most := e.Device().maxThreadgroupMemory; length < 0 || length%16 != 0 || length > most {
		e.fail(intArgument(op, "length", "a multiple of 16 from 0 to "+strconv.Itoa(most), length))
		return
	}
	e.dynamicMemory += length - e.threadgroup[index]
	e.threadgroup[index] = length
	e.msg.Send(e.object(), selSetThreadgroupMemoryLength, uintptr(length), uintptr(index))
	runtime.KeepAlive(e)
}

// DispatchThreadgroups runs the pipeline over grid threadgroups of group threads each.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/dispatchthreadgroups(threadgroupspergrid:threadsperthreadgroup:)
func (e *MTL4ComputeCommandEncoder) DispatchThreadgroups(grid, group Size) {
	const op = "MTL4ComputeCommandEncoder.DispatchThreadgroups"
	if e.dispatchable(op) && e.checkGroup(op, group) && e.checkGrid(op, grid, group) {
		e.dispatch(selDispatchThreadgroups, grid, group)
	}
}

// DispatchThreads runs the pipeline over a grid of threads in threadgroups of group threads; those at the grid's ends may be
// smaller.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/dispatchthreads(threadspergrid:threadsperthreadgroup:)
func (e *MTL4ComputeCommandEncoder) DispatchThreads(grid, group Size) {
	const op = "MTL4ComputeCommandEncoder.DispatchThreads"
	if e.dispatchable(op) && e.checkGroup(op, group) && e.checkGrid(op, grid, Size{1, 1, 1}) {
		e.dispatch(selDispatchThreads, grid, group)
	}
}

func (e *MTL4ComputeCommandEncoder) dispatch(sel objc.SEL, grid, group Size) {
	e.msg.Send(e.object(), sel,
		uintptr(grid.Width), uintptr(grid.Height), uintptr(grid.Depth),
		uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
	runtime.KeepAlive(e)
}

// DispatchThreadgroupsIndirect runs the pipeline over a grid of threadgroups of group threads each, whose extent stands in a buffer
// when the dispatch runs: three uint32, width, height and depth in threadgroups, from a byte offset that is a multiple of 4.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/dispatchthreadgroups(indirectbuffer:threadsperthreadgroup:)
func (e *MTL4ComputeCommandEncoder) DispatchThreadgroupsIndirect(b *Buffer, offset int, group Size) {
	const op = "MTL4ComputeCommandEncoder.DispatchThreadgroupsIndirect"
	if !e.dispatchable(op) || !e.checkGroup(op, group) {
		return
	}
	if address, ok := e.address(op, b, offset, indirectArguments); ok {
		e.msg.Send(e.object(), selDispatchIndirectMTL4, uintptr(address), uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
		runtime.KeepAlive(e)
	}
}

// DispatchThreadsIndirect runs the pipeline over a grid that stands in a buffer when the dispatch runs: six uint32, width, height and
// depth in threads of the grid and then of a threadgroup, from a byte offset that is a multiple of 4.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/dispatchthreads(indirectbuffer:)
func (e *MTL4ComputeCommandEncoder) DispatchThreadsIndirect(b *Buffer, offset int) {
	const op = "MTL4ComputeCommandEncoder.DispatchThreadsIndirect"
	if !e.dispatchable(op) {
		return
	}
	if address, ok := e.address(op, b, offset, 2*indirectArguments); ok {
		e.msg.Send(e.object(), selDispatchThreadsMTL4, uintptr(address))
		runtime.KeepAlive(e)
	}
}

// address gives the address on the device of n bytes of a buffer, which the command buffer keeps from then on.
func (e *MTL4ComputeCommandEncoder) address(op string, b *Buffer, offset, n int) (uint64, bool) {
	if _, err := objectOf(op, "buffer", e.Device(), b); !e.check(err) {
		return 0, false
	}
	if offset < 0 || offset%4 != 0 || offset > b.length-n {
		e.fail(intArgument(op, "offset", "a multiple of 4 with "+strconv.Itoa(n)+" bytes behind it in the buffer's "+strconv.Itoa(b.length), offset))
		return 0, false
	}
	e.buffer.keep(&b.handle)
	return b.GPUAddress() + uint64(offset), true
}

// checkGroup holds a threadgroup, and what is set for it, to the limits of pipeline and device.
func (e *MTL4ComputeCommandEncoder) checkGroup(op string, group Size) bool {
	return e.check(e.pipeline.groupError(op, group, e.dynamicMemory))
}

// dispatchable reports whether there is a pipeline, and keeps what the argument table binds.
func (e *MTL4ComputeCommandEncoder) dispatchable(op string) bool {
	if !e.usable(op) {
		return false
	}
	if e.pipeline == nil {
		e.fail(argument(op, "pipeline", "one set with SetComputePipelineState", "none"))
		return false
	}
	t := e.table
	if t == nil || e.keptTable == t.version {
		return true
	}
	for i, h := range t.bound {
		if h == nil {
			continue
		}
		if h.object() == 0 {
			e.fail(releasedArgument(op, "argument "+strconv.Itoa(i)+" of the argument table"))
			return false
		}
		e.buffer.keep(h)
	}
	e.keptTable = t.version
	return true
}

func (e *MTL4ComputeCommandEncoder) checkGrid(op string, grid, each Size) bool {
	return e.check(extentError(op, grid.Width, each.Width)) && e.check(extentError(op, grid.Height, each.Height)) &&
		e.check(extentError(op, grid.Depth, each.Depth))
}

// CopyBuffer copies n bytes. Offsets and n are multiples of 4; the ranges lie inside the buffers and, in one buffer, do not
// overlap.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/copy(sourcebuffer:sourceoffset:destinationbuffer:destinationoffset:size:)
func (e *MTL4ComputeCommandEncoder) CopyBuffer(src *Buffer, srcOffset int, dst *Buffer, dstOffset, n int) {
	const op = "MTL4ComputeCommandEncoder.CopyBuffer"
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
	runtime.KeepAlive(e)
}

// FillBuffer sets n bytes from offset on to value. offset and n are multiples of 4.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/fill(buffer:range:value:)
func (e *MTL4ComputeCommandEncoder) FillBuffer(b *Buffer, offset, n int, value byte) {
	const op = "MTL4ComputeCommandEncoder.FillBuffer"
	if !e.usable(op) || !e.checkRange(op, "buffer", b, offset, n) {
		return
	}
	e.buffer.keep(&b.handle)
	e.msg.Send(e.object(), selFillBuffer, uintptr(b.object()), uintptr(offset), uintptr(n), uintptr(value))
	runtime.KeepAlive(e)
}

func (e *MTL4ComputeCommandEncoder) checkRange(op, arg string, b *Buffer, offset, n int) bool {
	if _, err := objectOf(op, arg, e.Device(), b); !e.check(err) {
		return false
	}
	if offset < 0 || n < 1 || n > b.length || offset > b.length-n || offset%blitAlignment != 0 || n%blitAlignment != 0 {
		e.fail(argument(op, arg, "1 or more bytes inside its "+strconv.Itoa(b.length)+", offset and count multiples of 4",
			strconv.Itoa(n)+" bytes from "+strconv.Itoa(offset)))
		return false
	}
	return true
}
