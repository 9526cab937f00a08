package mtl

import (
	"errors"
	"path/filepath"
	"testing"
)

// Scenarios of Metal 4, against the fake: the software device has none. There is one for each thing that a device may lack.
func init() {
	for _, s := range []struct {
		name string
		run  func(t *testing.T, d *Device) error
	}{
		{"Metal 4 queues", playMTL4Queue}, {"Metal 4 allocators", playMTL4Allocator}, {"Metal 4 command buffers", playMTL4CommandBuffer},
		{"Metal 4 encoders", playMTL4Encoder}, {"Metal 4 argument tables", playMTL4ArgumentTable}, {"Metal 4 libraries", playMTL4Library},
		{"Metal 4 pipelines", playMTL4Pipeline}, {"tensors", playTensor}, {"tensors in buffers", playTensorInBuffer}, {"tensors' sizes", playTensorSize},
	} {
		scenarios = append(scenarios, scenario{s.name, func(t *testing.T, software *Device) (err error) {
			withMetal4(t, software, func(d *Device, _ *fake4) { err = s.run(t, d) })
			return err
		}})
	}
}

func playMTL4Queue(t *testing.T, d *Device) error {
	q, err := d.NewMTL4CommandQueue(&MTL4CommandQueueDescriptor{Label: "queue"})
	if err != nil {
		return err
	}
	defer q.Release()
	e := must(d.NewSharedEvent())(t)
	defer e.Release()
	s := must(d.NewResidencySet(nil))(t)
	defer s.Release()
	a := must(d.NewMTL4CommandAllocator(nil))(t)
	defer a.Release()
	b := must(d.NewMTL4CommandBuffer())(t)
	defer b.Release()
	c := must(d.NewMTL4CommandBuffer())(t)
	defer c.Release()
	err = errors.Join(q.AddResidencySet(s), q.WaitForEvent(e, 3), b.Begin(a), b.End(), c.Begin(a), c.End(),
		q.Commit(nil, c, b), q.SignalEvent(e, 4), q.RemoveResidencySet(s))
	return err
}

func playMTL4Allocator(_ *testing.T, d *Device) error {
	a, err := d.NewMTL4CommandAllocator(&MTL4CommandAllocatorDescriptor{Label: "allocator"})
	if err != nil {
		return err
	}
	defer a.Release()
	a.AllocatedSize()
	return a.Reset()
}

func playMTL4CommandBuffer(t *testing.T, d *Device) error {
	c, err := d.NewMTL4CommandBuffer()
	if err != nil {
		return err
	}
	defer c.Release()
	c.SetLabel("commands")
	a := must(d.NewMTL4CommandAllocator(nil))(t)
	defer a.Release()
	s := must(d.NewResidencySet(nil))(t)
	defer s.Release()
	return errors.Join(c.Begin(a), c.UseResidencySet(s), c.PushDebugGroup("group"), c.PopDebugGroup(), c.End())
}

func playMTL4Encoder(t *testing.T, d *Device) error {
	p, err := mtl4Pipeline(d, &MTL4ComputePipelineDescriptor{})
	if err != nil {
		return err
	}
	defer p.Release()
	c := must(d.NewMTL4CommandBuffer())(t)
	defer c.Release()
	a := must(d.NewMTL4CommandAllocator(nil))(t)
	defer a.Release()
	table := must(d.NewMTL4ArgumentTable(&MTL4ArgumentTableDescriptor{MaxBufferBindCount: 2}))(t)
	defer table.Release()
	src, dst := must(d.NewBuffer(64, StorageModeShared))(t), must(d.NewBuffer(128, StorageModeShared))(t)
	defer src.Release()
	defer dst.Release()
	x, y := must(d.NewTensor(tensorDescriptor(3, 2)))(t), must(d.NewTensor(tensorDescriptor(7, 5)))(t)
	defer x.Release()
	defer y.Release()
	f, g := must(d.NewFence())(t), must(d.NewFence())(t)
	defer f.Release()
	defer g.Release()
	if err := c.Begin(a); err != nil {
		return err
	}
	e := must(c.NewComputeCommandEncoder())(t)
	e.SetLabel("encoder")
	e.PushDebugGroup("group")
	e.InsertDebugSignpost("signpost")
	e.WaitForFence(f, StageDispatch)
	e.SetComputePipelineState(p)
	e.SetArgumentTable(table)
	e.SetThreadgroupMemoryLength(48, 1)
	e.DispatchThreadgroups(Size{2, 3, 5}, Size{8, 4, 2})
	e.BarrierAfterQueueStages(StageBlit, StageDispatch, MTL4VisibilityOptionDevice)
	e.BarrierAfterStages(StageDispatch, StageAll, MTL4VisibilityOptionNone)
	e.BarrierAfterEncoderStages(StageDispatch, StageBlit, MTL4VisibilityOptionResourceAlias)
	e.DispatchThreads(Size{7, 11, 13}, Size{4, 2, 1})
	e.DispatchThreadgroupsIndirect(src, 16, Size{4, 8, 2})
	e.DispatchThreadsIndirect(src, 40)
	e.CopyBuffer(src, 4, dst, 12, 20)
	e.FillBuffer(dst, 8, 24, 9)
	e.CopyTensor(x, []int{1, 0}, y, []int{4, 3}, []int{2, 1})
	e.UpdateFence(g, StageDispatch|StageBlit)
	e.Stages()
	e.PopDebugGroup()
	return errors.Join(e.EndEncoding(), c.End())
}

