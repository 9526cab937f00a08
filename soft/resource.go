package soft

import (
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// MTLPurgeableState
const (
	purgeableKeepCurrent = 1
	purgeableNonVolatile = 2
	purgeableVolatile    = 3
	purgeableEmpty       = 4
)

// MTLHazardTrackingMode is in bits 8 and 9 of the options, MTLCPUCacheMode in bits 0 to 3.
const (
	cacheModeMask   = 0x0f
	hazardModeMask  = 0x300
	hazardModeShift = 8
	hazardTracked   = 2
	hazardUntracked = 1
)

// purgeable is a resource's purgeable state; its zero value is that of a new one. The software device throws contents away only
// when it is told to.
type purgeable struct{ state atomic.Uintptr }

// set gives the former state; erase is called if the contents are to go.
func (p *purgeable) set(m *objc.Msg, class string, state uintptr, erase func()) uintptr {
	if state < purgeableKeepCurrent || state > purgeableEmpty {
		assertion(m, class, "purgeable state %d", state)
	}
	if state == purgeableKeepCurrent {
		return max(p.state.Load(), purgeableNonVolatile)
	}
	if state == purgeableEmpty {
		erase()
	}
	return max(p.state.Swap(state), purgeableNonVolatile)
}

const bufferClassName = "MTLBuffer"

// resourceMethods are those of a buffer beyond its memory.
var resourceMethods = map[objc.SEL]objc.Method{
	selGPUAddress: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*buffer).address()) },
	selSetPurgeableState: func(self *objc.Object, m *objc.Msg) {
		b := self.State.(*buffer)
		if b.heap != nil && m.Arg(0) != purgeableKeepCurrent {
			assertion(m, bufferClassName, "the purgeable state is that of the buffer's heap")
		}
		m.Return(b.purgeable.set(m, bufferClassName, m.Arg(0), func() { clear(b.mem) }))
	},
	selMakeAliasable: func(self *objc.Object, m *objc.Msg) {
		b := self.State.(*buffer)
		if b.heap == nil {
			assertion(m, bufferClassName, "a buffer with memory of its own cannot be aliased")
		}
		if !b.aliasable.Swap(true) {
			b.heap.free(b.heapOffset, b.heapSize())
		}
	},
	selIsAliasable: func(self *objc.Object, m *objc.Msg) { m.ReturnBool(self.State.(*buffer).aliasable.Load()) },
	selHeap:        func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(*buffer).heapID) },
	selHeapOffset:  func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*buffer).heapOffset)) },
	selCPUCacheMode: func(self *objc.Object, m *objc.Msg) {
		m.Return(self.State.(*buffer).options & cacheModeMask)
	},
	selHazardTrackingMode: func(self *objc.Object, m *objc.Msg) {
		b := self.State.(*buffer)
		mode := b.options & hazardModeMask >> hazardModeShift
		switch {
		case mode != 0:
		case b.heap != nil:
			mode = b.heap.hazardMode()
		default:
			mode = hazardTracked
		}
		m.Return(mode)
	},
	selAddDebugMarker: func(self *objc.Object, m *objc.Msg) {
		n := uintptr(len(self.State.(*buffer).mem))
		if m.Arg(1) > n || m.Arg(2) > n-m.Arg(1) {
			assertion(m, bufferClassName, "%d bytes at %d are not inside the buffer's %d", m.Arg(2), m.Arg(1), n)
		}
	},
	selRemoveAllDebugMarkers: func(*objc.Object, *objc.Msg) {},
}

// heapSize is how much of its heap the buffer takes.
func (b *buffer) heapSize() int { return roundUp(len(b.mem), heapAlign) }

// leaveHeap gives the buffer's memory back, unless others may have it already.
func (b *buffer) leaveHeap() {
	if !b.aliasable.Swap(true) {
		b.heap.free(b.heapOffset, b.heapSize())
	}
}
