package soft

import (
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// MTLResourceOptions
const (
	storageModeShift   = 4
	storageModeMask    = 0xf0
	storageModeShared  = 0
	storageModePrivate = 32
)

type buffer struct {
	label
	mem         []byte
	options     uintptr
	device      *device
	deallocator objc.ID       // block, 0 if none
	user        atomic.Uint64 // serial of the last command buffer that retained this buffer
	purgeable   purgeable
	heap        *heap // nil if its memory is its own
	heapID      objc.ID
	heapOffset  int
	aliasable   atomic.Bool
}

var bufferClass *objc.Class

func init() {
	bufferClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLBuffer",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selContents: func(self *objc.Object, m *objc.Msg) {
				if b := self.State.(*buffer); b.options&storageModeMask == storageModeShared {
					m.Return(b.address())
				}
			},
			selLength:          func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*buffer).mem))) },
			selAllocatedSize:   func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*buffer).mem))) },
			selResourceOptions: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*buffer).options) },
			selStorageMode: func(self *objc.Object, m *objc.Msg) {
				m.Return(self.State.(*buffer).options & storageModeMask >> storageModeShift)
			},
		}, resourceMethods),
		Dealloc: func(self *objc.Object) {
			b := self.State.(*buffer)
			if b.heap != nil {
				b.leaveHeap()
				objc.Release(b.heapID)
				return
			}
			b.device.allocated.Add(-int64(len(b.mem)))
			if b.deallocator != 0 {
				objc.CallBlock(b.deallocator, objc.ID(b.address()), objc.ID(len(b.mem)))
				objc.Release(b.deallocator)
			}
		},
	})
}

// address is where the memory starts.
//
// Safety: as a number it keeps nothing alive. The memory is Go's, which does not move, or the caller's of
// newBufferWithBytesNoCopy:; in both cases it lives at least as long as the buffer, and the one who asks for it holds the buffer.
func (b *buffer) address() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b.mem))) }

// pageAligned gives n zeroed bytes that start at a page, as Metal's buffers do.
func pageAligned(n int) []byte {
	page := os.Getpagesize()
	mem := make([]byte, n)
	if skew(mem, page) == 0 {
		return mem
	}
	mem = make([]byte, n+page)
	skip := (page - skew(mem, page)) % page
	return mem[skip : skip+n : skip+n]
}

// skew is how far behind a page's start mem begins.
//
// Safety: the address is only computed with.
func skew(mem []byte, page int) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % uintptr(page))
}

func newBuffer(d *device, mem []byte, options uintptr, deallocator objc.ID) objc.ID {
	return objc.NewObject(bufferClass, &buffer{mem: mem, options: options, device: d, deallocator: objc.Retain(deallocator)})
}

// reserve counts n bytes as allocated if the device has them left.
func (d *device) reserve(n uintptr) bool {
	if n > maxBufferLength {
		return false
	}
	if d.allocated.Add(int64(n)) > workingSetSize {
		d.allocated.Add(-int64(n))
		return false
	}
	return true
}

func checkBuffer(m *objc.Msg, length, options uintptr) {
	if length == 0 {
		assertion(m, "MTLDevice", "cannot create a buffer of zero length")
	}
	if mode := options & storageModeMask; mode != storageModeShared && mode != storageModePrivate {
		assertion(m, "MTLDevice", "storage mode %d: the software device has shared and private memory", mode>>storageModeShift)
	}
}

func newBufferWithLength(self *objc.Object, m *objc.Msg) {
	checkBuffer(m, m.Arg(0), m.Arg(1))
	if d := self.State.(*device); d.reserve(m.Arg(0)) {
		m.ReturnID(newBuffer(d, pageAligned(int(m.Arg(0))), m.Arg(1), 0))
	}
}

func newBufferWithBytes(self *objc.Object, m *objc.Msg) {
	checkBuffer(m, m.Arg(1), m.Arg(2))
	if m.Arg(0) == 0 {
		assertion(m, "MTLDevice", "bytes must not be NULL")
	}
	if d := self.State.(*device); d.reserve(m.Arg(1)) {
		mem := pageAligned(int(m.Arg(1)))
		copy(mem, objc.View(m.Arg(0), len(mem)))
		m.ReturnID(newBuffer(d, mem, m.Arg(2), 0))
	}
}

func newBufferWithBytesNoCopy(self *objc.Object, m *objc.Msg) {
	checkBuffer(m, m.Arg(1), m.Arg(2))
	page := uintptr(os.Getpagesize())
	if m.Arg(0) == 0 || m.Arg(0)%page != 0 || m.Arg(1)%page != 0 {
		assertion(m, "MTLDevice", "pointer %#x and length %d must be multiples of the page size %d", m.Arg(0), m.Arg(1), page)
	}
	if m.Arg(2)&storageModeMask != storageModeShared {
		assertion(m, "MTLDevice", "memory of the caller's must be shared")
	}
	if d := self.State.(*device); d.reserve(m.Arg(1)) {
		m.ReturnID(newBuffer(d, objc.View(m.Arg(0), int(m.Arg(1))), m.Arg(2), objc.ID(m.Arg(3))))
	}
}
