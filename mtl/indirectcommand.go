package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// IndirectComputeCommand is a command of an indirect command buffer inside Encode. Its methods return nothing: the first one that
// fails sticks, nothing is sent after it, and Err and Encode tell.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand
type IndirectComputeCommand struct {
	in    *IndirectCommandBuffer
	id    objc.ID // borrowed while Encode runs; 0 afterwards
	state *indirectCommand
	err   error
}

// Err is the error of the first method that failed, nil if none has.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand
func (c *IndirectComputeCommand) Err() error { return c.err }

func (c *IndirectComputeCommand) usable(op string) bool {
	if c.err == nil && c.id == 0 {
		c.err = argument(op, "command", "one inside Encode", "use after Encode")
	}
	return c.err == nil
}

// SetComputePipelineState sets the command's pipeline, one made with SupportIndirectCommandBuffers.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/setcomputepipelinestate(_:)
func (c *IndirectComputeCommand) SetComputePipelineState(p *ComputePipelineState) {
	const op = "IndirectComputeCommand.SetComputePipelineState"
	if !c.usable(op) {
		return
	}
	id, err := objectOf(op, "pipeline", c.in.device, p)
	switch {
	case err != nil:
		c.err = err
	case c.in.desc.InheritPipelineState:
		c.err = argument(op, "pipeline", "none: the commands inherit the encoder's", "a pipeline")
	case !p.indirect:
		c.err = argument(op, "pipeline", "one made with SupportIndirectCommandBuffers", "one made without")
	default:
		c.state.pipeline = p
		objc.Send(c.id, selSetComputePipelineState, uintptr(id))
		runtime.KeepAlive(p)
	}
}

// SetKernelBuffer binds a buffer, from a byte offset on, to [[buffer(index)]], index below MaxKernelBufferBindCount. The command
// does not keep the buffer: it must not be released while commands that use it are to run.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/setkernelbuffer(_:offset:at:)
func (c *IndirectComputeCommand) SetKernelBuffer(b *Buffer, offset, index int) {
	const op = "IndirectComputeCommand.SetKernelBuffer"
	if !c.usable(op) {
		return
	}
	id, err := objectOf(op, "buffer", c.in.device, b)
	switch most := c.in.desc.MaxKernelBufferBindCount; {
	case err != nil:
		c.err = err
	case c.in.desc.InheritBuffers:
		c.err = argument(op, "buffer", "none: the commands inherit the encoder's", "a buffer")
	case index < 0 || index >= most:
		c.err = intArgument(op, "index", "0 or more, below MaxKernelBufferBindCount "+strconv.Itoa(most), index)
	case offset < 0 || offset >= b.length:
		c.err = intArgument(op, "offset", "0 to "+strconv.Itoa(b.length-1)+", inside the buffer", offset)
	default:
		if c.state.buffers == nil {
			c.state.buffers = make([]*Buffer, most)
		}
		c.state.buffers[index] = b
		objc.Send(c.id, selSetKernelBuffer, uintptr(id), uintptr(offset), uintptr(index))
		runtime.KeepAlive(b)
	}
}

// SetThreadgroupMemoryLength gives [[threadgroup(index)]] length bytes, a multiple of 16; index is below
// MaxKernelThreadgroupMemoryBindCount.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/setthreadgroupmemorylength(_:index:)
func (c *IndirectComputeCommand) SetThreadgroupMemoryLength(length, index int) {
	const op = "IndirectComputeCommand.SetThreadgroupMemoryLength"
	if !c.usable(op) {
		return
	}
	most := c.in.desc.MaxKernelThreadgroupMemoryBindCount
	if index < 0 || index >= most {
		c.err = intArgument(op, "index", "0 or more, below MaxKernelThreadgroupMemoryBindCount "+strconv.Itoa(most), index)
		return
	}
	if limit := c.in.device.maxThreadgroupMemory; length < 0 || length%16 != 0 || length > limit {
		c.err = intArgument(op, "length", "a multiple of 16 from 0 to "+strconv.Itoa(limit), length)
		return
	}
	if c.state.memory == nil {
		c.state.memory = make([]int, most)
	}
	c.state.memory[index] = length
	objc.Send(c.id, selSetThreadgroupMemoryLength, uintptr(length), uintptr(index))
}

