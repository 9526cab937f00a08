package mtl

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

func TestHandlersAreCalledOnceInOrder(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		var scheduled, completed atomic.Int32
		var order atomic.Bool
		if err := errors.Join(
			c.AddScheduledHandler(func() { scheduled.Add(1) }),
			c.AddCompletedHandler(func(err error) {
				if err != nil {
					t.Error(err)
				}
				order.Store(scheduled.Load() == 1 && contentsOf[byte](t, b)[0] == 4)
				completed.Add(1)
			}),
			c.AddCompletedHandler(func(error) { completed.Add(1) }),
		); err != nil {
			t.Fatal(err)
		}
		fill(t, c, b, 4)
		if scheduled.Load() != 0 || completed.Load() != 0 {
			t.Error("called before commit")
		}
		if err := errors.Join(c.Commit(), c.WaitUntilScheduled()); err != nil {
			t.Fatal(err)
		}
		if s := c.Status(); s < CommandBufferStatusScheduled {
			t.Errorf("%s after it was scheduled", s)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		if scheduled.Load() != 1 || completed.Load() != 2 || !order.Load() {
			t.Errorf("%d scheduled, %d completed, in order: %v", scheduled.Load(), completed.Load(), order.Load())
		}
		if a, b, e := c.KernelStartTime(), c.KernelEndTime(), c.GPUStartTime(); a <= 0 || b < a || e < b-1 {
			t.Errorf("prepared from %v to %v, ran from %v", a, b, e)
		}
		refused(t, c.AddCompletedHandler(func(error) {}), "CommandBuffer.AddCompletedHandler", "command buffer")
		refused(t, c.AddScheduledHandler(nil), "CommandBuffer.AddScheduledHandler", "function")
		refused(t, c.AddCompletedHandler(nil), "CommandBuffer.AddCompletedHandler", "function")
		for _, o := range []interface{ Release() }{c, q, b} {
			o.Release()
		}
	})
}

func TestTheSoftwareDeviceIsScheduledOnceTheHandlersWereCalled(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a GPU may not wait for its handlers")
		}
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		gate, passed := make(chan struct{}), make(chan error, 2)
		if err := errors.Join(c.AddScheduledHandler(func() { <-gate }), c.Commit()); err != nil {
			t.Fatal(err)
		}
		for range cap(passed) {
			go func() { passed <- c.WaitUntilScheduled() }()
		}
		select {
		case err := <-passed:
			t.Errorf("a wait ended before the handler did: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
		close(gate)
		for range cap(passed) {
			if err := <-passed; err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(c.WaitUntilScheduled(), c.WaitUntilCompleted()); err != nil {
			t.Error(err)
		}
		c.Release()
		q.Release()
	})
}

func TestHandlersOfADroppedCommandBufferAreLetGoOf(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		never := func(error) { t.Error("called") }
		if err := errors.Join(c.AddCompletedHandler(never), c.AddScheduledHandler(func() { never(nil) })); err != nil {
			t.Error(err)
		}
		c.Release()
		q.Release()
	})
}

func TestAForgottenCommandBufferIsNotKeptByItsHandlers(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		live := LiveObjects()
		settled(t, func() {
			func() {
				c := must(q.NewCommandBuffer())(t)
				if err := errors.Join(c.AddCompletedHandler(func(error) {}), c.AddScheduledHandler(func() {}), c.Enqueue()); err != nil {
					t.Error(err)
				}
			}()
			for end := time.Now().Add(5 * time.Second); LiveObjects() != live && time.Now().Before(end); {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		})
		q.Release()
	})
}

