package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// CommandBufferDescriptor says how to make a command buffer. Its zero value is what NewCommandBuffer makes.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbufferdescriptor
type CommandBufferDescriptor struct {
	Label string

	// UnretainedReferences spares the device counting references to what the encoders use, which saves time. This package keeps
	// those objects until the work has completed all the same, even if they are released meanwhile.
	UnretainedReferences bool

	// ErrorOptions say what a *CommandBufferError tells: CommandBufferErrorOptionEncoderExecutionStatus fills its Encoders,
	// which costs time on a GPU.
	ErrorOptions CommandBufferErrorOption

	// LogState collects what kernels log, in place of the queue's. It needs macOS 15.
	LogState *LogState
}

// NewCommandBufferWithDescriptor makes a command buffer. It fails with an *ArgumentError, ErrOutOfMemory or, for
// want of shader logging, ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/makecommandbuffer(descriptor:)
func (q *CommandQueue) NewCommandBufferWithDescriptor(desc *CommandBufferDescriptor) (*CommandBuffer, error) {
	const op = "CommandQueue.NewCommandBufferWithDescriptor"
	id, err := q.live(op)
	if err != nil {
		return nil, err
	}
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	if desc.ErrorOptions&^CommandBufferErrorOptionEncoderExecutionStatus != 0 {
		return nil, argument(op, "ErrorOptions", "this package's constants", strconv.FormatUint(uint64(desc.ErrorOptions), 10))
	}
	rt := q.device.runtime
	var c *CommandBuffer
	rt.Pool(func() {
		o := newObject(rt, "MTLCommandBufferDescriptor")
		defer objc.Release(o)
		if err = setLogState(op, q.device, o, desc.LogState); err != nil {
			return
		}
		objc.Send(o, selSetRetainedReferences, bit(!desc.UnretainedReferences))
		objc.Send(o, selSetErrorOptions, uintptr(desc.ErrorOptions))
		if made := objc.Retain(objc.SendID(id, selCommandBufferWithDescriptor, uintptr(o))); made != 0 {
			c = newCommandBuffer(q, made, desc.UnretainedReferences)
		}
	})
	runtime.KeepAlive(q)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, ErrOutOfMemory
	}
	if desc.Label != "" {
		c.SetLabel(desc.Label)
	}
	return c, nil
}

// RetainedReferences reports whether the device itself keeps what the command buffer uses; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/retainedreferences
func (c *CommandBuffer) RetainedReferences() bool { return c.send(selRetainedReferences)&0xff != 0 }

// ErrorOptions are those of the descriptor; CommandBufferErrorOptionNone once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/erroroptions
func (c *CommandBuffer) ErrorOptions() CommandBufferErrorOption {
	return CommandBufferErrorOption(c.send(selErrorOptions))
}

// CommandBufferEncoderInfo tells how far an encoder's work had come when its command buffer failed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbufferencoderinfo
type CommandBufferEncoderInfo struct {
	Label          string
	DebugSignposts []string
	ErrorState     CommandEncoderErrorState
}

// readEncoders gives what the NSError of a command buffer tells about its encoders, nil if nothing. A pool is in place.
func readEncoders(failure objc.ID) []CommandBufferEncoderInfo {
	key, err := objc.RuntimeOf(failure).Constant("MTLCommandBufferEncoderInfoErrorKey")
	if err != nil {
		return nil
	}
	array := objc.SendID(objc.SendID(failure, selUserInfo), selObjectForKey, uintptr(key))
	var all []CommandBufferEncoderInfo
	for i := range objc.Send(array, selCount) {
		id := objc.SendID(array, selObjectAtIndex, i)
		info := CommandBufferEncoderInfo{
			Label:      objc.GoString(objc.SendID(id, selLabel)),
			ErrorState: CommandEncoderErrorState(objc.Send(id, selErrorState)),
		}
		signposts := objc.SendID(id, selDebugSignposts)
		for j := range objc.Send(signposts, selCount) {
			info.DebugSignposts = append(info.DebugSignposts, objc.GoString(objc.SendID(signposts, selObjectAtIndex, j)))
		}
		all = append(all, info)
	}
	return all
}

var encoderErrorStates = [...]string{"unknown", "completed", "affected", "pending", "faulted"}

// String names the state.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandencodererrorstate
func (s CommandEncoderErrorState) String() string {
	if s >= 0 && int(s) < len(encoderErrorStates) {
		return encoderErrorStates[s]
	}
	return "CommandEncoderErrorState(" + strconv.Itoa(int(s)) + ")"
}
