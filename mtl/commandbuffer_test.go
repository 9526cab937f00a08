package mtl

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"
)

func TestBlitsCopyAndFill(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		src := must(d.NewBufferWithBytes([]byte("0123456789abcdef"), StorageModeShared))(t)
		middle := must(d.NewBuffer(16, StorageModePrivate))(t)
		dst := must(d.NewBuffer(16, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		e := must(c.NewBlitCommandEncoder())(t)
		e.SetLabel("blits")
		e.PushDebugGroup("all")
		e.FillBuffer(middle, 0, 16, '.')
		e.CopyBuffer(src, 4, middle, 8, 8)
		e.CopyBuffer(middle, 0, dst, 0, 16)
		e.CopyBuffer(dst, 8, dst, 0, 4)
		e.PopDebugGroup()
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		if s := c.Status(); s != CommandBufferStatusNotEnqueued {
			t.Errorf("status %s before commit", s)
		}
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		if s := c.Status(); s != CommandBufferStatusCompleted || c.Error() != nil {
			t.Errorf("status %s, error %v", s, c.Error())
		}
		if got := string(contentsOf[byte](t, dst)); got != "4567....456789ab" {
			t.Errorf("got %q", got)
		}
		if a, b := c.GPUStartTime(), c.GPUEndTime(); a <= 0 || b < a || b-a > 60 {
			t.Errorf("ran from %v to %v", a, b)
		}
		for _, o := range []interface{ Release() }{c, q, src, middle, dst} {
			o.Release()
		}
	})
}

func TestBlitsAreRefusedOutsideTheirBuffers(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		a := must(d.NewBuffer(64, StorageModeShared))(t)
		b := must(d.NewBuffer(32, StorageModeShared))(t)
		gone := must(d.NewBuffer(32, StorageModeShared))(t)
		gone.Release()
		const cp, fill = "BlitCommandEncoder.CopyBuffer", "BlitCommandEncoder.FillBuffer"
		for _, c := range []struct {
			op, arg string
			f       func(e *BlitCommandEncoder)
		}{
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(nil, 0, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(gone, 0, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, -4, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 2, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 0, b, 0, 0) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 0, b, 0, 6) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 64, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, math.MaxInt-3, b, 0, 4) }},
			{cp, "source", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 4, b, 0, math.MaxInt-3) }},
			{cp, "destination", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 0, nil, 0, 4) }},
			{cp, "destination", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 0, b, 4, 32) }},
			{cp, "ranges", func(e *BlitCommandEncoder) { e.CopyBuffer(a, 0, a, 12, 16) }},
			{fill, "buffer", func(e *BlitCommandEncoder) { e.FillBuffer(nil, 0, 4, 0) }},
			{fill, "buffer", func(e *BlitCommandEncoder) { e.FillBuffer(b, 16, 20, 0) }},
			{"BlitCommandEncoder.EndEncoding", "debug groups", func(e *BlitCommandEncoder) { e.PushDebugGroup("x") }},
			{"BlitCommandEncoder.PopDebugGroup", "debug groups", func(e *BlitCommandEncoder) { e.PopDebugGroup() }},
		} {
			buf := must(q.NewCommandBuffer())(t)
			e := must(buf.NewBlitCommandEncoder())(t)
			e.CopyBuffer(a, 0, a, 16, 16) // neighbours do not overlap
			c.f(e)
			first := e.Err()
			e.FillBuffer(a, 0, 3, 0) // an error after the first
			if first != nil && e.Err() != first {
				t.Errorf("%v took the place of %v", e.Err(), first)
			}
			err := e.EndEncoding()
			if c.op != "BlitCommandEncoder.EndEncoding" {
				refused(t, err, c.op, c.arg)
			}
			if got := buf.Commit(); got == nil || got != err {
				t.Errorf("commit of a failed encoder: %v", got)
			}
			if got := e.EndEncoding(); got != err {
				t.Errorf("EndEncoding again: %v", got)
			}
			buf.Release()
		}
		e := must(must(q.NewCommandBuffer())(t).NewBlitCommandEncoder())(t)
		e.PushDebugGroup("open")
		refused(t, e.EndEncoding(), "BlitCommandEncoder.EndEncoding", "debug groups")
		e.buffer.Release()
		for _, o := range []interface{ Release() }{q, a, b} {
			o.Release()
		}
	})
}

