package mtl

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// Feature is something that kernels may need and that Probe finds out by running one.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfamily(_:)
type Feature int

const (
	FeatureSimdgroupMatrix        Feature = iota // simdgroup_matrix: load, multiply, store
	FeatureBFloat                                // the type bfloat, with its rounding
	FeatureSimdReduction                         // simd_sum, simd_max and simd_shuffle_xor
	FeatureNonuniformThreadgroups                // DispatchThreads with grids that are no multiple of the threadgroup
	features
)

var featureNames = [features]string{"simdgroup matrices", "bfloat", "simd reductions", "nonuniform threadgroups"}

// String names the feature.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfamily(_:)
func (f Feature) String() string {
	if f >= 0 && f < features {
		return featureNames[f]
	}
	return "Feature(" + strconv.Itoa(int(f)) + ")"
}

// probeTimeout is how long a probe may take before the device counts as one that lacks the feature: virtual GPUs have been seen
// that never finish.
const probeTimeout = 10 * time.Second

// Probe reports whether the device has a feature: whether a kernel that uses it compiles, runs in time and gives the right
// numbers. SupportsFamily says less than the truth on virtual machines. The answer is found once for each device and kept. It
// fails with ctx.Err(), an *ArgumentError, or what kept the probe from being made, such as ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfamily(_:)
func (d *Device) Probe(ctx context.Context, f Feature) (bool, error) {
	const op = "Device.Probe"
	id, err := d.live(op)
	if err != nil {
		return false, err
	}
	if f < 0 || f >= features {
		return false, argument(op, "feature", "one of this package's constants", f.String())
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	key := probeKey{d.runtime, d.registryID, f}
	probes.mu.Lock()
	p := probes.all[key]
	if p == nil {
		p = &probe{done: make(chan struct{})}
		probes.all[key] = p
		// The caller may stop waiting and release its device.
		var own *Device
		d.runtime.Pool(func() { own = newDevice(d.runtime, objc.Retain(id)) })
		go p.run(key, own)
	}
	probes.mu.Unlock()
	select {
	case <-p.done:
		return p.has, p.err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// probe is a feature's, running or done.
type probe struct {
	done chan struct{}
	has  bool
	err  error
}

type probeKey struct {
	runtime    objc.Runtime
	registryID uint64
	feature    Feature
}

var probes = struct {
	mu  sync.Mutex
	all map[probeKey]*probe
}{all: make(map[probeKey]*probe)}

// run takes over the device.
func (p *probe) run(key probeKey, d *Device) {
	p.has, p.err = d.try(&probePrograms[key.feature])
	d.Release()
	if p.err != nil {
		probes.mu.Lock()
		delete(probes.all, key) // the next caller tries again
		probes.mu.Unlock()
	}
	close(p.done)
}

// try reports whether a probe's program compiles, runs in time and gives what it should.
func (d *Device) try(p *probeProgram) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	got, err := d.runProbe(ctx, p)
	var compile *CompileError
	var failed *CommandBufferError
	switch {
	case errors.As(err, &compile), errors.As(err, &failed), errors.Is(err, context.DeadlineExceeded):
		return false, nil
	case err != nil:
		return false, err
	}
	for i, want := range p.want() {
		if got[i] != want {
			return false, nil
		}
	}
	return true, nil
}

func (d *Device) runProbe(ctx context.Context, p *probeProgram) ([]float32, error) {
	lib, err := d.NewLibraryWithSource(probeHeader+p.source, nil)
	if err != nil {
		return nil, err
	}
	defer lib.Release()
	f, err := lib.NewFunction("probe")
	if err != nil {
		return nil, err
	}
	defer f.Release()
	pipeline, err := d.NewComputePipelineState(&ComputePipelineDescriptor{Label: "probe", ComputeFunction: f})
	if err != nil {
		return nil, err
	}
	defer pipeline.Release()
	q, err := d.NewCommandQueue()
	if err != nil {
		return nil, err
	}
	defer q.Release()
	const n = probeOutput + 64
	b, err := d.NewBuffer(4*n, StorageModeShared)
	if err != nil {
		return nil, err
	}
	defer b.Release()
	v, err := Contents[float32](b)
	if err != nil {
		return nil, err
	}
	for i := range v {
		v[i] = p.input(i)
	}
	err = q.Run(ctx, func(e *ComputeCommandEncoder) error {
		e.SetComputePipelineState(pipeline)
		e.SetBuffer(b, 0, 0)
		e.SetBuffer(b, 4*probeOutput, 1)
		e.DispatchThreads(Size{p.threads, 1, 1}, Size{p.group, 1, 1})
		return nil
	})
	if err != nil {
		return nil, err // if the device still runs, the command buffer holds the memory and nobody reads it
	}
	return append([]float32(nil), v[probeOutput:]...), nil
}

// probeOutput is the element of the buffer at which the output begins.
const probeOutput = 128

// probeProgram is a kernel "probe" with input in buffer(0) and output in buffer(1).
type probeProgram struct {
	source         string
	threads, group int
	input          func(i int) float32
	want           func() []float32
}

const probeHeader = "#include <metal_stdlib>\nusing namespace metal;\n"

var probePrograms = [features]probeProgram{
	FeatureSimdgroupMatrix: {
		source: `#include <metal_simdgroup_matrix>
kernel void probe(device const float *in [[buffer(0)]], device float *out [[buffer(1)]]) {
    simdgroup_float8x8 a, b, c(0.0f);
    simdgroup_load(a, in, 8);
    simdgroup_load(b, in + 64, 8);
    simdgroup_multiply_accumulate(c, a, b, c);
    simdgroup_store(c, out, 8);
}`,
		threads: 32, group: 32,
		input: func(i int) float32 { return float32(i*7%13) - 6 },
		want: func() []float32 {
			in := func(i int) float32 { return float32(i*7%13) - 6 }
			c := make([]float32, 64)
			for i := range c {
				for k := range 8 { // small integers: exact in any order
					c[i] += in(i/8*8+k) * in(64+k*8+i%8)
				}
			}
			return c
		},
	},
	FeatureBFloat: {
		source: `kernel void probe(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = float(bfloat(in[i]) + bfloat(1.0f));
}`,
		threads: 4, group: 4,
		// 1 + 3/256 rounds to 1 + 4/256, to even; 1 + 1/256 to 1; with 1 added the unit is 1/64.
		input: func(i int) float32 { return [...]float32{1 + 3.0/256, 1 + 1.0/256, -2.5, 1 << 20}[i%4] },
		want:  func() []float32 { return []float32{2 + 1.0/64, 2, -1.5, 1 << 20} },
	},
	FeatureSimdReduction: {
		source: `kernel void probe(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], uint i [[thread_index_in_simdgroup]]) {
    float sum = simd_sum(in[i]), most = simd_max(in[i]), other = simd_shuffle_xor(in[i], 1);
    if (i == 0) { out[0] = sum; out[1] = most; out[2] = other; }
}`,
		threads: 32, group: 32,
		input: func(i int) float32 { return float32(i*5%32) + 1 },
		want:  func() []float32 { return []float32{32 * 33 / 2, 32, 6} },
	},
	FeatureNonuniformThreadgroups: {
		source: `kernel void probe(device float *out [[buffer(1)]], uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]]) {
    out[i] = float(n);
}`,
		threads: 5, group: 4,
		input: func(int) float32 { return float32(math.MaxInt16) },
		want:  func() []float32 { return []float32{4, 4, 4, 4, 1, math.MaxInt16} },
	},
}
