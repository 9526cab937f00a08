package mtl

import (
	"context"
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// MTL4CompilerDescriptor says how to make a compiler.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compilerdescriptor
type MTL4CompilerDescriptor struct {
	Label string // for tools
}

// MTL4Compiler makes libraries and pipelines. It is safe for concurrent use. macOS 26.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler
type MTL4Compiler struct {
	handle
	device *Device
	label  string
}

// NewMTL4Compiler makes a compiler; desc may be nil. It fails with ErrUnsupported before macOS 26 and on devices without Metal 4, or
// with an *Error.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecompiler(descriptor:)
func (d *Device) NewMTL4Compiler(desc *MTL4CompilerDescriptor) (*MTL4Compiler, error) {
	const op = "Device.NewMTL4Compiler"
	if desc == nil {
		desc = &MTL4CompilerDescriptor{}
	}
	made, err := d.makes(op, selNewCompiler, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newLabelled(d.runtime, "MTL4CompilerDescriptor", desc.Label)
		defer objc.Release(o)
		return madeOrFailed(op, m, objc.ID(m.Send(id, selNewCompiler, uintptr(o), m.Out(0))))
	})
	if err != nil {
		return nil, err
	}
	c := &MTL4Compiler{device: d, label: desc.Label}
	own(c, &c.handle, made, drop)
	return c, nil
}

// Release lets go of the compiler. What it made stays usable.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (c *MTL4Compiler) Release() { c.release() }

