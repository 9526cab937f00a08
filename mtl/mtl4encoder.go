package mtl

import (
	"runtime"
	"slices"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// MTL4ComputeCommandEncoder encodes compute work, copies and fills. Unlike those of a ComputeCommandEncoder its commands may overlap
// unless a barrier orders them. It belongs to one goroutine. Its methods return nothing: the first one that fails sticks, nothing
// is sent after it, and Err and EndEncoding tell.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder
type MTL4ComputeCommandEncoder struct {
	handle
	label
	buffer *MTL4CommandBuffer
	msg    *objc.Msg // nil once ended
	err    error
	tail   *tail

	pipeline      *ComputePipelineState
	table         *MTL4ArgumentTable
	keptTable     uint64 // version of table whose objects the command buffer keeps
	threadgroup   [maxBuffers]int
	dynamicMemory int // the sum of threadgroup
	updated       []*Fence
}

// NewComputeCommandEncoder begins to encode compute work. EndEncoding must be called before the next encoder is made and before End. It
// fails with ErrOutOfMemory or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/makecomputecommandencoder()
func (c *MTL4CommandBuffer) NewComputeCommandEncoder() (*MTL4ComputeCommandEncoder, error) {
	id, err := c.recordable("MTL4CommandBuffer.NewComputeCommandEncoder")
	if err != nil {
		return nil, err
	}
	var e *MTL4ComputeCommandEncoder
	c.device.runtime.Pool(func() {
		// The result is autoreleased: what leaves the pool is retained.
		if made := objc.Retain(objc.SendID(id, selMTL4ComputeEncoder)); made != 0 {
			e = &MTL4ComputeCommandEncoder{buffer: c, msg: messages.Get().(*objc.Msg), tail: &tail{buffer: objc.Retain(id)}}
			own(e, &e.handle, made, e.tail.end)
		}
	})
	runtime.KeepAlive(c)
	if e == nil {
		return nil, ErrOutOfMemory
	}
	c.open = e
	return e, nil
}

// Device is the device that the work is for.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/device
func (e *MTL4ComputeCommandEncoder) Device() *Device { return e.buffer.device }

// Err is the error of the first method that failed.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder
func (e *MTL4ComputeCommandEncoder) Err() error { return e.err }

// EndEncoding ends the encoder and gives the error of the first method that failed. Calling it again gives the same.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/endencoding()
func (e *MTL4ComputeCommandEncoder) EndEncoding() error {
	if e.msg != nil && e.err == nil && e.tail.groups != 0 {
		e.fail(argument("MTL4ComputeCommandEncoder.EndEncoding", "debug groups", "each popped", strconv.Itoa(e.tail.groups)+" open"))
	}
	e.end()
	return e.err
}

// end ends the encoder, once.
func (e *MTL4ComputeCommandEncoder) end() {
	if e.msg == nil {
		return
	}
	messages.Put(e.msg)
	e.msg = nil
	e.buffer.open = nil
	if e.buffer.failed == nil {
		e.buffer.failed = e.err
	}
	if id := e.disown(); id != 0 {
		e.tail.end(id)
	}
}

// usable reports whether op may go on: no error so far, and not ended.
func (e *MTL4ComputeCommandEncoder) usable(op string) bool {
	if e.err == nil && e.msg == nil {
		e.fail(argument(op, "compute command encoder", "one that has not ended", "use after EndEncoding"))
	}
	return e.err == nil
}

func (e *MTL4ComputeCommandEncoder) fail(err error) { e.err = err }

// check makes an error the encoder's and reports whether there is none.
func (e *MTL4ComputeCommandEncoder) check(err error) bool {
	if err != nil {
		e.fail(err)
	}
	return err == nil
}

// SetLabel names the encoder for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/label
func (e *MTL4ComputeCommandEncoder) SetLabel(s string) {
	if e.usable("MTL4ComputeCommandEncoder.SetLabel") {
		e.label.set(&e.handle, s)
	}
}

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/label
func (e *MTL4ComputeCommandEncoder) Label() string { return e.label.get() }

// PushDebugGroup begins a named group of commands, for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/pushdebuggroup(_:)
func (e *MTL4ComputeCommandEncoder) PushDebugGroup(name string) {
	if e.usable("MTL4ComputeCommandEncoder.PushDebugGroup") {
		e.tail.groups++
		sendString(e.object(), selPushDebugGroup, name)
		runtime.KeepAlive(e)
	}
}

// PopDebugGroup ends the innermost group.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/popdebuggroup()
func (e *MTL4ComputeCommandEncoder) PopDebugGroup() {
	const op = "MTL4ComputeCommandEncoder.PopDebugGroup"
	if !e.usable(op) {
		return
	}
	if e.tail.groups == 0 {
		e.fail(argument(op, "debug groups", "one that is open", "none"))
		return
	}
	e.tail.groups--
	e.msg.Send(e.object(), selPopDebugGroup)
	runtime.KeepAlive(e)
}

// InsertDebugSignpost names a point among the commands, for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/insertdebugsignpost(_:)
func (e *MTL4ComputeCommandEncoder) InsertDebugSignpost(name string) {
	if e.usable("MTL4ComputeCommandEncoder.InsertDebugSignpost") {
		sendString(e.object(), selInsertDebugSignpost, name)
		runtime.KeepAlive(e)
	}
}

// Stages are the kinds of work that have been encoded so far; 0 once ended.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/stages()
func (e *MTL4ComputeCommandEncoder) Stages() Stages { return Stages(e.send(selStages)) }

// BarrierAfterQueueStages has the stages before of this encoder, from here on, wait for the stages after of what the queue got before
// this encoder.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/barrier(afterqueuestages:beforestages:visibilityoptions:)
func (e *MTL4ComputeCommandEncoder) BarrierAfterQueueStages(after, before Stages, v MTL4VisibilityOptions) {
	e.barrier("MTL4ComputeCommandEncoder.BarrierAfterQueueStages", selBarrierAfterQueueStages, after, before, v)
}

// BarrierAfterStages has the stages before of what the queue gets after this encoder wait for the stages after of this encoder,
// up to here.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/barrier(afterstages:beforequeuestages:visibilityoptions:)
func (e *MTL4ComputeCommandEncoder) BarrierAfterStages(after, before Stages, v MTL4VisibilityOptions) {
	e.barrier("MTL4ComputeCommandEncoder.BarrierAfterStages", selBarrierAfterStages, after, before, v)
}

// BarrierAfterEncoderStages has the stages before of this encoder, from here on, wait for the stages after of this encoder, up to
// here: StageDispatch for dispatches, StageBlit for copies and fills.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/barrier(afterencoderstages:beforeencoderstages:visibilityoptions:)
func (e *MTL4ComputeCommandEncoder) BarrierAfterEncoderStages(after, before Stages, v MTL4VisibilityOptions) {
	e.barrier("MTL4ComputeCommandEncoder.BarrierAfterEncoderStages", selBarrierAfterEncoderStages, after, before, v)
}

func (e *MTL4ComputeCommandEncoder) barrier(op string, sel objc.SEL, after, before Stages, v MTL4VisibilityOptions) {
	if !e.usable(op) || !e.checkStages(op, "after", after) || !e.checkStages(op, "before", before) {
		return
	}
	if v&^(MTL4VisibilityOptionDevice|MTL4VisibilityOptionResourceAlias) != 0 {
		e.fail(intArgument(op, "visibility", "MTL4VisibilityOptionNone, MTL4VisibilityOptionDevice, MTL4VisibilityOptionResourceAlias or both", int(v)))
		return
	}
	e.msg.Send(e.object(), sel, uintptr(after), uintptr(before), uintptr(v))
	runtime.KeepAlive(e)
}

func (e *MTL4ComputeCommandEncoder) checkStages(op, arg string, s Stages) bool {
	if s == 0 || s&^StageAll != 0 {
		e.fail(argument(op, arg, "one or more of this package's stages", strconv.FormatUint(uint64(s), 10)))
		return false
	}
	return true
}

// UpdateFence has the fence tell that these stages of this encoder have completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/updatefence(_:afterencoderstages:)
func (e *MTL4ComputeCommandEncoder) UpdateFence(f *Fence, after Stages) {
	if e.fence("MTL4ComputeCommandEncoder.UpdateFence", selUpdateFenceAfterStages, f, "after", after) {
		e.updated = append(e.updated, f)
	}
}

// WaitForFence has these stages of this encoder wait for the encoders before it that update the fence, not for this one.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandencoder/waitforfence(_:beforeencoderstages:)
func (e *MTL4ComputeCommandEncoder) WaitForFence(f *Fence, before Stages) {
	const op = "MTL4ComputeCommandEncoder.WaitForFence"
	if e.usable(op) && slices.Contains(e.updated, f) {
		e.fail(argument(op, "fence", "one that this encoder has not updated", "one that it has"))
		return
	}
	e.fence(op, selWaitForFenceBeforeStages, f, "before", before)
}

func (e *MTL4ComputeCommandEncoder) fence(op string, sel objc.SEL, f *Fence, arg string, s Stages) bool {
	if !e.usable(op) || !e.checkStages(op, arg, s) {
		return false
	}
	fence, err := objectOf(op, "fence", e.Device(), f)
	if !e.check(err) {
		return false
	}
	e.buffer.keep(&f.handle)
	e.msg.Send(e.object(), sel, uintptr(fence), uintptr(s))
	runtime.KeepAlive(e)
	return true
}

func (f *Fence) from() *Device { return f.device }
