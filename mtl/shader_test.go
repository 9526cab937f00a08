package mtl

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/puremetal/puremetal/soft"
	"github.com/puremetal/puremetal/soft/simt"
)

const shaders = `#include <metal_stdlib>
using namespace metal;

kernel void add(device const float *a [[buffer(0)]],
                device const float *b [[buffer(1)]],
                device float *out     [[buffer(2)]],
                constant float &scale [[buffer(3)]],
                uint i [[thread_position_in_grid]])
{
    out[i] = a[i] + scale * b[i];
}

kernel void shape(device uint *out [[buffer(0)]],
                  uint3 at    [[thread_position_in_grid]],
                  uint3 grid  [[threads_per_grid]],
                  uint3 group [[threads_per_threadgroup]])
{
    out[(at.z * grid.y + at.y) * grid.x + at.x] = group.x + 100 * group.y + 10000 * group.z;
}

constant int  bias [[function_constant(0)]];
constant bool twice [[function_constant(1)]];
constant bool doubled = is_function_constant_defined(twice) ? twice : false;

kernel void biased(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int v = int(i) + bias;
    if (doubled)
        v *= 2;
    out[i] = v;
}

kernel void reverse(device float *v [[buffer(0)]],
                    threadgroup float *t [[threadgroup(0)]],
                    uint i [[thread_position_in_grid]],
                    uint l [[thread_position_in_threadgroup]],
                    uint n [[threads_per_threadgroup]])
{
    t[l] = v[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    v[i] = t[n - 1 - l];
}

kernel void statics(device float *v [[buffer(0)]], uint l [[thread_position_in_threadgroup]])
{
    threadgroup float t[4096];
    t[l] = v[l];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    v[l] = t[l ^ 1];
}

[[max_total_threads_per_threadgroup(64)]]
kernel void limited(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i; }

kernel void slow(device uint *out [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    uint v = i;
    for (uint k = 0; k < n; k++)
        v = v * 1664525u + 1013904223u;
    out[i] = v;
}
`

// newPipeline makes a pipeline of a function of shaders. The caller releases it.
func newPipeline(t testing.TB, d *Device, desc ComputePipelineDescriptor, name string, constants ...FunctionConstant) *ComputePipelineState {
	t.Helper()
	l := must(d.NewLibraryWithSource(shaders, nil))(t)
	defer l.Release()
	f := must(l.NewFunction(name, constants...))(t)
	defer f.Release()
	desc.ComputeFunction = f
	return must(d.NewComputePipelineState(&desc))(t)
}

// filled gives a shared buffer of n numbers f(i). The caller releases it.
func filled[T Scalar](t testing.TB, d *Device, n int, f func(i int) T) *Buffer {
	t.Helper()
	b := must(d.NewBuffer(n*int(unsafe.Sizeof(*new(T))), StorageModeShared))(t)
	for i, c := 0, contentsOf[T](t, b); i < n; i++ {
		c[i] = f(i)
	}
	return b
}

