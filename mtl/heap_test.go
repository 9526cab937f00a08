package mtl

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestBuffersOfAnAutomaticHeapDoNotOverlap(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		before := d.CurrentAllocatedSize()
		need := must(d.HeapBufferSizeAndAlign(1000, StorageModeShared))(t)
		if need.Size < 1000 || need.Align < 1 || need.Align&(need.Align-1) != 0 {
			t.Fatalf("a buffer of 1000 bytes takes %+v", need)
		}
		h := must(d.NewHeap(&HeapDescriptor{Label: "pool", Size: 8 * need.Size}))(t)
		if h.Label() != "pool" || h.Device() != d || h.Type() != HeapTypeAutomatic || h.ResourceOptions() != StorageModeShared {
			t.Errorf("heap %q of type %s, %s", h.Label(), h.Type(), h.ResourceOptions())
		}
		if h.Size() < 8*need.Size || h.CurrentAllocatedSize() < h.Size() || h.UsedSize() != 0 {
			t.Errorf("size %d, allocated %d, used %d", h.Size(), h.CurrentAllocatedSize(), h.UsedSize())
		}
		if n := must(h.MaxAvailableSize(256))(t); n < 8*need.Size {
			t.Errorf("%d bytes are available in an empty heap of %d", n, h.Size())
		}
		if n := d.CurrentAllocatedSize() - before; n < h.Size() {
			t.Errorf("the device has %d bytes more", n)
		}
		var all []*Buffer
		for i := range 8 {
			b := must(h.NewBuffer(1000, StorageModeShared))(t)
			all = append(all, b)
			v := contentsOf[byte](t, b)
			for j := range v {
				v[j] = byte(i + 1)
			}
			if b.Heap() != h || b.Length() != 1000 || b.HazardTracked() || b.IsAliasable() {
				t.Errorf("buffer %d: heap %p, length %d, tracked %v, aliasable %v", i, b.Heap(), b.Length(), b.HazardTracked(), b.IsAliasable())
			}
		}
		for i, b := range all {
			for _, v := range contentsOf[byte](t, b) {
				if v != byte(i+1) {
					t.Fatalf("buffer %d holds %d", i, v)
				}
			}
		}
		if n := h.UsedSize(); n < 8*1000 {
			t.Errorf("%d bytes are used", n)
		}
		if d.IsSoftware() {
			if _, err := h.NewBuffer(1000, StorageModeShared); err != ErrOutOfMemory {
				t.Errorf("a ninth buffer: %v", err)
			}
			if n := must(h.MaxAvailableSize(1))(t); n != 0 {
				t.Errorf("%d bytes are available in a full heap", n)
			}
			// Neighbours that go make one gap, whatever the order.
			for _, i := range []int{2, 4, 3} {
				all[i].Release()
			}
			if n := must(h.MaxAvailableSize(256))(t); n != 3*need.Size {
				t.Errorf("%d bytes are available after three neighbours of %d", n, need.Size)
			}
			big := must(h.NewBuffer(3*need.Size, StorageModeShared))(t)
			if big.HeapOffset() != 2*need.Size || big.AllocatedSize() != 3*need.Size {
				t.Errorf("%d bytes at %d", big.AllocatedSize(), big.HeapOffset())
			}
			big.Release()
		}
		h.Release() // its buffers have it
		contentsOf[byte](t, all[7])[999] = 1
		for _, b := range all {
			b.Release()
		}
		if n := d.CurrentAllocatedSize(); d.IsSoftware() && n != before {
			t.Errorf("%d bytes are allocated, %d before", n, before)
		}
	})
}

func TestAnAliasableBufferGivesItsMemoryToTheNext(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		need := must(d.HeapBufferSizeAndAlign(4096, StorageModeShared))(t)
		h := must(d.NewHeap(&HeapDescriptor{Size: need.Size}))(t)
		n := must(h.MaxAvailableSize(need.Align))(t) // a GPU's heap may be larger than asked for
		a := must(h.NewBuffer(n, StorageModeShared))(t)
		contentsOf[byte](t, a)[17] = 1
		if err := a.MakeAliasable(); err != nil || !a.IsAliasable() {
			t.Fatalf("aliasable %v, error %v", a.IsAliasable(), err)
		}
		if err := a.MakeAliasable(); err != nil { // again
			t.Error(err)
		}
		if n := h.UsedSize(); n != 0 {
			t.Errorf("%d bytes are used", n)
		}
		b := must(h.NewBuffer(n, StorageModeShared))(t)
		contentsOf[byte](t, b)[17] = 77
		if v := contentsOf[byte](t, a)[17]; v != 77 {
			t.Errorf("the buffers do not share memory: %d", v)
		}
		if x, y := a.GPUAddress(), b.GPUAddress(); x != y {
			t.Errorf("addresses %#x and %#x", x, y)
		}
		a.Release() // must not give b's memory away
		if d.IsSoftware() {
			if _, err := h.NewBuffer(16, StorageModeShared); err != ErrOutOfMemory {
				t.Errorf("memory that is in use was given away: %v", err)
			}
		}
		b.Release()
		h.Release()
	})
}

