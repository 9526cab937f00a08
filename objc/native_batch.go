//go:build darwin || objcnative

package objc

import (
	"os"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The batch transport: messages are lowered, when they are added, into records that a stub in Go assembly sends one after another
// in one crossing from Go to C. The stub is C code to the rest of the process: it runs on the system stack and knows nothing of
// Go. Where the transport is off, the same records are argument lists for purego.SyscallN.

// nativeRecord is a message as the stub reads it. By far the most messages end with their last stack word: integer registers that
// they do not use hold what was there, and the rest is another record's.
type nativeRecord struct {
	record
	ints  [hostIntRegisters]uintptr
	stack [maxStack]uintptr // right behind ints: together they are what SyscallN takes

	// The rest is there in extended records.
	receiver uintptr // if not 0: the address of the word that holds the receiver, the result of an earlier record
	indirect uintptr // where a result in memory goes; arm64's x8
	floats   [floatRegisters]uint64
	fpResult [4]uint64
}

const (
	recordWords   = unsafe.Sizeof(record{}) / wordSize
	maxStack      = 12
	copiedStack   = 6 // stack words that the stub copies at once: two of MTLSize
	extendedWords = unsafe.Sizeof(nativeRecord{}) / wordSize
	_             = uint(longestRecord - extendedWords)
	_             = uint(longestRecord - logicalArgs/wordSize - MaxWords - maxResult)
)

// batchCall is the stub's only argument.
type batchCall struct {
	records *record
	left    uintptr // records to send; after the call, records that were not finished because one stopped the batch
	lookups *lookup
	find    uintptr // of these, how many methods to look up first
	classOf uintptr // object_getClass
	method  uintptr // class_getMethodImplementation
}

// lookup is a method of an object that a batch sends more than once.
type lookup struct {
	receiver ID
	selector uintptr
	function uintptr // filled by the stub
}

const maxLookups = 32

// nativeBatch is the part of a Batch that the native runtime uses: on, if this batch crosses once.
type nativeBatch struct {
	on     bool
	native *libobjc // nil in a software batch
	call   *batchCall
	found  *[maxLookups]lookup
	nfound int
}

// batchTransport is off until it has run on a Mac.
var batchTransport atomic.Bool

func init() { batchTransport.Store(os.Getenv("PUREMETAL_BATCH") == "1") }

// SetBatchTransport says whether batches of native messages cross from Go to C once, and gives what was set before. It is off
// at first: it has run against GCC's Objective-C runtime on amd64 and arm64, not yet against Apple's.
// PUREMETAL_BATCH=1 in the environment turns it on from the start.
func SetBatchTransport(on bool) bool { return batchTransport.Swap(on) }

// choose settles the transport of a batch by its first receiver.
func (n *nativeBatch) choose(first ID) {
	n.on, n.native = false, nil
	if isSoftware(first) {
		return
	}
	n.native = native.Load()
	n.on = n.native != nil && batchTransport.Load()
	if n.on && n.call == nil {
		n.found = new([maxLookups]lookup)
		n.call = &batchCall{lookups: &n.found[0], classOf: n.native.objectClass, method: n.native.methodImplementation}
	}
	n.nfound = 0
}

// add lowers a message into the next record, if it is one that goes by a lowered record.
func (n *nativeBatch) add(b *Batch, id ID, sel SEL, s *selector, words []uintptr) bool {
	if n.native == nil {
		return false
	}
	if isSoftware(id) {
		panic(&UnknownObject{id}) // the batch began with a native receiver
	}
	c := s.lowered.Load()
	if c == nil {
		c = s.loweredMethod()
	}
	if !c.straight {
		return n.on && n.addExtended(b, id, 0, sel, c, words)
	}
	r := (*nativeRecord)(unsafe.Pointer(b.records.next(b.n)))
	r.fn = n.remember(b, id, sel, c)
	r.form = c.form
	r.sel = sel
	r.ints[0], r.ints[1] = uintptr(id), c.selector
	// Safety: lower gave the call no more words than ints and stack have places.
	for i, w := range words[:c.straightInts] {
		r.ints[2+i] = w
	}
	if c.form.stackWords > 0 {
		copy(r.stack[:], words[c.straightStack:])
	}
	b.records.at += uintptr(c.form.words)
	return true
}

// remember fills the slot of a message for others like it. It gives the address of the word that holds, when the batch is sent, the
// function for this one: objc_msgSend for the first of its like, the method itself for those after it.
func (n *nativeBatch) remember(b *Batch, id ID, sel SEL, c *call) uintptr {
	slot := &b.slots[sel%batchSlots]
	send := uintptr(unsafe.Pointer(&c.entry))
	key := b.serial | uint64(sel)
	again := slot.key == key && slot.receiver == id
	*slot = batchSlot{key: key, receiver: id, form: c.form, args: -1, fn: send, selector: c.selector}
	slot.form.sel = sel
	if n.on && !again {
		return send
	}
	if c.form.stackWords == 0 {
		slot.to, slot.args = unsafe.Offsetof(nativeRecord{}.ints)+2*wordSize, int(c.straightInts)
	} else if c.straightInts == 0 {
		slot.to, slot.args = unsafe.Offsetof(nativeRecord{}.stack), int(c.form.stackWords)
	}
	if n.on && id != 0 && n.nfound < maxLookups {
		l := &n.found[n.nfound]
		l.receiver, l.selector = id, c.selector
		slot.fn = uintptr(unsafe.Pointer(&l.function))
		n.nfound++
	}
	return slot.fn
}

// addExtended adds a message whose words are not simply in order, or whose receiver is a result.
func (n *nativeBatch) addExtended(b *Batch, id ID, receiver uintptr, sel SEL, c *call, words []uintptr) bool {
	p := c.plan
	if len(p.stack) > maxStack {
		panic(&ShapeError{c.of.name, c.of.encoding, "too many stack words for a batch"})
	}
	r := (*nativeRecord)(unsafe.Pointer(b.records.next(b.n)))
	r.fn, r.form = uintptr(unsafe.Pointer(&c.entry)), form{sel, uint16(extendedWords), uint8(len(p.stack)), flagExtended}
	r.receiver = receiver
	if p.memory {
		own := (*resultWords)(b.takeWords(maxResult))
		*own = resultWords{}
		r.indirect = uintptr(unsafe.Pointer(own))
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
		r.flags |= flagFloats
		for j, at := range p.floats {
			r.floats[j] = uint64(f.value(at))
		}
	}
	b.records.at += extendedWords
	return true
}

// takeWords gives words of the batch's memory.
func (b *Batch) takeWords(n int) []uintptr {
	return unsafe.Slice((*uintptr)(unsafe.Pointer(&b.memory.take(n * wordSize)[0])), n)
}

// addTo is add for a receiver that an earlier record results in, at an address.
func (n *nativeBatch) addTo(b *Batch, receiver uintptr, sel SEL, s *selector, words []uintptr) bool {
	if !n.on {
		return false
	}
	c := s.loweredMethod()
	if c.plan.hidden {
		panic(&ShapeError{s.name, s.encoding, "a struct result in memory from the result of a message of the same batch"})
	}
	return n.addExtended(b, 0, receiver, sel, c, words)
}

// flush sends the records, a chunk per crossing; see flushEach for what it gives.
func (n *nativeBatch) flush(b *Batch) int {
	left := b.n
	n.call.find = uintptr(n.nfound)
	for _, chunk := range b.records.inUse() {
		n.call.records, n.call.left = chunk.first(), uintptr(chunk.count)
		callBatch(n.call)
		n.call.find = 0
		left -= chunk.count - int(n.call.left)
		if n.call.left > 0 {
			return left
		}
	}
	runtime.KeepAlive(b) // the records and what they point to
	return 0
}

// sendOne sends a lowered record by itself. It is not an extended one.
func (n *nativeBatch) sendOne(r *record) {
	m := (*nativeRecord)(unsafe.Pointer(r))
	words := hostIntRegisters
	if r.stackWords > 0 {
		words += int(r.stackWords)
	} else {
		words = 2 + r.sel.info().sig.words
	}
	// Safety: ints and stack are one run of words.
	r.result[0], r.result[1], _ = purego.SyscallN(*(*uintptr)(pointer(r.fn)), unsafe.Slice(&m.ints[0], words)...)
}

// result reads the result of a lowered record.
func (n *nativeBatch) result(r *record) (w resultWords) {
	p := r.sel.info().loweredMethod().plan
	from := results{ints: r.result}
	if r.flags&flagExtended != 0 {
		m := (*nativeRecord)(unsafe.Pointer(r))
		if p.memory {
			return *(*resultWords)(pointer(m.indirect))
		}
		from.floats = m.fpResult
	}
	p.load(&w, &from)
	return w
}

// clearNative empties the result of a lowered record but for its integer words. Results in memory were empty from the start.
func (r *record) clearNative() {
	if r.flags&flagExtended != 0 {
		(*nativeRecord)(unsafe.Pointer(r)).fpResult = [4]uint64{}
	}
}
