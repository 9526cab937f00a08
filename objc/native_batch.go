//go:build darwin || objcnative

package objc

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// The batch transport: messages are lowered into fixed-size records, which a stub in Go assembly sends one after another in one
// crossing from Go to C. The stub is C code to the rest of the process: it runs on the system stack and knows
// nothing of Go.

// record is one message as the stub reads it: every register and stack word. batch_amd64.s and batch_arm64.s know its layout.
type record struct {
	fn         uintptr
	stackWords uintptr
	receiver   uintptr // if not 0: the address of the word that holds the receiver, the result of an earlier record
	flags      uintptr
	ints       [8]uintptr
	indirect   uintptr // arm64's x8
	floats     [8]uint64
	intResult  [2]uintptr
	fpResult   [4]uint64
	stack      [maxStack]uintptr
}

const (
	maxStack = 12

	flagFloats = 1 // load the floating-point registers
	flagStop   = 2 // stop the batch if the result is nil
)

// batchCall is the stub's only argument.
type batchCall struct {
	records *record
	left    uintptr // records to send; after the call, records that were not finished because one stopped the batch
}

const chunkRecords = 64

// recordChunk is a chunk of records with what is needed to read their results.
type recordChunk struct {
	records [chunkRecords]record
	calls   [chunkRecords]*call
	memory  [chunkRecords]*resultWords // for struct results that are written to memory
}

// nativeBatch is the part of a Batch that the batch transport uses: on, if this batch goes by it.
type nativeBatch struct {
	on      bool
	chunks  []*recordChunk // never moved: records point into one another
	current *recordChunk   // where the next record goes, if it is not the first of a chunk
	call    *batchCall
}

// batchTransport is off until it has run on a Mac.
var batchTransport atomic.Bool

// SetBatchTransport says whether batches of native messages cross from Go to C once, and gives what was set before. It is off
// at first: it has run against GCC's Objective-C runtime on amd64 and arm64, not yet against Apple's.
func SetBatchTransport(on bool) bool { return batchTransport.Swap(on) }

// choose settles the transport of a batch by its first receiver.
func (n *nativeBatch) choose(first ID) {
	n.on = !isSoftware(first) && native.Load() != nil && batchTransport.Load()
}

// add lowers a message into the next record.
func (n *nativeBatch) add(b *Batch, id ID, s *selector, words []uintptr) {
	if isSoftware(id) {
		panic(&UnknownObject{id}) // the batch began with a native receiver
	}
	c := s.lowered.Load()
	if c == nil {
		c = s.loweredMethod()
	}
	i := uint(b.n) % chunkRecords
	if i == 0 {
		if b.n/chunkRecords == len(n.chunks) {
			n.chunks = append(n.chunks, new(recordChunk))
		}
		n.current = n.chunks[b.n/chunkRecords]
	}
	chunk := n.current
	r, p := &chunk.records[i], c.plan
	chunk.calls[i] = c
	r.fn, r.receiver, r.flags, r.stackWords = c.entry, 0, 0, uintptr(len(p.stack))
	if !p.straight {
		n.addCrooked(b, id, c, words, chunk, i)
		return
	}
	r.ints[0], r.ints[1] = uintptr(id), c.selector
	for j, w := range words[:p.straightInts] {
		r.ints[2+j] = w
	}
	if len(p.stack) > 0 {
		if len(p.stack) > maxStack {
			panic(&ShapeError{s.name, s.encoding, "too many stack words for a batch"})
		}
		copy(r.stack[:], words[p.straightStack:])
	}
}

// addCrooked is the rest of add for messages whose words are not simply in order.
func (n *nativeBatch) addCrooked(b *Batch, id ID, c *call, words []uintptr, chunk *recordChunk, i uint) {
	r, p := &chunk.records[i], c.plan
	if len(p.stack) > maxStack {
		panic(&ShapeError{c.of.name, c.of.encoding, "too many stack words for a batch"})
	}
	if p.memory {
		chunk.memory[i] = (*resultWords)(b.takeWords(maxResult))
		*chunk.memory[i] = resultWords{}
		r.indirect = uintptr(unsafe.Pointer(chunk.memory[i]))
	}
	if p.copies {
		// The callee may write to its copies, which must outlive this call: they are the batch's.
		own := b.takeWords(len(words))
		copy(own, words)
		words = own
	}
	f := filler{words: words, self: uintptr(id), selector: c.selector, result: r.indirect}
	f.fill(r.ints[:], p.ints)
	f.fill(r.stack[:], p.stack)
	if len(p.floats) > 0 {
		r.flags = flagFloats
		for j, at := range p.floats {
			r.floats[j] = uint64(f.value(at))
		}
	}
}

// takeWords gives words of the batch's memory.
func (b *Batch) takeWords(n int) []uintptr {
	return unsafe.Slice((*uintptr)(unsafe.Pointer(&b.memory.take(n * wordSize)[0])), n)
}

// addTo is add for a receiver that an earlier record results in.
func (n *nativeBatch) addTo(b *Batch, from int, s *selector, words []uintptr) {
	if s.loweredMethod().plan.hidden {
		panic(&ShapeError{s.name, s.encoding, "a struct result in memory from the result of a message of the same batch"})
	}
	n.add(b, 0, s, words)
	n.record(b.n).receiver = uintptr(unsafe.Pointer(&n.record(from).intResult[0]))
}

func (n *nativeBatch) record(i int) *record { return &n.chunks[i/chunkRecords].records[i%chunkRecords] }

func (n *nativeBatch) stopOnNil(i int) { n.record(i).flags |= flagStop }

func (n *nativeBatch) selector(i int) *selector {
	return n.chunks[i/chunkRecords].calls[i%chunkRecords].of
}

// flush sends count records, a chunk per crossing, and gives the index of the one that stopped the batch, or -1.
func (n *nativeBatch) flush(count int) int {
	if n.call == nil {
		n.call = new(batchCall)
	}
	stopped := -1
	for first := 0; first < count; first += chunkRecords {
		size := min(chunkRecords, count-first)
		n.call.records, n.call.left = &n.chunks[first/chunkRecords].records[0], uintptr(size)
		callBatch(n.call)
		if n.call.left > 0 {
			stopped = first + size - int(n.call.left)
			n.clearResults(stopped, count)
			break
		}
	}
	runtime.KeepAlive(n) // the records, and through the Batch what they point to
	return stopped
}

// clearResults empties the results of records that were not sent.
func (n *nativeBatch) clearResults(from, to int) {
	for i := from; i < to; i++ {
		r := n.record(i)
		r.intResult, r.fpResult = [2]uintptr{}, [4]uint64{}
	}
}

// result reads the result of record i.
func (n *nativeBatch) result(i int) resultWords {
	chunk := n.chunks[i/chunkRecords]
	r, p := &chunk.records[i%chunkRecords], chunk.calls[i%chunkRecords].plan
	if p.memory {
		return *chunk.memory[i%chunkRecords]
	}
	var w resultWords
	p.load(&w, &results{r.intResult, r.fpResult})
	return w
}