func TestAnEnqueuedCommandBufferKeepsItsPlace(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		first, second, dropped := must(q.NewCommandBuffer())(t), must(q.NewCommandBuffer())(t), must(q.NewCommandBuffer())(t)
		if err := errors.Join(first.Enqueue(), dropped.Enqueue()); err != nil {
			t.Fatal(err)
		}
		if s := first.Status(); s != CommandBufferStatusEnqueued {
			t.Errorf("status %s", s)
		}
		refused(t, first.Enqueue(), "CommandBuffer.Enqueue", "command buffer")
		fill(t, second, b, 2)
		if err := second.Commit(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		if s := second.Status(); s >= CommandBufferStatusCompleted {
			t.Errorf("the second is %s before the first was committed", s)
		}
		fill(t, first, b, 1)
		if err := first.Commit(); err != nil {
			t.Fatal(err)
		}
		if d.IsSoftware() { // a GPU's queue may stay blocked
			dropped.Release()
		} else if err := dropped.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(second.WaitUntilCompleted(), first.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[byte](t, b)[0]; v != 2 {
			t.Errorf("the last fill was of %d", v)
		}
		refused(t, first.Enqueue(), "CommandBuffer.Enqueue", "command buffer")
		for _, o := range []interface{ Release() }{first, second, dropped, q, b} {
			o.Release()
		}
	})
}

func TestAWaitForACommandBufferEndsWithItsContext(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		settled(t, func() {
			q := must(d.NewCommandQueue())(t)
			e := must(d.NewSharedEvent())(t)
			c := must(q.NewCommandBuffer())(t)
			const op = "CommandBuffer.WaitUntilCompletedContext"
			refused(t, c.WaitUntilCompletedContext(context.Background()), op, "command buffer")
			refused(t, c.WaitUntilScheduled(), "CommandBuffer.WaitUntilScheduled", "command buffer")
			if err := errors.Join(c.EncodeWaitForEvent(e, 1), c.Commit()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
			defer cancel()
			for range 2 { // while it waits, and before
				if err := c.WaitUntilCompletedContext(ctx); err != context.DeadlineExceeded {
					t.Errorf("got %v", err)
				}
			}
			if err := e.SetSignaledValue(1); err != nil {
				t.Error(err)
			}
			long, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			for _, ctx := range []context.Context{long, context.Background()} {
				if err := c.WaitUntilCompletedContext(ctx); err != nil {
					t.Error(err)
				}
			}
			c.Release()
			if err := c.WaitUntilCompletedContext(long); !errors.Is(err, ErrReleased) {
				t.Errorf("released: %v", err)
			}
			q.Release()
			e.Release()
		})
	})
}

func TestDebugGroupsOfACommandBufferAreBalanced(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		refused(t, c.PopDebugGroup(), "CommandBuffer.PopDebugGroup", "debug groups")
		if err := c.PushDebugGroup("step"); err != nil {
			t.Fatal(err)
		}
		e := must(c.NewBlitCommandEncoder())(t)
		refused(t, c.PushDebugGroup("x"), "CommandBuffer.PushDebugGroup", "command buffer")
		refused(t, c.PopDebugGroup(), "CommandBuffer.PopDebugGroup", "command buffer")
		if err := e.EndEncoding(); err != nil {
			t.Error(err)
		}
		refused(t, c.Commit(), "CommandBuffer.Commit", "debug groups")
		if err := errors.Join(c.PopDebugGroup(), c.Commit(), c.WaitUntilCompleted()); err != nil {
			t.Error(err)
		}
		c.Release()
		q.Release()
	})
}

// encoders runs a command buffer with options and three encoders, of which the second, with a pipeline that writes as many words as there
// are threads, has a fault, if the device finds such.
func encoders(t *testing.T, p *ComputePipelineState, q *CommandQueue, o CommandBufferErrorOption) error {
	t.Helper()
	c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{Label: "three", ErrorOptions: o}))(t)
	defer c.Release()
	if c.Label() != "three" || c.ErrorOptions() != o || !c.RetainedReferences() {
		t.Errorf("label %q, options %d, retained %v", c.Label(), c.ErrorOptions(), c.RetainedReferences())
	}
	b := must(q.Device().NewBuffer(64, StorageModeShared))(t)
	defer b.Release()
	fill(t, c, b, 1)
	e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
	e.SetLabel("second")
	e.InsertDebugSignpost("before")
	e.SetComputePipelineState(p)
	e.SetBuffer(b, 0, 0)
	e.DispatchThreads(Size{17, 1, 1}, Size{17, 1, 1}) // writes 68 bytes
	e.InsertDebugSignpost("after")
	if err := e.EndEncoding(); err != nil {
		t.Fatal(err)
	}
	blit := must(c.NewBlitCommandEncoder())(t)
	blit.SetLabel("third")
	blit.InsertDebugSignpost("never")
	if err := errors.Join(blit.EndEncoding(), c.Commit()); err != nil {
		t.Fatal(err)
	}
	return c.WaitUntilCompleted()
}

