package objc

import (
	"errors"
	"maps"
	"math"
	"sync"
	"testing"
)

var (
	selThing    = Sel("setThing:offset:atIndex:", "v@:@QQ")
	selSum      = Sel("sum", "Q@:")
	selMissing  = Sel("notThere:", "v@:@")
	selSize     = Sel("size", "{?=QQQ}@:")
	selTime     = Sel("time", "d@:")
	selFail     = Sel("failWithError:", "@@:^@")
	selTwoSizes = Sel("dispatch:threads:", "v@:{?=QQQ}{?=QQQ}")
)

type thing struct{ sum uintptr }

// newClass registers a class for the duration of a test.
func newClass(t testing.TB, def ClassDef) *Class {
	c := Software().Register(def)
	t.Cleanup(func() { Software().Unregister(c) })
	return c
}

var thingClass = sync.OnceValue(func() *Class {
	return Software().Register(ClassDef{
		Name: "Thing",
		Instance: map[SEL]Method{
			selThing: func(self *Object, m *Msg) { self.State.(*thing).sum += m.Arg(0) + 10*m.Arg(1) + 100*m.Arg(2) },
			selSum:   func(self *Object, m *Msg) { m.Return(self.State.(*thing).sum) },
			selSize:  func(_ *Object, m *Msg) { m.ReturnStruct(3, 5, 7) },
			selTime:  func(_ *Object, m *Msg) { m.ReturnFloat64(2.5) },
			selFail:  func(_ *Object, m *Msg) { m.StoreID(0, Autorelease(NewError("ThingDomain", -7, "no such thing"))) },
			selTwoSizes: func(self *Object, m *Msg) {
				s := self.State.(*thing)
				for i := range 6 {
					s.sum = s.sum*10 + m.Arg(i)
				}
			},
		},
	})
})

// balanced fails the test if it ends with other software objects than it began with.
func balanced(t *testing.T) {
	t.Helper()
	before, leaks := LiveSoftwareObjectsByClass(), AutoreleaseLeaks()
	t.Cleanup(func() {
		if after := LiveSoftwareObjectsByClass(); !maps.Equal(before, after) {
			t.Errorf("live objects: %v before, %v after", before, after)
		}
		if n := AutoreleaseLeaks() - leaks; n != 0 {
			t.Errorf("%d objects autoreleased without a pool", n)
		}
	})
}

// mustPanic runs f and gives what it panicked with.
func mustPanic[E error](t *testing.T, f func()) (got E) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		err, _ := r.(error)
		if !errors.As(err, &got) {
			t.Errorf("panicked with %v, want a %T", r, got)
		}
	}()
	f()
	return got
}

func TestMessagesReachTheirMethodWithTheirWords(t *testing.T) {
	balanced(t)
	s := new(thing)
	id := NewObject(thingClass(), s)
	defer Release(id)
	m := new(Msg)
	m.Send(id, selThing, 3, 4, 5)
	if got := m.Send(id, selSum); got != 543 {
		t.Errorf("sum is %d, want 543", got)
	}
	s.sum = 0
	m.Send(id, selTwoSizes, 1, 2, 3, 4, 5, 6)
	if s.sum != 123456 {
		t.Errorf("two structs arrived as %d, want 123456", s.sum)
	}
	m.Send(id, selSize)
	if got := m.Struct(); len(got) != 3 || got[0] != 3 || got[1] != 5 || got[2] != 7 {
		t.Errorf("size is %v, want [3 5 7]", got)
	}
	if m.Send(id, selTime); m.Float64() != 2.5 {
		t.Errorf("time is %v, want 2.5", m.Float64())
	}
	if got := SendFloat64(id, selTime); got != 2.5 {
		t.Errorf("SendFloat64 is %v, want 2.5", got)
	}
	m.Send(0, selSize)
	if got := m.Struct(); got[0]|got[1]|got[2] != 0 {
		t.Errorf("a message to nil left %v", got)
	}
}

