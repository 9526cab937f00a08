//go:build darwin || objcnative

package objc

import (
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// nativeSelector is the part of the selector table that the native runtime fills, when a selector is first sent to it.
type nativeSelector struct{ lowered atomic.Pointer[call] }

// call is everything that a message or a function needs to be called natively.
type call struct {
	plan     *plan
	of       *selector  // nil for a function
	selector uintptr    // registered with libobjc
	entry    uintptr    // objc_msgSend or objc_msgSend_stret
	refused  string     // why neither of these can pass the shape
	typed    *typedCall // for shapes that integer words alone cannot pass

	// What a batch needs of a straight plan.
	straight                    bool
	straightInts, straightStack uint8
	form                        form
}

// loweredMethod gives the call of a selector. Two goroutines may work it out at once; the first one's result stays.
func (s *selector) loweredMethod() *call {
	if c := s.lowered.Load(); c != nil {
		return c
	}
	l := native.Load()
	c, reason := lowerCall(&s.sig, true)
	if reason != "" {
		panic(&ShapeError{s.name, s.encoding, reason})
	}
	c.of = s
	c.selector = l.callString(l.registerName, s.name)
	c.entry = l.msgSend
	if c.plan.hidden {
		c.entry = l.msgSendStret
	}
	if !s.lowered.CompareAndSwap(nil, c) {
		return s.lowered.Load() // records hold addresses inside the one that stays
	}
	return c
}

// lowerCall works out the plan of a method or function for this machine.
func lowerCall(sig *signature, method bool) (*call, string) {
	p, reason := lower(hostABI, sig, method)
	if reason != "" {
		return nil, reason
	}
	c := &call{plan: p}
	if p.straight && p.flat != nil && len(p.stack) <= maxStack {
		c.straight = true
		c.straightInts, c.straightStack = uint8(p.straightInts), uint8(p.straightStack)
		c.form.stackWords = uint8(len(p.stack))
		c.form.words = uint16(recordWords) + hostIntRegisters + uint16(len(p.stack))
	}
	if p.flat == nil {
		// A shape that this refuses can still go by a batch.
		c.typed, c.refused = newTypedCall(p, sig, method)
	}
	return c, ""
}

// sendNative sends the message in m to a native object.
func sendNative(id ID, m *Msg) {
	if native.Load() == nil {
		panic(&UnknownObject{id})
	}
	s := m.sel.info()
	c := s.loweredMethod()
	if c.refused != "" {
		panic(&ShapeError{s.name, s.encoding, c.refused})
	}
	c.call(m, c.entry, uintptr(id))
}

// call calls fn with the words in m.
func (c *call) call(m *Msg, fn, self uintptr) {
	if c.typed != nil {
		c.typed.call(m, fn, self, c.selector)
		return
	}
	p := c.plan
	frame := m.frame[:len(p.flat)]
	if p.straight {
		frame[0], frame[1] = self, c.selector
		for i, w := range m.args[:p.straightInts] {
			frame[2+i] = w
		}
		if n := len(p.stack); n > 0 {
			copy(frame[len(frame)-n:], m.args[p.straightStack:]) // what is between is padding
		}
	} else {
		// The words stay in the record, where a callee may write to the copy of a struct: they are filled anew for every message.
		f := filler{words: m.args[:], self: self, selector: c.selector, result: uintptr(unsafe.Pointer(&m.result))}
		f.fill(frame, p.flat)
	}
	var r results
	r.ints[0], r.ints[1], _ = purego.SyscallN(fn, frame...)
	if !p.memory {
		p.load(&m.result, &r)
	}
}
