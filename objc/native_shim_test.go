//go:build linux && objcnative

package objc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// These tests run the native path against GCC's Objective-C runtime. They need GCC's Objective-C compiler:
//
//	apt-get install gobjc libobjc-12-dev
//	go test -tags objcnative ./objc
//
// and for the other architecture also gobjc-aarch64-linux-gnu, libobjc4-arm64-cross, libc6-dev-arm64-cross and qemu-user:
//
//	GOARCH=arm64 go test -tags objcnative -exec "qemu-aarch64 -L /usr/aarch64-linux-gnu" ./objc
//
// Without the compiler they are skipped, or fail if PUREMETAL_REQUIRE_NATIVE=1.

var shimErr error

func TestMain(m *testing.M) {
	if os.Getenv("PUREMETAL_OBJC_SHIM") == "" {
		dir, err := os.MkdirTemp("", "objcshim")
		if err == nil {
			err = buildShim(filepath.Join(dir, "shim.so"))
		}
		shimErr = err
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func buildShim(to string) error {
	compiler := "gcc"
	if runtime.GOARCH == "arm64" {
		// Also where an emulator runs this process: what it executes runs on the real machine.
		if path, err := exec.LookPath("aarch64-linux-gnu-gcc"); err == nil {
			compiler = path
		}
	}
	cmd := exec.Command(compiler, "-std=gnu11", "-O2", "-fPIC", "-shared", "-w", "-o", to,
		"testdata/shim/shim.m", "testdata/shim/msgsend_"+runtime.GOARCH+".S", "-lobjc", "-lpthread")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %v\n%s", cmd, err, out)
	}
	return os.Setenv("PUREMETAL_OBJC_SHIM", to)
}

// shim is the loaded stand-in.
type shim struct {
	*libobjc
	words, count, clear, live, unpooled, callLater, dispatches uintptr
}

var loaded *shim

// loadShim gives the stand-in, or skips or fails the test.
func loadShim(t testing.TB) *shim {
	t.Helper()
	err := shimErr
	if err == nil {
		_, err = Native()
	}
	if err != nil {
		if os.Getenv("PUREMETAL_REQUIRE_NATIVE") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no Objective-C compiler (set PUREMETAL_REQUIRE_NATIVE=1 to fail): %v", err)
	}
	if loaded == nil {
		l := native.Load()
		loaded = &shim{l, l.symbol("shim_words"), l.symbol("shim_count"), l.symbol("shim_clear"), l.symbol("shim_live"),
			l.symbol("shim_unpooled"), l.symbol("shim_call_later"), l.symbol("shim_dispatches")}
		purego.SyscallN(l.symbol("shim_start"))
	}
	return loaded
}

// received gives the words that the last methods wrote down and forgets them.
func (s *shim) received() []uintptr {
	n, _, _ := purego.SyscallN(s.count)
	p, _, _ := purego.SyscallN(s.words)
	got := append([]uintptr(nil), unsafe.Slice((*uintptr)(pointer(p)), n)...)
	purego.SyscallN(s.clear)
	return got
}

func (s *shim) liveObjects() int     { n, _, _ := purego.SyscallN(s.live); return int(n) }
func (s *shim) unpooledObjects() int { n, _, _ := purego.SyscallN(s.unpooled); return int(n) }

// balanced fails the test if it ends with other native objects than it began with.
func (s *shim) balanced(t *testing.T) {
	t.Helper()
	before, unpooled := s.liveObjects(), s.unpooledObjects()
	t.Cleanup(func() {
		if after := s.liveObjects(); after != before {
			t.Errorf("%d native objects before, %d after", before, after)
		}
		if n := s.unpooledObjects() - unpooled; n != 0 {
			t.Errorf("%d native objects autoreleased without a pool", n)
		}
	})
}

// newProbe makes a Probe that the test releases.
func (s *shim) newProbe(t testing.TB) ID {
	t.Helper()
	id := SendID(s.class("Probe"), selNew)
	if id == 0 {
		t.Fatal("no Probe")
	}
	t.Cleanup(func() { Release(id) })
	return id
}
