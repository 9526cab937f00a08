package soft

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// MTLIOStatus
const (
	ioStatusPending   = 0
	ioStatusCancelled = 1
	ioStatusError     = 2
	ioStatusComplete  = 3
)

const ioCommandBufferClassName = "MTLIOCommandBuffer"

// ioStatusSize is the size of an MTLIOStatus in memory.
const ioStatusSize = 8

// ioCommandBuffer is the state of an MTLIOCommandBuffer. Until it is committed one goroutine fills it; then a goroutine of the queue's
// owns it, and status, which is written last, publishes the results.
type ioCommandBuffer struct {
	label
	self      objc.ID
	queue     *ioQueue
	queueID   objc.ID // retained
	enqueued  bool    // guarded by the queue
	committed atomic.Bool
	groups    int // debug groups that are open

	commands []ioCommand
	retained []objc.ID
	copies   [][]byte  // where the status goes
	handlers []objc.ID // blocks, owned

	cancel  chan struct{} // closed by the first tryCancel
	once    sync.Once
	status  atomic.Int32
	failure objc.ID // NSError, owned
	done    chan struct{}
}

func newIOCommandBuffer(q *objc.Object, m *objc.Msg) {
	c := &ioCommandBuffer{
		queue:   q.State.(*ioQueue),
		queueID: objc.Retain(q.ID),
		cancel:  make(chan struct{}),
		done:    make(chan struct{}),
	}
	c.queue.slots.take()
	c.self = objc.NewObject(ioCommandBufferClass, c)
	m.ReturnID(objc.Autorelease(c.self))
}

var ioCommandBufferClass *objc.Class

func init() {
	ioCommandBufferClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLIOCommandBuffer",
		Instance: withMethods(map[objc.SEL]objc.Method{
			selLabel: getLabel, selSetLabel: setLabel,
			selEnqueue: func(self *objc.Object, m *objc.Msg) {
				if c := self.State.(*ioCommandBuffer); !c.queue.enqueue(c) {
					assertion(m, ioCommandBufferClassName, "the command buffer has been enqueued already")
				}
			},
			selCommit: func(self *objc.Object, m *objc.Msg) {
				c := self.State.(*ioCommandBuffer)
				if c.groups != 0 {
					assertion(m, ioCommandBufferClassName, "%d debug groups have not been popped", c.groups)
				}
				if !c.queue.commit(c) {
					assertion(m, ioCommandBufferClassName, "commit of a committed command buffer")
				}
			},
			selWaitUntilCompleted: func(self *objc.Object, m *objc.Msg) {
				c := self.State.(*ioCommandBuffer)
				if !c.committed.Load() {
					assertion(m, ioCommandBufferClassName, "wait for a command buffer that has not been committed")
				}
				<-c.done
			},
			selTryCancel: func(self *objc.Object, _ *objc.Msg) {
				c := self.State.(*ioCommandBuffer)
				c.once.Do(func() { close(c.cancel) })
			},
			selIOStatus: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*ioCommandBuffer).status.Load())) },
			selError: func(self *objc.Object, m *objc.Msg) {
				if c := self.State.(*ioCommandBuffer); c.status.Load() == ioStatusError {
					m.ReturnID(c.failure)
				}
			},
		}, ioCommandMethods),
		Dealloc: func(self *objc.Object) {
			c := self.State.(*ioCommandBuffer)
			if !c.committed.Load() {
				c.queue.forget(c)
				c.queue.slots.give()
				c.forget()
			}
			objc.Release(c.failure)
			objc.Release(c.queueID)
		},
	})
}

// forget lets go of what the command buffer uses.
func (c *ioCommandBuffer) forget() {
	for _, id := range append(c.retained, c.handlers...) {
		objc.Release(id)
	}
	c.commands, c.retained, c.copies, c.handlers = nil, nil, nil, nil
}

// execute runs the commands, lets go of what they hold and calls the handlers. What it gives is to be called when the queue has gone
// on: it wakes who waits, and by then nothing is held on the command buffer's behalf any more.
func (c *ioCommandBuffer) execute() (finish func()) {
	complete, err := c.run()
	status := int32(ioStatusComplete)
	switch {
	case err != nil:
		c.failure = objc.NewError(ioErrorDomain, ioErrorInternal, err.Error())
		status = ioStatusError
	case !complete:
		status = ioStatusCancelled
	}
	for _, at := range c.copies {
		binary.LittleEndian.PutUint64(at, uint64(status))
	}
	handlers := c.handlers
	c.handlers = nil
	c.forget()
	c.status.Store(status)
	for _, h := range handlers {
		objc.CallBlock(h, c.self)
		objc.Release(h)
	}
	c.queue.slots.give()
	return func() {
		done := c.done
		objc.Release(c.self)
		close(done)
	}
}
