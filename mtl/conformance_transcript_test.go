package mtl

import (
	"context"
	"errors"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
	"github.com/puremetal/puremetal/objc"
)

var update = flag.Bool("update", false, "write testdata/transcript.txt anew")

// scenario is a use of mtl. It releases what it makes.
type scenario struct {
	name string
	run  func(t *testing.T, d *Device) error
}

// scenarios between them send every message that mtl can send.
var scenarios = []scenario{
	{"device", func(_ *testing.T, d *Device) error {
		wakeSoftware()
		d.SupportsFamily(GPUFamilyMetal3)
		d.CurrentAllocatedSize()
		return nil
	}},
	{"buffers", func(t *testing.T, d *Device) error {
		b := must(d.NewBuffer(48, StorageModePrivate|HazardTrackingModeUntracked))(t)
		b.SetLabel("weights")
		b.GPUAddress()
		b.Release()
		must(d.NewBufferWithBytes([]byte("four"), StorageModeShared|CPUCacheModeWriteCombined))(t).Release()
		page := os.Getpagesize()
		backing := must(d.NewBuffer(page, StorageModeShared))(t)
		must(d.NewBufferWithBytesNoCopy(contentsOf[byte](t, backing), StorageModeShared, nil))(t).Release()
		backing.Release()
		return nil
	}},
	{"interop", func(t *testing.T, d *Device) error {
		b := must(d.NewBuffer(16, StorageModeShared))(t)
		defer b.Release()
		same := must(DeviceFromID(d.ID()))(t)
		defer same.Release()
		must(same.BufferFromID(b.ID()))(t).Release()
		return nil
	}},
	{"library", func(t *testing.T, d *Device) error {
		l, err := d.NewLibraryWithSource("kernel void k(device int *p [[buffer(0)]]) { p[0] = N; }",
			&CompileOptions{MathMode: MathModeFast, PreprocessorMacros: map[string]string{"N": "7"}})
		if err != nil {
			return err
		}
		l.SetLabel("library")
		f := must(l.NewFunction("k"))(t)
		f.SetLabel("function")
		f.Release()
		_, err = l.NewFunction("none")
		l.Release()
		var missing *FunctionNotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("a function that is not there: %v", err)
		}
		_, err = d.NewLibraryWithSource("kernel", nil)
		var failed *CompileError
		if !errors.As(err, &failed) {
			t.Errorf("text that does not compile: %v", err)
		}
		return nil
	}},
	{"constants", func(t *testing.T, d *Device) error {
		l := must(d.NewLibraryWithSource(`
constant int c [[function_constant(3)]];
constant bool b [[function_constant(5)]];
kernel void k(device int *p [[buffer(0)]]) { p[0] = b ? c : 0; }`, nil))(t)
		defer l.Release()
		must(l.NewFunction("k", ConstantInt32(3, -2), ConstantBool(5, true)))(t).Release()
		return nil
	}},
	{"compute", func(t *testing.T, d *Device) error {
		p := transcriptPipeline(t, d)
		defer p.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		q.SetLabel("queue")
		var bs [3]*Buffer
		for i := range bs {
			bs[i] = must(d.NewBuffer(256, StorageModeShared))(t)
			defer bs[i].Release()
		}
		return q.RunConcurrent(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetLabel("encoder")
			e.PushDebugGroup("group")
			e.SetComputePipelineState(p)
			e.SetBuffer(bs[0], 16, 0)
			e.SetBufferOffset(32, 0)
			e.SetBuffers(bs[1:], []int{4, 8}, 1)
			e.SetBytes([]byte{1, 2, 3, 4}, 3)
			e.SetThreadgroupMemoryLength(64, 0)
			e.DispatchThreads(Size{5, 1, 1}, Size{4, 1, 1})
			e.MemoryBarrier(BarrierScopeBuffers)
			e.SetComputePipelineState(p) // what has not changed is not sent again
			e.SetBuffer(bs[2], 8, 2)
			e.SetBuffer(bs[0], 16, 0)
			e.DispatchThreadgroups(Size{1, 2, 1}, Size{4, 1, 1})
			e.MemoryBarrierWithResources(bs[2], bs[0])
			e.SetBuffer(bs[2], 0, 0)
			e.DispatchThreadgroups(Size{1, 2, 1}, Size{4, 1, 1})
			e.PopDebugGroup()
			return nil
		})
	}},
	{"blit", func(t *testing.T, d *Device) error {
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		a, b := must(d.NewBuffer(64, StorageModeShared))(t), must(d.NewBuffer(128, StorageModeShared))(t)
		defer a.Release()
		defer b.Release()
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		c.SetLabel("commands")
		e := must(c.NewBlitCommandEncoder())(t)
		e.FillBuffer(a, 4, 8, 9)
		e.CopyBuffer(a, 4, b, 12, 16)
		if err := e.EndEncoding(); err != nil {
			return err
		}
		if err := c.Commit(); err != nil {
			return err
		}
		err := c.WaitUntilCompleted()
		c.Status()
		c.GPUStartTime()
		c.GPUEndTime()
		return err
	}},
	{"fault", func(t *testing.T, d *Device) error {
		l := must(d.NewLibraryWithSource("kernel void k(device int *p [[buffer(0)]]) { p[1000] = 1; }", nil))(t)
		defer l.Release()
		f := must(l.NewFunction("k"))(t)
		defer f.Release()
		p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
		defer p.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		b := must(d.NewBuffer(4, StorageModeShared))(t)
		defer b.Release()
		err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetComputePipelineState(p)
			e.SetBuffer(b, 0, 0)
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			return nil
		})
		var failed *CommandBufferError
		if !errors.As(err, &failed) {
			t.Errorf("a write past the end: %v", err)
		}
		return nil
	}},
}

