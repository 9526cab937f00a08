package soft

import "github.com/puremetal/puremetal/objc"

// queueDescriptor is the state of an MTLCommandQueueDescriptor.
type queueDescriptor struct {
	maxCommandBuffers uintptr
	logState          objc.ID // owned
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLCommandQueueDescriptor",
		Instance: withMethods(map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(queueDescriptor)
				m.ReturnID(self.ID)
			},
		},
			word(selMaxCommandBufferCount, selSetMaxCommandBufferCount, func(d *queueDescriptor) *uintptr { return &d.maxCommandBuffers }),
			object(selLogState, selSetLogState, func(d *queueDescriptor) *objc.ID { return &d.logState }),
		),
		Dealloc: func(self *objc.Object) { objc.Release(self.State.(*queueDescriptor).logState) },
	})
}

// object gives the methods of a property that owns an object.
func object[T any](get, set objc.SEL, field func(*T) *objc.ID) map[objc.SEL]objc.Method {
	return map[objc.SEL]objc.Method{
		get: func(self *objc.Object, m *objc.Msg) { m.ReturnID(*field(self.State.(*T))) },
		set: func(self *objc.Object, m *objc.Msg) {
			old := *field(self.State.(*T))
			*field(self.State.(*T)) = objc.Retain(m.ArgID(0))
			objc.Release(old)
		},
	}
}

// noLogState stops the program if a descriptor has a log state: this device's compiler does not know logging, so it makes none.
func noLogState(m *objc.Msg, class string, logState objc.ID) {
	if logState != 0 {
		assertion(m, class, "logState: the software device has no shader logging")
	}
}

// loaderMethods are those of the device that make queues of a size, and what loads from files.
var loaderMethods = map[objc.SEL]objc.Method{
	selNewIOCommandQueue: newIOCommandQueue,
	selNewIOHandle:       newIOFileHandle,
	selNewIOFileHandle:   newIOFileHandle,
	selNewCommandQueueWithMax: func(_ *objc.Object, m *objc.Msg) {
		if m.Arg(0) == 0 {
			assertion(m, "MTLDevice", "maxCommandBufferCount must not be 0")
		}
		m.ReturnID(objc.NewObject(queueClass, &queue{slots: newSlots(m.Arg(0))}))
	},
	selNewCommandQueueWithSettings: func(_ *objc.Object, m *objc.Msg) {
		d := stateOf[*queueDescriptor](m, "MTLDevice", m.ArgID(0))
		noLogState(m, "MTLDevice", d.logState)
		m.ReturnID(objc.NewObject(queueClass, &queue{slots: newSlots(d.maxCommandBuffers)}))
	},
}
