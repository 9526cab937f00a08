package mtl

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/objc"
	_ "github.com/puremetal/puremetal/soft" // on macOS too, next to the GPU
)

// each runs f on every device of the machine, and fails if f leaves objects behind.
func each(t *testing.T, f func(t *testing.T, d *Device)) {
	t.Helper()
	before := LiveObjects()
	all, err := CopyAllDevices()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		t.Run(d.Name(), func(t *testing.T) { balanced(t, func() { f(t, d) }) })
		d.Release()
	}
	if n := LiveObjects(); n != before {
		t.Errorf("%d objects before, %d after", before, n)
	}
}

// wakeSoftware makes the software device, which lives on from its first use, so that no test counts it as its own.
func wakeSoftware() { appendDevices(nil, objc.Software())[0].Release() }

// balanced fails if f leaves objects behind.
func balanced(t *testing.T, f func()) {
	t.Helper()
	if objc.LiveSoftwareObjectsByClass()["SoftwareMTLDevice"] == 0 {
		wakeSoftware()
	}
	live, software, leaks := LiveObjects(), objc.LiveSoftwareObjectsByClass(), objc.AutoreleaseLeaks()
	f()
	if n := LiveObjects(); n != live {
		t.Errorf("%d objects before, %d after", live, n)
	}
	if after := objc.LiveSoftwareObjectsByClass(); !maps.Equal(software, after) {
		t.Errorf("software objects before: %v\nafter: %v", software, after)
	}
	if n := objc.AutoreleaseLeaks(); n != leaks {
		t.Errorf("%d objects were autoreleased without a pool", n-leaks)
	}
}

// must gives v, or ends the test.
func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newBuffer(t testing.TB, d *Device, n int) *Buffer {
	t.Helper()
	b := must(d.NewBuffer(n, StorageModeShared))(t)
	t.Cleanup(b.Release) // idempotent: tests that look at balance release themselves
	return b
}

// contentsOf gives the memory of a shared buffer.
func contentsOf[T Scalar](t testing.TB, b *Buffer) []T {
	t.Helper()
	return must(Contents[T](b))(t)
}

// refused fails unless err is an *ArgumentError for that argument.
func refused(t testing.TB, err error, op, arg string) {
	t.Helper()
	var e *ArgumentError
	if !errors.As(err, &e) {
		t.Errorf("%s: want an *ArgumentError for %s, got %v", op, arg, err)
		return
	}
	if e.Op != op || e.Argument != arg {
		t.Errorf("error is for %s of %s, want %s of %s: %v", e.Argument, e.Op, arg, op, err)
	}
	for _, part := range []string{e.Op, e.Argument, e.Wanted, e.Got} {
		if part == "" || !strings.Contains(err.Error(), part) {
			t.Errorf("error text %q lacks %q", err, part)
		}
	}
}
