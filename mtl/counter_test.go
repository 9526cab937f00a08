package mtl

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"
)

func TestTimestampsOfEncodersAreInOrderAndInsideTheCommandBuffer(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		set := must(d.TimestampCounterSet())(t)
		if all := d.CounterSets(); len(all) != 1 || all[0].Name != set.Name || !slices.Equal(set.Counters, []string{"GPUTimestamp"}) {
			t.Errorf("counter sets are %+v", all)
		}
		if !d.SupportsCounterSampling(CounterSamplingPointAtStageBoundary) || d.SupportsCounterSampling(CounterSamplingPointAtDispatchBoundary) {
			t.Error("wrong sampling points")
		}
		b := must(d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, Label: "times", SampleCount: 6}))(t)
		defer b.Release()
		if b.Label() != "times" || b.SampleCount() != 6 || b.Device() != d {
			t.Errorf("label %q, %d samples", b.Label(), b.SampleCount())
		}
		r := newIndirectRig(t, d)
		defer r.release()
		resolved := newBuffer(t, d, 512)
		defer resolved.Release()

		before := must(d.SampleTimestamps())(t)
		c := must(r.q.NewCommandBuffer())(t)
		defer c.Release()
		for i := range 2 {
			e := must(c.NewComputeCommandEncoderWithDescriptor(&ComputePassDescriptor{
				DispatchType:            DispatchTypeConcurrent,
				SampleBufferAttachments: []SampleBufferAttachment{{b, 2*i + 1, 2*i + 2}, {b, CounterDontSample, CounterDontSample}},
			}))(t)
			if e.DispatchType() != DispatchTypeConcurrent {
				t.Error("dispatch type is lost")
			}
			e.SetComputePipelineState(r.append)
			e.SetBuffer(r.out, 0, 0)
			e.SetBuffer(r.digits, 0, 2)
			e.DispatchThreads(Size{4, 1, 1}, Size{4, 1, 1})
			if err := e.EndEncoding(); err != nil {
				t.Fatal(err)
			}
		}
		e := must(c.NewBlitCommandEncoder())(t)
		e.ResolveCounters(b, 1, 3, resolved, 256)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Microsecond)
		after := must(d.SampleTimestamps())(t)

		times := must(b.ResolveTimestamps(0, 6))(t)
		if times[0] != CounterErrorValue || times[5] != CounterErrorValue {
			t.Errorf("samples that were not taken are %v", times)
		}
		taken := times[1:5]
		if !slices.IsSorted(taken) || taken[0] < before.GPU || taken[3] > after.GPU || taken[0] == taken[3] {
			t.Errorf("times %v, taken between %d and %d", taken, before.GPU, after.GPU)
		}
		for i := range 3 {
			if v := binary.LittleEndian.Uint64(contentsOf[byte](t, resolved)[256+8*i:]); v != taken[i] {
				t.Errorf("resolved sample %d is %d, want %d", i, v, taken[i])
			}
		}
		scale := must(NewTimestampScale(before, after))(t)
		start, end := c.GPUStartTime(), c.GPUEndTime()
		if took := scale.Duration(taken[0], taken[3]).Seconds(); took <= 0 || took > end-start+1e-6 {
			t.Errorf("the encoders took %gs of the command buffer's %gs", took, end-start)
		}
	})
}

func TestATimestampScaleHoldsFor64Bits(t *testing.T) {
	first := TimestampPair{CPU: 1_000_000_000_000, GPU: math.MaxUint64 / 4}
	last := TimestampPair{CPU: first.CPU + 1_000_000_000_000, GPU: first.GPU + 24_000_000_000} // 24 MHz for 1000 s
	s := must(NewTimestampScale(first, last))(t)
	for _, c := range []struct {
		gpu  uint64
		want int64
	}{
		{first.GPU, 1_000_000_000_000}, {first.GPU + 24, 1_000_000_001_000}, {last.GPU, 2_000_000_000_000},
		{last.GPU + 12_000_000_000, 2_500_000_000_000}, {first.GPU - 24_000_000, 999_000_000_000},
	} {
		if got := s.Nanoseconds(c.gpu); got != c.want {
			t.Errorf("%d is at %d ns, want %d", c.gpu, got, c.want)
		}
	}
	if d := s.Duration(first.GPU+48, first.GPU+24_000_048); d != time.Second {
		t.Errorf("24000000 ticks are %v", d)
	}
	if d := (TimestampScale{}).Duration(5, 12); d != 7 {
		t.Errorf("without a scale 7 units are %v", d)
	}
	_, err := NewTimestampScale(last, first)
	refused(t, err, "NewTimestampScale", "last")
	_, err = NewTimestampScale(first, TimestampPair{last.CPU, first.GPU})
	refused(t, err, "NewTimestampScale", "last")
}

