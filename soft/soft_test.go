package soft

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/simt"
)

// pool runs f in an autorelease pool and fails if it leaves objects behind.
func pool(t *testing.T, f func(m *objc.Msg)) {
	t.Helper()
	theDevice()
	before := objc.LiveSoftwareObjects()
	objc.Software().Pool(func() { f(new(objc.Msg)) })
	if n := objc.LiveSoftwareObjects(); n != before {
		t.Errorf("%d objects before, %d after: %v", before, n, objc.LiveSoftwareObjectsByClass())
	}
}

// asserts fails unless f panics with an assertion of that method.
func asserts(t *testing.T, method, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		e, ok := r.(*AssertionError)
		if !ok || e.Method != "-["+method+"]" || !strings.Contains(e.Text, text) || !strings.Contains(e.Error(), e.Method) {
			t.Errorf("%s: panicked with %v, want an assertion about %q", method, r, text)
		}
	}()
	f()
}

func newShared(m *objc.Msg, n uintptr) objc.ID {
	return objc.ID(m.Send(theDevice(), selNewBufferWithLength, n, 0))
}

func TestChecksFollowTheEnvironmentAndTheKindOfProgram(t *testing.T) {
	for _, c := range []struct {
		environment string
		test        bool
		want        simt.Checks
	}{
		{"", false, simt.CheckBounds}, {"", true, simt.CheckAll}, {"1", false, simt.CheckAll},
		{"0", true, 0}, {"0", false, 0}, {"yes", false, simt.CheckBounds},
	} {
		if got := defaultChecks(c.environment, c.test); got != c.want {
			t.Errorf("PUREMETAL_CHECKS=%q, test %v: %b, want %b", c.environment, c.test, got, c.want)
		}
	}
	if os.Getenv("PUREMETAL_CHECKS") == "" && Checks() != simt.CheckAll {
		t.Errorf("in a test the checks are %b", Checks())
	}
	old := SetChecks(simt.CheckRaces)
	if now := SetChecks(old); now != simt.CheckRaces || Checks() != old {
		t.Errorf("set races, had %b, got %b back", now, Checks())
	}
}

