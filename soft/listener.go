package soft

import (
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// listener is the state of an MTLSharedEventListener: it calls the blocks of notifications one after the other. While it has
// any, one goroutine calls them, as a dispatch queue would.
type listener struct {
	mu      sync.Mutex
	pending []call
	running bool
}

// call is a notification that is due. It owns both objects.
type call struct {
	block, event objc.ID
	value        uint64
}

// sharedListener is there from the start, like the device, and as long as the process.
var sharedListener objc.ID

func init() {
	class := objc.Software().Register(objc.ClassDef{
		Name: "MTLSharedEventListener",
		Class: map[objc.SEL]objc.Method{
			selSharedListener: func(_ *objc.Object, m *objc.Msg) { m.ReturnID(sharedListener) },
		},
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(listener)
				m.ReturnID(self.ID)
			},
		},
	})
	sharedListener = objc.NewObject(class, new(listener))
}

// post takes over the caller's references.
func (l *listener) post(block, event objc.ID, value uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, call{block, event, value})
	if !l.running {
		l.running = true
		go l.drain()
	}
}

func (l *listener) drain() {
	for {
		l.mu.Lock()
		if len(l.pending) == 0 {
			l.pending = nil
			l.running = false
			l.mu.Unlock()
			return
		}
		c := l.pending[0]
		l.pending = l.pending[1:]
		l.mu.Unlock()
		objc.CallBlock(c.block, c.event, objc.ID(c.value))
		objc.Release(c.block)
		objc.Release(c.event)
	}
}
