package soft

import (
	"math"

	"github.com/puremetal/puremetal/objc"
)

const (
	maxBuffers       = 31
	maxSetBytes      = 4096
	memoryAlign      = 16
	barrierBuffers   = 1
	dispatchSerial   = 0
	dispatchParallel = 1
)

// compute is the state of an MTLComputeCommandEncoder.
type compute struct {
	encoder
	dispatchType uintptr
	pipeline     *pipeline
	buffers      [maxBuffers]binding
	threadgroup  [maxBuffers]int
	memory       int // sum of threadgroup
}

const computeEncoder = "MTLComputeCommandEncoder"

var computeClass *objc.Class

func init() {
	computeClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLComputeCommandEncoder",
		Instance: encoderMethods(map[objc.SEL]objc.Method{
			selDispatchType:               func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*compute).dispatchType) },
			selSetComputePipelineState:    setComputePipelineState,
			selSetBuffer:                  setBuffer,
			selSetBufferOffset:            setBufferOffset,
			selSetBuffers:                 setBuffers,
			selSetBytes:                   setBytes,
			selSetThreadgroupMemoryLength: setThreadgroupMemoryLength,
			selDispatchThreadgroups:       dispatchThreadgroups,
			selDispatchThreads:            dispatchThreads,
			selExecuteCommands:            executeCommands,
			selExecuteCommandsIndirect:    executeCommandsIndirect,
			selMemoryBarrierWithScope: func(self *objc.Object, m *objc.Msg) {
				computeOf(self, m)
				if m.Arg(0)&barrierBuffers == 0 {
					assertion(m, computeEncoder, "scope %d has no buffers", m.Arg(0))
				}
			},
			selMemoryBarrierWithResources: func(self *objc.Object, m *objc.Msg) {
				e := computeOf(self, m)
				for _, id := range objc.ViewIDs(m.Arg(0), int(m.Arg(1))) {
					e.bufferAt(m, id)
				}
			},
		}, useMethods, fenceMethods),
		Dealloc: deallocEncoder,
	})
}

func newComputeEncoder(self *objc.Object, m *objc.Msg, dispatchType uintptr) *compute {
	c := self.State.(*commandBuffer)
	c.encodable(m)
	if dispatchType != dispatchSerial && dispatchType != dispatchParallel {
		assertion(m, "MTLCommandBuffer", "dispatch type %d", dispatchType)
	}
	e := &compute{dispatchType: dispatchType}
	e.begin(computeEncoder, c)
	m.ReturnID(objc.Autorelease(objc.NewObject(computeClass, e)))
	return e
}

func computeOf(self *objc.Object, m *objc.Msg) *compute {
	e := self.State.(*compute)
	e.usable(m)
	return e
}

func (e *compute) index(m *objc.Msg, i int) int {
	if m.Arg(i) >= maxBuffers {
		assertion(m, computeEncoder, "index (%d) must be < %d", m.Arg(i), maxBuffers)
	}
	return int(m.Arg(i))
}

func setComputePipelineState(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	id := m.ArgID(0)
	p := stateOf[*pipeline](m, computeEncoder, id)
	if p == e.pipeline {
		return
	}
	e.pipeline = p
	if e.buffer.retains(id) {
		objc.Retain(id)
	}
}

// bind gives the binding of a buffer, which may be nil, from an offset on.
func (e *compute) bind(m *objc.Msg, id objc.ID, offset uintptr) binding {
	if id == 0 {
		return binding{}
	}
	b := e.bufferAt(m, id)
	if offset >= uintptr(len(b.mem)) {
		assertion(m, computeEncoder, "offset (%d) must be < buffer length (%d)", offset, len(b.mem))
	}
	return binding{buffer: b, offset: int(offset)}
}

func setBuffer(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	e.buffers[e.index(m, 2)] = e.bind(m, m.ArgID(0), m.Arg(1))
}

func setBufferOffset(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	b := &e.buffers[e.index(m, 1)]
	if b.buffer == nil {
		assertion(m, computeEncoder, "no buffer is bound at index %d", m.Arg(1))
	}
	if m.Arg(0) >= uintptr(len(b.buffer.mem)) {
		assertion(m, computeEncoder, "offset (%d) must be < buffer length (%d)", m.Arg(0), len(b.buffer.mem))
	}
	b.offset = int(m.Arg(0))
}

func setBuffers(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	first, n := m.Arg(2), m.Arg(3)
	if first > maxBuffers || n > maxBuffers-first {
		assertion(m, computeEncoder, "range (%d, %d) must end at %d or before", first, n, maxBuffers)
	}
	offsets := objc.ViewUintptrs(m.Arg(1), int(n))
	for i, id := range objc.ViewIDs(m.Arg(0), int(n)) {
		e.buffers[int(first)+i] = e.bind(m, id, offsets[i])
	}
}

