package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// maxSampleAttachments is how many counter sample buffers an encoder can fill.
const maxSampleAttachments = 4

// ComputePassDescriptor says how to make a compute encoder.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepassdescriptor
type ComputePassDescriptor struct {
	DispatchType            DispatchType
	SampleBufferAttachments []SampleBufferAttachment // at most 4
}

// SampleBufferAttachment says which samples are taken when the device begins and ends the work of an encoder. The
// device must have CounterSamplingPointAtStageBoundary.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepasssamplebufferattachmentdescriptor
type SampleBufferAttachment struct {
	SampleBuffer              *CounterSampleBuffer
	StartOfEncoderSampleIndex int // or CounterDontSample
	EndOfEncoderSampleIndex   int // or CounterDontSample
}

// NewComputeCommandEncoderWithDescriptor is NewComputeCommandEncoder with more to say. It fails with ErrUnsupported if the device takes
// no samples there.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffer/makecomputecommandencoder(descriptor:)
func (c *CommandBuffer) NewComputeCommandEncoderWithDescriptor(desc *ComputePassDescriptor) (*ComputeCommandEncoder, error) {
	const op = "CommandBuffer.NewComputeCommandEncoderWithDescriptor"
	id, err := c.encodable(op)
	if err != nil {
		return nil, err
	}
	d := c.queue.device
	if err := desc.check(op, d); err != nil {
		return nil, err
	}
	var e *ComputeCommandEncoder
	d.runtime.Pool(func() {
		o := desc.object(d.runtime)
		if made := objc.Retain(objc.SendID(id, selComputeCommandEncoderWithDescriptor, uintptr(o))); made != 0 {
			e = c.beginCompute(made, desc.DispatchType)
		}
		objc.Release(o)
	})
	runtime.KeepAlive(c)
	if e == nil {
		return nil, ErrOutOfMemory
	}
	for _, a := range desc.SampleBufferAttachments {
		c.keep(&a.SampleBuffer.handle)
	}
	return e, nil
}

func (desc *ComputePassDescriptor) check(op string, d *Device) error {
	if desc == nil {
		return argument(op, "descriptor", "a descriptor", "nil")
	}
	if t := desc.DispatchType; t != DispatchTypeSerial && t != DispatchTypeConcurrent {
		return argument(op, "DispatchType", "DispatchTypeSerial or DispatchTypeConcurrent", t.String())
	}
	if n := len(desc.SampleBufferAttachments); n > maxSampleAttachments {
		return intArgument(op, "SampleBufferAttachments", "at most "+strconv.Itoa(maxSampleAttachments), n)
	} else if n > 0 && !d.SupportsCounterSampling(CounterSamplingPointAtStageBoundary) {
		return unsupported(op, "counters are not sampled at the boundaries of encoders")
	}
	for _, a := range desc.SampleBufferAttachments {
		if _, err := objectOf(op, "SampleBuffer", d, a.SampleBuffer); err != nil {
			return err
		}
		for name, i := range map[string]int{"StartOfEncoderSampleIndex": a.StartOfEncoderSampleIndex, "EndOfEncoderSampleIndex": a.EndOfEncoderSampleIndex} {
			if most := a.SampleBuffer.desc.SampleCount - 1; i < CounterDontSample || i > most {
				return intArgument(op, name, "0 to "+strconv.Itoa(most)+", or CounterDontSample", i)
			}
		}
	}
	return nil
}

// object makes an MTLComputePassDescriptor, which the caller releases. A pool is in place.
func (desc *ComputePassDescriptor) object(rt objc.Runtime) objc.ID {
	o := newObject(rt, "MTLComputePassDescriptor")
	objc.Send(o, selSetDispatchType, uintptr(desc.DispatchType))
	for i, a := range desc.SampleBufferAttachments {
		to := objc.SendID(objc.SendID(o, selSampleBufferAttachments), selObjectAtIndexedSubscript, uintptr(i))
		objc.Send(to, selSetSampleBuffer, uintptr(a.SampleBuffer.object()))
		objc.Send(to, selSetStartOfEncoderSampleIndex, uintptr(a.StartOfEncoderSampleIndex)) // CounterDontSample is NSUIntegerMax
		objc.Send(to, selSetEndOfEncoderSampleIndex, uintptr(a.EndOfEncoderSampleIndex))
	}
	runtime.KeepAlive(desc)
	return o
}

// SampleCounters takes a sample between dispatches; with barrier, when those before have ended. It fails with ErrUnsupported if
// the device does not have CounterSamplingPointAtDispatchBoundary.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/samplecounters(samplebuffer:sampleindex:barrier:)
func (e *ComputeCommandEncoder) SampleCounters(b *CounterSampleBuffer, index int, barrier bool) {
	const op = "ComputeCommandEncoder.SampleCounters"
	if !e.usable(op) {
		return
	}
	id, err := objectOf(op, "counter sample buffer", e.Device(), b)
	switch {
	case err != nil:
		e.fail(err)
	case index < 0 || index >= b.desc.SampleCount:
		e.fail(intArgument(op, "index", "0 to "+strconv.Itoa(b.desc.SampleCount-1), index))
	case !e.Device().SupportsCounterSampling(CounterSamplingPointAtDispatchBoundary):
		e.fail(unsupported(op, "counters are not sampled between dispatches"))
	default:
		e.buffer.keep(&b.handle)
		e.msg.Send(e.object(), selSampleCounters, uintptr(id), uintptr(index), bit(barrier))
		runtime.KeepAlive(b)
		runtime.KeepAlive(e)
	}
}

// ResolveCounters writes n samples from first on to a buffer at a byte offset, in the form of CounterSampleBuffer.Resolve. The
// offset is a multiple of 256.
//
// Reference: https://developer.apple.com/documentation/metal/mtlblitcommandencoder/resolvecounters(_:range:destinationbuffer:destinationoffset:)
func (e *BlitCommandEncoder) ResolveCounters(b *CounterSampleBuffer, first, n int, dst *Buffer, offset int) {
	const op = "BlitCommandEncoder.ResolveCounters"
	if !e.usable(op) {
		return
	}
	id, err := objectOf(op, "counter sample buffer", e.Device(), b)
	if err == nil {
		err = b.checkRange(op, first, n)
	}
	if err != nil {
		e.fail(err)
		return
	}
	if dst == nil {
		e.fail(argument(op, "destination", "a buffer", "nil"))
		return
	}
	if !e.checkBuffer(op, "destination", dst) {
		return
	}
	size := n * timestampSize * max(len(b.desc.CounterSet.Counters), 1)
	if offset < 0 || offset%counterAlignment != 0 || size > dst.length || offset > dst.length-size {
		e.fail(argument(op, "offset", "a multiple of 256 with "+strconv.Itoa(size)+" bytes behind it in the buffer of "+strconv.Itoa(dst.length), strconv.Itoa(offset)))
		return
	}
	e.buffer.keep(&b.handle)
	e.buffer.keep(&dst.handle)
	e.msg.Send(e.object(), selResolveCounters, uintptr(id), uintptr(first), uintptr(n), uintptr(dst.object()), uintptr(offset))
	runtime.KeepAlive(b)
	runtime.KeepAlive(dst)
	runtime.KeepAlive(e)
}

// counterAlignment is what the offset of resolved counters is a multiple of, as constant buffers on macOS are.
const counterAlignment = 256
