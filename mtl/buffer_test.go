package mtl

import (
	"errors"
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

func TestSharedMemoryIsSeenAsNumbers(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		before := d.CurrentAllocatedSize()
		b := must(d.NewBuffer(20000, StorageModeShared))(t)
		if d.CurrentAllocatedSize() < before+20000 {
			t.Errorf("allocated %d, then %d", before, d.CurrentAllocatedSize())
		}
		if b.Length() != 20000 || b.Device() != d || b.StorageMode() != StorageModeShared {
			t.Errorf("length %d, mode %v", b.Length(), b.StorageMode())
		}
		f := contentsOf[float32](t, b)
		if len(f) != 5000 {
			t.Fatalf("%d floats", len(f))
		}
		f[4999] = math.Pi
		u := must(ContentsAt[uint32](b, 19996, 1))(t)
		if u[0] != math.Float32bits(math.Pi) {
			t.Errorf("bits %#x", u[0])
		}
		if len(must(ContentsAt[uint8](b, 20000, 0))(t)) != 0 {
			t.Error("nothing at the end is something")
		}
		type celsius float32
		if c := must(ContentsAt[celsius](b, 19992, 2))(t); c[1] != math.Pi {
			t.Errorf("named type reads %v", c)
		}
		b.Release()
		b.Release()
		if n := d.CurrentAllocatedSize(); d.IsSoftware() && n != before {
			t.Errorf("allocated %d before, %d after", before, n)
		}
		_, err := Contents[byte](b)
		refused(t, err, "Contents", "buffer")
		if !errors.Is(err, ErrReleased) || b.GPUAddress() != 0 {
			t.Errorf("%v; address %#x", err, b.GPUAddress())
		}
	})
}

func TestBuffersStartAtAPage(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		for _, n := range []int{1, 1, 1, 1, 4095, 4097, 4097, 4097, 40000, 1 << 20} {
			b := must(d.NewBuffer(n, StorageModeShared))(t)
			defer b.Release() // later than the others are made, or they would share one place
			c := contentsOf[byte](t, b)
			if p := uintptr(unsafe.Pointer(&c[0])); p%uintptr(os.Getpagesize()) != 0 {
				t.Errorf("%d bytes at %#x", n, p)
			}
			for i := range c {
				if c[i] != 0 {
					t.Fatalf("byte %d is %d", i, c[i])
				}
			}
		}
	})
}

func TestABufferIsRefusedWhereMetalWouldStopTheProgram(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		const op = "Device.NewBuffer"
		for _, n := range []int{0, -1, math.MinInt, d.MaxBufferLength() + 1, math.MaxInt} {
			_, err := d.NewBuffer(n, StorageModeShared)
			refused(t, err, op, "length")
		}
		for _, o := range []ResourceOptions{16, 48, 2, 1 << 20, HazardTrackingModeTracked | HazardTrackingModeUntracked} {
			_, err := d.NewBuffer(16, o)
			refused(t, err, op, "options")
		}
		_, err := d.NewBufferWithBytes(nil, StorageModeShared)
		refused(t, err, "Device.NewBufferWithBytes", "bytes")
		_, err = d.NewBufferWithBytes([]byte{1}, StorageModePrivate)
		refused(t, err, "Device.NewBufferWithBytes", "options")
		page := os.Getpagesize()
		mem := pages(2 * page)
		_, err = d.NewBufferWithBytesNoCopy(mem[:page-4], StorageModeShared, nil)
		refused(t, err, "Device.NewBufferWithBytesNoCopy", "mem")
		_, err = d.NewBufferWithBytesNoCopy(mem[4:page+4], StorageModeShared, nil)
		refused(t, err, "Device.NewBufferWithBytesNoCopy", "mem")
		_, err = d.NewBufferWithBytesNoCopy(mem[:page], StorageModePrivate, nil)
		refused(t, err, "Device.NewBufferWithBytesNoCopy", "options")
	})
}

