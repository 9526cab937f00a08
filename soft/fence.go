package soft

import "github.com/puremetal/puremetal/objc"

// fence is the state of an MTLFence. The encoders of a queue run one after the other, so that a wait for what an earlier
// encoder updates has nothing left to wait for: what remains are the rules of its use.
type fence struct{ label }

var fenceClass *objc.Class

func init() {
	fenceClass = objc.Software().Register(objc.ClassDef{Name: "SoftwareMTLFence", Instance: withLabel(nil)})
}

func newFence(_ *objc.Object, m *objc.Msg) { m.ReturnID(objc.NewObject(fenceClass, new(fence))) }

// fenceMethods are those of the encoders that know fences.
var fenceMethods = map[objc.SEL]objc.Method{
	selUpdateFence: func(self *objc.Object, m *objc.Msg) {
		e := self.State.(encoding).common()
		e.updated = append(e.updated, e.fenceAt(m))
	},
	selWaitForFence: func(self *objc.Object, m *objc.Msg) {
		e := self.State.(encoding).common()
		f := e.fenceAt(m)
		for _, u := range e.updated {
			if u == f {
				assertion(m, e.class, "wait for a fence that this encoder has updated")
			}
		}
	},
}

func (e *encoder) fenceAt(m *objc.Msg) *fence {
	e.usable(m)
	id := m.ArgID(0)
	f := stateOf[*fence](m, e.class, id)
	if e.buffer.retains(id) {
		objc.Retain(id)
	}
	return f
}
