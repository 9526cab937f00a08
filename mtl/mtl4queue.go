package mtl

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// MTL4CommandQueueDescriptor says how to make a queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueuedescriptor
type MTL4CommandQueueDescriptor struct {
	Label string // for tools
}

// MTL4CommandQueue runs command buffers of Metal 4. It is safe for concurrent use. macOS 26.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue
type MTL4CommandQueue struct {
	handle
	device *Device
	label  string
	events *pins // of signals and waits since the last Commit: done when the next one completes

	mu   sync.Mutex
	sets map[*ResidencySet]bool // of the queue, kept reachable
}

// NewMTL4CommandQueue makes a queue; desc may be nil. It fails with ErrUnsupported before macOS 26 and on devices without Metal 4, or
// with an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makemtl4commandqueue(descriptor:)
func (d *Device) NewMTL4CommandQueue(desc *MTL4CommandQueueDescriptor) (*MTL4CommandQueue, error) {
	const op = "Device.NewMTL4CommandQueue"
	if desc == nil {
		desc = &MTL4CommandQueueDescriptor{}
	}
	made, err := d.makes(op, selNewMTL4CommandQueue, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newLabelled(d.runtime, "MTL4CommandQueueDescriptor", desc.Label)
		defer objc.Release(o)
		return madeOrFailed(op, m, objc.ID(m.Send(id, selNewMTL4CommandQueue, uintptr(o), m.Out(0))))
	})
	if err != nil {
		return nil, err
	}
	q := &MTL4CommandQueue{device: d, label: desc.Label, events: new(pins), sets: make(map[*ResidencySet]bool)}
	events := q.events
	own(q, &q.handle, made, func(id objc.ID) {
		drop(id)
		events.drop()
	})
	return q, nil
}

// Release lets go of the queue. Command buffers that have been committed still run.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (q *MTL4CommandQueue) Release() {
	q.release()
	q.events.drop()
}

