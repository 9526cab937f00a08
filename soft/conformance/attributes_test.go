package conformance

import (
	"fmt"
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

func TestBuiltinsOfAOneDimensionalGrid(t *testing.T) {
	k := kernelOf(t, "attributes.metal", "one_dimension")
	for _, n := range []int{1, 31, 64, 257, 300} {
		sweep(t, k, n, [][]byte{make([]byte, n*18*4)}, func(t *testing.T, tg int, out [][]byte) {
			got := decode[uint32](out[0])
			for i := range n {
				group, in := i/tg, i%tg
				size := min(tg, n-group*tg)
				up := func(a, b int) int { return (a + b - 1) / b }
				want := []int{i, in, in, group, n, size, tg, up(n, tg), in % 32, in / 32, up(size, 32), up(tg, 32), 32, in % 4, in / 4,
					up(size, 4), 32, up(tg, 4)}
				for j, w := range want {
					if g := got[i*18+j]; g != uint32(w) {
						t.Errorf("grid %d, thread %d, result %d: got %d, want %d", n, i, j, g, w)
						return
					}
				}
			}
		})
	}
}

func TestBuiltinsOfAThreeDimensionalGrid(t *testing.T) {
	k := kernelOf(t, "attributes.metal", "three_dimensions")
	for _, c := range []struct{ grid, tg [3]int }{
		{[3]int{8, 4, 2}, [3]int{4, 2, 2}},
		{[3]int{7, 5, 3}, [3]int{4, 2, 2}},
		{[3]int{5, 3, 2}, [3]int{5, 3, 2}},
		{[3]int{33, 2, 2}, [3]int{32, 1, 1}},
		{[3]int{3, 3, 3}, [3]int{8, 8, 4}},
		{[3]int{1, 70, 1}, [3]int{1, 33, 1}},
	} {
		for workers := 1; workers <= 2; workers++ {
			t.Run(fmt.Sprint(c, workers), func(t *testing.T) {
				n := c.grid[0] * c.grid[1] * c.grid[2]
				out := make([]byte, n*30*4)
				if err := k.Run(&simt.Dispatch{Grid: c.grid, Threadgroup: c.tg, Buffers: bindings(out), Checks: simt.CheckAll, Workers: workers}); err != nil {
					t.Fatal(err)
				}
				got := decode[uint32](out)
				for i := range n {
					g := [3]int{i % c.grid[0], i / c.grid[0] % c.grid[1], i / c.grid[0] / c.grid[1]}
					var want [30]int
					var in, size [3]int
					for d := range 3 {
						in[d] = g[d] % c.tg[d]
						group := g[d] / c.tg[d]
						size[d] = min(c.tg[d], c.grid[d]-group*c.tg[d])
						want[d], want[3+d], want[6+d], want[9+d], want[12+d], want[15+d] = g[d], in[d], group, c.grid[d], size[d], c.tg[d]
						want[18+d] = (c.grid[d] + c.tg[d] - 1) / c.tg[d]
						want[27+d] = c.grid[d]
					}
					want[21] = (in[2]*size[1]+in[1])*size[0] + in[0]
					want[22], want[23] = want[21]%32, want[21]/32
					for j, w := range want {
						if got[i*30+j] != uint32(w) {
							t.Fatalf("thread %v, result %d: got %d, want %d", g, j, got[i*30+j], w)
						}
					}
				}
			})
		}
	}
}

func TestBuiltinsOfATwoDimensionalGrid(t *testing.T) {
	k := kernelOf(t, "attributes.metal", "two_dimensions")
	const w, h, tw, th = 19, 7, 8, 3
	out := make([]byte, w*h*4)
	if err := k.Run(&simt.Dispatch{Grid: [3]int{w, h, 1}, Threadgroup: [3]int{tw, th, 1}, Buffers: bindings(out), Checks: simt.CheckAll}); err != nil {
		t.Fatal(err)
	}
	for i, g := range decode[uint32](out) {
		x, y := i%w, i/w
		if want := x/tw + y/th*100 + x%tw*10000 + y%th*1000000; g != uint32(want) {
			t.Fatalf("thread %d,%d: got %d, want %d", x, y, g, want)
		}
	}
}

func TestKernelsAreDeclaredInEveryForm(t *testing.T) {
	for name, c := range map[string]struct {
		add   uint32
		limit int
	}{"leading_attribute": {0, 128}, "bracketed": {1, 0}, "bracketed_limit": {2, 64}} {
		k, err := library(t, "attributes.metal").Kernel(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if k.MaxTotalThreads != c.limit {
			t.Errorf("%s: at most %d threads, want %d", name, k.MaxTotalThreads, c.limit)
		}
		out := make([]byte, 40*4)
		e := kernelOf(t, "attributes.metal", name)
		if err := e.Run(&simt.Dispatch{Grid: [3]int{40, 1, 1}, Threadgroup: [3]int{16, 1, 1}, Buffers: bindings(out), Checks: simt.CheckAll}); err != nil {
			t.Fatal(err)
		}
		for i, g := range decode[uint32](out) {
			if g != uint32(i)+c.add {
				t.Errorf("%s: thread %d gave %d", name, i, g)
			}
		}
	}
}

func TestBuffersWithoutAnIndexAreNumberedInOrder(t *testing.T) {
	third := corner[uint32](40, 71)
	params := struct {
		A uint32
		B float32
		C [2]uint32
	}{5, 10.5, [2]uint32{100, 1000}}
	expect(t, kernelOf(t, "attributes.metal", "implicit_indices"), 40, 1, func(i int) []uint32 { return []uint32{1015 + third[i]} }, params, third)
}