func setBytes(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	i := e.index(m, 2)
	if m.Arg(0) == 0 || m.Arg(1) == 0 || m.Arg(1) > maxSetBytes {
		assertion(m, computeEncoder, "length (%d) must be 1 to %d", m.Arg(1), maxSetBytes)
	}
	n := int(m.Arg(1))
	e.buffers[i] = binding{offset: e.buffer.recording.addBytes(objc.View(m.Arg(0), n)), n: n}
}

func setThreadgroupMemoryLength(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	i := e.index(m, 1)
	if m.Arg(0)%memoryAlign != 0 || m.Arg(0) > maxThreadgroupMemory {
		assertion(m, computeEncoder, "length (%d) must be a multiple of %d, at most %d", m.Arg(0), memoryAlign, maxThreadgroupMemory)
	}
	e.memory += int(m.Arg(0)) - e.threadgroup[i]
	e.threadgroup[i] = int(m.Arg(0))
}

// dispatchThreadgroups has the grid in threadgroups in words 0 to 2, the threadgroup in words 3 to 5.
func dispatchThreadgroups(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	group := e.group(m, 3)
	var grid [3]int
	for i := range grid {
		if m.Arg(i) > math.MaxUint32/uintptr(group[i]) {
			assertion(m, computeEncoder, "%d threadgroups of %d threads are more than a thread's position can count", m.Arg(i), group[i])
		}
		grid[i] = int(m.Arg(i)) * group[i]
	}
	e.dispatch(m, grid, group)
}

// dispatchThreads has the grid in threads in words 0 to 2, the threadgroup in words 3 to 5.
func dispatchThreads(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	group := e.group(m, 3)
	var grid [3]int
	for i := range grid {
		if m.Arg(i) > math.MaxUint32 {
			assertion(m, computeEncoder, "%d threads are more than a thread's position can count", m.Arg(i))
		}
		grid[i] = int(m.Arg(i))
	}
	e.dispatch(m, grid, group)
}

// group gives the threadgroup of a dispatch, in the argument words from first on, held to the limits of pipeline and device.
func (e *compute) group(m *objc.Msg, first int) [3]int {
	p := e.pipeline
	if p == nil {
		assertion(m, computeEncoder, "no compute pipeline state is set")
	}
	var group [3]int
	threads := 1
	for i := range group {
		if m.Arg(first+i) == 0 || m.Arg(first+i) > maxThreadsPerDimension {
			assertion(m, computeEncoder, "threadsPerThreadgroup (%d, %d, %d) must be 1 to %d in each dimension", m.Arg(first), m.Arg(first+1), m.Arg(first+2), maxThreadsPerDimension)
		}
		group[i] = int(m.Arg(first + i))
		threads *= group[i]
	}
	if threads > p.maxThreads {
		assertion(m, computeEncoder, "%d threads per threadgroup are more than the pipeline's %d", threads, p.maxThreads)
	}
	if p.wholeSimdgroup && threads%threadExecutionWidth != 0 {
		assertion(m, computeEncoder, "%d threads per threadgroup are not a multiple of %d, as the pipeline's descriptor promises", threads, threadExecutionWidth)
	}
	if p.staticMemory+e.memory > maxThreadgroupMemory {
		assertion(m, computeEncoder, "threadgroup memory of %d static and %d set bytes is more than the device's %d", p.staticMemory, e.memory, maxThreadgroupMemory)
	}
	return group
}

// dispatch records a dispatch whose grid is known.
func (e *compute) dispatch(m *objc.Msg, grid, group [3]int) {
	if grid[0] == 0 || grid[1] == 0 || grid[2] == 0 {
		assertion(m, computeEncoder, "the grid (%d, %d, %d) is empty", m.Arg(0), m.Arg(1), m.Arg(2))
	}
	e.record(command{grid: grid, group: group})
}

// record adds a dispatch with what is bound now.
func (e *compute) record(c command) {
	r := e.buffer.recording
	c.kind, c.encoder, c.info = commandDispatch, e.name(), e.info
	c.pipeline, c.binding, c.length = e.pipeline, len(r.bindings), len(r.lengths)
	r.commands = append(r.commands, c)
	r.bindings = append(r.bindings, e.buffers[:e.pipeline.buffers]...)
	r.lengths = append(r.lengths, e.threadgroup[:e.pipeline.threadgroup]...)
}
