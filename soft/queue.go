package soft

import (
	"slices"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// queue runs command buffers in the order in which they were enqueued, or committed without. While the first has been
// committed, one goroutine runs them; idle it has none and keeps nothing alive.
type queue struct {
	label
	slots   slots
	mu      sync.Mutex
	pending []*commandBuffer // the queue owns a reference to each that has been committed
	running bool
	sets    []objc.ID // residency sets, retained
}

var queueClass *objc.Class

func init() {
	queueClass = objc.Software().Register(objc.ClassDef{
		Name:     "SoftwareMTLCommandQueue",
		Instance: withLabel(queueMethods, residencyQueueMethods),
		Dealloc: func(self *objc.Object) {
			for _, id := range self.State.(*queue).sets {
				objc.Release(id)
			}
		},
	})
}

// enqueue gives a command buffer its place in the queue before it is committed.
func enqueue(self *objc.Object, m *objc.Msg) {
	c := self.State.(*commandBuffer)
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	if c.status.Load() != statusNotEnqueued {
		assertion(m, commandBufferClassName, "the command buffer has been enqueued already")
	}
	c.status.Store(statusEnqueued)
	c.queue.pending = append(c.queue.pending, c)
}

// commit hands over a command buffer, with a reference to it if it was not committed before, which it reports.
func (q *queue) commit(c *commandBuffer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch c.status.Load() {
	case statusNotEnqueued:
		q.pending = append(q.pending, c)
	case statusEnqueued:
	default:
		return false
	}
	objc.Retain(c.self)
	c.status.Store(statusCommitted)
	q.start()
	return true
}

// start has a goroutine run what is pending. The queue is locked.
func (q *queue) start() {
	if !q.running {
		q.running = true
		go q.drain()
	}
}

// forget takes a command buffer that goes without having been committed out of the queue: it may be in the way of others.
func (q *queue) forget(c *commandBuffer) {
	if c.status.Load() != statusEnqueued {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pending = slices.DeleteFunc(q.pending, func(p *commandBuffer) bool { return p == c })
	q.start()
}

func (q *queue) drain() {
	for {
		q.mu.Lock()
		if len(q.pending) == 0 || q.pending[0].status.Load() < statusCommitted {
			if len(q.pending) == 0 {
				q.pending = nil
			}
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
