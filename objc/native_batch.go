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

// batchChunkRecords is a chunk of records with what is needed to read their results.
type batchChunkRecords struct {
	records [chunkRecords]record
	more    [chunkRecords]struct {
		plan   *plan
		sel    SEL
		memory *[maxResult]uintptr // a struct result that is written to memory
	}
}

// nativeBatch is the part of a Batch that the batch transport uses: on, if this batch goes by it.
type nativeBatch struct {
	on     bool
	chunks []*batchChunkRecords // never moved: records point into one another
	call   *batchCall
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
func (n *nativeBatch) add(b *Batch, id ID, from int, sel SEL, words []uintptr) {
	if isSoftware(id) {
		panic(&UnknownObject{id}) // the batch began with a native receiver
	}
	c := sel.info().loweredBatch()
	p := c.plan
	i := b.n % chunkRecords
	if b.n/chunkRecords == len(n.chunks) {
		n.chunks = append(n.chunks, new(batchChunkRecords))
	}
	chunk := n.chunks[b.n/chunkRecords]
	r, more := &chunk.records[i], &chunk.more[i]
	more.plan, more.sel, more.memory = p, sel, nil
	r.fn, r.receiver, r.flags, r.stackWords = c.entry, 0, 0, uintptr(len(p.stack))
	if from >= 0 {
		if p.hidden {
			panic(&ShapeError{sel.Name(), sel.Encoding(), "a struct result in memory from the result of a message of the same batch"})
		}
		earlier := &n.chunks[from/chunkRecords].records[from%chunkRecords]
		r.receiver = uintptr(unsafe.Pointer(&earlier.intResult[0]))
	}
	if p.memory {
		more.memory = (*[maxResult]uintptr)(b.memory.take(maxResult * wordSize))
		*more.memory = [maxResult]uintptr{}
		r.indirect = uintptr(unsafe.Pointer(more.memory))
	}
	if p.copies {
		// The callee may write to its copies, which must outlive this call: they are the batch's.
		own := unsafe.Slice((*uintptr)(b.memory.take(len(words)*wordSize)), len(words))
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

func (n *nativeBatch) record(i int) *record { return &n.chunks[i/chunkRecords].records[i%chunkRecords] }

func (n *nativeBatch) stopOnNil(i int) { n.record(i).flags |= flagStop }

func (n *nativeBatch) selector(i int) SEL { return n.chunks[i/chunkRecords].more[i%chunkRecords].sel }

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
func (n *nativeBatch) result(i int) [maxResult]uintptr {
	chunk := n.chunks[i/chunkRecords]
	r, more := &chunk.records[i%chunkRecords], &chunk.more[i%chunkRecords]
	if more.memory != nil {
		return *more.memory
	}
	var m resultWords
	more.plan.load(&m, &results{r.intResult, r.fpResult})
	return m
}