func TestSendDoesNotAllocate(t *testing.T) {
	if !poolsKeepRecords {
		t.Skip("under the race detector")
	}
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	m := new(Msg)
	payload := make([]byte, 4096)
	m.Bytes(payload)
	cases := map[string]func(){
		"Msg.Send": func() { m.Send(id, selThing, 1, 2, 3) },
		"structs":  func() { m.Send(id, selTwoSizes, 1, 2, 3, 4, 5, 6) },
		"Send":     func() { Send(id, selThing, 1, 2, 3) },
		"Bytes":    func() { m.Send(id, selThing, m.Bytes(payload), 2, 3) },
		"retain":   func() { Retain(id); Release(id) },
		"nil":      func() { m.Send(0, selThing, 1, 2, 3) },
	}
	for name, f := range cases {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestAnUnknownSelectorPanicsWithItsNames(t *testing.T) {
	balanced(t)
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	e := mustPanic[*UnrecognizedSelector](t, func() { Send(id, selMissing, 0) })
	if e != nil && (e.Class != "Thing" || e.Selector != "notThere:" || e.ClassMethod) {
		t.Errorf("panicked with %+v", e)
	}
	e = mustPanic[*UnrecognizedSelector](t, func() { Send(thingClass().ID(), selSum) })
	if e != nil && !e.ClassMethod {
		t.Errorf("panicked with %+v", e)
	}
	if Responds(id, selMissing) || !Responds(id, selSum) || !Responds(id, selRetain) {
		t.Error("Responds differs from what the class has")
	}
	if !SendBool(id, selResponds, uintptr(selSum)) || SendBool(id, selResponds, uintptr(selMissing)) {
		t.Error("respondsToSelector: differs from what the class has")
	}
}

func TestAWrongNumberOfWordsPanics(t *testing.T) {
	e := mustPanic[*WordsError](t, func() { Send(0, selThing, 1, 2) })
	if e != nil && (e.Wanted != 3 || e.Got != 2) {
		t.Errorf("panicked with %+v", e)
	}
}

func TestUseAfterReleasePanicsWithItsNames(t *testing.T) {
	balanced(t)
	id := NewObject(thingClass(), new(thing))
	Release(id)
	check := func(selector string, f func()) {
		e := mustPanic[*ReleasedObject](t, f)
		if e != nil && (e.Class != "Thing" || e.Selector != selector) {
			t.Errorf("panicked with %+v, want Thing %s", e, selector)
		}
	}
	check("sum", func() { Send(id, selSum) })
	check("retain", func() { Retain(id) })
	check("release", func() { Release(id) })
	check("autorelease", func() { Autorelease(id) })
	other := NewObject(thingClass(), new(thing)) // takes the slot
	defer Release(other)
	if other == id {
		t.Fatal("an id was given twice")
	}
	check("sum", func() { Send(id, selSum) })
}

func TestAllocInitNewAndClassTests(t *testing.T) {
	balanced(t)
	class := Software().Class("Thing")
	if class == 0 || class != thingClass().ID() || Software().Class("Nothing") != 0 {
		t.Fatal("Class does not find what is registered")
	}
	id := SendID(class, selNew)
	defer Release(id)
	if SendID(id, selClass) != class || SendID(class, selSuperclass) != Software().Class("NSObject") {
		t.Error("class and superclass are wrong")
	}
	for name, want := range map[string]bool{"Thing": true, "NSObject": true, "NSString": false} {
		if got := SendBool(id, selIsKindOf, uintptr(Software().Class(name))); got != want {
			t.Errorf("isKindOfClass:%s is %v", name, got)
		}
	}
	if Send(id, selRetainCount) != 1 {
		t.Error("new does not return one reference")
	}
}

func TestDeallocRunsOnceFromSubclassToRoot(t *testing.T) {
	balanced(t)
	var order []string
	newClass(t, ClassDef{Name: "DeallocBase", Dealloc: func(*Object) { order = append(order, "base") }})
	sub := newClass(t, ClassDef{Name: "DeallocSub", Super: "DeallocBase", Dealloc: func(*Object) { order = append(order, "sub") }})
	id := NewObject(sub, nil)
	Retain(id)
	Release(id)
	if len(order) != 0 {
		t.Fatal("deallocated with a reference left")
	}
	Release(id)
	if len(order) != 2 || order[0] != "sub" || order[1] != "base" {
		t.Errorf("dealloc order %v, want sub, base", order)
	}
}

func TestConcurrentRetainAndReleaseKeepTheCount(t *testing.T) {
	balanced(t)
	id := NewObject(thingClass(), new(thing))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				Retain(id)
				Release(NewObject(thingClass(), nil))
				Send(id, selHash)
				Release(id)
			}
		})
	}
	wg.Wait()
	if n := Send(id, selRetainCount); n != 1 {
		t.Errorf("retain count %d, want 1", n)
	}
	Release(id)
}