func TestBreakingMetalsRulesStopsTheProgram(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		d := theDevice()
		asserts(t, "MTLDevice newBufferWithLength:options:", "zero length", func() { m.Send(d, selNewBufferWithLength, 0, 0) })
		asserts(t, "MTLDevice newBufferWithLength:options:", "storage mode 1", func() { m.Send(d, selNewBufferWithLength, 4, 16) })
		asserts(t, "MTLDevice newBufferWithBytes:length:options:", "NULL", func() { m.Send(d, selNewBufferWithBytes, 0, 4, 0) })
		asserts(t, "MTLDevice newBufferWithBytesNoCopy:length:options:deallocator:", "page", func() { m.Send(d, selNewBufferWithBytesNoCopy, 4, 4096, 0, 0) })
		asserts(t, "MTLDevice newLibraryWithSource:options:error:", "nil", func() { m.Send(d, selNewLibraryWithSource, 0, 0, 0) })
		asserts(t, "MTLDevice newComputePipelineStateWithFunction:error:", "nil", func() { m.Send(d, selNewPipelineWithFunction, 0, 0) })

		b := newShared(m, 64)
		defer objc.Release(b)
		q := objc.ID(m.Send(d, selNewCommandQueue))
		defer objc.Release(q)
		c := objc.ID(m.Send(q, selCommandBuffer))
		asserts(t, "MTLCommandBuffer waitUntilCompleted", "not been committed", func() { m.Send(c, selWaitUntilCompleted) })
		e := objc.ID(m.Send(c, selComputeCommandEncoder))
		asserts(t, "MTLCommandBuffer blitCommandEncoder", "already encoding", func() { m.Send(c, selBlitCommandEncoder) })
		asserts(t, "MTLCommandBuffer commit", "uncommitted encoder", func() { m.Send(c, selCommit) })
		const compute = "MTLComputeCommandEncoder "
		asserts(t, compute+"setBuffer:offset:atIndex:", "index (31)", func() { m.Send(e, selSetBuffer, uintptr(b), 0, 31) })
		asserts(t, compute+"setBuffer:offset:atIndex:", "offset (64)", func() { m.Send(e, selSetBuffer, uintptr(b), 64, 0) })
		asserts(t, compute+"setBuffer:offset:atIndex:", "not a *soft.buffer", func() { m.Send(e, selSetBuffer, uintptr(q), 0, 0) })
		asserts(t, compute+"setBufferOffset:atIndex:", "no buffer", func() { m.Send(e, selSetBufferOffset, 0, 0) })
		asserts(t, compute+"setBuffers:offsets:withRange:", "range", func() { m.Send(e, selSetBuffers, 0, 0, 30, 2) })
		asserts(t, compute+"setBytes:length:atIndex:", "length (4097)", func() { m.Send(e, selSetBytes, m.Bytes(make([]byte, 8)), 4097, 0) })
		asserts(t, compute+"setThreadgroupMemoryLength:atIndex:", "multiple of 16", func() { m.Send(e, selSetThreadgroupMemoryLength, 8, 0) })
		asserts(t, compute+"setComputePipelineState:", "not a *soft.pipeline", func() { m.Send(e, selSetComputePipelineState, uintptr(b)) })
		asserts(t, compute+"dispatchThreads:threadsPerThreadgroup:", "no compute pipeline", func() { m.Send(e, selDispatchThreads, 1, 1, 1, 1, 1, 1) })
		asserts(t, compute+"memoryBarrierWithScope:", "scope", func() { m.Send(e, selMemoryBarrierWithScope, 2) })
		asserts(t, compute+"popDebugGroup", "no debug group", func() { m.Send(e, selPopDebugGroup) })
		m.Send(e, selEndEncoding)
		asserts(t, compute+"setBuffer:offset:atIndex:", "ended", func() { m.Send(e, selSetBuffer, uintptr(b), 0, 0) })
		asserts(t, compute+"endEncoding", "ended", func() { m.Send(e, selEndEncoding) })
		e = objc.ID(m.Send(c, selBlitCommandEncoder))
		const blit = "MTLBlitCommandEncoder "
		asserts(t, blit+"fillBuffer:range:value:", "not inside", func() { m.Send(e, selFillBuffer, uintptr(b), 60, 8, 0) })
		asserts(t, blit+"fillBuffer:range:value:", "multiples of 4", func() { m.Send(e, selFillBuffer, uintptr(b), 60, 2, 0) })
		asserts(t, blit+"copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", "overlap", func() {
			m.Send(e, selCopyFromBuffer, uintptr(b), 0, uintptr(b), 4, 8)
		})
		m.Send(e, selEndEncoding)
		m.Send(c, selCommit)
		asserts(t, "MTLCommandBuffer commit", "committed", func() { m.Send(c, selCommit) })
		asserts(t, "MTLCommandBuffer blitCommandEncoder", "committed", func() { m.Send(c, selBlitCommandEncoder) })
		m.Send(c, selWaitUntilCompleted)
	})
	theDevice()
	before := objc.LiveSoftwareObjects()
	asserts(t, "MTLBlitCommandEncoder dealloc", "without endEncoding", func() {
		objc.Software().Pool(func() {
			q := objc.SendID(theDevice(), selNewCommandQueue)
			defer objc.Release(q)
			objc.Send(objc.SendID(q, selCommandBuffer), selBlitCommandEncoder)
		})
	})
	if n := objc.LiveSoftwareObjects(); n != before {
		t.Errorf("%d objects before, %d after", before, n)
	}
}