func playMTL4ArgumentTable(t *testing.T, d *Device) error {
	table, err := d.NewMTL4ArgumentTable(&MTL4ArgumentTableDescriptor{Label: "table", MaxBufferBindCount: 9, InitializeBindings: true})
	if err != nil {
		return err
	}
	defer table.Release()
	b := must(d.NewBuffer(64, StorageModeShared))(t)
	defer b.Release()
	x := must(d.NewTensor(tensorDescriptor(4)))(t)
	defer x.Release()
	return errors.Join(table.SetBuffer(b, 12, 7), table.SetAddress(0x1234, 8), table.SetTensor(x, 2))
}

func playMTL4Library(t *testing.T, d *Device) error {
	c, err := d.NewMTL4Compiler(&MTL4CompilerDescriptor{Label: "compiler"})
	if err != nil {
		return err
	}
	defer c.Release()
	must(c.NewLibrary(&MTL4LibraryDescriptor{Source: "text", Name: "library"}))(t).Release()
	must(c.NewLibraryAsync(t.Context(), &MTL4LibraryDescriptor{Source: "text"}))(t).Release()
	return nil
}

func playMTL4Pipeline(t *testing.T, d *Device) error {
	p, err := mtl4Pipeline(d, &MTL4ComputePipelineDescriptor{
		Label: "pipeline", MaxTotalThreadsPerThreadgroup: 48, RequiredThreadsPerThreadgroup: Size{8, 4, 2},
		ThreadgroupSizeIsMultipleOfThreadExecutionWidth: true, SupportIndirectCommandBuffers: MTL4IndirectCommandBufferSupportStateEnabled,
	})
	if err != nil {
		return err
	}
	p.Release()
	c := must(d.NewMTL4Compiler(nil))(t)
	defer c.Release()
	l := must(c.NewLibrary(&MTL4LibraryDescriptor{}))(t)
	defer l.Release()
	must(c.NewComputePipelineStateAsync(t.Context(), &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4SpecializedFunctionDescriptor{
		FunctionDescriptor: &MTL4LibraryFunctionDescriptor{l, "k"}, SpecializedName: "k7", Constants: []FunctionConstant{ConstantInt32(3, 7)},
	}}))(t).Release()
	return nil
}

// mtl4Pipeline makes a pipeline of function k of a new library.
func mtl4Pipeline(d *Device, desc *MTL4ComputePipelineDescriptor) (*ComputePipelineState, error) {
	c, err := d.NewMTL4Compiler(nil)
	if err != nil {
		return nil, err
	}
	defer c.Release()
	l, err := c.NewLibrary(&MTL4LibraryDescriptor{Source: "text"})
	if err != nil {
		return nil, err
	}
	defer l.Release()
	desc.ComputeFunctionDescriptor = &MTL4LibraryFunctionDescriptor{l, "k"}
	return c.NewComputePipelineState(desc)
}

func tensorDescriptor(dimensions ...int) *TensorDescriptor {
	return &TensorDescriptor{Dimensions: dimensions, DataType: TensorDataTypeFloat16, Usage: TensorUsageCompute}
}

func playTensor(t *testing.T, d *Device) error {
	x, err := d.NewTensor(tensorDescriptor(3, 5))
	if err != nil {
		return err
	}
	defer x.Release()
	x.SetLabel("tensor")
	x.AllocatedSize()
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	got := make([]byte, 8)
	err = errors.Join(x.ReplaceSlice([]int{1, 2}, []int{2, 1}, b, []int{1, 3}), x.GetBytes(got, []int{1, 4}, []int{0, 3}, []int{3, 1}))
	if string(got) != string(b) {
		t.Errorf("got %v, want %v", got, b)
	}
	return err
}

func playTensorInBuffer(t *testing.T, d *Device) error {
	b := must(d.NewBuffer(256, StorageModeShared))(t)
	defer b.Release()
	desc := tensorDescriptor(3, 5)
	desc.Strides = []int{1, 8}
	x, err := b.NewTensor(desc, 64)
	if err != nil {
		return err
	}
	x.Release()
	return nil
}

func playTensorSize(t *testing.T, d *Device) error {
	s, err := d.TensorSizeAndAlign(tensorDescriptor(3, 5))
	if err == nil && s != (SizeAndAlign{4096, 256}) {
		t.Errorf("got %v", s)
	}
	return err
}

func TestScenariosSendEveryMessageOfMetal4(t *testing.T) {
	wakeSoftware()
	sent := make(map[string]bool)
	for _, s := range scenarios {
		r := newRecorder(t)
		if err := play(t, r, newest, s.run); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		for selector := range r.sent {
			sent[selector] = true
		}
	}
	s := read(t, ".")
	for name, at := range s.at {
		if filepath.Base(at.Filename) == "selectors_mtl4.go" && !sent[s.selectors[name].Name()] {
			t.Errorf("%s: no scenario sends %s", at, s.selectors[name].Name())
		}
	}
}
