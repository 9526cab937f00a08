//go:build linux && objcnative

package objc

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// chunkRecords is about the number of records in a chunk.
const chunkRecords = chunkWords / (int(recordWords) + hostIntRegisters)

// transports runs a test with native batches sent one by one and in one crossing.
func transports(t *testing.T, f func(t *testing.T, s *shim)) {
	for name, on := range map[string]bool{"one by one": false, "one crossing": true} {
		t.Run(name, func(t *testing.T) {
			s := loadShim(t)
			defer SetBatchTransport(SetBatchTransport(on))
			f(t, s)
		})
	}
}

func TestEveryShapeArrivesWordByWordFromABatch(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		probe := s.newProbe(t)
		b := new(Batch)
		s.received()
		var sent []shape
		var want []uintptr
		for range 3 { // more than a chunk of records
			for _, c := range shapes(probe) {
				b.Send(probe, Sel(c.selector, c.encoding), c.words...)
				sent = append(sent, c)
				want = append(want, c.received...)
			}
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := s.received(); !slices.Equal(got, want) {
			t.Errorf("received\n%#x, want\n%#x", got, want)
		}
		for i, c := range sent {
			if got := b.Struct(i); !slices.Equal(got, c.result) {
				t.Errorf("%s: the result is %#x, want %#x", c.name, got, c.result)
			}
			if len(c.result) > 0 && b.Result(i) != c.result[0] {
				t.Errorf("%s: Result gave %#x, want %#x", c.name, b.Result(i), c.result[0])
			}
		}
		t.Logf("%s: %d shapes arrive three times each", runtime.GOARCH, len(sent)/3)
		for _, c := range sent {
			b.Send(0, Sel(c.selector, c.encoding), c.words...)
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		for i, c := range sent {
			if b.Result(i) != 0 || slices.Max(append(b.Struct(i), 0)) != 0 {
				t.Errorf("%s: nil gave %#x", c.name, b.Struct(i))
			}
		}
	})
}

func TestABatchTakesReceiversFromItsResults(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		s.balanced(t)
		r, _ := Native()
		probe := SendID(s.class("Probe"), selNew)
		defer Release(probe)
		b := new(Batch)
		r.Pool(func() {
			s.received()
			first := b.Send(probe, selProbe)
			second := b.SendToResult(first, selProbe)
			kept := b.SendToResult(second, selRetain)
			b.SendToResult(second, selSet3, 1, 2, 3)
			for range 2 * chunkRecords {
				b.Send(probe, selSet3, 4, 5, 6)
			}
			far := b.SendToResult(first, selRetainCount) // from another chunk
			if err := b.Flush(); err != nil {
				t.Error(err)
			}
			if got := s.received(); len(got) != 3+6*chunkRecords || !slices.Equal(got[:3], []uintptr{1, 2, 3}) {
				t.Errorf("received %d words", len(got))
			}
			if b.Result(kept) != b.Result(second) || b.Result(far) != 1 || b.Result(first) == b.Result(second) {
				t.Errorf("results %#x, %#x, %#x", b.Result(first), b.Result(second), b.Result(kept))
			}
			if n := Send(ID(b.Result(kept)), selRetainCount); n != 2 {
				t.Errorf("retain count %d, want 2", n)
			}
			Release(ID(b.Result(kept)))
		})
	})
}

func TestANativeBatchStopsAtNilWhereAsked(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		probe := s.newProbe(t)
		nothing, rangeFrom := Sel("nothing", "@@:"), Sel("rangeFrom:", "{_NSRange=QQ}@:Q")
		b := new(Batch)
		for range 4 * chunkRecords { // leave results behind in every record
			b.Send(probe, rangeFrom, 9)
		}
		b.Flush()
		for _, before := range []int{0, 5, chunkRecords - 1, chunkRecords, 3 * chunkRecords} {
			s.received()
			for range before {
				b.Send(probe, selSet3, 1, 2, 3)
			}
			b.Send(probe, nothing)
			b.StopOnNil()
			after := b.Send(probe, selSet3, 1, 2, 3)
			last := b.Send(probe, rangeFrom, 4)
			var stopped *NilResult
			if err := b.Flush(); !errors.As(err, &stopped) || stopped.Index != before || stopped.Selector != "nothing" {
				t.Errorf("after %d: Flush gave %v", before, err)
			}
			if got := s.received(); len(got) != 3*before {
				t.Errorf("after %d: received %d words", before, len(got))
			}
			if b.Result(after) != 0 || slices.Max(b.Struct(last)) != 0 {
				t.Errorf("after %d: messages that were not sent have results", before)
			}
		}
	})
}