func TestACommandBufferHoldsToItsLifeCycle(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		refused(t, c.WaitUntilCompleted(), "CommandBuffer.WaitUntilCompleted", "command buffer")
		e := must(c.NewBlitCommandEncoder())(t)
		_, err := c.NewBlitCommandEncoder()
		refused(t, err, "CommandBuffer.NewBlitCommandEncoder", "command buffer")
		_, err = c.NewComputeCommandEncoder(DispatchTypeSerial)
		refused(t, err, "CommandBuffer.NewComputeCommandEncoder", "command buffer")
		refused(t, c.Commit(), "CommandBuffer.Commit", "command buffer")
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		e.FillBuffer(nil, 0, 0, 0)
		refused(t, e.Err(), "BlitCommandEncoder.FillBuffer", "blit command encoder")
		_, err = c.NewComputeCommandEncoder(DispatchType(2))
		refused(t, err, "CommandBuffer.NewComputeCommandEncoder", "dispatch type")
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		refused(t, c.Commit(), "CommandBuffer.Commit", "command buffer")
		_, err = c.NewBlitCommandEncoder()
		refused(t, err, "CommandBuffer.NewBlitCommandEncoder", "command buffer")
		for range 2 {
			if err := c.WaitUntilCompleted(); err != nil {
				t.Error(err)
			}
		}
		c.Release()
		c.Release()
		for _, err := range []error{c.Commit(), c.WaitUntilCompleted(), c.Error()} {
			if !errors.Is(err, ErrReleased) {
				t.Errorf("released command buffer: %v", err)
			}
		}
		q.Release()
		_, err = q.NewCommandBuffer()
		refused(t, err, "CommandQueue.NewCommandBuffer", "queue")
	})
}

func TestAnUncommittedCommandBufferCanBeDropped(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(16, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		e := must(c.NewBlitCommandEncoder())(t)
		e.FillBuffer(b, 0, 16, 1)
		c.Release()
		e.FillBuffer(b, 0, 16, 1)
		refused(t, e.EndEncoding(), "BlitCommandEncoder.FillBuffer", "blit command encoder")
		if contentsOf[byte](t, b)[0] != 0 {
			t.Error("it ran")
		}
		b.Release()
		q.Release()
	})
}

func TestCommandBuffersRunInTheOrderOfTheirCommits(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64<<10, StorageModeShared))(t)
		var all []*CommandBuffer
		const n = 50
		for i := range n {
			c := must(q.NewCommandBuffer())(t)
			e := must(c.NewBlitCommandEncoder())(t)
			e.FillBuffer(b, 0, 64<<10, byte(i))
			e.CopyBuffer(b, 0, b, 32<<10, 4) // reads what it wrote
			if err := e.EndEncoding(); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		for _, c := range all {
			if err := c.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		b.Release() // the command buffers have it
		if err := all[n-1].WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		for i, c := range all {
			if s := c.Status(); s != CommandBufferStatusCompleted {
				t.Errorf("command buffer %d is %s after the last has completed", i, s)
			}
			if i > 0 && c.GPUEndTime() < all[i-1].GPUEndTime() {
				t.Errorf("command buffer %d ended before its predecessor", i)
			}
		}
		for _, c := range all {
			if err := c.WaitUntilCompleted(); err != nil {
				t.Error(err)
			}
			c.Release()
		}
		q.Release()
	})
}

