package mtl

import (
	"reflect"
	"runtime"
	"strconv"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// Allocation is memory that a residency set can hold: a *Buffer, a *Heap or an *IndirectCommandBuffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlallocation
type Allocation interface {
	Device() *Device
	object() objc.ID
	from() *Device
}

func (h *Heap) from() *Device { return h.device }

// ResidencySetDescriptor says how to make a residency set.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencysetdescriptor
type ResidencySetDescriptor struct {
	Label           string
	InitialCapacity int // how many allocations to make room for; 0 leaves it to the device
}

// ResidencySet is memory that is made resident together, once, instead of by every command buffer that uses it. Changes count from
// Commit on. What is in the set must not be released meanwhile. It is safe for concurrent use. macOS 15.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset
type ResidencySet struct {
	handle
	device *Device
	label  string

	mu   sync.Mutex
	kept map[objc.ID]Allocation // what the set holds, kept reachable
}

// NewResidencySet makes an empty set; desc may be nil. It fails with ErrUnsupported before macOS 15 and an *Error where the
// device has none.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeresidencyset(descriptor:)
func (d *Device) NewResidencySet(desc *ResidencySetDescriptor) (*ResidencySet, error) {
	const op = "Device.NewResidencySet"
	if desc == nil {
		desc = &ResidencySetDescriptor{}
	}
	if desc.InitialCapacity < 0 {
		return nil, intArgument(op, "InitialCapacity", "0 or more", desc.InitialCapacity)
	}
	id, err := d.live(op)
	if err != nil {
		return nil, err
	}
	if !objc.Responds(id, selNewResidencySet) {
		return nil, unsupported(op, "residency sets")
	}
	made, err := d.makes(op, selNewResidencySet, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newObject(d.runtime, "MTLResidencySetDescriptor")
		defer objc.Release(o)
		if desc.Label != "" {
			sendString(o, selSetLabel, desc.Label)
		}
		objc.Send(o, selSetInitialCapacity, uintptr(desc.InitialCapacity))
		made := objc.ID(m.Send(id, selNewResidencySet, uintptr(o), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	s := &ResidencySet{device: d, label: desc.Label, kept: make(map[objc.ID]Allocation)}
	own(s, &s.handle, made, drop)
	return s, nil
}

// Release lets go of the set. Queues that it was added to keep it.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (s *ResidencySet) Release() { s.release() }

// Device is the device that made the set.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/device
func (s *ResidencySet) Device() *Device { return s.device }

func (s *ResidencySet) from() *Device { return s.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/label
func (s *ResidencySet) Label() string { return s.label }

// Add adds allocations to the set, from Commit on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/addallocations(_:)
func (s *ResidencySet) Add(all ...Allocation) error {
	return s.change("ResidencySet.Add", all, func(m *objc.Msg, id objc.ID, ids []objc.ID) {
		m.Send(id, selAddAllocations, m.IDs(ids), uintptr(len(ids)))
		for i, a := range all {
			s.kept[ids[i]] = a
		}
	})
}

// Remove takes allocations out of the set, from Commit on; what is not in it is left alone.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/removeallocations(_:)
func (s *ResidencySet) Remove(all ...Allocation) error {
	return s.change("ResidencySet.Remove", all, func(m *objc.Msg, id objc.ID, ids []objc.ID) {
		m.Send(id, selRemoveAllocations, m.IDs(ids), uintptr(len(ids)))
		for _, a := range ids {
			delete(s.kept, a)
		}
	})
}

// isNil reports whether there is no allocation, or a nil pointer to one.
func isNil(a Allocation) bool {
	v := reflect.ValueOf(a)
	return !v.IsValid() || v.IsNil()
}

func (s *ResidencySet) change(op string, all []Allocation, f func(m *objc.Msg, id objc.ID, ids []objc.ID)) error {
	id := s.object()
	if id == 0 {
		return releasedArgument(op, "residency set")
	}
	if len(all) == 0 {
		return intArgument(op, "allocations", "1 or more", 0)
	}
	ids := make([]objc.ID, len(all))
	for i, a := range all {
		if isNil(a) {
			return argument(op, "allocations", "an object", "nil")
		}
		var err error
		if ids[i], err = objectOf(op, "allocations", s.device, a); err != nil {
			return err
		}
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.device.runtime.Pool(func() { f(m, id, ids) })
	runtime.KeepAlive(all)
	runtime.KeepAlive(s)
	return nil
}

// RemoveAll empties the set, from Commit on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/removeallallocations()
func (s *ResidencySet) RemoveAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(selRemoveAllAllocations)
	clear(s.kept)
}

// Contains reports whether an allocation is in the set, committed or not. False once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/containsallocation(_:)
func (s *ResidencySet) Contains(a Allocation) bool {
	if isNil(a) || a.object() == 0 {
		return false
	}
	r := s.send(selContainsAllocation, uintptr(a.object()))&0xff != 0
	runtime.KeepAlive(a)
	return r
}

// AllocationCount is the number of allocations in the set, committed or not. 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/allocationcount
func (s *ResidencySet) AllocationCount() int { return int(s.send(selAllocationCount)) }

// AllocatedSize is the number of bytes of what has been committed. 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/allocatedsize
func (s *ResidencySet) AllocatedSize() int { return int(s.send(selAllocatedSize)) }

// Commit makes the changes since the last Commit count.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/commit()
func (s *ResidencySet) Commit() { s.send(selCommit) }

// RequestResidency makes what has been committed resident now, before work needs it.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/requestresidency()
func (s *ResidencySet) RequestResidency() { s.send(selRequestResidency) }

// EndResidency takes RequestResidency back.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresidencyset/endresidency()
func (s *ResidencySet) EndResidency() { s.send(selEndResidency) }

// maxResidencySets is how many a queue has.
const maxResidencySets = 32

// residencySets are those of a queue, which retains them.
type residencySets struct {
	mu  sync.Mutex
	ids map[objc.ID]bool
}

// AddResidencySet makes the set resident for the command buffers of the queue that are committed from now on. A queue has at most 32.
// It fails with ErrUnsupported before macOS 15.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/addresidencyset(_:)
func (q *CommandQueue) AddResidencySet(s *ResidencySet) error {
	const op = "CommandQueue.AddResidencySet"
	id, set, err := q.residency(op, s)
	if err != nil {
		return err
	}
	if !objc.Responds(id, selAddResidencySet) {
		return unsupported(op, "residency sets")
	}
	q.sets.mu.Lock()
	defer q.sets.mu.Unlock()
	if !q.sets.ids[set] && len(q.sets.ids) == maxResidencySets {
		return intArgument(op, "residency set", "at most "+strconv.Itoa(maxResidencySets)+" of them", maxResidencySets+1)
	}
	if q.sets.ids == nil {
		q.sets.ids = make(map[objc.ID]bool)
	}
	q.sets.ids[set] = true
	q.device.runtime.Pool(func() { objc.Send(id, selAddResidencySet, uintptr(set)) })
	runtime.KeepAlive(s)
	runtime.KeepAlive(q)
	return nil
}

// RemoveResidencySet takes AddResidencySet back, for command buffers committed from now on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandqueue/removeresidencyset(_:)
func (q *CommandQueue) RemoveResidencySet(s *ResidencySet) error {
	const op = "CommandQueue.RemoveResidencySet"
	id, set, err := q.residency(op, s)
	if err != nil {
		return err
	}
	if !objc.Responds(id, selRemoveResidencySet) {
		return unsupported(op, "residency sets")
	}
	q.sets.mu.Lock()
	defer q.sets.mu.Unlock()
	delete(q.sets.ids, set)
	q.device.runtime.Pool(func() { objc.Send(id, selRemoveResidencySet, uintptr(set)) })
	runtime.KeepAlive(s)
	runtime.KeepAlive(q)
	return nil
}

func (q *CommandQueue) residency(op string, s *ResidencySet) (queue, set objc.ID, err error) {
	if queue = q.object(); queue == 0 {
		return 0, 0, releasedArgument(op, "queue")
	}
	set, err = objectOf(op, "residency set", q.device, s)
	return queue, set, err
}