func TestSoftwareIDsAreNoPointers(t *testing.T) {
	id := NewObject(thingClass(), nil)
	defer Release(id)
	for _, p := range []uintptr{1, 1 << 46, 1<<47 | 1<<16, 1<<56 | 16, math.MaxUint64, 1 << 63, 1<<63 | 1<<61,
		1<<62 | 1, 1<<62 | 1<<40 | 7, 1<<63 | 1<<62, 1<<62 | 1<<61} {
		if isSoftware(ID(p)) || ObjectOf(ID(p)) != nil {
			t.Errorf("%#x passes for a software id", p)
		}
	}
	if !isSoftware(id) || RuntimeOf(id) != Software() {
		t.Errorf("%#x is not a software id", id)
	}
	if RuntimeOf(0) != (Runtime{}) {
		t.Error("nil belongs to a runtime")
	}
}

var registerThings = sync.OnceFunc(func() {
	Software().RegisterFunc("ThingMake", "@QQ", func(m *Msg) { m.ReturnID(NewObject(thingClass(), &thing{m.Arg(0) * m.Arg(1)})) })
	Software().RegisterConstant("ThingErrorDomain", "org.things")
})

func TestFunctionsAndConstantsAreFoundByName(t *testing.T) {
	balanced(t)
	registerThings()
	f, err := Software().Func("ThingMake", "@QQ")
	if err != nil {
		t.Fatal(err)
	}
	id := ID(f.Call(6, 7))
	if Send(id, selSum) != 42 {
		t.Error("the function got other words")
	}
	Release(id)
	var missing *NotFoundError
	if _, err := Software().Func("ThingBreak", "@"); !errors.As(err, &missing) {
		t.Errorf("a missing function gives %v", err)
	}
	c, err := Software().Constant("ThingErrorDomain")
	if err != nil || GoString(c) != "org.things" {
		t.Errorf("constant is %q, %v", GoString(c), err)
	}
	Release(c) // an exported constant never goes away
	if GoString(c) != "org.things" {
		t.Error("a constant was released")
	}
	if _, err := Software().Constant("Nothing"); !errors.As(err, &missing) {
		t.Errorf("a missing constant gives %v", err)
	}
}

func TestErrorsComeThroughOutParameters(t *testing.T) {
	balanced(t)
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	m := new(Msg)
	var got *Error
	Software().Pool(func() {
		m.Send(id, selFail, m.Out(0))
		got = ErrorOf(m.OutID(0))
		m.Send(id, selFail, 0)
	})
	if got == nil || *got != (Error{"ThingDomain", -7, "no such thing"}) {
		t.Errorf("error is %+v", got)
	}
	if ErrorOf(0) != nil {
		t.Error("nil is an error")
	}
}

func TestBlocksCallTheirFunction(t *testing.T) {
	balanced(t)
	var got []ID
	b := Software().NewBlock(2, func(args []ID) { got = append(got, args...) })
	CallBlock(b, 8, 9)
	CallBlock(0, 8)
	if len(got) != 2 || got[0] != 8 || got[1] != 9 {
		t.Errorf("block got %v", got)
	}
	mustPanic[*WordsError](t, func() { CallBlock(b, 1) })
	Release(b)
	mustPanic[*ReleasedObject](t, func() { CallBlock(b, 1, 2) })
}

func BenchmarkSoftwareSend(b *testing.B) {
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	m := new(Msg)
	b.ReportAllocs()
	for b.Loop() {
		m.Send(id, selThing, 1, 2, 3)
	}
}
