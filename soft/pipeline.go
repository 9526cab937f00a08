package soft

import (
	"fmt"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/simt"
)

const maxTotalThreads = 1024

// pipelineDescriptor is the state of an MTLComputePipelineDescriptor.
type pipelineDescriptor struct {
	label
	function       objc.ID // retained
	maxThreads     uintptr // 0: the device's
	wholeSimdgroup bool
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePipelineDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selLabel:    getLabel,
			selSetLabel: setLabel,
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(pipelineDescriptor)
				m.ReturnID(self.ID)
			},
			selComputeFunction: func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(*pipelineDescriptor).function) },
			selSetComputeFunction: func(self *objc.Object, m *objc.Msg) {
				d := self.State.(*pipelineDescriptor)
				old := d.function
				d.function = objc.Retain(m.ArgID(0))
				objc.Release(old)
			},
			selMaxTotalThreads:    func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*pipelineDescriptor).maxThreads) },
			selSetMaxTotalThreads: func(self *objc.Object, m *objc.Msg) { self.State.(*pipelineDescriptor).maxThreads = m.Arg(0) },
			selThreadGroupSizeIsMultiple: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(self.State.(*pipelineDescriptor).wholeSimdgroup)
			},
			selSetThreadGroupSizeIsMultiple: func(self *objc.Object, m *objc.Msg) {
				self.State.(*pipelineDescriptor).wholeSimdgroup = m.ArgBool(0)
			},
			selReset: func(self *objc.Object, _ *objc.Msg) {
				d := self.State.(*pipelineDescriptor)
				objc.Release(d.function)
				self.State = new(pipelineDescriptor)
			},
		},
		Dealloc: func(self *objc.Object) {
			if d, ok := self.State.(*pipelineDescriptor); ok {
				objc.Release(d.function)
			}
		},
	})
}

// pipeline is the state of an MTLComputePipelineState. It does not change but for its label.
type pipeline struct {
	label
	kernel         *simt.Kernel
	source         *ir.Kernel
	maxThreads     int
	staticMemory   int
	wholeSimdgroup bool
	buffers        int // one more than the highest [[buffer(n)]] index
	threadgroup    int // one more than the highest [[threadgroup(n)]] index
}

var pipelineClass *objc.Class

func init() {
	pipelineClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLComputePipelineState",
		Instance: map[objc.SEL]objc.Method{
			selLabel:                getLabel,
			selDevice:               getDevice,
			selMaxTotalThreads:      func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*pipeline).maxThreads)) },
			selThreadExecutionWidth: func(_ *objc.Object, m *objc.Msg) { m.Return(threadExecutionWidth) },
			selStaticThreadgroupMemoryLength: func(self *objc.Object, m *objc.Msg) {
				m.Return(uintptr(self.State.(*pipeline).staticMemory))
			},
		},
	})
}

func newPipelineWithFunction(_ *objc.Object, m *objc.Msg) {
	newPipeline(m, &pipelineDescriptor{function: m.ArgID(0)}, 1)
}

func newPipelineWithDescriptor(_ *objc.Object, m *objc.Msg) {
	newPipeline(m, stateOf[*pipelineDescriptor](m, "MTLDevice", m.ArgID(0)), 3)
}

// newPipeline makes the pipeline for d, or gives an NSError through argument word failure.
func newPipeline(m *objc.Msg, d *pipelineDescriptor, failure int) {
	if d.function == 0 {
		assertion(m, "MTLDevice", "computeFunction must not be nil")
	}
	f := stateOf[*function](m, "MTLDevice", d.function)
	kernel := f.kernel
	if kernel == nil {
		var err error
		if kernel, err = f.library.Kernel(f.function.Name, nil); err != nil {
			storeError(m, failure, libraryErrorCompileFailure, err.Error())
			return
		}
	}
	compiled, err := simt.Compile(kernel)
	if err != nil {
		storeError(m, failure, libraryErrorInternal, err.Error())
		return
	}
	p := &pipeline{kernel: compiled, source: kernel, maxThreads: maxTotalThreads,
		staticMemory: compiled.StaticThreadgroupMemory(), wholeSimdgroup: d.wholeSimdgroup}
	p.rename(d.name())
	if kernel.MaxTotalThreads > 0 {
		p.maxThreads = min(p.maxThreads, kernel.MaxTotalThreads)
	}
	if d.maxThreads > maxTotalThreads {
		storeError(m, failure, libraryErrorInternal, fmt.Sprintf(
			"%s: maxTotalThreadsPerThreadgroup %d is more than the device's %d", kernel.Name, d.maxThreads, maxTotalThreads))
		return
	}
	if d.maxThreads > 0 {
		p.maxThreads = min(p.maxThreads, int(d.maxThreads))
	}
	if p.staticMemory > maxThreadgroupMemory {
		storeError(m, failure, libraryErrorInternal, fmt.Sprintf(
			"%s: %d bytes of threadgroup memory are more than the device's %d", kernel.Name, p.staticMemory, maxThreadgroupMemory))
		return
	}
	for _, a := range kernel.Buffers {
		p.buffers = max(p.buffers, a.Index+1)
	}
	for _, a := range kernel.Threadgroup {
		p.threadgroup = max(p.threadgroup, a.Index+1)
	}
	m.ReturnID(objc.NewObject(pipelineClass, p))
}
