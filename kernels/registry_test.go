package kernels_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

const (
	fillSource = `#include <metal_stdlib>
#include "scale.h"
using namespace metal;

kernel void fill(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[i] = factor;
}

kernel void fill_twice(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[i] = 2 * factor;
}
`
	scaleHeader = `#pragma once
constant float factor [[function_constant(3)]];
`
	memorySource = `#include <metal_stdlib>
using namespace metal;

kernel void memory(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup float own[256];
    own[i] = i;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = own[255 - i];
}
`
)

// sources counts how often each file is read, and may hold the readers up.
type sources struct {
	fstest.MapFS
	mu    sync.Mutex
	reads map[string]int
	gate  chan struct{} // if not nil, reading waits for it to be closed
}

func (s *sources) ReadFile(name string) ([]byte, error) {
	if s.gate != nil {
		<-s.gate
	}
	s.mu.Lock()
	s.reads[name]++
	s.mu.Unlock()
	return s.MapFS.ReadFile(name)
}

func newSources(pairs ...string) *sources {
	return &sources{MapFS: files(pairs...), reads: map[string]int{}}
}

// newRegistry makes a registry on the default device and checks at the test's end that it releases everything.
func newRegistry(t *testing.T, s *sources) *kernels.Registry {
	t.Helper()
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	r, err := kernels.New(device, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Release()
		r.Release()
		device.Release()
		if n := mtl.LiveObjects(); n != 0 {
			t.Errorf("%d live objects, want 0", n)
		}
	})
	return r
}

func fillKey(name string, factor float32) kernels.Key {
	return kernels.Key{Name: name, Constants: kernels.ConstantList{mtl.ConstantFloat32(3, factor)}}
}

