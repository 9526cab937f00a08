package mtl

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// sentBy gives the selectors that f has an encoder send, endEncoding and what is not for the encoder left out.
func sentBy(t *testing.T, q *CommandQueue, f func(e *ComputeCommandEncoder)) (selectors []string, words [][]uintptr) {
	t.Helper()
	restore := objc.SetTrace(&objc.Trace{Sent: func(d objc.Delivery) {
		if name := d.Selector.Name(); strings.HasSuffix(d.Class.Name(), "ComputeCommandEncoder") && name != "endEncoding" && name != "release" && name != "retain" {
			selectors = append(selectors, name)
			words = append(words, d.Words)
		}
	}})
	defer restore()
	if err := encode(t, q, f); err != nil {
		t.Fatal(err)
	}
	return selectors, words
}

// software gives f the software device.
func software(t *testing.T, f func(d *Device, q *CommandQueue)) {
	t.Helper()
	balanced(t, func() {
		d := appendDevices(nil, objc.Software())[0]
		defer d.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		f(d, q)
	})
}

func TestOnlyBindingsThatChangedAreSentAndNeighboursTogether(t *testing.T) {
	software(t, func(d *Device, q *CommandQueue) {
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "add")
		defer p.Release()
		a, b := must(d.NewBuffer(256, StorageModeShared))(t), must(d.NewBuffer(256, StorageModeShared))(t)
		defer a.Release()
		defer b.Release()
		one := Size{1, 1, 1}
		const buffer, offset, buffers, bytes = "setBuffer:offset:atIndex:", "setBufferOffset:atIndex:", "setBuffers:offsets:withRange:", "setBytes:length:atIndex:"
		const pipeline, dispatch = "setComputePipelineState:", "dispatchThreads:threadsPerThreadgroup:"
		prepare := func(e *ComputeCommandEncoder) {
			e.SetComputePipelineState(p)
			e.SetBuffers([]*Buffer{a, b, a}, []int{0, 4, 0}, 0)
			e.SetBuffers([]*Buffer{a, b}, []int{8, 0}, 3)
			e.SetBuffers([]*Buffer{a, b}, []int{0, 4}, 29)
			e.DispatchThreads(one, one)
		}
		for _, c := range []struct {
			name string
			f    func(e *ComputeCommandEncoder)
			want []string
		}{
			{"nothing", func(e *ComputeCommandEncoder) {}, nil},
			{"the same again", func(e *ComputeCommandEncoder) {
				e.SetComputePipelineState(p)
				e.SetBuffer(a, 4, 1)
				e.SetBuffer(b, 4, 1)
				e.SetBuffer(a, 4, 1)
			}, []string{buffer}},
			{"neighbours", func(e *ComputeCommandEncoder) {
				e.SetBuffer(b, 4, 4)
				e.SetBuffer(a, 12, 3)
				e.SetBuffers([]*Buffer{b, a}, []int{0, 4}, 29)
			}, []string{buffers, buffers}},
			{"an offset, and back", func(e *ComputeCommandEncoder) {
				e.SetBufferOffset(0, 4)
				e.SetBufferOffset(12, 3)
				e.SetBuffer(a, 8, 3)
				e.SetBufferOffset(16, 4)
			}, []string{offset}},
			{"another and back", func(e *ComputeCommandEncoder) { e.SetBuffer(a, 0, 29); e.SetBuffer(b, 0, 29); e.SetBuffer(a, 0, 29) }, nil},
			{"bytes and the same buffer", func(e *ComputeCommandEncoder) { e.SetBytes([]byte{1}, 29); e.SetBuffer(a, 0, 29) }, []string{bytes, buffer}},
			{"bytes in a buffer's place", func(e *ComputeCommandEncoder) { e.SetBuffer(b, 0, 29); e.SetBytes([]byte{1}, 29) }, []string{bytes}},
			{"nil where nothing is", func(e *ComputeCommandEncoder) { e.SetBuffer(nil, 0, 20) }, nil},
			{"nil where a buffer is", func(e *ComputeCommandEncoder) { e.SetBuffer(nil, 0, 30) }, []string{buffer}},
			{"memory", func(e *ComputeCommandEncoder) {
				e.SetThreadgroupMemoryLength(16, 0)
				e.SetThreadgroupMemoryLength(16, 0)
			}, []string{"setThreadgroupMemoryLength:atIndex:"}},
		} {
			before, _ := sentBy(t, q, prepare)
			all, _ := sentBy(t, q, func(e *ComputeCommandEncoder) {
				prepare(e)
				c.f(e)
				e.DispatchThreads(one, one)
			})
			got := all[len(before):]
			if want := append(slices.Clone(c.want), dispatch); !slices.Equal(got, want) {
				t.Errorf("%s: sent %q, want %q", c.name, got, want)
			}
			if before[0] != pipeline {
				t.Errorf("%s: began with %q", c.name, before)
			}
		}
	})
}

