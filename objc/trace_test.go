package objc

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTraceTellsWhatWasSentByWhomAndWhoOwnsTheResult(t *testing.T) {
	var seen []Delivery
	restore := SetTrace(&Trace{Sent: func(d Delivery) { seen = append(seen, d) }})
	defer restore()
	Software().Pool(func() {
		m := new(Msg)
		s := m.Send(stringClass.ID(), selStringWithUTF8, m.Bytes([]byte("four\x00")))
		m.Send(ID(s), selLength)
		m.Send(ID(s), selCopy)
		Release(ID(s)) // the copy's reference
		Release(ID(m.Send(ID(m.Send(stringClass.ID(), selAlloc)), selInit)))
	})
	want := []struct {
		selector string
		toClass  bool
		owes     int
	}{{"stringWithUTF8String:", true, 0}, {"length", false, 0}, {"copy", false, 1}, {"alloc", true, 1}, {"init", false, 0}}
	if len(seen) != len(want) {
		t.Fatalf("%d messages, want %d", len(seen), len(want))
	}
	for i, w := range want {
		d := seen[i]
		if d.Selector.Name() != w.selector || d.ToClass != w.toClass || d.Owes != w.owes || d.Class != stringClass || len(d.Words) != d.Selector.Args() {
			t.Errorf("message %d: %+v (%s), want %+v", i, d, d.Selector.Name(), w)
		}
		if !strings.HasPrefix(d.Sender, "testing.") && d.Sender != "runtime.goexit" { // this test is of the package left out
			t.Errorf("sent by %s", d.Sender)
		}
	}
	if seen[1].Result[0] != 4 {
		t.Errorf("length %d", seen[1].Result[0])
	}
}

func TestTraceHidesSelectorsAndClasses(t *testing.T) {
	defer SetTrace(&Trace{
		Hide:      func(c *Class, sel SEL) bool { return c == stringClass && sel == selLength },
		HideClass: func(name string) bool { return name == "NSData" },
	})()
	s := Software().NewString("x")
	defer Release(s)
	if Responds(s, selLength) || SendBool(s, selResponds, uintptr(selLength)) {
		t.Error("responds to a selector that is hidden")
	}
	if !Responds(s, selUTF8String) {
		t.Error("another selector is hidden too")
	}
	if Software().Class("NSData") != 0 || Software().Class("NSString") == 0 {
		t.Error("wrong classes are hidden")
	}
	defer func() {
		var e *UnrecognizedSelector
		if err, _ := recover().(error); !errors.As(err, &e) {
			t.Errorf("panic with %v, want an *UnrecognizedSelector", err)
		}
	}()
	Send(s, selLength)
}

func TestClassesTellTheirSelectors(t *testing.T) {
	instance, class := Classes()["NSString"].Selectors()
	if !slices.Contains(instance, selUTF8String) || !slices.Contains(instance, selRetain) || slices.Contains(instance, selStringWithUTF8) ||
		!slices.Contains(class, selStringWithUTF8) {
		t.Errorf("instances answer %v, the class %v", instance, class)
	}
}
