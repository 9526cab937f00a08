package soft

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/puremetal/puremetal/objc"
)

// MTLResourceUsage
const (
	usageRead   = 1
	usageWrite  = 2
	usageSample = 4
)

// useMethods are those of a compute encoder about resources that kernels reach in other ways than by binding.
var useMethods = map[objc.SEL]objc.Method{
	selUseResource: func(self *objc.Object, m *objc.Msg) {
		e := computeOf(self, m)
		e.usage(m, 1)
		e.bufferAt(m, m.ArgID(0))
	},
	selUseResources: func(self *objc.Object, m *objc.Msg) {
		e := computeOf(self, m)
		e.usage(m, 2)
		for _, id := range objc.ViewIDs(m.Arg(0), int(m.Arg(1))) {
			e.bufferAt(m, id)
		}
	},
	selUseHeap: func(self *objc.Object, m *objc.Msg) { computeOf(self, m).useHeap(m, m.ArgID(0)) },
	selUseHeaps: func(self *objc.Object, m *objc.Msg) {
		e := computeOf(self, m)
		for _, id := range objc.ViewIDs(m.Arg(0), int(m.Arg(1))) {
			e.useHeap(m, id)
		}
	},
	selDispatchIndirect: dispatchIndirect,
}

func (e *compute) usage(m *objc.Msg, i int) {
	if u := m.Arg(i); u == 0 || u&^(usageRead|usageWrite|usageSample) != 0 {
		assertion(m, computeEncoder, "usage %d is no combination of read, write and sample", u)
	}
}

func (e *compute) useHeap(m *objc.Msg, id objc.ID) {
	stateOf[*heap](m, computeEncoder, id)
	if e.buffer.retains(id) {
		objc.Retain(id)
	}
}

// indirectSize is the size of an MTLDispatchThreadgroupsIndirectArguments: three 32-bit counts.
const indirectSize = 12

// dispatchIndirect has a buffer in word 0, an offset in word 1, the threadgroup in words 2 to 4.
func dispatchIndirect(self *objc.Object, m *objc.Msg) {
	e := computeOf(self, m)
	group := e.group(m, 2)
	b := e.bufferAt(m, m.ArgID(0))
	offset, length := m.Arg(1), uintptr(len(b.mem))
	if offset%4 != 0 || length < indirectSize || offset > length-indirectSize {
		assertion(m, computeEncoder, "indirectBufferOffset (%d) must be a multiple of 4 with %d bytes behind it in a buffer of %d", offset, indirectSize, length)
	}
	e.record(command{group: group, src: b, srcOffset: int(offset)})
}

// extent gives the grid of a dispatch in threads; that of an indirect one, which may be empty, is read now.
func (c *command) extent() (grid [3]int, f *failure) {
	if c.src == nil {
		return c.grid, nil
	}
	mem := c.src.mem[c.srcOffset:]
	for i := range grid {
		n := uint64(binary.LittleEndian.Uint32(mem[4*i:])) * uint64(c.group[i])
		if n == 0 {
			return [3]int{}, nil
		}
		if n > math.MaxUint32 {
			return grid, &failure{code: commandBufferErrorInternal, text: fmt.Sprintf(
				"kernel %s: %d threads, from an indirect buffer, are more than a thread's position can count", c.pipeline.source.Name, n)}
		}
		grid[i] = int(n)
	}
	return grid, nil
}
