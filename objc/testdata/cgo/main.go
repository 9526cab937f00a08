// Command cgo tells what messages cost that are sent by cgo, one call each, beside a loop in C that sends the same ones: 16 dispatches
// of four messages, as BenchmarkDispatches of package objc sends them. It runs in its own directory, which is where it finds the shim.
package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>

typedef struct { uint64_t w, h, d; } Size;
typedef struct { uint64_t at, n; } Range;
static void *msgSend, *dispatches, *encoder, *sel[4];

static int load(const char *path) {
	void *h = dlopen(path, RTLD_NOW);
	if (!h) return 0;
	void *(*reg)(const char *) = dlsym(h, "sel_registerName"), *(*class)(const char *) = dlsym(h, "objc_getClass");
	((void (*)(void))dlsym(h, "shim_start"))();
	msgSend = dlsym(h, "objc_msgSend");
	dispatches = dlsym(h, "shim_dispatches");
	sel[0] = reg("setComputePipelineState:");
	sel[1] = reg("setBuffers:offsets:withRange:");
	sel[2] = reg("setBytes:length:atIndex:");
	sel[3] = reg("dispatch:threads:");
	encoder = ((void *(*)(void *, void *))msgSend)(class("Encoder"), reg("new"));
	return encoder != 0;
}
static void setPipeline(void) { ((void (*)(void *, void *, void *))msgSend)(encoder, sel[0], encoder); }
static void setBuffers(void *b, void *o, uint64_t at, uint64_t n) {
	((void (*)(void *, void *, void *, void *, Range))msgSend)(encoder, sel[1], b, o, (Range){at, n});
}
static void setBytes(void *p, uint64_t n, uint64_t i) { ((void (*)(void *, void *, void *, uint64_t, uint64_t))msgSend)(encoder, sel[2], p, n, i); }
static void dispatch(Size a, Size b) { ((void (*)(void *, void *, Size, Size))msgSend)(encoder, sel[3], a, b); }
static void loop(int64_t n, void *b, void *o, void *p) {
	((void (*)(void *, int64_t, void *, void *, void *))dispatches)(encoder, n, b, o, p);
}
*/
import "C"

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
	"unsafe"
)

func main() {
	dir, err := os.MkdirTemp("", "shim")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	shim := filepath.Join(dir, "shim.so")
	cmd := exec.Command("gcc", "-std=gnu11", "-O2", "-fPIC", "-shared", "-w", "-o", shim,
		"../shim/shim.m", "../shim/msgsend_"+runtime.GOARCH+".S", "-lobjc", "-lpthread")
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("%v: %s", err, out)
	}
	if C.load(C.CString(shim)) == 0 {
		log.Fatal("the shim does not load")
	}
	ids, offsets, params := make([]uintptr, 6), make([]uintptr, 6), make([]byte, 64)
	b, o, p := unsafe.Pointer(&ids[0]), unsafe.Pointer(&offsets[0]), unsafe.Pointer(&params[0])
	const n, more = 16, 64
	inC, byCgo := best(more, func() { C.loop(n*more, b, o, p) }), best(1, func() {
		for range n {
			C.setPipeline()
			C.setBuffers(b, o, 0, 6)
			C.setBytes(p, 64, 6)
			C.dispatch(C.Size{8, 8, 1}, C.Size{32, 4, 1})
		}
	})
	fmt.Printf("C: %v, cgo: %v for %d dispatches, %.2f times C\n", inC, byCgo, n, float64(byCgo)/float64(inC))
}

// best is the shortest time of f divided by times.
func best(times time.Duration, f func()) time.Duration {
	least := time.Duration(0)
	for range 300 {
		start := time.Now()
		for range 64 / times {
			f()
		}
		if d := time.Since(start) / 64; least == 0 || d < least {
			least = d
		}
	}
	return least
}
