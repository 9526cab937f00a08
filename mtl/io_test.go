package mtl

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// pattern gives n bytes none of which is 0, different for each seed.
func pattern(n, seed int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((i*31+i>>8*7+seed*53)%255) + 1
	}
	return b
}

// fileOf opens a file with contents for loading.
func fileOf(t *testing.T, d *Device, contents []byte) *IOFileHandle {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(path, contents, 0o644); err != nil {
		t.Fatal(err)
	}
	return must(d.NewIOFileHandle(path))(t)
}

func newIOQueue(t *testing.T, d *Device, kind IOCommandQueueType) *IOCommandQueue {
	t.Helper()
	return must(d.NewIOCommandQueue(&IOCommandQueueDescriptor{Type: kind, Priority: IOPriorityNormal}))(t)
}

var ioQueueTypes = []IOCommandQueueType{IOCommandQueueTypeConcurrent, IOCommandQueueTypeSerial}

func TestLoadsFillBuffersAndMemory(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		const n, pieces = 1 << 20, 64
		contents := pattern(n, 0)
		h := fileOf(t, d, contents)
		defer h.Release()
		for _, kind := range ioQueueTypes {
			q := newIOQueue(t, d, kind)
			b := newBuffer(t, d, n)
			memory := make([]byte, n/2)
			err := q.Run(context.Background(), func(c *IOCommandBuffer) error {
				for i := range pieces {
					at := (i * 37 % pieces) * (n / pieces)
					c.LoadBuffer(b, n-n/pieces-at, n/pieces, h, at)
				}
				c.LoadBytes(memory, h, 1234)
				return nil
			})
			if err != nil {
				t.Errorf("queue of type %d: %v", kind, err)
			}
			got := contentsOf[byte](t, b)
			for i := range pieces {
				at := i * (n / pieces)
				if !bytes.Equal(got[n-n/pieces-at:][:n/pieces], contents[at:][:n/pieces]) {
					t.Errorf("queue of type %d: piece %d is not the file's", kind, i)
				}
			}
			if !bytes.Equal(memory, contents[1234:][:n/2]) {
				t.Errorf("queue of type %d: the memory has not the file's bytes", kind)
			}
			b.Release()
			q.Release()
		}
	})
}

func TestWhatIsNoFileCannotBeOpened(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		paths := []string{filepath.Join(t.TempDir(), "none")}
		if d.IsSoftware() {
			paths = append(paths, t.TempDir())
		}
		for _, path := range paths {
			h, err := d.NewIOFileHandle(path)
			var failed *Error
			if h != nil || !errors.As(err, &failed) || failed.Domain != "MTLIOErrorDomain" || failed.Code != int(IOErrorURLInvalid) {
				t.Errorf("%s: %v", path, err)
			}
		}
		_, err := d.NewIOFileHandle("")
		refused(t, err, "Device.NewIOFileHandle", "path")
	})
}

func TestAShortFileFailsTheCommandBuffer(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("what a GPU's system does with short files only a Mac can tell")
		}
		h := fileOf(t, d, pattern(100, 1))
		defer h.Release()
		for _, kind := range ioQueueTypes {
			q := newIOQueue(t, d, kind)
			b := newBuffer(t, d, 256)
			e := must(d.NewSharedEvent())(t)
			var handled error
			var c *IOCommandBuffer
			err := q.Run(context.Background(), func(buffer *IOCommandBuffer) error {
				c = buffer
				c.SetLabel("layer 3")
				c.LoadBuffer(b, 0, 64, h, 64)
				c.CopyStatus(b, 128)
				c.AddBarrier()
				c.LoadBuffer(b, 64, 32, h, 0)
				c.SignalEvent(e, 1)
				return c.AddCompletedHandler(func(err error) { handled = err })
			})
			var failed *IOCommandBufferError
			if !errors.As(err, &failed) || failed.Code != IOErrorInternal || failed.Domain != "MTLIOErrorDomain" || failed.Label != "layer 3" {
				t.Errorf("got %v", err)
			} else if text := err.Error(); !strings.Contains(text, "weights has no more than 100 bytes, 64 from byte 64 on") || !strings.Contains(text, `"layer 3"`) {
				t.Errorf("the text is %q", text)
			}
			if handled == nil || handled.Error() != err.Error() {
				t.Errorf("the handler got %v", handled)
			}
			got := contentsOf[byte](t, b)
			if status := binary.LittleEndian.Uint64(got[128:]); status != uint64(IOStatusError) {
				t.Errorf("the status in the buffer is %d", status)
			}
			if got[64] != 0 || e.SignaledValue() != 0 {
				t.Error("commands behind the load that failed ran")
			}
			e.Release()
			b.Release()
			q.Release()
		}
	})
}

