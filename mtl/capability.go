package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// Architecture is the name of the device's architecture, such as "applegpu_g13s": macOS 14. It fails with ErrUnsupported or ErrReleased.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/architecture
func (d *Device) Architecture() (string, error) {
	id, err := d.live("Device.Architecture")
	if err != nil {
		return "", err
	}
	if !objc.Responds(id, selArchitecture) {
		return "", ErrUnsupported
	}
	var name string
	d.runtime.Pool(func() { name = objc.GoString(objc.SendID(objc.SendID(id, selArchitecture), selName)) })
	runtime.KeepAlive(d)
	return name, nil
}

// IsLowPower reports whether this is the lesser of two GPUs; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/islowpower
func (d *Device) IsLowPower() bool { return d.yes(selIsLowPower) }

// IsHeadless reports whether no display can be attached to the device; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/isheadless
func (d *Device) IsHeadless() bool { return d.yes(selIsHeadless) }

// IsRemovable reports whether the device may go away while the program runs; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/isremovable
func (d *Device) IsRemovable() bool { return d.yes(selIsRemovable) }

// Location is where the device sits; DeviceLocationBuiltIn once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/location
func (d *Device) Location() DeviceLocation { return DeviceLocation(d.send(selLocation)) }

// LocationNumber tells devices of one location apart: the slot of a DeviceLocationSlot.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/locationnumber
func (d *Device) LocationNumber() int { return int(d.send(selLocationNumber)) }

// MaxTransferRate is how many bytes per second can go between CPU and device; 0 for one that is built in.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maxtransferrate
func (d *Device) MaxTransferRate() uint64 { return uint64(d.send(selMaxTransferRate)) }

// PeerGroupID is what devices that are directly connected have in common; 0 for a device without peers.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/peergroupid
func (d *Device) PeerGroupID() uint64 { return uint64(d.send(selPeerGroupID)) }

// PeerIndex is the device's place in its peer group.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/peerindex
func (d *Device) PeerIndex() int { return int(uint32(d.send(selPeerIndex))) }

// PeerCount is the number of devices in its peer group; 0 for a device without peers.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/peercount
func (d *Device) PeerCount() int { return int(uint32(d.send(selPeerCount))) }

// ArgumentBuffersSupport says what the device can do with argument buffers; ArgumentBuffersTier1 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/argumentbufferssupport
func (d *Device) ArgumentBuffersSupport() ArgumentBuffersTier {
	return ArgumentBuffersTier(d.send(selArgumentBuffersSupport))
}

// SupportsDynamicLibraries reports whether kernels can call functions of dynamic libraries; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsdynamiclibraries
func (d *Device) SupportsDynamicLibraries() bool { return d.yes(selSupportsDynamicLibraries) }

// SupportsFunctionPointers reports whether kernels can call functions by pointers; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfunctionpointers
func (d *Device) SupportsFunctionPointers() bool { return d.yes(selSupportsFunctionPointers) }

// SupportsRaytracing reports whether kernels can trace rays; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsraytracing
func (d *Device) SupportsRaytracing() bool { return d.yes(selSupportsRaytracing) }

// SupportsCounterSampling reports whether the device can sample counters at such places; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportscountersampling(_:)
func (d *Device) SupportsCounterSampling(p CounterSamplingPoint) bool {
	return d.send(selSupportsCounterSampling, uintptr(p))&0xff != 0
}

// MaximumConcurrentCompilationTaskCount is how many shaders the system compiles at the same time: macOS 13.3. It fails with
// ErrUnsupported or ErrReleased.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maximumconcurrentcompilationtaskcount
func (d *Device) MaximumConcurrentCompilationTaskCount() (int, error) {
	id, err := d.live("Device.MaximumConcurrentCompilationTaskCount")
	if err != nil {
		return 0, err
	}
	if !objc.Responds(id, selMaxCompilationTasks) {
		return 0, ErrUnsupported
	}
	n := objc.Send(id, selMaxCompilationTasks)
	runtime.KeepAlive(d)
	return int(n), nil
}

// yes asks a question without arguments.
func (d *Device) yes(sel objc.SEL) bool { return d.send(sel)&0xff != 0 }

var deviceLocations = map[DeviceLocation]string{
	DeviceLocationBuiltIn: "built in", DeviceLocationSlot: "slot", DeviceLocationExternal: "external", DeviceLocationUnspecified: "unspecified",
}

// String names the location.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevicelocation
func (l DeviceLocation) String() string {
	if s, ok := deviceLocations[l]; ok {
		return s
	}
	return "DeviceLocation(" + strconv.FormatUint(uint64(l), 10) + ")"
}
