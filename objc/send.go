package objc

import "sync"

var msgs = sync.Pool{New: func() any { return new(Msg) }}

// Send sends a message on a record from a pool, for paths that keep no Msg of their own. See [Msg.Send].
func Send(id ID, sel SEL, words ...uintptr) uintptr {
	m := msgs.Get().(*Msg)
	r := m.Send(id, sel, words...)
	msgs.Put(m)
	return r
}

// SendID is Send for a selector that returns an object.
func SendID(id ID, sel SEL, words ...uintptr) ID { return ID(Send(id, sel, words...)) }

// SendBool is Send for a selector that returns BOOL.
func SendBool(id ID, sel SEL, words ...uintptr) bool { return Send(id, sel, words...)&0xff != 0 }

// SendFloat64 is Send for a selector that returns double.
func SendFloat64(id ID, sel SEL, words ...uintptr) float64 {
	m := msgs.Get().(*Msg)
	m.Send(id, sel, words...)
	r := m.Float64()
	msgs.Put(m)
	return r
}

// SendStruct is Send for a selector that returns a struct of at most three words, such as NSRange or MTLSize.
func SendStruct(id ID, sel SEL, words ...uintptr) [3]uintptr {
	m := msgs.Get().(*Msg)
	m.Send(id, sel, words...)
	r := [3]uintptr(m.result[:3])
	msgs.Put(m)
	return r
}
