package mtl

import (
	"context"
	"math"
	"testing"
)

// encode gives an encoder to f and drops what it encoded. It gives the encoder's error.
func encode(t testing.TB, q *CommandQueue, f func(e *ComputeCommandEncoder)) error {
	t.Helper()
	c := must(q.NewCommandBuffer())(t)
	defer c.Release()
	e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
	f(e)
	return e.EndEncoding()
}

func TestWhatMetalWouldAssertOnIsAnErrorOfTheEncoder(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		gone := must(d.NewBuffer(64, StorageModeShared))(t)
		gone.Release()
		one := Size{1, 1, 1}
		type shape struct {
			A int32
			B struct{ C []float32 }
		}
		for _, c := range []struct {
			op, arg string
			f       func(e *ComputeCommandEncoder)
		}{
			{"SetComputePipelineState", "pipeline", func(e *ComputeCommandEncoder) { e.SetComputePipelineState(nil) }},
			{"SetBuffer", "index", func(e *ComputeCommandEncoder) { e.SetBuffer(b, 0, 31) }},
			{"SetBuffer", "index", func(e *ComputeCommandEncoder) { e.SetBuffer(b, 0, -1) }},
			{"SetBuffer", "offset", func(e *ComputeCommandEncoder) { e.SetBuffer(b, 64, 0) }},
			{"SetBuffer", "offset", func(e *ComputeCommandEncoder) { e.SetBuffer(b, -1, 0) }},
			{"SetBuffer", "offset", func(e *ComputeCommandEncoder) { e.SetBuffer(nil, 4, 0) }},
			{"SetBuffer", "buffer", func(e *ComputeCommandEncoder) { e.SetBuffer(gone, 0, 0) }},
			{"SetBufferOffset", "index", func(e *ComputeCommandEncoder) { e.SetBufferOffset(0, 31) }},
			{"SetBufferOffset", "index", func(e *ComputeCommandEncoder) { e.SetBufferOffset(0, 3) }},
			{"SetBufferOffset", "index", func(e *ComputeCommandEncoder) {
				e.SetBuffer(b, 0, 3)
				e.SetBytes([]byte{1}, 3)
				e.SetBufferOffset(0, 3)
			}},
			{"SetBufferOffset", "offset", func(e *ComputeCommandEncoder) { e.SetBuffer(b, 0, 3); e.SetBufferOffset(64, 3) }},
			{"SetBuffers", "offsets", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b, b}, []int{0}, 0) }},
			{"SetBuffers", "offset", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b, b}, []int{0, 65}, 0) }},
			{"SetBuffers", "buffer", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b, gone}, []int{0, 0}, 0) }},
			{"SetBuffers", "buffers", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b, b}, []int{0, 0}, 30) }},
			{"SetBuffers", "buffers", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b}, []int{0}, -1) }},
			{"SetBuffers", "buffers", func(e *ComputeCommandEncoder) { e.SetBuffers([]*Buffer{b}, []int{0}, math.MaxInt) }},
			{"SetBuffers", "buffers", func(e *ComputeCommandEncoder) { e.SetBuffers(nil, nil, 0) }},
			{"SetBytes", "bytes", func(e *ComputeCommandEncoder) { e.SetBytes(nil, 0) }},
			{"SetBytes", "bytes", func(e *ComputeCommandEncoder) { e.SetBytes(make([]byte, 4097), 0) }},
			{"SetBytes", "index", func(e *ComputeCommandEncoder) { e.SetBytes(make([]byte, 4), 31) }},
			{"SetThreadgroupMemoryLength", "length", func(e *ComputeCommandEncoder) { e.SetThreadgroupMemoryLength(8, 0) }},
			{"SetThreadgroupMemoryLength", "length", func(e *ComputeCommandEncoder) { e.SetThreadgroupMemoryLength(-16, 0) }},
			{"SetThreadgroupMemoryLength", "length", func(e *ComputeCommandEncoder) {
				e.SetThreadgroupMemoryLength(d.MaxThreadgroupMemoryLength()+16, 0)
			}},
			{"SetThreadgroupMemoryLength", "index", func(e *ComputeCommandEncoder) { e.SetThreadgroupMemoryLength(16, 31) }},
			{"MemoryBarrier", "scope", func(e *ComputeCommandEncoder) { e.MemoryBarrier(0) }},
			{"MemoryBarrier", "scope", func(e *ComputeCommandEncoder) { e.MemoryBarrier(4) }},
			{"MemoryBarrierWithResources", "buffers", func(e *ComputeCommandEncoder) { e.MemoryBarrierWithResources() }},
			{"MemoryBarrierWithResources", "buffers", func(e *ComputeCommandEncoder) { e.MemoryBarrierWithResources(b, nil) }},
			{"MemoryBarrierWithResources", "buffers", func(e *ComputeCommandEncoder) { e.MemoryBarrierWithResources(make([]*Buffer, 32)...) }},
			{"DispatchThreadgroups", "pipeline", func(e *ComputeCommandEncoder) { e.DispatchThreadgroups(one, one) }},
			{"DispatchThreads", "pipeline", func(e *ComputeCommandEncoder) { e.DispatchThreads(one, one) }},
			{"PopDebugGroup", "debug groups", func(e *ComputeCommandEncoder) { e.PopDebugGroup() }},
			{"EndEncoding", "debug groups", func(e *ComputeCommandEncoder) { e.PushDebugGroup("") }},
			{"", "value", func(e *ComputeCommandEncoder) { SetValue[int32](e, nil, 0) }},
			{"", "value", func(e *ComputeCommandEncoder) { SetValue(e, new(int), 0) }},
			{"", "value", func(e *ComputeCommandEncoder) { SetValue(e, new(*int32), 0) }},
			{"", "value", func(e *ComputeCommandEncoder) { SetValue(e, new([2]string), 0) }},
			{"", "value", func(e *ComputeCommandEncoder) { SetValue(e, &shape{}, 0) }},
			{"SetBytes", "bytes", func(e *ComputeCommandEncoder) { SetValue(e, new([1025]float32), 0) }},
			{"SetBytes", "bytes", func(e *ComputeCommandEncoder) { SetValue(e, &struct{}{}, 0) }},
		} {
			op := "ComputeCommandEncoder." + c.op
			if c.op == "" {
				op = "SetValue"
			}
			refused(t, encode(t, q, c.f), op, c.arg)
		}
		for _, o := range []interface{ Release() }{q, b} {
			o.Release()
		}
	})
}

