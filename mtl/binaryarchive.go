package mtl

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// BinaryArchive is a store of compiled code, for pipelines that are to be made without a compiler. Those of the software device
// hold no code: they know what was added to them, so that a descriptor that uses one behaves as on a GPU, and save no time. It is
// safe for concurrent use, but for adding.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive
type BinaryArchive struct {
	handle
	label
	device *Device
}

// NewBinaryArchive makes an empty archive, or loads one from the file that Serialize wrote if path is not "". A file of
// another device or system is refused. It fails with ErrUnsupported or an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makebinaryarchive(descriptor:)
func (d *Device) NewBinaryArchive(path string) (*BinaryArchive, error) {
	const op = "Device.NewBinaryArchive"
	made, err := d.makes(op, selNewBinaryArchiveWithDescriptor, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		desc := newObject(d.runtime, "MTLBinaryArchiveDescriptor")
		defer objc.Release(desc)
		if path != "" {
			objc.Send(desc, selSetURL, uintptr(fileURL(d.runtime, path)))
		}
		made := objc.ID(m.Send(id, selNewBinaryArchiveWithDescriptor, uintptr(desc), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	a := &BinaryArchive{device: d}
	own(a, &a.handle, made, drop)
	return a, nil
}

// Release lets go of the archive. Pipelines made with it stay usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (a *BinaryArchive) Release() { a.release() }

// Device is the device that made the archive.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/device
func (a *BinaryArchive) Device() *Device { return a.device }

func (a *BinaryArchive) from() *Device { return a.device }

// SetLabel names the archive for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/label
func (a *BinaryArchive) SetLabel(s string) { a.label.set(&a.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/label
func (a *BinaryArchive) Label() string { return a.label.get() }

// AddComputePipelineFunctions compiles the functions of a pipeline into the archive. It fails with an *Error or an
// *ArgumentError. One goroutine at a time adds.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/addcomputepipelinefunctions(descriptor:)
func (a *BinaryArchive) AddComputePipelineFunctions(desc *ComputePipelineDescriptor) error {
	const op = "BinaryArchive.AddComputePipelineFunctions"
	id := a.object()
	if id == 0 {
		return releasedArgument(op, "archive")
	}
	if err := a.device.checkPipeline(op, desc); err != nil {
		return err
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	var err error
	a.device.runtime.Pool(func() {
		var o objc.ID
		if o, err = newPipelineDescriptor(op, a.device, desc); err != nil {
			return
		}
		if m.Send(id, selAddComputePipelineFunctions, uintptr(o), m.Out(0)); !m.Bool() {
			err = failed(op, m.OutID(0))
		}
		objc.Release(o)
	})
	runtime.KeepAlive(desc)
	runtime.KeepAlive(a)
	return err
}

// AddFunction compiles a function of a library into the archive, one that is made with FunctionOptionCompileToBinary. It fails with
// ErrUnsupported, an *Error or an *ArgumentError. One goroutine at a time adds.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/addfunction(descriptor:library:)
func (a *BinaryArchive) AddFunction(desc *FunctionDescriptor, l *Library) error {
	const op = "BinaryArchive.AddFunction"
	id := a.object()
	if id == 0 {
		return releasedArgument(op, "archive")
	}
	library, err := objectOf(op, "library", a.device, l)
	if err != nil {
		return err
	}
	if desc == nil {
		return argument(op, "descriptor", "a descriptor", "nil")
	}
	archives, err := desc.check(op, a.device)
	if err != nil {
		return err
	}
	if !a.device.can(selSupportsFunctionPointers) {
		return unsupported(op, "function pointers")
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	a.device.runtime.Pool(func() {
		o := newFunctionDescriptor(a.device.runtime, desc, archives)
		if m.Send(id, selAddFunctionWithDescriptorToArchive, uintptr(o), uintptr(library), m.Out(0)); !m.Bool() {
			err = failed(op, m.OutID(0))
		}
		objc.Release(o)
	})
	runtime.KeepAlive(desc)
	runtime.KeepAlive(l)
	runtime.KeepAlive(a)
	return err
}

// Serialize writes the archive to a file, which NewBinaryArchive loads. It fails with an *Error; Metal's archives fail if they are
// empty.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbinaryarchive/serialize(to:)
func (a *BinaryArchive) Serialize(path string) error {
	return serialize("BinaryArchive.Serialize", "archive", &a.handle, path)
}
