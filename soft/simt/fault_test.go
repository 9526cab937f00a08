package simt

import (
	"errors"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// faultOf runs k and gives its fault.
func faultOf(t *testing.T, k *Kernel, d *Dispatch) *Fault {
	t.Helper()
	var f *Fault
	if err := k.Run(d); !errors.As(err, &f) {
		t.Fatalf("want a fault, got %v", err)
	}
	return f
}

func wantText(t *testing.T, f *Fault, kind FaultKind, parts ...string) {
	t.Helper()
	if f.Kind != kind {
		t.Errorf("kind %d, want %d: %s", f.Kind, kind, f.Text)
	}
	for _, p := range parts {
		if !strings.Contains(f.Text, p) {
			t.Errorf("text %q lacks %q", f.Text, p)
		}
	}
}

func TestAccessOutsideItsObjectIsAFaultAndHarmlessUnchecked(t *testing.T) {
	uniform := func(b *builder) ir.Reg { return b.u32(8) }
	perLane := func(b *builder) ir.Reg { return b.bin(ir.Add, ir.U32, b.tid(), b.u32(5)) }
	negative := func(b *builder) ir.Reg { return b.op(ir.Convert, ir.U32, ir.I64, b.u32(0)) }
	objects := []struct {
		name string
		at   func(b *builder) ir.Reg
		text string
	}{
		{"device", func(b *builder) ir.Reg { return b.buffer(1) }, "buffer(1) small"},
		{"threadgroup", func(b *builder) ir.Reg { return b.addr(ir.AddrThreadgroup, 0) }, "threadgroup(0) arg"},
		{"static", func(b *builder) ir.Reg { return b.addr(ir.AddrStatic, b.static("tile", 32)) }, "threadgroup variable tile"},
		{"private", func(b *builder) ir.Reg {
			b.k.Privates = []ir.Object{{Name: "mine", Size: 32}}
			return b.addr(ir.AddrPrivate, 0)
		}, "thread variable mine"},
		{"unknown", func(b *builder) ir.Reg {
			b.k.Privates = []ir.Object{{Name: "mine", Size: 32}}
			c := b.cmp(ir.Ge, ir.U32, b.tid(), b.u32(0))
			return b.op(ir.Select, ir.Ptr, ir.Ptr, c, b.buffer(1), b.addr(ir.AddrPrivate, 0))
		}, "buffer(1) small"},
	}
	for _, o := range objects {
		for name, index := range map[string]func(*builder) ir.Reg{"uniform": uniform, "per lane": perLane, "negative": negative} {
			for _, store := range []bool{false, true} {
				b := newBuilder("reach", "out", "small")
				b.k.Threadgroup = []ir.ThreadgroupArg{{Name: "arg", Elem: 4, Align: 4}}
				p := o.at(b)
				if name == "negative" {
					q := b.op(ir.PtrAdd, ir.Ptr, ir.Ptr, p, ir.NoReg)
					b.k.Body[len(b.k.Body)-1].(*ir.Instr).Imm2 = -4
					p = q
				}
				i := index(b)
				var access *ir.Instr
				if store {
					access = b.store(ir.U32, p, i, b.tid())
				} else {
					v := b.load(ir.U32, p, i)
					access = b.k.Body[len(b.k.Body)-1].(*ir.Instr)
					b.store(ir.U32, b.buffer(0), b.tid(), v)
				}
				k := b.compile(t)
				small := append(make([]byte, 32), 0xaa, 0xaa, 0xaa, 0xaa)
				out := make([]byte, 4*4)
				d := line(4, 4, out, small[:32])
				d.ThreadgroupMemory = []int{32}
				d.Checks = CheckBounds
				f := faultOf(t, k, d)
				wantText(t, f, OutOfBounds, o.text, "32 bytes", "thread (", access.Pos.String())
				if o.name == "device" && (f.Buffer != 1 || f.Object != "small") {
					t.Errorf("fault names buffer %d, object %s", f.Buffer, f.Object)
				}
				d.Checks = 0
				if err := k.Run(d); err != nil {
					t.Errorf("%s, %s, store %v: unchecked: %v", o.name, name, store, err)
				}
				if !store && name == "uniform" && wordAt(out, 0) != 0 {
					t.Errorf("%s: load outside gives %#x, want 0", o.name, wordAt(out, 0))
				}
				if small[32] != 0xaa {
					t.Errorf("%s: store outside reached the bytes behind the binding", o.name)
				}
			}
		}
	}
}

func TestUnboundBufferAndNullPointerAreFaults(t *testing.T) {
	b := newBuilder("unbound", "x")
	b.store(ir.U32, b.buffer(0), b.tid(), b.tid())
	wantText(t, faultOf(t, b.compile(t), &Dispatch{Grid: [3]int{1, 1, 1}, Threadgroup: [3]int{1, 1, 1}, Checks: CheckBounds}), NullPointer, "buffer(0) x", "nothing is bound")

	b = newBuilder("null")
	b.store(ir.U32, b.addr(ir.NullPtr, 0), b.tid(), b.tid())
	wantText(t, faultOf(t, b.compile(t), line(1, 1)), NullPointer, "null pointer")
}

func TestBarrierThatNotAllLanesReachIsAFaultThatNamesThem(t *testing.T) {
	leave := func(limit uint32) (*Kernel, *builder) {
		b := newBuilder("early", "x")
		i := b.builtin(ir.ThreadIndexInThreadgroup, 0)
		b.when(b.cmp(ir.Ge, ir.U32, i, b.u32(limit)), func() { b.leave(0) }, nil)
		b.barrier(ir.ThreadgroupBarrier, ir.MemThreadgroup)
		b.store(ir.U32, b.buffer(0), i, i)
		return b.compile(t), b
	}
	m := make([]byte, 4*64)
	k, _ := leave(40)
	wantText(t, faultOf(t, k, line(64, 64, m)), BarrierDivergence, "lanes 32-39 of simdgroup 1 only", "lanes 40-63 ended at program_source:4:1")
	k, _ = leave(32)
	wantText(t, faultOf(t, k, line(64, 64, m)), BarrierDivergence, "simdgroup 0 but not by simdgroup 1", "lanes 32-63 ended at")
	k, _ = leave(40)
	d := line(64, 64, m)
	d.Checks = CheckBounds
	run(t, k, d)
	if got := wordAt(m, 39); got != 39 {
		t.Errorf("unchecked: lane 39 wrote %d", got)
	}
	k, _ = leave(64) // nobody leaves
	run(t, k, line(64, 64, m))

	// Two barriers, one on each side of a branch that simdgroups take as a whole.
	b := newBuilder("sides")
	sg := b.builtin(ir.SimdgroupIndexInThreadgroup, 0)
	b.when(b.cmp(ir.Eq, ir.U32, sg, b.u32(0)), func() { b.barrier(ir.ThreadgroupBarrier, 2) }, func() { b.barrier(ir.ThreadgroupBarrier, 2) })
	wantText(t, faultOf(t, b.compile(t), line(64, 64)), BarrierDivergence, "simdgroup 0 while simdgroup 1 (lanes 32-63) waits at the barrier at program_source:5:1")

	// A matrix operation in a divergent branch.
	b = newBuilder("matrix")
	b.when(b.cmp(ir.Lt, ir.U32, b.tid(), b.u32(3)), func() { b.op(ir.MatFill, ir.MatF32, ir.MatF32, b.f32(1)) }, nil)
	wantText(t, faultOf(t, b.compile(t), line(32, 32)), InvalidMatrixUse, "lanes 0-2 of simdgroup 0 only", "took another path at")
}

func TestRacesAreFoundAndCleanKernelsAreNot(t *testing.T) {
	tg := func(flags int64) func(*builder) {
		return func(b *builder) { b.barrier(ir.ThreadgroupBarrier, flags) }
	}
	sg := func(b *builder) { b.barrier(ir.SimdgroupBarrier, ir.MemThreadgroup) }
	none := func(*builder) {}
	for _, c := range []struct {
		name    string
		b       *builder
		threads int
		race    bool
	}{
		{"no barrier", reverse(none), 64, true},
		{"no barrier within a simdgroup", reverse(none), 32, true},
		{"barrier", reverse(tg(ir.MemThreadgroup)), 64, false},
		{"barrier over device memory only", reverse(tg(ir.MemDevice)), 64, true},
		{"barrier over nothing", reverse(tg(ir.MemNone)), 64, true},
		{"simdgroup barrier between simdgroups", reverse(sg), 64, true},
		{"simdgroup barrier within one", reverse(sg), 32, false},
		{"neighbouring halves", neighbours(ir.BF16), 64, false},
		{"neighbouring bytes", neighbours(ir.U8), 64, false},
		{"all write one value", oneCell(false), 32, true},
		{"one lane writes, then a barrier, all read", oneCell(true), 64, false},
		{"atomics", counter(false), 64, false},
		{"tile staged for matrices", gemmKernel(2), 256, false},
		{"matrices without the barrier behind", without(gemmKernel(2), 1), 256, true},
		{"matrices without the barrier before", without(gemmKernel(2), 0), 256, true},
		{"atomic and plain", counter(true), 64, true},
	} {
		k := c.b.compile(t)
		d := line(c.threads, c.threads, make([]byte, 64*64*4), make([]byte, 64*64*4), make([]byte, 64*64*4))
		err := k.Run(d)
		var f *Fault
		switch {
		case !c.race && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.race && (!errors.As(err, &f) || f.Kind != Race):
			t.Errorf("%s: no race found: %v", c.name, err)
		case c.race && (!strings.Contains(f.Text, "lane ") && !strings.Contains(f.Text, "simdgroup ") || strings.Count(f.Text, "program_source:") < 2 && !strings.Contains(f.Text, "here")):
			t.Errorf("%s: %s", c.name, f.Text)
		}
	}
	f := faultOf(t, reverse(none).compile(t), line(64, 64, make([]byte, 1024)))
	wantText(t, f, Race, "threadgroup variable tmp", "read by lane", "written by lane", "program_source:6:1", "program_source:10:1")
}

// neighbours has every lane write and read its own element.
func neighbours(k ir.Kind) *builder {
	b := newBuilder("neighbours", "x")
	tmp := b.addr(ir.AddrStatic, b.static("tmp", 1024))
	i := b.builtin(ir.ThreadIndexInThreadgroup, 0)
	b.store(k, tmp, i, b.load(k, b.buffer(0), i))
	b.store(k, b.buffer(0), i, b.load(k, tmp, i))
	return b
}

func oneCell(proper bool) *builder {
	b := newBuilder("one", "x")
	tmp := b.addr(ir.AddrStatic, b.static("tmp", 16))
	i := b.builtin(ir.ThreadIndexInThreadgroup, 0)
	write := func() { b.store(ir.U32, tmp, b.u32(1), b.u32(7)) }
	if proper {
		b.when(b.cmp(ir.Eq, ir.U32, i, b.u32(0)), write, nil)
		b.barrier(ir.ThreadgroupBarrier, ir.MemThreadgroup)
	} else {
		write()
	}
	b.store(ir.U32, b.buffer(0), i, b.load(ir.U32, tmp, b.u32(1)))
	return b
}

func counter(plain bool) *builder {
	b := newBuilder("counter", "x")
	tmp := b.addr(ir.AddrStatic, b.static("tmp", 16))
	d := b.temp(ir.U32)
	b.instr(ir.Instr{Op: ir.AtomicAdd, Kind: ir.U32, Dst: d, A: tmp, B: ir.NoReg, C: b.u32(1)})
	if plain {
		b.store(ir.U32, b.buffer(0), b.tid(), b.load(ir.U32, tmp, b.u32(0)))
	}
	return b
}

func TestLowestFaultingThreadgroupIsReportedWhateverTheWorkers(t *testing.T) {
	b := newBuilder("late", "x")
	g := b.builtin(ir.ThreadgroupPositionInGrid, 0)
	b.when(b.cmp(ir.Ge, ir.U32, g, b.u32(37)), func() { b.store(ir.U32, b.buffer(0), b.bin(ir.Add, ir.U32, b.tid(), b.u32(100000)), g) }, nil)
	k := b.compile(t)
	for _, workers := range []int{1, 2, 5} {
		d := line(32*500, 32, make([]byte, 64))
		d.Workers = workers
		if f := faultOf(t, k, d); f.Thread[0]/32 != 37 {
			t.Errorf("%d workers: fault in threadgroup %d, want 37", workers, f.Thread[0]/32)
		}
	}
}

func TestEndlessLoopEndsByStepLimitAndByCancel(t *testing.T) {
	b := newBuilder("endless")
	b.loop(false, nil, func(_, _ int) {}, nil)
	k := b.compile(t)
	d := line(32, 32)
	d.MaxSteps = 50000
	wantText(t, faultOf(t, k, d), StepLimit, "50000")
	cancel := make(chan struct{})
	close(cancel)
	d = line(32, 32)
	d.Cancel = cancel
	if err := k.Run(d); err != ErrCanceled {
		t.Errorf("canceled dispatch gives %v", err)
	}
}

func TestDispatchThatCannotRunIsAnArgumentError(t *testing.T) {
	b := newBuilder("nop")
	b.k.MaxTotalThreads = 64
	k := b.compile(t)
	for _, d := range []*Dispatch{line(0, 32), line(32, 0), line(4096, 2048), line(128, 128), {Grid: [3]int{9, 9, 9}, Threadgroup: [3]int{32, 32, 2}}} {
		var a *ArgumentError
		if err := k.Run(d); !errors.As(err, &a) {
			t.Errorf("%v by %v: %v", d.Grid, d.Threadgroup, err)
		}
	}
}

func TestSerialRunDoesNotAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool forgets at random under the race detector")
	}
	k := gemmKernel(1).compile(t)
	m := make([]byte, 64*64*4)
	d := line(512, 256, m, m, make([]byte, 64*64*4))
	d.Workers = 1
	run(t, k, d)
	if n := testing.AllocsPerRun(5, func() { run(t, k, d) }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// without turns the barrier number n of a kernel, in source order, into nothing.
func without(b *builder, n int) *builder {
	var visit func(ir.Block)
	visit = func(block ir.Block) {
		for _, node := range block {
			switch node := node.(type) {
			case *ir.Instr:
				if node.Op == ir.ThreadgroupBarrier {
					if n == 0 {
						node.Op = ir.Nop
					}
					n--
				}
			case *ir.Loop:
				visit(node.Body)
			}
		}
	}
	visit(b.k.Body)
	return b
}
