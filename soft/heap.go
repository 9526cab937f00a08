package soft

import (
	"slices"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// MTLHeapType
const (
	heapAutomatic = 0
	heapPlacement = 1
)

// heapAlign is what offsets and sizes in a heap are multiples of.
const heapAlign = 256

func roundUp(n, to int) int { return (n + to - 1) / to * to }

const heapClassName = "MTLHeap"

// heapDescriptor is the state of an MTLHeapDescriptor.
type heapDescriptor struct {
	size    uintptr
	options uintptr
	kind    uintptr
}

// heap is the state of an MTLHeap. Of its memory it keeps what no buffer has, sorted and joined; in a placement heap, where the
// program decides, it only counts.
type heap struct {
	label
	device    *device
	kind      uintptr
	options   uintptr
	mem       []byte
	purgeable purgeable

	mu   sync.Mutex
	gaps []span
	used int
}

// span is n bytes at an offset.
type span struct{ at, n int }

var heapClass *objc.Class

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLHeapDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = &heapDescriptor{options: storageModePrivate}
				m.ReturnID(self.ID)
			},
			selSize:               func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*heapDescriptor).size) },
			selSetSize:            func(self *objc.Object, m *objc.Msg) { self.State.(*heapDescriptor).size = m.Arg(0) },
			selResourceOptions:    func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*heapDescriptor).options) },
			selSetResourceOptions: func(self *objc.Object, m *objc.Msg) { self.State.(*heapDescriptor).options = m.Arg(0) },
			selSetHeapType:        func(self *objc.Object, m *objc.Msg) { self.State.(*heapDescriptor).kind = m.Arg(0) },
		},
	})
	heapClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLHeap",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selSize:                 func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*heap).mem))) },
			selCurrentAllocatedSize: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*heap).mem))) },
			selUsedSize: func(self *objc.Object, m *objc.Msg) {
				h := self.State.(*heap)
				h.mu.Lock()
				defer h.mu.Unlock()
				m.Return(uintptr(h.used))
			},
			selMaxAvailableSize: func(self *objc.Object, m *objc.Msg) {
				if a := m.Arg(0); a&(a-1) != 0 {
					assertion(m, heapClassName, "alignment %d is no power of two", a)
				}
				m.Return(uintptr(self.State.(*heap).available(int(m.Arg(0)))))
			},
			selResourceOptions: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*heap).options) },
			selStorageMode: func(self *objc.Object, m *objc.Msg) {
				m.Return(self.State.(*heap).options & storageModeMask >> storageModeShift)
			},
			selCPUCacheMode:       func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*heap).options & cacheModeMask) },
			selHazardTrackingMode: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*heap).hazardMode()) },
			selSetPurgeableState: func(self *objc.Object, m *objc.Msg) {
				h := self.State.(*heap)
				m.Return(h.purgeable.set(m, heapClassName, m.Arg(0), func() { clear(h.mem) }))
			},
			selNewBufferWithLength: func(self *objc.Object, m *objc.Msg) {
				h := self.State.(*heap)
				if h.kind != heapAutomatic {
					assertion(m, heapClassName, "a placement heap wants an offset")
				}
				h.checkBuffer(m)
				if at, ok := h.take(roundUp(int(m.Arg(0)), heapAlign)); ok {
					m.ReturnID(h.newBuffer(self.ID, at, int(m.Arg(0)), m.Arg(1)))
				}
			},
			selNewBufferAtHeapOffset: func(self *objc.Object, m *objc.Msg) {
				h := self.State.(*heap)
				if h.kind != heapPlacement {
					assertion(m, heapClassName, "only a placement heap takes an offset")
				}
				h.checkBuffer(m)
				n, size := roundUp(int(m.Arg(0)), heapAlign), len(h.mem)
				if m.Arg(2)%heapAlign != 0 || m.Arg(2) > uintptr(size-n) {
					assertion(m, heapClassName, "offset %d must be a multiple of %d with %d bytes behind it in a heap of %d", m.Arg(2), heapAlign, n, size)
				}
				h.mu.Lock()
				h.used += n
				h.mu.Unlock()
				m.ReturnID(h.newBuffer(self.ID, int(m.Arg(2)), int(m.Arg(0)), m.Arg(1)))
			},
		}),
		Dealloc: func(self *objc.Object) {
			h := self.State.(*heap)
			h.device.allocated.Add(-int64(len(h.mem)))
		},
	})
}

