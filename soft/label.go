package soft

import (
	"maps"
	"slices"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// label is what setLabel: gave an object.
type label struct{ text atomic.Pointer[string] }

func (l *label) name() string {
	if s := l.text.Load(); s != nil {
		return *s
	}
	return ""
}

func (l *label) rename(s string) { l.text.Store(&s) }

type labelled interface {
	name() string
	rename(string)
}

func getLabel(self *objc.Object, m *objc.Msg) {
	if s := self.State.(labelled).name(); s != "" {
		m.ReturnID(objc.Autorelease(objc.Software().NewString(s)))
	}
}

func setLabel(self *objc.Object, m *objc.Msg) {
	self.State.(labelled).rename(objc.GoString(m.ArgID(0)))
}

func getDevice(_ *objc.Object, m *objc.Msg) { m.ReturnID(theDevice()) }

// withLabel adds label, setLabel: and device to the methods of a class whose state embeds a label.
func withLabel(methods ...map[objc.SEL]objc.Method) map[objc.SEL]objc.Method {
	return withMethods(append(methods, map[objc.SEL]objc.Method{selLabel: getLabel, selSetLabel: setLabel, selDevice: getDevice})...)
}

// withMethods joins the methods of a class; of two for one selector the first counts.
func withMethods(methods ...map[objc.SEL]objc.Method) map[objc.SEL]objc.Method {
	all := make(map[objc.SEL]objc.Method)
	for _, more := range slices.Backward(methods) {
		maps.Copy(all, more)
	}
	return all
}
