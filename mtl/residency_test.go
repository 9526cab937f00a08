package mtl

import (
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestAResidencySetKeepsTheBooks(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		a, b := newBuffer(t, d, 48), newBuffer(t, d, 16)
		defer a.Release()
		defer b.Release()
		heap := must(d.NewHeap(&HeapDescriptor{Size: 1 << 16}))(t)
		defer heap.Release()
		s := must(d.NewResidencySet(&ResidencySetDescriptor{Label: "weights", InitialCapacity: 4}))(t)
		defer s.Release()
		if s.Label() != "weights" || s.Device() != d || s.AllocationCount() != 0 {
			t.Errorf("label %q, %d allocations", s.Label(), s.AllocationCount())
		}
		want := func(count, size int) {
			t.Helper()
			if n, bytes := s.AllocationCount(), s.AllocatedSize(); n != count || bytes != size {
				t.Errorf("%d allocations of %d bytes, want %d of %d", n, bytes, count, size)
			}
		}
		if err := s.Add(a, b, heap); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(a); err != nil {
			t.Fatal(err)
		}
		want(3, 0)
		s.Commit()
		want(3, 48+16+heap.Size())
		if !s.Contains(a) || !s.Contains(heap) || s.Contains(nil) || s.Contains((*Buffer)(nil)) {
			t.Error("what it contains is wrong")
		}
		if err := s.Remove(b, heap, heap); err != nil {
			t.Fatal(err)
		}
		want(1, 48+16+heap.Size())
		s.Commit()
		want(1, 48)
		s.RequestResidency()
		s.EndResidency()
		s.RemoveAll()
		s.Commit()
		want(0, 0)
	})
}

func TestAQueueKeepsItsResidencySets(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		var all []*ResidencySet
		for range maxResidencySets + 1 {
			all = append(all, must(d.NewResidencySet(nil))(t))
		}
		for _, s := range all[:maxResidencySets] {
			if err := q.AddResidencySet(s); err != nil {
				t.Fatal(err)
			}
			if err := q.AddResidencySet(s); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, q.AddResidencySet(all[maxResidencySets]), "CommandQueue.AddResidencySet", "residency set")
		if err := q.RemoveResidencySet(all[0]); err != nil {
			t.Fatal(err)
		}
		if err := q.AddResidencySet(all[maxResidencySets]); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			s.Release()
		}
		if n := objc.LiveSoftwareObjectsByClass()["SoftwareMTLResidencySet"]; n != maxResidencySets {
			t.Errorf("the queue keeps %d sets", n)
		}
		q.Release()
	})
}

func TestResidencyThatMetalWouldAssertOnIsAnError(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		_, err := d.NewResidencySet(&ResidencySetDescriptor{InitialCapacity: -1})
		refused(t, err, "Device.NewResidencySet", "InitialCapacity")
		s := must(d.NewResidencySet(nil))(t)
		b := newBuffer(t, d, 4)
		refused(t, s.Add(), "ResidencySet.Add", "allocations")
		refused(t, s.Add(b, nil), "ResidencySet.Add", "allocations")
		refused(t, s.Remove((*Heap)(nil)), "ResidencySet.Remove", "allocations")
		b.Release()
		refused(t, s.Add(b), "ResidencySet.Add", "allocations")
		if s.AllocationCount() != 0 {
			t.Error("something was added")
		}
		q := must(d.NewCommandQueue())(t)
		refused(t, q.AddResidencySet(nil), "CommandQueue.AddResidencySet", "residency set")
		s.Release()
		refused(t, s.Add(b), "ResidencySet.Add", "residency set")
		refused(t, q.RemoveResidencySet(s), "CommandQueue.RemoveResidencySet", "residency set")
		q.Release()
		refused(t, q.AddResidencySet(s), "CommandQueue.AddResidencySet", "queue")
	})
}
