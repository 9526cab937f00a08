package conformance

import (
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

// simdgroup gives the first thread of the simdgroup of thread i and how many threads it has.
func simdgroup(i, tg, n int) (first, size int) {
	g, gs := group(i, tg, n)
	first = g + (i-g)/32*32
	return first, min(32, g+gs-first)
}

func expectSimd[T comparable](t *testing.T, k *simt.Kernel, n, per int, want func(i, first, size int) []T, in ...any) {
	t.Helper()
	memory := [][]byte{mem(make([]T, n*per))}
	for _, v := range in {
		memory = append(memory, mem(v))
	}
	sweep(t, k, n, memory, func(t *testing.T, tg int, out [][]byte) {
		t.Helper()
		got := decode[T](out[0])
		for i := range n {
			first, size := simdgroup(i, tg, n)
			for j, w := range want(i, first, size) {
				if g := got[i*per+j]; g != w {
					t.Errorf("thread %d (lane %d of %d), result %d: got %v, want %v", i, i-first, size, j, g, w)
					return
				}
			}
		}
	})
}

// over folds the values of lanes for which active holds.
func over(a []int32, active func(lane int) bool, start int32, f func(x, y int32) int32) int32 {
	for l, v := range a {
		if active(l) {
			start = f(start, v)
		}
	}
	return start
}

func everyLane(int) bool           { return true }
func add(x, y int32) int32         { return x + y }
func multiplyOdd(x, y int32) int32 { return x * (y | 1) }

func TestSimdgroupReductions(t *testing.T) {
	const n = 300
	a := corner[int32](n, 91)
	expectSimd(t, kernelOf(t, "simd.metal", "reductions"), n, 10, func(i, first, size int) []int32 {
		v, upTo, before := a[first:first+size], a[first:i+1], a[first:i]
		return []int32{
			over(v, everyLane, 0, add), over(v, everyLane, 1, multiplyOdd),
			over(v, everyLane, v[0], func(x, y int32) int32 { return min(x, y) }), over(v, everyLane, v[0], func(x, y int32) int32 { return max(x, y) }),
			over(v, everyLane, -1, func(x, y int32) int32 { return x & y }), over(v, everyLane, 0, func(x, y int32) int32 { return x | y }),
			over(v, everyLane, 0, func(x, y int32) int32 { return x ^ y }),
			over(upTo, everyLane, 0, add), over(before, everyLane, 0, add), over(upTo, everyLane, 1, multiplyOdd),
		}
	}, a)
}

func TestSimdgroupReductionsOfTheActiveLanes(t *testing.T) {
	const n = 300
	a := corner[int32](n, 92)
	expectSimd(t, kernelOf(t, "simd.metal", "divergent_reductions"), n, 8, func(i, first, size int) []int32 {
		v := a[first : first+size]
		lane := i - first
		third := func(l int) bool { return l%3 == 1 }
		odd := func(l int) bool { return l%3 != 1 && l&1 != 0 }
		mask := func(active func(int) bool, p func(int32) bool) (m int32) {
			for l, x := range v {
				if active(l) && p(x) {
					m |= 1 << l
				}
			}
			return m
		}
		isFirst := func(active func(int) bool) int32 {
			for l := range lane {
				if active(l) {
					return 0
				}
			}
			return 1
		}
		positive := func(x int32) bool { return x > 0 }
		switch {
		case third(lane):
			m := mask(third, func(int32) bool { return true })
			return []int32{over(v, third, 0, add), over(v, third, v[lane], func(x, y int32) int32 { return max(x, y) }),
				over(v[:lane], third, 0, add), v[1], m, isFirst(third), over(v[:lane], third, 1, multiplyOdd), int32(size)}
		case odd(lane):
			m := mask(odd, positive)
			return []int32{over(v, odd, v[lane], func(x, y int32) int32 { return min(x, y) }), over(v, odd, 0, func(x, y int32) int32 { return x | y }),
				b2i(m == mask(odd, func(int32) bool { return true })), b2i(m != 0), m, isFirst(odd),
				over(v, odd, 0, func(x, y int32) int32 { return x ^ y }), int32(size)}
		}
		return []int32{0, 0, 0, 0, 0, 0, 0, int32(size)}
	}, a)
}

// Shuffles are compared on full simdgroups: what a lane that does not exist would give is undefined.
func TestSimdgroupShuffles(t *testing.T) {
	const n = 256
	a := corner[int32](n, 93)
	k := kernelOf(t, "simd.metal", "shuffles")
	for _, tg := range []int{32, 64, 128, 256} {
		out := make([]byte, n*12*4)
		if err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(out, mem(a)), Checks: simt.CheckAll}); err != nil {
			t.Fatal(err)
		}
		got := decode[int32](out)
		for i := range n {
			l := i % 32
			v := a[i-l : i-l+32]
			at := func(cond bool, lane int, other int32) int32 {
				if cond {
					return v[lane]
				}
				return other
			}
			m := l % 8
			want := []int32{
				v[(l*7+3)%32], v[l^5], at(l >= 3, max(l-3, 0), 0), at(l < 30, min(l+2, 31), 0), v[(l+23)%32], v[(l+9)%32], v[17],
				at(l >= 4, max(l-4, 0), -int32(l+28)-1), at(l < 28, min(l+4, 31), -int32((l+4)%32)-1),
				at(m >= 3, max(l-3, 0), -int32(l-m+(m+5)%8)-1), at(m < 5, min(l+3, 31), -int32(l-m+(m+3)%8)-1), v[0],
			}
			for j, w := range want {
				if got[i*12+j] != w {
					t.Fatalf("threadgroup %d, lane %d, result %d: got %d, want %d", tg, l, j, got[i*12+j], w)
				}
			}
		}
	}
}

