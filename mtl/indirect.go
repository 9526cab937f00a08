package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// maxIndirectCommands is how many commands Metal lets an indirect command buffer have.
const maxIndirectCommands = 16384

// IndirectCommandBufferDescriptor says what the commands of an indirect command buffer can do.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcommandbufferdescriptor
type IndirectCommandBufferDescriptor struct {
	CommandTypes         IndirectCommandType // IndirectCommandTypeConcurrentDispatch, ...ConcurrentDispatchThreads, or both
	InheritPipelineState bool                // commands run with the encoder's pipeline
	InheritBuffers       bool                // commands run with the encoder's buffers

	MaxKernelBufferBindCount            int // buffers that a command can bind, 0 to 31; indices below it
	MaxKernelThreadgroupMemoryBindCount int // threadgroup memory that a command can have, 0 to 31; macOS 14
}

// IndirectCommandBuffer is a list of dispatches, encoded once by the CPU and run as often as encoders say. It is safe for
// concurrent use as long as its commands do not change.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcommandbuffer
type IndirectCommandBuffer struct {
	handle
	label
	device   *Device
	desc     IndirectCommandBufferDescriptor
	commands []indirectCommand
}

// indirectCommand is what a command has been told, so that what Metal would assert on is found before it is sent.
type indirectCommand struct {
	pipeline *ComputePipelineState
	buffers  []*Buffer
	memory   []int // bytes of threadgroup memory
}

// NewIndirectCommandBuffer makes an indirect command buffer of count commands, 1 to 16384, which do nothing yet. It fails with
// ErrUnsupported, ErrOutOfMemory or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeindirectcommandbuffer(descriptor:maxcommandcount:options:)
func (d *Device) NewIndirectCommandBuffer(desc *IndirectCommandBufferDescriptor, count int, o ResourceOptions) (*IndirectCommandBuffer, error) {
	const op = "Device.NewIndirectCommandBuffer"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	const both = IndirectCommandTypeConcurrentDispatch | IndirectCommandTypeConcurrentDispatchThreads
	if desc.CommandTypes == 0 || desc.CommandTypes&^both != 0 {
		return nil, intArgument(op, "CommandTypes", "IndirectCommandTypeConcurrentDispatch, IndirectCommandTypeConcurrentDispatchThreads or both", int(desc.CommandTypes))
	}
	if n := desc.MaxKernelBufferBindCount; n < 0 || n > maxBuffers {
		return nil, intArgument(op, "MaxKernelBufferBindCount", "0 to 31", n)
	}
	if n := desc.MaxKernelThreadgroupMemoryBindCount; n < 0 || n > maxBuffers {
		return nil, intArgument(op, "MaxKernelThreadgroupMemoryBindCount", "0 to 31", n)
	}
	if count < 1 || count > maxIndirectCommands {
		return nil, intArgument(op, "count", "1 to "+strconv.Itoa(maxIndirectCommands), count)
	}
	if err := d.checkBuffer(op, "count", 1, o); err != nil {
		return nil, err
	}
	made, err := d.makes(op, selNewIndirectCommandBuffer, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		layout := newObject(d.runtime, "MTLIndirectCommandBufferDescriptor")
		defer objc.Release(layout)
		if err := desc.set(op, layout); err != nil {
			return 0, err
		}
		return objc.ID(m.Send(id, selNewIndirectCommandBuffer, uintptr(layout), uintptr(count), uintptr(o))), nil
	})
	if err != nil {
		return nil, err
	}
	b := &IndirectCommandBuffer{device: d, desc: *desc, commands: make([]indirectCommand, count)}
	own(b, &b.handle, made, drop)
	return b, nil
}

func (desc *IndirectCommandBufferDescriptor) set(op string, o objc.ID) error {
	objc.Send(o, selSetCommandTypes, uintptr(desc.CommandTypes))
	objc.Send(o, selSetInheritPipelineState, bit(desc.InheritPipelineState))
	objc.Send(o, selSetInheritBuffers, bit(desc.InheritBuffers))
	objc.Send(o, selSetMaxKernelBufferBindCount, uintptr(desc.MaxKernelBufferBindCount))
	if desc.MaxKernelThreadgroupMemoryBindCount > 0 {
		if !objc.Responds(o, selSetMaxKernelThreadgroupMemoryBindCount) {
			return unsupported(op, "MaxKernelThreadgroupMemoryBindCount")
		}
		objc.Send(o, selSetMaxKernelThreadgroupMemoryBindCount, uintptr(desc.MaxKernelThreadgroupMemoryBindCount))
	}
	return nil
}

