package conformance

import (
	"bytes"
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

// group gives the first thread and the size of the threadgroup of thread i.
func group(i, tg, n int) (first, size int) {
	first = i / tg * tg
	return first, min(tg, n-first)
}

// expectGrouped is expect for results that depend on the threadgroup.
func expectGrouped[T comparable](t *testing.T, k *simt.Kernel, n int, want func(i, first, size int) T, in ...any) {
	t.Helper()
	memory := [][]byte{mem(make([]T, n))}
	for _, v := range in {
		memory = append(memory, mem(v))
	}
	sweep(t, k, n, memory, func(t *testing.T, tg int, out [][]byte) {
		t.Helper()
		for i, g := range decode[T](out[0]) {
			first, size := group(i, tg, n)
			if w := want(i, first, size); g != w {
				t.Errorf("thread %d: got %v, want %v", i, g, w)
				return
			}
		}
	})
}

func TestThreadgroupMemory(t *testing.T) {
	const n = 300
	a := corner[int32](n, 81)
	run := func(kernel string, want func(i, first, size int) int32, in ...any) {
		t.Run(kernel, func(t *testing.T) { expectGrouped(t, kernelOf(t, "threadgroup.metal", kernel), n, want, in...) })
	}
	run("reverse_static", func(i, first, size int) int32 { return a[first+size-1-(i-first)] }, a)
	run("tree_sum", func(i, first, size int) int32 {
		s := int32(0)
		for _, v := range a[first : first+size] {
			s += v
		}
		return s
	}, a)
	run("device_barrier", func(i, first, size int) int32 { return int32(first+(i-first+1)%size) * 3 })
	run("barrier_in_uniform_branch", func(i, first, size int) int32 {
		l := i - first
		v := make([]int32, size)
		for j := range v {
			v[j] = int32(j)
		}
		for r := range int32(5) {
			w := make([]int32, size)
			for j := range v {
				w[j] = v[j] + 1
				if r%2 == 0 {
					w[j] = v[(j+1)%size] + r
				}
			}
			v = w
		}
		return v[l]
	}, int32(5))
	run("private_arrays", func(i, _, _ int) int32 {
		var a [8]int32
		b := [3][2]int32{{1, 2}, {3, 4}}
		for j := range 16 {
			a[(i+j*j)%8] += int32(j)
		}
		a[3] = 50
		b[i%3][i&1] += 10
		s := int32(0)
		for _, v := range a {
			s = s*3 + v
		}
		return s + b[0][0] + b[1][1]*2 + b[2][0]*4 + 2 + a[4] + 1
	})
	t.Run("structs", func(t *testing.T) {
		expectGrouped(t, kernelOf(t, "threadgroup.metal", "structs"), n, func(i, first, size int) float32 {
			total := float32(0)
			for j := range size {
				total += float32(2*j) + float32(j) + 0.5
			}
			return total + float32(size-1-(i-first)) + 0.25
		})
	})
	t.Run("reinterpreted", func(t *testing.T) {
		expectGrouped(t, kernelOf(t, "threadgroup.metal", "reinterpreted"), n, func(i, first, size int) uint32 {
			tile := func(l int) uint32 { return uint32(l)*0x01010101 + 0x03020100 }
			l := i - first
			return tile(size-1-l)>>16&0xff + tile(l)>>16*1000
		})
	})
}

func TestThreadgroupMemoryOfTheEncoder(t *testing.T) {
	const n = 300
	a := corner[int32](n, 82)
	k := kernelOf(t, "threadgroup.metal", "reverse_dynamic")
	for _, tg := range threadgroupSizes {
		out := make([]byte, n*4)
		err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(out, mem(a)),
			ThreadgroupMemory: []int{tg * 4, tg * 4}, Checks: simt.CheckAll, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range decode[int32](out) {
			first, size := group(i, tg, n)
			l := i - first
			next := int32(l+1) % int32(size)
			if w := a[first+size-1-l] + next*1000 - next; g != w {
				t.Fatalf("threadgroup %d, thread %d: got %d, want %d", tg, i, g, w)
			}
		}
	}
}

func TestStaticThreadgroupMemoryIsReported(t *testing.T) {
	if got := kernelOf(t, "threadgroup.metal", "reverse_static").StaticThreadgroupMemory(); got != 1024 {
		t.Errorf("256 ints take %d bytes", got)
	}
	if got := kernelOf(t, "threadgroup.metal", "structs").StaticThreadgroupMemory(); got < 256*16+4 || got > 256*16+32 {
		t.Errorf("256 cells of 16 bytes and a float take %d bytes", got)
	}
}

func TestResultsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	const n = 1000
	a := corner[int32](n, 83)
	k := kernelOf(t, "threadgroup.metal", "tree_sum")
	var first []byte
	for workers := 1; workers <= 4; workers++ {
		out := make([]byte, n*4)
		if err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{96, 1, 1}, Buffers: bindings(out, mem(a)), Checks: simt.CheckAll, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
		}
		if !bytes.Equal(out, first) {
			t.Errorf("%d workers give other results", workers)
		}
	}
}
