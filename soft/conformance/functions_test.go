package conformance

import "testing"

func TestFunctionCalls(t *testing.T) {
	const n = 70
	a := corner[int32](n+1, 41)
	c := []int32{1234}
	run := func(kernel string, per int, want func(i int) []int32, in ...any) {
		t.Run(kernel, func(t *testing.T) { expect(t, kernelOf(t, "functions.metal", kernel), n, per, want, in...) })
	}
	run("calls", 6, func(i int) []int32 {
		x := int32(i)
		y := x + 5
		return []int32{(2*x+y)*10 + y, 1 + 3*10 + 8*100 + 9*1000, a[i] * 3, 1240, 3 + x, a[max(i, 1)] * 3}
	}, a, c)
	run("spaces", 5, func(i int) []int32 {
		return []int32{1000 + a[i], 3234, 3009, 4005, 2010 + int32(i&3)*10}
	}, a, c)
	run("structs", 4, func(i int) []int32 {
		return []int32{101, int32(i) - 1, int32(i) + 101, 99 + int32(i)}
	})
	run("methods", 1, func(i int) []int32 { return []int32{int32(i) + 6 + 4} })
	early := func(x int) int {
		for j := range 10 {
			if x+j > 12 {
				return j
			}
			if x == 3 {
				break
			}
		}
		if x < 2 {
			return -1
		}
		return -2
	}
	nested := func(x int) int { return early(x)*10 + early(x+1) }
	run("returns", 1, func(i int) []int32 {
		x := i % 16
		if x > 8 {
			return []int32{int32(nested(x) + early(x-8))}
		}
		return []int32{int32(nested(x) + nested(x+2))}
	})
	run("names", 4, func(i int) []int32 {
		return []int32{int32(i)*100 + 34, 124, int32(i+1)*2 + 6, 2 + 6}
	})
	run("overloads", 28, func(int) []int32 {
		return []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 1, 1, 1, 2, 4, 3, 4, 5, 1, 3, 3, 3, 1, 1, 1, 2, 1}
	})
	run("reference_overloads", 3, func(int) []int32 { return []int32{1, 2, 2} })
}
