package simt

import (
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

func TestEveryThreadComputesItsElementInEveryShapeOfGrid(t *testing.T) {
	b := newBuilder("axpy", "x", "y")
	i := b.tid()
	x := b.load(ir.F32, b.buffer(0), i)
	y := b.load(ir.F32, b.buffer(1), i)
	b.store(ir.F32, b.buffer(1), i, b.bin(ir.Add, ir.F32, b.bin(ir.Mul, ir.F32, x, b.f32(3)), y))
	k := b.compile(t)
	for _, n := range []int{1, 31, 32, 33, 100, 1000} {
		for _, tg := range []int{1, 32, 50, 256} {
			for _, checks := range []Checks{0, CheckAll} {
				xs, ys := make([]float32, n), make([]float32, n)
				for i := range xs {
					xs[i], ys[i] = float32(i)+0.5, float32(7*i%13)
				}
				in, out := floats(xs...), floats(ys...)
				d := line(n, tg, in, out)
				d.Checks = checks
				run(t, k, d)
				for i := range xs {
					if got, want := floatAt(out, i), xs[i]*3+ys[i]; got != want {
						t.Fatalf("%d threads by %d: element %d is %v, want %v", n, tg, i, got, want)
					}
				}
			}
		}
	}
}

func TestDivergentLoopRunsEachLaneItsOwnNumberOfTimes(t *testing.T) {
	b := newBuilder("collatz", "out")
	i := b.tid()
	n, steps := b.variable(ir.U32), b.variable(ir.U32)
	b.mov(n, b.bin(ir.Add, ir.U32, i, b.u32(1)))
	b.mov(steps, b.u32(0))
	b.loop(false, func() ir.Reg { return b.cmp(ir.Ne, ir.U32, n, b.u32(1)) }, func(brk, cont int) {
		b.when(b.cmp(ir.Ne, ir.U32, b.bin(ir.And, ir.U32, n, b.u32(1)), b.u32(0)), func() {
			b.mov(n, b.op(ir.Mad, ir.U32, ir.U32, n, b.u32(3), b.u32(1)))
		}, func() {
			b.mov(n, b.bin(ir.Shr, ir.U32, n, b.u32(1)))
		})
		b.mov(steps, b.bin(ir.Add, ir.U32, steps, b.u32(1)))
	}, nil)
	b.store(ir.U32, b.buffer(0), i, steps)
	k := b.compile(t)
	const lanes = 77
	out := make([]byte, 4*lanes)
	run(t, k, line(lanes, 64, out))
	for i := range uint32(lanes) {
		want := uint32(0)
		for n := i + 1; n != 1; want++ {
			if n&1 != 0 {
				n = 3*n + 1
			} else {
				n >>= 1
			}
		}
		if got := wordAt(out, int(i)); got != want {
			t.Errorf("lane %d took %d steps, want %d", i, got, want)
		}
	}
}

// reverse writes in[i] to static memory and reads the mirror image after an optional barrier.
func reverse(barrier func(b *builder)) *builder {
	b := newBuilder("reverse", "x")
	tmp := b.addr(ir.AddrStatic, b.static("tmp", 1024))
	i := b.builtin(ir.ThreadIndexInThreadgroup, 0)
	n := b.builtin(ir.ThreadsPerThreadgroup, 0)
	b.store(ir.F32, tmp, i, b.load(ir.F32, b.buffer(0), i))
	barrier(b)
	j := b.bin(ir.Sub, ir.U32, b.bin(ir.Sub, ir.U32, n, b.u32(1)), i)
	b.store(ir.F32, b.buffer(0), i, b.load(ir.F32, tmp, j))
	return b
}

func TestBarrierMakesThreadgroupMemoryVisibleInEverySchedule(t *testing.T) {
	k := reverse(func(b *builder) { b.barrier(ir.ThreadgroupBarrier, ir.MemThreadgroup) }).compile(t)
	for _, schedule := range []int64{0, -1, 1, 2, 3} {
		for _, n := range []int{1, 32, 100, 256} {
			xs := make([]float32, n)
			for i := range xs {
				xs[i] = float32(i) + 1
			}
			m := floats(xs...)
			d := line(n, n, m)
			d.Schedule = schedule
			run(t, k, d)
			for i := range xs {
				if got, want := floatAt(m, i), xs[n-1-i]; got != want {
					t.Fatalf("%d threads, schedule %d: element %d is %v, want %v", n, schedule, i, got, want)
				}
			}
		}
	}
}

func TestValueThatLeavesItsLoopIsEachLanesOwn(t *testing.T) {
	b := newBuilder("escape", "out")
	i := b.tid()
	var last ir.Reg // assigned in the loop, once a turn, and read behind it
	b.count(b.bin(ir.Add, ir.U32, i, b.u32(1)), func(n ir.Reg, _, _ int) {
		last = b.bin(ir.Mul, ir.U32, n, b.u32(10))
	})
	b.store(ir.U32, b.buffer(0), i, last)
	out := make([]byte, 4*40)
	run(t, b.compile(t), line(40, 40, out))
	for i := range 40 {
		if got, want := wordAt(out, i), uint32(10*i); got != want {
			t.Errorf("lane %d has %d, want %d", i, got, want)
		}
	}
}

func TestPrivateMemoryIsEachLanesOwn(t *testing.T) {
	b := newBuilder("private", "out")
	b.k.Privates = []ir.Object{{Name: "pad", Size: 12}, {Name: "mine", Size: 64}}
	p, i := b.addr(ir.AddrPrivate, 1), b.tid()
	b.store(ir.U32, p, b.bin(ir.And, ir.U32, i, b.u32(15)), i)
	b.store(ir.U32, p, b.u32(3), b.bin(ir.Add, ir.U32, i, b.u32(1000)))
	b.store(ir.U32, b.buffer(0), i, b.bin(ir.Add, ir.U32, b.load(ir.U32, p, b.bin(ir.And, ir.U32, i, b.u32(15))), b.load(ir.U32, p, b.u32(3))))
	out := make([]byte, 4*64)
	run(t, b.compile(t), line(64, 64, out))
	for i := range uint32(64) {
		want := i + i + 1000
		if i%16 == 3 {
			want = 2 * (i + 1000)
		}
		if got := wordAt(out, int(i)); got != want {
			t.Errorf("lane %d has %d, want %d", i, got, want)
		}
	}
}
