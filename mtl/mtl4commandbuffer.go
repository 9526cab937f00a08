package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// MTL4CommandBuffer is work that is recorded between Begin and End and run by MTL4CommandQueue.Commit, after which it can begin
// again at once. Metal 4 retains nothing of what the work uses. This package keeps what it sees, the buffers and tensors of
// argument tables included, until the work has completed; what kernels reach by other addresses is for the program to keep. Making
// memory resident is for the program too, by residency sets. A command buffer belongs to one goroutine. macOS 26.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer
type MTL4CommandBuffer struct {
	handle
	label
	device    *Device
	recording *mtl4Recording
	serial    uint64 // of the recording
	resets    uint64 // of the allocator, when the recording began
	ended     bool   // recorded, and not committed
	open      *MTL4ComputeCommandEncoder
	failed    error // the first error of an encoder
	groups    int   // debug groups that are open
}

// mtl4Recording is what a command buffer holds while it records. It is not part of the command buffer, so that it can be let go
// of for one that its program forgot.
type mtl4Recording struct {
	begun     bool
	allocator *MTL4CommandAllocator // of the last recording
	pins      *pins                 // of a recording that has not been committed; nil if there is none
}

// end ends the recording of command buffer id.
func (r *mtl4Recording) end(id objc.ID) {
	objc.RuntimeOf(id).Pool(func() { objc.Send(id, selEndCommandBuffer) })
	r.begun = false
	r.allocator.recording.Store(false)
}

// forget lets go of the command buffer id, which its program forgot.
func (r *mtl4Recording) forget(id objc.ID) {
	if r.begun {
		r.end(id)
	}
	drop(id)
	r.pins.forget()
}

// NewMTL4CommandBuffer makes a command buffer. It fails with ErrUnsupported before macOS 26 and on devices without Metal 4, or with
// ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecommandbuffer()
func (d *Device) NewMTL4CommandBuffer() (*MTL4CommandBuffer, error) {
	made, err := d.makes("Device.NewMTL4CommandBuffer", selNewCommandBuffer, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		return objc.ID(m.Send(id, selNewCommandBuffer)), nil
	})
	if err != nil {
		return nil, err
	}
	c := &MTL4CommandBuffer{device: d, recording: &mtl4Recording{}}
	own(c, &c.handle, made, c.recording.forget)
	return c, nil
}

// Release lets go of the command buffer. What was committed runs all the same; what was not is dropped, and its encoder ended.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (c *MTL4CommandBuffer) Release() {
	id := c.object()
	if id == 0 {
		return
	}
	if c.open != nil {
		c.open.end()
	}
	if c.recording.begun {
		c.recording.end(id)
	}
	c.release()
	c.recording.pins.forget()
}

// Device is the device that made the command buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/device
func (c *MTL4CommandBuffer) Device() *Device { return c.device }

func (c *MTL4CommandBuffer) from() *Device { return c.device }

