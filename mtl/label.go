package mtl

import (
	"runtime"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// label is an object's name. It is kept here too, so that an error text costs no messages.
type label struct{ text atomic.Pointer[string] }

func (l *label) get() string {
	if s := l.text.Load(); s != nil {
		return *s
	}
	return ""
}

// set stores the name and sends it to h, unless h has been released.
func (l *label) set(h *handle, s string) {
	id := h.object()
	if id == 0 {
		return
	}
	l.text.Store(&s)
	sendString(id, selSetLabel, s)
	runtime.KeepAlive(h)
}

// sendString sends a message whose one argument is a string.
func sendString(id objc.ID, sel objc.SEL, s string) {
	rt := objc.RuntimeOf(id)
	rt.Pool(func() {
		text := rt.NewString(s)
		objc.Send(id, sel, uintptr(text))
		objc.Release(text)
	})
}
