package objc

import (
	"fmt"
	"unsafe"
)

// Batch is a list of messages that are sent together by Flush: on the native runtime in one crossing from Go to C, if the batch
// transport is on ([SetBatchTransport]), and one by one otherwise, with the same results. All receivers belong to one runtime.
// What the messages point to must stay alive until Flush: copy it with Bytes and its kin, or name it to Keep.
// A Batch belongs to one goroutine at a time, is made with new(Batch) and reused, and does not allocate once it has grown.
//
// In one crossing, a method that is sent more than once to the same object is looked up once, when the batch is sent, as a
// C program does with methodForSelector: before a loop. Messages of a batch must therefore not change the class or the methods
// of an object that later ones of the same batch are sent to.
type Batch struct {
	n       int
	serial  uint64 // of the batch, above the bits of a SEL; another once flushed. The slots of others are void
	flushed bool   // the next message begins a new batch
	records batchRecords
	memory  batchMemory
	slots   [batchSlots]batchSlot
	keep    []any
	msg     *Msg // sends what goes one by one
	native  nativeBatch
}

// NilResult is the error of Flush when a message that StopOnNil was asked for resulted in nil: later ones were not sent.
type NilResult struct {
	Index    int
	Selector string
}

func (e *NilResult) Error() string {
	return fmt.Sprintf("objc: message %d of the batch, %s, resulted in nil", e.Index, e.Selector)
}

// begin starts a new batch after a Flush.
func (b *Batch) begin() {
	if b.flushed {
		b.flushed = false
		b.n = 0
		b.records.reset()
		b.memory.reset()
		clear(b.keep)
		b.keep = b.keep[:0]
	}
}

// first starts a batch with the message to id that comes.
func (b *Batch) first(id ID) {
	b.begin()
	b.native.choose(id)
}

// Send adds a message and gives its index.
func (b *Batch) Send(id ID, sel SEL, words ...uintptr) int {
	slot := &b.slots[sel%batchSlots]
	if slot.key != b.serial|uint64(sel) || slot.receiver != id || slot.args != len(words) || b.records.at >= chunkWords {
		return b.sendNew(id, sel, words)
	}
	// A message like an earlier one of this batch: all but its words is known.
	// Safety: at is under chunkWords, and behind that there is room for the longest record.
	r := (*plainRecord)(unsafe.Pointer(&b.records.current.words[b.records.at]))
	r.fn, r.form = slot.fn, slot.form
	r.words[0], r.words[1] = uintptr(id), slot.selector
	to := (*[MaxWords]uintptr)(unsafe.Add(unsafe.Pointer(r), slot.to))
	//lint:ignore S1001 a call of memmove takes longer than a few words
	for i, w := range words {
		to[i] = w
	}
	b.records.at += uintptr(slot.form.words)
	b.n++
	return b.n - 1
}

// sendNew is Send for the first messages of their like.
func (b *Batch) sendNew(id ID, sel SEL, words []uintptr) int {
	s := sel.info()
	if len(words) != s.sig.words {
		panic(&WordsError{s.name, s.sig.words, len(words)})
	}
	if b.n == 0 || b.flushed {
		b.first(id)
	}
	if !b.native.add(b, id, sel, s, words) {
		r := b.addLogical(id, sel, s, words)
		b.slots[sel%batchSlots] = batchSlot{key: b.serial | uint64(sel), receiver: id, args: len(words), form: r.form, to: logicalArgs}
	}
	b.n++
	return b.n - 1
}

// SendToResult adds a message to the object that message from of this batch results in, and gives its index.
func (b *Batch) SendToResult(from int, sel SEL, words ...uintptr) int {
	s := sel.info()
	if len(words) != s.sig.words {
		panic(&WordsError{s.name, s.sig.words, len(words)})
	}
	if from < 0 || from >= b.n || b.flushed {
		panic(&ResultError{from, b.n})
	}
	receiver := uintptr(unsafe.Pointer(&b.record(from).result[0]))
	if !b.native.addTo(b, receiver, sel, s, words) {
		b.addLogical(0, sel, s, words).fn = receiver
	}
	b.n++
	return b.n - 1
}

