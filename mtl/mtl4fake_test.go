package mtl

import (
	"testing"

	"github.com/puremetal/puremetal/objc"
)

// fake4 is a device with Metal 4 that runs nothing. Its classes exist while withMetal4 runs, for their presence says macOS 26.
type fake4 struct {
	classes map[string]*objc.Class
	fail    bool // what can fail does, work too
	later   bool // work completes when complete is called
	pending []func()
	bytes   []byte // of the last transfer of a tensor
}

// fake4Device is the class of the device. FakeMTLDevice is another test's; the table's name is MTLDevice either way.
const fake4Device = "SoftwareFakeMTLDevice"

// fakeObject is the state of a fake's object: what it holds, and the values of extents.
type fakeObject struct {
	held   []objc.ID
	values []int
}

func (o *fakeObject) hold(id objc.ID) {
	if id != 0 {
		o.held = append(o.held, objc.Retain(id))
	}
}

type methods = map[objc.SEL]objc.Method

// nothing is a method that does nothing; the recorder sees its words.
func nothing(*objc.Object, *objc.Msg) {}

// holds is a setter that retains its object.
func holds(self *objc.Object, m *objc.Msg) { self.State.(*fakeObject).hold(m.ArgID(0)) }

func (f *fake4) class(name, super string, all methods) {
	if super == "" {
		all[selInit] = func(self *objc.Object, m *objc.Msg) {
			self.State = &fakeObject{}
			m.ReturnID(self.ID)
		}
	}
	f.classes[name] = objc.Software().Register(objc.ClassDef{Name: name, Super: super, Instance: all, Dealloc: func(self *objc.Object) {
		if o, ok := self.State.(*fakeObject); ok && o != nil {
			for _, id := range o.held {
				objc.Release(id)
			}
		}
	}})
}

func (f *fake4) new(class string) objc.ID { return objc.NewObject(f.classes[class], &fakeObject{}) }

func (f *fake4) failure() objc.ID { return objc.Autorelease(objc.NewError("FakeDomain", 4, "no luck")) }

// makes gives a method that makes an object, or an error through its last argument if it is told to fail.
func (f *fake4) makes(class string, out int) objc.Method {
	return func(_ *objc.Object, m *objc.Msg) {
		if f.fail && out >= 0 {
			m.StoreID(out, f.failure())
			return
		}
		m.ReturnID(f.new(class))
	}
}

// complete has what was committed complete.
func (f *fake4) complete() {
	for _, done := range f.pending {
		done()
	}
	f.pending = nil
}

func (f *fake4) commit(_ *objc.Object, m *objc.Msg) {
	options := objc.ObjectOf(m.ArgID(2)).State.(*fakeObject)
	for _, block := range options.held {
		objc.Retain(block)
		done := func() {
			feedback := f.new("FakeMTL4CommitFeedback")
			objc.CallBlock(block, feedback)
			objc.Release(feedback)
			objc.Release(block)
		}
		if f.later {
			f.pending = append(f.pending, done)
		} else {
			done()
		}
	}
}

// compile calls the block in argument at, if there is one, with what is made, and gives a task.
func (f *fake4) compile(class string, at int) objc.Method {
	return func(_ *objc.Object, m *objc.Msg) {
		if f.fail {
			objc.CallBlock(m.ArgID(at), 0, f.failure())
		} else {
			made := f.new(class)
			objc.CallBlock(m.ArgID(at), made, 0)
			objc.Release(made)
		}
		m.ReturnID(f.new("FakeMTL4CompilerTask"))
	}
}

// strides gives those of a tensor whose innermost dimension has 3 elements.
func (f *fake4) strides(_ *objc.Object, m *objc.Msg) {
	m.ReturnID(objc.Autorelease(objc.NewObject(f.classes["MTLTensorExtents"], &fakeObject{values: []int{1, 3}})))
}