// Device is the device that made the compiler.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/device
func (c *MTL4Compiler) Device() *Device { return c.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/label
func (c *MTL4Compiler) Label() string { return c.label }

// MTL4LibraryDescriptor says how to make a library.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4librarydescriptor
type MTL4LibraryDescriptor struct {
	Source  string          // shader text
	Options *CompileOptions // may be nil
	Name    string          // for tools
}

// newObject makes an MTL4LibraryDescriptor, which the caller releases. A pool is in place.
func (desc *MTL4LibraryDescriptor) newObject(op string, d *Device) (objc.ID, error) {
	o := desc.Options
	if o == nil {
		o = &CompileOptions{}
	}
	options, err := newCompileOptions(op, d, o)
	if err != nil {
		return 0, err
	}
	defer objc.Release(options)
	id := newObject(d.runtime, "MTL4LibraryDescriptor")
	sendString(id, selSetSource, desc.Source)
	objc.Send(id, selSetLibraryOptions, uintptr(options))
	if desc.Name != "" {
		sendString(id, selSetName, desc.Name)
	}
	return id, nil
}

// run has f send a message of the compiler's in a pool.
func (c *MTL4Compiler) run(op string, f func(m *objc.Msg, id objc.ID) error) error {
	id := c.object()
	if id == 0 {
		return releasedArgument(op, "compiler")
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	var err error
	c.device.runtime.Pool(func() { err = f(m, id) })
	runtime.KeepAlive(c)
	return err
}

// NewLibrary compiles shader text. It fails with a *CompileError that has the positions, or with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/makelibrary(descriptor:)
func (c *MTL4Compiler) NewLibrary(desc *MTL4LibraryDescriptor) (*Library, error) {
	const op = "MTL4Compiler.NewLibrary"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	var l *Library
	err := c.run(op, func(m *objc.Msg, id objc.ID) error {
		o, err := desc.newObject(op, c.device)
		if err != nil {
			return err
		}
		defer objc.Release(o)
		made := objc.ID(m.Send(id, selCompileLibrary, uintptr(o), m.Out(0)))
		// The nil result decides: warnings come as an NSError beside a library.
		failure := objc.ErrorOf(m.OutID(0))
		if made == 0 {
			return compileError(op, failure)
		}
		l = newLibrary(c.device, made, failure)
		return nil
	})
	runtime.KeepAlive(desc)
	return l, err
}

// NewLibraryAsync is NewLibrary, but the compiler runs on a thread of Metal's: the call waits for it without occupying an OS
// thread. When ctx ends, the waiting ends with ctx.Err(); the compiler goes on and its result is let go of.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/makelibrary(descriptor:completionhandler:)
func (c *MTL4Compiler) NewLibraryAsync(ctx context.Context, desc *MTL4LibraryDescriptor) (*Library, error) {
	const op = "MTL4Compiler.NewLibraryAsync"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	made, err := c.await(ctx, op, func(m *objc.Msg, id, block objc.ID) (objc.ID, error) {
		o, err := desc.newObject(op, c.device)
		if err != nil {
			return 0, err
		}
		defer objc.Release(o)
		return objc.ID(m.Send(id, selCompileLibraryAsync, uintptr(o), uintptr(block))), nil
	})
	runtime.KeepAlive(desc)
	if err != nil {
		return nil, err
	}
	var l *Library
	c.device.runtime.Pool(func() { l = newLibrary(c.device, made.object, made.failure) })
	return l, nil
}

// NewComputePipelineState makes a pipeline. It fails with a *CompileError, a *FunctionNotFoundError or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/makecomputepipelinestate(descriptor:compilertaskoptions:)
func (c *MTL4Compiler) NewComputePipelineState(desc *MTL4ComputePipelineDescriptor) (*ComputePipelineState, error) {
	const op = "MTL4Compiler.NewComputePipelineState"
	if err := desc.check(op, c.device); err != nil {
		return nil, err
	}
	var p *ComputePipelineState
	err := c.run(op, func(m *objc.Msg, id objc.ID) error {
		o := desc.newObject(c.device)
		defer objc.Release(o)
		made := objc.ID(m.Send(id, selCompilePipeline, uintptr(o), 0, m.Out(0)))
		if made == 0 {
			return compileError(op, objc.ErrorOf(m.OutID(0)))
		}
		p = desc.adopt(c.device, made)
		return nil
	})
	runtime.KeepAlive(desc)
	return p, err
}

// NewComputePipelineStateAsync is NewComputePipelineState, but the compiler runs on a thread of Metal's, with the rules of
// NewLibraryAsync.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4compiler/makecomputepipelinestate(descriptor:compilertaskoptions:completionhandler:)
func (c *MTL4Compiler) NewComputePipelineStateAsync(ctx context.Context, desc *MTL4ComputePipelineDescriptor) (*ComputePipelineState, error) {
	const op = "MTL4Compiler.NewComputePipelineStateAsync"
	if err := desc.check(op, c.device); err != nil {
		return nil, err
	}
	copied := *desc // the caller may change it while the compiler runs
	made, err := c.await(ctx, op, func(m *objc.Msg, id, block objc.ID) (objc.ID, error) {
		o := copied.newObject(c.device)
		defer objc.Release(o)
		return objc.ID(m.Send(id, selCompilePipelineAsync, uintptr(o), 0, uintptr(block))), nil
	})
	if err != nil {
		return nil, err
	}
	return copied.adopt(c.device, made.object), nil
}

// await has f send a message that starts a task, which f's caller owns, and waits for what the task tells the block.
func (c *MTL4Compiler) await(ctx context.Context, op string, f func(m *objc.Msg, id, block objc.ID) (objc.ID, error)) (outcome, error) {
	if err := ctx.Err(); err != nil {
		return outcome{}, err
	}
	var done chan outcome
	err := c.run(op, func(m *objc.Msg, id objc.ID) error {
		var block objc.ID
		block, done = c.device.completion(2)
		defer objc.Release(block)
		task, err := f(m, id, block)
		// Nobody asks for its state: the block tells.
		objc.Release(task)
		return err
	})
	if err != nil {
		return outcome{}, err
	}
	made, err := await(ctx, done)
	runtime.KeepAlive(c)
	if err == nil && made.object == 0 {
		err = compileError(op, made.failure)
	}
	return made, err
}
