package mtl

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// metal4 runs f on the fake.
func metal4(t *testing.T, f func(d *Device, fake *fake4)) {
	t.Helper()
	d := appendDevices(nil, objc.Software())[0]
	defer d.Release()
	withMetal4(t, d, f)
}

func TestTheSoftwareDeviceHasNoMetal4(t *testing.T) {
	d := appendDevices(nil, objc.Software())[0]
	defer d.Release()
	b := newBuffer(t, d, 64)
	defer b.Release()
	inBuffer := tensorDescriptor(4)
	inBuffer.Strides = []int{1}
	for name, f := range map[string]func() error{
		"queue":          func() error { _, err := d.NewMTL4CommandQueue(nil); return err },
		"allocator":      func() error { _, err := d.NewMTL4CommandAllocator(nil); return err },
		"command buffer": func() error { _, err := d.NewMTL4CommandBuffer(); return err },
		"argument table": func() error {
			_, err := d.NewMTL4ArgumentTable(&MTL4ArgumentTableDescriptor{MaxBufferBindCount: 1})
			return err
		},
		"compiler":           func() error { _, err := d.NewMTL4Compiler(nil); return err },
		"tensor":             func() error { _, err := d.NewTensor(tensorDescriptor(4)); return err },
		"tensor in a buffer": func() error { _, err := b.NewTensor(inBuffer, 0); return err },
		"tensor's size":      func() error { _, err := d.TensorSizeAndAlign(tensorDescriptor(4)); return err },
	} {
		if err := f(); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// kit4 is what most of these tests need.
type kit4 struct {
	d     *Device
	q     *MTL4CommandQueue
	a     *MTL4CommandAllocator
	c     *MTL4CommandBuffer
	table *MTL4ArgumentTable
	p     *ComputePipelineState
}

func newKit4(t *testing.T, d *Device) *kit4 {
	t.Helper()
	return &kit4{d, must(d.NewMTL4CommandQueue(nil))(t), must(d.NewMTL4CommandAllocator(nil))(t), must(d.NewMTL4CommandBuffer())(t),
		must(d.NewMTL4ArgumentTable(&MTL4ArgumentTableDescriptor{MaxBufferBindCount: 4}))(t), must(mtl4Pipeline(d, &MTL4ComputePipelineDescriptor{}))(t)}
}

func (k *kit4) release() {
	for _, o := range []interface{ Release() }{k.q, k.a, k.c, k.table, k.p} {
		o.Release()
	}
}

// record records f's commands.
func (k *kit4) record(t *testing.T, f func(e *MTL4ComputeCommandEncoder)) error {
	t.Helper()
	if err := k.c.Begin(k.a); err != nil {
		t.Fatal(err)
	}
	e := must(k.c.NewComputeCommandEncoder())(t)
	f(e)
	return errors.Join(e.EndEncoding(), k.c.End())
}

func TestWorkOfMetal4KeepsWhatItUsesUntilItHasCompleted(t *testing.T) {
	metal4(t, func(d *Device, fake *fake4) {
		fake.later = true
		k := newKit4(t, d)
		direct, bound, before, unused := must(d.NewBuffer(64, 0))(t), must(d.NewBuffer(64, 0))(t), must(d.NewBuffer(64, 0))(t), must(d.NewBuffer(64, 0))(t)
		x := must(d.NewTensor(tensorDescriptor(4)))(t)
		event := must(d.NewEvent())(t)
		if err := errors.Join(k.table.SetBuffer(before, 0, 0), k.table.SetTensor(x, 3)); err != nil {
			t.Fatal(err)
		}
		err := k.record(t, func(e *MTL4ComputeCommandEncoder) {
			e.FillBuffer(direct, 0, 4, 1)
			e.SetComputePipelineState(k.p)
			e.SetArgumentTable(k.table)
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			// What is bound at a dispatch is kept, even if it is not bound any more.
			if err := k.table.SetBuffer(bound, 4, 0); err != nil {
				t.Error(err)
			}
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			if err := errors.Join(k.table.SetBuffer(unused, 0, 0), k.table.SetAddress(0, 3)); err != nil {
				t.Error(err)
			}
		})
		if err := errors.Join(err, k.q.WaitForEvent(event, 1), k.q.Commit(nil, k.c)); err != nil {
			t.Fatal(err)
		}
		kept := []*handle{&direct.handle, &bound.handle, &before.handle, &x.handle, &event.handle, &k.p.handle, &k.table.handle, &k.a.handle, &k.c.handle, &k.q.handle}
		var ids []objc.ID
		for _, h := range append(kept, &unused.handle) {
			ids = append(ids, h.object())
		}
		for _, o := range []interface{ Release() }{direct, bound, before, x, event, unused} {
			o.Release()
		}
		k.release()
		for i, id := range ids {
			if want := i < len(kept); objc.Exists(id) != want {
				t.Errorf("object %d exists before completion: %t", i, !want)
			}
		}
		objc.Software().Pool(fake.complete)
		for i, id := range ids {
			if objc.Exists(id) {
				t.Errorf("object %d exists after completion", i)
			}
		}
	})
}

func TestWhatIsNotCommittedIsLetGoOf(t *testing.T) {
	metal4(t, func(d *Device, _ *fake4) {
		k := newKit4(t, d)
		b := must(d.NewBuffer(64, 0))(t)
		if err := k.record(t, func(e *MTL4ComputeCommandEncoder) { e.FillBuffer(b, 0, 4, 1) }); err != nil {
			t.Error(err)
		}
		id := b.object()
		b.Release()
		if !objc.Exists(id) {
			t.Error("recorded work does not keep its buffer")
		}
		if err := k.c.Begin(k.a); err != nil { // drops it
			t.Error(err)
		}
		if objc.Exists(id) {
			t.Error("work that was dropped keeps its buffer")
		}
		e := must(k.c.NewComputeCommandEncoder())(t)
		k.c.Release() // ends both
		if err := e.EndEncoding(); err != nil {
			t.Error(err)
		}
		if k.a.recording.Load() {
			t.Error("the allocator is still recorded into")
		}
		k.release()
	})
}

func TestForgottenWorkOfMetal4IsCollected(t *testing.T) {
	metal4(t, func(d *Device, _ *fake4) {
		k := newKit4(t, d)
		b := must(d.NewBuffer(64, 0))(t)
		live := LiveObjects()
		func() {
			c := must(d.NewMTL4CommandBuffer())(t)
			if err := c.Begin(k.a); err != nil {
				t.Error(err)
			}
			e := must(c.NewComputeCommandEncoder())(t)
			e.FillBuffer(b, 0, 4, 1)
		}()
		b.Release()
		for range 500 {
			if LiveObjects() == live-1 && objc.LiveSoftwareObjectsByClass()["FakeMTLBuffer"] == 0 {
				break
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if k.a.recording.Load() {
			t.Error("the allocator is still recorded into")
		}
		k.release()
	})
}

func TestFeedbackTellsTimesAndErrors(t *testing.T) {
	metal4(t, func(d *Device, fake *fake4) {
		k := newKit4(t, d)
		nop := func(e *MTL4ComputeCommandEncoder) {}
		if err := k.record(t, nop); err != nil {
			t.Fatal(err)
		}
		if f, err := k.q.CommitAndWait(t.Context(), k.c); err != nil || f != (MTL4CommitFeedback{nil, 1.5, 2.25}) {
			t.Errorf("%+v, %v", f, err)
		}
		if err := k.record(t, nop); err != nil {
			t.Fatal(err)
		}
		fake.fail = true
		f, err := k.q.CommitAndWait(t.Context(), k.c)
		fake.fail = false
		var e *MTL4CommandQueueError
		if !errors.As(err, &e) || f.Error != err || e.Code != 4 || e.Domain != "FakeDomain" || !strings.Contains(err.Error(), "no luck") {
			t.Errorf("%+v, %v", f, err)
		}
		// ctx ends first.
		if err := k.record(t, nop); err != nil {
			t.Fatal(err)
		}
		fake.later = true
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := k.q.CommitAndWait(ctx, k.c); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
		refused(t, k.a.Reset(), "MTL4CommandAllocator.Reset", "allocator")
		if err := k.record(t, nop); err != nil { // at once
			t.Error(err)
		}
		objc.Software().Pool(fake.complete)
		if err := k.a.Reset(); err != nil {
			t.Error(err)
		}
		refused(t, k.q.Commit(nil, k.c), "MTL4CommandQueue.Commit", "command buffer") // reset since
		k.release()
	})
}

func TestWhatMetal4WouldAssertOnIsAnError(t *testing.T) {
	metal4(t, func(d *Device, _ *fake4) {
		k := newKit4(t, d)
		other := must(d.NewMTL4CommandBuffer())(t)
		b, gone := must(d.NewBuffer(64, 0))(t), must(d.NewBuffer(64, 0))(t)
		gone.Release()
		x := must(d.NewTensor(tensorDescriptor(4, 3)))(t)
		f := must(d.NewFence())(t)
		const q, c = "MTL4CommandQueue.", "MTL4CommandBuffer."
		refused(t, k.q.Commit(nil), q+"Commit", "command buffers")
		refused(t, k.q.Commit(nil, nil), q+"Commit", "command buffer")
		refused(t, k.q.Commit(nil, k.c), q+"Commit", "command buffer")
		refused(t, k.q.SignalEvent(nil, 1), q+"SignalEvent", "event")
		refused(t, k.q.AddResidencySet(nil), q+"AddResidencySet", "residency set")
		refused(t, k.c.End(), c+"End", "command buffer")
		refused(t, k.c.Begin(nil), c+"Begin", "allocator")
		if err := k.c.Begin(k.a); err != nil {
			t.Fatal(err)
		}
		refused(t, k.c.Begin(k.a), c+"Begin", "command buffer")
		refused(t, other.Begin(k.a), c+"Begin", "allocator")
		refused(t, k.a.Reset(), "MTL4CommandAllocator.Reset", "allocator")
		refused(t, k.q.Commit(nil, k.c), q+"Commit", "command buffer")
		refused(t, k.c.PopDebugGroup(), c+"PopDebugGroup", "debug groups")
		if err := k.c.PushDebugGroup("group"); err != nil {
			t.Error(err)
		}
		refused(t, k.c.End(), c+"End", "debug groups")
		e := must(k.c.NewComputeCommandEncoder())(t)
		refused(t, k.c.End(), c+"End", "command buffer")
		if err := errors.Join(e.EndEncoding(), k.c.PopDebugGroup(), k.c.End()); err != nil {
			t.Error(err)
		}
		refused(t, k.q.Commit(nil, k.c, k.c), q+"Commit", "command buffer")
		if err := k.q.Commit(nil, k.c); err != nil {
			t.Error(err)
		}
		refused(t, k.q.Commit(nil, k.c), q+"Commit", "command buffer")

		one := Size{1, 1, 1}
		for _, s := range []struct {
			op, arg string
			f       func(e *MTL4ComputeCommandEncoder)
		}{
			{"SetComputePipelineState", "pipeline", func(e *MTL4ComputeCommandEncoder) { e.SetComputePipelineState(nil) }},
			{"DispatchThreads", "pipeline", func(e *MTL4ComputeCommandEncoder) { e.DispatchThreads(one, one) }},
			{"DispatchThreads", "threadgroup", func(e *MTL4ComputeCommandEncoder) {
				e.SetComputePipelineState(k.p)
				e.DispatchThreads(one, Size{65, 1, 1})
			}},
			{"DispatchThreadgroups", "grid", func(e *MTL4ComputeCommandEncoder) {
				e.SetComputePipelineState(k.p)
				e.DispatchThreadgroups(Size{1, 0, 1}, one)
			}},
			{"DispatchThreadgroupsIndirect", "offset", func(e *MTL4ComputeCommandEncoder) {
				e.SetComputePipelineState(k.p)
				e.DispatchThreadgroupsIndirect(b, 56, one)
			}},
			{"DispatchThreadsIndirect", "offset", func(e *MTL4ComputeCommandEncoder) {
				e.SetComputePipelineState(k.p)
				e.DispatchThreadsIndirect(b, 44)
			}},
			{"DispatchThreadsIndirect", "buffer", func(e *MTL4ComputeCommandEncoder) {
				e.SetComputePipelineState(k.p)
				e.DispatchThreadsIndirect(gone, 0)
			}},
			{"SetThreadgroupMemoryLength", "index", func(e *MTL4ComputeCommandEncoder) { e.SetThreadgroupMemoryLength(16, 31) }},
			{"SetThreadgroupMemoryLength", "length", func(e *MTL4ComputeCommandEncoder) { e.SetThreadgroupMemoryLength(8, 0) }},
			{"BarrierAfterStages", "after", func(e *MTL4ComputeCommandEncoder) { e.BarrierAfterStages(0, StageBlit, 0) }},
			{"BarrierAfterQueueStages", "before", func(e *MTL4ComputeCommandEncoder) { e.BarrierAfterQueueStages(StageBlit, 1<<63, 0) }},
			{"BarrierAfterEncoderStages", "visibility", func(e *MTL4ComputeCommandEncoder) { e.BarrierAfterEncoderStages(StageBlit, StageBlit, 4) }},
			{"WaitForFence", "fence", func(e *MTL4ComputeCommandEncoder) { e.UpdateFence(f, StageBlit); e.WaitForFence(f, StageBlit) }},
			{"UpdateFence", "fence", func(e *MTL4ComputeCommandEncoder) { e.UpdateFence(nil, StageBlit) }},
			{"CopyBuffer", "source", func(e *MTL4ComputeCommandEncoder) { e.CopyBuffer(nil, 0, b, 0, 4) }},
			{"CopyBuffer", "destination", func(e *MTL4ComputeCommandEncoder) { e.CopyBuffer(b, 0, b, 62, 4) }},
			{"CopyBuffer", "ranges", func(e *MTL4ComputeCommandEncoder) { e.CopyBuffer(b, 0, b, 4, 8) }},
			{"FillBuffer", "buffer", func(e *MTL4ComputeCommandEncoder) { e.FillBuffer(b, 0, math.MaxInt, 0) }},
			{"CopyTensor", "slice", func(e *MTL4ComputeCommandEncoder) { e.CopyTensor(x, []int{0, 0}, x, []int{3, 0}, []int{2, 1}) }},
			{"PopDebugGroup", "debug groups", func(e *MTL4ComputeCommandEncoder) { e.PopDebugGroup() }},
			{"EndEncoding", "debug groups", func(e *MTL4ComputeCommandEncoder) { e.PushDebugGroup("") }},
		} {
			if err := k.c.Begin(k.a); err != nil {
				t.Fatal(err)
			}
			e := must(k.c.NewComputeCommandEncoder())(t)
			s.f(e)
			err := e.EndEncoding()
			refused(t, err, "MTL4ComputeCommandEncoder."+s.op, s.arg)
			if again := k.c.End(); again != err {
				t.Errorf("End gives %v, want %v", again, err)
			}
			if again := k.q.Commit(nil, k.c); again != err {
				t.Errorf("Commit gives %v, want %v", again, err)
			}
		}

		const table, tensor = "MTL4ArgumentTable.", "Tensor."
		refused(t, k.table.SetBuffer(nil, 0, 0), table+"SetBuffer", "buffer")
		refused(t, k.table.SetBuffer(b, 64, 0), table+"SetBuffer", "offset")
		refused(t, k.table.SetBuffer(b, 0, 4), table+"SetBuffer", "index")
		refused(t, k.table.SetAddress(1, -1), table+"SetAddress", "index")
		refused(t, k.table.SetTensor(nil, 0), table+"SetTensor", "tensor")
		refused(t, x.ReplaceSlice([]int{0, 0}, []int{4, 3}, make([]byte, 23), []int{1, 4}), tensor+"ReplaceSlice", "bytes")
		refused(t, x.ReplaceSlice([]int{0}, []int{4}, make([]byte, 64), []int{1}), tensor+"ReplaceSlice", "slice")
		refused(t, x.GetBytes(make([]byte, 64), []int{1, 4}, []int{1, 0}, []int{4, 1}), tensor+"GetBytes", "slice")
		refused(t, x.GetBytes(make([]byte, 64), []int{1}, []int{0, 0}, []int{1, 1}), tensor+"GetBytes", "strides")
		refused(t, x.GetBytes(make([]byte, 64), []int{1, math.MaxInt}, []int{0, 0}, []int{1, 3}), tensor+"GetBytes", "bytes")
		for _, o := range []interface{ Release() }{other, b, x, f} {
			o.Release()
		}
		k.release()
	})
}

func TestDescriptorsOfMetal4AreChecked(t *testing.T) {
	metal4(t, func(d *Device, _ *fake4) {
		b := must(d.NewBuffer(64, 0))(t)
		make4 := func(f func(*TensorDescriptor)) *TensorDescriptor {
			desc := tensorDescriptor(4, 3)
			f(desc)
			return desc
		}
		for _, s := range []struct {
			arg  string
			desc *TensorDescriptor
		}{
			{"descriptor", nil},
			{"Dimensions", make4(func(d *TensorDescriptor) { d.Dimensions = nil })},
			{"Dimensions", make4(func(d *TensorDescriptor) { d.Dimensions = make([]int, 17) })},
			{"Dimensions", make4(func(d *TensorDescriptor) { d.Dimensions = []int{4, 0} })},
			{"Dimensions", make4(func(d *TensorDescriptor) { d.Dimensions = []int{math.MaxInt, math.MaxInt, 2} })},
			{"Strides", make4(func(d *TensorDescriptor) { d.Strides = []int{1, 4} })},
			{"DataType", make4(func(d *TensorDescriptor) { d.DataType = 0 })},
			{"Usage", make4(func(d *TensorDescriptor) { d.Usage = 0 })},
			{"options", make4(func(d *TensorDescriptor) { d.Options = 1 << 20 })},
		} {
			_, err := d.NewTensor(s.desc)
			refused(t, err, "Device.NewTensor", s.arg)
			_, err = d.TensorSizeAndAlign(s.desc)
			refused(t, err, "Device.TensorSizeAndAlign", s.arg)
		}
		for _, s := range []struct {
			arg     string
			strides []int
			offset  int
		}{
			{"Strides", nil, 0}, {"Strides", []int{2, 4}, 0}, {"Dimensions", []int{1, -1}, 0}, {"offset", []int{1, 16}, 0}, {"offset", []int{1, 4}, 1}, {"offset", []int{1, 4}, 42},
		} {
			_, err := b.NewTensor(make4(func(d *TensorDescriptor) { d.Strides = s.strides }), s.offset)
			refused(t, err, "Buffer.NewTensor", s.arg)
		}
		x := must(b.NewTensor(make4(func(d *TensorDescriptor) { d.Strides = []int{1, 4} }), 40))(t)
		if x.Buffer() != b || x.BufferOffset() != 40 || x.DataType() != TensorDataTypeFloat16 || x.Usage() != TensorUsageCompute || len(x.Dimensions()) != 2 || x.Strides()[1] != 3 {
			t.Errorf("%+v", x)
		}
		_, err := d.NewMTL4ArgumentTable(&MTL4ArgumentTableDescriptor{MaxBufferBindCount: 32})
		refused(t, err, "Device.NewMTL4ArgumentTable", "MaxBufferBindCount")

		c := must(d.NewMTL4Compiler(nil))(t)
		l := must(c.NewLibrary(&MTL4LibraryDescriptor{}))(t)
		k := &MTL4LibraryFunctionDescriptor{l, "k"}
		for _, s := range []struct {
			arg  string
			desc *MTL4ComputePipelineDescriptor
		}{
			{"descriptor", nil},
			{"ComputeFunctionDescriptor", &MTL4ComputePipelineDescriptor{}},
			{"ComputeFunctionDescriptor", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4SpecializedFunctionDescriptor{}}},
			{"Library", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4LibraryFunctionDescriptor{}}},
			{"constants", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4SpecializedFunctionDescriptor{FunctionDescriptor: k, Constants: make([]FunctionConstant, 1)}}},
			{"MaxTotalThreadsPerThreadgroup", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: k, MaxTotalThreadsPerThreadgroup: -1}},
			{"RequiredThreadsPerThreadgroup", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: k, RequiredThreadsPerThreadgroup: Size{1, 0, 1}}},
			{"SupportIndirectCommandBuffers", &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: k, SupportIndirectCommandBuffers: 2}},
		} {
			_, err := c.NewComputePipelineState(s.desc)
			refused(t, err, "MTL4Compiler.NewComputePipelineState", s.arg)
		}
		var missing *FunctionNotFoundError
		if _, err := c.NewComputePipelineState(&MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4LibraryFunctionDescriptor{l, "none"}}); !errors.As(err, &missing) {
			t.Errorf("error is %v", err)
		}
		p := must(c.NewComputePipelineState(&MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: k, RequiredThreadsPerThreadgroup: Size{8, 2, 1}}))(t)
		if err := p.groupError("op", Size{8, 2, 1}, 0); err != nil {
			t.Error(err)
		}
		refused(t, p.groupError("op", Size{8, 1, 1}, 0), "op", "threadgroup")
		for _, o := range []interface{ Release() }{b, x, c, l, p} {
			o.Release()
		}
	})
}