func TestABatchWithoutAskingGoesOnAfterNil(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		probe := s.newProbe(t)
		b := new(Batch)
		s.received()
		none := b.Send(probe, Sel("nothing", "@@:"))
		b.SendToResult(none, selSet3, 1, 2, 3)
		b.Send(probe, selSet3, 4, 5, 6)
		if err := b.Flush(); err != nil {
			t.Error(err)
		}
		if got := s.received(); !slices.Equal(got, []uintptr{4, 5, 6}) {
			t.Errorf("received %d", got)
		}
	})
}

func TestABatchOfOneRuntimeRefusesTheOther(t *testing.T) {
	s := loadShim(t)
	defer SetBatchTransport(SetBatchTransport(true))
	id := NewObject(thingClass(), new(thing))
	defer Release(id)
	b := new(Batch)
	b.Send(s.newProbe(t), selRetainCount)
	mustPanic[*UnknownObject](t, func() { b.Send(id, selRetainCount) })
}

func TestTheStubPreservesTheCallersRegisters(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	saved := s.symbol("shim_saved")
	defer SetBatchTransport(SetBatchTransport(true))
	b := new(Batch)
	for _, c := range shapes(probe) {
		b.Send(probe, Sel(c.selector, c.encoding), c.words...)
	}
	call := &batchCall{records: b.records.chunks[0].first(), left: uintptr(b.n)}
	if lost, _, _ := purego.SyscallN(saved, batchStubAddress, uintptr(unsafe.Pointer(call))); lost != 0 || call.left != 0 {
		t.Errorf("%d registers lost, %d records left", lost, call.left)
	}
	runtime.KeepAlive(b)
	s.received()
}

func TestABatchKeepsGoMemoryAliveUntilItIsSent(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		probe := s.newProbe(t)
		b := new(Batch)
		for round := range 20 {
			s.received()
			kept := &[3]uintptr{uintptr(round), 2, 3}
			b.Keep(kept)
			b.Send(probe, selSetBytes, uintptr(unsafe.Pointer(kept)), 24, 1)
			b.Send(probe, selSetBytes, b.Uintptrs([]uintptr{4, 5, uintptr(round)}), 24, 2)
			kept = nil
			runtime.GC()
			for range 100 {
				churn = make([]byte, 24)
			}
			if err := b.Flush(); err != nil {
				t.Fatal(err)
			}
			r := uintptr(round)
			if got := s.received(); !slices.Equal(got, []uintptr{r, 2, 3, 1, 4, 5, r, 2}) {
				t.Fatalf("round %d: received %d", round, got)
			}
		}
	})
}

var churn []byte

func TestANativeBatchDoesNotAllocate(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		encoder := SendID(s.class("Encoder"), selNew)
		defer Release(encoder)
		ids, offsets, params := make([]ID, 6), make([]uintptr, 6), make([]byte, 64)
		b := new(Batch)
		f := func() { encodeDispatches(b, encoder, 40, ids, offsets, params); b.Flush() }
		f()
		if n := testing.AllocsPerRun(20, f); n != 0 && poolsKeepRecords {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestMethodsThatABatchSendsAgainAreLookedUpForEachObject(t *testing.T) {
	transports(t, func(t *testing.T, s *shim) {
		b := new(Batch)
		var probes []ID
		for range maxLookups + 8 {
			probes = append(probes, s.newProbe(t))
		}
		for round := range 2 {
			s.received()
			var want []uintptr
			for i, p := range probes {
				for j := range 4 {
					w := uintptr(100*round + 10*i + j)
					b.Send(p, selSet3, w, w+1, w+2)
					want = append(want, w, w+1, w+2)
				}
				b.Send(p, selRetainCount)
			}
			if err := b.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := s.received(); !slices.Equal(got, want) {
				t.Errorf("round %d: received\n%d, want\n%d", round, got, want)
			}
			for i := range probes {
				if n := b.Result(5*i + 4); n != 1 {
					t.Errorf("probe %d has retain count %d", i, n)
				}
			}
		}
	})
}