// SetLabel names the command buffer for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/label
func (c *MTL4CommandBuffer) SetLabel(s string) { c.label.set(&c.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/label
func (c *MTL4CommandBuffer) Label() string { return c.label.get() }

// Begin begins to record, into the memory of a, which no other command buffer may be recording into. What was recorded before
// and not committed is dropped. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/begincommandbuffer(allocator:)
func (c *MTL4CommandBuffer) Begin(a *MTL4CommandAllocator) error {
	const op = "MTL4CommandBuffer.Begin"
	id := c.object()
	switch {
	case id == 0:
		return releasedArgument(op, "command buffer")
	case c.recording.begun:
		return argument(op, "command buffer", "one that has not begun", "one that has begun and not ended")
	}
	allocator, err := objectOf(op, "allocator", c.device, a)
	if err != nil {
		return err
	}
	if !a.recording.CompareAndSwap(false, true) {
		return argument(op, "allocator", "one that no other command buffer records into", "one that a command buffer has begun with and not ended")
	}
	c.recording.pins.forget()
	*c.recording = mtl4Recording{begun: true, allocator: a, pins: new(pins)}
	c.serial, c.resets = commandBufferSerial.Add(1), a.resets.Load()
	c.ended, c.failed, c.groups = false, nil, 0
	c.keep(&a.handle)
	c.device.runtime.Pool(func() { objc.Send(id, selBeginCommandBuffer, uintptr(allocator)) })
	runtime.KeepAlive(c)
	return nil
}

// recordable gives the id if something may be recorded between encoders.
func (c *MTL4CommandBuffer) recordable(op string) (objc.ID, error) {
	id := c.object()
	switch {
	case id == 0:
		return 0, releasedArgument(op, "command buffer")
	case !c.recording.begun:
		return 0, argument(op, "command buffer", "one that has begun and not ended", "one that has not")
	case c.open != nil:
		return 0, argument(op, "command buffer", "one without an open encoder: call EndEncoding first", "one with an open compute command encoder")
	}
	return id, nil
}

// End ends the recording. It fails, and the command buffer cannot be committed, if an encoder failed; with an *ArgumentError if
// one has not ended or a debug group is open.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/endcommandbuffer()
func (c *MTL4CommandBuffer) End() error {
	const op = "MTL4CommandBuffer.End"
	id, err := c.recordable(op)
	if err != nil {
		return err
	}
	if c.groups != 0 {
		return argument(op, "debug groups", "each popped", strconv.Itoa(c.groups)+" open")
	}
	c.recording.end(id)
	c.ended = c.failed == nil
	runtime.KeepAlive(c)
	return c.failed
}

// committable says why the command buffer cannot be committed.
func (c *MTL4CommandBuffer) committable(op string) error {
	const arg = "command buffer"
	switch {
	case c.failed != nil:
		return c.failed
	case c.recording.begun:
		return argument(op, arg, "one that has ended", "one that has begun and not ended")
	case !c.ended:
		return argument(op, arg, "one that has been recorded since the last Commit", "one that has not")
	case c.resets != c.recording.allocator.resets.Load():
		return argument(op, arg, "one whose allocator holds what was recorded", "one whose allocator was reset")
	}
	return nil
}

// keep holds on to what the work uses.
func (c *MTL4CommandBuffer) keep(h *handle) {
	if h.user.Load() == c.serial {
		return
	}
	h.user.Store(c.serial)
	c.recording.pins.add(h)
}

// UseResidencySet makes the memory of a set resident while the work runs. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/useresidencyset(_:)
func (c *MTL4CommandBuffer) UseResidencySet(s *ResidencySet) error {
	const op = "MTL4CommandBuffer.UseResidencySet"
	id, err := c.recordable(op)
	if err != nil {
		return err
	}
	set, err := objectOf(op, "residency set", c.device, s)
	if err != nil {
		return err
	}
	c.keep(&s.handle)
	c.device.runtime.Pool(func() { objc.Send(id, selUseResidencySet, uintptr(set)) })
	runtime.KeepAlive(c)
	return nil
}

// PushDebugGroup begins a named group of encoders, for tools. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/pushdebuggroup(_:)
func (c *MTL4CommandBuffer) PushDebugGroup(name string) error {
	id, err := c.recordable("MTL4CommandBuffer.PushDebugGroup")
	if err != nil {
		return err
	}
	c.groups++
	sendString(id, selPushDebugGroup, name)
	runtime.KeepAlive(c)
	return nil
}

// PopDebugGroup ends the innermost group; End fails while one is open. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandbuffer/popdebuggroup()
func (c *MTL4CommandBuffer) PopDebugGroup() error {
	const op = "MTL4CommandBuffer.PopDebugGroup"
	id, err := c.recordable(op)
	if err != nil {
		return err
	}
	if c.groups == 0 {
		return argument(op, "debug groups", "one that is open", "none")
	}
	c.groups--
	objc.Send(id, selPopDebugGroup)
	runtime.KeepAlive(c)
	return nil
}
