package mtl

import (
	"errors"
	"slices"
	"testing"
)

const constantKernels = `#include <metal_stdlib>
using namespace metal;
constant int bias [[function_constant(7)]];
constant half2 pair [[function_constant(3)]];
constant bool twice [[function_constant(5)]];
constant bool doubled = is_function_constant_defined(twice) ? twice : false;
kernel void biased(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[i] = (doubled ? 2 : 1) * bias;
}
kernel void paired(device half2 *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = pair; }
kernel void none(device int *out [[buffer(0)]]) { out[0] = 1; }
`

func TestALibraryDescribesTheConstantsOfItsFunctions(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource(constantKernels, nil))(t)
		defer l.Release()
		for name, want := range map[string][]FunctionConstantInfo{
			"biased": {{"twice", 5, DataTypeBool, false}, {"bias", 7, DataTypeInt, true}},
			"paired": {{"pair", 3, DataTypeHalf2, true}},
			"none":   nil,
		} {
			if got := must(l.FunctionConstants(name))(t); !slices.Equal(got, want) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
		_, err := l.FunctionConstants("missing")
		var e *FunctionNotFoundError
		if !errors.As(err, &e) || e.Name != "missing" || len(e.Available) != 3 {
			t.Errorf("a function that is not there: %v", err)
		}
	})
}

func TestAFunctionComesFromADescriptorUnderItsSpecialisedName(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource(constantKernels, nil))(t)
		defer l.Release()
		f := must(l.NewFunctionWithDescriptor(&FunctionDescriptor{
			Name: "biased", SpecializedName: "biased_by_21", Constants: []FunctionConstant{ConstantInt32(7, 21), ConstantBool(5, true)},
		}))(t)
		defer f.Release()
		if f.Name() != "biased_by_21" || f.Type() != FunctionTypeKernel || f.Device() != d {
			t.Errorf("name %q, type %d", f.Name(), f.Type())
		}
		p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
		defer p.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		out := newBuffer(t, d, 8)
		defer out.Release()
		if err := q.Run(t.Context(), func(e *ComputeCommandEncoder) error {
			e.SetComputePipelineState(p)
			e.SetBuffer(out, 0, 0)
			e.DispatchThreads(Size{2, 1, 1}, Size{2, 1, 1})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[int32](t, out); v[0] != 42 || v[1] != 42 {
			t.Errorf("kernel wrote %v", v)
		}
		plain := must(l.NewFunctionWithDescriptor(&FunctionDescriptor{Name: "none"}))(t)
		if plain.Name() != "none" {
			t.Errorf("name %q", plain.Name())
		}
		plain.Release()
	})
}

func TestDescriptorsThatNoFunctionCanBeMadeFromAreErrors(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const op = "Library.NewFunctionWithDescriptor"
		l := must(d.NewLibraryWithSource(constantKernels, nil))(t)
		make := func(desc *FunctionDescriptor) error {
			f, err := l.NewFunctionWithDescriptor(desc)
			if f != nil {
				t.Errorf("%+v makes a function", desc)
			}
			return err
		}
		refused(t, make(nil), op, "descriptor")
		refused(t, make(&FunctionDescriptor{}), op, "Name")
		refused(t, make(&FunctionDescriptor{Name: "biased", Constants: []FunctionConstant{{}}}), op, "constants")
		refused(t, make(&FunctionDescriptor{Name: "none", Options: FunctionOptionPipelineIndependent}), op, "Options")
		refused(t, make(&FunctionDescriptor{Name: "none", BinaryArchives: []*BinaryArchive{nil}}), op, "BinaryArchives")
		isUnsupported(t, make(&FunctionDescriptor{Name: "none", Options: FunctionOptionCompileToBinary}), op)
		var missing *FunctionNotFoundError
		if err := make(&FunctionDescriptor{Name: "missing"}); !errors.As(err, &missing) {
			t.Errorf("a function that is not there: %v", err)
		}
		var failed *CompileError
		if err := make(&FunctionDescriptor{Name: "biased"}); !errors.As(err, &failed) || failed.Op != op {
			t.Errorf("a constant that is not given: %v", err)
		}
		l.Release()
		refused(t, make(&FunctionDescriptor{Name: "none"}), op, "library")
	})
}
