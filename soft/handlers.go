package soft

import (
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// lifeMethods are those of a command buffer's way through its queue that are not about encoding.
var lifeMethods = map[objc.SEL]objc.Method{
	selEnqueue: enqueue,
	selAddScheduledHandler: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*commandBuffer)
		c.scheduledHandlers = append(c.scheduledHandlers, c.handler(m))
	},
	selAddCompletedHandler: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*commandBuffer)
		c.completedHandlers = append(c.completedHandlers, c.handler(m))
	},
	selWaitUntilScheduled: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*commandBuffer)
		if c.status.Load() < statusCommitted {
			assertion(m, commandBufferClassName, "wait for a command buffer that has not been committed")
		}
		c.scheduling.wait()
	},
	selRetainedReferences: func(self *objc.Object, m *objc.Msg) { m.ReturnBool(!self.State.(*commandBuffer).unretained) },
	selErrorOptions:       func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*commandBuffer).errorOptions) },
	selKernelStartTime: func(self *objc.Object, m *objc.Msg) {
		if c := self.State.(*commandBuffer); c.status.Load() >= statusScheduled {
			m.ReturnFloat64(c.kernelStart)
		}
	},
	selKernelEndTime: func(self *objc.Object, m *objc.Msg) {
		if c := self.State.(*commandBuffer); c.status.Load() >= statusScheduled {
			m.ReturnFloat64(c.kernelEnd)
		}
	},
	selPushDebugGroup: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*commandBuffer)
		c.uncommitted(m)
		c.groups++
	},
	selPopDebugGroup: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*commandBuffer)
		c.uncommitted(m)
		if c.groups == 0 {
			assertion(m, commandBufferClassName, "no debug group to pop")
		}
		c.groups--
	},
	selEncodeSignalEvent:  func(self *objc.Object, m *objc.Msg) { encodeEvent(self, m, commandSignal) },
	selEncodeWaitForEvent: func(self *objc.Object, m *objc.Msg) { encodeEvent(self, m, commandWait) },
}

// uncommitted stops the program if the command buffer has been committed.
func (c *commandBuffer) uncommitted(m *objc.Msg) {
	if c.status.Load() >= statusCommitted {
		assertion(m, commandBufferClassName, "the command buffer has been committed")
	}
}

// handler gives the block of a message, retained.
func (c *commandBuffer) handler(m *objc.Msg) objc.ID {
	c.uncommitted(m)
	if m.Arg(0) == 0 {
		assertion(m, commandBufferClassName, "the block must not be nil")
	}
	return objc.Retain(m.ArgID(0))
}

// call calls handlers and lets go of them.
func (c *commandBuffer) call(handlers []objc.ID) {
	for _, h := range handlers {
		objc.CallBlock(h, c.self)
		objc.Release(h)
	}
}

// scheduling is what waitUntilScheduled waits for. Few do: the channel is made by the first.
type scheduling struct {
	mu   sync.Mutex
	done bool
	wake chan struct{}
}

func (s *scheduling) wait() {
	s.mu.Lock()
	if s.done {
		s.mu.Unlock()
		return
	}
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	wake := s.wake
	s.mu.Unlock()
	<-wake
}

func (s *scheduling) happened() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	if s.wake != nil {
		close(s.wake)
	}
}
