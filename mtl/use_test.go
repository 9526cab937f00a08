package mtl

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestAnIndirectDispatchReadsItsGridWhenItRuns(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		grid := must(d.NewBuffer(64, StorageModeShared))(t)
		out := must(d.NewBuffer(4*64, StorageModeShared))(t)
		run := func(g [3]uint32) error {
			copy(contentsOf[uint32](t, grid)[1:], []uint32{99, g[0], g[1], g[2]})
			clear(contentsOf[uint32](t, out))
			c := must(q.NewCommandBuffer())(t)
			defer c.Release()
			// A copy within the command buffer writes the grid: 12 bytes from element 2 on to element 8.
			blit := must(c.NewBlitCommandEncoder())(t)
			blit.CopyBuffer(grid, 8, grid, 32, 12)
			if err := blit.EndEncoding(); err != nil {
				t.Fatal(err)
			}
			e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
			e.SetComputePipelineState(p)
			e.SetBuffer(out, 0, 0)
			e.DispatchThreadgroupsIndirect(grid, 32, Size{4, 1, 1})
			if err := errors.Join(e.EndEncoding(), c.Commit()); err != nil {
				t.Fatal(err)
			}
			return c.WaitUntilCompleted()
		}
		for _, c := range []struct {
			grid    [3]uint32
			threads int
		}{{[3]uint32{3, 2, 1}, 24}, {[3]uint32{1, 1, 2}, 8}, {[3]uint32{0, 1, 1}, 0}, {[3]uint32{5, 0, 1}, 0}} {
			if err := run(c.grid); err != nil {
				t.Errorf("%v: %v", c.grid, err)
			}
			n := 0
			for i, v := range contentsOf[uint32](t, out) {
				if v == 4+100+10000 {
					n++
				} else if v != 0 || i < c.threads {
					t.Errorf("%v: element %d is %d", c.grid, i, v)
				}
			}
			if n != c.threads {
				t.Errorf("%v: %d threads ran, want %d", c.grid, n, c.threads)
			}
		}
		if d.IsSoftware() {
			if err := run([3]uint32{1 << 31, 1, 1}); err == nil || !strings.Contains(err.Error(), "shape") {
				t.Errorf("8589934592 threads: %v", err)
			}
		}
		for _, o := range []interface{ Release() }{q, p, grid, out} {
			o.Release()
		}
	})
}

func TestUsedResourcesLiveUntilTheWorkHasCompleted(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		h := must(d.NewHeap(&HeapDescriptor{Size: 64 << 10}))(t)
		var all []*Buffer
		for range 70 { // more than one message takes
			all = append(all, must(d.NewBuffer(16, StorageModeShared))(t))
		}
		c := must(q.NewCommandBuffer())(t)
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		e.UseResource(all[0], ResourceUsageRead|ResourceUsageWrite)
		e.UseResources(ResourceUsageRead, all...)
		e.UseHeap(h)
		e.UseHeaps(h, h)
		if err := errors.Join(e.EndEncoding(), c.Commit()); err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			b.Release()
		}
		h.Release()
		if err := c.WaitUntilCompleted(); err != nil {
			t.Error(err)
		}
		c.Release()
		q.Release()
	})
}

func TestWhatMetalWouldAssertOnAboutUsesIsAnErrorOfTheEncoder(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		b, gone := must(d.NewBuffer(64, StorageModeShared))(t), must(d.NewBuffer(64, StorageModeShared))(t)
		h, lost := must(d.NewHeap(&HeapDescriptor{Size: 4096}))(t), must(d.NewHeap(&HeapDescriptor{Size: 4096}))(t)
		gone.Release()
		lost.Release()
		one := Size{1, 1, 1}
		for _, c := range []struct {
			op, arg string
			f       func(e *ComputeCommandEncoder)
		}{
			{"UseResource", "usage", func(e *ComputeCommandEncoder) { e.UseResource(b, 0) }},
			{"UseResource", "usage", func(e *ComputeCommandEncoder) { e.UseResource(b, 8) }},
			{"UseResource", "buffer", func(e *ComputeCommandEncoder) { e.UseResource(nil, ResourceUsageRead) }},
			{"UseResource", "buffer", func(e *ComputeCommandEncoder) { e.UseResource(gone, ResourceUsageRead) }},
			{"UseResources", "buffers", func(e *ComputeCommandEncoder) { e.UseResources(ResourceUsageRead) }},
			{"UseResources", "usage", func(e *ComputeCommandEncoder) { e.UseResources(ResourceUsageSample, b) }},
			{"UseResources", "buffer", func(e *ComputeCommandEncoder) { e.UseResources(ResourceUsageRead, b, gone) }},
			{"UseHeap", "heap", func(e *ComputeCommandEncoder) { e.UseHeap(nil) }},
			{"UseHeap", "heap", func(e *ComputeCommandEncoder) { e.UseHeap(lost) }},
			{"UseHeaps", "heaps", func(e *ComputeCommandEncoder) { e.UseHeaps() }},
			{"UseHeaps", "heaps", func(e *ComputeCommandEncoder) { e.UseHeaps(make([]*Heap, 32)...) }},
			{"UseHeaps", "heap", func(e *ComputeCommandEncoder) { e.UseHeaps(h, nil) }},
			{"DispatchThreadgroupsIndirect", "pipeline", func(e *ComputeCommandEncoder) { e.DispatchThreadgroupsIndirect(b, 0, one) }},
			{"DispatchThreadgroupsIndirect", "buffer", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.DispatchThreadgroupsIndirect(nil, 0, one)
			}},
			{"DispatchThreadgroupsIndirect", "threadgroup", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.DispatchThreadgroupsIndirect(b, 0, Size{})
			}},
			{"DispatchThreadgroupsIndirect", "offset", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.DispatchThreadgroupsIndirect(b, 56, one)
			}},
			{"DispatchThreadgroupsIndirect", "offset", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.DispatchThreadgroupsIndirect(b, 2, one)
			}},
			{"DispatchThreadgroupsIndirect", "offset", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.DispatchThreadgroupsIndirect(b, math.MaxInt-3, one)
			}},
		} {
			refused(t, encode(t, q, c.f), "ComputeCommandEncoder."+c.op, c.arg)
		}
		var kept *ComputeCommandEncoder
		if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error { kept = e; return nil }); err != nil {
			t.Fatal(err)
		}
		kept.InsertDebugSignpost("late")
		refused(t, kept.Err(), "ComputeCommandEncoder.InsertDebugSignpost", "compute command encoder")
		for _, o := range []interface{ Release() }{q, p, b, h} {
			o.Release()
		}
	})
}