func TestFailuresOfMetal4AreMetalsWords(t *testing.T) {
	metal4(t, func(d *Device, fake *fake4) {
		c := must(d.NewMTL4Compiler(nil))(t)
		l := must(c.NewLibrary(&MTL4LibraryDescriptor{}))(t)
		desc := &MTL4ComputePipelineDescriptor{ComputeFunctionDescriptor: &MTL4LibraryFunctionDescriptor{l, "k"}}
		fake.fail = true
		for name, f := range map[string]func() error{
			"library":               func() error { _, err := c.NewLibrary(&MTL4LibraryDescriptor{}); return err },
			"asynchronous library":  func() error { _, err := c.NewLibraryAsync(t.Context(), &MTL4LibraryDescriptor{}); return err },
			"pipeline":              func() error { _, err := c.NewComputePipelineState(desc); return err },
			"asynchronous pipeline": func() error { _, err := c.NewComputePipelineStateAsync(t.Context(), desc); return err },
		} {
			var e *CompileError
			if err := f(); !errors.As(err, &e) || e.Text != "no luck" || e.Code != 4 {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, f := range map[string]func() error{
			"queue":    func() error { _, err := d.NewMTL4CommandQueue(nil); return err },
			"tensor":   func() error { _, err := d.NewTensor(tensorDescriptor(4)); return err },
			"compiler": func() error { _, err := d.NewMTL4Compiler(nil); return err },
		} {
			var e *Error
			if err := f(); !errors.As(err, &e) || e.Description != "no luck" || e.Domain != "FakeDomain" {
				t.Errorf("%s: %v", name, err)
			}
		}
		c.Release()
		l.Release()
	})
}

func TestDispatchesOfMetal4AllocateNothing(t *testing.T) {
	metal4(t, func(d *Device, _ *fake4) {
		k := newKit4(t, d)
		b := must(d.NewBuffer(64, 0))(t)
		err := k.record(t, func(e *MTL4ComputeCommandEncoder) {
			e.SetComputePipelineState(k.p)
			e.SetArgumentTable(k.table)
			if n := testing.AllocsPerRun(500, func() {
				if err := k.table.SetBuffer(b, 4, 1); err != nil {
					t.Error(err)
				}
				e.SetThreadgroupMemoryLength(32, 0)
				e.DispatchThreads(Size{5, 1, 1}, Size{4, 1, 1})
				e.BarrierAfterEncoderStages(StageDispatch, StageDispatch, MTL4VisibilityOptionDevice)
				e.CopyBuffer(b, 0, b, 32, 8)
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
		if err != nil {
			t.Error(err)
		}
		b.Release()
		k.release()
	})
}
