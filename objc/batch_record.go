package objc

import "unsafe"

// A batch is written into chunks of words, record after record, each as long as it needs to be: a lowered record as the stub
// reads it, or a logical record. Chunks never move, so records may point into one another.

// record begins every record. batch_amd64.s and batch_arm64.s know it.
type record struct {
	// fn is, in a lowered record, the address of the word that holds the function's address; in a logical one, if not 0, the
	// address of the word that holds the receiver, the result of an earlier record.
	fn uintptr
	form
	result [2]uintptr
}

// form is what records of one selector have in common.
type form struct {
	sel        SEL
	words      uint16 // length of the record
	stackWords uint8
	flags      uint8
}

const (
	flagLogical  = 1 << iota // a logicalRecord
	flagExtended             // a nativeRecord with all its fields
	flagFloats               // load the floating-point registers; extended
	flagStop                 // stop the batch if the result is nil
)

// logicalRecord is a message in logical words, for the software runtime and for what the native one sends by other ways.
type logicalRecord struct {
	record
	receiver ID
	_        uintptr           // a lowered record's native selector
	args     [MaxWords]uintptr // as many as the selector has, and then the result's words, if they are more than the record has
}

// plainRecord is the beginning of both kinds of records: the receiver and the native selector. Somewhere after it are the arguments.
type plainRecord struct {
	record
	words [2]uintptr
}

const logicalArgs = unsafe.Offsetof(logicalRecord{}.args)

const batchSlots = 32 // a power of two

// batchSlot is what the records of one message, sent by a batch to one object time and again, have in common.
type batchSlot struct {
	key      uint64 // the batch's serial and the selector
	receiver ID
	form     form
	args     int     // number of arguments, or -1 as long as add has to be asked
	to       uintptr // where they are in the record, in bytes
	fn       uintptr
	selector uintptr
}

// addLogical adds a logical record.
func (b *Batch) addLogical(id ID, sel SEL, s *selector, words []uintptr) *logicalRecord {
	r := (*logicalRecord)(unsafe.Pointer(b.records.next(b.n)))
	n := logicalArgs/wordSize + uintptr(len(words))
	if s.sig.result.words() > len(r.result) {
		n += maxResult
	}
	r.fn, r.form, r.receiver = 0, form{sel: sel, words: uint16(n), flags: flagLogical}, id
	copy(r.args[:], words)
	b.records.at += n
	return r
}

// send sends the record's message on m.
func (r *logicalRecord) send(m *Msg) {
	s := r.sel.info()
	id := r.receiver
	if r.fn != 0 {
		id = *(*ID)(pointer(r.fn))
	}
	m.sel = r.sel
	copy(m.args[:], r.args[:s.sig.words])
	m.result = resultWords{}
	m.send(id)
	copy(r.result[:], m.result[:])
	if long := r.longResult(); long != nil {
		*long = m.result
	}
}

// longResult gives the words of a result that has more than the record's own; nil if it has not.
func (r *logicalRecord) longResult() *resultWords {
	sig := &r.sel.info().sig
	if sig.result.words() <= len(r.result) {
		return nil
	}
	return (*resultWords)(unsafe.Add(unsafe.Pointer(&r.args), sig.words*wordSize))
}

// next gives the record after r.
func (r *record) next() *record {
	return (*record)(unsafe.Add(unsafe.Pointer(r), int(r.words)*wordSize))
}

const (
	chunkWords = 2048
	// longestRecord is room for any record, and for what the stub reads beyond the end of a short one.
	longestRecord = 64
)

// recordChunk is a chunk of records. A record begins before chunkWords, so that it fits.
type recordChunk struct {
	words [chunkWords + longestRecord]uintptr
	count int
}

func (c *recordChunk) first() *record { return (*record)(unsafe.Pointer(&c.words)) }

// batchRecords is the records of a batch.
type batchRecords struct {
	current *recordChunk // the last in use
	at      uintptr      // words in use there
	chunks  []*recordChunk
	used    int // chunks in use; the others are for later batches
}

func (b *batchRecords) reset() { b.used, b.current, b.at = 0, nil, chunkWords }

func (b *batchRecords) inUse() []*recordChunk { return b.chunks[:b.used] }

// next gives the place of record n, with room for any. What is there comes from earlier batches.
func (b *batchRecords) next(n int) *record {
	if b.current == nil || b.at >= chunkWords {
		b.count(n)
		if b.used == len(b.chunks) {
			b.chunks = append(b.chunks, new(recordChunk))
		}
		b.current, b.at = b.chunks[b.used], 0
		b.used++
	}
	// Safety: at is under chunkWords, and behind that there is room for the longest record.
	return (*record)(unsafe.Pointer(&b.current.words[b.at]))
}

// count settles how many of the n records are in the current chunk.
func (b *batchRecords) count(n int) {
	if b.current == nil {
		return
	}
	for _, c := range b.chunks[:b.used-1] {
		n -= c.count
	}
	b.current.count = n
}

// find gives record i of those there are.
func (b *batchRecords) find(i int) *record {
	chunk := 0
	for ; i >= b.chunks[chunk].count; chunk++ {
		i -= b.chunks[chunk].count
	}
	r := b.chunks[chunk].first()
	for range i {
		r = r.next()
	}
	return r
}

// clearResults empties the results of the records from i on.
func (b *batchRecords) clearResults(i int) {
	at := 0
	for _, chunk := range b.inUse() {
		r := chunk.first()
		for range chunk.count {
			if at >= i {
				r.clearResult()
			}
			at++
			r = r.next()
		}
	}
}

func (r *record) clearResult() {
	r.result = [2]uintptr{}
	if r.flags&flagLogical == 0 {
		r.clearNative()
	} else if long := (*logicalRecord)(unsafe.Pointer(r)).longResult(); long != nil {
		*long = resultWords{}
	}
}
