package objc

import (
	"unicode/utf16"
	"unsafe"
)

var (
	selStringWithUTF8  = Sel("stringWithUTF8String:", "@@:r*")
	selInitWithUTF8    = Sel("initWithUTF8String:", "@@:r*")
	selInitWithBytes   = Sel("initWithBytes:length:encoding:", "@@:r^vQQ")
	selUTF8String      = Sel("UTF8String", "r*@:")
	selLength          = Sel("length", "Q@:")
	selLengthOfBytes   = Sel("lengthOfBytesUsingEncoding:", "Q@:Q")
	selIsEqualToString = Sel("isEqualToString:", "B@:@")
)

// NSUTF8StringEncoding
const utf8Encoding = 4

var stringClass *Class

// text is the state of a software NSString: UTF-8 with a NUL after it, which UTF8String gives the address of.
type text []byte

func newText(s string) text {
	t := make(text, len(s)+1)
	copy(t, s)
	return t
}

// string views the text; it does not change while its object lives, nor after.
func (t text) string() string { return unsafe.String(&t[0], len(t)-1) }

func newString(s string) ID { return NewObject(stringClass, newText(s)) }

func (software) newString(s string) ID { return newString(s) }

// stringState gives the text of a software NSString, "" of one that has been allocated and not initialised.
func stringState(o *Object) string {
	if t, ok := o.State.(text); ok {
		return t.string()
	}
	return ""
}

// GoString copies an NSString; "" for nil. It panics with an [*UnrecognizedSelector] if the object is of another class.
func GoString(id ID) string {
	switch {
	case id == 0:
		return ""
	case isSoftware(id):
		o := liveObject(id, "UTF8String")
		if !o.Class.IsSubclassOf(stringClass) {
			panic(&UnrecognizedSelector{o.Class.name, "UTF8String", o.isClass})
		}
		return stringState(o) // bytes never change, so no copy is needed
	}
	n := int(Send(id, selLengthOfBytes, utf8Encoding))
	var s string
	RuntimeOf(id).Pool(func() {
		s = string(View(Send(id, selUTF8String), n))
	})
	return s
}

func registerString() {
	initialise := func(self *Object, m *Msg, s string) {
		self.State = newText(s)
		m.ReturnID(self.ID)
	}
	stringClass = register(ClassDef{
		Name: "NSString",
		Class: map[SEL]Method{
			selStringWithUTF8: func(_ *Object, m *Msg) { m.ReturnID(Autorelease(newString(CString(m.Arg(0))))) },
		},
		Instance: map[SEL]Method{
			selInitWithUTF8: func(self *Object, m *Msg) { initialise(self, m, CString(m.Arg(0))) },
			selInitWithBytes: func(self *Object, m *Msg) {
				if m.Arg(2) != utf8Encoding {
					self.release()
					return
				}
				initialise(self, m, string(View(m.Arg(0), int(m.Arg(1)))))
			},
			selInit:        func(self *Object, m *Msg) { initialise(self, m, "") },
			selUTF8String:  func(self *Object, m *Msg) { m.Return(uintptr(unsafe.Pointer(&self.State.(text)[0]))) },
			selLength:      func(self *Object, m *Msg) { m.Return(uintptr(utf16Length(stringState(self)))) },
			selDescription: func(self *Object, m *Msg) { m.ReturnID(self.ID) },
			selCopy:        copySelf,
			selLengthOfBytes: func(self *Object, m *Msg) {
				if m.Arg(0) == utf8Encoding {
					m.Return(uintptr(len(stringState(self))))
				}
			},
			selHash:            func(self *Object, m *Msg) { m.Return(hashString(stringState(self))) },
			selIsEqual:         func(self *Object, m *Msg) { m.ReturnBool(keyOf(self.ID) == keyOf(m.ArgID(0))) },
			selIsEqualToString: func(self *Object, m *Msg) { m.ReturnBool(keyOf(self.ID) == keyOf(m.ArgID(0))) },
		},
	}, rootClass)
}

// utf16Length is what NSString calls its length.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// hashString is FNV-1a.
func hashString(s string) uintptr {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return uintptr(h)
}
