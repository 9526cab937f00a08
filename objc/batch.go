package objc

import "fmt"

// Batch is a list of messages that are sent together by Flush: on the native runtime in one crossing from Go to C, if the batch
// transport is on ([SetBatchTransport]), and one by one otherwise, with the same results. All receivers belong to one runtime.
// What the messages point to must stay alive until Flush: copy it with Bytes and its kin, or name it to Keep.
// A Batch belongs to one goroutine at a time, is made with new(Batch) and reused, and does not allocate once it has grown.
type Batch struct {
	messages []*batched // reused; the first n are of this batch
	n        int
	flushed  bool // the next message begins a new batch
	memory   batchMemory
	keep     []any
	native   nativeBatch
}

// batched is a message of a batch that is sent one by one.
type batched struct {
	Msg
	receiver ID
	from     int // the earlier message whose result is the receiver, or -1
	stop     bool
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
		b.reset()
	}
}

func (b *Batch) reset() {
	b.flushed = false
	b.n = 0
	b.memory.reset()
	clear(b.keep)
	b.keep = b.keep[:0]
}

// Send adds a message and gives its index.
func (b *Batch) Send(id ID, sel SEL, words ...uintptr) int {
	s := sel.info()
	if len(words) != s.sig.words {
		panic(&WordsError{s.name, s.sig.words, len(words)})
	}
	b.begin()
	if b.n == 0 {
		b.native.choose(id)
	}
	if b.native.on {
		b.native.add(b, id, s, words)
	} else {
		b.add(id, -1, sel, words)
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
	if b.native.on {
		b.native.addTo(b, from, s, words)
	} else {
		b.add(0, from, sel, words)
	}
	b.n++
	return b.n - 1
}

// ResultError is what a Batch panics with when it is asked for the result of a message that it does not have.
type ResultError struct{ Index, Count int }

func (e *ResultError) Error() string {
	return fmt.Sprintf("objc: result of message %d of a batch of %d", e.Index, e.Count)
}

func (b *Batch) add(id ID, from int, sel SEL, words []uintptr) {
	if b.n == len(b.messages) {
		b.messages = append(b.messages, new(batched))
	}
	m := b.messages[b.n]
	m.sel, m.receiver, m.from, m.stop = sel, id, from, false
	copy(m.args[:], words)
}

// StopOnNil makes Flush stop after the last added message if that results in nil.
func (b *Batch) StopOnNil() {
	if b.n == 0 || b.flushed {
		panic(&ResultError{-1, 0})
	}
	if b.native.on {
		b.native.stopOnNil(b.n - 1)
	} else {
		b.messages[b.n-1].stop = true
	}
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
	if b.flushed || b.n == 0 {
		b.flushed = true
		return nil
	}
	b.flushed = true
	stopped := -1
	if b.native.on {
		stopped = b.native.flush(b.n)
	} else {
		stopped = b.flushEach()
	}
	if stopped >= 0 {
		return &NilResult{stopped, b.selector(stopped).name}
	}
	return nil
}

// flushEach sends the messages one by one and gives the index of the one that stopped it, or -1.
func (b *Batch) flushEach() int {
	for _, m := range b.messages[:b.n] {
		m.result = [maxResult]uintptr{}
	}
	for i, m := range b.messages[:b.n] {
		id := m.receiver
		if m.from >= 0 {
			id = ID(b.messages[m.from].result[0])
		}
		m.send(id)
		if m.stop && m.result[0] == 0 {
			return i
		}
	}
	return -1
}

func (b *Batch) selector(i int) *selector {
	if b.native.on {
		return b.native.selector(i)
	}
	return b.messages[i].sel.info()
}

// Result is the first word of the result of message i after Flush; see [Msg.Send]. Messages that were not sent have 0.
func (b *Batch) Result(i int) uintptr {
	if i < 0 || i >= b.n || !b.flushed {
		panic(&ResultError{i, b.n})
	}
	if b.native.on {
		return b.native.result(i)[0]
	}
	return b.messages[i].result[0]
}

// Struct is the result of message i as the words of a struct; see [Msg.Struct]. The next call may overwrite it.
func (b *Batch) Struct(i int) []uintptr {
	if i < 0 || i >= b.n || !b.flushed {
		panic(&ResultError{i, b.n})
	}
	if b.native.on {
		r := b.native.result(i)
		return r[:b.selector(i).sig.result.words()]
	}
	return b.messages[i].Struct()
}

// Bytes copies p into memory of the batch and gives its address (16-byte aligned), valid until the batch after this one begins. Empty p gives 0.
func (b *Batch) Bytes(p []byte) uintptr {
	b.begin()
	return b.memory.bytes(p)
}

// IDs is Bytes for a C array of objects.
func (b *Batch) IDs(ids []ID) uintptr { return b.Bytes(idBytes(ids)) }

// Uintptrs is Bytes for a C array of NSUInteger.
func (b *Batch) Uintptrs(words []uintptr) uintptr { return b.Bytes(wordBytes(words)) }