func TestTheDeviceGivesNoMoreMemoryThanItHas(t *testing.T) {
	d := new(device)
	for range workingSetSize / maxBufferLength {
		if !d.reserve(maxBufferLength) {
			t.Error("refused what there is")
		}
	}
	if d.reserve(1) || d.reserve(maxBufferLength+1) || d.reserve(math.MaxUint64) {
		t.Error("reserved more than there is")
	}
	if n := d.allocated.Load(); n != workingSetSize {
		t.Errorf("%d bytes are counted", n)
	}
	pool(t, func(m *objc.Msg) {
		if b := newShared(m, maxBufferLength+1); b != 0 {
			t.Error("a buffer over the limit")
		}
	})
}

func TestBuffersTellWhatTheyAre(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		b := objc.ID(m.Send(theDevice(), selNewBufferWithBytes, m.Bytes([]byte{1, 2, 3}), 3, 256))
		if n := m.Send(b, selLength); n != 3 {
			t.Errorf("length %d", n)
		}
		if v := objc.View(m.Send(b, selContents), 3); v[2] != 3 {
			t.Errorf("contents %v", v)
		}
		if m.Send(b, selResourceOptions) != 256 || m.Send(b, selStorageMode) != 0 || m.Send(b, selAllocatedSize) < 3 {
			t.Error("options are lost")
		}
		if objc.ID(m.Send(b, selDevice)) != theDevice() || m.Send(b, selLabel) != 0 {
			t.Error("device or label is wrong")
		}
		objc.Release(b)
		b = objc.ID(m.Send(theDevice(), selNewBufferWithLength, 3, storageModePrivate))
		if m.Send(b, selContents) != 0 || m.Send(b, selStorageMode) != 2 {
			t.Error("private memory is seen")
		}
		objc.Release(b)
	})
}

func TestAnIdleQueueHasNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	pool(t, func(m *objc.Msg) {
		q := objc.ID(m.Send(theDevice(), selNewCommandQueue))
		defer objc.Release(q)
		for range 3 {
			c := objc.ID(m.Send(q, selCommandBuffer))
			if objc.ID(m.Send(c, selCommandQueue)) != q {
				t.Error("queue of the command buffer is another")
			}
			m.Send(c, selGPUStartTime)
			if m.Float64() != 0 || m.Send(c, selError) != 0 {
				t.Error("results before commit")
			}
			m.Send(c, selCommit)
			m.Send(c, selWaitUntilCompleted)
			m.Send(c, selWaitUntilCompleted)
		}
	})
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestConstantValuesAreReadAsTheirTypeSays(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		values := objc.SendID(objc.SendID(objc.Software().Class("MTLFunctionConstantValues"), objc.Sel("alloc", "@@:")), selInit)
		defer objc.Release(values)
		state := objc.ObjectOf(values).State.(*constantValues)
		name := objc.Autorelease(objc.Software().NewString("scale"))
		half3 := make([]byte, 16) // two half3: 8 bytes each
		for i, h := range []uint16{1, 2, 3, 0, 4, 5, 6, 0} {
			binary.LittleEndian.PutUint16(half3[2*i:], h)
		}
		m.Send(values, selSetConstantAtIndex, m.Bytes([]byte{0xfe, 0xff}), 37, 5)                         // short
		m.Send(values, selSetConstantAtIndex, m.Bytes([]byte{2}), 53, 6)                                  // bool
		m.Send(values, selSetConstantWithName, m.Bytes([]byte{0, 0, 0xc0, 0xbf}), 3, uintptr(name))       // float
		m.Send(values, selSetConstants, m.Bytes(half3), 18, 10, 2)                                        // half3
		m.Send(values, selSetConstantAtIndex, m.Bytes([]byte{0xfd, 0xff, 0xff, 0xff, 0, 0, 0, 0}), 81, 7) // long
		m.Send(values, selSetConstantAtIndex, m.Bytes([]byte{0xfd}), 45, 5)                               // char, again index 5
		want := map[int][]uint64{5: {^uint64(2)}, 6: {1}, 7: {0xfffffffd}, 10: {1, 2, 3}, 11: {4, 5, 6}}
		kinds := map[int]ir.Kind{5: ir.I8, 6: ir.Bool, 7: ir.I64, 10: ir.F16, 11: ir.F16}
		if len(state.all) != 6 {
			t.Errorf("%d values", len(state.all))
		}
		for _, v := range state.all {
			if v.Name != "" {
				if v.Name != "scale" || v.Kind != ir.F32 || v.Bits[0] != uint64(math.Float32bits(-1.5)) {
					t.Errorf("named: %+v", v)
				}
				continue
			}
			w := want[v.Index]
			if v.Kind != kinds[v.Index] || len(v.Bits) != len(w) {
				t.Errorf("%+v, want %v", v, w)
				continue
			}
			for i := range w {
				if v.Bits[i] != w[i] {
					t.Errorf("%+v, want %v", v, w)
				}
			}
		}
		asserts(t, "MTLFunctionConstantValues setConstantValue:type:atIndex:", "type 7", func() { m.Send(values, selSetConstantAtIndex, m.Bytes(half3), 7, 0) })
		asserts(t, "MTLFunctionConstantValues setConstantValue:type:atIndex:", "NULL", func() { m.Send(values, selSetConstantAtIndex, 0, 3, 0) })
		m.Send(values, selReset)
		if len(state.all) != 0 {
			t.Error("reset keeps values")
		}
	})
	for _, s := range scalarTypes {
		for lanes := 1; lanes <= 4; lanes++ {
			if k, n, ok := dataType(dataTypeOf(s.kind, lanes)); !ok || k != s.kind || n != lanes {
				t.Errorf("%v x%d comes back as %v x%d", s.kind, lanes, k, n)
			}
		}
	}
}

