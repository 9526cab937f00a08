package soft

import (
	"math"

	"github.com/puremetal/puremetal/objc"
)

// MTLIndirectCommandType
const (
	indirectCommandDispatch        = 32
	indirectCommandDispatchThreads = 64
)

// indirectLayout is the state of an MTLIndirectCommandBufferDescriptor.
type indirectLayout struct {
	types                          uintptr
	inheritPipeline, inheritBuffer bool
	buffers, memories              uintptr // how many a command can have
}

// indirectBuffer is the state of an MTLIndirectCommandBuffer. Like Metal's it does not retain what its commands use: who runs them
// says useResource:usage:, and keeps the pipelines.
type indirectBuffer struct {
	label
	indirectLayout
	commands []indirectCommand
}

// indirectCommand does nothing while its grid is empty.
type indirectCommand struct {
	pipeline    *pipeline
	buffers     [maxBuffers]binding
	memory      [maxBuffers]int
	grid, group [3]int // grid in threads, or in threadgroups
	threads     bool   // grid is in threads
}

// indirectRef is the state of an MTLIndirectComputeCommand; it retains the buffer that it is in.
type indirectRef struct {
	in    *indirectBuffer
	id    objc.ID
	index int
}

const (
	indirectCommandClass = "MTLIndirectComputeCommand"
	maxIndirectCommands  = 16384
)

var indirectBufferClass, indirectRefClass *objc.Class

func init() {
	word := func(field func(*indirectLayout) *uintptr) (get, set objc.Method) {
		return func(self *objc.Object, m *objc.Msg) { m.Return(*field(self.State.(*indirectLayout))) },
			func(self *objc.Object, m *objc.Msg) { *field(self.State.(*indirectLayout)) = m.Arg(0) }
	}
	flag := func(field func(*indirectLayout) *bool) (get, set objc.Method) {
		return func(self *objc.Object, m *objc.Msg) { m.ReturnBool(*field(self.State.(*indirectLayout))) },
			func(self *objc.Object, m *objc.Msg) { *field(self.State.(*indirectLayout)) = m.ArgBool(0) }
	}
	types, setTypes := word(func(l *indirectLayout) *uintptr { return &l.types })
	buffers, setBuffers := word(func(l *indirectLayout) *uintptr { return &l.buffers })
	memories, setMemories := word(func(l *indirectLayout) *uintptr { return &l.memories })
	pipeline, setPipeline := flag(func(l *indirectLayout) *bool { return &l.inheritPipeline })
	inherit, setInherit := flag(func(l *indirectLayout) *bool { return &l.inheritBuffer })
	objc.Software().Register(objc.ClassDef{
		Name: "MTLIndirectCommandBufferDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(indirectLayout)
				m.ReturnID(self.ID)
			},
			selCommandTypes: types, selSetCommandTypes: setTypes,
			selInheritPipelineState: pipeline, selSetInheritPipelineState: setPipeline,
			selInheritBuffers: inherit, selSetInheritBuffers: setInherit,
			selMaxKernelBufferBindCount: buffers, selSetMaxKernelBufferBindCount: setBuffers,
			selMaxKernelThreadgroupMemoryBindCount: memories, selSetMaxKernelThreadgroupMemoryBindCount: setMemories,
		},
	})
	indirectBufferClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLIndirectCommandBuffer",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selSize: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*indirectBuffer).commands))) },
			selResetWithRange: func(self *objc.Object, m *objc.Msg) {
				clear(self.State.(*indirectBuffer).slice(m, "MTLIndirectCommandBuffer", m.Arg(0), m.Arg(1)))
			},
			selIndirectComputeCommand: func(self *objc.Object, m *objc.Msg) {
				b := self.State.(*indirectBuffer)
				b.slice(m, "MTLIndirectCommandBuffer", m.Arg(0), 1)
				m.ReturnID(objc.Autorelease(objc.NewObject(indirectRefClass, &indirectRef{b, objc.Retain(self.ID), int(m.Arg(0))})))
			},
		}),
	})
	indirectRefClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLIndirectComputeCommand",
		Instance: map[objc.SEL]objc.Method{
			selSetComputePipelineState:        setIndirectPipeline,
			selSetKernelBuffer:                setKernelBuffer,
			selSetThreadgroupMemoryLength:     setIndirectMemory,
			selConcurrentDispatchThreadgroups: func(self *objc.Object, m *objc.Msg) { indirectDispatch(self, m, indirectCommandDispatch) },
			selConcurrentDispatchThreads:      func(self *objc.Object, m *objc.Msg) { indirectDispatch(self, m, indirectCommandDispatchThreads) },
			// Commands run one after the other, which is one of the orders that a program without barriers allows.
			selSetBarrier:   func(*objc.Object, *objc.Msg) {},
			selClearBarrier: func(*objc.Object, *objc.Msg) {},
			selReset:        func(self *objc.Object, _ *objc.Msg) { *self.State.(*indirectRef).command() = indirectCommand{} },
		},
		Dealloc: func(self *objc.Object) { objc.Release(self.State.(*indirectRef).id) },
	})
}