func TestAPlacementHeapPutsBuffersWhereTheProgramSays(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		need := must(d.HeapBufferSizeAndAlign(256, StorageModeShared))(t)
		step := (need.Size + need.Align - 1) / need.Align * need.Align
		h := must(d.NewHeap(&HeapDescriptor{Size: 4 * step, Type: HeapTypePlacement, Options: StorageModeShared | HazardTrackingModeTracked}))(t)
		first := must(h.NewBufferAtOffset(256, StorageModeShared, 0))(t)
		third := must(h.NewBufferAtOffset(256, StorageModeShared, 2*step))(t)
		over := must(h.NewBufferAtOffset(3*step, StorageModeShared, step))(t)
		if !third.HazardTracked() {
			t.Error("a buffer of a tracked heap is not tracked")
		}
		if first.HeapOffset() != 0 || third.HeapOffset() != 2*step || over.HeapOffset() != step {
			t.Errorf("offsets %d, %d, %d", first.HeapOffset(), third.HeapOffset(), over.HeapOffset())
		}
		if x, y := first.GPUAddress(), third.GPUAddress(); x == 0 || y-x != uint64(2*step) {
			t.Errorf("addresses %#x and %#x", x, y)
		}
		contentsOf[byte](t, first)[5] = 1
		contentsOf[byte](t, third)[5] = 3
		if v := contentsOf[byte](t, over); v[5] == 1 || v[step+5] != 3 {
			t.Errorf("the large buffer holds %d and %d", v[5], v[step+5])
		}
		// The device sees the same memory.
		q := must(d.NewCommandQueue())(t)
		c := must(q.NewCommandBuffer())(t)
		fill(t, c, over, 8)
		if err := errors.Join(c.Commit(), c.WaitUntilCompleted()); err != nil {
			t.Fatal(err)
		}
		if a, b := contentsOf[byte](t, first)[5], contentsOf[byte](t, third)[5]; a != 1 || b != 8 {
			t.Errorf("%d and %d after a fill of the middle", a, b)
		}
		for _, o := range []interface{ Release() }{c, q, first, third, over} {
			o.Release()
		}
		if n := h.UsedSize(); n != 0 {
			t.Errorf("%d bytes are used", n)
		}
		h.Release()
	})
}

func TestWhatMetalWouldAssertOnAboutHeapsIsAnError(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		const dev, auto, place = "Device.NewHeap", "Heap.NewBuffer", "Heap.NewBufferAtOffset"
		for arg, desc := range map[string]*HeapDescriptor{
			"descriptor": nil,
			"Size":       {},
			"Type":       {Size: 4096, Type: HeapTypeSparse},
			"options":    {Size: 4096, Options: 16},
		} {
			_, err := d.NewHeap(desc)
			refused(t, err, dev, arg)
		}
		_, err := d.HeapBufferSizeAndAlign(0, StorageModeShared)
		refused(t, err, "Device.HeapBufferSizeAndAlign", "length")
		a := must(d.NewHeap(&HeapDescriptor{Size: 64 << 10}))(t)
		p := must(d.NewHeap(&HeapDescriptor{Size: 64 << 10, Type: HeapTypePlacement}))(t)
		for _, c := range []struct {
			heap   *Heap
			length int
			o      ResourceOptions
			arg    string
		}{
			{nil, 16, 0, "heap"}, {p, 16, 0, "heap"}, {a, 0, 0, "length"}, {a, 1 << 20, 0, "length"},
			{a, 16, StorageModePrivate, "options"}, {a, 16, CPUCacheModeWriteCombined, "options"},
		} {
			_, err := c.heap.NewBuffer(c.length, c.o)
			refused(t, err, auto, c.arg)
		}
		for _, c := range []struct {
			heap           *Heap
			length, offset int
			arg            string
		}{
			{a, 16, 0, "heap"}, {p, 16, -256, "offset"}, {p, 16, 1, "offset"}, {p, 16, p.Size(), "offset"},
			{p, 16, math.MaxInt &^ 0xffff, "offset"}, {p, p.Size(), p.Size() / 2, "offset"},
		} {
			_, err := c.heap.NewBufferAtOffset(c.length, StorageModeShared, c.offset)
			refused(t, err, place, c.arg)
		}
		for _, align := range []int{0, -8, 3} {
			_, err = a.MaxAvailableSize(align)
			refused(t, err, "Heap.MaxAvailableSize", "align")
		}
		_, err = a.SetPurgeableState(0)
		refused(t, err, "Heap.SetPurgeableState", "state")
		a.Release()
		p.Release()
		_, err = a.NewBuffer(16, StorageModeShared)
		_, err2 := a.MaxAvailableSize(16)
		_, err3 := a.SetPurgeableState(PurgeableStateEmpty)
		for _, err := range []error{err, err2, err3} {
			if !errors.Is(err, ErrReleased) {
				t.Errorf("released heap: %v", err)
			}
		}
		for typ, name := range map[HeapType]string{HeapTypePlacement: "HeapTypePlacement", -1: "HeapType(-1)", 7: "HeapType(7)"} {
			if typ.String() != name {
				t.Errorf("%s, want %s", typ, name)
			}
		}
	})
}