func TestAnErrorTellsHowFarTheEncodersCame(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("the fault is the software device's to find")
		}
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		defer p.Release()
		var failed *CommandBufferError
		if err := encoders(t, p, q, CommandBufferErrorOptionNone); !errors.As(err, &failed) || failed.Encoders != nil {
			t.Errorf("without the option: %v", err)
		}
		if err := encoders(t, p, q, CommandBufferErrorOptionEncoderExecutionStatus); !errors.As(err, &failed) || failed.Code != CommandBufferErrorPageFault {
			t.Fatalf("got %v", err)
		}
		want := []CommandBufferEncoderInfo{
			{"", nil, CommandEncoderErrorStateCompleted},
			{"second", []string{"before", "after"}, CommandEncoderErrorStateFaulted},
			{"third", []string{"never"}, CommandEncoderErrorStatePending},
		}
		if len(failed.Encoders) != len(want) {
			t.Fatalf("%d encoders", len(failed.Encoders))
		}
		for i, got := range failed.Encoders {
			if got.Label != want[i].Label || got.ErrorState != want[i].ErrorState || len(got.DebugSignposts) != len(want[i].DebugSignposts) {
				t.Errorf("encoder %d is %+v, want %+v", i, got, want[i])
				continue
			}
			for j, s := range got.DebugSignposts {
				if s != want[i].DebugSignposts[j] {
					t.Errorf("encoder %d has signpost %q, want %q", i, s, want[i].DebugSignposts[j])
				}
			}
		}
		for s, name := range map[CommandEncoderErrorState]string{CommandEncoderErrorStateFaulted: "faulted", 9: "CommandEncoderErrorState(9)", -1: "CommandEncoderErrorState(-1)"} {
			if s.String() != name {
				t.Errorf("%s, want %s", s, name)
			}
		}
		_, err := q.NewCommandBufferWithDescriptor(nil)
		refused(t, err, "CommandQueue.NewCommandBufferWithDescriptor", "descriptor")
		_, err = q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{ErrorOptions: 2})
		refused(t, err, "CommandQueue.NewCommandBufferWithDescriptor", "ErrorOptions")
	})
}

func TestAHandlerGetsTheError(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("the fault is the software device's to find")
		}
		q := must(d.NewCommandQueue())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		b := must(d.NewBuffer(4, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		c.SetLabel("late") // known by the time it fails
		got := make(chan error, 1)
		if err := c.AddCompletedHandler(func(err error) { got <- err }); err != nil {
			t.Fatal(err)
		}
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		e.SetComputePipelineState(p)
		e.SetBuffer(b, 0, 0)
		e.DispatchThreads(Size{8, 1, 1}, Size{8, 1, 1})
		if err := errors.Join(e.EndEncoding(), c.Commit()); err != nil {
			t.Fatal(err)
		}
		want := c.WaitUntilCompleted()
		var failed *CommandBufferError
		if err := <-got; !errors.As(err, &failed) || failed.Label != "late" || err.Error() != want.Error() {
			t.Errorf("got %v, want %v", err, want)
		}
		for _, o := range []interface{ Release() }{c, q, p, b} {
			o.Release()
		}
	})
}

