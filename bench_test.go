package puremetal_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/shaders"
	"github.com/puremetal/puremetal/soft"
	"github.com/puremetal/puremetal/soft/simt"
)

// The kernels that the engine's figures are about: nothing but the work in question.
const benchSource = `
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// Sixteen operations a lane and round, none of them on memory: the cost of an operation on a lane.
kernel void elementwise(device float* x [[buffer(0)]], constant uint& rounds [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    float a = x[i];
    for (uint r = 0; r < rounds; r++) {
        a = a * 0.5f + 1.0f; a = a * 0.25f + 2.0f; a = a * 0.5f + 3.0f; a = a * 0.25f + 1.5f;
        a = a * 0.5f + 1.0f; a = a * 0.25f + 2.0f; a = a * 0.5f + 3.0f; a = a * 0.25f + 1.5f;
    }
    x[i] = a;
}

// c = a b, square, n a multiple of 32: a simdgroup makes 32 rows by 8 columns. Loads and conversion are part of the work.
kernel void matrix_multiply(
    const device bfloat* a [[buffer(0)]], const device bfloat* b [[buffer(1)]], device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
    uint2 group [[threadgroup_position_in_grid]], ushort simdgroup_index [[simdgroup_index_in_threadgroup]])
{
    const uint row = group.y * 32;
    const uint column = (group.x * 4 + simdgroup_index) * 8;
    simdgroup_float8x8 sum[4];
    for (uint r = 0; r < 4; r++) {
        sum[r] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    }
    for (uint k = 0; k < n; k += 8) {
        simdgroup_bfloat8x8 right;
        simdgroup_load(right, b + k * n + column, n);
        for (uint r = 0; r < 4; r++) {
            simdgroup_bfloat8x8 left;
            simdgroup_load(left, a + (row + r * 8) * n + k, n);
            simdgroup_multiply_accumulate(sum[r], left, right, sum[r]);
        }
    }
    for (uint r = 0; r < 4; r++) {
        simdgroup_store(sum[r], c + (row + r * 8) * n + column, n);
    }
}
`

type bench struct {
	testing.TB
	device *mtl.Device
	queue  *mtl.CommandQueue
}

func newBench(b testing.TB) *bench {
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(device.Release)
	queue, err := device.NewCommandQueue()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(queue.Release)
	return &bench{b, device, queue}
}

func (b *bench) pipeline(name string) *mtl.ComputePipelineState {
	library, err := b.device.NewLibraryWithSource(benchSource, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer library.Release()
	function, err := library.NewFunction(name)
	if err != nil {
		b.Fatal(err)
	}
	defer function.Release()
	p, err := b.device.NewComputePipelineState(&mtl.ComputePipelineDescriptor{Label: name, ComputeFunction: function})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Release)
	return p
}

func (b *bench) buffer(bytes int) *mtl.Buffer {
	buf, err := b.device.NewBuffer(bytes, mtl.StorageModeShared)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(buf.Release)
	return buf
}

// floats makes a buffer of n values uniform in [-1, 1).
func (b *bench) floats(n int, r *rand.Rand) *mtl.Buffer {
	buf := b.buffer(4 * n)
	v, err := mtl.Contents[float32](buf)
	if err != nil {
		b.Fatal(err)
	}
	for i := range v {
		v[i] = 2*r.Float32() - 1
	}
	return buf
}

// bfloats is floats in bfloat.
func (b *bench) bfloats(n int, r *rand.Rand) *mtl.Buffer {
	buf := b.buffer(2 * n)
	v, err := mtl.Contents[uint16](buf)
	if err != nil {
		b.Fatal(err)
	}
	for i := range v {
		sign := uint16(r.Uint32()) & 0x8000
		v[i] = sign | 0x3d00 | uint16(r.Uint32())&0xff // 0.03 to 0.12: sums stay small
	}
	return buf
}

func (b *bench) run(f func(*mtl.ComputeCommandEncoder) error) {
	if err := b.queue.Run(context.Background(), f); err != nil {
		b.Fatal(err)
	}
}

// onDevice runs f unchecked and checked on the software device, on one core and on two; once on a GPU.
func onDevice(b *testing.B, f func(b *testing.B)) {
	device := newBench(b).device
	if !device.IsSoftware() {
		b.Run("gpu", f)
		return
	}
	for _, checks := range []simt.Checks{0, simt.CheckAll} {
		for _, cores := range []int{1, 2} {
			name := fmt.Sprintf("checks=%v/cores=%d", checks != 0, cores)
			b.Run(name, func(b *testing.B) {
				defer soft.SetChecks(soft.SetChecks(checks))
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				f(b)
			})
		}
	}
}

