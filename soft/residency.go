package soft

import (
	"slices"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

const (
	residencySetClassName = "MTLResidencySet"
	maxResidencySets      = 32 // of a queue
)

// residencySet is the state of an MTLResidencySet. All memory of the software device is resident, so it keeps the books and no more.
type residencySet struct {
	label
	mu        sync.Mutex
	pending   []objc.ID // retained; as it will be from commit on
	committed int       // bytes
}

// residencyDescriptor is the state of an MTLResidencySetDescriptor.
type residencyDescriptor struct {
	label
	capacity uintptr
}

var residencySetClass *objc.Class

func init() {
	capacity, setCapacity := wordProperty(func(d *residencyDescriptor) *uintptr { return &d.capacity })
	objc.Software().Register(objc.ClassDef{
		Name: "MTLResidencySetDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(residencyDescriptor)
				m.ReturnID(self.ID)
			},
			selSetLabel:        func(self *objc.Object, m *objc.Msg) { self.State.(labelled).rename(objc.GoString(m.ArgID(0))) },
			selInitialCapacity: capacity, selSetInitialCapacity: setCapacity,
		},
	})
	locked := func(f func(s *residencySet, m *objc.Msg)) objc.Method {
		return func(self *objc.Object, m *objc.Msg) {
			s := self.State.(*residencySet)
			s.mu.Lock()
			defer s.mu.Unlock()
			f(s, m)
		}
	}
	residencySetClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLResidencySet",
		Instance: map[objc.SEL]objc.Method{
			selDevice: func(_ *objc.Object, m *objc.Msg) { m.ReturnID(theDevice()) },
			selLabel: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.Software().NewString(self.State.(*residencySet).name())))
			},
			selRequestResidency: func(*objc.Object, *objc.Msg) {},
			selEndResidency:     func(*objc.Object, *objc.Msg) {},
			selAddAllocation:    locked(func(s *residencySet, m *objc.Msg) { s.add(m, m.ArgID(0)) }),
			selAddAllocations: locked(func(s *residencySet, m *objc.Msg) {
				for _, id := range objc.ViewIDs(m.Arg(0), int(m.Arg(1))) {
					s.add(m, id)
				}
			}),
			selRemoveAllocation: locked(func(s *residencySet, m *objc.Msg) { s.remove(m.ArgID(0)) }),
			selRemoveAllocations: locked(func(s *residencySet, m *objc.Msg) {
				for _, id := range objc.ViewIDs(m.Arg(0), int(m.Arg(1))) {
					s.remove(id)
				}
			}),
			selRemoveAllAllocations: locked(func(s *residencySet, _ *objc.Msg) { s.clear() }),
			selContainsAllocation:   locked(func(s *residencySet, m *objc.Msg) { m.ReturnBool(slices.Contains(s.pending, m.ArgID(0))) }),
			selAllocationCount:      locked(func(s *residencySet, m *objc.Msg) { m.Return(uintptr(len(s.pending))) }),
			selAllocatedSize:        locked(func(s *residencySet, m *objc.Msg) { m.Return(uintptr(s.committed)) }),
			selCommit: locked(func(s *residencySet, m *objc.Msg) {
				s.committed = 0
				for _, id := range s.pending {
					s.committed += allocationSize(m, id)
				}
			}),
		},
		Dealloc: func(self *objc.Object) { self.State.(*residencySet).clear() },
	})
}

// allocationSize is the size in bytes of a buffer, a heap or an indirect command buffer.
func allocationSize(m *objc.Msg, id objc.ID) int {
	if o := objc.ObjectOf(id); o != nil {
		switch s := o.State.(type) {
		case *buffer:
			return len(s.mem)
		case *heap:
			return len(s.mem)
		case *indirectBuffer:
			return 0 // it has no device memory
		}
	}
	assertion(m, residencySetClassName, "argument %#x is no allocation", uintptr(id))
	panic("unreachable")
}

func (s *residencySet) add(m *objc.Msg, id objc.ID) {
	allocationSize(m, id)
	if !slices.Contains(s.pending, id) {
		s.pending = append(s.pending, objc.Retain(id))
	}
}

func (s *residencySet) remove(id objc.ID) {
	if i := slices.Index(s.pending, id); i >= 0 {
		s.pending = slices.Delete(s.pending, i, i+1)
		objc.Release(id)
	}
}

func (s *residencySet) clear() {
	for _, id := range s.pending {
		objc.Release(id)
	}
	s.pending = nil
}

// residencyMethods are those of the device.
var residencyMethods = map[objc.SEL]objc.Method{
	selNewResidencySet: func(_ *objc.Object, m *objc.Msg) {
		s := new(residencySet)
		s.rename(stateOf[*residencyDescriptor](m, "MTLDevice", m.ArgID(0)).name())
		m.ReturnID(objc.NewObject(residencySetClass, s))
	},
}

// residencyQueueMethods are those of a queue.
var residencyQueueMethods = map[objc.SEL]objc.Method{
	selAddResidencySet: func(self *objc.Object, m *objc.Msg) {
		stateOf[*residencySet](m, "MTLCommandQueue", m.ArgID(0))
		q := self.State.(*queue)
		q.mu.Lock()
		defer q.mu.Unlock()
		if slices.Contains(q.sets, m.ArgID(0)) {
			return
		}
		if len(q.sets) == maxResidencySets {
			assertion(m, "MTLCommandQueue", "more than %d residency sets", maxResidencySets)
		}
		q.sets = append(q.sets, objc.Retain(m.ArgID(0)))
	},
	selRemoveResidencySet: func(self *objc.Object, m *objc.Msg) {
		q := self.State.(*queue)
		q.mu.Lock()
		defer q.mu.Unlock()
		if i := slices.Index(q.sets, m.ArgID(0)); i >= 0 {
			q.sets = slices.Delete(q.sets, i, i+1)
			objc.Release(m.ArgID(0))
		}
	},
}