func TestACancelledCommandBufferLoadsNoMore(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("what a GPU's system cancels in time only a Mac can tell")
		}
		h := fileOf(t, d, pattern(64, 2))
		defer h.Release()
		b := newBuffer(t, d, 128)
		defer b.Release()
		e := must(d.NewSharedEvent())(t)
		defer e.Release()
		for _, kind := range ioQueueTypes {
			q := newIOQueue(t, d, kind)
			c := must(q.NewCommandBuffer())(t)
			c.WaitForEvent(e, 1)
			c.LoadBuffer(b, 0, 64, h, 0)
			c.CopyStatus(b, 64)
			handled := make(chan error, 1)
			err := errors.Join(c.AddCompletedHandler(func(err error) { handled <- err }), c.Commit())
			if s := c.Status(); s != IOStatusPending || c.Error() != nil {
				t.Errorf("before its end: status %v, error %v", s, c.Error())
			}
			if err = errors.Join(err, c.TryCancel()); err != nil {
				t.Error(err)
			}
			if err := c.WaitUntilCompleted(); !errors.Is(err, ErrIOCancelled) || !errors.Is(c.Error(), ErrIOCancelled) || !errors.Is(<-handled, ErrIOCancelled) {
				t.Errorf("want ErrIOCancelled, got %v", err)
			}
			got := contentsOf[byte](t, b)
			if s := c.Status(); s != IOStatusCancelled || got[64] != byte(IOStatusCancelled) {
				t.Errorf("status %v, %d in the buffer", s, got[64])
			}
			if got[0] != 0 {
				t.Error("it was loaded")
			}
			got[64] = 0
			c.Release()
			q.Release()
		}
	})
}

func TestRunCancelsWhenTheContextEnds(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		h := fileOf(t, d, pattern(64, 3))
		defer h.Release()
		q := newIOQueue(t, d, IOCommandQueueTypeConcurrent)
		defer q.Release()
		e := must(d.NewSharedEvent())(t)
		defer e.Release()
		memory := make([]byte, 64)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := q.Run(ctx, func(*IOCommandBuffer) error { t.Error("called"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("before: %v", err)
		}
		if !d.IsSoftware() {
			return // whether a wait can be cancelled only a Mac can tell
		}
		ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		err := q.Run(ctx, func(c *IOCommandBuffer) error {
			c.WaitForEvent(e, 1)
			c.LoadBytes(memory, h, 0)
			return nil
		})
		if !errors.Is(err, context.DeadlineExceeded) || memory[0] != 0 {
			t.Errorf("got %v", err)
		}
		ctx, cancel = context.WithCancel(context.Background())
		if err := q.Run(ctx, func(c *IOCommandBuffer) error {
			c.LoadBytes(memory, h, 0)
			cancel()
			return nil
		}); !errors.Is(err, context.Canceled) || memory[0] != 0 {
			t.Errorf("while it is encoded: %v", err)
		}
		own := errors.New("own")
		if err := q.Run(context.Background(), func(c *IOCommandBuffer) error { c.LoadBytes(memory, h, 0); return own }); err != own || memory[0] != 0 {
			t.Errorf("the closure's error: %v", err)
		}
	})
}