func TestSimdgroupFunctionsOfEveryType(t *testing.T) {
	const n = 64
	k := kernelOf(t, "simd.metal", "types")
	out := make([]byte, n*10*4)
	if err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{64, 1, 1}, Buffers: bindings(out), Checks: simt.CheckAll}); err != nil {
		t.Fatal(err)
	}
	got := decode[float32](out)
	for i := range n {
		for j, w := range []float32{248, 496, 31, 32 + 6400, 496, float32(i%32 ^ 1), -31, 4, 2, 1} {
			if got[i*10+j] != w {
				t.Fatalf("thread %d, result %d: got %g, want %g", i, j, got[i*10+j], w)
			}
		}
	}
}

func TestQuadgroupFunctions(t *testing.T) {
	const n = 256
	a := corner[int32](n, 94)
	k := kernelOf(t, "simd.metal", "quads")
	for _, tg := range []int{4, 32, 64, 256} {
		out := make([]byte, n*8*4)
		if err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(out, mem(a)), Checks: simt.CheckAll}); err != nil {
			t.Fatal(err)
		}
		got := decode[int32](out)
		for i := range n {
			l := i % 4
			v := a[i-l : i-l+4]
			want := []int32{v[0] + v[1] + v[2] + v[3], max(v[0], v[1], v[2], v[3]), v[l^1], v[2], over(v[:l+1], everyLane, 0, add), v[3],
				b2i(max(v[0], v[1], v[2], v[3]) > 0), v[0] ^ v[1] ^ v[2] ^ v[3]}
			for j, w := range want {
				if got[i*8+j] != w {
					t.Fatalf("threadgroup %d, thread %d, result %d: got %d, want %d", tg, i, j, got[i*8+j], w)
				}
			}
		}
	}
}

func TestTwoStageReductionOfAThreadgroup(t *testing.T) {
	const n = 300
	a := make([]float32, n)
	for i := range a {
		a[i] = float32(i%17) - 3.5 // sums are exact
	}
	expectGrouped(t, kernelOf(t, "simd.metal", "block_sum"), n, func(i, first, size int) float32 {
		s := float32(0)
		for _, v := range a[first : first+size] {
			s += v
		}
		return s
	}, a)
}
