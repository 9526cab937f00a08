package soft

import (
	"fmt"
	"sync"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// ioCommand is a load, a barrier, or a signal of an event or a wait for it.
type ioCommand struct {
	kind ioCommandKind

	// load
	dst    []byte
	file   *ioFile
	offset int64

	// signal and wait
	event   *event
	eventID objc.ID
	value   uint64
}

type ioCommandKind uint8

const (
	ioLoad ioCommandKind = iota
	ioBarrier
	ioSignal
	ioWait
)

// ioCommandMethods encode commands.
var ioCommandMethods = map[objc.SEL]objc.Method{
	selLoadBuffer: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		c.load(m, c.memory(m, 0, m.Arg(1), m.Arg(2)), 3)
	},
	selLoadBytes: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		if m.Arg(0) == 0 {
			assertion(m, ioCommandBufferClassName, "pointer must not be NULL")
		}
		c.load(m, objc.View(m.Arg(0), int(m.Arg(1))), 2)
	},
	selCopyStatusToBuffer: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		c.copies = append(c.copies, c.memory(m, 0, m.Arg(1), ioStatusSize))
	},
	selAddBarrier: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		c.commands = append(c.commands, ioCommand{kind: ioBarrier})
	},
	selIOSignalEvent:  func(self *objc.Object, m *objc.Msg) { self.State.(*ioCommandBuffer).encodeEvent(m, ioSignal) },
	selIOWaitForEvent: func(self *objc.Object, m *objc.Msg) { self.State.(*ioCommandBuffer).encodeEvent(m, ioWait) },
	selAddCompletedHandler: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		if m.Arg(0) == 0 {
			assertion(m, ioCommandBufferClassName, "the block must not be nil")
		}
		c.handlers = append(c.handlers, objc.Retain(m.ArgID(0)))
	},
	selPushDebugGroup: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		c.groups++
	},
	selPopDebugGroup: func(self *objc.Object, m *objc.Msg) {
		c := self.State.(*ioCommandBuffer)
		c.uncommitted(m)
		if c.groups == 0 {
			assertion(m, ioCommandBufferClassName, "no debug group to pop")
		}
		c.groups--
	},
}

// uncommitted stops the program if the command buffer has been committed.
func (c *ioCommandBuffer) uncommitted(m *objc.Msg) {
	if c.committed.Load() {
		assertion(m, ioCommandBufferClassName, "the command buffer has been committed")
	}
}

// memory gives n bytes from offset on of the buffer that is argument word i, and retains it.
func (c *ioCommandBuffer) memory(m *objc.Msg, i int, offset, n uintptr) []byte {
	id := m.ArgID(i)
	b := stateOf[*buffer](m, ioCommandBufferClassName, id)
	if size := uintptr(len(b.mem)); offset > size || n > size-offset {
		assertion(m, ioCommandBufferClassName, "%d bytes from %d on are not inside the buffer's %d", n, offset, size)
	}
	c.retained = append(c.retained, objc.Retain(id))
	return b.mem[offset : offset+n]
}

// load records a load from the handle in argument word i and the offset behind it.
func (c *ioCommandBuffer) load(m *objc.Msg, dst []byte, i int) {
	id := m.ArgID(i)
	f := stateOf[*ioFile](m, ioCommandBufferClassName, id)
	offset := int64(m.Arg(i + 1))
	if offset < 0 || offset+int64(len(dst)) < offset {
		assertion(m, ioCommandBufferClassName, "offset %d is beyond any file", m.Arg(i+1))
	}
	c.retained = append(c.retained, objc.Retain(id))
	c.commands = append(c.commands, ioCommand{kind: ioLoad, dst: dst, file: f, offset: offset})
}

func (c *ioCommandBuffer) encodeEvent(m *objc.Msg, kind ioCommandKind) {
	c.uncommitted(m)
	id := m.ArgID(0)
	e := stateOf[*event](m, ioCommandBufferClassName, id)
	c.retained = append(c.retained, objc.Retain(id))
	c.commands = append(c.commands, ioCommand{kind: kind, event: e, eventID: id, value: uint64(m.Arg(1))})
}

// run executes the commands up to the first that fails. It reports false, without an error, if the command buffer was cancelled
// before its end.
func (c *ioCommandBuffer) run() (complete bool, err error) {
	loads := ioLoads{command: c, slots: newSlots(uintptr(c.queue.width))}
	defer loads.group.Wait()
	for i := range c.commands {
		command := &c.commands[i]
		if command.kind == ioLoad {
			loads.start(command)
			continue
		}
		if complete, err := loads.wait(); err != nil || !complete {
			return complete, err
		}
		switch command.kind {
		case ioSignal:
			command.event.signal(command.eventID, command.value)
		case ioWait:
			timeout := time.Duration(eventTimeout.Load())
			if command.event.waitOr(command.value, timeout, c.cancel) {
				continue
			}
			if c.cancelled() {
				return false, nil
			}
			return false, fmt.Errorf("event %q was not signalled with %d within %v: its value is %d",
				command.event.name(), command.value, timeout, command.event.now())
		}
	}
	return loads.wait()
}

func (c *ioCommandBuffer) cancelled() bool {
	select {
	case <-c.cancel:
		return true
	default:
		return false
	}
}

// ioLoads are loads that may overlap, as many as there are slots.
type ioLoads struct {
	command *ioCommandBuffer
	slots   slots
	group   sync.WaitGroup

	mu      sync.Mutex
	stopped bool  // one did not complete
	err     error // of the first that failed
}

// start has a load run, unless one before it did not complete.
func (l *ioLoads) start(command *ioCommand) {
	l.slots.take()
	if l.over() {
		l.slots.give()
		return
	}
	if cap(l.slots) == 1 {
		l.run(command)
		return
	}
	l.group.Go(func() { l.run(command) })
}

func (l *ioLoads) run(command *ioCommand) {
	defer l.slots.give()
	complete, err := command.file.read(command.dst, command.offset, l.command.cancel)
	if complete {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	if l.err == nil {
		l.err = err
	}
}

func (l *ioLoads) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopped
}

// wait waits for the loads that have been started, and tells as run does.
func (l *ioLoads) wait() (complete bool, err error) {
	l.group.Wait()
	return !l.stopped, l.err
}
