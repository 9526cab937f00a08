package soft

import "github.com/puremetal/puremetal/objc"

// encoder is what the encoders' states have in common. It records into its command buffer, which it retains until it has ended.
type encoder struct {
	label
	class  string
	buffer *commandBuffer
	ended  bool
	groups int // debug groups that are open

	info    int      // index in the recording's encoders
	updated []*fence // by this encoder
	atEnd   []sample // taken when its work has ended
}

type encoding interface{ common() *encoder }

func (e *encoder) common() *encoder { return e }

func (e *encoder) begin(class string, c *commandBuffer) {
	e.class, e.buffer = class, c
	c.encoding = true
	r := c.recording
	e.info = len(r.encoders)
	r.encoders = append(r.encoders, encoderInfo{})
	objc.Retain(c.self)
}

// usable stops the program if the encoder has ended.
func (e *encoder) usable(m *objc.Msg) {
	if e.ended {
		assertion(m, e.class, "the encoder has ended")
	}
}

// keep retains an object for the command buffer, once: user is where the object remembers who did.
func (e *encoder) keep(id objc.ID, b *buffer) {
	if b.user.Load() == e.buffer.serial {
		return
	}
	b.user.Store(e.buffer.serial)
	if e.buffer.retains(id) {
		objc.Retain(id)
	}
}

// bufferAt gives the state of a buffer argument.
func (e *encoder) bufferAt(m *objc.Msg, id objc.ID) *buffer {
	b := stateOf[*buffer](m, e.class, id)
	e.keep(id, b)
	return b
}

// encoderMethods gives an encoder class's methods with those that all encoders have.
func encoderMethods(methods ...map[objc.SEL]objc.Method) map[objc.SEL]objc.Method {
	return withLabel(append(methods, map[objc.SEL]objc.Method{
		selEndEncoding: func(self *objc.Object, m *objc.Msg) {
			e := self.State.(encoding).common()
			e.usable(m)
			if e.groups != 0 {
				assertion(m, e.class, "%d debug groups have not been popped", e.groups)
			}
			for _, s := range e.atEnd {
				e.takeSample(s)
			}
			e.ended = true
			e.buffer.encoding = false
			e.buffer.recording.encoders[e.info].label = e.name()
			objc.Release(e.buffer.self)
		},
		selPushDebugGroup: func(self *objc.Object, m *objc.Msg) {
			e := self.State.(encoding).common()
			e.usable(m)
			e.groups++
		},
		selPopDebugGroup: func(self *objc.Object, m *objc.Msg) {
			e := self.State.(encoding).common()
			e.usable(m)
			if e.groups == 0 {
				assertion(m, e.class, "no debug group to pop")
			}
			e.groups--
		},
		selInsertDebugSignpost: func(self *objc.Object, m *objc.Msg) {
			e := self.State.(encoding).common()
			e.usable(m)
			info := &e.buffer.recording.encoders[e.info]
			info.signposts = append(info.signposts, objc.GoString(m.ArgID(0)))
		},
	})...)
}

// deallocEncoder stops the program if the encoder goes without having ended.
func deallocEncoder(self *objc.Object) {
	if e := self.State.(encoding).common(); !e.ended {
		e.ended = true
		e.buffer.encoding = false
		objc.Release(e.buffer.self)
		panic(&AssertionError{"-[" + e.class + " dealloc]", "command encoder released without endEncoding"})
	}
}
