package objc

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

func TestPoolsReleaseWhatWasAutoreleasedInThem(t *testing.T) {
	balanced(t)
	var inner, outer ID
	Software().Pool(func() {
		outer = Autorelease(NewObject(thingClass(), nil))
		Software().Pool(func() { inner = Autorelease(NewObject(thingClass(), nil)) })
		mustPanic[*ReleasedObject](t, func() { Send(inner, selHash) })
		if Send(outer, selRetainCount) != 1 {
			t.Error("the inner pool took the outer pool's object")
		}
	})
	mustPanic[*ReleasedObject](t, func() { Send(outer, selHash) })
}

func TestAPoolIsDrainedWhenItsFunctionPanics(t *testing.T) {
	balanced(t)
	want := errors.New("boom")
	func() {
		defer func() {
			if r := recover(); r != want {
				t.Errorf("recovered %v, want %v", r, want)
			}
		}()
		Software().Pool(func() {
			Autorelease(NewObject(thingClass(), nil))
			software{}.push() // left behind: goes with the pool around it
			Autorelease(NewObject(thingClass(), nil))
			panic(want)
		})
	}()
	for thread, s := range pools.threads {
		if len(s.pools) != 0 {
			t.Errorf("thread %d still has pools", thread)
		}
	}
}

func TestAPanicInDeallocKeepsNoOtherObjectAlive(t *testing.T) {
	balanced(t)
	bad := newClass(t, ClassDef{Name: "BadDealloc", Dealloc: func(*Object) { panic(errors.New("dealloc")) }})
	mustPanic[error](t, func() {
		Software().Pool(func() {
			Autorelease(NewObject(thingClass(), nil))
			Autorelease(NewObject(bad, nil))
			Autorelease(NewObject(thingClass(), nil))
		})
	})
}

func TestPoppingOnAnotherThreadPanics(t *testing.T) {
	balanced(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	token := software{}.push()
	done := make(chan any)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer func() { done <- recover() }()
		software{}.pop(token)
	}()
	r := <-done
	if e, ok := r.(*WrongThreadPool); !ok || e.Pushed == e.Popped {
		t.Errorf("panicked with %v, want a *WrongThreadPool", r)
	}
	software{}.pop(token)
	defer func() {
		if recover() == nil {
			t.Error("a pool can be popped twice")
		}
	}()
	software{}.pop(token)
}

func TestAutoreleaseWithoutAPoolIsCounted(t *testing.T) {
	id := NewObject(thingClass(), nil)
	before := AutoreleaseLeaks()
	Autorelease(id)
	if n := AutoreleaseLeaks() - before; n != 1 {
		t.Errorf("%d leaks counted, want 1", n)
	}
	Release(id)
}

func TestEachGoroutineHasItsOwnPools(t *testing.T) {
	balanced(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				Software().Pool(func() {
					id := Autorelease(NewObject(thingClass(), nil))
					runtime.Gosched()
					Send(id, selHash)
				})
			}
		})
	}
	wg.Wait()
}

func BenchmarkSoftwarePool(b *testing.B) {
	id := NewObject(thingClass(), nil)
	defer Release(id)
	b.ReportAllocs()
	for b.Loop() {
		Software().Pool(func() { Autorelease(Retain(id)) })
	}
}

func TestGoroutinesThatShareAThreadAreNoRace(t *testing.T) {
	// More goroutines than threads, one after the other: each finds the stack that another one left. Under the race detector
	// this fails if the stack does not order them.
	for range 200 {
		done := make(chan struct{}, 4)
		for range 4 {
			go func() {
				Software().Pool(func() { Autorelease(newString("x")) })
				done <- struct{}{}
			}()
		}
		for range 4 {
			<-done
		}
	}
}
