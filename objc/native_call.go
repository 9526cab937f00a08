//go:build darwin || objcnative

package objc

import (
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// nativeSelector is the part of the selector table that the native runtime fills, when a selector is first sent to it.
type nativeSelector struct{ lowered atomic.Pointer[call] }

// call is everything that a message or a function needs to be called natively.
type call struct {
	plan     *plan
	selector uintptr    // registered with libobjc
	entry    uintptr    // objc_msgSend or objc_msgSend_stret
	typed    *typedCall // for shapes that integer words alone cannot pass
}

// loweredMethod gives the call of a selector. Two goroutines may work it out at once; either's result will do.
func (s *selector) loweredMethod() *call {
	if c := s.native.lowered.Load(); c != nil {
		return c
	}
	l := native.Load()
	c, reason := lowerCall(&s.sig, true)
	if reason != "" {
		panic(&ShapeError{s.name, s.encoding, reason})
	}
	c.selector = l.callString(l.registerName, s.name)
	c.entry = l.msgSend
	if c.plan.hidden {
		c.entry = l.msgSendStret
	}
	s.native.lowered.Store(c)
	return c
}

// lowerCall works out the plan of a method or function for this machine.
func lowerCall(sig *signature, method bool) (*call, string) {
	p, reason := lower(hostABI, sig, method)
	if reason != "" {
		return nil, reason
	}
	c := &call{plan: p}
	if p.flat == nil {
		if c.typed, reason = newTypedCall(p, sig, method); reason != "" {
			return nil, reason
		}
	}
	return c, ""
}

// sendNative sends the message in m to a native object.
func sendNative(id ID, m *Msg) {
	if native.Load() == nil {
		panic(&UnknownObject{id})
	}
	c := m.sel.info().loweredMethod()
	c.call(m, c.entry, uintptr(id))
}

// call calls fn with the words in m.
func (c *call) call(m *Msg, fn, self uintptr) {
	if c.typed != nil {
		c.typed.call(m, fn, self, c.selector)
		return
	}
	frame := m.native.words[:len(c.plan.flat)]
	for i, p := range c.plan.flat {
		frame[i] = m.value(p, self, c.selector)
	}
	var r results
	r.ints[0], r.ints[1], _ = purego.SyscallN(fn, frame...)
	if !c.plan.memory {
		c.plan.load(m, &r)
	}
}