func TestContentsAreRefusedOutsideTheBuffer(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		b := must(d.NewBuffer(30, StorageModeShared))(t)
		private := must(d.NewBuffer(32, StorageModePrivate))(t)
		_, err := Contents[uint32](b)
		refused(t, err, "Contents", "buffer")
		_, err = Contents[uint32](private)
		refused(t, err, "Contents", "buffer")
		_, err = Contents[uint32](nil)
		refused(t, err, "Contents", "buffer")
		_, err = ContentsAt[uint32](nil, 0, 1)
		refused(t, err, "ContentsAt", "buffer")
		for _, offset := range []int{-4, 2, 31, 32, math.MaxInt} {
			_, err = ContentsAt[uint32](b, offset, 0)
			refused(t, err, "ContentsAt", "offset")
		}
		for _, n := range []int{-1, 7, math.MaxInt, math.MaxInt/4 + 2} {
			_, err = ContentsAt[uint32](b, 4, n)
			refused(t, err, "ContentsAt", "n")
		}
		if c := must(ContentsAt[uint32](b, 4, 6))(t); len(c) != 6 || cap(c) != 6 {
			t.Errorf("length %d, capacity %d", len(c), cap(c))
		}
		b.Release()
		private.Release()
	})
}

func TestABufferWithBytesIsACopy(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		src := []byte{1, 2, 3, 4, 5}
		b := must(d.NewBufferWithBytes(src, CPUCacheModeWriteCombined|HazardTrackingModeUntracked))(t)
		src[0] = 9
		if c := contentsOf[byte](t, b); string(c) != "\x01\x02\x03\x04\x05" {
			t.Errorf("contents %v", c)
		}
		b.Release()
	})
}

// pages gives n bytes that start at a page.
func pages(n int) []byte {
	page := os.Getpagesize()
	mem := make([]byte, n+page)
	skip := page - int(uintptr(unsafe.Pointer(&mem[0]))%uintptr(page))
	return mem[skip : skip+n : skip+n]
}

func TestMemoryOfTheCallersIsGivenBackOnceAndWhenNothingUsesIt(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		mem := pages(2 * os.Getpagesize())
		mem[5] = 7
		released := make(chan struct{}, 2)
		b := must(d.NewBufferWithBytesNoCopy(mem, StorageModeShared, func() { released <- struct{}{} }))(t)
		c := contentsOf[byte](t, b)
		if &c[0] != &mem[0] || len(c) != len(mem) || c[5] != 7 {
			t.Error("contents are not the caller's memory")
		}
		q := must(d.NewCommandQueue())(t)
		buf := must(q.NewCommandBuffer())(t)
		e := must(buf.NewBlitCommandEncoder())(t)
		e.FillBuffer(b, 8, 8, 3)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		b.Release()
		select {
		case <-released:
			t.Error("given back while a command buffer uses it")
		default:
		}
		if err := buf.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := buf.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		buf.Release()
		q.Release()
		<-released
		if len(released) != 0 || mem[8] != 3 || mem[16] != 0 {
			t.Errorf("given back %d times more; bytes %v", len(released), mem[:20])
		}
		b = must(d.NewBufferWithBytesNoCopy(mem, StorageModeShared, nil))(t)
		b.Release()
	})
}

func TestLabelsReachTheObject(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		b := must(d.NewBuffer(16, StorageModeShared))(t)
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		selLabel := objc.Sel("label", "@@:")
		for _, o := range []struct {
			h *handle
			o interface {
				SetLabel(string)
				Label() string
			}
		}{{&b.handle, b}, {&q.handle, q}, {&c.handle, c}} {
			o.o.SetLabel("größe")
			d.AutoreleasePool(func() {
				if s := objc.GoString(objc.SendID(o.h.object(), selLabel)); s != "größe" || o.o.Label() != s {
					t.Errorf("%T: label %q and %q", o.o, s, o.o.Label())
				}
			})
		}
		c.Release()
		q.Release()
		b.Release()
		b.SetLabel("gone")
		if b.Label() != "größe" {
			t.Errorf("label of a released buffer is %q", b.Label())
		}
	})
}