func TestCompileOptionsReachTheCompiler(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		o := objc.SendID(objc.SendID(objc.Software().Class("MTLCompileOptions"), objc.Sel("alloc", "@@:")), selInit)
		defer objc.Release(o)
		state := objc.ObjectOf(o).State.(*compileOptions)
		if got := state.options(); got.LanguageVersion != 31 || !got.FastMath || got.Macros != nil {
			t.Errorf("defaults are %+v", got)
		}
		m.Send(o, selSetLanguageVersion, 196610)
		m.Send(o, selSetMathMode, mathModeSafe)
		key, text := objc.Autorelease(objc.Software().NewString("N")), objc.Autorelease(objc.Software().NewString("4 + 4"))
		number := objc.SendID(objc.Software().Class("NSNumber"), objc.Sel("numberWithInt:", "@@:i"), 7)
		other := objc.Autorelease(objc.Software().NewString("M"))
		m.Send(o, selSetPreprocessorMacros, uintptr(objc.Autorelease(objc.NewDictionary([]objc.ID{key, other}, []objc.ID{text, number}))))
		if got := state.options(); got.LanguageVersion != 32 || got.FastMath || got.Macros["N"] != "4 + 4" || got.Macros["M"] != "7" {
			t.Errorf("options are %+v", got)
		}
		m.Send(o, selSetFastMathEnabled, 1)
		if m.Send(o, selMathMode) != mathModeFast || m.Send(o, selFastMathEnabled) != 1 || m.Send(o, selLanguageVersion) != 196610 {
			t.Error("fast math is not on")
		}
	})
}

func TestFaultsHaveMetalsCodes(t *testing.T) {
	for kind, code := range map[simt.FaultKind]int{
		simt.OutOfBounds: commandBufferErrorPageFault, simt.NullPointer: commandBufferErrorPageFault,
		simt.BarrierDivergence: commandBufferErrorTimeout, simt.StepLimit: commandBufferErrorTimeout,
		simt.Race: commandBufferErrorInternal,
	} {
		c := &command{encoder: "attention"}
		if f := c.failure(&simt.Fault{Kind: kind, Text: "story"}); f.code != code || f.text != `encoder "attention": story` {
			t.Errorf("fault %d becomes %+v", kind, f)
		}
	}
	if f := new(command).failure(errors.New("other")); f.code != commandBufferErrorInternal || f.text != "other" {
		t.Errorf("other errors become %+v", f)
	}
}
