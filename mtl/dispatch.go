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

func (e *ComputeCommandEncoder) checkExtent(op string, n, each int) bool {
	if err := extentError(op, n, each); err != nil {
		e.fail(err)
		return false
	}
	return true
}

// extentError holds one dimension of a grid, n times each threads, to what a thread's 32-bit position can count.
func extentError(op string, n, each int) error {
	if n < 1 || n > math.MaxUint32/each {
		return intArgument(op, "grid", "1 to "+strconv.Itoa(math.MaxUint32/each)+" in each dimension", n)
	}
	return nil
}

// checkGroup holds a threadgroup, and what is set for it, to the limits of pipeline and device.
func (e *ComputeCommandEncoder) checkGroup(op string, g Size) bool {
	p := e.pipeline
	if p == nil {
		e.fail(argument(op, "pipeline", "one set with SetComputePipelineState", "none"))
		return false
	}
	if err := p.groupError(op, g, e.dynamicMemory); err != nil {
		e.fail(err)
		return false
	}
	return true
}

// groupError holds a threadgroup with so many bytes of threadgroup memory set to the limits of pipeline and device.
func (p *ComputePipelineState) groupError(op string, g Size, dynamicMemory int) error {
	most := p.device.maxThreads
	if g.Width < 1 || g.Height < 1 || g.Depth < 1 || g.Width > most.Width || g.Height > most.Height || g.Depth > most.Depth {
		return argument(op, "threadgroup", "1x1x1 to "+most.String(), g.String())
	}
	if p.required != (Size{}) && g != p.required {
		return argument(op, "threadgroup", "the "+p.required.String()+" that the pipeline's descriptor requires", g.String())
	}
	// A dimension is at most 1<<20 on any device, so the product of two does not overflow; the third may make it.
	threads := g.Width * g.Height
	if threads > p.maxThreads || threads*g.Depth > p.maxThreads {
		return argument(op, "threadgroup", "at most the pipeline's "+strconv.Itoa(p.maxThreads)+" threads", g.String())
	}
	if p.wholeSimdgroup && threads*g.Depth%p.width != 0 {
		return argument(op, "threadgroup", "a multiple of "+strconv.Itoa(p.width)+" threads, as the pipeline's descriptor promises", g.String())
	}
	if total := p.staticMemory + dynamicMemory; total > p.device.maxThreadgroupMemory {
		return argument(op, "threadgroup memory", "at most "+strconv.Itoa(p.device.maxThreadgroupMemory)+" bytes",
			strconv.Itoa(p.staticMemory)+" static and "+strconv.Itoa(dynamicMemory)+" set")
	}
	return nil
}
