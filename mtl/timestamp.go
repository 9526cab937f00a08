package mtl

import (
	"math/big"
	"runtime"
	"strconv"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// TimestampPair is one moment on two clocks: the CPU's, in nanoseconds, and the device's, in its own unit.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/sampletimestamps()
type TimestampPair struct{ CPU, GPU uint64 }

// SampleTimestamps reads both clocks at once.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/sampletimestamps()
func (d *Device) SampleTimestamps() (TimestampPair, error) {
	const op = "Device.SampleTimestamps"
	id, err := d.live(op)
	if err != nil {
		return TimestampPair{}, err
	}
	if err := needs(op, id, selSampleTimestamps); err != nil {
		return TimestampPair{}, err
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	m.Send(id, selSampleTimestamps, m.Out(0), m.Out(1))
	runtime.KeepAlive(d)
	return TimestampPair{uint64(m.OutID(0)), uint64(m.OutID(1))}, nil
}

// TimestampScale turns times of the device's clock into the CPU's nanoseconds, by two moments known on both: one before the work that
// is measured and one after it.
//
// Reference: https://developer.apple.com/documentation/metal/converting-gpu-timestamps-into-cpu-time
type TimestampScale struct{ first, last TimestampPair }

// NewTimestampScale makes a scale of two moments. It fails with an *ArgumentError unless the second is later on both clocks.
//
// Reference: https://developer.apple.com/documentation/metal/converting-gpu-timestamps-into-cpu-time
func NewTimestampScale(first, last TimestampPair) (TimestampScale, error) {
	if last.CPU <= first.CPU || last.GPU <= first.GPU {
		return TimestampScale{}, argument("NewTimestampScale", "last", "a moment after CPU "+
			strconv.FormatUint(first.CPU, 10)+", GPU "+strconv.FormatUint(first.GPU, 10),
			"CPU "+strconv.FormatUint(last.CPU, 10)+", GPU "+strconv.FormatUint(last.GPU, 10))
	}
	return TimestampScale{first, last}, nil
}

// Nanoseconds gives the time of the CPU's clock at a time of the device's.
//
// Reference: https://developer.apple.com/documentation/metal/converting-gpu-timestamps-into-cpu-time
func (s TimestampScale) Nanoseconds(gpu uint64) int64 {
	return int64(s.first.CPU) + s.scaled(int64(gpu-s.first.GPU))
}

// Duration is the time between two times of the device's clock.
//
// Reference: https://developer.apple.com/documentation/metal/converting-gpu-timestamps-into-cpu-time
func (s TimestampScale) Duration(from, to uint64) time.Duration {
	return time.Duration(s.scaled(int64(to - from)))
}

// scaled turns a span. The product of two 64-bit spans has 128 bits.
func (s TimestampScale) scaled(span int64) int64 {
	if s.last.GPU == s.first.GPU {
		return span // the zero TimestampScale takes the device's unit for nanoseconds
	}
	n := new(big.Int).Mul(big.NewInt(span), new(big.Int).SetUint64(s.last.CPU-s.first.CPU))
	return n.Quo(n, new(big.Int).SetUint64(s.last.GPU-s.first.GPU)).Int64()
}
