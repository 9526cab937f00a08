package mtl

import (
	"fmt"
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// Device is a GPU, or the software device. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice
type Device struct {
	handle
	runtime objc.Runtime
	self    objc.ID // identity; stays when the handle has been released

	name                      string
	registryID                uint64
	unified                   bool
	maxThreads                Size
	maxThreadgroupMemory      int
	maxBufferLength           int
	recommendedWorkingSetSize int
}

// CreateSystemDefaultDevice gives the default device: the GPU on macOS, the software device elsewhere. It fails with
// ErrNoDevice. The same device may be given again; each *Device has its own Release.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcreatesystemdefaultdevice()
func CreateSystemDefaultDevice() (*Device, error) {
	rt, err := objc.Native()
	if err != nil {
		rt = objc.Software()
	}
	create, err := rt.Func("MTLCreateSystemDefaultDevice", "@")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDevice, err)
	}
	var d *Device
	rt.Pool(func() {
		if id := objc.ID(create.Call()); id != 0 {
			d = newDevice(rt, id)
		}
	})
	if d == nil {
		return nil, ErrNoDevice
	}
	return d, nil
}

// CopyAllDevices gives all devices: GPUs first, then the software device if package soft is linked in. The caller
// releases each. It fails with ErrNoDevice if there is none.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcopyalldevices()
func CopyAllDevices() ([]*Device, error) {
	var all []*Device
	if rt, err := objc.Native(); err == nil {
		all = appendDevices(all, rt)
	}
	all = appendDevices(all, objc.Software())
	if len(all) == 0 {
		return nil, ErrNoDevice
	}
	return all, nil
}

func appendDevices(all []*Device, rt objc.Runtime) []*Device {
	list, err := rt.Func("MTLCopyAllDevices", "@")
	if err != nil {
		return all // this runtime has no Metal
	}
	rt.Pool(func() {
		array := objc.ID(list.Call())
		for i := range objc.Send(array, selCount) {
			all = append(all, newDevice(rt, objc.Retain(objc.SendID(array, selObjectAtIndex, i))))
		}
		objc.Release(array)
	})
	return all
}

// newDevice takes over the caller's reference to id and reads what does not change. A pool is in place.
func newDevice(rt objc.Runtime, id objc.ID) *Device {
	d := &Device{runtime: rt, self: id}
	own(d, &d.handle, id, drop)
	d.name = objc.GoString(objc.SendID(id, selName))
	d.registryID = uint64(objc.Send(id, selRegistryID))
	d.unified = objc.SendBool(id, selHasUnifiedMemory)
	size := objc.SendStruct(id, selMaxThreadsPerThreadgroup)
	d.maxThreads = Size{int(size[0]), int(size[1]), int(size[2])}
	d.maxThreadgroupMemory = int(objc.Send(id, selMaxThreadgroupMemoryLength))
	d.maxBufferLength = int(objc.Send(id, selMaxBufferLength))
	d.recommendedWorkingSetSize = int(objc.Send(id, selRecommendedMaxWorkingSetSize))
	return d
}

// Release lets go of the device. What was made from it stays usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (d *Device) Release() { d.release() }

// Name is the device's name.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/name
func (d *Device) Name() string { return d.name }

// RegistryID identifies the device among those of the machine, in all processes.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/registryid
func (d *Device) RegistryID() uint64 { return d.registryID }

// IsSoftware reports whether this is the software device.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice
func (d *Device) IsSoftware() bool { return d.runtime == objc.Software() }

// SupportsFamily reports whether the device has the features of a family. Virtual GPUs report less than they can do.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfamily(_:)
func (d *Device) SupportsFamily(f GPUFamily) bool {
	return d.send(selSupportsFamily, uintptr(f))&0xff != 0
}

// HasUnifiedMemory reports whether CPU and GPU share their memory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/hasunifiedmemory
func (d *Device) HasUnifiedMemory() bool { return d.unified }

// MaxThreadsPerThreadgroup is the most threads a threadgroup can have along each dimension. Their product is limited by
// the pipeline: ComputePipelineState.MaxTotalThreadsPerThreadgroup.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maxthreadsperthreadgroup
func (d *Device) MaxThreadsPerThreadgroup() Size { return d.maxThreads }

// MaxThreadgroupMemoryLength is the most threadgroup memory of a kernel in bytes, static and set by the encoder together.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maxthreadgroupmemorylength
func (d *Device) MaxThreadgroupMemoryLength() int { return d.maxThreadgroupMemory }

// MaxBufferLength is the length in bytes of the longest buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maxbufferlength
func (d *Device) MaxBufferLength() int { return d.maxBufferLength }

// RecommendedMaxWorkingSetSize is how many bytes of resources can be in use without losing speed.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/recommendedmaxworkingsetsize
func (d *Device) RecommendedMaxWorkingSetSize() int { return d.recommendedWorkingSetSize }

// CurrentAllocatedSize is how many bytes of resources this process has on the device. 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/currentallocatedsize
func (d *Device) CurrentAllocatedSize() int { return int(d.send(selCurrentAllocatedSize)) }

// AutoreleasePool runs f in an autorelease pool of the device's runtime, on one OS thread. CommandQueue.Run has one of its own;
// programs that encode command buffers by hand put one around each.
//
// Reference: https://developer.apple.com/documentation/foundation/nsautoreleasepool
func (d *Device) AutoreleasePool(f func()) { d.runtime.Pool(f) }

// live gives the device's id for an operation on it.
func (d *Device) live(op string) (objc.ID, error) {
	if d == nil {
		return 0, argument(op, "device", "a device", "nil")
	}
	id := d.object()
	if id == 0 {
		return 0, releasedArgument(op, "device")
	}
	return id, nil
}

// create runs f, which sends a message that makes an object from this device, in a pool.
func (d *Device) create(op string, f func(m *objc.Msg, id objc.ID)) error {
	id, err := d.live(op)
	if err != nil {
		return err
	}
	m := messages.Get().(*objc.Msg)
	d.runtime.Pool(func() { f(m, id) })
	messages.Put(m)
	runtime.KeepAlive(d)
	return nil
}
