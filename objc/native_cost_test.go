//go:build linux && objcnative

package objc

import (
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

var (
	selSetPipeline = Sel("setComputePipelineState:", "v@:@")
	selSetBuffers  = Sel("setBuffers:offsets:withRange:", "v@:r^@r^Q{_NSRange=QQ}")
)

// encodeDispatches adds n dispatches of four messages each: pipeline, 6 buffers, 64 bytes of parameters, dispatch.
func encodeDispatches(b *Batch, encoder ID, n int, ids []ID, offsets []uintptr, params []byte) {
	for range n {
		b.Send(encoder, selSetPipeline, uintptr(encoder))
		b.Send(encoder, selSetBuffers, b.IDs(ids), b.Uintptrs(offsets), 0, 6)
		b.Send(encoder, selSetBytes, b.Bytes(params), 64, 6)
		b.Send(encoder, selSizes, 8, 8, 1, 32, 4, 1)
	}
}

func BenchmarkNativeSend(b *testing.B) {
	s := loadShim(b)
	encoder := SendID(s.class("Encoder"), selNew)
	defer Release(encoder)
	m := new(Msg)
	b.ReportAllocs()
	for b.Loop() {
		m.Send(encoder, selSizes, 8, 8, 1, 32, 4, 1)
	}
}

// size is MTLSize to purego.
type size struct{ w, h, d uint64 }

// pureWays encode the same dispatches as users of purego/objc do: with one function of any words, and with one registered anew for
// every message, as its Send[T] is.
func pureWays(s *shim, encoder ID, n int, ids []ID, offsets []uintptr, params []byte) (any, registered func()) {
	selectors := make(map[SEL]uintptr)
	for _, sel := range []SEL{selSetPipeline, selSetBuffers, selSetBytes, selSizes} {
		selectors[sel] = s.callString(s.registerName, sel.Name())
	}
	encode := func(message func() func(id ID, sel uintptr, args ...interface{}) uintptr) func() {
		return func() {
			for range n {
				message()(encoder, selectors[selSetPipeline], encoder)
				message()(encoder, selectors[selSetBuffers], unsafe.Pointer(&ids[0]), unsafe.Pointer(&offsets[0]), uintptr(0), uintptr(6))
				message()(encoder, selectors[selSetBytes], unsafe.Pointer(&params[0]), uintptr(64), uintptr(6))
				message()(encoder, selectors[selSizes], size{8, 8, 1}, size{32, 4, 1})
			}
		}
	}
	var send func(id ID, sel uintptr, args ...interface{}) uintptr
	purego.RegisterFunc(&send, s.msgSend)
	return encode(func() func(ID, uintptr, ...interface{}) uintptr { return send }),
		encode(func() func(ID, uintptr, ...interface{}) uintptr {
			var fn func(id ID, sel uintptr, args ...interface{}) uintptr
			purego.RegisterFunc(&fn, s.msgSend)
			return fn
		})
}

// BenchmarkDispatches encodes 16 dispatches of four messages each; testdata/cgo does the same by cgo.
func BenchmarkDispatches(b *testing.B) {
	s := loadShim(b)
	encoder := SendID(s.class("Encoder"), selNew)
	defer Release(encoder)
	ids, offsets, params := make([]ID, 6), make([]uintptr, 6), make([]byte, 64)
	const n, more = 16, 64
	args := []uintptr{uintptr(encoder), n * more, uintptr(unsafe.Pointer(&ids[0])), uintptr(unsafe.Pointer(&offsets[0])), uintptr(unsafe.Pointer(&params[0]))}
	start := time.Now()
	const rounds = 100
	for range rounds {
		purego.SyscallN(s.dispatches, args...)
	}
	inC := float64(time.Since(start)) / rounds / more
	any, registered := pureWays(s, encoder, n, ids, offsets, params)
	batch := new(Batch)
	encode := func() { encodeDispatches(batch, encoder, n, ids, offsets, params); batch.Flush() }
	for _, w := range []struct {
		name     string
		crossing bool
		run      func()
	}{
		{"batch, one crossing", true, encode},
		{"batch, SyscallN", false, encode},
		{"purego, ...any", false, any},
		{"purego, registered for each message", false, registered},
	} {
		b.Run(w.name, func(b *testing.B) {
			defer SetBatchTransport(SetBatchTransport(w.crossing))
			b.ReportAllocs()
			for b.Loop() {
				w.run()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/inC, "xC")
		})
	}
}

// What C takes differs from run to run, by where its code lands, up to twofold, and what Go takes hardly does: the usual ratios are 1.6
// 13. The bounds are above what the best runs of C make of them.
func TestEncodingCostsLittleMoreThanInC(t *testing.T) {
	if !poolsKeepRecords || runtime.GOARCH != "amd64" {
		t.Skip("under the race detector or an emulator")
	}
	s := loadShim(t)
	encoder := SendID(s.class("Encoder"), selNew)
	defer Release(encoder)
	ids, offsets, params := make([]ID, 6), make([]uintptr, 6), make([]byte, 64)
	const n = 16
	const more = 64 // the C loop runs longer, so that its own crossing from Go counts for nothing
	args := []uintptr{uintptr(encoder), n * more, uintptr(unsafe.Pointer(&ids[0])), uintptr(unsafe.Pointer(&offsets[0])), uintptr(unsafe.Pointer(&params[0]))}
	nine := s.symbol("shim_dispatches_9")
	b := new(Batch)
	defer SetBatchTransport(SetBatchTransport(false))
	encode := func(on bool) func() {
		return func() {
			SetBatchTransport(on)
			encodeDispatches(b, encoder, n, ids, offsets, params)
			b.Flush()
		}
	}
	ways := []struct {
		name  string
		times time.Duration
		most  float64
		run   func()
	}{
		{"C", more, 0, func() { purego.SyscallN(s.dispatches, args...) }},
		{"C, a buffer at a time", more, 0, func() { purego.SyscallN(nine, args...) }},
		{"one crossing", 1, 3, encode(true)},
		{"one by one", 1, 24, encode(false)},
	}
	for try := range 3 {
		best := make([]time.Duration, len(ways))
		for range 100 {
			for i, w := range ways {
				start := time.Now()
				rounds := 64 / w.times
				for range rounds {
					w.run()
				}
				if d := time.Since(start) / rounds / w.times; best[i] == 0 || d < best[i] {
					best[i] = d
				}
			}
		}
		met := true
		for i, w := range ways {
			ratio := float64(best[i]) / float64(best[0])
			t.Logf("%s: %v for %d dispatches, %.2f times C", w.name, best[i], n, ratio)
			met = met && (w.most == 0 || ratio <= w.most)
		}
		if met {
			return
		}
		t.Logf("try %d is over the bounds", try)
	}
	t.Error("a batch costs more than promised")
}
