package mtl

import (
	"strconv"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// Scalar is what shared memory can be seen as: numbers whose size is the same everywhere. half and bfloat are uint16 bits.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/contents()
type Scalar interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Contents gives the memory of a shared buffer as a slice of T, without copying. The buffer's length must be a
// multiple of T's size. The slice is valid until the buffer is released: keep b reachable (a deferred b.Release does)
// while the slice is used. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/contents()
func Contents[T Scalar](b *Buffer) ([]T, error) {
	const op = "Contents"
	if b == nil {
		return nil, argument(op, "buffer", "a buffer", "nil")
	}
	size := int(unsafe.Sizeof(*new(T)))
	if b.length%size != 0 {
		return nil, argument(op, "buffer", "a length that is a multiple of "+strconv.Itoa(size)+" bytes", strconv.Itoa(b.length))
	}
	return contents[T](op, b, 0, b.length/size)
}

// ContentsAt gives n elements of the memory of a shared buffer from a byte offset, which must be a multiple of T's size,
// without copying. The slice is valid as that of Contents. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/contents()
func ContentsAt[T Scalar](b *Buffer, offset, n int) ([]T, error) {
	const op = "ContentsAt"
	if b == nil {
		return nil, argument(op, "buffer", "a buffer", "nil")
	}
	size := int(unsafe.Sizeof(*new(T)))
	if offset < 0 || offset > b.length || offset%size != 0 {
		return nil, intArgument(op, "offset", "0 to "+strconv.Itoa(b.length)+", a multiple of "+strconv.Itoa(size), offset)
	}
	if n < 0 || n > (b.length-offset)/size {
		return nil, intArgument(op, "n", "0 to "+strconv.Itoa((b.length-offset)/size), n)
	}
	return contents[T](op, b, offset, n)
}

// contents is called with offset and n inside the buffer and offset aligned for T.
func contents[T Scalar](op string, b *Buffer, offset, n int) ([]T, error) {
	if b.object() == 0 {
		return nil, releasedArgument(op, "buffer")
	}
	if b.contents == 0 {
		return nil, argument(op, "buffer", "StorageModeShared", b.options.String())
	}
	all := objc.View(b.contents, b.length)
	// Safety: all is the buffer's whole memory, which starts at a page, or in a heap at a multiple of more than T's
	// size, so offset, a multiple of that size, is aligned for T; the callers have checked that n elements from there end inside it. T has no pointers.
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(all[offset:]))), n), nil
}
