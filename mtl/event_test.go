package mtl

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft"
)

// settled fails if f leaves objects behind; those that another thread is about to release may take a while.
func settled(t *testing.T, f func()) {
	t.Helper()
	live, software := LiveObjects(), objc.LiveSoftwareObjects()
	f()
	for end := time.Now().Add(5 * time.Second); objc.LiveSoftwareObjects() != software && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if LiveObjects() != live || objc.LiveSoftwareObjects() != software {
		t.Errorf("%d and %d objects before, %d and %d after", live, software, LiveObjects(), objc.LiveSoftwareObjects())
	}
}

// fill encodes a fill of all of b and ends the encoder.
func fill(t testing.TB, c *CommandBuffer, b *Buffer, value byte) {
	t.Helper()
	e := must(c.NewBlitCommandEncoder())(t)
	e.FillBuffer(b, 0, b.Length(), value)
	if err := e.EndEncoding(); err != nil {
		t.Fatal(err)
	}
}

// copyAll encodes a copy of all of src to dst and ends the encoder.
func copyAll(t testing.TB, c *CommandBuffer, src, dst *Buffer) {
	t.Helper()
	e := must(c.NewBlitCommandEncoder())(t)
	e.CopyBuffer(src, 0, dst, 0, src.Length())
	if err := e.EndEncoding(); err != nil {
		t.Fatal(err)
	}
}

func TestAQueueWaitsForTheEventThatAnotherSignals(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		first, second := must(d.NewCommandQueue())(t), must(d.NewCommandQueue())(t)
		a := must(d.NewBuffer(1<<16, StorageModeShared))(t)
		b := must(d.NewBuffer(1<<16, StorageModeShared))(t)
		event := must(d.NewEvent())(t)
		event.SetLabel("filled")
		if event.Label() != "filled" || event.Device() != d {
			t.Errorf("label %q", event.Label())
		}

		// The reader is committed before the writer.
		reader := must(second.NewCommandBuffer())(t)
		if err := reader.EncodeWaitForEvent(event, 7); err != nil {
			t.Fatal(err)
		}
		copyAll(t, reader, a, b)
		if err := reader.Commit(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		if s := reader.Status(); s >= CommandBufferStatusCompleted {
			t.Errorf("the reader is %s before the event was signalled", s)
		}
		if v := contentsOf[byte](t, b)[0]; v != 0 {
			t.Errorf("the reader ran before the writer: %d", v)
		}
		writer := must(first.NewCommandBuffer())(t)
		if err := writer.EncodeSignalEvent(event, 6); err != nil { // too little
			t.Fatal(err)
		}
		fill(t, writer, a, 9)
		if err := writer.EncodeSignalEvent(event, 7); err != nil {
			t.Fatal(err)
		}
		event.Release() // the command buffers have it
		if err := errors.Join(writer.Commit(), reader.WaitUntilCompleted(), writer.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[byte](t, b); v[0] != 9 || v[1<<16-1] != 9 {
			t.Errorf("the reader saw %d and %d", v[0], v[1<<16-1])
		}
		for _, o := range []interface{ Release() }{reader, writer, first, second, a, b} {
			o.Release()
		}
	})
}

func TestTheProgramSignalsAndWaitsForSharedEvents(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		e := must(d.NewSharedEvent())(t)
		if v := e.SignaledValue(); v != 0 {
			t.Errorf("a new event has %d", v)
		}
		c := must(q.NewCommandBuffer())(t)
		if err := c.EncodeWaitForEvent(e, 1); err != nil {
			t.Fatal(err)
		}
		fill(t, c, b, 5)
		if err := errors.Join(c.EncodeSignalEvent(e, 2), c.Commit()); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if ok, err := e.WaitUntilSignaledValue(2, 15*time.Millisecond); ok || err != nil || time.Since(start) < 15*time.Millisecond {
			t.Errorf("signalled %v, error %v after %v", ok, err, time.Since(start))
		}
		if contentsOf[byte](t, b)[0] != 0 {
			t.Error("it ran before the program signalled")
		}
		if err := e.SetSignaledValue(1); err != nil {
			t.Error(err)
		}
		if ok, err := e.WaitUntilSignaledValue(2, 10*time.Second); !ok || err != nil {
			t.Errorf("signalled %v, error %v", ok, err)
		}
		if contentsOf[byte](t, b)[63] != 5 || e.SignaledValue() != 2 {
			t.Errorf("value %d, memory %d", e.SignaledValue(), contentsOf[byte](t, b)[63])
		}
		if ok, err := e.WaitUntilSignaledValue(1, 0); !ok || err != nil {
			t.Errorf("a smaller value: %v, error %v", ok, err)
		}
		start = time.Now()
		if ok, err := e.WaitUntilSignaledValue(math.MaxUint64, 900*time.Microsecond); ok || err != nil || time.Since(start) < 900*time.Microsecond {
			t.Errorf("a value that never comes: %v, error %v after %v", ok, err, time.Since(start))
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Error(err)
		}
		for _, o := range []interface{ Release() }{c, q, b, e} {
			o.Release()
		}
	})
}

