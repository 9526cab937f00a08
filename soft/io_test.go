package soft

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

var selAlloc = objc.Sel("alloc", "@@:")

// descriptor makes an autoreleased instance of a class.
func descriptor(class string) objc.ID {
	return objc.Autorelease(objc.SendID(objc.SendID(objc.Software().Class(class), selAlloc), selInit))
}

func TestTheRulesOfLoadingStopTheProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 64), 0o644); err != nil {
		t.Fatal(err)
	}
	pool(t, func(m *objc.Msg) {
		d := theDevice()
		o := descriptor("MTLIOCommandQueueDescriptor")
		if m.Send(o, selPriority) != ioPriorityNormal || m.Send(o, selIOQueueType) != ioQueueConcurrent {
			t.Error("the descriptor's defaults are not Metal's")
		}
		m.Send(o, selSetIOQueueType, 2)
		asserts(t, "MTLDevice newIOCommandQueueWithDescriptor:error:", "type 2", func() { m.Send(d, selNewIOCommandQueue, uintptr(o), 0) })
		m.Send(o, selSetIOQueueType, ioQueueSerial)
		q := objc.ID(m.Send(d, selNewIOCommandQueue, uintptr(o), 0))
		defer objc.Release(q)
		asserts(t, "MTLDevice newIOFileHandleWithURL:error:", "nil", func() { m.Send(d, selNewIOFileHandle, 0, 0) })
		file, err := openFile(path)
		if err != nil {
			t.Fatal(err)
		}
		h := objc.NewObject(ioFileClass, &ioFile{file: file, path: path})
		defer objc.Release(h)
		b := newShared(m, 64)
		defer objc.Release(b)
		e := objc.ID(m.Send(d, selNewSharedEvent))
		defer objc.Release(e)

		const cb = "MTLIOCommandBuffer "
		const load, bytes = cb + "loadBuffer:offset:size:sourceHandle:sourceHandleOffset:", cb + "loadBytes:size:sourceHandle:sourceHandleOffset:"
		c := objc.ID(m.Send(q, selCommandBuffer))
		asserts(t, load, "not inside the buffer's 64", func() { m.Send(c, selLoadBuffer, uintptr(b), 60, 8, uintptr(h), 0) })
		asserts(t, load, "not a *soft.ioFile", func() { m.Send(c, selLoadBuffer, uintptr(b), 0, 8, uintptr(b), 0) })
		asserts(t, load, "beyond any file", func() { m.Send(c, selLoadBuffer, uintptr(b), 0, 8, uintptr(h), 1<<63-4) })
		asserts(t, bytes, "NULL", func() { m.Send(c, selLoadBytes, 0, 8, uintptr(h), 0) })
		asserts(t, cb+"copyStatusToBuffer:offset:", "8 bytes from 60", func() { m.Send(c, selCopyStatusToBuffer, uintptr(b), 60) })
		asserts(t, cb+"signalEvent:value:", "not a *soft.event", func() { m.Send(c, selIOSignalEvent, uintptr(b), 1) })
		asserts(t, cb+"addCompletedHandler:", "nil", func() { m.Send(c, selAddCompletedHandler, 0) })
		asserts(t, cb+"popDebugGroup", "no debug group", func() { m.Send(c, selPopDebugGroup) })
		asserts(t, cb+"waitUntilCompleted", "not been committed", func() { m.Send(c, selWaitUntilCompleted) })
		m.Send(c, selPushDebugGroup, 0)
		asserts(t, cb+"commit", "1 debug groups", func() { m.Send(c, selCommit) })
		m.Send(c, selPopDebugGroup)
		m.Send(c, selEnqueue)
		asserts(t, cb+"enqueue", "enqueued already", func() { m.Send(c, selEnqueue) })
		m.Send(c, selCommit)
		asserts(t, cb+"commit", "committed", func() { m.Send(c, selCommit) })
		asserts(t, cb+"addBarrier", "committed", func() { m.Send(c, selAddBarrier) })
		asserts(t, load, "committed", func() { m.Send(c, selLoadBuffer, uintptr(b), 0, 8, uintptr(h), 0) })
		m.Send(c, selWaitUntilCompleted)
	})
}

func TestACancelledLoadStopsBetweenItsPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("contents"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stop, dst := make(chan struct{}), make([]byte, 4)
	f := &ioFile{file: file, path: path}
	if complete, err := f.read(dst, 3, stop); !complete || err != nil || string(dst) != "tent" {
		t.Errorf("read %q, %t, %v", dst, complete, err)
	}
	close(stop)
	clear(dst)
	if complete, err := f.read(dst, 3, stop); complete || err != nil || dst[0] != 0 {
		t.Errorf("once cancelled: read %q, %t, %v", dst, complete, err)
	}
}

func TestALoadThatWaitsForAnEventNobodySignalsFails(t *testing.T) {
	defer SetEventTimeout(SetEventTimeout(5 * time.Millisecond))
	pool(t, func(m *objc.Msg) {
		q := objc.ID(m.Send(theDevice(), selNewIOCommandQueue, uintptr(descriptor("MTLIOCommandQueueDescriptor")), 0))
		defer objc.Release(q)
		e := objc.ID(m.Send(theDevice(), selNewSharedEvent))
		defer objc.Release(e)
		c := objc.ID(m.Send(q, selCommandBuffer))
		m.Send(c, selIOWaitForEvent, uintptr(e), 3)
		m.Send(c, selCommit)
		m.Send(c, selWaitUntilCompleted)
		failure := objc.ErrorOf(objc.ID(m.Send(c, selError)))
		if m.Send(c, selIOStatus) != ioStatusError || failure == nil || failure.Description != `event "" was not signalled with 3 within 5ms: its value is 0` {
			t.Errorf("got %v", failure)
		}
	})
}

func TestTheRulesOfQueuesOfASizeStopTheProgram(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		d := theDevice()
		asserts(t, "MTLDevice newCommandQueueWithMaxCommandBufferCount:", "must not be 0", func() { m.Send(d, selNewCommandQueueWithMax, 0) })
		q := objc.ID(m.Send(d, selNewCommandQueue))
		defer objc.Release(q)
		for class, made := range map[string]struct {
			by     objc.ID
			sel    objc.SEL
			method string
		}{
			"MTLCommandQueueDescriptor":  {d, selNewCommandQueueWithSettings, "MTLDevice newCommandQueueWithDescriptor:"},
			"MTLCommandBufferDescriptor": {q, selCommandBufferWithDescriptor, "MTLCommandQueue commandBufferWithDescriptor:"},
		} {
			o := descriptor(class)
			m.Send(o, selSetLogState, uintptr(d)) // anything: no log state is this device's
			if objc.ID(m.Send(o, selLogState)) != d {
				t.Errorf("%s forgets", class)
			}
			asserts(t, made.method, "no shader logging", func() { m.Send(made.by, made.sel, uintptr(o)) })
			m.Send(o, selSetLogState, 0)
			if objc.ID(m.Send(o, selLogState)) != 0 {
				t.Errorf("%s keeps what it is to forget", class)
			}
		}
	})
}
