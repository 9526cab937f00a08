package mtl

import (
	"runtime"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// live counts the objects of this package that have not been released.
var live atomic.Int64

// LiveObjects is the number of objects of this package that exist and have not been released, those of all
// devices together. It is for tests that prove they released everything.
//
// Reference: https://developer.apple.com/documentation/objectivec/nsobject-swift.class
func LiveObjects() int { return int(live.Load()) }

// handle is a counted reference to an Objective-C object, released once.
type handle struct {
	id      atomic.Uintptr // 0 once released
	user    atomic.Uint64  // serial of the last command buffer that keeps this object; saves keeping it twice
	encoder atomic.Uint64  // serial of the last encoder that pins this object; saves pinning it twice
	cleanup runtime.Cleanup

	pins     atomic.Int64 // 1 for the owner and 1 for each pin; the object goes with the last
	released objc.ID      // once the owner has let go
}

// own gives h, a field of owner, the reference that the caller has on id. If owner becomes unreachable before Release, drop gets
// the id on a goroutine of the runtime's.
func own[T any](owner *T, h *handle, id objc.ID, drop func(objc.ID)) {
	h.id.Store(uintptr(id))
	h.pins.Store(1)
	live.Add(1)
	h.cleanup = runtime.AddCleanup(owner, func(id objc.ID) {
		live.Add(-1)
		drop(id)
	}, id)
}

// object gives the id, 0 if it has been released. The caller keeps h alive while it uses it.
func (h *handle) object() objc.ID { return objc.ID(h.id.Load()) }

// disown takes the reference back from h; 0 if it is gone already.
func (h *handle) disown() objc.ID {
	id := objc.ID(h.id.Swap(0))
	if id != 0 {
		h.cleanup.Stop()
		live.Add(-1)
	}
	runtime.KeepAlive(h) // or the cleanup could run between Swap and Stop
	return id
}

func (h *handle) release() {
	if id := h.disown(); id != 0 {
		h.released = id
		h.unpin()
	}
}

// pin keeps the object past its release, until unpin. The caller holds it.
func (h *handle) pin() { h.pins.Add(1) }

func (h *handle) unpin() {
	if h.pins.Add(-1) == 0 {
		drop(h.released)
	}
}

// send sends a message on a cold path. A released object behaves as nil.
func (h *handle) send(sel objc.SEL, words ...uintptr) uintptr {
	r := objc.Send(h.object(), sel, words...)
	runtime.KeepAlive(h)
	return r
}

// drop releases a reference. Objects may autorelease others when they go, hence the pool.
func drop(id objc.ID) {
	objc.RuntimeOf(id).Pool(func() { objc.Release(id) })
}
