package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// LinkedFunctions are visible functions that a pipeline's kernel can call through pointers. Devices that have them
// are those of GPUFamilyApple6 and later; on others they are ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtllinkedfunctions
type LinkedFunctions struct {
	Functions        []*Function            // compiled with the pipeline
	BinaryFunctions  []*Function            // compiled already: made with FunctionOptionCompileToBinary
	PrivateFunctions []*Function            // compiled with the pipeline, not to be pointed to from outside
	Groups           map[string][]*Function // the functions that a call site of that group name can reach
}

// options are those that Metal has beside the descriptor.
func (desc *ComputePipelineDescriptor) options() PipelineOption {
	if desc.FailOnBinaryArchiveMiss {
		return PipelineOptionFailOnBinaryArchiveMiss
	}
	return PipelineOptionNone
}

// checkLinks holds what a descriptor refers to, but for its function, to what Metal would assert on and to what the device has.
func (desc *ComputePipelineDescriptor) checkLinks(op string, d *Device) error {
	if _, err := objects(op, "BinaryArchives", d, desc.BinaryArchives); err != nil {
		return err
	}
	if desc.FailOnBinaryArchiveMiss && len(desc.BinaryArchives) == 0 {
		return argument(op, "BinaryArchives", "archives to find the function in", "none")
	}
	if len(desc.PreloadedLibraries) > 0 && !d.can(selSupportsDynamicLibraries) {
		return unsupported(op, "dynamic libraries")
	}
	if _, err := objects(op, "PreloadedLibraries", d, desc.PreloadedLibraries); err != nil {
		return err
	}
	if desc.MaxCallStackDepth < 0 {
		return intArgument(op, "MaxCallStackDepth", "0 or more", desc.MaxCallStackDepth)
	}
	if (desc.LinkedFunctions != nil || desc.MaxCallStackDepth > 0) && !d.can(selSupportsFunctionPointers) {
		return unsupported(op, "function pointers")
	}
	if l := desc.LinkedFunctions; l != nil {
		lists := [][]*Function{l.Functions, l.BinaryFunctions, l.PrivateFunctions}
		for _, group := range l.Groups {
			lists = append(lists, group)
		}
		for _, list := range lists {
			if _, err := objects(op, "LinkedFunctions", d, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// setLinks sets what checkLinks has checked. A pool is in place.
func (desc *ComputePipelineDescriptor) setLinks(op string, d *Device, o objc.ID) error {
	if desc.SupportIndirectCommandBuffers {
		objc.Send(o, selSetSupportIndirectCommandBuffers, 1)
	}
	if len(desc.BinaryArchives) > 0 {
		ids, err := objects(op, "BinaryArchives", d, desc.BinaryArchives)
		if err != nil {
			return err
		}
		objc.Send(o, selSetBinaryArchives, uintptr(newArray(d.runtime, ids)))
	}
	if len(desc.PreloadedLibraries) > 0 {
		ids, err := objects(op, "PreloadedLibraries", d, desc.PreloadedLibraries)
		if err != nil {
			return err
		}
		objc.Send(o, selSetPreloadedLibraries, uintptr(newArray(d.runtime, ids)))
	}
	if desc.MaxCallStackDepth > 0 {
		objc.Send(o, selSetMaxCallStackDepth, uintptr(desc.MaxCallStackDepth))
	}
	if desc.LinkedFunctions != nil {
		linked := newLinkedFunctions(d.runtime, desc.LinkedFunctions)
		objc.Send(o, selSetLinkedFunctions, uintptr(linked))
		objc.Release(linked)
	}
	runtime.KeepAlive(desc)
	return nil
}

// newLinkedFunctions makes an MTLLinkedFunctions, which the caller releases. A pool is in place.
func newLinkedFunctions(rt objc.Runtime, l *LinkedFunctions) objc.ID {
	id := newObject(rt, "MTLLinkedFunctions")
	if len(l.Functions) > 0 {
		objc.Send(id, selSetFunctions, uintptr(functionArray(rt, l.Functions)))
	}
	if len(l.BinaryFunctions) > 0 {
		objc.Send(id, selSetBinaryFunctions, uintptr(functionArray(rt, l.BinaryFunctions)))
	}
	if len(l.PrivateFunctions) > 0 {
		objc.Send(id, selSetPrivateFunctions, uintptr(functionArray(rt, l.PrivateFunctions)))
	}
	if len(l.Groups) > 0 {
		var names, arrays []objc.ID
		for name, list := range l.Groups {
			names = append(names, rt.NewString(name))
			arrays = append(arrays, functionArray(rt, list))
		}
		m := new(objc.Msg)
		groups := m.Send(rt.Class("NSDictionary"), selDictionaryWithObjectsForKeys, m.IDs(arrays), m.IDs(names), uintptr(len(names)))
		objc.Send(id, selSetGroups, groups)
		for _, name := range names {
			objc.Release(name)
		}
	}
	return id
}

func functionArray(rt objc.Runtime, list []*Function) objc.ID {
	ids := make([]objc.ID, len(list))
	for i, f := range list {
		ids[i] = f.object()
	}
	return newArray(rt, ids)
}
