package soft

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// event is the state of an MTLEvent and of an MTLSharedEvent.
type event struct {
	label
	mu            sync.Mutex
	value         uint64
	changed       chan struct{}  // closed at the next change, if anybody waits
	notifications []notification // of a shared event
}

// notification is a block that a listener calls once the event has a value.
type notification struct {
	listener *listener
	value    uint64
	block    objc.ID // owned
}

const sharedEventClassName = "MTLSharedEvent"

var eventClass, sharedEventClass *objc.Class

func init() {
	eventClass = objc.Software().Register(objc.ClassDef{
		Name:     "SoftwareMTLEvent",
		Instance: withLabel(nil),
	})
	sharedEventClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLSharedEvent",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selSignaledValue: func(self *objc.Object, m *objc.Msg) {
				m.Return(uintptr(self.State.(*event).now()))
			},
			selSetSignaledValue: func(self *objc.Object, m *objc.Msg) {
				self.State.(*event).set(self.ID, uint64(m.Arg(0)))
			},
			selWaitUntilSignaledValue: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(self.State.(*event).wait(uint64(m.Arg(0)), milliseconds(m.Arg(1))))
			},
			selNotifyListener: func(self *objc.Object, m *objc.Msg) {
				l := stateOf[*listener](m, sharedEventClassName, m.ArgID(0))
				if m.Arg(2) == 0 {
					assertion(m, sharedEventClassName, "the block must not be nil")
				}
				self.State.(*event).notify(self.ID, notification{l, uint64(m.Arg(1)), objc.Retain(m.ArgID(2))})
			},
		}),
		Dealloc: func(self *objc.Object) {
			for _, n := range self.State.(*event).notifications {
				objc.Release(n.block)
			}
		},
	})
}

// milliseconds gives a timeout as a duration; more than a duration can count is for ever.
func milliseconds(n uintptr) time.Duration {
	const most = uintptr(1<<63-1) / uintptr(time.Millisecond)
	return time.Duration(min(n, most)) * time.Millisecond
}

func (e *event) now() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.value
}

// signal is set, but never lowers the value: what the device does.
func (e *event) signal(self objc.ID, v uint64) {
	if v > e.now() {
		e.set(self, v)
	}
}

// set changes the value, wakes who waits and hands due notifications to their listeners.
func (e *event) set(self objc.ID, v uint64) {
	e.mu.Lock()
	e.value = v
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
	var due []notification
	waiting := e.notifications[:0]
	for _, n := range e.notifications {
		if n.value <= v {
			due = append(due, n)
		} else {
			waiting = append(waiting, n)
		}
	}
	e.notifications = waiting
	e.mu.Unlock()
	for _, n := range due {
		n.listener.post(n.block, objc.Retain(self), v)
	}
}

func (e *event) notify(self objc.ID, n notification) {
	e.mu.Lock()
	v := e.value
	if v < n.value {
		e.notifications = append(e.notifications, n)
		e.mu.Unlock()
		return
	}
	e.mu.Unlock()
	n.listener.post(n.block, objc.Retain(self), v)
}

// wait blocks until the value is v or more, and reports whether that happened in time.
func (e *event) wait(v uint64, timeout time.Duration) bool { return e.waitOr(v, timeout, nil) }

// waitOr is wait, but waits no longer once stop is closed.
func (e *event) waitOr(v uint64, timeout time.Duration, stop <-chan struct{}) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		e.mu.Lock()
		if e.value >= v {
			e.mu.Unlock()
			return true
		}
		if e.changed == nil {
			e.changed = make(chan struct{})
		}
		changed := e.changed
		e.mu.Unlock()
		select {
		case <-changed:
		case <-stop:
			return e.now() >= v
		case <-timer.C:
			return e.now() >= v
		}
	}
}

// eventTimeout is how long a command buffer waits for an event, in nanoseconds.
var eventTimeout atomic.Int64

func init() {
	eventTimeout.Store(int64(time.Minute))
	if testing.Testing() {
		eventTimeout.Store(int64(10 * time.Second))
	}
}

// SetEventTimeout chooses how long command buffers wait for an event before they fail with the error code of a timeout, and
// gives the former choice. It is a minute, and ten seconds in a test program, so that one whose events are never signalled
// fails instead of hanging. Safe for concurrent use.
func SetEventTimeout(d time.Duration) time.Duration {
	return time.Duration(eventTimeout.Swap(int64(d)))
}

// await has the command buffer wait for the command's event.
func (c *command) await() *failure {
	timeout := time.Duration(eventTimeout.Load())
	if c.event.wait(c.count, timeout) {
		return nil
	}
	return &failure{
		code: commandBufferErrorTimeout,
		text: fmt.Sprintf("event %q was not signalled with %d within %v: its value is %d", c.event.name(), c.count, timeout, c.event.now()),
	}
}

func newEvent(_ *objc.Object, m *objc.Msg) { m.ReturnID(objc.NewObject(eventClass, new(event))) }
func newSharedEvent(_ *objc.Object, m *objc.Msg) {
	m.ReturnID(objc.NewObject(sharedEventClass, new(event)))
}

// encodeEvent records a signal of an event, or a wait for it, between the encoders of a command buffer.
func encodeEvent(self *objc.Object, m *objc.Msg, kind commandKind) {
	c := self.State.(*commandBuffer)
	c.encodable(m)
	id := m.ArgID(0)
	e := stateOf[*event](m, commandBufferClassName, id)
	r := c.recording
	if c.retains(id) {
		objc.Retain(id)
	}
	r.commands = append(r.commands, command{kind: kind, event: e, eventID: id, count: uint64(m.Arg(1)), info: len(r.encoders), between: true})
}
