package soft

import "github.com/puremetal/puremetal/objc"

// commandBufferDescriptor is the state of an MTLCommandBufferDescriptor.
type commandBufferDescriptor struct {
	unretained   bool
	errorOptions uintptr
	logState     objc.ID // owned
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLCommandBufferDescriptor",
		Instance: withMethods(map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(commandBufferDescriptor)
				m.ReturnID(self.ID)
			},
			selRetainedReferences: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(!self.State.(*commandBufferDescriptor).unretained)
			},
			selSetRetainedReferences: func(self *objc.Object, m *objc.Msg) {
				self.State.(*commandBufferDescriptor).unretained = !m.ArgBool(0)
			},
			selErrorOptions: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*commandBufferDescriptor).errorOptions) },
			selSetErrorOptions: func(self *objc.Object, m *objc.Msg) {
				self.State.(*commandBufferDescriptor).errorOptions = m.Arg(0)
			},
		}, object(selLogState, selSetLogState, func(d *commandBufferDescriptor) *objc.ID { return &d.logState })),
		Dealloc: func(self *objc.Object) { objc.Release(self.State.(*commandBufferDescriptor).logState) },
	})
}

// queueMethods make command buffers.
var queueMethods = map[objc.SEL]objc.Method{
	selCommandBuffer: func(self *objc.Object, m *objc.Msg) {
		m.ReturnID(objc.Autorelease(newCommandBuffer(self, commandBufferDescriptor{})))
	},
	selCommandBufferUnretained: func(self *objc.Object, m *objc.Msg) {
		m.ReturnID(objc.Autorelease(newCommandBuffer(self, commandBufferDescriptor{unretained: true})))
	},
	selCommandBufferWithDescriptor: func(self *objc.Object, m *objc.Msg) {
		d := stateOf[*commandBufferDescriptor](m, "MTLCommandQueue", m.ArgID(0))
		noLogState(m, "MTLCommandQueue", d.logState)
		m.ReturnID(objc.Autorelease(newCommandBuffer(self, *d)))
	},
}
