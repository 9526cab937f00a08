package mtl

import (
	"slices"
	"testing"
)

const boundKernel = `#include <metal_stdlib>
using namespace metal;
struct Params { float scale; uint n; };
kernel void bound(device float4 *out [[buffer(2)]], constant Params &p [[buffer(0)]], device const uchar *idle [[buffer(5)]],
                  device atomic_uint *count [[buffer(1)]], threadgroup half *tile [[threadgroup(3)]],
                  uint i [[thread_position_in_grid]])
{
    if (i < p.n) {
        tile[0] = half(p.scale);
        out[i] = float4(tile[0]);
        atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    }
}
`

func TestAPipelineTellsItsBindings(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource(boundKernel, nil))(t)
		defer l.Release()
		f := must(l.NewFunction("bound"))(t)
		defer f.Release()
		p, all, err := d.NewComputePipelineStateWithReflection(&ComputePipelineDescriptor{ComputeFunction: f, Label: "b"})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Release()
		if p.Label() != "b" || p.ThreadExecutionWidth() != 32 {
			t.Errorf("pipeline %q of width %d", p.Label(), p.ThreadExecutionWidth())
		}
		want := []Binding{
			{Name: "p", Index: 0, Used: true, Argument: true, BufferDataType: DataTypeStruct, BufferDataSize: 8, BufferAlignment: 4},
			{Name: "count", Index: 1, Access: BindingAccessReadWrite, Used: true, Argument: true, BufferDataType: DataTypeUInt, BufferDataSize: 4, BufferAlignment: 4},
			{Name: "out", Index: 2, Access: BindingAccessReadWrite, Used: true, Argument: true, BufferDataType: DataTypeFloat4, BufferDataSize: 16, BufferAlignment: 16},
			{Name: "idle", Index: 5, Argument: true, BufferDataType: DataTypeUChar, BufferDataSize: 1, BufferAlignment: 1},
			{Name: "tile", Index: 3, Type: BindingTypeThreadgroupMemory, Access: BindingAccessReadWrite, Used: true, Argument: true,
				ThreadgroupMemoryDataSize: 2, ThreadgroupMemoryAlignment: 2},
		}
		if !slices.Equal(all, want) {
			t.Errorf("bindings are\n%+v, want\n%+v", all, want)
		}
		_, all, err = d.NewComputePipelineStateWithReflection(nil)
		refused(t, err, "Device.NewComputePipelineStateWithReflection", "descriptor")
		if all != nil {
			t.Errorf("bindings of no pipeline: %v", all)
		}
	})
}