// Release lets go of the indirect command buffer. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (b *IndirectCommandBuffer) Release() { b.release() }

// Device is the device that made the indirect command buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/device
func (b *IndirectCommandBuffer) Device() *Device { return b.device }

func (b *IndirectCommandBuffer) from() *Device { return b.device }

// Size is the number of commands.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcommandbuffer/size
func (b *IndirectCommandBuffer) Size() int { return len(b.commands) }

// SetLabel names the indirect command buffer for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (b *IndirectCommandBuffer) SetLabel(s string) { b.label.set(&b.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (b *IndirectCommandBuffer) Label() string { return b.label.get() }

// Reset makes n commands from first on do nothing.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcommandbuffer/reset(_:)
func (b *IndirectCommandBuffer) Reset(first, n int) error {
	const op = "IndirectCommandBuffer.Reset"
	if b.object() == 0 {
		return releasedArgument(op, "indirect command buffer")
	}
	if err := b.checkRange(op, first, n); err != nil {
		return err
	}
	b.device.runtime.Pool(func() { b.send(selResetWithRange, uintptr(first), uintptr(n)) })
	clear(b.commands[first : first+n])
	return nil
}

func (b *IndirectCommandBuffer) checkRange(op string, first, n int) error {
	if size := len(b.commands); n < 1 || n > size || first < 0 || first > size-n {
		return argument(op, "range", "1 or more of "+strconv.Itoa(size)+" commands", strconv.Itoa(n)+" from "+strconv.Itoa(first))
	}
	return nil
}

// keep holds on to all that n commands from first on use, for a command buffer, and gives the buffers among it. The device must not
// be using the commands.
func (b *IndirectCommandBuffer) keep(op string, c *CommandBuffer, first, n int) ([]*Buffer, error) {
	var all []*Buffer
	seen := make(map[*Buffer]bool)
	for i := range b.commands[first : first+n] {
		command := &b.commands[first+i]
		if p := command.pipeline; p != nil {
			if p.object() == 0 {
				return nil, releasedArgument(op, "pipeline of command "+strconv.Itoa(first+i))
			}
			c.keep(&p.handle)
		}
		for _, buffer := range command.buffers {
			if buffer == nil || seen[buffer] {
				continue
			}
			if buffer.object() == 0 {
				return nil, releasedArgument(op, "buffer of command "+strconv.Itoa(first+i))
			}
			seen[buffer] = true
			c.keep(&buffer.handle)
			all = append(all, buffer)
		}
	}
	return all, nil
}

// Encode has f tell command index what to do. f must not use the command after it returns. Encode gives f's error, or that of
// the first of the command's methods that failed, after which nothing is sent; the command may then be half encoded.
//
// Reference: https://developer.apple.com/documentation/metal/mtlindirectcommandbuffer/indirectcomputecommandat(_:)
func (b *IndirectCommandBuffer) Encode(index int, f func(c *IndirectComputeCommand) error) error {
	const op = "IndirectCommandBuffer.Encode"
	id := b.object()
	if id == 0 {
		return releasedArgument(op, "indirect command buffer")
	}
	if index < 0 || index >= len(b.commands) {
		return intArgument(op, "index", "0 to "+strconv.Itoa(len(b.commands)-1), index)
	}
	c := &IndirectComputeCommand{in: b, state: &b.commands[index]}
	var err error
	b.device.runtime.Pool(func() {
		c.id = objc.SendID(id, selIndirectComputeCommand, uintptr(index))
		if c.id == 0 {
			err = ErrOutOfMemory
			return
		}
		err = f(c)
		c.id = 0
	})
	runtime.KeepAlive(b)
	if err != nil {
		return err
	}
	return c.err
}
