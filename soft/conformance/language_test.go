package conformance

import (
	"math"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
)

func TestPointersAndStructsOfPointers(t *testing.T) {
	const n = 70
	a := corner[int32](n+6, 181)
	expect(t, kernelOf(t, "language.metal", "pointers"), n, 12, func(i int) []int32 {
		e := i &^ 1
		row := int32(2)
		if i&1 == 1 {
			row = 5
		}
		return []int32{a[i] + 2*(a[i+1]+a[i+2]+a[i+3]), a[i+2], a[i] + a[i+1], 23, a[i+2] + a[i+1], a[e] + a[e+3], a[i], int32(i) + row,
			max(a[i], a[i+1]), 7, 3, 3}
	}, a)
}

func TestOperatorsOfStructs(t *testing.T) {
	expect(t, kernelOf(t, "language.metal", "operators"), 70, 4, func(i int) []float32 {
		re, im := float32(2*i-3), float32(3*i+2)
		return []float32{re - 2, im - 3, 2 * (re - 2), 2}
	})
}

func TestDeclarations(t *testing.T) {
	expect(t, kernelOf(t, "language.metal", "declarations"), 70, 16, func(i int) []int32 {
		x := int32(i)
		bit := x >> 2 & 1
		cond := x*1000 + 100
		if x > 5 {
			cond = 100*1000 + x
		}
		return []int32{6, x%3 + 1 + 10, int32(float32(i)*0.5 + 2), 3 + 3 + 8 + 400 + 7000, 51, 6, 3, 3 * (x + 1), 90, 6 * x, 4 + (5+x)*10 + 30000,
			bit + 20 - 10*bit + 1, cond, int32(uint32(1)<<(i&31)>>1) - 4 + 15, int32(int8(300 + i)), 7}
	})
}

func TestNumericLimitsAndConstants(t *testing.T) {
	inf := float32(math.Inf(1))
	want := []float32{math.MaxFloat32, -math.MaxFloat32, 0x1p-126, inf, 0x1p-23, 65504, math.MinInt32, 255, num.BF16ToF32(0x7f7f), inf, -inf, 1,
		math.MaxFloat32, 65504, 1, math.Pi, 1, -32768, num.RoundF16(math.Sqrt2), math.MaxFloat32}
	expect(t, kernelOf(t, "language.metal", "limits"), 3, 20, func(int) []float32 { return want })
}

func TestLiterals(t *testing.T) {
	sum := num.RoundF16(num.RoundF16(0.1) + num.RoundF16(0.2))
	want := []float32{1e-3, 1.5, 12, num.RoundF16(3.3), 16777216, float32(math.Inf(1)), 6.5, -1, 1, sum}
	expect(t, kernelOf(t, "language.metal", "literals"), 3, 10, func(int) []float32 { return want })
}

func TestConditionalOfLvaluesIsAnLvalue(t *testing.T) {
	k := lower(t, compileText(t, `
kernel void k(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int u = int(i), z = -u;
    (u > 5 ? u : z) = 100;
    (u == 3 ? out[2 * i] : out[2 * i + 1]) += 7;
    out[2 * i] += u; out[2 * i + 1] += z;
}`), "k")
	expect(t, k, 40, 2, func(i int) []int32 {
		w := []int32{int32(i), 100}
		if i > 5 {
			w = []int32{100, int32(-i)}
		}
		if i == 3 {
			w[0] += 7
		} else {
			w[1] += 7
		}
		return w
	})
}

func TestUnions(t *testing.T) {
	const n = 40
	a := corner[uint32](n, 191)
	for i := range a {
		a[i] &= 0x7effffff // no NaN: what a copy of one keeps is not promised
	}
	expect(t, kernelOf(t, "language.metal", "unions"), n, 5, func(i int) []uint32 {
		f := math.Float32bits(1 + float32(i&1))
		return []uint32{f, f | uint32(i), uint32(i) | 7<<16, a[i]>>(8*(i&3))&0xff + 4000, a[i]&0xffff + a[i]}
	}, a)
}
