package mtl

import (
	"math"
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// DispatchThreadgroups runs the pipeline over grid threadgroups of group threads each.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/dispatchthreadgroups(_:threadsperthreadgroup:)
func (e *ComputeCommandEncoder) DispatchThreadgroups(grid, group Size) {
	const op = "ComputeCommandEncoder.DispatchThreadgroups"
	if e.usable(op) && e.checkGroup(op, group) &&
		e.checkExtent(op, grid.Width, group.Width) && e.checkExtent(op, grid.Height, group.Height) && e.checkExtent(op, grid.Depth, group.Depth) {
		e.dispatch(selDispatchThreadgroups, grid, group)
	}
}

// DispatchThreads runs the pipeline over a grid of threads in threadgroups of group threads; those at the grid's ends may be
// smaller.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/dispatchthreads(_:threadsperthreadgroup:)
func (e *ComputeCommandEncoder) DispatchThreads(grid, group Size) {
	const op = "ComputeCommandEncoder.DispatchThreads"
	if e.usable(op) && e.checkGroup(op, group) &&
		e.checkExtent(op, grid.Width, 1) && e.checkExtent(op, grid.Height, 1) && e.checkExtent(op, grid.Depth, 1) {
		e.dispatch(selDispatchThreads, grid, group)
	}
}

func (e *ComputeCommandEncoder) dispatch(sel objc.SEL, grid, group Size) {
	e.msg.Send(e.object(), sel,
		uintptr(grid.Width), uintptr(grid.Height), uintptr(grid.Depth),
		uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
	runtime.KeepAlive(e)
}

// checkExtent holds one dimension of a grid, n times each threads, to what a thread's 32-bit position can count.
func (e *ComputeCommandEncoder) checkExtent(op string, n, each int) bool {
	if n < 1 || n > math.MaxUint32/each {
		e.fail(intArgument(op, "grid", "1 to "+strconv.Itoa(math.MaxUint32/each)+" in each dimension", n))
		return false
	}
	return true
}

// checkGroup holds a threadgroup, and what is set for it, to the limits of pipeline and device.
func (e *ComputeCommandEncoder) checkGroup(op string, g Size) bool {
	p := e.pipeline
	if p == nil {
		e.fail(argument(op, "pipeline", "one set with SetComputePipelineState", "none"))
		return false
	}
	most := p.device.maxThreads
	if g.Width < 1 || g.Height < 1 || g.Depth < 1 || g.Width > most.Width || g.Height > most.Height || g.Depth > most.Depth {
		e.fail(argument(op, "threadgroup", "1x1x1 to "+most.String(), g.String()))
		return false
	}
	// A dimension is at most 1<<20 on any device, so the product of two does not overflow; the third may make it.
	threads := g.Width * g.Height
	if threads > p.maxThreads || threads*g.Depth > p.maxThreads {
		e.fail(argument(op, "threadgroup", "at most the pipeline's "+strconv.Itoa(p.maxThreads)+" threads", g.String()))
		return false
	}
	if p.wholeSimdgroup && threads*g.Depth%p.width != 0 {
		e.fail(argument(op, "threadgroup", "a multiple of "+strconv.Itoa(p.width)+" threads, as the pipeline's descriptor promises", g.String()))
		return false
	}
	if total := p.staticMemory + e.dynamicMemory; total > p.device.maxThreadgroupMemory {
		e.fail(argument(op, "threadgroup memory", "at most "+strconv.Itoa(p.device.maxThreadgroupMemory)+" bytes",
			strconv.Itoa(p.staticMemory)+" static and "+strconv.Itoa(e.dynamicMemory)+" set"))
		return false
	}
	return true
}
