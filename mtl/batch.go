package mtl

import (
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// batch is the messages that an encoder has recorded and not sent yet. They go in order: at the encoder's end, before a message that
// is not recorded, and when there are maxBatch. What they use stays alive until the encoder's end, even if the program
// releases it before Metal knows of it.
type batch struct {
	objc.Batch
	serial   uint64    // of the encoder
	bindings *bindings // of a compute encoder; nil of others
	tail     *tail
}

// maxBatch bounds the memory that recorded messages take: those of 64 dispatches or so.
const maxBatch = 256

var batches = sync.Pool{New: func() any { return new(batch) }}

var encoderSerial atomic.Uint64

func newBatch(t *tail) *batch {
	b := batches.Get().(*batch)
	b.serial, b.tail, b.bindings = encoderSerial.Add(1), t, nil
	return b
}

// free takes back a flushed batch.
func (b *batch) free() {
	b.tail, b.bindings = nil, nil
	batches.Put(b)
}

// Send records a message to the encoder id behind the bindings that it may depend on.
func (b *batch) Send(id objc.ID, sel objc.SEL, words ...uintptr) {
	if b.bindings != nil && b.bindings.pending != 0 {
		b.bindings.record(&b.Batch, id)
	}
	b.state(id, sel, words...)
}

// state is Send for messages that bindings have nothing to do with.
func (b *batch) state(id objc.ID, sel objc.SEL, words ...uintptr) {
	b.Batch.Send(id, sel, words...)
	if b.Len() >= maxBatch {
		b.flush(id)
	}
}

// flush sends everything, pending bindings too.
func (b *batch) flush(id objc.ID) {
	if b.bindings != nil && b.bindings.pending != 0 {
		b.bindings.record(&b.Batch, id)
	}
	b.Batch.Flush() // nothing was asked to stop it
}