// over runs two command buffers, the first of which waits until both are committed, that load different files to one place, and gives the
// file that is there in the end.
func over(t *testing.T, d *Device, q *IOCommandQueue, between func() error) int {
	t.Helper()
	first, second := fileOf(t, d, pattern(64, 1)), fileOf(t, d, pattern(64, 2))
	defer first.Release()
	defer second.Release()
	b := newBuffer(t, d, 64)
	defer b.Release()
	e := must(d.NewSharedEvent())(t)
	defer e.Release()
	c1, c2 := must(q.NewCommandBuffer())(t), must(q.NewCommandBuffer())(t)
	defer c1.Release()
	defer c2.Release()
	c1.WaitForEvent(e, 1)
	c1.LoadBuffer(b, 0, 64, first, 0)
	c2.LoadBuffer(b, 0, 64, second, 0)
	err := errors.Join(c1.Commit(), between(), c2.Commit())
	// One that does not wait for the first is done by now, as a rule.
	for i := 0; i < 50 && c2.Status() == IOStatusPending; i++ {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(err, e.SetSignaledValue(1), c1.WaitUntilCompleted(), c2.WaitUntilCompleted()); err != nil {
		t.Error(err)
	}
	for i := range 3 {
		if bytes.Equal(contentsOf[byte](t, b), pattern(64, i)) {
			return i
		}
	}
	return -1
}

func TestQueuesOrderTheirCommandBuffers(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		nothing := func() error { return nil }
		serial := newIOQueue(t, d, IOCommandQueueTypeSerial)
		defer serial.Release()
		if got := over(t, d, serial, nothing); got != 2 {
			t.Errorf("on a serial queue file %d is there", got)
		}
		concurrent := newIOQueue(t, d, IOCommandQueueTypeConcurrent)
		defer concurrent.Release()
		if got := over(t, d, concurrent, concurrent.EnqueueBarrier); got != 2 {
			t.Errorf("behind a barrier file %d is there", got)
		}
		if !d.IsSoftware() {
			return // it may overlap, and need not
		}
		if got := over(t, d, concurrent, nothing); got != 1 {
			t.Errorf("on a concurrent queue file %d is there", got)
		}
	})
}

func TestAnEnqueuedCommandBufferHasItsPlace(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a system may end with what it never got")
		}
		q := newIOQueue(t, d, IOCommandQueueTypeSerial)
		defer q.Release()
		h := fileOf(t, d, pattern(64, 1))
		defer h.Release()
		first, second := must(q.NewCommandBuffer())(t), must(q.NewCommandBuffer())(t)
		memory := make([]byte, 64)
		second.LoadBytes(memory, h, 0)
		if err := errors.Join(first.Enqueue(), second.Commit()); err != nil {
			t.Error(err)
		}
		refused(t, first.Enqueue(), "IOCommandBuffer.Enqueue", "command buffer")
		time.Sleep(10 * time.Millisecond)
		if second.Status() != IOStatusPending {
			t.Error("the second did not wait for the first, which was enqueued before")
		}
		first.Release() // it is not in the way any more
		if err := second.WaitUntilCompleted(); err != nil || !bytes.Equal(memory, pattern(64, 1)) {
			t.Errorf("the second loaded %v: %v", memory[:4], err)
		}
		second.Release()
	})
}