// record gives record i of those there are.
func (b *Batch) record(i int) *record {
	b.records.count(b.n)
	return b.records.find(i)
}

// ResultError is what a Batch panics with when it is asked for the result of a message that it does not have.
type ResultError struct{ Index, Count int }

func (e *ResultError) Error() string {
	return fmt.Sprintf("objc: result of message %d of a batch of %d", e.Index, e.Count)
}

// StopOnNil makes Flush stop after the last added message if that results in nil.
func (b *Batch) StopOnNil() {
	if b.n == 0 || b.flushed {
		panic(&ResultError{-1, 0})
	}
	b.record(b.n - 1).flags |= flagStop
}

// Len is the number of messages that wait for Flush.
func (b *Batch) Len() int {
	if b.flushed {
		return 0
	}
	return b.n
}

// Keep keeps what v refers to alive until the batch after this one begins.
func (b *Batch) Keep(v any) {
	b.begin()
	b.keep = append(b.keep, v)
}

// Flush sends the messages in order. The error is a [*NilResult]. Results can be read until the next batch begins.
func (b *Batch) Flush() error {
	if b.flushed {
		return nil
	}
	b.flushed = true
	b.serial += 1 << selBits
	b.memory.full()
	if b.n == 0 {
		return nil
	}
	b.records.count(b.n)
	left := 0
	if b.native.on {
		left = b.native.flush(b)
	} else {
		left = b.flushEach()
	}
	if left > 0 {
		stopped := b.n - left
		b.records.clearResults(stopped)
		return &NilResult{stopped, b.record(stopped).sel.Name()}
	}
	return nil
}

// flushEach sends the messages one by one. It gives the number of messages that are left when one stopped the batch, that one
// included, or 0.
func (b *Batch) flushEach() int {
	if b.msg == nil {
		b.msg = new(Msg)
	}
	left := b.n
	for _, chunk := range b.records.inUse() {
		r := chunk.first()
		for range chunk.count {
			if r.flags&flagLogical != 0 {
				(*logicalRecord)(unsafe.Pointer(r)).send(b.msg)
			} else {
				b.native.sendOne(r)
			}
			if r.flags&flagStop != 0 && r.result[0] == 0 {
				return left
			}
			left--
			r = r.next()
		}
	}
	return 0
}

// Result is the first word of the result of message i after Flush; see [Msg.Send]. Messages that were not sent have 0.
func (b *Batch) Result(i int) uintptr {
	r := b.result(i)
	return r[0]
}

// Struct is the result of message i as the words of a struct; see [Msg.Struct].
func (b *Batch) Struct(i int) []uintptr {
	r := b.result(i)
	return r[:b.record(i).sel.info().sig.result.words()]
}

func (b *Batch) result(i int) (words resultWords) {
	if i < 0 || i >= b.n || !b.flushed {
		panic(&ResultError{i, b.n})
	}
	r := b.record(i)
	if r.flags&flagLogical == 0 {
		return b.native.result(r)
	}
	copy(words[:], r.result[:])
	if long := (*logicalRecord)(unsafe.Pointer(r)).longResult(); long != nil {
		words = *long
	}
	return words
}

// Bytes copies p into memory of the batch and gives its address (16-byte aligned), valid until the batch after this one begins. Empty p gives 0.
func (b *Batch) Bytes(p []byte) uintptr {
	if b.flushed {
		b.begin()
	}
	return b.memory.bytes(p)
}

// IDs is Bytes for a C array of objects.
func (b *Batch) IDs(ids []ID) uintptr {
	// Safety: an ID is a uintptr.
	return b.Uintptrs(unsafe.Slice((*uintptr)(unsafe.Pointer(unsafe.SliceData(ids))), len(ids)))
}

// Uintptrs is Bytes for a C array of NSUInteger.
func (b *Batch) Uintptrs(words []uintptr) uintptr {
	if to := b.memory.few(len(words)); to != nil {
		//lint:ignore S1001 a call of memmove takes longer than a few words
		for i, w := range words {
			to[i] = w
		}
		return uintptr(unsafe.Pointer(to))
	}
	return b.Bytes(wordBytes(words))
}
