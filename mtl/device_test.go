package mtl

import (
	"errors"
	"slices"
	"testing"
)

func TestTheDefaultDeviceIsTheFirstOfAll(t *testing.T) {
	d := must(CreateSystemDefaultDevice())(t)
	defer d.Release()
	all := must(CopyAllDevices())(t)
	if all[0].RegistryID() != d.RegistryID() || all[0].self != d.self {
		t.Errorf("default is %s, first is %s", d.Name(), all[0].Name())
	}
	if last := all[len(all)-1]; !last.IsSoftware() {
		t.Errorf("the last of %d devices is %s", len(all), last.Name())
	}
	if n := len(slices.DeleteFunc(slices.Clone(all), func(d *Device) bool { return !d.IsSoftware() })); n != 1 {
		t.Errorf("%d software devices", n)
	}
	for _, d := range all {
		d.Release()
	}
}

func TestADeviceTellsItsLimits(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if d.Name() == "" || d.RegistryID() == 0 {
			t.Errorf("name %q, registry id %d", d.Name(), d.RegistryID())
		}
		if s := d.MaxThreadsPerThreadgroup(); s.Width < 512 || s.Height < 512 || s.Depth < 64 {
			t.Errorf("threads per threadgroup: %s", s)
		}
		if n := d.MaxThreadgroupMemoryLength(); n < 32<<10 {
			t.Errorf("threadgroup memory: %d", n)
		}
		if n := d.MaxBufferLength(); n < 256<<20 {
			t.Errorf("buffer length: %d", n)
		}
		if d.RecommendedMaxWorkingSetSize() <= 0 {
			t.Error("no working set")
		}
		if !d.SupportsFamily(GPUFamilyCommon1) || d.SupportsFamily(GPUFamily(4711)) {
			t.Error("SupportsFamily is wrong")
		}
	})
}

func TestTheSoftwareDeviceSaysWhatItIs(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("a GPU")
		}
		if d.Name() != "Software Metal device" || !d.HasUnifiedMemory() {
			t.Errorf("name %q, unified %v", d.Name(), d.HasUnifiedMemory())
		}
		if s := d.MaxThreadsPerThreadgroup(); s != (Size{1024, 1024, 1024}) {
			t.Errorf("threads per threadgroup: %s", s)
		}
		for f, want := range map[GPUFamily]bool{
			GPUFamilyApple1: true, GPUFamilyApple7: true, GPUFamilyApple8: false, GPUFamilyApple9: false, GPUFamilyMac2: true,
			GPUFamilyCommon3: true, GPUFamilyMetal3: true, GPUFamilyMetal4: false,
		} {
			if d.SupportsFamily(f) != want {
				t.Errorf("family %d: %v", f, !want)
			}
		}
	})
}

func TestAReleasedDeviceMakesNothing(t *testing.T) {
	balanced(t, func() {
		d := must(CreateSystemDefaultDevice())(t)
		d.Release()
		d.Release()
		_, err := d.NewBuffer(16, StorageModeShared)
		refused(t, err, "Device.NewBuffer", "device")
		if !errors.Is(err, ErrReleased) {
			t.Errorf("%v is not ErrReleased", err)
		}
		_, err = d.NewCommandQueue()
		refused(t, err, "Device.NewCommandQueue", "device")
		_, err = d.NewLibraryWithSource("", nil)
		refused(t, err, "Device.NewLibraryWithSource", "device")
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{})
		refused(t, err, "Device.NewComputePipelineState", "device")
		if d.SupportsFamily(GPUFamilyCommon1) || d.CurrentAllocatedSize() != 0 {
			t.Error("a released device answers")
		}
		_, err = (*Device)(nil).NewBuffer(16, StorageModeShared)
		refused(t, err, "Device.NewBuffer", "device")
	})
}