func TestADeviceWaitsForWhatIsLoaded(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		const n = 1 << 16
		h := fileOf(t, d, pattern(n, 5))
		defer h.Release()
		weights := must(d.NewBuffer(n, StorageModePrivate))(t)
		defer weights.Release()
		out := newBuffer(t, d, n)
		defer out.Release()
		e := must(d.NewSharedEvent())(t)
		defer e.Release()
		q, loads := must(d.NewCommandQueue())(t), newIOQueue(t, d, IOCommandQueueTypeConcurrent)
		defer q.Release()
		defer loads.Release()
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		err := c.EncodeWaitForEvent(e, 1)
		blit := must(c.NewBlitCommandEncoder())(t)
		blit.CopyBuffer(weights, 0, out, 0, n)
		err = errors.Join(err, blit.EndEncoding(), c.Commit())
		l := must(loads.NewCommandBuffer())(t)
		for at := 0; at < n; at += n / 8 {
			l.LoadBuffer(weights, at, n/8, h, at)
		}
		l.SignalEvent(e, 1)
		err = errors.Join(err, l.Commit())
		l.Release()
		if err = errors.Join(err, c.WaitUntilCompleted()); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(contentsOf[byte](t, out), pattern(n, 5)) {
			t.Error("the device did not wait")
		}
		// It may be that the loads' end is not over when the device goes on.
		for i := 0; i < 1000 && d.IsSoftware() && objc.LiveSoftwareObjectsByClass()["SoftwareMTLIOCommandBuffer"] > 0; i++ {
			time.Sleep(time.Millisecond)
		}
	})
}

func TestQueuesHaveAsManyCommandBuffersAsTheyWereToldTo(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("how a system counts only a Mac can tell")
		}
		old := must(d.NewCommandQueueWithMaxCommandBufferCount(1))(t)
		defer old.Release()
		described := must(d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{Label: "described", MaxCommandBufferCount: 1}))(t)
		defer described.Release()
		if described.Label() != "described" {
			t.Errorf("the label is %q", described.Label())
		}
		loads := must(d.NewIOCommandQueue(&IOCommandQueueDescriptor{Label: "loads", MaxCommandBufferCount: 1}))(t)
		defer loads.Release()
		type commandBuffer interface {
			Release()
			Commit() error
			WaitUntilCompleted() error
		}
		for name, makes := range map[string]func() commandBuffer{
			"count":      func() commandBuffer { return must(old.NewCommandBuffer())(t) },
			"descriptor": func() commandBuffer { return must(described.NewCommandBuffer())(t) },
			"IO":         func() commandBuffer { return must(loads.NewCommandBuffer())(t) },
		} {
			first := makes()
			made := make(chan commandBuffer)
			go func() { made <- makes() }()
			select {
			case <-made:
				t.Fatalf("%s: two at a time", name)
			case <-time.After(10 * time.Millisecond):
			}
			first.Release()
			second := <-made // one that was never committed is out of the way
			if err := errors.Join(second.Commit(), second.WaitUntilCompleted()); err != nil {
				t.Error(err)
			}
			makes().Release() // one that has completed too
			second.Release()
		}
	})
}

