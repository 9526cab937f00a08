package conformance

import (
	"math/rand/v2"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
	"github.com/puremetal/puremetal/soft/simt"
)

// Small integers, so that every product and sum is exact in every element type and the order of additions cannot matter.
func TestSimdgroupMatrixProductOfEveryElementType(t *testing.T) {
	const m, n, k = 24, 16, 32
	r := rand.New(rand.NewPCG(101, 1))
	a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for _, s := range [][]float32{a, b, c} {
		for i := range s {
			s[i] = float32(int(r.Uint32()%9) - 4)
		}
	}
	want := make([]float32, m*n)
	for i := range m {
		for j := range n {
			s := c[i*n+j]
			for q := range k {
				s += float32(a[i*k+q] * b[q*n+j])
			}
			want[i*n+j] = s
		}
	}
	same := func(v []float32) any { return v }
	half := func(v []float32) any { return each(v, num.F32ToF16) }
	bfloat := func(v []float32) any { return each(v, num.F32ToBF16) }
	for name, f := range map[string][2]func([]float32) any{
		"multiply_float": {same, same}, "multiply_half": {half, half}, "multiply_half_float": {half, same}, "multiply_bfloat_float": {bfloat, same},
	} {
		t.Run(name, func(t *testing.T) {
			kernel := kernelOf(t, "matrix.metal", name)
			w := mem(f[1](want))
			for workers := 1; workers <= 2; workers++ {
				out := make([]byte, len(w))
				err := kernel.Run(&simt.Dispatch{Grid: [3]int{n / 8 * 32, m / 8, 1}, Threadgroup: [3]int{32, 1, 1},
					Buffers: bindings(out, mem(f[0](a)), mem(f[0](b)), mem(f[1](c)), mem([]uint32{m, n, k, 0})), Checks: simt.CheckAll, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				for i := range out {
					if out[i] != w[i] {
						e := i * m * n / len(w)
						t.Fatalf("element %d,%d is wrong: want %g", e/n, e%n, want[e])
					}
				}
			}
		})
	}
}

func runOne(t *testing.T, kernel string, threads int, memory ...[]byte) {
	t.Helper()
	err := kernelOf(t, "matrix.metal", kernel).Run(&simt.Dispatch{Grid: [3]int{threads, 1, 1}, Threadgroup: [3]int{threads, 1, 1},
		Buffers: bindings(memory...), Checks: simt.CheckAll})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSimdgroupMatrixLoadsAndStoresTransposed(t *testing.T) {
	a := floats(11*20, 102)
	out := make([]byte, (64+9*9)*4)
	runOne(t, "transposes", 32, out, mem(a))
	got := decode[float32](out)
	for r := range 8 {
		for c := range 8 {
			if w := a[(1+c)*11+2+r]; got[r*8+c] != w {
				t.Fatalf("loaded transposed: element %d,%d is %g, want %g", r, c, got[r*8+c], w)
			}
			if w := a[c*11+r]; got[64+r*9+1+c] != w {
				t.Fatalf("stored transposed: element %d,%d is %g, want %g", r, c, got[64+r*9+1+c], w)
			}
		}
	}
}

func TestSimdgroupMatrixFillsAndDiagonals(t *testing.T) {
	out := make([]byte, 192*4)
	runOne(t, "filled", 32, out)
	got := decode[float32](out)
	for i := range 64 {
		diagonal := float32(0)
		if i%9 == 0 {
			diagonal = 3
		}
		if got[i] != 7.5 || got[64+i] != diagonal || got[128+i] != 3 {
			t.Fatalf("element %d: %g, %g, %g", i, got[i], got[64+i], got[128+i])
		}
	}
}

func TestThreadElementsFollowTheLaneLayout(t *testing.T) {
	a := floats(64, 103)
	out := make([]byte, 160*4)
	runOne(t, "elements", 32, out, mem(a))
	got := decode[float32](out)
	for lane := range 32 {
		q := lane / 4
		row, col := q&4+lane/2%4, q&2*2+lane%2*2
		x, y := a[row*8+col], a[row*8+col+1]
		if got[lane*2] != x || got[lane*2+1] != y {
			t.Fatalf("lane %d holds %g, %g, want %g, %g", lane, got[lane*2], got[lane*2+1], x, y)
		}
		x, y = 2*x, y+100
		if got[64+row*8+col] != x || got[64+row*8+col+1] != y || got[128+lane] != x+y {
			t.Fatalf("lane %d's elements were written wrongly", lane)
		}
	}
}

func TestSimdgroupMatricesOfThreadgroupMemoryInArrays(t *testing.T) {
	a := make([]uint16, 320)
	for i := range a {
		a[i] = num.F32ToF16(float32(i))
	}
	out := make([]byte, 640)
	runOne(t, "through_threadgroup", 64, out, mem(a))
	got := decode[uint16](out)
	for i := range a {
		c := i % 20
		w := a[i]
		if c < 16 {
			w = a[i-c+(c+8)%16]
		}
		if got[i] != w {
			t.Fatalf("element %d is %g, want %g", i, num.F16ToF32(got[i]), num.F16ToF32(w))
		}
	}
}

func TestSimdgroupMatrixResultMayBeAnOperand(t *testing.T) {
	a := make([]float32, 128)
	for i := range a {
		a[i] = float32(i*7%5 - 2)
	}
	product := func(x, y []float32, i int) (s float32) {
		for k := range 8 {
			s += x[i&^7+k] * y[k*8+i%8]
		}
		return s
	}
	out := make([]byte, 256*4)
	runOne(t, "aliased", 32, out, mem(a))
	got := decode[float32](out)
	x, y := a[:64], a[64:]
	for i := range 64 {
		for j, w := range []float32{product(x, y, i), product(y, y, i), product(x, y, i) + y[i], product(x, x, i) + x[i]} {
			if g := got[j*64+i]; g != w {
				t.Fatalf("product %d, element %d: got %g, want %g", j, i, g, w)
			}
		}
	}
}

func TestArraysOfSimdgroupMatricesAreIndexedAtRunTime(t *testing.T) {
	const n = 4
	a := make([]float32, n*64)
	for i := range a {
		a[i] = float32(i%7 - 3)
	}
	x := append([]float32(nil), a...)
	for j := range n { // columns of one parity are the elements 0, the others the elements 1
		m := x[(n-1-j)*64:][:64]
		for e := range m {
			if e%2 == j%2 {
				m[e] *= 2
			}
		}
	}
	for j := range n - 1 {
		left, right, sum := x[(j+1)*64:][:64], append([]float32(nil), x[:64]...), x[j*64:][:64]
		for r := range 8 {
			for c := range 8 {
				for k := range 8 {
					sum[r*8+c] += float32(left[r*8+k] * right[k*8+c])
				}
			}
		}
	}
	out, want := make([]byte, 4*n*64), mem(x)
	runOne(t, "indexed", 32, out, mem(a), mem([]uint32{n}))
	for i := range out {
		if out[i] != want[i] {
			t.Fatalf("element %d of matrix %d is wrong: want %g", i/4%64, i/256, x[i/4])
		}
	}
}
