package objc

import (
	"errors"
	"testing"
)

var (
	selChild  = Sel("child", "@@:")
	selNobody = Sel("nobody", "@@:")
	selAdd    = Sel("add:", "Q@:Q")
)

func newParent(t *testing.T) *Class {
	var class *Class
	class = newClass(t, ClassDef{
		Name: "Parent",
		Instance: map[SEL]Method{
			selChild:  func(_ *Object, m *Msg) { m.ReturnID(Autorelease(NewObject(class, new(thing)))) },
			selNobody: func(*Object, *Msg) {},
			selAdd: func(self *Object, m *Msg) {
				s := self.State.(*thing)
				s.sum += m.Arg(0)
				m.Return(s.sum)
			},
		},
	})
	return class
}

func TestABatchSendsInOrderWhenFlushed(t *testing.T) {
	balanced(t)
	class := newParent(t)
	s := new(thing)
	id := NewObject(class, s)
	defer Release(id)
	b := new(Batch)
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		Software().Pool(func() {
			b.Send(id, selAdd, 5)
			child := b.Send(id, selChild)
			grown := b.SendToResult(child, selAdd, 7)
			last := b.Send(id, selAdd, 6)
			if s.sum != uintptr(11*round) || b.Len() != 4 {
				t.Error("messages are sent before Flush")
			}
			mustPanic[*ResultError](t, func() { b.Result(grown) })
			if err := b.Flush(); err != nil {
				t.Fatal(err)
			}
			if b.Result(last) != uintptr(11*(round+1)) || b.Result(grown) != 7 || b.Len() != 0 {
				t.Errorf("results %d, %d", b.Result(last), b.Result(grown))
			}
		})
	}
	mustPanic[*ResultError](t, func() { b.SendToResult(0, selAdd, 1) })
	mustPanic[*WordsError](t, func() { b.Send(id, selAdd) })
}

func TestABatchStopsAtNilWhereAsked(t *testing.T) {
	balanced(t)
	s := new(thing)
	id := NewObject(newParent(t), s)
	defer Release(id)
	b := new(Batch)
	nobody := b.Send(id, selNobody) // not asked to stop
	b.SendToResult(nobody, selAdd, 9)
	b.Send(id, selAdd, 1)
	b.Send(id, selNobody)
	b.StopOnNil()
	b.Send(id, selAdd, 10)
	var stopped *NilResult
	if err := b.Flush(); !errors.As(err, &stopped) || stopped.Index != 3 || stopped.Selector != "nobody" {
		t.Errorf("Flush gave %v", err)
	}
	if s.sum != 1 || b.Result(4) != 0 {
		t.Errorf("sum %d, last result %d", s.sum, b.Result(4))
	}
}

func TestABatchKeepsAllPayloadsAndDoesNotAllocate(t *testing.T) {
	b := new(Batch)
	payload := make([]byte, 4096)
	var at []uintptr
	for i := range 20 {
		payload[0], payload[4095] = byte(i), byte(i+1)
		at = append(at, b.Bytes(payload))
	}
	large := make([]byte, 3*batchChunk)
	large[len(large)-1] = 77
	if p := b.Bytes(large); View(p, len(large))[len(large)-1] != 77 {
		t.Error("a large payload has changed")
	}
	for i, p := range at {
		if v := View(p, 4096); p%arenaAlign != 0 || v[0] != byte(i) || v[4095] != byte(i+1) {
			t.Errorf("payload %d at %#x has changed", i, p)
		}
	}
	b.Flush()
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	words := []uintptr{1, 2}
	if n := testing.AllocsPerRun(20, func() {
		for range 10 {
			b.Send(id, selThing, b.Bytes(payload), b.Uintptrs(words), 3)
		}
		b.Flush()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
