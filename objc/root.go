package objc

import "fmt"

// The root of the software classes.

var (
	selAlloc       = Sel("alloc", "@@:")
	selInit        = Sel("init", "@@:")
	selNew         = Sel("new", "@@:")
	selAutorelease = Sel("autorelease", "@@:")
	selRetainCount = Sel("retainCount", "Q@:")
	selIsKindOf    = Sel("isKindOfClass:", "B@:#")
	selClass       = Sel("class", "#@:")
	selSuperclass  = Sel("superclass", "#@:")
	selHash        = Sel("hash", "Q@:")
	selIsEqual     = Sel("isEqual:", "B@:@")
	selDescription = Sel("description", "@@:")
	selCopy        = Sel("copy", "@@:")
)

var rootClass *Class

func init() {
	registerRoot()
	blockClass = register(ClassDef{Name: "NSBlock", Instance: map[SEL]Method{selCopy: copySelf}}, rootClass)
	registerString()
	registerCollections()
	registerNumber()
	registerValues()
}

// copySelf is copy for objects that do not change.
func copySelf(self *Object, m *Msg) {
	self.retain("copy")
	m.ReturnID(self.ID)
}

func registerRoot() {
	rootClass = register(ClassDef{
		Name: "NSObject",
		Instance: map[SEL]Method{
			selInit:        func(self *Object, m *Msg) { m.ReturnID(self.ID) },
			selRetain:      func(self *Object, m *Msg) { self.retain("retain"); m.ReturnID(self.ID) },
			selRelease:     func(self *Object, _ *Msg) { self.release() },
			selAutorelease: func(self *Object, m *Msg) { m.ReturnID(Autorelease(self.ID)) },
			selRetainCount: func(self *Object, m *Msg) { m.Return(uintptr(max(self.refs.Load(), 0))) },
			selResponds:    func(self *Object, m *Msg) { m.ReturnBool(tracing.Load().find(self, SEL(m.Arg(0))) != nil) },
			selIsKindOf: func(self *Object, m *Msg) {
				other := ObjectOf(m.ArgID(0))
				m.ReturnBool(other != nil && other.isClass && !self.isClass && self.Class.IsSubclassOf(other.Class))
			},
			selClass: func(self *Object, m *Msg) { m.ReturnID(self.Class.ID()) },
			selSuperclass: func(self *Object, m *Msg) {
				if super := self.Class.super; super != nil {
					m.ReturnID(super.ID())
				}
			},
			selHash:    func(self *Object, m *Msg) { m.Return(uintptr(self.ID)) },
			selIsEqual: func(self *Object, m *Msg) { m.ReturnBool(self.ID == m.ArgID(0)) },
			selDescription: func(self *Object, m *Msg) {
				m.ReturnID(Autorelease(newString(fmt.Sprintf("<%s: %#x>", self.Class.name, uintptr(self.ID)))))
			},
		},
		Class: map[SEL]Method{
			selAlloc: func(self *Object, m *Msg) { m.ReturnID(NewObject(self.Class, nil)) },
			selNew:   func(self *Object, m *Msg) { m.ReturnID(SendID(SendID(self.ID, selAlloc), selInit)) },
		},
	}, nil)
}