func TestUnretainedObjectsLiveUntilTheWorkHasCompleted(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		start, done := must(d.NewSharedEvent())(t), must(d.NewEvent())(t)
		a := must(d.NewBuffer(64, StorageModeShared))(t)
		h := must(d.NewHeap(&HeapDescriptor{Size: 4096}))(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		f := must(d.NewFence())(t)
		out := must(d.NewBuffer(64, StorageModeShared))(t)
		c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{UnretainedReferences: true}))(t)
		if c.RetainedReferences() {
			t.Error("the device retains")
		}
		if err := c.EncodeWaitForEvent(start, 1); err != nil {
			t.Fatal(err)
		}
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		e.SetComputePipelineState(p)
		e.SetBuffer(a, 0, 0)
		e.UseHeap(h)
		e.UpdateFence(f)
		e.DispatchThreads(Size{16, 1, 1}, Size{16, 1, 1})
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		copyAll(t, c, a, out)
		if err := errors.Join(c.EncodeSignalEvent(done, 1), c.Commit()); err != nil {
			t.Fatal(err)
		}
		// All that it uses is released while it waits, then let it run.
		for _, o := range []interface{ Release() }{a, h, p, f, done} {
			o.Release()
		}
		runtime.GC()
		software := objc.LiveSoftwareObjects()
		if err := errors.Join(start.SetSignaledValue(1), c.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[uint32](t, out); v[0] == 0 || v[15] != v[0] {
			t.Errorf("got %d and %d", v[0], v[15])
		}
		if n := software - objc.LiveSoftwareObjects(); d.IsSoftware() && n < 5 {
			t.Errorf("%d objects went when the work had completed", n)
		}
		for _, o := range []interface{ Release() }{c, q, out, start} {
			o.Release()
		}
	})
}

func TestUnretainedObjectsOutliveTheCommandBuffersRelease(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		start := must(d.NewSharedEvent())(t)
		a, out := must(d.NewBuffer(64, StorageModeShared))(t), must(d.NewBuffer(64, StorageModeShared))(t)
		c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{UnretainedReferences: true}))(t)
		failed := make(chan error, 1)
		if err := errors.Join(c.AddCompletedHandler(func(err error) { failed <- err }), c.EncodeWaitForEvent(start, 1)); err != nil {
			t.Fatal(err)
		}
		fill(t, c, a, 6)
		copyAll(t, c, a, out)
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		c.Release()
		a.Release()
		if err := errors.Join(start.SetSignaledValue(1), <-failed); err != nil {
			t.Error(err)
		}
		// A later command buffer of the queue completes after all of the first is let go of.
		if err := q.Run(context.Background(), func(*ComputeCommandEncoder) error { return nil }); err != nil {
			t.Error(err)
		}
		if v := contentsOf[byte](t, out)[63]; v != 6 {
			t.Errorf("got %d", v)
		}
		for _, o := range []interface{ Release() }{q, out, start} {
			o.Release()
		}
	})
}

func TestUnretainedObjectsOfADroppedCommandBufferGo(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		for _, forget := range []bool{false, true} {
			settled(t, func() {
				b := must(d.NewBuffer(64, StorageModeShared))(t)
				func() {
					c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{UnretainedReferences: true}))(t)
					fill(t, c, b, 1)
					b.Release()
					if !forget {
						c.Release()
					}
				}()
				for end := time.Now().Add(5 * time.Second); forget && time.Now().Before(end) && objc.LiveSoftwareObjectsByClass()["SoftwareMTLBuffer"] != 0; {
					runtime.GC()
					time.Sleep(time.Millisecond)
				}
			})
		}
		q.Release()
	})
}

func TestWithoutTrackingTheSoftwareDeviceFindsWhatIsGone(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("it would crash")
		}
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{UnretainedReferences: true}))(t)
		fill(t, c, b, 1)
		c.pins.drop() // what would happen if nobody kept it
		b.Release()
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		var failed *CommandBufferError
		if err := c.WaitUntilCompleted(); !errors.As(err, &failed) || failed.Code != CommandBufferErrorInvalidResource {
			t.Errorf("got %v", err)
		}
		c.Release()
		q.Release()
	})
}
