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
	indirect       bool
	archives       objc.ID // NSArray, retained
}

func (d *pipelineDescriptor) release() {
	objc.Release(d.function)
	objc.Release(d.archives)
}

func init() {
	archives, setArchives := property(func(d *pipelineDescriptor) *objc.ID { return &d.archives })
	function, setFunction := property(func(d *pipelineDescriptor) *objc.ID { return &d.function })
	objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePipelineDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selLabel:    getLabel,
			selSetLabel: setLabel,
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(pipelineDescriptor)
				m.ReturnID(self.ID)
			},
			selComputeFunction: function, selSetComputeFunction: setFunction,
			selBinaryArchives: archives, selSetBinaryArchives: setArchives,
			selSupportIndirectCommandBuffers: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(self.State.(*pipelineDescriptor).indirect)
			},
			selSetSupportIndirectCommandBuffers: func(self *objc.Object, m *objc.Msg) {
				self.State.(*pipelineDescriptor).indirect = m.ArgBool(0)
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
				self.State.(*pipelineDescriptor).release()
				self.State = new(pipelineDescriptor)
			},
		},
		Dealloc: func(self *objc.Object) {
			if d, ok := self.State.(*pipelineDescriptor); ok {
				d.release()
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
	indirect       bool // for indirect command buffers
	buffers        int  // one more than the highest [[buffer(n)]] index
	threadgroup    int  // one more than the highest [[threadgroup(n)]] index
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
			selSupportIndirectCommandBuffers: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(self.State.(*pipeline).indirect)
			},
		},
	})
}

func newPipelineWithFunction(_ *objc.Object, m *objc.Msg) {
	finishPipeline(m, 1)(buildPipeline(checkPipeline(m, &pipelineDescriptor{function: m.ArgID(0)}), 0))
}

func newPipelineWithDescriptor(_ *objc.Object, m *objc.Msg) {
	d := checkPipeline(m, stateOf[*pipelineDescriptor](m, "MTLDevice", m.ArgID(0)))
	p, failure := buildPipeline(d, m.Arg(1))
	if p != nil && m.Arg(1)&(pipelineOptionBindingInfo|pipelineOptionBufferTypeInfo) != 0 {
		m.StoreID(2, objc.Autorelease(newReflection(p.source)))
	}
	finishPipeline(m, 3)(p, failure)
}

// finishPipeline returns the pipeline, or gives an NSError through argument word i.
func finishPipeline(m *objc.Msg, i int) func(*pipeline, *failure) {
	return func(p *pipeline, f *failure) {
		if f != nil {
			storeError(m, i, f.code, f.text)
			return
		}
		m.ReturnID(objc.NewObject(pipelineClass, p))
	}
}

// newPipelineAsync compiles on a goroutine and calls the block in argument word 2 with pipeline, reflection and NSError.
func newPipelineAsync(_ *objc.Object, m *objc.Msg) {
	given := checkPipeline(m, stateOf[*pipelineDescriptor](m, "MTLDevice", m.ArgID(0)))
	d := &pipelineDescriptor{function: objc.Retain(given.function), maxThreads: given.maxThreads,
		wholeSimdgroup: given.wholeSimdgroup, indirect: given.indirect, archives: objc.Retain(given.archives)}
	d.rename(given.name())
	options, block := m.Arg(1), objc.Retain(m.ArgID(2))
	go func() {
		var id, reflection objc.ID
		p, failure := buildPipeline(d, options)
		d.release()
		if p != nil {
			id = objc.NewObject(pipelineClass, p)
			if options&(pipelineOptionBindingInfo|pipelineOptionBufferTypeInfo) != 0 {
				reflection = newReflection(p.source)
			}
		}
		e := failure.object()
		objc.Software().Pool(func() { objc.CallBlock(block, id, reflection, e) })
		for _, o := range []objc.ID{id, reflection, e, block} {
			objc.Release(o)
		}
	}()
}

// checkPipeline stops the program if the descriptor has no function.
func checkPipeline(m *objc.Msg, d *pipelineDescriptor) *pipelineDescriptor {
	if d.function == 0 {
		assertion(m, "MTLDevice", "computeFunction must not be nil")
	}
	stateOf[*function](m, "MTLDevice", d.function)
	return d
}

// buildPipeline makes the state of a pipeline. options are MTLPipelineOptions.
func buildPipeline(d *pipelineDescriptor, options uintptr) (*pipeline, *failure) {
	f := objc.ObjectOf(d.function).State.(*function)
	if options&pipelineOptionFailOnMiss != 0 && !inArchives(d.archives, f.key()) {
		return nil, &failure{code: libraryErrorInternal, text: fmt.Sprintf("%s: no compiled code in the binary archives", f.function.Name)}
	}
	kernel := f.kernel
	if kernel == nil {
		var err error
		if kernel, err = f.library.msl.Kernel(f.function.Name, nil); err != nil {
			return nil, &failure{code: libraryErrorCompileFailure, text: err.Error()}
		}
	}
	compiled, err := simt.Compile(kernel)
	if err != nil {
		return nil, &failure{code: libraryErrorInternal, text: err.Error()}
	}
	p := &pipeline{kernel: compiled, source: kernel, maxThreads: maxTotalThreads, indirect: d.indirect,
		staticMemory: compiled.StaticThreadgroupMemory(), wholeSimdgroup: d.wholeSimdgroup}
	p.rename(d.name())
	if kernel.MaxTotalThreads > 0 {
		p.maxThreads = min(p.maxThreads, kernel.MaxTotalThreads)
	} else if f.library.maxThreads > 0 {
		p.maxThreads = f.library.maxThreads
	}
	if d.maxThreads > maxTotalThreads {
		return nil, &failure{code: libraryErrorInternal, text: fmt.Sprintf(
			"%s: maxTotalThreadsPerThreadgroup %d is more than the device's %d", kernel.Name, d.maxThreads, maxTotalThreads)}
	}
	if d.maxThreads > 0 {
		p.maxThreads = min(p.maxThreads, int(d.maxThreads))
	}
	if p.staticMemory > maxThreadgroupMemory {
		return nil, &failure{code: libraryErrorInternal, text: fmt.Sprintf(
			"%s: %d bytes of threadgroup memory are more than the device's %d", kernel.Name, p.staticMemory, maxThreadgroupMemory)}
	}
	for _, a := range kernel.Buffers {
		p.buffers = max(p.buffers, a.Index+1)
	}
	for _, a := range kernel.Threadgroup {
		p.threadgroup = max(p.threadgroup, a.Index+1)
	}
	return p, nil
}