func TestACommittedCommandBufferRunsWithoutItsReferences(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		dst := must(d.NewBuffer(1<<20, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		e := must(c.NewBlitCommandEncoder())(t)
		e.FillBuffer(dst, 0, 1<<20, 5)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		c.Release()
		// A later command buffer of the queue completes after it.
		if err := q.Run(context.Background(), func(*ComputeCommandEncoder) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[byte](t, dst); v[0] != 5 || v[1<<20-1] != 5 {
			t.Error("it did not run")
		}
		q.Release()
		dst.Release()
	})
}

func TestManyGoroutinesShareDeviceAndQueue(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		var wait sync.WaitGroup
		for g := range 8 {
			wait.Go(func() {
				for i := range 20 {
					b := must(d.NewBuffer(4096, StorageModeShared))(t)
					c := must(q.NewCommandBuffer())(t)
					e := must(c.NewBlitCommandEncoder())(t)
					e.FillBuffer(b, 0, 4096, byte(g*20+i+1))
					if err := errors.Join(e.EndEncoding(), c.Commit(), c.WaitUntilCompleted()); err != nil {
						t.Error(err)
					}
					if v := contentsOf[byte](t, b); v[0] != byte(g*20+i+1) || v[4095] != v[0] {
						t.Errorf("goroutine %d, round %d: %d", g, i, v[0])
					}
					c.Release()
					b.Release()
				}
			})
		}
		wait.Wait()
		q.Release()
	})
}

func TestRunEncodesCommitsAndWaits(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		var encoder *ComputeCommandEncoder
		err := q.RunConcurrent(context.Background(), func(e *ComputeCommandEncoder) error {
			encoder = e
			if e.DispatchType() != DispatchTypeConcurrent || e.Device() != d {
				t.Errorf("encoder of type %s", e.DispatchType())
			}
			e.SetLabel("run")
			e.MemoryBarrier(BarrierScopeBuffers)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		encoder.SetBytes([]byte{1}, 0)
		refused(t, encoder.Err(), "ComputeCommandEncoder.SetBytes", "compute command encoder")

		// The encoder's error, the function's error, a panic: nothing runs, nothing is left.
		refused(t, q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetBytes(nil, 0)
			return nil
		}), "ComputeCommandEncoder.SetBytes", "bytes")
		mine := errors.New("mine")
		if err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetBytes(nil, 0)
			return mine
		}); err != mine {
			t.Errorf("got %v", err)
		}
		func() {
			defer func() {
				if r := recover(); r != "mine" {
					t.Errorf("recovered %v", r)
				}
			}()
			_ = q.Run(context.Background(), func(e *ComputeCommandEncoder) error { panic("mine") })
		}()

		ctx, cancel := context.WithCancel(context.Background())
		if err := q.Run(ctx, func(*ComputeCommandEncoder) error { return nil }); err != nil {
			t.Error(err)
		}
		if err := q.Run(ctx, func(*ComputeCommandEncoder) error { cancel(); return nil }); err != context.Canceled {
			t.Errorf("cancelled while encoding: %v", err)
		}
		if err := q.Run(ctx, func(*ComputeCommandEncoder) error { t.Error("it ran"); return nil }); err != context.Canceled {
			t.Errorf("cancelled before: %v", err)
		}
		q.Release()
		if err := q.Run(context.Background(), nil); !errors.Is(err, ErrReleased) {
			t.Errorf("released queue: %v", err)
		}
	})
}

func TestForgottenObjectsAreReleased(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		live := LiveObjects()
		func() {
			q := must(d.NewCommandQueue())(t)
			b := must(d.NewBuffer(16, StorageModeShared))(t)
			for i := range 20 {
				c := must(q.NewCommandBuffer())(t)
				e := must(c.NewBlitCommandEncoder())(t)
				e.FillBuffer(b, 0, 16, 1)
				if i%2 == 0 {
					continue // neither ended nor committed
				}
				if err := errors.Join(e.EndEncoding(), c.Commit()); err != nil {
					t.Error(err)
				}
			}
		}()
		for range 200 {
			runtime.GC()
			if LiveObjects() == live {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if n := LiveObjects(); n != live {
			t.Errorf("%d objects before, %d after", live, n)
		}
		time.Sleep(20 * time.Millisecond) // the last release may be on its way
	})
}