func TestNotificationsComeOnceWithTheValue(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		settled(t, func() {
			q := must(d.NewCommandQueue())(t)
			e := must(d.NewSharedEvent())(t)
			var mu sync.Mutex
			var got []uint64
			both := make(chan struct{}, 10)
			note := func(v uint64) {
				mu.Lock()
				got = append(got, v)
				mu.Unlock()
				both <- struct{}{}
			}
			never := func(v uint64) { t.Errorf("called with %d", v) }
			for _, err := range []error{e.Notify(3, note), e.Notify(5, note), e.Notify(1000, never)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			c := must(q.NewCommandBuffer())(t)
			if err := errors.Join(c.EncodeSignalEvent(e, 3), c.Commit(), c.WaitUntilCompleted()); err != nil {
				t.Fatal(err)
			}
			<-both
			if err := e.SetSignaledValue(9); err != nil {
				t.Fatal(err)
			}
			<-both
			if err := errors.Join(e.Notify(4, note), e.Notify(9, note)); err != nil { // it has both already
				t.Fatal(err)
			}
			<-both
			<-both
			mu.Lock()
			if len(got) != 4 || got[0] != 3 || got[1] != 9 || got[2] != 9 || got[3] != 9 {
				t.Errorf("values %v", got)
			}
			mu.Unlock()
			c.Release()
			q.Release()
			e.Release()
		})
	})
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		settled(t, func() {
			e := must(d.NewSharedEvent())(t)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
			defer cancel()
			if err := e.Wait(ctx, 1); err != context.DeadlineExceeded {
				t.Errorf("got %v", err)
			}
			if err := e.Wait(ctx, 0); err != context.DeadlineExceeded {
				t.Errorf("a context that is done: %v", err)
			}
			go func() { _ = e.SetSignaledValue(1) }()
			if err := e.Wait(context.Background(), 1); err != nil {
				t.Error(err)
			}
			e.Release()
		})
	})
}

func TestADeadlockFailsItsCommandBufferAfterAWhile(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a GPU may wait for ever")
		}
		defer soft.SetEventTimeout(soft.SetEventTimeout(30 * time.Millisecond))
		q, other := must(d.NewCommandQueue())(t), must(d.NewCommandQueue())(t)
		e, f := must(d.NewEvent())(t), must(d.NewEvent())(t)
		e.SetLabel("egg")
		f.SetLabel("hen")
		b := must(d.NewBuffer(16, StorageModeShared))(t)
		// Each queue waits for what the other would signal after its own wait.
		x, y := must(q.NewCommandBuffer())(t), must(other.NewCommandBuffer())(t)
		x.SetLabel("x")
		if err := x.EncodeWaitForEvent(e, 1); err != nil {
			t.Fatal(err)
		}
		fill(t, x, b, 1)
		if err := errors.Join(x.EncodeSignalEvent(f, 1), y.EncodeWaitForEvent(f, 1), y.EncodeSignalEvent(e, 1), x.Commit(), y.Commit()); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*CommandBuffer{x, y} {
			err := c.WaitUntilCompleted()
			var failed *CommandBufferError
			if !errors.As(err, &failed) || failed.Code != CommandBufferErrorTimeout {
				t.Errorf("got %v", err)
			}
		}
		err := x.Error()
		for _, part := range []string{`"x"`, `"egg"`, "with 1", "within 30ms", "value is 0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v lacks %s", err, part)
			}
		}
		if contentsOf[byte](t, b)[0] != 0 {
			t.Error("what stands after the wait ran")
		}
		// The queue goes on.
		z := must(q.NewCommandBuffer())(t)
		fill(t, z, b, 3)
		if err := errors.Join(z.Commit(), z.WaitUntilCompleted()); err != nil {
			t.Error(err)
		}
		for _, o := range []interface{ Release() }{x, y, z, q, other, e, f, b} {
			o.Release()
		}
	})
}