// run dispatches n threads of a pipeline whose buffer 0 is the output.
func run(t *testing.T, r *kernels.Registry, p *kernels.Pipeline, n int) []float32 {
	t.Helper()
	queue, err := r.Device().NewCommandQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Release()
	buffer, err := r.Device().NewBuffer(4*n, mtl.StorageModeShared)
	if err != nil {
		t.Fatal(err)
	}
	defer buffer.Release()
	err = queue.Run(context.Background(), func(e *mtl.ComputeCommandEncoder) error {
		e.SetComputePipelineState(p.State)
		e.SetBuffer(buffer, 0, 0)
		e.DispatchThreads(mtl.Size{Width: n, Height: 1, Depth: 1}, mtl.Size{Width: n, Height: 1, Depth: 1})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := mtl.Contents[float32](buffer)
	if err != nil {
		t.Fatal(err)
	}
	return append([]float32(nil), out...)
}

func TestConstantsMakePipelinesOfTheirOwnFromOneLibrary(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	r := newRegistry(t, s)
	for _, c := range []struct {
		name   string
		factor float32
		want   float32
	}{{"fill", 3, 3}, {"fill", -5, -5}, {"fill_twice", 3, 6}} {
		p, err := r.Pipeline(t.Context(), fillKey(c.name, c.factor))
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, r, p, 8); got[0] != c.want || got[7] != c.want {
			t.Errorf("%s with %v: got %v, want %v", c.name, c.factor, got, c.want)
		}
	}
	if s.reads["fill.metal"] != 1 {
		t.Errorf("the source was read %d times, want once", s.reads["fill.metal"])
	}
}

func TestPipelineIsLabelledByNameAndConstants(t *testing.T) {
	r := newRegistry(t, newSources("fill.metal", fillSource, "scale.h", scaleHeader))
	p, err := r.Pipeline(t.Context(), fillKey("fill", 1.5))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.State.Label(); got != "fill[3=1.5]" {
		t.Errorf("got %q, want fill[3=1.5]", got)
	}
	key := kernels.Key{Name: "x", Constants: kernels.ConstantList{mtl.ConstantBool(0, true), 4: mtl.ConstantInt32(7, -1)}}
	if got := key.String(); got != "x[0=true 7=-1]" {
		t.Errorf("got %q, want x[0=true 7=-1]", got)
	}
	if got := (kernels.Key{Name: "x"}).String(); got != "x" {
		t.Errorf("got %q, want x", got)
	}
}

func TestConcurrentCallersShareOneCompilation(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	s.gate = make(chan struct{})
	r := newRegistry(t, s)
	var group sync.WaitGroup
	got := make([]*kernels.Pipeline, 32)
	for i := range got {
		group.Go(func() {
			p, err := r.Pipeline(context.Background(), fillKey("fill", 1))
			if err != nil {
				t.Error(err)
			}
			got[i] = p
		})
	}
	close(s.gate)
	group.Wait()
	for i, p := range got {
		if p == nil || p != got[0] {
			t.Fatalf("caller %d got %p, caller 0 got %p", i, p, got[0])
		}
	}
	// The device, the library and one pipeline.
	if n := mtl.LiveObjects(); n != 3 {
		t.Errorf("%d live objects, want 3", n)
	}
	if s.reads["fill.metal"] != 1 {
		t.Errorf("the source was read %d times, want once", s.reads["fill.metal"])
	}
}

func TestKernelsOfOneFileShareItsCompilation(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	s.gate = make(chan struct{})
	r := newRegistry(t, s)
	var group sync.WaitGroup
	for _, name := range []string{"fill", "fill_twice"} {
		for factor := range 4 {
			group.Go(func() {
				if _, err := r.Pipeline(context.Background(), fillKey(name, float32(factor))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	close(s.gate)
	group.Wait()
	if s.reads["fill.metal"] != 1 {
		t.Errorf("the source was read %d times, want once", s.reads["fill.metal"])
	}
}

func TestEndedContextEndsTheWaitingAndNotTheCompilation(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	s.gate = make(chan struct{})
	r := newRegistry(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Pipeline(ctx, fillKey("fill", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	close(s.gate)
	if _, err := r.Pipeline(t.Context(), fillKey("fill", 1)); err != nil {
		t.Error(err)
	}
	if s.reads["fill.metal"] != 1 {
		t.Errorf("the source was read %d times, want once", s.reads["fill.metal"])
	}
	for range 50 { // a select between the two would choose either
		if _, err := r.Pipeline(ctx, fillKey("fill", 1)); err != nil {
			t.Fatalf("a pipeline that is there, under an ended context: got %v", err)
		}
	}
}

func TestFailedCompilationCostsItsFileAloneAndIsRemembered(t *testing.T) {
	s := newSources("bad.metal", "#include <metal_stdlib>\n#include \"bad.h\"\nkernel void bad() {}\n",
		"bad.h", "using namespace metal;\nfloat f() { return undeclared; }\n",
		"fill.metal", fillSource, "scale.h", scaleHeader)
	r := newRegistry(t, s)
	for range 2 {
		_, err := r.Pipeline(t.Context(), kernels.Key{Name: "bad"})
		var e *kernels.Error
		var compile *mtl.CompileError
		if !errors.As(err, &e) || e.Step != "compile" || e.File != "bad.metal" || !errors.As(err, &compile) {
			t.Fatalf("got %v, want a compile error of bad.metal", err)
		}
		if d := compile.Diagnostics; len(d) == 0 || d[0].File != "bad.h" || d[0].Line != 2 {
			t.Errorf("got %v, want a diagnostic at bad.h:2", compile)
		}
	}
	if s.reads["bad.metal"] != 1 {
		t.Errorf("the source was read %d times, want once", s.reads["bad.metal"])
	}
	if _, err := r.Pipeline(t.Context(), fillKey("fill", 1)); err != nil {
		t.Errorf("another kernel: got %v", err)
	}
}

func TestWhatStandsInTheWayOfAPipelineIsNamed(t *testing.T) {
	r := newRegistry(t, newSources("fill.metal", fillSource, "scale.h", scaleHeader, "memory.metal", memorySource,
		"lost.metal", "#include \"absent.h\"\n",
		"narrow.metal", "[[max_total_threads_per_threadgroup(64)]] kernel void narrow() {}\n"))
	limit := r.Device().MaxThreadgroupMemoryLength()
	for _, c := range []struct {
		name string
		key  kernels.Key
		step string
		want string
	}{
		{"no file", kernels.Key{Name: "absent"}, "find", "absent.metal"},
		{"prefix without underscore", kernels.Key{Name: "filler"}, "find", "filler.metal"},
		{"no header", kernels.Key{Name: "lost"}, "read", `lost.metal:1: #include "absent.h"`},
		{"no function", kernels.Key{Name: "fill_thrice"}, "function", "fill_thrice"},
		{"threads of the device", kernels.Key{Name: "memory", Launch: kernels.Launch{Threads: mtl.Size{Width: 1 << 20, Height: 1, Depth: 1}}},
			"limits", "1048576x1x1"},
		{"threads in all", kernels.Key{Name: "memory", Launch: kernels.Launch{Threads: mtl.Size{Width: 64, Height: 2, Depth: 32}}},
			"limits", "64x2x32"},
		{"threads of the kernel", kernels.Key{Name: "narrow", Launch: kernels.Launch{Threads: mtl.Size{Width: 65, Height: 1, Depth: 1}}},
			"limits", "got at most 64"},
		{"threads that are none", kernels.Key{Name: "memory", Launch: kernels.Launch{Threads: mtl.Size{Width: 32}}}, "limits", "32x0x0"},
		{"memory", kernels.Key{Name: "memory", Launch: kernels.Launch{Memory: limit - 1023}}, "limits", "1024 of the kernel's own"},
		{"negative memory", kernels.Key{Name: "memory", Launch: kernels.Launch{Memory: -1}}, "limits", "got -1"},
	} {
		_, err := r.Pipeline(t.Context(), c.key)
		var e *kernels.Error
		if !errors.As(err, &e) || e.Step != c.step || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want step %q and %q", c.name, err, c.step, c.want)
		}
	}
	key := kernels.Key{Name: "memory", Launch: kernels.Launch{Threads: mtl.Size{Width: 256, Height: 1, Depth: 1}, Memory: limit - 1024}}
	p, err := r.Pipeline(t.Context(), key)
	if err != nil {
		t.Fatalf("at the limits: got %v", err)
	}
	if p.Key != key {
		t.Errorf("the launch facts did not come back: got %+v", p.Key.Launch)
	}
}

func TestLongestFileNameHoldsTheKernel(t *testing.T) {
	kernel := func(name string) string { return "kernel void " + name + "() {}\n" }
	r := newRegistry(t, newSources("a.metal", kernel("a_b_c"), "a_b.metal", kernel("a_b")+kernel("a_b_d")))
	for name, want := range map[string]bool{"a_b": true, "a_b_d": true, "a_b_c": false} {
		if _, err := r.Pipeline(t.Context(), kernels.Key{Name: name}); (err == nil) != want {
			t.Errorf("%s: got %v, want found %v", name, err, want)
		}
	}
}

func TestReleasedRegistryGivesNothing(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	r := newRegistry(t, s)
	if _, err := r.Pipeline(t.Context(), fillKey("fill", 1)); err != nil {
		t.Fatal(err)
	}
	r.Release()
	if _, err := r.Pipeline(t.Context(), fillKey("fill", 1)); !errors.Is(err, mtl.ErrReleased) {
		t.Errorf("got %v, want mtl.ErrReleased", err)
	}
}

func TestReleaseWaitsForTheCompilationUnderWay(t *testing.T) {
	s := newSources("fill.metal", fillSource, "scale.h", scaleHeader)
	s.gate = make(chan struct{})
	r := newRegistry(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Pipeline(ctx, fillKey("fill", 1)); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	go close(s.gate)
	r.Release()
	if n := mtl.LiveObjects(); n != 1 {
		t.Errorf("%d live objects, want the device alone", n)
	}
}

func TestPipelineThatIsThereCostsNoAllocation(t *testing.T) {
	r := newRegistry(t, newSources("fill.metal", fillSource, "scale.h", scaleHeader))
	ctx := t.Context()
	if _, err := r.Pipeline(ctx, fillKey("fill", 1)); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := r.Pipeline(ctx, fillKey("fill", 1)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkPipelineHit(b *testing.B) {
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		b.Fatal(err)
	}
	defer device.Release()
	r, err := kernels.New(device, files("fill.metal", fillSource, "scale.h", scaleHeader))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Release()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Pipeline(b.Context(), fillKey("fill", 1)); err != nil {
			b.Fatal(err)
		}
	}
}
