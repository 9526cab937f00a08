package objc

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorsNameWhatTheyAreAbout(t *testing.T) {
	cases := []struct {
		err   error
		words []string
	}{
		{&UnrecognizedSelector{"Thing", "run:", false}, []string{"-[Thing run:]"}},
		{&UnrecognizedSelector{"Thing", "run:", true}, []string{"+[Thing run:]"}},
		{&ReleasedObject{"Thing", "run:"}, []string{"Thing", "run:", "released"}},
		{&WordsError{"run:", 3, 2}, []string{"run:", "3", "2"}},
		{&SelectorError{"run:", "twice"}, []string{"run:", "twice"}},
		{&EncodingError{"v@:z", 3, "unknown"}, []string{`"v@:z"`, "3", "unknown"}},
		{&RangeError{"NSArray", "objectAtIndex:", 7, 3}, []string{"NSArray", "objectAtIndex:", "7", "3"}},
		{&NotFoundError{"function", "MTLMake"}, []string{"function", "MTLMake"}},
		{&UnknownObject{0x1230}, []string{"0x1230"}},
		{&WrongThreadPool{12, 34}, []string{"12", "34"}},
		{&NilResult{5, "commandBuffer"}, []string{"5", "commandBuffer"}},
		{&ResultError{5, 2}, []string{"5", "2"}},
		{&ShapeError{"run:", "v@:I", "narrow"}, []string{"run:", `"v@:I"`, "narrow"}},
		{&Error{"MTLLibraryErrorDomain", 3, "no main"}, []string{"MTLLibraryErrorDomain", "3", "no main"}},
	}
	for _, c := range cases {
		for _, w := range c.words {
			if !strings.Contains(c.err.Error(), w) {
				t.Errorf("%T: %q does not say %s", c.err, c.err, w)
			}
		}
	}
}

func TestResultsAndArgumentsOfEveryKindComeThrough(t *testing.T) {
	balanced(t)
	selHalf, selNot := Sel("half:", "f@:f"), Sel("not:", "B@:B")
	selSpan, selSelf := Sel("span:", "{_NSRange=QQ}@:Q"), Sel("selectorIsRight", "B@:")
	class := newClass(t, ClassDef{Name: "Kinds", Instance: map[SEL]Method{
		selHalf: func(_ *Object, m *Msg) { m.ReturnFloat32(m.ArgFloat32(0) / 2) },
		selNot:  func(_ *Object, m *Msg) { m.ReturnBool(!m.ArgBool(0)) },
		selSpan: func(_ *Object, m *Msg) { m.ReturnStruct(m.Arg(0), 2*m.Arg(0)) },
		selSelf: func(_ *Object, m *Msg) { m.ReturnBool(m.Selector() == selSelf) },
	}})
	if class.Name() != "Kinds" || class.Super().Name() != "NSObject" {
		t.Errorf("class %s under %s", class.Name(), class.Super().Name())
	}
	id := NewObject(class, nil)
	defer Release(id)
	if LiveSoftwareObjects() < 1 {
		t.Error("no live objects")
	}
	m := new(Msg)
	if m.Send(id, selHalf, uintptr(0x40400000)); m.Float32() != 1.5 { // 3
		t.Errorf("half of 3 is %v", m.Float32())
	}
	if m.Send(id, selNot, 0x100); !m.Bool() { // only the low 8 bits count
		t.Error("not 0 is 0")
	}
	if m.Send(id, selSpan, 4); true {
		if a, b := m.Words(); a != 4 || b != 8 {
			t.Errorf("span is %d, %d", a, b)
		}
	}
	if got := SendStruct(id, selSpan, 5); got != [3]uintptr{5, 10, 0} {
		t.Errorf("SendStruct gave %v", got)
	}
	if !SendBool(id, selSelf) {
		t.Error("a method does not see its selector")
	}
}

func TestMisuseOfTheSoftwareRuntimePanics(t *testing.T) {
	panics := func(what string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s is let through", what)
			}
		}()
		f()
	}
	panics("a class registered twice", func() { Software().Register(ClassDef{Name: "NSString"}) })
	panics("an unknown superclass", func() { Software().Register(ClassDef{Name: "Orphan", Super: "Nobody"}) })
	panics("registering with no runtime", func() { Runtime{}.Register(ClassDef{Name: "Nowhere"}) })
	panics("a block of five arguments", func() { Software().NewBlock(5, nil) })
	panics("calling what is no block", func() { CallBlock(Software().Class("NSString"), 1) })
	var bad *EncodingError
	if _, err := Software().Func("F", "@z"); !errors.As(err, &bad) {
		t.Errorf("a bad encoding gives %v", err)
	}
}
