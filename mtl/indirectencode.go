package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// ExecuteCommands runs n commands of an indirect command buffer from first on. The buffers that they use are made resident by
// this call. Commands that inherit run with the encoder's pipeline or buffers as they are now.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/executecommandsinbuffer(_:range:)
func (e *ComputeCommandEncoder) ExecuteCommands(b *IndirectCommandBuffer, first, n int) {
	const op = "ComputeCommandEncoder.ExecuteCommands"
	if !e.executable(op, b) {
		return
	}
	if err := b.checkRange(op, first, n); err != nil {
		e.fail(err)
		return
	}
	if e.resident(op, b, first, n) {
		e.msg.Send(e.object(), selExecuteCommands, uintptr(b.object()), uintptr(first), uintptr(n))
		e.forget()
		runtime.KeepAlive(b)
		runtime.KeepAlive(e)
	}
}

// ExecuteCommandsIndirect is ExecuteCommands of a range that the device reads when it comes to it: two uint32 in the buffer
// at a byte offset, which is a multiple of 4: the first command, and how many. The buffers of all commands are made resident.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/executecommandsinbuffer(_:indirectbuffer:offset:)
func (e *ComputeCommandEncoder) ExecuteCommandsIndirect(b *IndirectCommandBuffer, where *Buffer, offset int) {
	const op = "ComputeCommandEncoder.ExecuteCommandsIndirect"
	if !e.executable(op, b) {
		return
	}
	if where == nil {
		e.fail(argument(op, "buffer", "a buffer", "nil"))
		return
	}
	if !e.checkBuffer(op, "buffer", where) {
		return
	}
	if offset < 0 || offset%4 != 0 || offset > where.length-8 {
		e.fail(argument(op, "offset", "a multiple of 4 with 8 bytes behind it in the buffer of "+strconv.Itoa(where.length), strconv.Itoa(offset)))
		return
	}
	if e.resident(op, b, 0, len(b.commands)) {
		e.msg.Send(e.object(), selExecuteCommandsIndirect, uintptr(b.object()), uintptr(e.bind(where)), uintptr(offset))
		e.forget()
		runtime.KeepAlive(b)
		runtime.KeepAlive(where)
		runtime.KeepAlive(e)
	}
}

// executable reports whether commands of b may be run.
func (e *ComputeCommandEncoder) executable(op string, b *IndirectCommandBuffer) bool {
	if !e.usable(op) || !e.checkIndirect(op, "indirect command buffer", b) {
		return false
	}
	if b.desc.InheritPipelineState {
		if e.pipeline == nil {
			e.fail(argument(op, "pipeline", "one set with SetComputePipelineState, for the commands inherit it", "none"))
			return false
		}
		if !e.pipeline.indirect {
			e.fail(argument(op, "pipeline", "one made with SupportIndirectCommandBuffers", "one made without"))
			return false
		}
	}
	return true
}

// resident keeps what the commands use, and sends the buffers.
func (e *ComputeCommandEncoder) resident(op string, b *IndirectCommandBuffer, first, n int) bool {
	buffers, err := b.keep(op, e.buffer, first, n)
	if err != nil {
		e.fail(err)
		return false
	}
	e.buffer.keep(&b.handle)
	if len(buffers) > 0 {
		e.UseResources(ResourceUsageRead|ResourceUsageWrite, buffers...)
	}
	return e.err == nil
}

// checkIndirect tells what is wrong with an indirect command buffer.
func (e *commandEncoder) checkIndirect(op, arg string, b *IndirectCommandBuffer) bool {
	_, err := objectOf(op, arg, e.buffer.queue.device, b)
	if err != nil {
		e.fail(err)
	}
	return err == nil
}

// ResetCommands makes n commands from first on do nothing, when the device comes to it.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/resetcommandsinbuffer(_:range:)
func (e *BlitCommandEncoder) ResetCommands(b *IndirectCommandBuffer, first, n int) {
	const op = "BlitCommandEncoder.ResetCommands"
	if e.indirect(op, selResetCommandsInBuffer, b, first, n) {
		clear(b.commands[first : first+n])
	}
}

// OptimizeCommands lets the device drop what n commands from first on set twice, when it comes to it.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/optimizeindirectcommandbuffer(_:range:)
func (e *BlitCommandEncoder) OptimizeCommands(b *IndirectCommandBuffer, first, n int) {
	e.indirect("BlitCommandEncoder.OptimizeCommands", selOptimizeIndirectCommandBuffer, b, first, n)
}

// indirect sends a message about a range of commands.
func (e *BlitCommandEncoder) indirect(op string, sel objc.SEL, b *IndirectCommandBuffer, first, n int) bool {
	if !e.usable(op) || !e.checkIndirect(op, "indirect command buffer", b) {
		return false
	}
	if err := b.checkRange(op, first, n); err != nil {
		e.fail(err)
		return false
	}
	e.buffer.keep(&b.handle)
	e.msg.Send(e.object(), sel, uintptr(b.object()), uintptr(first), uintptr(n))
	runtime.KeepAlive(b)
	runtime.KeepAlive(e)
	return true
}

// CopyCommands copies n commands of src from first on to those of dst from dstFirst on, when the device comes to it. The two were made
// from equal descriptors; ranges of one buffer do not overlap.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/copyindirectcommandbuffer(_:sourcerange:destination:destinationindex:)
func (e *BlitCommandEncoder) CopyCommands(src *IndirectCommandBuffer, first, n int, dst *IndirectCommandBuffer, dstFirst int) {
	const op = "BlitCommandEncoder.CopyCommands"
	if !e.usable(op) || !e.checkIndirect(op, "source", src) || !e.checkIndirect(op, "destination", dst) {
		return
	}
	if err := src.checkRange(op, first, n); err != nil {
		e.fail(err)
		return
	}
	if err := dst.checkRange(op, dstFirst, n); err != nil {
		e.fail(err)
		return
	}
	if src.desc != dst.desc {
		e.fail(argument(op, "destination", "one with the source's descriptor", "another descriptor"))
		return
	}
	if src == dst && first < dstFirst+n && dstFirst < first+n {
		e.fail(argument(op, "ranges", "ones that do not overlap", strconv.Itoa(n)+" commands at "+strconv.Itoa(first)+" and at "+strconv.Itoa(dstFirst)))
		return
	}
	e.buffer.keep(&src.handle)
	e.buffer.keep(&dst.handle)
	e.msg.Send(e.object(), selCopyIndirectCommandBuffer, uintptr(src.object()), uintptr(first), uintptr(n), uintptr(dst.object()), uintptr(dstFirst))
	runtime.KeepAlive(src)
	runtime.KeepAlive(dst)
	runtime.KeepAlive(e)
	for i, c := range src.commands[first : first+n] {
		dst.commands[dstFirst+i] = indirectCommand{c.pipeline, append([]*Buffer(nil), c.buffers...), append([]int(nil), c.memory...)}
	}
}
