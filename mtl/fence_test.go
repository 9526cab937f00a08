package mtl

import (
	"errors"
	"testing"
)

func TestAFenceOrdersEncodersOverUntrackedMemory(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		f := must(d.NewFence())(t)
		f.SetLabel("between")
		if f.Label() != "between" || f.Device() != d {
			t.Errorf("label %q", f.Label())
		}
		const n = 1 << 16
		a := must(d.NewBuffer(n, StorageModeShared|HazardTrackingModeUntracked))(t)
		b := must(d.NewBuffer(n, StorageModeShared|HazardTrackingModeUntracked))(t)
		if a.HazardTracked() {
			t.Error("the buffer is tracked")
		}
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		var all []*CommandBuffer
		// A fill in one command buffer, a dispatch over it and a copy in another.
		c := must(q.NewCommandBuffer())(t)
		blit := must(c.NewBlitCommandEncoder())(t)
		blit.FillBuffer(a, 0, n, 0xff)
		blit.UpdateFence(f)
		if err := errors.Join(blit.EndEncoding(), c.Commit()); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		c = must(q.NewCommandBuffer())(t)
		e := must(c.NewComputeCommandEncoder(DispatchTypeConcurrent))(t)
		e.WaitForFence(f)
		e.SetComputePipelineState(p)
		e.SetBuffer(a, 0, 0)
		e.DispatchThreads(Size{8, 1, 1}, Size{8, 1, 1})
		e.UpdateFence(f)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		blit = must(c.NewBlitCommandEncoder())(t)
		blit.WaitForFence(f)
		blit.CopyBuffer(a, 0, b, 0, n)
		f.Release() // the command buffers have it
		if err := errors.Join(blit.EndEncoding(), c.Commit(), c.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		got := contentsOf[uint32](t, b)
		if got[8] != 0xffffffff || got[n/4-1] != 0xffffffff || got[0] == 0xffffffff || got[7] == 0xffffffff {
			t.Errorf("got %x, %x, %x, %x", got[0], got[7], got[8], got[n/4-1])
		}
		for _, c := range all {
			c.Release()
		}
		for _, o := range []interface{ Release() }{q, a, b, p} {
			o.Release()
		}
	})
}

func TestWhatMetalWouldAssertOnAboutFencesIsAnErrorOfTheEncoder(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		f, gone := must(d.NewFence())(t), must(d.NewFence())(t)
		gone.Release()
		for _, bad := range []*Fence{nil, gone} {
			refused(t, encode(t, q, func(e *ComputeCommandEncoder) { e.UpdateFence(bad) }), "ComputeCommandEncoder.UpdateFence", "fence")
			refused(t, encode(t, q, func(e *ComputeCommandEncoder) { e.WaitForFence(bad) }), "ComputeCommandEncoder.WaitForFence", "fence")
		}
		refused(t, encode(t, q, func(e *ComputeCommandEncoder) {
			e.WaitForFence(f)
			e.UpdateFence(f)
			e.WaitForFence(f)
		}), "ComputeCommandEncoder.WaitForFence", "fence")
		c := must(q.NewCommandBuffer())(t)
		blit := must(c.NewBlitCommandEncoder())(t)
		blit.UpdateFence(gone)
		refused(t, blit.EndEncoding(), "BlitCommandEncoder.UpdateFence", "fence")
		blit = must(c.NewBlitCommandEncoder())(t)
		blit.WaitForFence(nil)
		refused(t, blit.EndEncoding(), "BlitCommandEncoder.WaitForFence", "fence")
		c.Release()
		f.Release()
		q.Release()
	})
}