func transcriptPipeline(t *testing.T, d *Device) *ComputePipelineState {
	l := must(d.NewLibraryWithSource(`
kernel void k(device int *a [[buffer(0)]], device int *b [[buffer(1)]], device int *c [[buffer(2)]], constant int &n [[buffer(3)]],
              threadgroup int *s [[threadgroup(0)]], uint2 i [[thread_position_in_grid]], uint2 j [[thread_position_in_threadgroup]])
{
    s[j.x] = n;
    if (i.x == 0 && i.y == 0) a[0] = b[0] + c[0] + s[j.x];
}`, nil))(t)
	defer l.Release()
	f := must(l.NewFunction("k"))(t)
	defer f.Release()
	return must(d.NewComputePipelineState(&ComputePipelineDescriptor{
		ComputeFunction: f, Label: "pipeline", MaxTotalThreadsPerThreadgroup: 64,
	}))(t)
}

// play runs a scenario on the software device and records it. What is newer than a macOS version is not there.
func play(t *testing.T, r *recorder, version string, run func(t *testing.T, d *Device) error) (err error) {
	t.Helper()
	restore := objc.SetTrace(&objc.Trace{
		Sent: r.record,
		Hide: func(c *objc.Class, sel objc.SEL) bool {
			for _, toClass := range []bool{false, true} {
				if m, ok := lookUp(c, toClass, sel); ok {
					return newerThan(m, version)
				}
			}
			return false
		},
		HideClass: func(name string) bool {
			typ := abi.Load().Types[name]
			return typ != nil && typ.Introduced != "" && abi.Newer(typ.Introduced, version)
		},
	})
	defer restore()
	balanced(t, func() {
		defer func() {
			// What is sent although it is not there is this test's to tell, with the scenario's name.
			switch e := recover().(type) {
			case nil:
			case *objc.UnrecognizedSelector:
				err = e
			default:
				panic(e)
			}
		}()
		d := appendDevices(nil, objc.Software())[0]
		defer d.Release()
		r.lines = nil // but for the scenario that makes a device itself
		err = run(t, d)
	})
	return err
}

// newerThan reports whether a selector came with a macOS after a version.
func newerThan(m *abi.Method, version string) bool {
	since := m.Introduced
	if since == "" {
		since = abi.Load().Types[m.Type].Introduced
	}
	return since != "" && abi.Newer(since, version)
}

const newest, oldest = "99.0", "13.0"

