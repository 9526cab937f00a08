package soft

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/simt"
)

// indirectWork is what a command of an encoder does with an indirect command buffer.
type indirectWork struct {
	buffer   *indirectBuffer
	first, n int
	where    *buffer // the range is there, at offset; nil: it is first and n
	offset   int
	to       *indirectBuffer // copy
	toFirst  int
	pipeline *pipeline // inherited
	bindings [maxBuffers]binding
}

// keepObject retains an object for the command buffer.
func (e *encoder) keepObject(id objc.ID) {
	if e.buffer.retains(id) {
		objc.Retain(id)
	}
}

func (e *compute) recordIndirect(m *objc.Msg, w indirectWork) {
	e.keepObject(m.ArgID(0))
	if w.buffer.inheritPipeline {
		if e.pipeline == nil || !e.pipeline.indirect {
			assertion(m, computeEncoder, "no pipeline made with supportIndirectCommandBuffers is set for commands that inherit it")
		}
	}
	w.pipeline, w.bindings = e.pipeline, e.buffers
	r := e.buffer.recording
	r.commands = append(r.commands, command{kind: commandExecute, encoder: e.name(), indirect: &w})
}

func executeCommands(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	b := stateOf[*indirectBuffer](m, computeEncoder, m.ArgID(0))
	b.slice(m, computeEncoder, m.Arg(1), m.Arg(2))
	e.recordIndirect(m, indirectWork{buffer: b, first: int(m.Arg(1)), n: int(m.Arg(2))})
}

func executeCommandsIndirect(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	b := stateOf[*indirectBuffer](m, computeEncoder, m.ArgID(0))
	where := e.bufferAt(m, m.ArgID(1))
	if offset := m.Arg(2); offset%4 != 0 || len(where.mem) < 8 || offset > uintptr(len(where.mem)-8) {
		assertion(m, computeEncoder, "no range is at %d of the buffer's %d bytes", offset, len(where.mem))
	}
	e.recordIndirect(m, indirectWork{buffer: b, where: where, offset: int(m.Arg(2))})
}

func resetCommandsInBuffer(self *objc.Object, m *objc.Msg) {
	e := self.State.(*blit)
	e.usable(m)
	b := stateOf[*indirectBuffer](m, blitEncoder, m.ArgID(0))
	b.slice(m, blitEncoder, m.Arg(1), m.Arg(2))
	e.keepObject(m.ArgID(0))
	e.record(command{kind: commandResetIndirect, indirect: &indirectWork{buffer: b, first: int(m.Arg(1)), n: int(m.Arg(2))}})
}

func copyIndirectCommandBuffer(self *objc.Object, m *objc.Msg) {
	e := self.State.(*blit)
	e.usable(m)
	src, dst := stateOf[*indirectBuffer](m, blitEncoder, m.ArgID(0)), stateOf[*indirectBuffer](m, blitEncoder, m.ArgID(3))
	src.slice(m, blitEncoder, m.Arg(1), m.Arg(2))
	dst.slice(m, blitEncoder, m.Arg(4), m.Arg(2))
	if src.indirectLayout != dst.indirectLayout {
		assertion(m, blitEncoder, "the indirect command buffers were made from different descriptors")
	}
	if src == dst && m.Arg(1) < m.Arg(4)+m.Arg(2) && m.Arg(4) < m.Arg(1)+m.Arg(2) {
		assertion(m, blitEncoder, "%d commands at %d and at %d of one buffer overlap", m.Arg(2), m.Arg(1), m.Arg(4))
	}
	e.keepObject(m.ArgID(0))
	e.keepObject(m.ArgID(3))
	e.record(command{kind: commandCopyIndirect, indirect: &indirectWork{
		buffer: src, first: int(m.Arg(1)), n: int(m.Arg(2)), to: dst, toFirst: int(m.Arg(4))}})
}

// optimizeIndirectCommandBuffer has nothing to drop: the last of what was set twice is all that is there.
func optimizeIndirectCommandBuffer(self *objc.Object, m *objc.Msg) {
	e := self.State.(*blit)
	e.usable(m)
	stateOf[*indirectBuffer](m, blitEncoder, m.ArgID(0)).slice(m, blitEncoder, m.Arg(1), m.Arg(2))
}

// runIndirect does what a command of an encoder does with an indirect command buffer.
func (r *recording) runIndirect(c *command, checks simt.Checks) *failure {
	w := c.indirect
	switch c.kind {
	case commandResetIndirect:
		clear(w.buffer.commands[w.first : w.first+w.n])
		return nil
	case commandCopyIndirect:
		copy(w.to.commands[w.toFirst:w.toFirst+w.n], w.buffer.commands[w.first:w.first+w.n])
		return nil
	}
	first, n := w.first, w.n
	if w.where != nil {
		first = int(binary.LittleEndian.Uint32(w.where.mem[w.offset:]))
		n = int(binary.LittleEndian.Uint32(w.where.mem[w.offset+4:]))
		if size := len(w.buffer.commands); n > size || first > size-n {
			return c.failure(fmt.Errorf("the range in memory, %d commands from %d, is not inside the indirect command buffer's %d", n, first, size))
		}
	}
	for i := first; i < first+n; i++ {
		if err := r.runIndirectCommand(w, &w.buffer.commands[i], checks); err != nil {
			f := c.failure(err)
			f.text = fmt.Sprintf("indirect command %d: %s", i, f.text)
			return f
		}
	}
	return nil
}

func (r *recording) runIndirectCommand(w *indirectWork, c *indirectCommand, checks simt.Checks) error {
	if c.grid[0] == 0 {
		return nil
	}
	p, bindings := c.pipeline, &c.buffers
	if w.buffer.inheritPipeline {
		p = w.pipeline
	}
	if p == nil {
		return errors.New("no pipeline is set")
	}
	if w.buffer.inheritBuffer {
		bindings = &w.bindings
	}
	grid, threads := c.grid, 1
	for i := range grid {
		if !c.threads {
			grid[i] *= c.group[i]
		}
		if grid[i] > math.MaxUint32 {
			return fmt.Errorf("%d threads are more than a thread's position can count", grid[i])
		}
		threads *= c.group[i]
	}
	if threads > p.maxThreads {
		return fmt.Errorf("%d threads per threadgroup are more than the pipeline's %d", threads, p.maxThreads)
	}
	memory := p.staticMemory
	for _, n := range c.memory {
		memory += n
	}
	if memory > maxThreadgroupMemory {
		return fmt.Errorf("%d bytes of threadgroup memory are more than the device's %d", memory, maxThreadgroupMemory)
	}
	buffers := make([]simt.Binding, p.buffers)
	for i := range buffers {
		buffers[i] = r.memory(&bindings[i])
	}
	return p.kernel.Run(&simt.Dispatch{Grid: grid, Threadgroup: c.group, Buffers: buffers,
		ThreadgroupMemory: c.memory[:p.threadgroup], Checks: checks})
}