func TestEverySetterBindsWhatTheKernelReads(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		const n, skip = 1000, 12
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{Label: "add"}, "add")
		a := filled(t, d, n+skip, func(i int) float32 { return float32(i) + 0.5 })
		b := filled(t, d, n+skip, func(i int) float32 { return float32(i%7) - 3 })
		out := filled(t, d, n+skip, func(int) float32 { return -1 })
		scale := float32(-2.5)
		if p.Label() != "add" || p.Device() != d || p.ThreadExecutionWidth() != 32 || p.MaxTotalThreadsPerThreadgroup() < 64 {
			t.Errorf("pipeline %q, width %d, %d threads", p.Label(), p.ThreadExecutionWidth(), p.MaxTotalThreadsPerThreadgroup())
		}
		dispatch := func(e *ComputeCommandEncoder) { e.DispatchThreads(Size{n, 1, 1}, Size{64, 1, 1}) }
		for name, c := range map[string]struct {
			shift int // of the operands, in floats
			f     func(e *ComputeCommandEncoder)
		}{
			"SetBuffer": {0, func(e *ComputeCommandEncoder) {
				e.SetBuffer(a, 0, 0)
				e.SetBuffer(b, 0, 1)
				e.SetBuffer(out, 0, 2)
				SetValue(e, &scale, 3)
				dispatch(e)
			}},
			"offsets": {5, func(e *ComputeCommandEncoder) {
				e.SetBuffer(a, 20, 0)
				e.SetBuffer(b, 20, 1)
				e.SetBuffer(out, 20, 2)
				SetValue(e, &scale, 3)
				dispatch(e)
			}},
			"SetBuffers": {3, func(e *ComputeCommandEncoder) {
				e.SetBuffers([]*Buffer{a, b, out}, []int{12, 12, 12}, 0)
				e.SetBytes([]byte{0, 0, 0x20, 0xc0}, 3)
				dispatch(e)
			}},
			"SetBufferOffset": {12, func(e *ComputeCommandEncoder) {
				e.SetBuffers([]*Buffer{a, b, out}, []int{0, 0, 0}, 0)
				for i := range 3 {
					e.SetBufferOffset(48, i)
				}
				SetValue(e, &scale, 3)
				dispatch(e)
			}},
			"DispatchThreadgroups": {0, func(e *ComputeCommandEncoder) {
				e.SetBuffers([]*Buffer{a, b, out}, []int{0, 0, 0}, 0)
				SetValue(e, &scale, 3)
				e.DispatchThreadgroups(Size{n / 50, 1, 1}, Size{50, 1, 1})
			}},
			"a second dispatch with other bytes": {0, func(e *ComputeCommandEncoder) {
				e.SetBuffers([]*Buffer{a, b, out}, []int{0, 0, 0}, 0)
				wrong := float32(9)
				SetValue(e, &wrong, 3)
				dispatch(e)
				SetValue(e, &scale, 3)
				dispatch(e)
				SetValue(e, &wrong, 3)
			}},
		} {
			t.Run(name, func(t *testing.T) {
				x, y, got := contentsOf[float32](t, a), contentsOf[float32](t, b), contentsOf[float32](t, out)
				for i := range got {
					got[i] = -1
				}
				if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
					e.SetComputePipelineState(p)
					c.f(e)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				for i := range got {
					want := float32(-1)
					if i >= c.shift && i < c.shift+n {
						want = x[i] + scale*y[i] // exact: small integers and halves
					}
					if got[i] != want {
						t.Fatalf("element %d is %v, want %v", i, got[i], want)
					}
				}
			})
		}
		for _, o := range []interface{ Release() }{q, p, a, b, out} {
			o.Release()
		}
	})
}

func TestDispatchThreadsCutsTheThreadgroupsAtTheEnds(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		grid, group := Size{10, 5, 3}, Size{4, 3, 2}
		out := must(d.NewBuffer(4*grid.Width*grid.Height*grid.Depth, StorageModeShared))(t)
		if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetComputePipelineState(p)
			e.SetBuffer(out, 0, 0)
			e.DispatchThreads(grid, group)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		got := contentsOf[uint32](t, out)
		size := func(at, grid, group int) uint32 { return uint32(min(group, grid-at/group*group)) }
		for i := range got {
			x, y, z := i%grid.Width, i/grid.Width%grid.Height, i/grid.Width/grid.Height
			want := size(x, grid.Width, group.Width) + 100*size(y, grid.Height, group.Height) + 10000*size(z, grid.Depth, group.Depth)
			if got[i] != want {
				t.Errorf("thread (%d, %d, %d) is in a threadgroup %d, want %d", x, y, z, got[i], want)
			}
		}
		q.Release()
		p.Release()
		out.Release()
	})
}