func TestMessagesAreAsTheTableAndTheTranscriptSay(t *testing.T) {
	wakeSoftware()
	var got strings.Builder
	sent, metal := make(map[string]bool), 0
	for _, s := range scenarios {
		r := newRecorder(t)
		if err := play(t, r, newest, s.run); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		page := ":" + strconv.Itoa(os.Getpagesize()) + " "
		got.WriteString("# " + s.name + "\n" + strings.ReplaceAll(strings.Join(r.lines, "\n"), page, ":PAGE ") + "\n\n")
		for selector, m := range r.sent {
			if !sent[selector] && strings.HasPrefix(m.Type, "MTL") {
				metal++
			}
			sent[selector] = true
		}
	}
	t.Logf("%d selectors are sent, %d of the table's of Metal's types", len(sent), metal)
	if *update {
		if err := os.WriteFile("testdata/transcript.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/transcript.txt")
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, got.String(), strings.ReplaceAll(string(want), "\r\n", "\n"))
	for name, sel := range read(t, ".").selectors {
		if !sent[sel.Name()] && answered(sel) && fallbacks[sel.Name()] == "" && !isFallback(sel.Name()) {
			t.Errorf("no scenario sends %s (%s)", sel.Name(), name)
		}
	}
}

// answered reports whether a software class answers a selector.
func answered(sel objc.SEL) bool {
	for name, c := range objc.Classes() {
		if strings.HasPrefix(name, "Fake") {
			continue // a test's
		}
		instance, class := c.Selectors()
		for _, s := range append(instance, class...) {
			if s == sel {
				return true
			}
		}
	}
	return false
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Fatalf("the transcript ends before line %d: %s", i+1, b[i])
		case i >= len(b):
			t.Fatalf("the transcript goes on at line %d: %s", i+1, a[i])
		case a[i] != b[i]:
			t.Fatalf("transcript line %d:\n got %s\nwant %s\nIf that is meant: go test ./mtl -run Transcript -update", i+1, a[i], b[i])
		}
	}
}

// fallbacks are selectors newer than the oldest macOS for which mtl sends another where they are missing. Where there is none, what
// needs the selector fails with ErrUnsupported.
var fallbacks = map[string]string{
	"newIOFileHandleWithURL:error:": "newIOHandleWithURL:error:",

	"setMathMode:":   "setFastMathEnabled:",
	"sharedListener": "init",
}

func isFallback(selector string) bool {
	for _, f := range fallbacks {
		if f == selector {
			return true
		}
	}
	return false
}

// versions are macOS versions with which selectors for compute came.
var versions = []string{oldest, "13.3", "14.0", "14.4", "15.0", "26.0", "26.4"}

func TestOnOlderSystemsNewerSelectorsAreNotSent(t *testing.T) {
	wakeSoftware()
	for _, s := range scenarios {
		now := newRecorder(t)
		if err := play(t, now, newest, s.run); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		for _, v := range versions {
			then := newRecorder(t)
			err := play(t, then, v, s.run)
			for selector, m := range now.sent {
				if !newerThan(m, v) {
					continue
				}
				if f := fallbacks[selector]; f != "" {
					if then.sent[f] == nil && !errors.Is(err, ErrUnsupported) { // or it ended before
						t.Errorf("%s on macOS %s: %s is missing and %s is not sent", s.name, v, selector, f)
					}
				} else if !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s on macOS %s: %s is missing; want ErrUnsupported, got %v", s.name, v, selector, err)
				}
			}
			if err != nil && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s on macOS %s: %v", s.name, v, err)
			}
		}
	}
}

// A selector that no software class answers is never sent in a scenario, so the text must show that it is asked for. Objects of types
// that are themselves newer exist only where their selectors do.
func TestNewerSelectorsOfOlderTypesAreAskedFor(t *testing.T) {
	s := read(t, ".")
	asked := s.askedFor()
	n := 0
	for name, sel := range s.selectors {
		newer := true
		for _, m := range declarers(sel.Name()) {
			since := abi.Load().Types[m.Type].Introduced
			newer = newer && newerThan(m, oldest) && (since == "" || !abi.Newer(since, oldest))
		}
		if !newer {
			continue
		}
		if n++; !asked[name] {
			t.Errorf("%s: %s is newer than macOS %s and never asked for with objc.Responds", s.at[name], sel.Name(), oldest)
		}
	}
	if n == 0 {
		t.Error("none was found")
	}
}
