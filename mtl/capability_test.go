package mtl

import (
	"context"
	"errors"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestADeviceTellsWhatItIs(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if name, err := d.Architecture(); (err != nil || name == "") && !errors.Is(err, ErrUnsupported) {
			t.Errorf("architecture %q, error %v", name, err)
		}
		if n, err := d.MaximumConcurrentCompilationTaskCount(); (err != nil || n < 1) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%d compilations, error %v", n, err)
		}
		if d.PeerGroupID() == 0 && (d.PeerIndex() != 0 || d.PeerCount() != 0) {
			t.Errorf("peer %d of %d without a group", d.PeerIndex(), d.PeerCount())
		}
		if !d.IsSoftware() {
			return
		}
		if name, _ := d.Architecture(); name != "software" {
			t.Errorf("architecture %q", name)
		}
		if d.IsLowPower() || !d.IsHeadless() || d.IsRemovable() {
			t.Errorf("low power %v, headless %v, removable %v", d.IsLowPower(), d.IsHeadless(), d.IsRemovable())
		}
		if d.Location() != DeviceLocationBuiltIn || d.LocationNumber() != 0 || d.MaxTransferRate() != 0 {
			t.Errorf("%s %d, %d bytes/s", d.Location(), d.LocationNumber(), d.MaxTransferRate())
		}
		if d.ArgumentBuffersSupport() != ArgumentBuffersTier1 || d.SupportsDynamicLibraries() || d.SupportsFunctionPointers() ||
			d.SupportsRaytracing() || d.SupportsCounterSampling(CounterSamplingPointAtDispatchBoundary) {
			t.Error("it claims what it does not have")
		}
		for l, want := range map[DeviceLocation]string{DeviceLocationSlot: "slot", DeviceLocationUnspecified: "unspecified", 3: "DeviceLocation(3)"} {
			if l.String() != want {
				t.Errorf("%s, want %s", l, want)
			}
		}
	})
}

func TestWhatAnOlderSystemLacksIsUnsupported(t *testing.T) {
	balanced(t, func() {
		rt := objc.Software()
		// An object that answers none of Metal's messages stands for a device of macOS 13.
		d := &Device{runtime: rt}
		own(d, &d.handle, rt.NewString("old"), drop)
		if _, err := d.Architecture(); err != ErrUnsupported {
			t.Errorf("Architecture: %v", err)
		}
		if _, err := d.MaximumConcurrentCompilationTaskCount(); err != ErrUnsupported {
			t.Errorf("MaximumConcurrentCompilationTaskCount: %v", err)
		}
		d.Release()
		if _, err := d.Architecture(); !errors.Is(err, ErrReleased) {
			t.Errorf("released: %v", err)
		}
		if _, err := d.MaximumConcurrentCompilationTaskCount(); !errors.Is(err, ErrReleased) {
			t.Errorf("released: %v", err)
		}
		if _, err := d.Probe(context.Background(), FeatureBFloat); !errors.Is(err, ErrReleased) {
			t.Errorf("released: %v", err)
		}
	})
}
