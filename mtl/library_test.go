package mtl

import (
	"sync"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

// oldOptions is the class of compile options as before macOS 15; its state is the last fastMathEnabled.
var oldOptions = sync.OnceValue(func() *objc.Class {
	return objc.Software().Register(objc.ClassDef{
		Name: "FakeOldCompileOptions",
		Instance: map[objc.SEL]objc.Method{
			selSetFastMathEnabled: func(self *objc.Object, m *objc.Msg) { self.State = m.ArgBool(0) },
		},
	})
})

func TestMathModeIsSetByTheSelectorThatThereIs(t *testing.T) {
	balanced(t, func() {
		old := objc.NewObject(oldOptions(), nil)
		defer objc.Release(old)
		now := newObject(objc.Software(), "MTLCompileOptions")
		defer objc.Release(now)
		for mode, fast := range map[MathMode]bool{MathModeSafe: false, MathModeRelaxed: true, MathModeFast: true} {
			setMathMode(old, mode)
			if got := objc.ObjectOf(old).State; got != fast {
				t.Errorf("math mode %d: fast math is %v", mode, got)
			}
			setMathMode(now, mode)
			if got := MathMode(objc.Send(now, objc.Sel("mathMode", "q@:"))); got != mode {
				t.Errorf("math mode %d becomes %d", mode, got)
			}
		}
	})
}

// warner is the class of a device whose compiler has a warning for every text; its state is the device that compiles.
var warner = sync.OnceValue(func() *objc.Class {
	return objc.Software().Register(objc.ClassDef{
		Name: "FakeWarningDevice",
		Instance: map[objc.SEL]objc.Method{
			selNewLibraryWithSource: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.SendID(self.State.(objc.ID), selNewLibraryWithSource, m.Arg(0), m.Arg(1), 0))
				m.StoreID(2, objc.Autorelease(objc.NewError("MTLLibraryErrorDomain", 4, "program_source:1:7: warning: unused 'x'")))
			},
		},
	})
})

func TestAWarningIsNoFailure(t *testing.T) {
	balanced(t, func() {
		all := must(CopyAllDevices())(t)
		d := all[len(all)-1]
		w := &Device{runtime: objc.Software()}
		own(w, &w.handle, objc.NewObject(warner(), d.object()), drop)
		l, err := w.NewLibraryWithSource("kernel void k() {}", nil)
		if err != nil {
			t.Fatal(err)
		}
		if g := l.Warnings(); len(g) != 1 || g[0] != (Diagnostic{"program_source", 1, 7, SeverityWarning, "unused 'x'"}) {
			t.Errorf("warnings are %+v", g)
		}
		l.Release()
		w.Release()
		for _, d := range all {
			d.Release()
		}
	})
}
