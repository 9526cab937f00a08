package conformance

import (
	"slices"
	"testing"
)

func TestTemplates(t *testing.T) {
	expect(t, kernelOf(t, "templates.metal", "functions"), 70, 24, func(i int) []int32 {
		x := int32(i)
		c := x % 10
		m := x % 5
		return []int32{2 * x, 7, 3, c * c * c, (5*x+10)*10 + 3, 100 + m*(m+1)/2, 100 - m*(m+1)/2, 21, 12, 402, 70, 4, 1, 2, 3, 42, 6 + x,
			(x+1)*1000 + x - 1, 12, 55, 10, 24, 12, 2}
	})
}

func TestInstantiatedKernelsBearTheirHostNames(t *testing.T) {
	a := corner[int32](70, 51)
	f := floats(70, 52)
	s := corner[int16](70, 53)
	u := corner[uint8](70, 54)
	expect(t, kernelOf(t, "templates.metal", "scale_int_3"), 70, 1, func(i int) []int32 { return []int32{a[i] * 3} }, a)
	expect(t, kernelOf(t, "templates.metal", "scale_float_5"), 70, 1, func(i int) []float32 { return []float32{f[i] * 5} }, f)
	expect(t, kernelOf(t, "templates.metal", "scale_short_2"), 70, 1, func(i int) []int16 { return []int16{s[i] * 2} }, s)
	expect(t, kernelOf(t, "templates.metal", "scale_uchar_2"), 70, 1, func(i int) []uint8 { return []uint8{u[i] * 2} }, u)
	expect(t, kernelOf(t, "templates.metal", "negate_int"), 70, 1, func(i int) []int32 { return []int32{-a[i]} }, a)
	expect(t, kernelOf(t, "templates.metal", "add_one_int"), 70, 1, func(i int) []int32 { return []int32{a[i] + 1} }, a)
	var names []string
	for _, f := range library(t, "templates.metal").Functions() {
		names = append(names, f.Name)
	}
	want := []string{"functions", "scale_int_3", "scale_float_5", "scale_short_2", "scale_uchar_2", "negate_int", "add_one_int"}
	if !slices.Equal(names, want) {
		t.Errorf("the library lists %q, want %q", names, want)
	}
	if _, err := library(t, "templates.metal").Kernel("scale", nil); err == nil {
		t.Error("the template itself is a kernel of the library")
	}
}
