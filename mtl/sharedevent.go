package mtl

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// SharedEvent is an event that the program can read, signal and wait for too. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent
type SharedEvent struct{ Event }

// NewSharedEvent makes a shared event whose value is 0. It fails with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makesharedevent()
func (d *Device) NewSharedEvent() (*SharedEvent, error) {
	var e *SharedEvent
	err := d.create("Device.NewSharedEvent", func(m *objc.Msg, id objc.ID) {
		if made := objc.ID(m.Send(id, selNewSharedEvent)); made != 0 {
			e = &SharedEvent{Event{device: d}}
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

func (e *SharedEvent) event() *Event {
	if e == nil {
		return nil
	}
	return &e.Event
}

// SignaledValue is the event's value now; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent/signaledvalue
func (e *SharedEvent) SignaledValue() uint64 { return uint64(e.send(selSignaledValue)) }

// SetSignaledValue signals the event from the program: command buffers that wait for the value, or a smaller one, go on. The
// value should be greater than the one before. It fails with ErrReleased.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent/signaledvalue
func (e *SharedEvent) SetSignaledValue(value uint64) error {
	id, err := e.live("SharedEvent.SetSignaledValue")
	if err != nil {
		return err
	}
	objc.Send(id, selSetSignaledValue, uintptr(value))
	runtime.KeepAlive(e)
	return nil
}

// WaitUntilSignaledValue blocks until the event has the value or a greater one, at most for the timeout, which is rounded up to
// milliseconds, and reports whether it has. It occupies an OS thread meanwhile; Wait does not. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent/wait(untilsignaledvalue:timeoutms:)
func (e *SharedEvent) WaitUntilSignaledValue(value uint64, timeout time.Duration) (bool, error) {
	const op = "SharedEvent.WaitUntilSignaledValue"
	id, err := e.live(op)
	if err != nil {
		return false, err
	}
	if timeout < 0 {
		return false, argument(op, "timeout", "0 or more", timeout.String())
	}
	ms := timeout / time.Millisecond
	if timeout%time.Millisecond != 0 {
		ms++
	}
	ok := objc.SendBool(id, selWaitUntilSignaledValue, uintptr(value), uintptr(ms))
	runtime.KeepAlive(e)
	return ok, nil
}

// Wait blocks until the event has the value or a greater one, or ctx is done, which gives ctx.Err(). It fails with ErrReleased.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent/notify(_:atvalue:block:)
func (e *SharedEvent) Wait(ctx context.Context, value uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	signalled := make(chan struct{})
	if err := e.notify("SharedEvent.Wait", value, func(uint64) { close(signalled) }); err != nil {
		return err
	}
	select {
	case <-signalled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Notify has f called once, with the event's value, when the event has the value or a greater one; at once if it has it now. f runs
// on a thread of the system's, one after the other for all events of the process: it must not block. It is not called if
// the event goes before. Notify fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsharedevent/notify(_:atvalue:block:)
func (e *SharedEvent) Notify(value uint64, f func(value uint64)) error {
	const op = "SharedEvent.Notify"
	if f == nil {
		return argument(op, "function", "a function", "nil")
	}
	return e.notify(op, value, f)
}

func (e *SharedEvent) notify(op string, value uint64, f func(value uint64)) error {
	id, err := e.live(op)
	if err != nil {
		return err
	}
	rt := e.device.runtime
	var once sync.Once
	rt.Pool(func() {
		block := rt.NewBlock(2, func(args []objc.ID) { once.Do(func() { f(uint64(args[1])) }) })
		objc.Send(id, selNotifyListener, uintptr(sharedListener(rt)), uintptr(value), uintptr(block))
		objc.Release(block)
	})
	runtime.KeepAlive(e)
	return nil
}

// live gives the id for an operation on the event.
func (e *SharedEvent) live(op string) (objc.ID, error) {
	if e == nil {
		return 0, argument(op, "event", "an event", "nil")
	}
	id := e.object()
	if id == 0 {
		return 0, releasedArgument(op, "event")
	}
	return id, nil
}

var listeners struct {
	mu   sync.Mutex
	made map[objc.Runtime]objc.ID
}

// sharedListener gives the listener of all events of a runtime, which lives as long as the process: the system's, or before
// macOS 26, where there is none, one of our own.
func sharedListener(rt objc.Runtime) objc.ID {
	class := rt.Class("MTLSharedEventListener")
	if objc.Responds(class, selSharedListener) {
		return objc.SendID(class, selSharedListener)
	}
	listeners.mu.Lock()
	defer listeners.mu.Unlock()
	if listeners.made[rt] == 0 {
		if listeners.made == nil {
			listeners.made = make(map[objc.Runtime]objc.ID)
		}
		listeners.made[rt] = newObject(rt, "MTLSharedEventListener")
	}
	return listeners.made[rt]
}
