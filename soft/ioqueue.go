package soft

import (
	"runtime"
	"slices"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// MTLIOCommandQueueType, MTLIOPriority
const (
	ioQueueConcurrent = 0
	ioQueueSerial     = 1
	ioPriorityNormal  = 1
)

// ioQueueDescriptor is the state of an MTLIOCommandQueueDescriptor. A count of 0 leaves the choice to the device. The priority is
// kept and has no effect: the operating system schedules the reads.
type ioQueueDescriptor struct {
	maxCommandBuffers, maxInFlight uintptr
	priority, kind                 uintptr
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLIOCommandQueueDescriptor",
		Instance: withMethods(map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = &ioQueueDescriptor{priority: ioPriorityNormal}
				m.ReturnID(self.ID)
			},
		},
			word(selMaxCommandBufferCount, selSetMaxCommandBufferCount, func(d *ioQueueDescriptor) *uintptr { return &d.maxCommandBuffers }),
			word(selMaxCommandsInFlight, selSetMaxCommandsInFlight, func(d *ioQueueDescriptor) *uintptr { return &d.maxInFlight }),
			word(selPriority, selSetPriority, func(d *ioQueueDescriptor) *uintptr { return &d.priority }),
			word(selIOQueueType, selSetIOQueueType, func(d *ioQueueDescriptor) *uintptr { return &d.kind }),
		),
	})
}

// word gives the methods of a property of one word.
func word[T any](get, set objc.SEL, field func(*T) *uintptr) map[objc.SEL]objc.Method {
	return map[objc.SEL]objc.Method{
		get: func(self *objc.Object, m *objc.Msg) { m.Return(*field(self.State.(*T))) },
		set: func(self *objc.Object, m *objc.Msg) { *field(self.State.(*T)) = m.Arg(0) },
	}
}

// ioQueue is the state of an MTLIOCommandQueue. A serial one runs one command buffer after the other; a concurrent one runs all that
// have been committed at once, up to a barrier, which waits for those before it.
type ioQueue struct {
	label
	serial bool
	width  int // loads of a command buffer that overlap
	slots  slots

	mu      sync.Mutex
	pending []*ioCommandBuffer // nil is a barrier; the queue owns a reference to each that has been committed
	running int
}

var ioQueueClass *objc.Class

func init() {
	ioQueueClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLIOCommandQueue",
		Instance: map[objc.SEL]objc.Method{
			selLabel: getLabel, selSetLabel: setLabel,
			selCommandBuffer: newIOCommandBuffer,
			selEnqueueBarrier: func(self *objc.Object, _ *objc.Msg) {
				q := self.State.(*ioQueue)
				q.mu.Lock()
				defer q.mu.Unlock()
				q.pending = append(q.pending, nil)
				q.advance()
			},
		},
	})
}

func newIOCommandQueue(_ *objc.Object, m *objc.Msg) {
	d := stateOf[*ioQueueDescriptor](m, "MTLDevice", m.ArgID(0))
	if d.kind != ioQueueConcurrent && d.kind != ioQueueSerial {
		assertion(m, "MTLDevice", "type %d of an IO command queue", int(d.kind))
	}
	q := &ioQueue{serial: d.kind == ioQueueSerial, width: 1, slots: newSlots(d.maxCommandBuffers)}
	if !q.serial {
		q.width = max(2, runtime.GOMAXPROCS(0))
		if d.maxInFlight != 0 {
			q.width = int(min(d.maxInFlight, uintptr(q.width)))
		}
	}
	m.ReturnID(objc.NewObject(ioQueueClass, q))
}

// enqueue gives a command buffer its place, and reports false if it has one.
func (q *ioQueue) enqueue(c *ioCommandBuffer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.enqueued {
		return false
	}
	c.enqueued = true
	q.pending = append(q.pending, c)
	return true
}

// commit hands over a command buffer, with a reference to it if it was not committed before, which it reports.
func (q *ioQueue) commit(c *ioCommandBuffer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.committed.Load() {
		return false
	}
	if !c.enqueued {
		c.enqueued = true
		q.pending = append(q.pending, c)
	}
	objc.Retain(c.self)
	c.committed.Store(true)
	q.advance()
	return true
}

// forget takes a command buffer that goes without having been committed out of the queue: it may be in the way of others.
func (q *ioQueue) forget(c *ioCommandBuffer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.enqueued && !c.committed.Load() {
		q.pending = slices.DeleteFunc(q.pending, func(p *ioCommandBuffer) bool { return p == c })
		q.advance()
	}
}

// advance starts what may run. The queue is locked.
func (q *ioQueue) advance() {
	for i := 0; i < len(q.pending); {
		c := q.pending[i]
		busy := i > 0 || q.running > 0 // there is something before this
		switch {
		case c == nil:
			if busy {
				return
			}
		case !c.committed.Load():
			if q.serial {
				return
			}
			i++
			continue
		default:
			if q.serial && busy {
				return
			}
			q.running++
			go q.run(c)
		}
		q.pending = slices.Delete(q.pending, i, i+1)
	}
}

func (q *ioQueue) run(c *ioCommandBuffer) {
	finish := c.execute()
	q.mu.Lock()
	q.running--
	q.advance()
	q.mu.Unlock()
	finish()
}

// slots bound how many command buffers a queue has that have not completed; nil slots do not.
type slots chan struct{}

const maxSlots = 1 << 20

// newSlots gives n slots, nil for 0.
func newSlots(n uintptr) slots {
	if n == 0 {
		return nil
	}
	return make(slots, min(n, maxSlots))
}

// take waits until there is a slot.
func (s slots) take() {
	if s != nil {
		s <- struct{}{}
	}
}

func (s slots) give() {
	if s != nil {
		<-s
	}
}