func newIndirectCommandBuffer(_ *objc.Object, m *objc.Msg) {
	l := stateOf[*indirectLayout](m, "MTLDevice", m.ArgID(0))
	if l.types == 0 || l.types&^(indirectCommandDispatch|indirectCommandDispatchThreads) != 0 {
		assertion(m, "MTLDevice", "command types %d: the software device has compute commands", l.types)
	}
	if l.buffers > maxBuffers || l.memories > maxBuffers {
		assertion(m, "MTLDevice", "%d buffers and %d threadgroup memories are more than %d", l.buffers, l.memories, maxBuffers)
	}
	if m.Arg(1) == 0 || m.Arg(1) > maxIndirectCommands {
		assertion(m, "MTLDevice", "maxCommandCount (%d) must be 1 to %d", m.Arg(1), maxIndirectCommands)
	}
	m.ReturnID(objc.NewObject(indirectBufferClass, &indirectBuffer{indirectLayout: *l, commands: make([]indirectCommand, m.Arg(1))}))
}

// slice gives n commands from first on.
func (b *indirectBuffer) slice(m *objc.Msg, class string, first, n uintptr) []indirectCommand {
	size := uintptr(len(b.commands))
	if n == 0 || n > size || first > size-n {
		assertion(m, class, "range (%d, %d) is not inside the %d commands", first, n, size)
	}
	return b.commands[first : first+n]
}

func (r *indirectRef) command() *indirectCommand { return &r.in.commands[r.index] }

func setIndirectPipeline(self *objc.Object, m *objc.Msg) {
	r := self.State.(*indirectRef)
	p := stateOf[*pipeline](m, indirectCommandClass, m.ArgID(0))
	if r.in.inheritPipeline {
		assertion(m, indirectCommandClass, "the commands inherit the pipeline")
	}
	if !p.indirect {
		assertion(m, indirectCommandClass, "the pipeline was not made with supportIndirectCommandBuffers")
	}
	r.command().pipeline = p
}

func setKernelBuffer(self *objc.Object, m *objc.Msg) {
	r := self.State.(*indirectRef)
	b := stateOf[*buffer](m, indirectCommandClass, m.ArgID(0))
	if r.in.inheritBuffer {
		assertion(m, indirectCommandClass, "the commands inherit buffers")
	}
	if m.Arg(2) >= r.in.buffers {
		assertion(m, indirectCommandClass, "index (%d) must be < maxKernelBufferBindCount (%d)", m.Arg(2), r.in.buffers)
	}
	if m.Arg(1) >= uintptr(len(b.mem)) {
		assertion(m, indirectCommandClass, "offset (%d) must be < buffer length (%d)", m.Arg(1), len(b.mem))
	}
	r.command().buffers[m.Arg(2)] = binding{buffer: b, offset: int(m.Arg(1))}
}

func setIndirectMemory(self *objc.Object, m *objc.Msg) {
	r := self.State.(*indirectRef)
	if m.Arg(1) >= r.in.memories {
		assertion(m, indirectCommandClass, "index (%d) must be < maxKernelThreadgroupMemoryBindCount (%d)", m.Arg(1), r.in.memories)
	}
	if m.Arg(0)%memoryAlign != 0 || m.Arg(0) > maxThreadgroupMemory {
		assertion(m, indirectCommandClass, "length (%d) must be a multiple of %d, at most %d", m.Arg(0), memoryAlign, maxThreadgroupMemory)
	}
	r.command().memory[m.Arg(1)] = int(m.Arg(0))
}

// indirectDispatch has the grid in words 0 to 2 and the threadgroup in words 3 to 5.
func indirectDispatch(self *objc.Object, m *objc.Msg, kind uintptr) {
	r := self.State.(*indirectRef)
	if r.in.types&kind == 0 {
		assertion(m, indirectCommandClass, "the buffer was not made for commands of type %d", kind)
	}
	c := r.command()
	c.threads = kind == indirectCommandDispatchThreads
	for i := range c.grid {
		if m.Arg(i) == 0 || m.Arg(i) > math.MaxUint32 || m.Arg(3+i) == 0 || m.Arg(3+i) > maxThreadsPerDimension {
			assertion(m, indirectCommandClass, "grid (%d, %d, %d) in threadgroups of (%d, %d, %d) threads",
				m.Arg(0), m.Arg(1), m.Arg(2), m.Arg(3), m.Arg(4), m.Arg(5))
		}
		c.grid[i], c.group[i] = int(m.Arg(i)), int(m.Arg(3+i))
	}
}