// BenchmarkEncodeDispatch is the cost for the caller of one dispatch: a pipeline, three buffers, a parameter block.
func BenchmarkEncodeDispatch(b *testing.B) {
	t := newBench(b)
	p := t.pipeline("matrix_multiply")
	buffers := [3]*mtl.Buffer{t.buffer(64), t.buffer(64), t.buffer(64)}
	n := uint32(8)
	encode := func(e *mtl.ComputeCommandEncoder) {
		e.SetComputePipelineState(p)
		for i, buf := range buffers {
			e.SetBuffer(buf, 0, i)
		}
		mtl.SetValue(e, &n, 3)
		e.DispatchThreadgroups(mtl.Size{Width: 1, Height: 1, Depth: 1}, mtl.Size{Width: 128, Height: 1, Depth: 1})
	}
	encoder := func(f func(*mtl.ComputeCommandEncoder)) { // nothing is committed
		commands, err := t.queue.NewCommandBuffer()
		if err != nil {
			b.Fatal(err)
		}
		defer commands.Release()
		e, err := commands.NewComputeCommandEncoder(mtl.DispatchTypeSerial)
		if err != nil {
			b.Fatal(err)
		}
		f(e)
		if err := e.EndEncoding(); err != nil {
			b.Fatal(err)
		}
	}
	const batch = 1024
	var spent time.Duration
	for b.Loop() {
		encoder(func(e *mtl.ComputeCommandEncoder) {
			start := time.Now()
			for range batch {
				encode(e)
			}
			spent += time.Since(start)
		})
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N)/batch, "ns/dispatch")
	encoder(func(e *mtl.ComputeCommandEncoder) {
		for range batch { // the recording has grown
			encode(e)
		}
		b.ReportMetric(testing.AllocsPerRun(100, func() { encode(e) }), "allocs/dispatch")
	})
}

