package mtl

import (
	"context"
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// outcome is what a completion handler is called with.
type outcome struct {
	object  objc.ID // retained by the handler
	failure *objc.Error
}

// completion makes a block of args arguments, object first and NSError last, whose call is sent on the channel. The caller releases
// the block.
func (d *Device) completion(args int) (objc.ID, chan outcome) {
	done := make(chan outcome, 1) // the handler never waits
	return d.runtime.NewBlock(args, func(ids []objc.ID) {
		done <- outcome{objc.Retain(ids[0]), objc.ErrorOf(ids[len(ids)-1])}
	}), done
}

// await waits for the outcome or for ctx. An outcome that comes when nobody waits any more is let go of.
func await(ctx context.Context, done chan outcome) (outcome, error) {
	select {
	case o := <-done:
		return o, nil
	case <-ctx.Done():
		go func() {
			if o := <-done; o.object != 0 {
				drop(o.object)
			}
		}()
		return outcome{}, ctx.Err()
	}
}

// NewLibraryWithSourceAsync is NewLibraryWithSource, but the compiler runs on a thread of Metal's: the call waits for it
// without occupying an OS thread. When ctx ends, the waiting ends with ctx.Err(); the compiler goes on and its result is let
// go of.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makelibrary(source:options:completionhandler:)
func (d *Device) NewLibraryWithSourceAsync(ctx context.Context, src string, o *CompileOptions) (*Library, error) {
	const op = "Device.NewLibraryWithSourceAsync"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o == nil {
		o = &CompileOptions{}
	}
	var done chan outcome
	var refused error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		var options, block objc.ID
		if options, refused = newCompileOptions(op, d, o); refused != nil {
			return
		}
		text := d.runtime.NewString(src)
		block, done = d.completion(2)
		m.Send(id, selNewLibraryWithSourceAsync, uintptr(text), uintptr(options), uintptr(block))
		objc.Release(block)
		objc.Release(text)
		objc.Release(options)
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	made, err := await(ctx, done)
	runtime.KeepAlive(d)
	if err != nil {
		return nil, err
	}
	if made.object == 0 {
		return nil, compileError(op, made.failure)
	}
	var l *Library
	d.runtime.Pool(func() { l = newLibrary(d, made.object, made.failure) })
	return l, nil
}

// NewComputePipelineStateAsync is NewComputePipelineState, but the compiler runs on a thread of Metal's, with the rules of
// NewLibraryWithSourceAsync.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makecomputepipelinestate(descriptor:options:completionhandler:)
func (d *Device) NewComputePipelineStateAsync(ctx context.Context, desc *ComputePipelineDescriptor) (*ComputePipelineState, error) {
	const op = "Device.NewComputePipelineStateAsync"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := d.checkPipeline(op, desc); err != nil {
		return nil, err
	}
	copied := *desc // the caller may change it while the compiler runs
	var done chan outcome
	var refused error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		var o, block objc.ID
		if o, refused = newPipelineDescriptor(op, d, &copied); refused != nil {
			return
		}
		block, done = d.completion(3)
		m.Send(id, selNewComputePipelineStateAsync, uintptr(o), uintptr(copied.options()), uintptr(block))
		objc.Release(block)
		objc.Release(o)
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	made, err := await(ctx, done)
	runtime.KeepAlive(d)
	if err != nil {
		return nil, err
	}
	if made.object == 0 {
		return nil, compileError(op, made.failure)
	}
	return adoptPipeline(d, &copied, made.object), nil
}