func newHeap(self *objc.Object, m *objc.Msg) {
	d := stateOf[*heapDescriptor](m, "MTLDevice", m.ArgID(0))
	if d.size == 0 {
		assertion(m, "MTLDevice", "cannot create a heap of zero size")
	}
	if mode := d.options & storageModeMask; mode != storageModeShared && mode != storageModePrivate {
		assertion(m, "MTLDevice", "storage mode %d: the software device has shared and private memory", mode>>storageModeShift)
	}
	if d.kind != heapAutomatic && d.kind != heapPlacement {
		assertion(m, "MTLDevice", "heap type %d: the software device has automatic and placement heaps", d.kind)
	}
	device := self.State.(*device)
	if d.size > maxBufferLength {
		return
	}
	size := roundUp(int(d.size), heapAlign)
	if !device.reserve(uintptr(size)) {
		return
	}
	m.ReturnID(objc.NewObject(heapClass, &heap{
		device: device, kind: d.kind, options: d.options, mem: pageAligned(size), gaps: []span{{0, size}},
	}))
}

// hazardMode is untracked unless the heap was made otherwise.
func (h *heap) hazardMode() uintptr {
	if mode := h.options & hazardModeMask >> hazardModeShift; mode != 0 {
		return mode
	}
	return hazardUntracked
}

func (h *heap) checkBuffer(m *objc.Msg) {
	checkBuffer(m, m.Arg(0), m.Arg(1))
	const modes = storageModeMask | cacheModeMask
	if m.Arg(1)&modes != h.options&modes {
		assertion(m, heapClassName, "options %#x differ from the heap's %#x", m.Arg(1), h.options)
	}
	if m.Arg(0) > uintptr(len(h.mem)) {
		assertion(m, heapClassName, "length %d is more than the heap's size %d", m.Arg(0), len(h.mem))
	}
}

func (h *heap) newBuffer(self objc.ID, at, length int, options uintptr) objc.ID {
	return objc.NewObject(bufferClass, &buffer{
		mem: h.mem[at : at+length : at+length], options: options, device: h.device,
		heap: h, heapID: objc.Retain(self), heapOffset: at,
	})
}

// take gives the first gap of n bytes or more, n a multiple of heapAlign.
func (h *heap) take(n int) (at int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.gaps, func(g span) bool { return g.n >= n })
	if i < 0 {
		return 0, false
	}
	at = h.gaps[i].at
	if h.gaps[i].n == n {
		h.gaps = slices.Delete(h.gaps, i, i+1)
	} else {
		h.gaps[i] = span{at + n, h.gaps[i].n - n}
	}
	h.used += n
	return at, true
}

// free gives n bytes back.
func (h *heap) free(at, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used -= n
	if h.kind == heapPlacement {
		return
	}
	i, _ := slices.BinarySearchFunc(h.gaps, at, func(g span, at int) int { return g.at - at })
	h.gaps = slices.Insert(h.gaps, i, span{at, n})
	if i+1 < len(h.gaps) && at+n == h.gaps[i+1].at {
		h.gaps[i].n += h.gaps[i+1].n
		h.gaps = slices.Delete(h.gaps, i+1, i+2)
	}
	if i > 0 && h.gaps[i-1].at+h.gaps[i-1].n == at {
		h.gaps[i-1].n += h.gaps[i].n
		h.gaps = slices.Delete(h.gaps, i, i+1)
	}
}

// available is the length of the longest buffer that there is room for at that alignment.
func (h *heap) available(align int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	longest := 0
	for _, g := range h.gaps {
		skip := 0
		if align > heapAlign {
			skip = roundUp(g.at, align) - g.at
		}
		longest = max(longest, g.n-skip)
	}
	return longest
}

// memoryMethods are those of the device about heaps, and those that make what orders work.
var memoryMethods = map[objc.SEL]objc.Method{
	selNewFence:              newFence,
	selNewEvent:              newEvent,
	selNewSharedEvent:        newSharedEvent,
	selNewHeapWithDescriptor: newHeap,
	selHeapBufferSizeAndAlign: func(_ *objc.Object, m *objc.Msg) {
		checkBuffer(m, m.Arg(0), m.Arg(1))
		m.ReturnStruct((m.Arg(0)+heapAlign-1)/heapAlign*heapAlign, heapAlign)
	},
}