// ConcurrentDispatchThreadgroups makes the command run its pipeline over grid threadgroups of group threads each, beside the
// commands before it unless SetBarrier says otherwise.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/concurrentdispatchthreadgroups(_:threadsperthreadgroup:)
func (c *IndirectComputeCommand) ConcurrentDispatchThreadgroups(grid, group Size) {
	const op = "IndirectComputeCommand.ConcurrentDispatchThreadgroups"
	if c.dispatchable(op, IndirectCommandTypeConcurrentDispatch, grid, group, group) {
		objc.Send(c.id, selConcurrentDispatchThreadgroups,
			uintptr(grid.Width), uintptr(grid.Height), uintptr(grid.Depth), uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
	}
}

// ConcurrentDispatchThreads makes the command run its pipeline over a grid of threads in threadgroups of group threads, beside the
// commands before it unless SetBarrier says otherwise.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/concurrentdispatchthreads(_:threadsperthreadgroup:)
func (c *IndirectComputeCommand) ConcurrentDispatchThreads(grid, group Size) {
	const op = "IndirectComputeCommand.ConcurrentDispatchThreads"
	if c.dispatchable(op, IndirectCommandTypeConcurrentDispatchThreads, grid, group, Size{1, 1, 1}) {
		objc.Send(c.id, selConcurrentDispatchThreads,
			uintptr(grid.Width), uintptr(grid.Height), uintptr(grid.Depth), uintptr(group.Width), uintptr(group.Height), uintptr(group.Depth))
	}
}

// dispatchable reports whether a dispatch of that type may be sent. each is how many threads a unit of
// the grid has.
func (c *IndirectComputeCommand) dispatchable(op string, typ IndirectCommandType, grid, group, each Size) bool {
	if !c.usable(op) {
		return false
	}
	if c.in.desc.CommandTypes&typ == 0 {
		c.err = intArgument(op, "CommandTypes", "a descriptor with this kind of command", int(c.in.desc.CommandTypes))
		return false
	}
	most := c.in.device.maxThreads
	if group.Width < 1 || group.Height < 1 || group.Depth < 1 || group.Width > most.Width || group.Height > most.Height || group.Depth > most.Depth {
		c.err = argument(op, "threadgroup", "1x1x1 to "+most.String(), group.String())
		return false
	}
	for _, n := range [3][2]int{{grid.Width, each.Width}, {grid.Height, each.Height}, {grid.Depth, each.Depth}} {
		if c.err = extentError(op, n[0], n[1]); c.err != nil {
			return false
		}
	}
	if p := c.state.pipeline; p != nil {
		memory := 0
		for _, n := range c.state.memory {
			memory += n
		}
		if c.err = p.groupError(op, group, memory); c.err != nil {
			return false
		}
	} else if !c.in.desc.InheritPipelineState {
		c.err = argument(op, "pipeline", "one set with SetComputePipelineState", "none")
		return false
	}
	return true
}

// SetBarrier makes the command wait for those before it.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/setbarrier()
func (c *IndirectComputeCommand) SetBarrier() {
	if c.usable("IndirectComputeCommand.SetBarrier") {
		objc.Send(c.id, selSetBarrier)
	}
}

// ClearBarrier lets the command run beside those before it, as it does if nothing is said.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/clearbarrier()
func (c *IndirectComputeCommand) ClearBarrier() {
	if c.usable("IndirectComputeCommand.ClearBarrier") {
		objc.Send(c.id, selClearBarrier)
	}
}

// Reset makes the command do nothing and forget what was set.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcomputecommand/reset()
func (c *IndirectComputeCommand) Reset() {
	if c.usable("IndirectComputeCommand.Reset") {
		*c.state = indirectCommand{}
		objc.Send(c.id, selReset)
	}
}
