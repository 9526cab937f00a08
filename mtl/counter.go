package mtl

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// CounterErrorValue is the value of a counter that could not be sampled.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountererrorvalue
const CounterErrorValue = ^uint64(0)

// CounterDontSample is the index of a sample that is not to be taken.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcounterdontsample
const CounterDontSample = -1

// timestampSize is the size of MTLCounterResultTimestamp.
const timestampSize = 8

// CounterSet is a set of counters that a device samples together.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcounterset
type CounterSet struct {
	Name     string
	Counters []string
}

// CounterSets are the sets of counters that the device has; none once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/countersets
func (d *Device) CounterSets() []CounterSet {
	var all []CounterSet
	d.runtime.Pool(func() {
		elements(objc.ID(d.send(selCounterSets)), func(id objc.ID) {
			s := CounterSet{Name: objc.GoString(objc.SendID(id, selName))}
			elements(objc.SendID(id, selCounters), func(c objc.ID) {
				s.Counters = append(s.Counters, objc.GoString(objc.SendID(c, selName)))
			})
			all = append(all, s)
		})
	})
	return all
}

// TimestampCounterSet is the set of one counter, the time on the device. It fails with ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommoncounterset/timestamp
func (d *Device) TimestampCounterSet() (CounterSet, error) {
	const op = "Device.TimestampCounterSet"
	constant, err := d.runtime.Constant("MTLCommonCounterSetTimestamp")
	if err != nil {
		return CounterSet{}, unsupported(op, err.Error())
	}
	name := objc.GoString(constant)
	all := d.CounterSets()
	i := slices.IndexFunc(all, func(s CounterSet) bool { return s.Name == name })
	if i < 0 {
		return CounterSet{}, unsupported(op, "no timestamps")
	}
	return all[i], nil
}

// CounterSampleBufferDescriptor says what samples a buffer has room for.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebufferdescriptor
type CounterSampleBufferDescriptor struct {
	CounterSet  CounterSet // one of the device's
	Label       string
	StorageMode ResourceOptions // StorageModeShared, for Resolve, or StorageModePrivate
	SampleCount int
}

// CounterSampleBuffer is room for samples of counters. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebuffer
type CounterSampleBuffer struct {
	handle
	device *Device
	desc   CounterSampleBufferDescriptor
}

// NewCounterSampleBuffer makes room for samples. It fails with an *Error, an *ArgumentError or ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecountersamplebuffer(descriptor:)
func (d *Device) NewCounterSampleBuffer(desc *CounterSampleBufferDescriptor) (*CounterSampleBuffer, error) {
	const op = "Device.NewCounterSampleBuffer"
	switch {
	case desc == nil:
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	case desc.SampleCount < 1:
		return nil, intArgument(op, "SampleCount", "1 or more", desc.SampleCount)
	case desc.StorageMode != StorageModeShared && desc.StorageMode != StorageModePrivate:
		return nil, argument(op, "StorageMode", "StorageModeShared or StorageModePrivate", desc.StorageMode.String())
	}
	made, err := d.makes(op, selNewCounterSampleBuffer, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newObject(d.runtime, "MTLCounterSampleBufferDescriptor")
		defer objc.Release(o)
		var set objc.ID
		elements(objc.SendID(id, selCounterSets), func(s objc.ID) {
			if objc.GoString(objc.SendID(s, selName)) == desc.CounterSet.Name {
				set = s
			}
		})
		if set == 0 {
			return 0, argument(op, "CounterSet", "one of the device's", strconv.Quote(desc.CounterSet.Name))
		}
		objc.Send(o, selSetCounterSet, uintptr(set))
		if desc.Label != "" {
			sendString(o, selSetLabel, desc.Label)
		}
		objc.Send(o, selSetStorageMode, uintptr(desc.StorageMode>>4))
		objc.Send(o, selSetSampleCount, uintptr(desc.SampleCount))
		made := objc.ID(m.Send(id, selNewCounterSampleBuffer, uintptr(o), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	b := &CounterSampleBuffer{device: d, desc: *desc}
	own(b, &b.handle, made, drop)
	return b, nil
}

// Release lets go of the samples. Command buffers that take some keep them until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (b *CounterSampleBuffer) Release() { b.release() }

// Device is the device that made the buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebuffer/device
func (b *CounterSampleBuffer) Device() *Device { return b.device }

func (b *CounterSampleBuffer) from() *Device { return b.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebuffer/label
func (b *CounterSampleBuffer) Label() string { return b.desc.Label }

// SampleCount is the number of samples that the buffer has room for.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebuffer/samplecount
func (b *CounterSampleBuffer) SampleCount() int { return b.desc.SampleCount }

// Resolve gives n samples from first on, the counters of each in the order of the set as little-endian uint64. The work that
// takes them has completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcountersamplebuffer/resolvecounterrange(_:)
func (b *CounterSampleBuffer) Resolve(first, n int) ([]byte, error) {
	const op = "CounterSampleBuffer.Resolve"
	id := b.object()
	if id == 0 {
		return nil, releasedArgument(op, "counter sample buffer")
	}
	if err := b.checkRange(op, first, n); err != nil {
		return nil, err
	}
	if b.desc.StorageMode != StorageModeShared {
		return nil, argument(op, "counter sample buffer", "StorageModeShared", b.desc.StorageMode.String())
	}
	var all []byte
	b.device.runtime.Pool(func() {
		if data := objc.SendID(id, selResolveCounterRange, uintptr(first), uintptr(n)); data != 0 {
			all = slices.Clone(objc.View(objc.Send(data, selBytes), int(objc.Send(data, selLength))))
		}
	})
	runtime.KeepAlive(b)
	if all == nil {
		return nil, &Error{Op: op, Description: "the samples cannot be resolved"}
	}
	return all, nil
}

// ResolveTimestamps gives n samples of TimestampCounterSet from first on, as Resolve does: times of the device's clock, which a
// TimestampScale turns into nanoseconds, or CounterErrorValue.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcounterresulttimestamp
func (b *CounterSampleBuffer) ResolveTimestamps(first, n int) ([]uint64, error) {
	const op = "CounterSampleBuffer.ResolveTimestamps"
	data, err := b.Resolve(first, n)
	if err != nil {
		return nil, err
	}
	if len(data) != timestampSize*n {
		return nil, argument(op, "counter sample buffer", "one of timestamps", "one of "+b.desc.CounterSet.Name)
	}
	all := make([]uint64, n)
	for i := range all {
		all[i] = binary.LittleEndian.Uint64(data[timestampSize*i:])
	}
	return all, nil
}

func (b *CounterSampleBuffer) checkRange(op string, first, n int) error {
	if size := b.desc.SampleCount; n < 1 || n > size || first < 0 || first > size-n {
		return argument(op, "range", "1 or more of "+strconv.Itoa(size)+" samples", strconv.Itoa(n)+" from "+strconv.Itoa(first))
	}
	return nil
}