func TestSamplesThatMetalWouldAssertOnAreErrors(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const create, pass = "Device.NewCounterSampleBuffer", "CommandBuffer.NewComputeCommandEncoderWithDescriptor"
		set := must(d.TimestampCounterSet())(t)
		for arg, desc := range map[string]*CounterSampleBufferDescriptor{
			"descriptor":  nil,
			"SampleCount": {CounterSet: set},
			"StorageMode": {CounterSet: set, SampleCount: 1, StorageMode: HazardTrackingModeTracked},
			"CounterSet":  {CounterSet: CounterSet{Name: "none"}, SampleCount: 1},
		} {
			_, err := d.NewCounterSampleBuffer(desc)
			refused(t, err, create, arg)
		}
		_, err := d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, SampleCount: 1 << 30})
		isError(t, err, create, "MTLCounterErrorDomain", 0, "too many")

		b := must(d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, SampleCount: 2}))(t)
		private := must(d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, SampleCount: 2, StorageMode: StorageModePrivate}))(t)
		defer private.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		for _, bad := range []struct {
			arg  string
			desc *ComputePassDescriptor
		}{
			{"descriptor", nil},
			{"DispatchType", &ComputePassDescriptor{DispatchType: 2}},
			{"SampleBufferAttachments", &ComputePassDescriptor{SampleBufferAttachments: make([]SampleBufferAttachment, 5)}},
			{"SampleBuffer", &ComputePassDescriptor{SampleBufferAttachments: make([]SampleBufferAttachment, 1)}},
			{"StartOfEncoderSampleIndex", &ComputePassDescriptor{SampleBufferAttachments: []SampleBufferAttachment{{b, 2, 0}}}},
			{"EndOfEncoderSampleIndex", &ComputePassDescriptor{SampleBufferAttachments: []SampleBufferAttachment{{b, 0, -2}}}},
		} {
			_, err := c.NewComputeCommandEncoderWithDescriptor(bad.desc)
			refused(t, err, pass, bad.arg)
		}
		_, err = b.Resolve(1, 2)
		refused(t, err, "CounterSampleBuffer.Resolve", "range")
		_, err = private.Resolve(0, 1)
		refused(t, err, "CounterSampleBuffer.Resolve", "counter sample buffer")

		out := newBuffer(t, d, 264)
		defer out.Release()
		for _, bad := range []struct {
			arg string
			f   func(e *BlitCommandEncoder)
		}{
			{"range", func(e *BlitCommandEncoder) { e.ResolveCounters(b, 0, 3, out, 0) }},
			{"counter sample buffer", func(e *BlitCommandEncoder) { e.ResolveCounters(nil, 0, 3, out, 0) }},
			{"destination", func(e *BlitCommandEncoder) { e.ResolveCounters(b, 0, 1, nil, 0) }},
			{"offset", func(e *BlitCommandEncoder) { e.ResolveCounters(b, 0, 2, out, 256) }},
			{"offset", func(e *BlitCommandEncoder) { e.ResolveCounters(b, 0, 1, out, 8) }},
		} {
			e := must(c.NewBlitCommandEncoder())(t)
			bad.f(e)
			refused(t, e.EndEncoding(), "BlitCommandEncoder.ResolveCounters", bad.arg)
		}
		run := func(f func(e *ComputeCommandEncoder)) error {
			return q.Run(t.Context(), func(e *ComputeCommandEncoder) error { f(e); return nil })
		}
		const sample = "ComputeCommandEncoder.SampleCounters"
		refused(t, run(func(e *ComputeCommandEncoder) { e.SampleCounters(b, 2, true) }), sample, "index")
		isUnsupported(t, run(func(e *ComputeCommandEncoder) { e.SampleCounters(b, 1, true) }), sample)
		b.Release()
		refused(t, run(func(e *ComputeCommandEncoder) { e.SampleCounters(b, 1, true) }), sample, "counter sample buffer")
		_, err = b.Resolve(0, 1)
		refused(t, err, "CounterSampleBuffer.Resolve", "counter sample buffer")
	})
}

func TestAnUnretainingCommandBufferKeepsItsSamples(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		set := must(d.TimestampCounterSet())(t)
		b := must(d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, SampleCount: 1}))(t)
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{UnretainedReferences: true}))(t)
		defer c.Release()
		e := must(c.NewComputeCommandEncoderWithDescriptor(&ComputePassDescriptor{SampleBufferAttachments: []SampleBufferAttachment{{b, 0, CounterDontSample}}}))(t)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		b.Release()
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Error(err)
		}
	})
}