// BenchmarkChunkGatedDeltaRule is the chunk pipeline at B=1, T=512, H=4, K=V=128. The work is what the algorithm needs, not
// what the kernels happen to repeat.
func BenchmarkChunkGatedDeltaRule(b *testing.B) {
	const T, H, K, V, C = 512, 4, 128, 128, ops.ChunkSize
	const macs = T / C * H * (C*C*K + C*C*C/6 + C*C*(K+V) + 2*C*K*V + C*K*V + C*C*K + C*C*V)
	onDevice(b, func(b *testing.B) {
		t := newBench(b)
		registry, err := kernels.New(t.device, shaders.Files)
		if err != nil {
			b.Fatal(err)
		}
		defer registry.Release()
		r := rand.New(rand.NewPCG(1, 2))
		tensor := func(buf *mtl.Buffer, d ops.DType, shape ...int) ops.Tensor {
			return ops.Tensor{Buffer: buf, DType: d, Shape: shape}
		}
		g := t.floats(T*H, r)
		decay, err := mtl.Contents[float32](g)
		if err != nil {
			b.Fatal(err)
		}
		for i := range decay {
			decay[i] = -0.05 * (decay[i] + 1)
		}
		op := ops.ChunkGatedDeltaRule{
			Q: tensor(t.bfloats(T*H*K, r), ops.BF16, 1, T, H, K), K: tensor(t.bfloats(T*H*K, r), ops.BF16, 1, T, H, K),
			V: tensor(t.bfloats(T*H*V, r), ops.BF16, 1, T, H, V),
			G: tensor(g, ops.F32, 1, T, H), Beta: tensor(t.floats(T*H, r), ops.F32, 1, T, H),
			Out: tensor(t.buffer(2*T*H*V), ops.BF16, 1, T, H, V), FinalState: tensor(t.buffer(4*H*V*K), ops.F32, 1, H, V, K),
			Scale: 0.088, Path: ops.PathChunked,
		}
		size, err := op.ScratchSize()
		if err != nil {
			b.Fatal(err)
		}
		op.Scratch = tensor(t.buffer(size), ops.U8, size)
		encode := func(e *mtl.ComputeCommandEncoder) error { return op.Encode(e, registry) }
		t.run(encode) // compiles
		for b.Loop() {
			t.run(encode)
		}
		b.ReportMetric(2*macs*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}

// BenchmarkMatrixMultiply is a 256x256x256 product of bfloat matrices with float sums, as 8x8 simdgroup matrices; go is the
// same product as a Go program would write it, on one core.
func BenchmarkMatrixMultiply(b *testing.B) {
	const n = 256
	flops := func(b *testing.B) {
		b.ReportMetric(2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	}
	onDevice(b, func(b *testing.B) {
		t := newBench(b)
		r := rand.New(rand.NewPCG(3, 4))
		p, x, y, z := t.pipeline("matrix_multiply"), t.bfloats(n*n, r), t.bfloats(n*n, r), t.buffer(4*n*n)
		size := uint32(n)
		for b.Loop() {
			t.run(func(e *mtl.ComputeCommandEncoder) error {
				e.SetComputePipelineState(p)
				e.SetBuffer(x, 0, 0)
				e.SetBuffer(y, 0, 1)
				e.SetBuffer(z, 0, 2)
				mtl.SetValue(e, &size, 3)
				e.DispatchThreadgroups(mtl.Size{Width: n / 32, Height: n / 32, Depth: 1}, mtl.Size{Width: 128, Height: 1, Depth: 1})
				return nil
			})
		}
		flops(b)
	})
	b.Run("go", func(b *testing.B) {
		x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
		for b.Loop() {
			clear(z)
			for i := range n {
				for k := range n {
					left, row, out := x[i*n+k], y[k*n:][:n], z[i*n:][:n]
					for j := range row {
						out[j] += left * row[j]
					}
				}
			}
		}
		flops(b)
	})
}

// BenchmarkElementwise is the cost of one arithmetic operation on one lane; go is the same sum as a Go loop, which keeps
// its value in a register.
func BenchmarkElementwise(b *testing.B) {
	const n, rounds, operations = 1 << 14, 16, 16
	perLane := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*rounds*operations), "ns/lane-op")
	}
	onDevice(b, func(b *testing.B) {
		t := newBench(b)
		p, x := t.pipeline("elementwise"), t.floats(n, rand.New(rand.NewPCG(5, 6)))
		count := uint32(rounds)
		for b.Loop() {
			t.run(func(e *mtl.ComputeCommandEncoder) error {
				e.SetComputePipelineState(p)
				e.SetBuffer(x, 0, 0)
				mtl.SetValue(e, &count, 1)
				e.DispatchThreads(mtl.Size{Width: n, Height: 1, Depth: 1}, mtl.Size{Width: 256, Height: 1, Depth: 1})
				return nil
			})
		}
		perLane(b)
	})
	b.Run("go", func(b *testing.B) {
		x := make([]float32, n)
		for b.Loop() {
			for i, a := range x {
				for range rounds {
					a = a*0.5 + 1
					a = a*0.25 + 2
					a = a*0.5 + 3
					a = a*0.25 + 1.5
					a = a*0.5 + 1
					a = a*0.25 + 2
					a = a*0.5 + 3
					a = a*0.25 + 1.5
				}
				x[i] = a
			}
		}
		perLane(b)
	})
}

// BenchmarkCompile is the time from shader text to a pipeline, for each kernel of the library at K = V = 128.
func BenchmarkCompile(b *testing.B) {
	const T, H, K, V, C = 1, 1, 128, 128, ops.ChunkSize
	t := newBench(b)
	tensor := func(d ops.DType, shape ...int) ops.Tensor {
		x := ops.Tensor{DType: d, Shape: shape}
		size, err := x.ByteSize()
		if err != nil {
			b.Fatal(err)
		}
		x.Buffer = t.buffer(size)
		return x
	}
	q, k, w := tensor(ops.BF16, 1, T, H, K), tensor(ops.BF16, 1, T, H, K), tensor(ops.BF16, 1, T, H, K)
	v, u, o := tensor(ops.BF16, 1, T, H, V), tensor(ops.BF16, 1, T, H, V), tensor(ops.BF16, 1, T, H, V)
	g, sums, beta := tensor(ops.F32, 1, T, H), tensor(ops.F32, 1, T, H), tensor(ops.F32, 1, T, H)
	a, inverse := tensor(ops.F32, 1, T, H, C), tensor(ops.F32, 1, T, H, C)
	h, state := tensor(ops.BF16, 1, 1, H, V, K), tensor(ops.F32, 1, H, V, K)
	for _, kernel := range []struct {
		name string
		op   interface {
			Encode(*mtl.ComputeCommandEncoder, *kernels.Registry) error
		}
	}{
		{"l2_norm", ops.L2Norm{X: q, Out: w, Epsilon: 1e-6}},
		{"chunk_local_cumsum", ops.ChunkLocalCumsum{G: g, Out: sums}},
		{"gated_delta_kkt", ops.GatedDeltaKKT{K: k, Beta: beta, G: sums, A: a}},
		{"gated_delta_solve", ops.GatedDeltaSolve{A: a, Inverse: inverse}},
		{"gated_delta_wu", ops.GatedDeltaWU{K: k, V: v, Beta: beta, G: sums, Inverse: inverse, W: w, U: u}},
		{"gated_delta_chunk_state", ops.GatedDeltaChunkState{K: k, W: w, U: u, G: sums, H: h, VNew: o, FinalState: state}},
		{"gated_delta_chunk_o", ops.GatedDeltaChunkO{Q: q, K: k, V: v, H: h, G: sums, Out: o, Scale: 1}},
		{"gated_delta_recurrent", ops.GatedDeltaRecurrent{Q: q, K: k, V: v, G: g, Beta: beta, Out: o, FinalState: state, Scale: 1}},
	} {
		b.Run(kernel.name, func(b *testing.B) {
			for b.Loop() {
				registry, err := kernels.New(t.device, shaders.Files)
				if err != nil {
					b.Fatal(err)
				}
				t.run(func(e *mtl.ComputeCommandEncoder) error { return kernel.op.Encode(e, registry) })
				registry.Release()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/kernel")
		})
	}
}
