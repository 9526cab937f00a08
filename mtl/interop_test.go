package mtl

import (
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestObjectsOfOtherCodeAreUsedAndStayTheirs(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		theirs := must(d.NewBuffer(64, StorageModeShared))(t)
		same := must(DeviceFromID(d.ID()))(t)
		b := must(same.BufferFromID(theirs.ID()))(t)
		if same.Name() != d.Name() || same.ID() != d.ID() || b.ID() != theirs.ID() {
			t.Errorf("device %q, ids %#x and %#x", same.Name(), same.ID(), b.ID())
		}
		if b.Length() != 64 || b.StorageMode() != theirs.StorageMode() || b.Device() != same {
			t.Errorf("%d bytes, %v", b.Length(), b.StorageMode())
		}
		contentsOf[uint32](t, theirs)[15] = 77
		if v := contentsOf[uint32](t, b)[15]; v != 77 {
			t.Errorf("the memory is not the same: %d", v)
		}
		b.Release()
		contentsOf[uint32](t, theirs)[0] = 1 // theirs still
		b = must(same.BufferFromID(theirs.ID()))(t)
		theirs.Release()
		if v := contentsOf[uint32](t, b)[15]; v != 77 {
			t.Errorf("the buffer has no reference of its own: %d", v)
		}
		b.Release()
		same.Release()
		if id := b.ID(); id != 0 {
			t.Errorf("a released buffer has id %#x", id)
		}
		_, err := d.BufferFromID(0)
		refused(t, err, "Device.BufferFromID", "id")
		_, err = DeviceFromID(0)
		refused(t, err, "DeviceFromID", "id")
		_, err = same.BufferFromID(d.ID())
		refused(t, err, "Device.BufferFromID", "device")
	})
}

func TestABufferIsOfItsDevice(t *testing.T) {
	software(t, func(d *Device, _ *CommandQueue) {
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		defer b.Release()
		other := &Device{runtime: d.runtime, self: d.self + 1} // another one, as far as identity goes
		other.id.Store(uintptr(d.ID()))
		_, err := other.BufferFromID(b.ID())
		refused(t, err, "Device.BufferFromID", "id")
		if objc.RuntimeOf(b.ID()) != objc.Software() {
			t.Error("a software buffer has a foreign id")
		}
	})
}
