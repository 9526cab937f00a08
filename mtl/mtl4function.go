package mtl

import (
	"slices"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// MTL4FunctionDescriptor says which function a compiler makes a pipeline of: an *MTL4LibraryFunctionDescriptor or an
// *MTL4SpecializedFunctionDescriptor.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4functiondescriptor
type MTL4FunctionDescriptor interface {
	checkFunction(op string, d *Device) error
	newFunction(d *Device) objc.ID // for the caller to release; checked. A pool is in place.
}

// MTL4LibraryFunctionDescriptor is a function of a library that needs no function constants.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4libraryfunctiondescriptor
type MTL4LibraryFunctionDescriptor struct {
	Library *Library
	Name    string
}

func (f *MTL4LibraryFunctionDescriptor) checkFunction(op string, d *Device) error {
	if f == nil {
		return argument(op, "ComputeFunctionDescriptor", "a descriptor", "nil")
	}
	if _, err := objectOf(op, "Library", d, f.Library); err != nil {
		return err
	}
	if !slices.Contains(f.Library.names, f.Name) {
		return &FunctionNotFoundError{f.Name, f.Library.FunctionNames()}
	}
	return nil
}

func (f *MTL4LibraryFunctionDescriptor) newFunction(d *Device) objc.ID {
	o := newObject(d.runtime, "MTL4LibraryFunctionDescriptor")
	sendString(o, selSetName, f.Name)
	objc.Send(o, selSetLibrary, uintptr(f.Library.object()))
	return o
}

// MTL4SpecializedFunctionDescriptor is a function of a library with its function constants set.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4specializedfunctiondescriptor
type MTL4SpecializedFunctionDescriptor struct {
	FunctionDescriptor *MTL4LibraryFunctionDescriptor
	SpecializedName    string // "" leaves the function its name
	Constants          []FunctionConstant
}

func (f *MTL4SpecializedFunctionDescriptor) checkFunction(op string, d *Device) error {
	if f == nil {
		return argument(op, "ComputeFunctionDescriptor", "a descriptor", "nil")
	}
	if err := f.FunctionDescriptor.checkFunction(op, d); err != nil {
		return err
	}
	return checkConstants(op, f.Constants)
}

func (f *MTL4SpecializedFunctionDescriptor) newFunction(d *Device) objc.ID {
	o := newObject(d.runtime, "MTL4SpecializedFunctionDescriptor")
	of := f.FunctionDescriptor.newFunction(d)
	objc.Send(o, selSetFunctionDescriptor, uintptr(of))
	objc.Release(of)
	if f.SpecializedName != "" {
		sendString(o, selSetSpecializedName, f.SpecializedName)
	}
	values := newConstantValues(d.runtime, f.Constants)
	objc.Send(o, selSetConstantValues, uintptr(values))
	objc.Release(values)
	return o
}

// MTL4ComputePipelineDescriptor says how a compiler makes a compute pipeline.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computepipelinedescriptor
type MTL4ComputePipelineDescriptor struct {
	Label                         string
	ComputeFunctionDescriptor     MTL4FunctionDescriptor
	MaxTotalThreadsPerThreadgroup int  // 0 leaves the limit to the device
	RequiredThreadsPerThreadgroup Size // of every dispatch; the zero Size leaves it to the dispatch

	// ThreadgroupSizeIsMultipleOfThreadExecutionWidth promises that every threadgroup is whole simdgroups.
	ThreadgroupSizeIsMultipleOfThreadExecutionWidth bool

	SupportIndirectCommandBuffers MTL4IndirectCommandBufferSupportState
}

// check holds the descriptor to what Metal would assert on.
func (desc *MTL4ComputePipelineDescriptor) check(op string, d *Device) error {
	if desc == nil {
		return argument(op, "descriptor", "a descriptor", "nil")
	}
	if desc.ComputeFunctionDescriptor == nil {
		return argument(op, "ComputeFunctionDescriptor", "a descriptor", "nil")
	}
	if err := desc.ComputeFunctionDescriptor.checkFunction(op, d); err != nil {
		return err
	}
	if n := desc.MaxTotalThreadsPerThreadgroup; n < 0 {
		return intArgument(op, "MaxTotalThreadsPerThreadgroup", "0 or more", n)
	}
	if r := desc.RequiredThreadsPerThreadgroup; r != (Size{}) {
		most := d.maxThreads
		if r.Width < 1 || r.Height < 1 || r.Depth < 1 || r.Width > most.Width || r.Height > most.Height || r.Depth > most.Depth {
			return argument(op, "RequiredThreadsPerThreadgroup", "1x1x1 to "+most.String()+", or the zero Size", r.String())
		}
	}
	if s := desc.SupportIndirectCommandBuffers; s != MTL4IndirectCommandBufferSupportStateDisabled && s != MTL4IndirectCommandBufferSupportStateEnabled {
		return argument(op, "SupportIndirectCommandBuffers", "one of this package's constants", strconv.Itoa(int(s)))
	}
	return nil
}

// newObject makes an MTL4ComputePipelineDescriptor, which the caller releases. A pool is in place.
func (desc *MTL4ComputePipelineDescriptor) newObject(d *Device) objc.ID {
	o := newLabelled(d.runtime, "MTL4ComputePipelineDescriptor", desc.Label)
	f := desc.ComputeFunctionDescriptor.newFunction(d)
	objc.Send(o, selSetComputeFunctionDescriptor, uintptr(f))
	objc.Release(f)
	if desc.MaxTotalThreadsPerThreadgroup > 0 {
		objc.Send(o, selSetMaxTotalThreads, uintptr(desc.MaxTotalThreadsPerThreadgroup))
	}
	if r := desc.RequiredThreadsPerThreadgroup; r != (Size{}) {
		objc.Send(o, selSetRequiredThreads, uintptr(r.Width), uintptr(r.Height), uintptr(r.Depth))
	}
	objc.Send(o, selSetThreadGroupSizeIsMultiple, bit(desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth))
	objc.Send(o, selSetIndirectSupport, uintptr(desc.SupportIndirectCommandBuffers))
	return o
}

// adopt takes over the caller's reference to id, a pipeline made from the descriptor.
func (desc *MTL4ComputePipelineDescriptor) adopt(d *Device, id objc.ID) *ComputePipelineState {
	p := adoptPipeline(d, &ComputePipelineDescriptor{
		Label: desc.Label,
		ThreadgroupSizeIsMultipleOfThreadExecutionWidth: desc.ThreadgroupSizeIsMultipleOfThreadExecutionWidth,
		SupportIndirectCommandBuffers:                   desc.SupportIndirectCommandBuffers == MTL4IndirectCommandBufferSupportStateEnabled,
	}, id)
	p.required = desc.RequiredThreadsPerThreadgroup
	return p
}
