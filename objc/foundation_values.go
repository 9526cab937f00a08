package objc

import "unsafe"

var (
	selErrorWithDomain = Sel("errorWithDomain:code:userInfo:", "@@:@q@")
	selFileURLWithPath = Sel("fileURLWithPath:", "@@:@")
	selPath            = Sel("path", "@@:")
	selDataWithBytes   = Sel("dataWithBytes:length:", "@@:r^vQ")
	selBytes           = Sel("bytes", "r^v@:")
)

var errorClass, urlClass, dataClass *Class

// errorState is the state of a software NSError; it owns a reference to each of its objects.
type errorState struct {
	domain, description, userInfo ID
	code                          int
}

// NewError makes a software NSError, which the caller owns. Its userInfo holds the description under
// NSLocalizedDescription.
func NewError(domain string, code int, description string) ID {
	s := &errorState{domain: newString(domain), description: newString(description), code: code}
	name := newString(descriptionKey)
	s.userInfo = NewDictionary([]ID{name}, []ID{s.description})
	Release(name)
	return NewObject(errorClass, s)
}

// descriptionKey is the value of NSLocalizedDescriptionKey.
const descriptionKey = "NSLocalizedDescription"

// NewData makes a software NSData with a copy of b, which the caller owns.
func NewData(b []byte) ID { return NewObject(dataClass, append([]byte(nil), b...)) }

func registerValues() {
	errorOf := func(self *Object) *errorState {
		if s, ok := self.State.(*errorState); ok {
			return s
		}
		return &errorState{}
	}
	errorClass = register(ClassDef{
		Name: "NSError",
		Class: map[SEL]Method{
			selErrorWithDomain: func(_ *Object, m *Msg) {
				s := &errorState{domain: Retain(m.ArgID(0)), code: int(m.Arg(1)), userInfo: Retain(m.ArgID(2))}
				if s.userInfo != 0 {
					name := newString(descriptionKey)
					s.description = Retain(SendID(s.userInfo, selObjectForKey, uintptr(name)))
					Release(name)
				}
				m.ReturnID(Autorelease(NewObject(errorClass, s)))
			},
		},
		Instance: map[SEL]Method{
			selDomain:               func(self *Object, m *Msg) { m.ReturnID(errorOf(self).domain) },
			selCode:                 func(self *Object, m *Msg) { m.Return(uintptr(errorOf(self).code)) },
			selUserInfo:             func(self *Object, m *Msg) { m.ReturnID(errorOf(self).userInfo) },
			selLocalizedDescription: func(self *Object, m *Msg) { m.ReturnID(errorOf(self).description) },
			selDescription:          func(self *Object, m *Msg) { m.ReturnID(errorOf(self).description) },
			selCopy:                 copySelf,
		},
		Dealloc: func(self *Object) {
			s := errorOf(self)
			releaseAll([]ID{s.domain, s.description, s.userInfo})
		},
	}, rootClass)

	urlClass = register(ClassDef{
		Name: "NSURL",
		Class: map[SEL]Method{
			selFileURLWithPath: func(_ *Object, m *Msg) {
				m.ReturnID(Autorelease(NewObject(urlClass, Retain(m.ArgID(0)))))
			},
		},
		Instance: map[SEL]Method{
			selPath: func(self *Object, m *Msg) { path, _ := self.State.(ID); m.ReturnID(path) },
			selCopy: copySelf,
		},
		Dealloc: func(self *Object) { path, _ := self.State.(ID); Release(path) },
	}, rootClass)

	dataClass = register(ClassDef{
		Name: "NSData",
		Class: map[SEL]Method{
			selDataWithBytes: func(_ *Object, m *Msg) {
				m.ReturnID(Autorelease(NewData(View(m.Arg(0), int(m.Arg(1))))))
			},
		},
		Instance: map[SEL]Method{
			selLength: func(self *Object, m *Msg) { b, _ := self.State.([]byte); m.Return(uintptr(len(b))) },
			selBytes: func(self *Object, m *Msg) {
				if b, _ := self.State.([]byte); len(b) > 0 {
					m.Return(uintptr(unsafe.Pointer(&b[0])))
				}
			},
			selCopy: copySelf,
		},
	}, rootClass)
}
