package kernels

import (
	"fmt"
	"strconv"

	"github.com/puremetal/puremetal/mtl"
)

// compile makes the pipeline of key.
func (r *Registry) compile(key Key) (*mtl.ComputePipelineState, error) {
	e := &Error{Kernel: key.String()}
	limit := r.device.MaxThreadsPerThreadgroup()
	threads, ok := key.Launch.total(limit)
	if !ok {
		return nil, e.with("limits", "a threadgroup of 1x1x1 to "+sizeString(limit)+", and up to "+strconv.Itoa(limit.Width)+", threads", sizeString(key.Launch.Threads))
	}
	if e.File = r.source(key.Name); e.File == "" {
		return nil, e.with("find", "a file "+key.Name+".metal, or one of its family", fmt.Sprintf("%d other files", len(r.files)))
	}
	library := r.library(e.File)
	if library.err != nil {
		e.Step, e.Err = library.step, library.err
		return nil, e
	}
	function, err := library.value.NewFunction(key.Name, key.Constants.appendTo(nil)...)
	if err != nil {
		e.Step, e.Err = "function", err
		return nil, e
	}
	defer function.Release()
	p, err := r.pipeline(library, mtl.ComputePipelineDescriptor{
		Label:                         key.String(),
		ComputeFunction:               function,
		MaxTotalThreadsPerThreadgroup: threads,
	})
	if err != nil {
		e.Step, e.Err = "pipeline", err
		return nil, e
	}
	if err := e.checkLimits(p, threads, key.Launch.Memory, r.device.MaxThreadgroupMemoryLength()); err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

// pipeline makes a pipeline of a function of a library, by the cache if there is one.
func (r *Registry) pipeline(l *library, desc mtl.ComputePipelineDescriptor) (*mtl.ComputePipelineState, error) {
	if l.archive == nil {
		return r.device.NewComputePipelineState(&desc)
	}
	return l.archive.pipeline(desc)
}

// checkLimits holds a pipeline to what it is to be launched with, so that a launch that cannot work is an error
// here and not an assertion of the encoder.
func (e *Error) checkLimits(p *mtl.ComputePipelineState, threads, memory, deviceMemory int) error {
	if limit := p.MaxTotalThreadsPerThreadgroup(); limit <= 0 || p.ThreadExecutionWidth() <= 0 {
		return e.with("limits", "a pipeline that can run a thread",
			fmt.Sprintf("one of %d threads in simdgroups of %d", limit, p.ThreadExecutionWidth()))
	} else if threads > limit {
		return e.with("limits", fmt.Sprintf("%d threads in a threadgroup", threads), fmt.Sprintf("at most %d", limit))
	}
	if memory < 0 {
		return e.with("limits", "threadgroup memory of 0 bytes or more", strconv.Itoa(memory))
	}
	if static := p.StaticThreadgroupMemoryLength(); static > deviceMemory || memory > deviceMemory-static {
		return e.with("limits", fmt.Sprintf("at most %d bytes of threadgroup memory", deviceMemory),
			fmt.Sprintf("%d of the kernel's own and %d more", static, memory))
	}
	return nil
}

func (e *Error) with(step, wanted, got string) *Error {
	e.Step, e.Wanted, e.Got = step, wanted, got
	return e
}

// library compiles a source file, once. Others of its kernels wait for the same compilation.
func (r *Registry) library(file string) *library {
	r.mu.Lock()
	l := r.libraries[file]
	if l == nil {
		l = &library{}
		r.libraries[file] = l
	}
	r.mu.Unlock()
	l.once.Do(func() {
		text, err := Resolve(r.fsys, file)
		if err != nil {
			l.step, l.err = "read", err
			return
		}
		if l.value, err = r.device.NewLibraryWithSource(text, nil); err != nil {
			l.step, l.err = "compile", err
			return
		}
		l.value.SetLabel(file)
		if r.cache != nil {
			l.archive = r.cache.open(text)
		}
	})
	return l
}

func sizeString(s mtl.Size) string { return fmt.Sprintf("%dx%dx%d", s.Width, s.Height, s.Depth) }
