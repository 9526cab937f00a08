package conformance

import (
	"math"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

func allConstants() []msl.ConstantValue {
	f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	neg := func(x int64) uint64 { return uint64(x) }
	return []msl.ConstantValue{
		constant(0, ir.Bool, 1), constant(1, ir.I8, neg(-100)), constant(2, ir.U8, 200), constant(3, ir.I16, neg(-30000)),
		constant(4, ir.U16, 60000), constant(5, ir.I32, neg(-123456)), constant(6, ir.U32, 0xff000000),
		constant(7, ir.F16, uint64(num.F32ToF16(0.625))), constant(8, ir.F32, f(-2.75)), constant(9, ir.I32, 1, neg(-2), 3),
		constant(10, ir.F32, f(1), f(2), f(3), f(4.5)), constant(11, ir.Bool, 1, 0),
	}
}

func TestFunctionConstantsOfEveryType(t *testing.T) {
	want := []float32{1, -100, 200, -30000, 60000, -123456, 0xff0000, 0.625, -2.75, 28, 3.5, 2, 7, -246911}
	expect(t, kernelOf(t, "constants.metal", "all_types", allConstants()...), 40, 14, func(int) []float32 { return want })
	with := append(allConstants(), constant(12, ir.I32, 55))
	want2 := append([]float32(nil), want...)
	want2[12] = 55
	expect(t, kernelOf(t, "constants.metal", "all_types", with...), 40, 14, func(int) []float32 { return want2 })
	byName := append(allConstants(), msl.ConstantValue{Name: "optional", Kind: ir.I32, Bits: []uint64{56}})
	want2[12] = 56
	expect(t, kernelOf(t, "constants.metal", "all_types", byName...), 40, 14, func(int) []float32 { return want2 })
}

func TestFunctionConstantsChooseBranches(t *testing.T) {
	run := func(want int32, c ...msl.ConstantValue) {
		t.Helper()
		expect(t, kernelOf(t, "constants.metal", "branches", c...), 40, 1, func(int) []int32 { return []int32{want} })
	}
	run(45, constant(0, ir.Bool, 1), constant(5, ir.I32, 10))
	run(-1, constant(0, ir.Bool, 0), constant(5, ir.I32, 10))
	run(2045, constant(0, ir.Bool, 1), constant(5, ir.I32, 10), constant(12, ir.I32, 2))
}

func TestArgumentUnderAFunctionConstantIsAbsentWithoutIt(t *testing.T) {
	a := corner[int32](40, 61)
	expect(t, kernelOf(t, "constants.metal", "optional_argument", constant(13, ir.Bool, 0)), 40, 1, func(i int) []int32 { return []int32{int32(i)} })
	expect(t, kernelOf(t, "constants.metal", "optional_argument", constant(13, ir.Bool, 1)), 40, 1, func(i int) []int32 { return []int32{int32(i) + a[i]} }, a)
	k, err := library(t, "constants.metal").Kernel("optional_argument", []msl.ConstantValue{constant(13, ir.Bool, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range k.Buffers {
		if b.Index == 1 {
			t.Error("buffer 1 is an argument although its function constant is false")
		}
	}
}

func TestMissingFunctionConstantIsAnError(t *testing.T) {
	if _, err := library(t, "constants.metal").Kernel("branches", nil); err == nil {
		t.Error("a kernel was made without the function constants it needs")
	}
	if _, err := library(t, "constants.metal").Kernel("branches", []msl.ConstantValue{constant(0, ir.I32, 1), constant(5, ir.I32, 1)}); err == nil {
		t.Error("an int value was taken for a bool function constant")
	}
}

func TestFunctionsListTheConstantsTheyUse(t *testing.T) {
	for _, f := range library(t, "constants.metal").Functions() {
		if f.Name != "branches" {
			continue
		}
		got := map[string]msl.FunctionConstant{}
		for _, c := range f.Constants {
			got[c.Name] = c
		}
		if c := got["flag"]; c.Index != 0 || c.Kind != ir.Bool || c.Lanes != 1 || !c.Required {
			t.Errorf("flag is described as %+v", c)
		}
		if c, ok := got["optional"]; !ok || c.Index != 12 || c.Required {
			t.Errorf("optional is described as %+v", c)
		}
		if _, ok := got["c_float4"]; ok {
			t.Error("a constant that the function does not use is listed")
		}
		return
	}
	t.Error("no function named branches")
}

func TestConstantData(t *testing.T) {
	expect(t, kernelOf(t, "constants.metal", "data"), 70, 7, func(i int) []float32 {
		weights, ids := []float32{0.5, 1.5, 2.5}, []float32{7, 8, 9}
		return []float32{[]float32{3, 1, 4, 1, 5}[i%5], float32(1 + 3*(i&1) + i%3), float32(2 + 2*(i&1)), weights[i%3] * ids[(i+1)%3], 8,
			[]float32{'a', 'z'}[i&1], 8}
	})
}