func TestFunctionConstantsSpecialiseAFunction(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		out := must(d.NewBuffer(4*64, StorageModeShared))(t)
		for _, c := range []struct {
			constants []FunctionConstant
			want      int32
		}{
			{[]FunctionConstant{ConstantInt32(0, -7)}, 63 - 7},
			{[]FunctionConstant{ConstantInt32(0, 10), ConstantBool(1, true)}, (63 + 10) * 2},
			{[]FunctionConstant{ConstantInt32(0, 10), ConstantBool(1, false), ConstantFloat32(99, 1)}, 63 + 10},
		} {
			p := newPipeline(t, d, ComputePipelineDescriptor{}, "biased", c.constants...)
			if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
				e.SetComputePipelineState(p)
				e.SetBuffer(out, 0, 0)
				e.DispatchThreads(Size{64, 1, 1}, Size{32, 1, 1})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if got := contentsOf[int32](t, out)[63]; got != c.want {
				t.Errorf("%v: got %d, want %d", c.constants, got, c.want)
			}
			p.Release()
		}
		l := must(d.NewLibraryWithSource(shaders, nil))(t)
		_, err := l.NewFunction("biased")
		var compile *CompileError
		if !errors.As(err, &compile) {
			t.Errorf("without its constant: %v", err)
		}
		_, err = l.NewFunction("biased", ConstantInt32(-1, 3))
		refused(t, err, "Library.NewFunction", "constants")
		_, err = l.NewFunction("biased", FunctionConstant{})
		refused(t, err, "Library.NewFunction", "constants")
		for _, constants := range [][]FunctionConstant{nil, {ConstantInt32(0, 1)}} {
			var missing *FunctionNotFoundError
			if _, err = l.NewFunction("nothing", constants...); !errors.As(err, &missing) || missing.Name != "nothing" || !slices.Contains(missing.Available, "biased") {
				t.Errorf("a function that is not there: %v", err)
			}
		}
		names := l.FunctionNames()
		slices.Sort(names)
		if !slices.Equal(names, []string{"add", "biased", "limited", "reverse", "shape", "slow", "statics"}) {
			t.Errorf("functions are %v", names)
		}
		f := must(l.NewFunction("add"))(t)
		if f.Name() != "add" || f.Device() != d || l.Device() != d {
			t.Errorf("function %q", f.Name())
		}
		f.SetLabel("f")
		l.SetLabel("l")
		if f.Label() != "f" || l.Label() != "l" {
			t.Errorf("labels %q, %q", f.Label(), l.Label())
		}
		l.Release()
		if _, err := l.NewFunction("add"); !errors.Is(err, ErrReleased) {
			t.Errorf("released library: %v", err)
		}
		p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
		p.Release()
		f.Release()
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f})
		refused(t, err, "Device.NewComputePipelineState", "ComputeFunction")
		_, err = d.NewComputePipelineState(nil)
		refused(t, err, "Device.NewComputePipelineState", "descriptor")
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{})
		refused(t, err, "Device.NewComputePipelineState", "ComputeFunction")
		q.Release()
		out.Release()
	})
}

func TestACompileErrorHasItsPositions(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		_, err := d.NewLibraryWithSource("#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float *v [[buffer(0)]])\n{\n    v[0] = missing;\n}\n", nil)
		var e *CompileError
		if !errors.As(err, &e) {
			t.Fatalf("got %v", err)
		}
		if e.Domain != "MTLLibraryErrorDomain" || e.Code != 3 || !strings.Contains(e.Text, "missing") {
			t.Errorf("domain %s, code %d, text %q", e.Domain, e.Code, e.Text)
		}
		if len(e.Diagnostics) == 0 {
			t.Fatalf("no diagnostics in %q", e.Text)
		}
		if g := e.Diagnostics[0]; g.File != "program_source" || g.Line != 5 || g.Column != 12 || g.Severity != SeverityError || !strings.Contains(g.Text, "missing") {
			t.Errorf("diagnostic %+v", g)
		}
		_, err = d.NewLibraryWithSource("", &CompileOptions{MathMode: 3})
		refused(t, err, "Device.NewLibraryWithSource", "MathMode")
	})
}

func TestMacrosAndTheLanguageVersionReachTheCompiler(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		src := `#if __METAL_VERSION__ < 310 || N != 4 + 4
#error options are lost
#endif
kernel void k(device int *v [[buffer(0)]]) { v[0] = N; }`
		l, err := d.NewLibraryWithSource(src, &CompileOptions{MathMode: MathModeFast, PreprocessorMacros: map[string]string{"N": "8"}})
		if err != nil {
			t.Fatal(err)
		}
		l.Release()
		if _, err = d.NewLibraryWithSource(src, nil); err == nil {
			t.Error("N is defined without a macro")
		}
	})
}

func TestThreadgroupMemoryIsWhatTheEncoderSets(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "reverse")
		v := filled(t, d, 96, func(i int) float32 { return float32(i) + 0.25 })
		if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetComputePipelineState(p)
			e.SetBuffer(v, 0, 0)
			e.SetThreadgroupMemoryLength(16*4, 0)
			e.DispatchThreadgroups(Size{6, 1, 1}, Size{16, 1, 1})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i, got := range contentsOf[float32](t, v) {
			if want := float32(i/16*16+15-i%16) + 0.25; got != want {
				t.Errorf("element %d is %v, want %v", i, got, want)
			}
		}
		q.Release()
		p.Release()
		v.Release()
	})
}

func TestADispatchOverTheLimitsIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		limited := newPipeline(t, d, ComputePipelineDescriptor{}, "limited")
		narrow := newPipeline(t, d, ComputePipelineDescriptor{MaxTotalThreadsPerThreadgroup: 32}, "shape")
		whole := newPipeline(t, d, ComputePipelineDescriptor{ThreadgroupSizeIsMultipleOfThreadExecutionWidth: true}, "shape")
		statics := newPipeline(t, d, ComputePipelineDescriptor{}, "statics")
		gone := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		gone.Release()
		if n := limited.MaxTotalThreadsPerThreadgroup(); n != 64 {
			t.Errorf("limited to %d threads", n)
		}
		if n := narrow.MaxTotalThreadsPerThreadgroup(); n != 32 {
			t.Errorf("narrowed to %d threads", n)
		}
		if n := statics.StaticThreadgroupMemoryLength(); n < 16384 {
			t.Errorf("%d bytes of static threadgroup memory", n)
		}
		one, most := Size{1, 1, 1}, d.MaxThreadsPerThreadgroup()
		free := d.MaxThreadgroupMemoryLength() - statics.StaticThreadgroupMemoryLength()
		for _, c := range []struct {
			op, arg string
			p       *ComputePipelineState
			f       func(e *ComputeCommandEncoder)
		}{
			{"DispatchThreadgroups", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(Size{0, 1, 1}, one) }},
			{"DispatchThreadgroups", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(Size{1, 1, -1}, one) }},
			{"DispatchThreadgroups", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(Size{1 << 30, 1, 1}, Size{4, 1, 1}) }},
			{"DispatchThreads", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(Size{1, 0, 1}, one) }},
			{"DispatchThreads", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(Size{1 << 32, 1, 1}, one) }},
			{"DispatchThreads", "grid", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(Size{math.MaxInt, 1, 1}, one) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, Size{}) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, Size{1, 1, -1}) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, Size{33, 1, 1}) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, Size{4, 3, 3}) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, most) }},
			{"DispatchThreads", "threadgroup", narrow, func(e *ComputeCommandEncoder) { e.DispatchThreads(one, Size{math.MaxInt, math.MaxInt, 2}) }},
			{"DispatchThreadgroups", "threadgroup", limited, func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(one, Size{65, 1, 1}) }},
			{"DispatchThreadgroups", "threadgroup", whole, func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(one, Size{16, 3, 1}) }},
			{"DispatchThreadgroups", "threadgroup memory", statics, func(e *ComputeCommandEncoder) {
				e.SetThreadgroupMemoryLength(16, 0)
				e.SetThreadgroupMemoryLength(free, 0)
				e.SetThreadgroupMemoryLength(16, 1)
				e.DispatchThreadgroups(one, one)
			}},
			{"SetComputePipelineState", "pipeline", gone, func(e *ComputeCommandEncoder) {}},
		} {
			err := encode(t, q, func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(c.p)
				c.f(e)
			})
			refused(t, err, "ComputeCommandEncoder."+c.op, c.arg)
		}
		if err := encode(t, q, func(e *ComputeCommandEncoder) {
			e.SetComputePipelineState(statics)
			e.SetThreadgroupMemoryLength(free, 0)
			e.SetThreadgroupMemoryLength(free, 0)
			e.DispatchThreadgroups(one, Size{64, 1, 1})
			e.SetComputePipelineState(whole)
			e.DispatchThreadgroups(one, Size{16, 2, 1})
			e.DispatchThreadgroups(Size{1 << 22, 1, 1}, Size{32, 1, 1})
		}); err != nil {
			t.Errorf("at the limits: %v", err)
		}
		for _, o := range []interface{ Release() }{q, limited, narrow, whole, statics} {
			o.Release()
		}
	})
}

func TestAFaultFailsItsCommandBufferAndNoOther(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a GPU may read and write outside of a buffer")
		}
		defer soft.SetChecks(soft.SetChecks(simt.CheckAll))
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "add")
		a := filled(t, d, 64, func(i int) float32 { return float32(i) })
		short := must(d.NewBuffer(4*60, StorageModeShared))(t)
		scale := float32(2)
		add := func(out *Buffer) (*CommandBuffer, error) {
			c := must(q.NewCommandBuffer())(t)
			c.SetLabel("adding")
			e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
			e.SetLabel("sum")
			e.SetComputePipelineState(p)
			e.SetBuffers([]*Buffer{a, a, out}, []int{0, 0, 0}, 0)
			SetValue(e, &scale, 3)
			e.DispatchThreads(Size{64, 1, 1}, Size{32, 1, 1})
			return c, errors.Join(e.EndEncoding(), c.Commit())
		}
		bad, err := add(short)
		if err != nil {
			t.Fatal(err)
		}
		out := must(d.NewBuffer(4*64, StorageModeShared))(t)
		good, err := add(out)
		if err != nil {
			t.Fatal(err)
		}
		err = bad.WaitUntilCompleted()
		var e *CommandBufferError
		if !errors.As(err, &e) {
			t.Fatalf("got %v", err)
		}
		if e.Domain != "MTLCommandBufferErrorDomain" || e.Code != CommandBufferErrorPageFault || e.Label != "adding" {
			t.Errorf("error %+v", e)
		}
		for _, part := range []string{"kernel add", "program_source:10:", "thread (60, 0, 0)", "buffer(2)", "out", `encoder "sum"`} {
			if !strings.Contains(e.Description, part) {
				t.Errorf("description %q lacks %q", e.Description, part)
			}
		}
		if bad.Status() != CommandBufferStatusError || bad.Error() == nil || !strings.Contains(err.Error(), "page fault") {
			t.Errorf("status %s, error %v", bad.Status(), err)
		}
		if err := good.WaitUntilCompleted(); err != nil {
			t.Error(err)
		}
		if got := contentsOf[float32](t, out)[63]; got != 63*3 {
			t.Errorf("the next command buffer gives %v", got)
		}
		for _, o := range []interface{ Release() }{q, p, a, short, out, bad, good} {
			o.Release()
		}
	})
}

