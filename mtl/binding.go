package mtl

import "github.com/puremetal/puremetal/objc"

// Binding is an argument of a kernel that the encoder binds. Only the fields of its Type are set.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinding
type Binding struct {
	Name     string
	Index    int // of its kind: [[buffer(index)]], [[threadgroup(index)]]
	Type     BindingType
	Access   BindingAccess
	Used     bool // the kernel's code uses it
	Argument bool // it is a parameter of the kernel, not something that the compiler added

	// BindingTypeBuffer
	BufferDataType  DataType // of what the argument points to
	BufferDataSize  int      // in bytes
	BufferAlignment int      // in bytes

	// BindingTypeThreadgroupMemory
	ThreadgroupMemoryDataSize  int // of what the argument points to, in bytes
	ThreadgroupMemoryAlignment int // in bytes
}

// NewComputePipelineStateWithReflection is NewComputePipelineState, and gives the kernel's arguments besides.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecomputepipelinestate(descriptor:options:)
func (d *Device) NewComputePipelineStateWithReflection(desc *ComputePipelineDescriptor) (*ComputePipelineState, []Binding, error) {
	return d.newPipeline("Device.NewComputePipelineStateWithReflection", desc, PipelineOptionBindingInfo|PipelineOptionBufferTypeInfo)
}

// readBindings reads an MTLComputePipelineReflection. A pool is in place.
func readBindings(reflection objc.ID) []Binding {
	var all []Binding
	elements(objc.SendID(reflection, selBindings), func(id objc.ID) {
		b := Binding{
			Name:     objc.GoString(objc.SendID(id, selName)),
			Index:    int(objc.Send(id, selIndex)),
			Type:     BindingType(objc.Send(id, selBindingType)),
			Access:   BindingAccess(objc.Send(id, selAccess)),
			Used:     objc.SendBool(id, selIsUsed),
			Argument: objc.SendBool(id, selIsArgument),
		}
		switch b.Type {
		case BindingTypeBuffer:
			b.BufferDataType = DataType(objc.Send(id, selBufferDataType))
			b.BufferDataSize = int(objc.Send(id, selBufferDataSize))
			b.BufferAlignment = int(objc.Send(id, selBufferAlignment))
		case BindingTypeThreadgroupMemory:
			b.ThreadgroupMemoryDataSize = int(objc.Send(id, selThreadgroupMemoryDataSize))
			b.ThreadgroupMemoryAlignment = int(objc.Send(id, selThreadgroupMemoryAlignment))
		}
		all = append(all, b)
	})
	return all
}