func TestLoadingRefusesWhatMetalWouldAssertOn(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		for arg, desc := range map[string]IOCommandQueueDescriptor{
			"Type": {Type: 2}, "Priority": {Priority: -1}, "MaxCommandBufferCount": {MaxCommandBufferCount: -1}, "MaxCommandsInFlight": {MaxCommandsInFlight: -1},
		} {
			_, err := d.NewIOCommandQueue(&desc)
			refused(t, err, "Device.NewIOCommandQueue", arg)
		}
		_, err := d.NewCommandQueueWithMaxCommandBufferCount(0)
		refused(t, err, "Device.NewCommandQueueWithMaxCommandBufferCount", "count")
		_, err = d.NewCommandQueueWithDescriptor(nil)
		refused(t, err, "Device.NewCommandQueueWithDescriptor", "descriptor")
		_, err = d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{MaxCommandBufferCount: -1})
		refused(t, err, "Device.NewCommandQueueWithDescriptor", "MaxCommandBufferCount")

		q := must(d.NewIOCommandQueue(nil))(t)
		h, gone := fileOf(t, d, pattern(64, 1)), fileOf(t, d, pattern(64, 1))
		gone.Release()
		b := newBuffer(t, d, 64)
		e := must(d.NewSharedEvent())(t)
		const top = int(^uint(0) >> 1)
		for _, r := range []struct {
			op, arg string
			encode  func(c *IOCommandBuffer)
		}{
			{"LoadBuffer", "buffer", func(c *IOCommandBuffer) { c.LoadBuffer(nil, 0, 1, h, 0) }},
			{"LoadBuffer", "range", func(c *IOCommandBuffer) { c.LoadBuffer(b, 1, 64, h, 0) }},
			{"LoadBuffer", "range", func(c *IOCommandBuffer) { c.LoadBuffer(b, -1, 2, h, 0) }},
			{"LoadBuffer", "range", func(c *IOCommandBuffer) { c.LoadBuffer(b, 0, 0, h, 0) }},
			{"LoadBuffer", "range", func(c *IOCommandBuffer) { c.LoadBuffer(b, top, top, h, 0) }},
			{"LoadBuffer", "handle", func(c *IOCommandBuffer) { c.LoadBuffer(b, 0, 1, nil, 0) }},
			{"LoadBuffer", "handle", func(c *IOCommandBuffer) { c.LoadBuffer(b, 0, 1, gone, 0) }},
			{"LoadBuffer", "handle offset", func(c *IOCommandBuffer) { c.LoadBuffer(b, 0, 1, h, -1) }},
			{"LoadBytes", "bytes", func(c *IOCommandBuffer) { c.LoadBytes(nil, h, 0) }},
			{"LoadBytes", "handle offset", func(c *IOCommandBuffer) { c.LoadBytes(make([]byte, 8), h, top) }},
			{"CopyStatus", "offset", func(c *IOCommandBuffer) { c.CopyStatus(b, 4) }},
			{"CopyStatus", "range", func(c *IOCommandBuffer) { c.CopyStatus(b, 60) }},
			{"SignalEvent", "event", func(c *IOCommandBuffer) { c.SignalEvent(nil, 1) }},
			{"WaitForEvent", "event", func(c *IOCommandBuffer) { c.WaitForEvent(nil, 1) }},
			{"PopDebugGroup", "debug groups", func(c *IOCommandBuffer) { c.PopDebugGroup() }},
			{"Commit", "debug groups", func(c *IOCommandBuffer) { c.PushDebugGroup("g") }},
		} {
			loaded := contentsOf[byte](t, b)
			err := q.Run(context.Background(), func(c *IOCommandBuffer) error {
				r.encode(c)
				c.LoadBuffer(b, 0, 8, h, 0) // nothing is sent after an error
				return nil
			})
			refused(t, err, "IOCommandBuffer."+r.op, r.arg)
			if loaded[0] != 0 {
				t.Errorf("%s: it was loaded", r.op)
			}
		}

		c := must(q.NewCommandBuffer())(t)
		refused(t, c.WaitUntilCompleted(), "IOCommandBuffer.WaitUntilCompleted", "command buffer")
		refused(t, c.TryCancel(), "IOCommandBuffer.TryCancel", "command buffer")
		refused(t, c.AddCompletedHandler(nil), "IOCommandBuffer.AddCompletedHandler", "function")
		if err := errors.Join(c.Commit(), c.WaitUntilCompleted()); err != nil {
			t.Error(err)
		}
		refused(t, c.Commit(), "IOCommandBuffer.Commit", "command buffer")
		c.AddBarrier()
		refused(t, c.Err(), "IOCommandBuffer.AddBarrier", "command buffer")
		c.Release()
		refused(t, c.Error(), "IOCommandBuffer.Error", "command buffer")
		for _, o := range []interface{ Release() }{h, b, e, q} {
			o.Release()
			o.Release()
		}
		_, err = q.NewCommandBuffer()
		refused(t, err, "IOCommandQueue.NewCommandBuffer", "queue")
		refused(t, q.EnqueueBarrier(), "IOCommandQueue.EnqueueBarrier", "queue")
	})
}

func TestIOStatusesAndLogLevelsHaveNames(t *testing.T) {
	if s := fmt.Sprint(IOStatusPending, IOStatusComplete, IOStatus(9), LogLevelNotice, LogLevel(-1)); s != "pending complete IOStatus(9) notice LogLevel(-1)" {
		t.Error(s)
	}
}
