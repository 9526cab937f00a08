package mtl

import (
	"math/bits"

	"github.com/puremetal/puremetal/objc"
)

// bindings are the buffers of a compute encoder by index: as the program has set them, and as the messages say so far. Those that
// differ go out before the next dispatch, neighbours in one message.
type bindings struct {
	pending     uint32 // indices that differ
	ids         [maxBuffers]objc.ID
	offsets     [maxBuffers]uintptr
	sentIDs     [maxBuffers]objc.ID
	sentOffsets [maxBuffers]uintptr
}

// unknown stands for the sent buffer of an index that has bytes, or that something else may have changed. No object has this id.
const unknown = ^objc.ID(0)

// set binds a buffer, 0 for none.
func (b *bindings) set(index int, id objc.ID, offset uintptr) {
	b.ids[index], b.offsets[index] = id, offset
	if b.sentIDs[index] == id && b.sentOffsets[index] == offset {
		b.pending &^= 1 << index
	} else {
		b.pending |= 1 << index
	}
}

// setBytes notes that bytes are sent for an index.
func (b *bindings) setBytes(index int) {
	b.pending &^= 1 << index
	b.sentIDs[index] = unknown
}

// forget notes that nothing is known of what is bound.
func (b *bindings) forget() {
	for i := range b.sentIDs {
		b.sentIDs[i] = unknown
	}
}

// record records messages for what is pending.
func (b *bindings) record(to *objc.Batch, encoder objc.ID) {
	for b.pending != 0 {
		first := bits.TrailingZeros32(b.pending)
		n := bits.TrailingZeros32(^(b.pending >> first))
		end := first + n
		switch {
		case n > 1:
			to.Send(encoder, selSetBuffers, to.IDs(b.ids[first:end]), to.Uintptrs(b.offsets[first:end]), uintptr(first), uintptr(n))
		case b.ids[first] == b.sentIDs[first]:
			to.Send(encoder, selSetBufferOffset, b.offsets[first], uintptr(first))
		default:
			to.Send(encoder, selSetBuffer, uintptr(b.ids[first]), b.offsets[first], uintptr(first))
		}
		copy(b.sentIDs[first:end], b.ids[first:end])
		copy(b.sentOffsets[first:end], b.offsets[first:end])
		b.pending &= b.pending + 1<<first
	}
}