func TestTheSoftwareDeviceNeverLowersAnEvent(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a GPU may")
		}
		q := must(d.NewCommandQueue())(t)
		e := must(d.NewSharedEvent())(t)
		c := must(q.NewCommandBuffer())(t)
		if err := errors.Join(c.EncodeSignalEvent(e, 5), c.EncodeSignalEvent(e, 4), c.Commit(), c.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		if v := e.SignaledValue(); v != 5 {
			t.Errorf("5 and then 4 make %d", v)
		}
		for _, o := range []interface{ Release() }{c, q, e} {
			o.Release()
		}
	})
}

func TestAFailedCommandBufferSignalsNothing(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("the fault is the software device's to find")
		}
		q := must(d.NewCommandQueue())(t)
		e := must(d.NewSharedEvent())(t)
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "shape")
		small := must(d.NewBuffer(4, StorageModeShared))(t)
		c := must(q.NewCommandBuffer())(t)
		if err := c.EncodeSignalEvent(e, 1); err != nil {
			t.Fatal(err)
		}
		enc := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		enc.SetComputePipelineState(p)
		enc.SetBuffer(small, 0, 0)
		enc.DispatchThreads(Size{8, 1, 1}, Size{8, 1, 1})
		if err := errors.Join(enc.EndEncoding(), c.EncodeSignalEvent(e, 2), c.Commit()); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err == nil {
			t.Error("no fault")
		}
		if v := e.SignaledValue(); v != 1 {
			t.Errorf("the event has %d", v)
		}
		for _, o := range []interface{ Release() }{c, q, e, p, small} {
			o.Release()
		}
	})
}

func TestWhatMetalWouldAssertOnAboutEventsIsAnError(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		e, gone := must(d.NewSharedEvent())(t), must(d.NewEvent())(t)
		gone.Release()
		c := must(q.NewCommandBuffer())(t)
		const signal, wait = "CommandBuffer.EncodeSignalEvent", "CommandBuffer.EncodeWaitForEvent"
		refused(t, c.EncodeSignalEvent(nil, 1), signal, "event")
		refused(t, c.EncodeSignalEvent((*Event)(nil), 1), signal, "event")
		refused(t, c.EncodeWaitForEvent((*SharedEvent)(nil), 1), wait, "event")
		refused(t, c.EncodeWaitForEvent(gone, 1), wait, "event")
		enc := must(c.NewBlitCommandEncoder())(t)
		refused(t, c.EncodeSignalEvent(e, 1), signal, "command buffer")
		if err := errors.Join(enc.EndEncoding(), c.Commit()); err != nil {
			t.Fatal(err)
		}
		refused(t, c.EncodeWaitForEvent(e, 1), wait, "command buffer")
		if err := c.WaitUntilCompleted(); err != nil {
			t.Error(err)
		}
		_, err := e.WaitUntilSignaledValue(1, -time.Second)
		refused(t, err, "SharedEvent.WaitUntilSignaledValue", "timeout")
		refused(t, e.Notify(1, nil), "SharedEvent.Notify", "function")
		e.Release()
		_, err = e.WaitUntilSignaledValue(1, 0)
		for _, err := range []error{err, e.SetSignaledValue(1), e.Wait(context.Background(), 1), e.Notify(1, func(uint64) {})} {
			if !errors.Is(err, ErrReleased) {
				t.Errorf("released event: %v", err)
			}
		}
		refused(t, (*SharedEvent)(nil).SetSignaledValue(1), "SharedEvent.SetSignaledValue", "event")
		c.Release()
		q.Release()
	})
}
