package mtl

import (
	"context"
	"testing"
)

// softwareDevice gives the software device, whose cost is this package's, objc's and the recording.
func softwareDevice(b *testing.B) *Device {
	b.Helper()
	all := must(CopyAllDevices())(b)
	for _, d := range all {
		b.Cleanup(d.Release)
	}
	return all[len(all)-1]
}

func BenchmarkSetters(b *testing.B) {
	d := softwareDevice(b)
	q := must(d.NewCommandQueue())(b)
	defer q.Release()
	buf := newBuffer(b, d, 4096)
	buffers, offsets := []*Buffer{buf, buf, buf, buf}, []int{0, 256, 512, 1024}
	for name, f := range map[string]func(e *ComputeCommandEncoder){
		"SetBuffer":  func(e *ComputeCommandEncoder) { e.SetBuffer(buf, 0, 0) },
		"SetBuffers": func(e *ComputeCommandEncoder) { e.SetBuffers(buffers, offsets, 0) },
		"SetValue": func(e *ComputeCommandEncoder) {
			v := struct {
				N     uint32
				Scale float32
			}{3, 4}
			SetValue(e, &v, 4)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			if err := encode(b, q, func(e *ComputeCommandEncoder) {
				for range b.N {
					f(e)
				}
			}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkEncodeDispatch(b *testing.B) {
	d := softwareDevice(b)
	q := must(d.NewCommandQueue())(b)
	defer q.Release()
	p := newPipeline(b, d, ComputePipelineDescriptor{}, "add")
	defer p.Release()
	buf := newBuffer(b, d, 4096)
	buffers, offsets := []*Buffer{buf, buf, buf}, []int{0, 256, 512}
	b.ReportAllocs()
	for b.Loop() {
		// As many as a decoded token of a language model takes.
		if err := encode(b, q, func(e *ComputeCommandEncoder) {
			for range 700 {
				scale := float32(2)
				e.SetComputePipelineState(p)
				e.SetBuffers(buffers, offsets, 0)
				SetValue(e, &scale, 3)
				e.DispatchThreads(Size{64, 1, 1}, Size{32, 1, 1})
			}
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/700, "ns/dispatch")
}

func BenchmarkRunNothing(b *testing.B) {
	d := softwareDevice(b)
	q := must(d.NewCommandQueue())(b)
	defer q.Release()
	b.ReportAllocs()
	for b.Loop() {
		if err := q.Run(context.Background(), func(*ComputeCommandEncoder) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
