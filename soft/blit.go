package soft

import "github.com/puremetal/puremetal/objc"

// blit is the state of an MTLBlitCommandEncoder.
type blit struct{ encoder }

const blitEncoder = "MTLBlitCommandEncoder"

// blitAlign is what macOS wants offsets and lengths to be multiples of.
const blitAlign = 4

var blitClass *objc.Class

func init() {
	blitClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLBlitCommandEncoder",
		Instance: encoderMethods(map[objc.SEL]objc.Method{
			selCopyFromBuffer: func(self *objc.Object, m *objc.Msg) {
				e := self.State.(*blit)
				e.usable(m)
				src, dst := e.bufferAt(m, m.ArgID(0)), e.bufferAt(m, m.ArgID(2))
				from, to, n := m.Arg(1), m.Arg(3), m.Arg(4)
				e.checkRange(m, src, from, n)
				e.checkRange(m, dst, to, n)
				if src == dst && from < to+n && to < from+n {
					assertion(m, blitEncoder, "%d bytes at %d and at %d of one buffer overlap", n, from, to)
				}
				e.record(command{kind: commandCopy, src: src, srcOffset: int(from), dst: dst, dstOffset: int(to), n: int(n)})
			},
			selFillBuffer: func(self *objc.Object, m *objc.Msg) {
				e := self.State.(*blit)
				e.usable(m)
				dst := e.bufferAt(m, m.ArgID(0))
				e.checkRange(m, dst, m.Arg(1), m.Arg(2))
				e.record(command{kind: commandFill, dst: dst, dstOffset: int(m.Arg(1)), n: int(m.Arg(2)), value: byte(m.Arg(3))})
			},
			selResolveCounters:               resolveCounters,
			selResetCommandsInBuffer:         resetCommandsInBuffer,
			selCopyIndirectCommandBuffer:     copyIndirectCommandBuffer,
			selOptimizeIndirectCommandBuffer: optimizeIndirectCommandBuffer,
		}, fenceMethods),
		Dealloc: deallocEncoder,
	})
}

func newBlitEncoder(self *objc.Object, m *objc.Msg) {
	c := self.State.(*commandBuffer)
	c.encodable(m)
	e := new(blit)
	e.begin(blitEncoder, c)
	m.ReturnID(objc.Autorelease(objc.NewObject(blitClass, e)))
}

func (e *blit) checkRange(m *objc.Msg, b *buffer, offset, n uintptr) {
	length := uintptr(len(b.mem))
	if n == 0 || n > length || offset > length-n {
		assertion(m, blitEncoder, "%d bytes at %d are not inside the buffer's %d", n, offset, length)
	}
	if n%blitAlign != 0 || offset%blitAlign != 0 {
		assertion(m, blitEncoder, "%d bytes at %d: both must be multiples of %d", n, offset, blitAlign)
	}
}

func (e *blit) record(c command) {
	c.encoder, c.info = e.name(), e.info
	r := e.buffer.recording
	r.commands = append(r.commands, c)
}