func TestWhatAnEncoderUsesMayBeReleasedOrChangedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "add")
		out := must(d.NewBuffer(4*maxBatch, StorageModeShared))(t)
		defer out.Release()
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		e.SetComputePipelineState(p)
		p.Release()
		scale := []byte{0, 0, 0x80, 0x3f} // 1
		for i := range maxBatch {
			in := must(d.NewBufferWithBytes([]byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}, StorageModeShared))(t) // 1, 2
			e.SetBuffer(in, 0, 0)
			e.SetBuffer(out, 4*i, 2)
			e.SetBuffer(in, 4, 1)
			in.Release()
			if i%16 == 0 {
				runtime.GC()
			}
			e.SetBytes(scale, 3)
			scale[3] ^= 0x7f // 4, and 1 again
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			if i%8 > 0 {
				continue
			}
			e.PushDebugGroup("flushes")
			e.PopDebugGroup()
		}
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		got := contentsOf[float32](t, out)
		for i := range maxBatch {
			if got[i] != got[i&1] || got[i] == 0 {
				t.Fatalf("dispatch %d gave %v, the first two %v", i, got[i], got[:2])
			}
		}
		if got[0] == got[1] {
			t.Errorf("bytes that changed later were not copied: %v", got[:2])
		}
	})
}

func TestDebugGroupsKeepTheirPlaceAmongCommands(t *testing.T) {
	software(t, func(d *Device, q *CommandQueue) {
		p := newPipeline(t, d, ComputePipelineDescriptor{}, "add")
		defer p.Release()
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		defer b.Release()
		got, _ := sentBy(t, q, func(e *ComputeCommandEncoder) {
			e.SetComputePipelineState(p)
			e.PushDebugGroup("a")
			e.SetBuffers([]*Buffer{b, b, b}, []int{0, 0, 0}, 0)
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			e.InsertDebugSignpost("b")
			e.SetBuffer(b, 4, 1)
			e.PopDebugGroup()
			e.DispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
		})
		want := []string{"setComputePipelineState:", "pushDebugGroup:", "setBuffers:offsets:withRange:", "dispatchThreads:threadsPerThreadgroup:",
			"insertDebugSignpost:", "setBufferOffset:atIndex:", "popDebugGroup", "dispatchThreads:threadsPerThreadgroup:"}
		if !slices.Equal(got, want) {
			t.Errorf("sent %q, want %q", got, want)
		}
	})
}

func TestAnEncoderSendsNothingBeforeItMust(t *testing.T) {
	software(t, func(d *Device, q *CommandQueue) {
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		defer b.Release()
		sent := 0
		restore := objc.SetTrace(&objc.Trace{Sent: func(objc.Delivery) { sent++ }})
		defer restore()
		if err := encode(t, q, func(e *ComputeCommandEncoder) {
			sent = 0
			for i := range maxBatch - 1 {
				e.SetBytes([]byte{byte(i)}, 0)
			}
			if sent != 0 {
				t.Errorf("%d messages were sent early", sent)
			}
			e.SetBytes([]byte{1}, 0)
			if sent != maxBatch {
				t.Errorf("%d messages were sent when the batch was full", sent)
			}
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAForgottenEncoderLetsGoOfWhatItRecorded(t *testing.T) {
	software(t, func(d *Device, q *CommandQueue) {
		live, objects := LiveObjects(), objc.LiveSoftwareObjects()
		func() {
			c := must(q.NewCommandBuffer())(t)
			e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
			b := must(d.NewBuffer(64, StorageModeShared))(t)
			e.SetBuffer(b, 0, 0)
			e.SetBytes([]byte{1}, 1)
			b.Release()
		}()
		for deadline := time.Now().Add(10 * time.Second); LiveObjects() != live || objc.LiveSoftwareObjects() != objects; {
			if time.Now().After(deadline) {
				t.Fatalf("%d objects live, %d before; %d software objects, %d before", LiveObjects(), live, objc.LiveSoftwareObjects(), objects)
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	})
}
