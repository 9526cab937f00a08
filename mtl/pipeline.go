package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// ComputePipelineDescriptor says how to make a compute pipeline.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinedescriptor
type ComputePipelineDescriptor struct {
	Label                         string
	ComputeFunction               *Function
	MaxTotalThreadsPerThreadgroup int // 0 leaves the limit to the device

	// ThreadgroupSizeIsMultipleOfThreadExecutionWidth promises that every threadgroup is whole simdgroups.
	ThreadgroupSizeIsMultipleOfThreadExecutionWidth bool
}

// ComputePipelineState is a function made ready to run. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate
type ComputePipelineState struct {
	handle
	device         *Device
	label          string
	maxThreads     int
	width          int
	staticMemory   int
	wholeSimdgroup bool // promised by the descriptor
}

// NewComputePipelineState makes a pipeline. It fails with a *CompileError or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecomputepipelinestate(descriptor:options:)
func (d *Device) NewComputePipelineState(desc *ComputePipelineDescriptor) (*ComputePipelineState, error) {
	const op = "Device.NewComputePipelineState"
	if _, err := d.live(op); err != nil {
		return nil, err
	}
	switch {
	case desc == nil:
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	case desc.ComputeFunction == nil:
		return nil, argument(op, "ComputeFunction", "a function", "nil")
	case desc.ComputeFunction.object() == 0:
		return nil, releasedArgument(op, "ComputeFunction")
	case desc.ComputeFunction.device.self != d.self:
		return nil, otherDevice(op, "ComputeFunction", d, desc.ComputeFunction.device)
	case desc.MaxTotalThreadsPerThreadgroup < 0:
		return nil, intArgument(op, "MaxTotalThreadsPerThreadgroup", "0 or more", desc.MaxTotalThreadsPerThreadgroup)
	}
	var p *ComputePipelineState
	var failure *objc.Error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		o := newPipelineDescriptor(d.runtime, desc)
		made := objc.ID(m.Send(id, selNewComputePipelineState, uintptr(o), 0, 0, m.Out(0)))
		objc.Release(o)
		if made == 0 {
			failure = objc.ErrorOf(m.OutID(0))
			return
		}
		p = &ComputePipelineState{device: d, label: desc.Label, wholeSimdgroup: desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth}
		own(p, &p.handle, made, drop)
		p.maxThreads = int(m.Send(made, selMaxTotalThreadsPerThreadgroup))
		p.width = int(m.Send(made, selThreadExecutionWidth))
		p.staticMemory = int(m.Send(made, selStaticThreadgroupMemoryLength))
	})
	runtime.KeepAlive(desc)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, compileError(op, failure)
	}
	return p, nil
}

// newPipelineDescriptor makes an MTLComputePipelineDescriptor, which the caller releases.
func newPipelineDescriptor(rt objc.Runtime, desc *ComputePipelineDescriptor) objc.ID {
	o := newObject(rt, "MTLComputePipelineDescriptor")
	if desc.Label != "" {
		sendString(o, selSetLabel, desc.Label)
	}
	objc.Send(o, selSetComputeFunction, uintptr(desc.ComputeFunction.object()))
	if desc.MaxTotalThreadsPerThreadgroup > 0 {
		objc.Send(o, selSetMaxTotalThreads, uintptr(desc.MaxTotalThreadsPerThreadgroup))
	}
	objc.Send(o, selSetThreadGroupSizeIsMultiple, bit(desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth))
	return o
}

// Release lets go of the pipeline. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (p *ComputePipelineState) Release() { p.release() }

// Device is the device that made the pipeline.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/device
func (p *ComputePipelineState) Device() *Device { return p.device }

// Label is the name given by the descriptor.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/label
func (p *ComputePipelineState) Label() string { return p.label }

// MaxTotalThreadsPerThreadgroup is the most threads of one threadgroup of this pipeline.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/maxtotalthreadsperthreadgroup
func (p *ComputePipelineState) MaxTotalThreadsPerThreadgroup() int { return p.maxThreads }

// ThreadExecutionWidth is the number of threads of a simdgroup.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/threadexecutionwidth
func (p *ComputePipelineState) ThreadExecutionWidth() int { return p.width }

// StaticThreadgroupMemoryLength is how many bytes of threadgroup memory the function declares itself.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/staticthreadgroupmemorylength
func (p *ComputePipelineState) StaticThreadgroupMemoryLength() int { return p.staticMemory }

func otherDevice(op, arg string, want, got *Device) *ArgumentError {
	return argument(op, arg, "an object of device "+want.name, "one of device "+got.name)
}
