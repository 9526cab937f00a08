package soft

import (
	"errors"
	"fmt"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/simt"
)

// command is a dispatch, a copy, a fill, or work with indirect commands.
type command struct {
	kind    commandKind
	encoder string // label of the encoder
	info    int    // index of the encoder, or of the next one if the command stands between encoders
	between bool

	// dispatch
	pipeline    *pipeline
	grid, group [3]int // in threads
	binding     int    // the first of pipeline.buffers in recording.bindings
	length      int    // the first of pipeline.threadgroup in recording.lengths

	// copy and fill; src has the grid of an indirect dispatch
	src, dst             *buffer
	srcOffset, dstOffset int
	n                    int
	value                byte

	indirect *indirectWork
	samples  *samples // n is the sample to take; or n of them from srcOffset on go to dst
	// signal and wait
	event   *event
	eventID objc.ID
	count   uint64
}

type commandKind uint8

const (
	commandDispatch commandKind = iota
	commandCopy
	commandFill
	commandExecute
	commandResetIndirect
	commandCopyIndirect
	commandSample
	commandResolve
	commandSignal
	commandWait
)

// binding is what a [[buffer(n)]] is bound to: a buffer from an offset on, n bytes of recording.bytes, or nothing.
type binding struct {
	buffer *buffer
	offset int // in the buffer, or in the bytes
	n      int // of bytes; 0 if it is a buffer or nothing
}

func (r *recording) memory(b *binding) simt.Binding {
	switch {
	case b.buffer != nil:
		return simt.Binding{Mem: b.buffer.mem[b.offset:], Bound: true}
	case b.n != 0:
		return simt.Binding{Mem: r.bytes[b.offset : b.offset+b.n : b.offset+b.n], Bound: true}
	}
	return simt.Binding{}
}

// failure is why a command buffer failed, or an object could not be made.
type failure struct {
	code int
	text string

	encoder int  // index of the encoder whose command failed
	between bool // it was no encoder's, but one before that encoder
}

// in notes where a command that failed stands.
func (f *failure) in(c *command) *failure {
	f.encoder, f.between = c.info, c.between
	if c.encoder != "" {
		f.text = fmt.Sprintf("encoder %q: %s", c.encoder, f.text)
	}
	return f
}

// object makes an NSError of the library domain, which the caller owns; nil for nil.
func (f *failure) object() objc.ID {
	if f == nil {
		return 0
	}
	return objc.NewError(libraryErrorDomain, f.code, f.text)
}

// run executes the commands in order, up to the first that fails. Dispatches of a concurrent encoder run one after the other
// too, which is one of the orders that its program allows.
func (r *recording) run(checks simt.Checks) *failure {
	var bound [maxBuffers]simt.Binding
	for i := range r.commands {
		c := &r.commands[i]
		switch c.kind {
		case commandCopy:
			copy(c.dst.mem[c.dstOffset:c.dstOffset+c.n], c.src.mem[c.srcOffset:c.srcOffset+c.n])
		case commandFill:
			mem := c.dst.mem[c.dstOffset : c.dstOffset+c.n]
			for j := range mem {
				mem[j] = c.value
			}
		case commandSample:
			c.samples.take(c.n)
		case commandResolve:
			copy(c.dst.mem[c.dstOffset:], c.samples.bytes(c.srcOffset, c.n))
		case commandExecute, commandResetIndirect, commandCopyIndirect:
			if f := r.runIndirect(c, checks); f != nil {
				return f
			}
		case commandDispatch:
			buffers := bound[:c.pipeline.buffers]
			for j := range buffers {
				buffers[j] = r.memory(&r.bindings[c.binding+j])
			}
			grid, f := c.extent()
			if f != nil {
				return f.in(c)
			}
			if grid == [3]int{} {
				continue
			}
			err := c.pipeline.kernel.Run(&simt.Dispatch{
				Grid:              grid,
				Threadgroup:       c.group,
				Buffers:           buffers,
				ThreadgroupMemory: r.lengths[c.length : c.length+c.pipeline.threadgroup],
				Checks:            checks,
			})
			if err != nil {
				return c.failure(err)
			}
		case commandSignal:
			c.event.signal(c.eventID, c.count)
		case commandWait:
			if f := c.await(); f != nil {
				return f.in(c)
			}
		}
	}
	return nil
}

// failure translates the engine's error into Metal's terms.
func (c *command) failure(err error) *failure {
	f := &failure{code: commandBufferErrorInternal, text: err.Error()}
	var fault *simt.Fault
	if errors.As(err, &fault) {
		switch fault.Kind {
		case simt.OutOfBounds, simt.NullPointer, simt.Misaligned:
			f.code = commandBufferErrorPageFault
		case simt.BarrierDivergence, simt.StepLimit:
			f.code = commandBufferErrorTimeout // a GPU would hang
		}
	}
	return f.in(c)
}
