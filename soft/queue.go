package soft

import (
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// queue runs command buffers in the order in which they were committed. While it has any, one goroutine runs them; idle it
// has none and keeps nothing alive.
type queue struct {
	label
	mu      sync.Mutex
	pending []*commandBuffer // the queue owns a reference to each
	running bool
}

var queueClass *objc.Class

func init() {
	queueClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCommandQueue",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selCommandBuffer: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(newCommandBuffer(self)))
			},
		}),
	})
}

// submit takes over the caller's reference to the command buffer.
func (q *queue) submit(c *commandBuffer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pending = append(q.pending, c)
	if !q.running {
		q.running = true
		go q.drain()
	}
}

func (q *queue) drain() {
	for {
		q.mu.Lock()
		if len(q.pending) == 0 {
			q.pending = nil
			q.running = false
			q.mu.Unlock()
			return
		}
		c := q.pending[0]
		q.pending[0] = nil
		q.pending = q.pending[1:]
		q.mu.Unlock()
		c.execute()
	}
}
