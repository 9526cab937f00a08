package objc

import (
	"math"
	"unsafe"
)

// maxResult is the number of words a struct result can have.
const maxResult = 8

// Msg is a message and its results: a record that is filled, sent and read again and again without allocating. It belongs to
// one goroutine at a time. Make it with new(Msg) or as a field of a heap object: the native transport hands out addresses
// inside it, so it must not live on a stack. A method that receives a Msg must not Send on it.
type Msg struct {
	sel    SEL
	sent   bool // the arena's contents belong to a message already sent
	args   [MaxWords]uintptr
	result [maxResult]uintptr
	out    [maxOut]ID
	//lint:ignore U1000 the native runtime's alone
	nativeFrame
	arena arena
}

// Send sends a message and gives the first word of its result: an id, an integer (sign- or zero-extended as the encoding
// says, a BOOL as 0 or 1), or the bits of a float. It allocates nothing. A message to nil does nothing and results in zeros.
// It panics with a [*WordsError] if the number of words is not the selector's, with an [*UnrecognizedSelector] or a
// [*ReleasedObject] if a software object does not understand or no longer exists.
func (m *Msg) Send(id ID, sel SEL, words ...uintptr) uintptr {
	if want := sel.info().sig.words; len(words) != want {
		panic(&WordsError{sel.Name(), want, len(words)})
	}
	copy(m.args[:], words)
	m.sel = sel
	m.sent = true
	m.result = [maxResult]uintptr{}
	m.send(id)
	return m.result[0]
}

// send sends the message that is in the record, its result words zero.
func (m *Msg) send(id ID) {
	if isSoftware(id) {
		sendSoftware(id, m)
	} else if id != 0 {
		sendNative(id, m)
	}
}

// Selector is the selector of the message.
func (m *Msg) Selector() SEL { return m.sel }

// Bool is the last result as a BOOL: only its low 8 bits are defined.
func (m *Msg) Bool() bool { return m.result[0]&0xff != 0 }

// Float64 is the last result of a selector that returns double.
func (m *Msg) Float64() float64 { return math.Float64frombits(uint64(m.result[0])) }

// Float32 is the last result of a selector that returns float.
func (m *Msg) Float32() float32 { return math.Float32frombits(uint32(m.result[0])) }

// Words is the last result of a selector that returns a struct of two words, such as NSRange.
func (m *Msg) Words() (a, b uintptr) { return m.result[0], m.result[1] }

// Struct is the last result as the words of a struct. It aliases the record: the next Send overwrites it.
func (m *Msg) Struct() []uintptr {
	return m.result[:min(m.sel.info().sig.result.words(), maxResult)]
}

// Arg is argument word i, for a method.
func (m *Msg) Arg(i int) uintptr { return m.args[i] }

// ArgID is argument word i as an object.
func (m *Msg) ArgID(i int) ID { return ID(m.args[i]) }

// ArgBool is argument word i as a BOOL.
func (m *Msg) ArgBool(i int) bool { return m.args[i]&0xff != 0 }

// ArgFloat32 is argument word i as a float.
func (m *Msg) ArgFloat32(i int) float32 { return math.Float32frombits(uint32(m.args[i])) }

// ArgFloat64 is argument word i as a double.
func (m *Msg) ArgFloat64(i int) float64 { return math.Float64frombits(uint64(m.args[i])) }

// Return sets the first result word.
func (m *Msg) Return(word uintptr) { m.result[0] = word }

// ReturnID sets the result to an object.
func (m *Msg) ReturnID(id ID) { m.result[0] = uintptr(id) }

// ReturnBool sets the result to a BOOL.
func (m *Msg) ReturnBool(b bool) {
	m.result[0] = 0
	if b {
		m.result[0] = 1
	}
}

// ReturnFloat64 sets the result of a method that returns double.
func (m *Msg) ReturnFloat64(v float64) { m.result[0] = uintptr(math.Float64bits(v)) }

// ReturnFloat32 sets the result of a method that returns float.
func (m *Msg) ReturnFloat32(v float32) { m.result[0] = uintptr(math.Float32bits(v)) }

// ReturnStruct sets the result to the words of a struct, at most eight.
func (m *Msg) ReturnStruct(words ...uintptr) { copy(m.result[:], words) }

// maxOut is the number of out parameters a message can have.
const maxOut = 4

// Out gives the address of the record's out word i (0 to 3), set to nil, to be passed where a method takes an NSError ** or
// another pointer to an object. OutID reads it after Send.
func (m *Msg) Out(i int) uintptr {
	m.out[i] = 0
	return uintptr(unsafe.Pointer(&m.out[i]))
}

// OutID is what the method stored in out word i: an autoreleased object, or nil.
func (m *Msg) OutID(i int) ID { return m.out[i] }

// StoreID stores an object through argument word i, an out parameter such as an NSError **; a nil pointer is left alone.
func (m *Msg) StoreID(i int, id ID) {
	if m.args[i] != 0 {
		*(*ID)(pointer(m.args[i])) = id
	}
}
