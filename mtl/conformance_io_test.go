package mtl

import (
	"errors"
	"os"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func init() {
	scenarios = append(scenarios,
		scenario{"loading", playLoading}, scenario{"queues of a size", playQueues}, scenario{"shader logging", playLogging})
}

func playLoading(t *testing.T, d *Device) error {
	// The transcript's path is the same everywhere.
	before := must(os.Getwd())(t)
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(before)
	if err := os.WriteFile("weights", make([]byte, 100), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err := d.NewIOFileHandle("weights")
	if err != nil {
		return err
	}
	defer h.Release()
	h.SetLabel("handle")
	q, err := d.NewIOCommandQueue(&IOCommandQueueDescriptor{
		Label: "queue", Type: IOCommandQueueTypeSerial, Priority: IOPriorityLow, MaxCommandBufferCount: 4, MaxCommandsInFlight: 5,
	})
	if err != nil {
		return err
	}
	defer q.Release()
	b := must(d.NewBuffer(128, StorageModeShared))(t)
	defer b.Release()
	e := must(d.NewSharedEvent())(t)
	defer e.Release()
	c := must(q.NewCommandBuffer())(t)
	defer c.Release()
	c.SetLabel("loads")
	c.PushDebugGroup("group")
	c.LoadBuffer(b, 8, 16, h, 24)
	c.AddBarrier()
	c.LoadBytes(make([]byte, 32), h, 40)
	c.PopDebugGroup()
	c.SignalEvent(e, 7)
	c.WaitForEvent(e, 6)
	c.CopyStatus(b, 48)
	err = errors.Join(c.Enqueue(), c.Commit(), q.EnqueueBarrier(), c.WaitUntilCompleted(), c.TryCancel())
	c.Status()

	forgotten := must(q.NewCommandBuffer())(t)
	err = errors.Join(err, forgotten.AddCompletedHandler(func(error) { t.Error("called") }))
	forgotten.Release()

	short := must(q.NewCommandBuffer())(t)
	defer short.Release()
	short.LoadBuffer(b, 0, 64, h, 64)
	err = errors.Join(err, short.Commit())
	var failed *IOCommandBufferError
	if loaded := short.WaitUntilCompleted(); !errors.As(loaded, &failed) {
		t.Errorf("a load past the file's end: %v", loaded)
	}
	return err
}

func playQueues(t *testing.T, d *Device) error {
	must(d.NewCommandQueueWithMaxCommandBufferCount(3))(t).Release()
	q, err := d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{Label: "queue", MaxCommandBufferCount: 5})
	if err != nil {
		return err
	}
	q.Release()
	return nil
}

func playLogging(t *testing.T, _ *Device) error {
	d := newFakeDevice()
	defer d.Release()
	s, err := d.NewLogState(&LogStateDescriptor{Level: LogLevelNotice, BufferSize: 4096})
	if err != nil {
		return err
	}
	defer s.Release()
	if err := s.AddLogHandler(func(LogMessage) { t.Error("called") }); err != nil {
		return err
	}
	q, err := d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{LogState: s})
	if err != nil {
		return err
	}
	defer q.Release()
	c, err := q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{LogState: s})
	if err != nil {
		return err
	}
	c.Release()
	return nil
}

// A command buffer's descriptor is older than shader logging, whose object a newer system's may be.
func TestALogStateIsRefusedWhereDescriptorsHaveNone(t *testing.T) {
	balanced(t, func() {
		d := newFakeDevice()
		defer d.Release()
		s := must(d.NewLogState(nil))(t)
		defer s.Release()
		q := must(d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{}))(t)
		defer q.Release()
		defer objc.SetTrace(&objc.Trace{Hide: func(_ *objc.Class, sel objc.SEL) bool { return sel == selSetLogState }})()
		if _, err := q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{LogState: s}); !errors.Is(err, ErrUnsupported) {
			t.Errorf("want ErrUnsupported, got %v", err)
		}
		if _, err := d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{LogState: s}); !errors.Is(err, ErrUnsupported) {
			t.Errorf("want ErrUnsupported, got %v", err)
		}
		must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{}))(t).Release()
	})
}
