//go:build linux && objcnative

package objc

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ebitengine/purego"
)

var (
	selProbe          = Sel("probe", "@@:")
	selNewProbe       = Sel("newProbe", "@@:")
	selProbeWithError = Sel("probeWithError:", "@@:^@")
	selAddHandler     = Sel("addHandler:", "v@:@?")
	selUnknown        = Sel("thisIsNotThere", "v@:")
)

func TestNativePoolsOfEightGoroutinesLeaveNothing(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	probe := SendID(s.class("Probe"), selNew)
	defer Release(probe)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			m := new(Msg)
			for i := range 50 {
				r.Pool(func() {
					outer := ID(m.Send(probe, selProbe))
					r.Pool(func() { m.Send(probe, selProbe) })
					if i%10 == 0 {
						time.Sleep(time.Microsecond) // give the thread away
					}
					if m.Send(outer, selRetainCount) != 1 {
						t.Error("the outer pool's object is gone")
					}
				})
			}
		})
	}
	wg.Wait()
}

func TestWhatLeavesAPoolIsRetained(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	probe := SendID(s.class("Probe"), selNew)
	defer Release(probe)
	before := s.liveObjects()
	var kept, made ID
	r.Pool(func() {
		kept = Retain(SendID(probe, selProbe))
		SendID(probe, selProbe)
		made = SendID(probe, selNewProbe)
		if n := s.liveObjects() - before; n != 3 {
			t.Errorf("%d objects in the pool, want 3", n)
		}
	})
	if n := s.liveObjects() - before; n != 2 {
		t.Errorf("%d objects after the pool, want the retained one and the new one", n)
	}
	if Send(kept, selRetainCount) != 1 || Send(made, selRetainCount) != 1 {
		t.Error("the objects have more than our references")
	}
	Release(kept)
	Release(made)
}

func TestANativePoolIsDrainedWhenItsFunctionPanics(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	mustPanic[*WordsError](t, func() {
		r.Pool(func() {
			SendID(SendID(s.class("Probe"), selNew), Sel("autorelease", "@@:"))
			Send(1, selNew, 2, 3)
		})
	})
}

func TestAnErrorOutlivesItsPool(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	probe := SendID(s.class("Probe"), selNew)
	defer Release(probe)
	m := new(Msg)
	var e *Error
	r.Pool(func() {
		if m.Send(probe, selProbeWithError, m.Out(0)) != 0 {
			t.Error("a failure has a result")
		}
		e = ErrorOf(m.OutID(0))
		m.Send(probe, selProbeWithError, 0)
	})
	var kept ID
	r.Pool(func() {
		m.Send(probe, selProbeWithError, m.Out(0))
		kept = Retain(m.OutID(0))
	})
	if again := ErrorOf(kept); *again != *e { // with no pool around it
		t.Errorf("error is %+v", again)
	}
	Release(kept)
	// The shim has overwritten the NSError and its strings by now.
	if e == nil || *e != (Error{"ProbeErrorDomain", -42, "no such probe"}) {
		t.Errorf("error is %+v", e)
	}
}

func TestNativeStringsKeepTheirText(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	for _, text := range []string{"", "matmul", "naïve 𝄞", "a\x00b", strings.Repeat("kernel void f() {}\n", 5000)} {
		id := r.NewString(text)
		if got := GoString(id); got != text {
			t.Errorf("%d bytes come back as %d", len(text), len(got))
		}
		Release(id)
	}
}

func TestNativeObjectsAnswerForTheirSelectors(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	if !Responds(probe, selProbe) || Responds(probe, selUnknown) {
		t.Error("Responds differs from what the class has")
	}
}

func TestBlocksAreCalledFromForeignThreadsAndDisposedOf(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	probe := SendID(s.class("Probe"), selNew)
	defer Release(probe)
	const n = 50
	var calls atomic.Int64
	done := make(chan bool, n)
	for i := range n {
		block := r.NewBlock(i%2+2, func(args []ID) {
			if args[0] != 0x11 || args[1] != 0x22 || len(args) == 3 && args[2] != 0x33 {
				t.Errorf("the block got %#x", args)
			}
			calls.Add(1)
			done <- true
		})
		if i%2 == 0 {
			Send(probe, selAddHandler, uintptr(block)) // calls from a thread of its own
		} else {
			purego.SyscallN(s.callLater, uintptr(block), 1)
		}
		Release(block)
	}
	for range n {
		<-done
	}
	// The foreign threads dispose of their blocks after the calls.
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		blocks.mu.Lock()
		left := len(blocks.byID)
		blocks.mu.Unlock()
		if left == 0 || time.Now().After(deadline) {
			if left != 0 || calls.Load() != n {
				t.Errorf("%d calls, %d blocks left", calls.Load(), left)
			}
			break
		}
	}
	time.Sleep(10 * time.Millisecond) // what follows dispose in the shim
}

func TestGarbageCollectionLeavesMessagesInFlightAlone(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer close(stop)
	var payload [24]byte
	for i := range 300 {
		m := new(Msg)
		for j := range payload {
			payload[j] = byte(i + j)
		}
		m.Send(probe, selSetBytes, m.Bytes(payload[:]), 24, uintptr(i))
		got := s.received()
		if len(got) != 4 || got[3] != uintptr(i) || byte(got[0]) != byte(i) || byte(got[2]>>56) != byte(i+23) {
			t.Fatalf("message %d received %#x", i, got)
		}
	}
}

// A child process runs this test alone and dies in it.
func TestNativeDeaths(t *testing.T) {
	s := loadShim(t)
	deaths := map[string]struct {
		die  func()
		want []string
	}{
		"unrecognised selector": {func() { Send(SendID(s.class("Probe"), selNew), selUnknown) }, []string{"-[Probe thisIsNotThere]", "SIGABRT"}},
		"pool popped on another thread": {func() {
			runtime.LockOSThread()
			token := s.push()
			done := make(chan bool)
			go func() {
				runtime.LockOSThread()
				s.pop(token)
				close(done)
			}()
			<-done
		}, []string{"popped on the wrong thread", "SIGABRT"}},
	}
	if name := os.Getenv("OBJC_TEST_DEATH"); name != "" {
		defer func() { recover() }() // shows that none of these is a panic
		deaths[name].die()
		os.Exit(0)
	}
	for name, d := range deaths {
		out, err := runChild("TestNativeDeaths", "OBJC_TEST_DEATH="+name)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%s: child ended with %v, want exit code 2\n%s", name, err, out)
		}
		for _, want := range d.want {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s: the child's last words lack %q:\n%s", name, want, out)
			}
		}
	}
}

// runChild runs one test in another process, by the emulator if this process runs in one.
func runChild(test, env string) ([]byte, error) {
	run := func(argv ...string) ([]byte, error) {
		cmd := exec.Command(argv[0], append(argv[1:], "-test.run=^"+test+"$")...)
		cmd.Env = append(os.Environ(), env)
		return cmd.CombinedOutput()
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	out, err := run(self)
	if errors.Is(err, syscall.ENOEXEC) {
		return run("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", self)
	}
	return out, err
}