func (f *fake4) register() {
	for _, name := range []string{"MTL4CommandQueueDescriptor", "MTL4CommandAllocatorDescriptor", "MTL4CompilerDescriptor"} {
		f.class(name, "", methods{selSetLabel: nothing})
	}
	f.class("MTL4ArgumentTableDescriptor", "", methods{selSetLabel: nothing, selSetMaxBufferBindCount: nothing, selSetInitializeBindings: nothing})
	f.class("MTL4CommitOptions", "", methods{selAddFeedbackHandler: holds})
	f.class("MTL4LibraryDescriptor", "", methods{selSetSource: nothing, selSetLibraryOptions: holds, selSetName: nothing})
	f.class("MTL4LibraryFunctionDescriptor", "", methods{selSetName: nothing, selSetLibrary: holds})
	f.class("MTL4SpecializedFunctionDescriptor", "", methods{selSetFunctionDescriptor: holds, selSetSpecializedName: nothing, selSetConstantValues: holds})
	f.class("MTL4ComputePipelineDescriptor", "", methods{selSetLabel: nothing, selSetComputeFunctionDescriptor: holds, selSetMaxTotalThreads: nothing,
		selSetRequiredThreads: nothing, selSetThreadGroupSizeIsMultiple: nothing, selSetIndirectSupport: nothing})
	f.class("MTLTensorDescriptor", "", methods{selSetDimensions: holds, selSetStrides: holds, selSetDataType: nothing, selSetUsage: nothing, selSetResourceOptions: nothing})
	f.class("MTLTensorExtents", "", methods{
		selInitWithRank: func(self *objc.Object, m *objc.Msg) {
			state := &fakeObject{}
			for _, v := range objc.ViewUintptrs(m.Arg(1), int(m.Arg(0))) {
				state.values = append(state.values, int(v))
			}
			self.State = state
			m.ReturnID(self.ID)
		},
		selRank:   func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*fakeObject).values))) },
		selExtent: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*fakeObject).values[m.Arg(0)])) },
	})

	number := func(n uintptr) objc.Method { return func(_ *objc.Object, m *objc.Msg) { m.Return(n) } }
	f.class(fake4Device, "SoftwareMTLDevice", methods{
		selNewMTL4CommandQueue: f.makes("FakeMTL4CommandQueue", 1),
		selNewCommandAllocator: f.makes("FakeMTL4CommandAllocator", 1),
		selNewCommandBuffer:    f.makes("FakeMTL4CommandBuffer", -1),
		selNewArgumentTable:    f.makes("FakeMTL4ArgumentTable", 1),
		selNewCompiler:         f.makes("FakeMTL4Compiler", 1),
		selNewTensor:           f.makes("FakeMTLTensor", 1),
		selTensorSizeAndAlign:  func(_ *objc.Object, m *objc.Msg) { m.ReturnStruct(4096, 256) },
		selNewBufferWithLength: f.makes("FakeMTLBuffer", -1),
	})
	f.class("FakeMTLBuffer", "", methods{
		selContents: nothing, selGPUAddress: number(0x5000), selNewTensorInBuffer: f.makes("FakeMTLTensor", 2),
	})
	f.class("FakeMTL4CommandQueue", "", methods{selCommitWithOptions: f.commit, selSignalEvent: nothing, selWaitForEvent: nothing,
		selAddResidencySet: nothing, selRemoveResidencySet: nothing})
	f.class("FakeMTL4CommitFeedback", "", methods{
		selError: func(_ *objc.Object, m *objc.Msg) {
			if f.fail {
				m.ReturnID(f.failure())
			}
		},
		selGPUStartTime: func(_ *objc.Object, m *objc.Msg) { m.ReturnFloat64(1.5) },
		selGPUEndTime:   func(_ *objc.Object, m *objc.Msg) { m.ReturnFloat64(2.25) },
	})
	f.class("FakeMTL4CommandAllocator", "", methods{selAllocatedSize: number(640), selReset: nothing})
	f.class("FakeMTL4CommandBuffer", "", methods{
		selSetLabel: nothing, selBeginCommandBuffer: nothing, selEndCommandBuffer: nothing, selUseResidencySet: nothing,
		selPushDebugGroup: nothing, selPopDebugGroup: nothing,
		selMTL4ComputeEncoder: func(_ *objc.Object, m *objc.Msg) {
			m.ReturnID(objc.Autorelease(f.new("FakeMTL4ComputeCommandEncoder")))
		},
	})
	encoder := methods{selStages: number(uintptr(StageDispatch | StageBlit))}
	for _, sel := range []objc.SEL{selSetLabel, selPushDebugGroup, selPopDebugGroup, selInsertDebugSignpost, selEndEncoding,
		selBarrierAfterQueueStages, selBarrierAfterStages, selBarrierAfterEncoderStages, selUpdateFenceAfterStages, selWaitForFenceBeforeStages,
		selSetComputePipelineState, selSetArgumentTable, selSetThreadgroupMemoryLength, selDispatchThreadgroups, selDispatchThreads,
		selDispatchIndirectMTL4, selDispatchThreadsMTL4, selCopyFromBuffer, selFillBuffer, selCopyFromTensor} {
		encoder[sel] = nothing
	}
	f.class("FakeMTL4ComputeCommandEncoder", "", encoder)
	f.class("FakeMTL4ArgumentTable", "", methods{selSetAddress: nothing, selSetResource: nothing})
	f.class("FakeMTL4CompilerTask", "", methods{})
	f.class("FakeMTL4Compiler", "", methods{
		selCompileLibrary:       f.makes("FakeMTLLibrary", 1),
		selCompilePipeline:      f.makes("FakeMTLComputePipelineState", 2),
		selCompileLibraryAsync:  f.compile("FakeMTLLibrary", 1),
		selCompilePipelineAsync: f.compile("FakeMTLComputePipelineState", 2),
	})
	f.class("FakeMTLLibrary", "", methods{selFunctionNames: func(_ *objc.Object, m *objc.Msg) {
		name := objc.Software().NewString("k")
		m.ReturnID(objc.Autorelease(objc.NewArray([]objc.ID{name})))
		objc.Release(name)
	}})
	f.class("FakeMTLComputePipelineState", "", methods{selMaxTotalThreadsPerThreadgroup: number(64), selThreadExecutionWidth: number(32),
		selStaticThreadgroupMemoryLength: number(128)})
	f.class("FakeMTLTensor", "", methods{
		selSetLabel: nothing, selAllocatedSize: number(8192), selStrides: f.strides, selGPUResourceID: number(0x77),
		selReplaceSlice:   func(_ *objc.Object, m *objc.Msg) { f.bytes = append([]byte(nil), objc.View(m.Arg(2), 8)...) },
		selGetTensorBytes: func(_ *objc.Object, m *objc.Msg) { copy(objc.View(m.Arg(0), 8), f.bytes) },
	})
}

// withMetal4 gives f a device with Metal 4 in the place of the software device, and fails if f leaves objects behind.
func withMetal4(t *testing.T, software *Device, f func(d *Device, fake *fake4)) {
	t.Helper()
	fake := &fake4{classes: make(map[string]*objc.Class)}
	fake.register()
	defer func() {
		for _, c := range fake.classes {
			objc.Software().Unregister(c)
		}
	}()
	balanced(t, func() {
		id := objc.NewObject(fake.classes[fake4Device], objc.ObjectOf(software.object()).State)
		d := must(DeviceFromID(id))(t)
		objc.Release(id)
		defer d.Release()
		f(d, fake)
	})
}
