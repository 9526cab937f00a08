package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// Event orders work of different command buffers, on one queue or several of its device: one signals it with a value, another waits
// for that value. Values only grow. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlevent
type Event struct {
	handle
	label
	device *Device
}

// NewEvent makes an event whose value is 0. It fails with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeevent()
func (d *Device) NewEvent() (*Event, error) {
	var e *Event
	err := d.create("Device.NewEvent", func(m *objc.Msg, id objc.ID) {
		if made := objc.ID(m.Send(id, selNewEvent)); made != 0 {
			e = &Event{device: d}
			own(e, &e.handle, made, drop)
		}
	})
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, ErrOutOfMemory
	}
	return e, nil
}

// Release lets go of the event. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (e *Event) Release() { e.release() }

// Device is the device that made the event.
//
// Reference: https://developer.apple.com/documentation/metal/mtlevent/device
func (e *Event) Device() *Device { return e.device }

// SetLabel names the event for tools and error texts.
//
// Reference: https://developer.apple.com/documentation/metal/mtlevent/label
func (e *Event) SetLabel(s string) { e.label.set(&e.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlevent/label
func (e *Event) Label() string { return e.label.get() }

func (e *Event) event() *Event { return e }

// Signaler is what command buffers signal and wait for: an *Event or a *SharedEvent.
//
// Reference: https://developer.apple.com/documentation/metal/mtlevent
type Signaler interface{ event() *Event }

// EncodeSignalEvent has the device give e the value when all that was encoded before has completed. It stands between encoders: none may be
// open. If the command buffer fails before that point the event is never signalled. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/encodesignalevent(_:value:)
func (c *CommandBuffer) EncodeSignalEvent(e Signaler, value uint64) error {
	return c.encodeEvent("CommandBuffer.EncodeSignalEvent", selEncodeSignalEvent, e, value)
}

// EncodeWaitForEvent has the device run nothing of what is encoded after this until e has the value or a greater one. It
// stands between encoders: none may be open. An event that nobody signals blocks the queue: the software device
// fails the command buffer after a while with CommandBufferErrorTimeout, a GPU may not. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/encodewaitforevent(_:value:)
func (c *CommandBuffer) EncodeWaitForEvent(e Signaler, value uint64) error {
	return c.encodeEvent("CommandBuffer.EncodeWaitForEvent", selEncodeWaitForEvent, e, value)
}

func (c *CommandBuffer) encodeEvent(op string, sel objc.SEL, s Signaler, value uint64) error {
	id, err := c.encodable(op)
	if err != nil {
		return err
	}
	var e *Event
	if s != nil {
		e = s.event()
	}
	switch {
	case e == nil:
		return argument(op, "event", "an event", "nil")
	case e.object() == 0:
		return releasedArgument(op, "event")
	case e.device.self != c.queue.device.self:
		return otherDevice(op, "event", c.queue.device, e.device)
	}
	c.keep(&e.handle)
	objc.Send(id, sel, uintptr(e.object()), uintptr(value))
	runtime.KeepAlive(e)
	runtime.KeepAlive(c)
	return nil
}