func TestEncodingADispatchAllocatesNothing(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("allocations inside a driver are not ours to count")
		}
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "add")
		b := must(d.NewBuffer(4096, StorageModeShared))(t)
		buffers, offsets := []*Buffer{b, b, b}, []int{0, 256, 512}
		if err := encode(t, q, func(e *ComputeCommandEncoder) {
			if n := testing.AllocsPerRun(1000, func() {
				scale := float32(2)
				e.SetComputePipelineState(p)
				e.SetBuffers(buffers, offsets, 0)
				e.SetBuffer(b, 128, 1)
				SetValue(e, &scale, 3)
				e.DispatchThreads(Size{64, 1, 1}, Size{32, 1, 1})
				e.DispatchThreadgroups(Size{2, 1, 1}, Size{32, 1, 1})
			}); n != 0 {
				t.Errorf("a dispatch allocates %v times", n)
			}
		}); err != nil {
			t.Error(err)
		}
		for _, o := range []interface{ Release() }{q, p, b} {
			o.Release()
		}
	})
}

func TestRunGoesOnWithoutACancelledCaller(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		out := must(d.NewBuffer(4*1024, StorageModeShared))(t)
		rounds := uint32(1 << 20)
		if !d.IsSoftware() {
			rounds = 1 << 26
		}
		want := uint32(3)
		for range rounds {
			want = want*1664525 + 1013904223
		}
		got := uint32(0)
		// On a busy machine the deadline may come before the commit: then nothing runs, and a longer one is tried.
		for patience := 5 * time.Millisecond; got == 0 && patience < time.Second; patience *= 2 {
			p := newPipeline(t, d, ComputePipelineDescriptor{}, "slow")
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			err := q.Run(ctx, func(e *ComputeCommandEncoder) error {
				e.SetComputePipelineState(p)
				e.SetBuffer(out, 0, 0)
				SetValue(e, &rounds, 1)
				e.DispatchThreads(Size{32, 1, 1}, Size{32, 1, 1})
				return nil
			})
			cancel()
			p.Release()
			if err != context.DeadlineExceeded {
				t.Errorf("got %v", err)
			}
			// What comes later in the queue runs behind it.
			if err := q.Run(context.Background(), func(*ComputeCommandEncoder) error { return nil }); err != nil {
				t.Error(err)
			}
			got = contentsOf[uint32](t, out)[3]
		}
		if got != want {
			t.Errorf("got %d, want %d", got, want)
		}
		out.Release()
		q.Release()
		time.Sleep(20 * time.Millisecond) // the goroutine that kept the command buffer lets go of it
	})
}

func TestPipelinesAreSharedByGoroutines(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "biased", ConstantInt32(0, 5))
		var wait sync.WaitGroup
		for g := range 6 {
			wait.Go(func() {
				out := must(d.NewBuffer(4*256, StorageModeShared))(t)
				defer out.Release()
				for range 5 {
					if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
						e.SetComputePipelineState(p)
						e.SetBuffer(out, 0, 0)
						e.DispatchThreads(Size{256 - g, 1, 1}, Size{64, 1, 1})
						return nil
					}); err != nil {
						t.Error(err)
					}
				}
				v := contentsOf[int32](t, out)
				if v[255-g] != int32(255-g+5) || g > 0 && v[256-g] != 0 {
					t.Errorf("goroutine %d: %v", g, v[250:])
				}
			})
		}
		wait.Wait()
		p.Release()
		q.Release()
	})
}