func TestPurgeableMemoryTellsThatItsContentsAreLost(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		b := must(d.NewBuffer(4096, StorageModeShared))(t)
		h := must(d.NewHeap(&HeapDescriptor{Size: 4096}))(t)
		type purgeable interface {
			SetPurgeableState(PurgeableState) (PurgeableState, error)
		}
		for _, o := range []purgeable{b, h} {
			for _, step := range []struct{ set, was PurgeableState }{
				{PurgeableStateKeepCurrent, PurgeableStateNonVolatile},
				{PurgeableStateVolatile, PurgeableStateNonVolatile},
				{PurgeableStateEmpty, PurgeableStateVolatile},
				{PurgeableStateNonVolatile, PurgeableStateEmpty},
				{PurgeableStateKeepCurrent, PurgeableStateNonVolatile},
			} {
				was, err := o.SetPurgeableState(step.set)
				if err != nil || was != step.was && (d.IsSoftware() || step.was != PurgeableStateVolatile) {
					t.Errorf("%T: state %d before %d was set, want %d; error %v", o, was, step.set, step.was, err)
				}
			}
		}
		if d.IsSoftware() {
			contentsOf[byte](t, b)[7] = 1
			if _, err := b.SetPurgeableState(PurgeableStateEmpty); err != nil || contentsOf[byte](t, b)[7] != 0 {
				t.Errorf("the contents are still there; error %v", err)
			}
		}
		in := must(h.NewBuffer(256, StorageModeShared))(t)
		_, err := in.SetPurgeableState(PurgeableStateVolatile)
		refused(t, err, "Buffer.SetPurgeableState", "buffer")
		_, err = b.SetPurgeableState(5)
		refused(t, err, "Buffer.SetPurgeableState", "state")
		refused(t, b.MakeAliasable(), "Buffer.MakeAliasable", "buffer")
		if b.Heap() != nil || b.HeapOffset() != 0 || b.IsAliasable() || !b.HazardTracked() || b.AllocatedSize() < 4096 || b.ResourceOptions() != StorageModeShared {
			t.Errorf("a buffer of its own: offset %d, aliasable %v, tracked %v, %d bytes", b.HeapOffset(), b.IsAliasable(), b.HazardTracked(), b.AllocatedSize())
		}
		for _, o := range []interface{ Release() }{b, h, in} {
			o.Release()
		}
		_, err = b.SetPurgeableState(PurgeableStateEmpty)
		for _, err := range []error{err, in.MakeAliasable(), b.AddDebugMarker("x", 0, 1)} {
			if !errors.Is(err, ErrReleased) {
				t.Errorf("released buffer: %v", err)
			}
		}
	})
}

func TestDebugMarkersLieInTheirBuffer(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		if err := errors.Join(b.AddDebugMarker("head", 0, 16), b.AddDebugMarker("tail", 63, 1)); err != nil {
			t.Error(err)
		}
		b.RemoveAllDebugMarkers()
		for _, r := range [][2]int{{-1, 4}, {0, 0}, {0, 65}, {64, 1}, {math.MaxInt, math.MaxInt}} {
			err := b.AddDebugMarker("x", r[0], r[1])
			refused(t, err, "Buffer.AddDebugMarker", "range")
			if err != nil && !strings.Contains(err.Error(), "64") {
				t.Error(err)
			}
		}
		b.Release()
		b.RemoveAllDebugMarkers()
	})
}