// Device is the device that made the queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/device
func (q *MTL4CommandQueue) Device() *Device { return q.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/label
func (q *MTL4CommandQueue) Label() string { return q.label }

// MTL4CommitFeedback is what is known of committed work when it has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commitfeedback
type MTL4CommitFeedback struct {
	Error        error   // *MTL4CommandQueueError, or nil
	GPUStartTime float64 // when the device began the work, in seconds of the system's clock
	GPUEndTime   float64 // when it ended, in seconds of the same clock
}

// MTL4CommandQueueError is work that was committed and failed on the device. The contents of the buffers that it writes are
// undefined.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueueerror
type MTL4CommandQueueError struct {
	Code        MTL4CommandQueueErrorCode
	Domain      string
	Description string
}

// Error gives the device's words and the code.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueueerror
func (e *MTL4CommandQueueError) Error() string {
	return fmt.Sprintf("mtl: Metal 4 command queue: %s (%s %d)", e.Description, e.Domain, int(e.Code))
}

// MTL4CommitOptions say what Commit does besides.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commitoptions
type MTL4CommitOptions struct {
	// FeedbackHandler is called once when the work has completed or failed, on a thread of the system's. It must not block. It may
	// be nil.
	FeedbackHandler func(MTL4CommitFeedback)
}

// Commit hands recorded command buffers to the queue, as one piece of work, in order. They can begin again at once. o may be
// nil. It fails with an *ArgumentError, and nothing runs.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/commit(_:options:)
func (q *MTL4CommandQueue) Commit(o *MTL4CommitOptions, cs ...*MTL4CommandBuffer) error {
	const op = "MTL4CommandQueue.Commit"
	if o == nil {
		o = &MTL4CommitOptions{}
	}
	id, err := q.live(op)
	if err != nil {
		return err
	}
	if len(cs) == 0 {
		return intArgument(op, "command buffers", "1 or more", 0)
	}
	ids, err := objects(op, "command buffer", q.device, cs)
	if err != nil {
		return err
	}
	for i, c := range cs {
		if err := c.committable(op); err != nil {
			return err
		}
		if slices.Contains(cs[:i], c) {
			return argument(op, "command buffer", "each once", "one twice")
		}
	}
	work := q.take(cs)
	rt := q.device.runtime
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	rt.Pool(func() {
		block := rt.NewBlock(1, func(args []objc.ID) { work.completed(args[0], o.FeedbackHandler) })
		options := newObject(rt, "MTL4CommitOptions")
		objc.Send(options, selAddFeedbackHandler, uintptr(block))
		m.Send(id, selCommitWithOptions, m.IDs(ids), uintptr(len(ids)), uintptr(options))
		objc.Release(options)
		objc.Release(block)
	})
	runtime.KeepAlive(cs)
	runtime.KeepAlive(q)
	return nil
}

// mtl4Work is what committed work holds until it has completed.
type mtl4Work struct {
	once       sync.Once
	pins       []*pins
	allocators []*MTL4CommandAllocator
}

// take gives over what the command buffers hold.
func (q *MTL4CommandQueue) take(cs []*MTL4CommandBuffer) *mtl4Work {
	w := &mtl4Work{}
	for _, c := range cs {
		c.keep(&c.handle)
		c.keep(&q.handle)
		p, a := c.recording.pins, c.recording.allocator
		p.committed.Store(true)
		a.inFlight.Add(1)
		w.pins, w.allocators = append(w.pins, p), append(w.allocators, a)
		c.recording.pins, c.ended = nil, false
	}
	events := new(pins)
	q.events.mu.Lock()
	events.all, q.events.all = q.events.all, nil
	q.events.mu.Unlock()
	w.pins = append(w.pins, events)
	return w
}

// completed lets go of what the work holds and tells f, once.
func (w *mtl4Work) completed(feedback objc.ID, f func(MTL4CommitFeedback)) {
	w.once.Do(func() {
		told := readFeedback(feedback)
		for _, a := range w.allocators {
			a.inFlight.Add(-1)
		}
		for _, p := range w.pins {
			p.drop()
		}
		if f != nil {
			f(told)
		}
	})
}

func readFeedback(id objc.ID) MTL4CommitFeedback {
	var f MTL4CommitFeedback
	objc.RuntimeOf(id).Pool(func() {
		f.GPUStartTime, f.GPUEndTime = objc.SendFloat64(id, selGPUStartTime), objc.SendFloat64(id, selGPUEndTime)
		if e := objc.ErrorOf(objc.SendID(id, selError)); e != nil {
			f.Error = &MTL4CommandQueueError{MTL4CommandQueueErrorCode(e.Code), e.Domain, e.Description}
		}
	})
	return f
}

// CommitAndWait is Commit that waits until the work has completed. Its error is Commit's, the feedback's, or ctx.Err() once ctx is
// done; the work runs on then, and what it uses stays alive.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commitoptions/addfeedbackhandler(_:)
func (q *MTL4CommandQueue) CommitAndWait(ctx context.Context, cs ...*MTL4CommandBuffer) (MTL4CommitFeedback, error) {
	if err := ctx.Err(); err != nil {
		return MTL4CommitFeedback{}, err
	}
	done := make(chan MTL4CommitFeedback, 1) // the handler never waits
	if err := q.Commit(&MTL4CommitOptions{FeedbackHandler: func(f MTL4CommitFeedback) { done <- f }}, cs...); err != nil {
		return MTL4CommitFeedback{}, err
	}
	select {
	case f := <-done:
		return f, f.Error
	case <-ctx.Done():
		return MTL4CommitFeedback{}, ctx.Err()
	}
}

// SignalEvent has the device give e the value when all that was committed before has completed. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/signalevent(_:value:)
func (q *MTL4CommandQueue) SignalEvent(e Signaler, value uint64) error {
	return q.event("MTL4CommandQueue.SignalEvent", selSignalEvent, e, value)
}

// WaitForEvent has the device run nothing of what is committed after this until e has the value or a greater one. It fails with an
// *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/waitforevent(_:value:)
func (q *MTL4CommandQueue) WaitForEvent(e Signaler, value uint64) error {
	return q.event("MTL4CommandQueue.WaitForEvent", selWaitForEvent, e, value)
}

func (q *MTL4CommandQueue) event(op string, sel objc.SEL, s Signaler, value uint64) error {
	id, err := q.live(op)
	if err != nil {
		return err
	}
	var e *Event
	if s != nil {
		e = s.event()
	}
	event, err := objectOf(op, "event", q.device, e)
	if err != nil {
		return err
	}
	q.keepEvent(&e.handle)
	q.device.runtime.Pool(func() { objc.Send(id, sel, uintptr(event), uintptr(value)) })
	runtime.KeepAlive(e)
	runtime.KeepAlive(q)
	return nil
}

func (e *Event) from() *Device { return e.device }

// keepEvent pins an event, once, until the next Commit has completed.
func (q *MTL4CommandQueue) keepEvent(h *handle) {
	q.events.mu.Lock()
	has := slices.Contains(q.events.all, h)
	q.events.mu.Unlock()
	if !has {
		q.events.add(h)
	}
}

// live gives the queue's id for an operation on it.
func (q *MTL4CommandQueue) live(op string) (objc.ID, error) {
	if q == nil {
		return 0, argument(op, "queue", "a queue", "nil")
	}
	id := q.object()
	if id == 0 {
		return 0, releasedArgument(op, "queue")
	}
	return id, nil
}

// AddResidencySet makes the memory of a set resident for all that is committed from now on. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/addresidencyset(_:)
func (q *MTL4CommandQueue) AddResidencySet(s *ResidencySet) error {
	return q.changeSets("MTL4CommandQueue.AddResidencySet", selAddResidencySet, s, true)
}

// RemoveResidencySet takes AddResidencySet back, for what is committed from now on. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4commandqueue/removeresidencyset(_:)
func (q *MTL4CommandQueue) RemoveResidencySet(s *ResidencySet) error {
	return q.changeSets("MTL4CommandQueue.RemoveResidencySet", selRemoveResidencySet, s, false)
}

func (q *MTL4CommandQueue) changeSets(op string, sel objc.SEL, s *ResidencySet, add bool) error {
	id, err := q.live(op)
	if err != nil {
		return err
	}
	set, err := objectOf(op, "residency set", q.device, s)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.device.runtime.Pool(func() { objc.Send(id, sel, uintptr(set)) })
	if add {
		q.sets[s] = true
	} else {
		delete(q.sets, s)
	}
	runtime.KeepAlive(q)
	return nil
}
