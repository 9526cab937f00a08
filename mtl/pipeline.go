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

	SupportIndirectCommandBuffers bool // commands of an IndirectCommandBuffer may use the pipeline

	BinaryArchives          []*BinaryArchive // where to look for compiled code first
	FailOnBinaryArchiveMiss bool             // compile nothing: what is in none of the archives is an error

	// Where the device has them; the software device does not.
	PreloadedLibraries []*DynamicLibrary // in front of those that the function's library links to
	LinkedFunctions    *LinkedFunctions
	MaxCallStackDepth  int // of calls through function pointers; 0 leaves it to the device
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
	indirect       bool // for indirect command buffers
	required       Size // threads of every threadgroup; the zero Size if the descriptor asks for none
}

// NewComputePipelineState makes a pipeline. It fails with a *CompileError or an *ArgumentError, or with ErrUnsupported if the
// descriptor asks for what the device does not have.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecomputepipelinestate(descriptor:options:)
func (d *Device) NewComputePipelineState(desc *ComputePipelineDescriptor) (*ComputePipelineState, error) {
	p, _, err := d.newPipeline("Device.NewComputePipelineState", desc, PipelineOptionNone)
	return p, err
}

// newPipeline makes a pipeline, and its bindings if options ask for them.
func (d *Device) newPipeline(op string, desc *ComputePipelineDescriptor, options PipelineOption) (*ComputePipelineState, []Binding, error) {
	if err := d.checkPipeline(op, desc); err != nil {
		return nil, nil, err
	}
	var p *ComputePipelineState
	var bindings []Binding
	var failure *objc.Error
	var refused error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		var o objc.ID
		if o, refused = newPipelineDescriptor(op, d, desc); refused != nil {
			return
		}
		reflection := uintptr(0)
		if options != PipelineOptionNone {
			reflection = m.Out(1)
		}
		made := objc.ID(m.Send(id, selNewComputePipelineState, uintptr(o), uintptr(options|desc.options()), reflection, m.Out(0)))
		objc.Release(o)
		if made == 0 {
			failure = objc.ErrorOf(m.OutID(0))
			return
		}
		p = adoptPipeline(d, desc, made)
		if reflection != 0 {
			bindings = readBindings(m.OutID(1))
		}
	})
	runtime.KeepAlive(desc)
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		return nil, nil, compileError(op, failure)
	}
	return p, bindings, nil
}

// checkPipeline holds a descriptor to what Metal would assert on.
func (d *Device) checkPipeline(op string, desc *ComputePipelineDescriptor) error {
	if _, err := d.live(op); err != nil {
		return err
	}
	if desc == nil {
		return argument(op, "descriptor", "a descriptor", "nil")
	}
	if _, err := objectOf(op, "ComputeFunction", d, desc.ComputeFunction); err != nil {
		return err
	}
	if desc.MaxTotalThreadsPerThreadgroup < 0 {
		return intArgument(op, "MaxTotalThreadsPerThreadgroup", "0 or more", desc.MaxTotalThreadsPerThreadgroup)
	}
	return desc.checkLinks(op, d)
}

// adoptPipeline takes over the caller's reference to id, a pipeline made from desc.
func adoptPipeline(d *Device, desc *ComputePipelineDescriptor, id objc.ID) *ComputePipelineState {
	p := &ComputePipelineState{device: d, label: desc.Label,
		wholeSimdgroup: desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth, indirect: desc.SupportIndirectCommandBuffers}
	own(p, &p.handle, id, drop)
	p.maxThreads = int(objc.Send(id, selMaxTotalThreadsPerThreadgroup))
	p.width = int(objc.Send(id, selThreadExecutionWidth))
	p.staticMemory = int(objc.Send(id, selStaticThreadgroupMemoryLength))
	return p
}

// newPipelineDescriptor makes an MTLComputePipelineDescriptor, which the caller releases. A pool is in place.
func newPipelineDescriptor(op string, d *Device, desc *ComputePipelineDescriptor) (objc.ID, error) {
	o := newObject(d.runtime, "MTLComputePipelineDescriptor")
	if desc.Label != "" {
		sendString(o, selSetLabel, desc.Label)
	}
	objc.Send(o, selSetComputeFunction, uintptr(desc.ComputeFunction.object()))
	if desc.MaxTotalThreadsPerThreadgroup > 0 {
		objc.Send(o, selSetMaxTotalThreads, uintptr(desc.MaxTotalThreadsPerThreadgroup))
	}
	objc.Send(o, selSetThreadGroupSizeIsMultiple, bit(desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth))
	if err := desc.setLinks(op, d, o); err != nil {
		objc.Release(o)
		return 0, err
	}
	return o, nil
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
