//go:build darwin || objcnative

package objc

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// blockLiteral is a block as the blocks runtime lays it out, with one captured word.
type blockLiteral struct {
	isa        uintptr
	flags      int32
	_          int32
	invoke     uintptr
	descriptor *blockDescriptor
	handle     uintptr
}

// blockDescriptor is shared by all blocks of a shape; the runtime reads it as long as a block lives.
type blockDescriptor struct {
	_, size       uintptr
	copy, dispose uintptr
}

const blockHasCopyDispose = 1 << 25

// goBlock is what a block calls.
type goBlock struct {
	args int
	call func(args []ID)
}

// blocks are the Go functions of the native blocks that exist, by the handle that a block carries.
var blocks struct {
	mu     sync.Mutex
	byID   map[uintptr]goBlock
	last   uintptr
	shared *blockDescriptor
	invoke uintptr
}

// The callbacks number three for the whole process: purego never frees one. The invoke callback has the arguments of
// the longest block; those that a shorter one's caller did not pass are not looked at.
func prepareBlocks() {
	if blocks.shared != nil {
		return
	}
	blocks.byID = make(map[uintptr]goBlock)
	blocks.invoke = purego.NewCallback(func(block *blockLiteral, a, b, c, d uintptr) {
		blocks.mu.Lock()
		g := blocks.byID[block.handle]
		blocks.mu.Unlock()
		args := [maxBlockArgs]ID{ID(a), ID(b), ID(c), ID(d)}
		g.call(args[:g.args])
	})
	blocks.shared = &blockDescriptor{
		size: unsafe.Sizeof(blockLiteral{}),
		copy: purego.NewCallback(func(_, _ *blockLiteral) {}),
		dispose: purego.NewCallback(func(block *blockLiteral) {
			blocks.mu.Lock()
			delete(blocks.byID, block.handle)
			blocks.mu.Unlock()
		}),
	}
}

// newBlock makes a block on the C heap: _Block_copy of a literal that exists for the call only.
func (l *libobjc) newBlock(args int, f func(args []ID)) ID {
	blocks.mu.Lock()
	prepareBlocks()
	blocks.last++
	handle := blocks.last
	blocks.byID[handle] = goBlock{args, f}
	literal := &blockLiteral{
		isa: l.stackBlockClass, flags: blockHasCopyDispose, invoke: blocks.invoke, descriptor: blocks.shared, handle: handle,
	}
	blocks.mu.Unlock()
	r, _, _ := purego.SyscallN(l.blockCopy, uintptr(unsafe.Pointer(literal)))
	return ID(r)
}
