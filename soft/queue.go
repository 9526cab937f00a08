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
	if !c.status.CompareAndSwap(statusNotEnqueued, statusEnqueued) {
		assertion(m, commandBufferClassName, "the command buffer has been enqueued already")
	}
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	c.queue.pending = append(c.queue.pending, c)
}

// commit takes over the caller's reference to the command buffer.
func (q *queue) commit(c *commandBuffer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.status.Swap(statusCommitted) == statusNotEnqueued {
		q.pending = append(q.pending, c)
	}
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
	if !q.running {
		q.running = true
		go q.drain()
	}
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