func TestWhatMetalAllowsIsNoError(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		err := q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
			e.SetBuffer(b, 63, 30)
			e.SetBuffer(nil, 0, 30)
			e.SetBuffers([]*Buffer{b, nil, b}, []int{4, 0, 8}, 28)
			e.SetBufferOffset(16, 28)
			e.SetBytes(make([]byte, 4096), 0)
			SetValue(e, &struct {
				A [4]float32
				B struct{ C uint8 }
			}{}, 1)
			e.SetThreadgroupMemoryLength(d.MaxThreadgroupMemoryLength(), 30)
			e.SetThreadgroupMemoryLength(0, 30)
			e.MemoryBarrier(BarrierScopeBuffers)
			e.MemoryBarrierWithResources(b, b)
			e.PushDebugGroup("group")
			e.PopDebugGroup()
			return e.Err()
		})
		if err != nil {
			t.Error(err)
		}
		q.Release()
		b.Release()
	})
}

func TestAnotherDevicesObjectsAreRefused(t *testing.T) {
	d := must(CreateSystemDefaultDevice())(t)
	defer d.Release()
	q := must(d.NewCommandQueue())(t)
	defer q.Release()
	b := newBuffer(t, d, 64)
	foreign := &Buffer{device: &Device{self: d.self + 1, name: "other"}, length: 64}
	foreign.id.Store(b.id.Load())
	refused(t, encode(t, q, func(e *ComputeCommandEncoder) { e.SetBuffer(foreign, 0, 0) }), "ComputeCommandEncoder.SetBuffer", "buffer")
	p := &ComputePipelineState{device: foreign.device}
	p.id.Store(b.id.Load())
	refused(t, encode(t, q, func(e *ComputeCommandEncoder) { e.SetComputePipelineState(p) }), "ComputeCommandEncoder.SetComputePipelineState", "pipeline")
	f := &Function{device: foreign.device}
	f.id.Store(b.id.Load())
	_, err := d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f})
	refused(t, err, "Device.NewComputePipelineState", "ComputeFunction")
}

func TestSettersAllocateNothing(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("allocations inside a driver are not ours to count")
		}
		q := must(d.NewCommandQueue())(t)
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		pair, offsets := []*Buffer{b, b}, []int{0, 4}
		err := encode(t, q, func(e *ComputeCommandEncoder) {
			for name, f := range map[string]func(){
				"SetBuffer":  func() { e.SetBuffer(b, 4, 3) },
				"SetBuffers": func() { e.SetBuffers(pair, offsets, 3) },
				"SetBytes":   func() { e.SetBytes([]byte{1, 2, 3, 4}, 2) },
				"SetValue": func() {
					v := struct {
						N     uint32
						Scale float32
					}{3, 4}
					SetValue(e, &v, 1)
				},
				"SetThreadgroupMemoryLength": func() { e.SetThreadgroupMemoryLength(64, 0) },
				"MemoryBarrier":              func() { e.MemoryBarrier(BarrierScopeBuffers) },
				"MemoryBarrierWithResources": func() { e.MemoryBarrierWithResources(pair...) },
			} {
				if n := testing.AllocsPerRun(500, f); n != 0 {
					t.Errorf("%s allocates %v times", name, n)
				}
			}
		})
		if err != nil {
			t.Error(err)
		}
		q.Release()
		b.Release()
	})
}

func TestACommandBufferKeepsABufferOnce(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		a, b := must(d.NewBuffer(64, StorageModeShared))(t), must(d.NewBuffer(64, StorageModeShared))(t)
		if err := encode(t, q, func(e *ComputeCommandEncoder) {
			for i := range 30 {
				e.SetBuffer(a, 4, i)
				e.SetBuffers([]*Buffer{b, a}, []int{0, 0}, 0)
			}
			if n := len(e.buffer.kept); n != 2 {
				t.Errorf("%d references to 2 buffers", n)
			}
		}); err != nil {
			t.Error(err)
		}
		q.Release()
		a.Release()
		b.Release()
	})
}
