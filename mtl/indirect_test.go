package mtl

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
)

const indirectKernels = `#include <metal_stdlib>
using namespace metal;
kernel void append(device uint *out [[buffer(0)]], constant uint &digit [[buffer(2)]], uint i [[thread_position_in_grid]],
                   uint n [[threads_per_grid]])
{
    out[i] = out[i] * 10 + digit + n * 0;
}
kernel void turned(device uint *out [[buffer(0)]], threadgroup uint *t [[threadgroup(1)]], uint i [[thread_position_in_threadgroup]],
                   uint n [[threads_per_threadgroup]])
{
    t[i] = out[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = t[n - 1 - i];
}
`

// indirectRig holds what the tests of indirect commands work with.
type indirectRig struct {
	d              *Device
	append, turned *ComputePipelineState
	q              *CommandQueue
	out, digits    *Buffer
	all            []interface{ Release() }
}

func newIndirectRig(t *testing.T, d *Device) *indirectRig {
	t.Helper()
	r := &indirectRig{d: d}
	l := must(d.NewLibraryWithSource(indirectKernels, nil))(t)
	pipeline := func(name string) *ComputePipelineState {
		f := must(l.NewFunction(name))(t)
		defer f.Release()
		return must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, SupportIndirectCommandBuffers: true}))(t)
	}
	r.append, r.turned = pipeline("append"), pipeline("turned")
	r.q = must(d.NewCommandQueue())(t)
	r.out, r.digits = newBuffer(t, d, 16), newBuffer(t, d, 1024)
	for i := range 4 {
		contentsOf[uint32](t, r.digits)[64*i] = uint32(i + 1)
	}
	r.all = []interface{ Release() }{l, r.append, r.turned, r.q, r.out, r.digits}
	return r
}

func (r *indirectRig) release() {
	for _, o := range r.all {
		o.Release()
	}
}

// commands makes commands that append the digits 1, 2, 3 and 4 to the numbers in out.
func (r *indirectRig) commands(t *testing.T) *IndirectCommandBuffer {
	t.Helper()
	b := must(r.d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{
		CommandTypes:             IndirectCommandTypeConcurrentDispatch | IndirectCommandTypeConcurrentDispatchThreads,
		MaxKernelBufferBindCount: 3,
	}, 4, StorageModeShared))(t)
	for i := range b.Size() {
		if err := b.Encode(i, func(c *IndirectComputeCommand) error {
			c.SetComputePipelineState(r.append)
			c.SetKernelBuffer(r.out, 0, 0)
			c.SetKernelBuffer(r.digits, 256*i, 2)
			if i%2 == 0 {
				c.ConcurrentDispatchThreads(Size{4, 1, 1}, Size{4, 1, 1})
			} else {
				c.ConcurrentDispatchThreadgroups(Size{2, 1, 1}, Size{2, 1, 1})
			}
			c.SetBarrier()
			return c.Err()
		}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// want runs f and fails unless all numbers in out are n then.
func (r *indirectRig) want(t *testing.T, n uint32, f func(e *ComputeCommandEncoder) error) {
	t.Helper()
	clear(contentsOf[uint32](t, r.out))
	if err := r.q.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if v := contentsOf[uint32](t, r.out); !slices.Equal(v, []uint32{n, n, n, n}) {
		t.Errorf("wrote %v, want %d", v, n)
	}
}

func TestIndirectCommandsRunInTheRangeThatIsAskedFor(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := r.commands(t)
		defer b.Release()
		b.SetLabel("digits")
		if b.Size() != 4 || b.Label() != "digits" || b.Device() != d {
			t.Errorf("size %d, label %q", b.Size(), b.Label())
		}
		r.want(t, 1234, func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 0, 4); return nil })
		r.want(t, 23, func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 1, 2); return nil })
		r.want(t, 4123, func(e *ComputeCommandEncoder) error {
			e.ExecuteCommands(b, 3, 1)
			e.ExecuteCommands(b, 0, 3)
			return nil
		})
		if err := b.Encode(1, func(c *IndirectComputeCommand) error { c.Reset(); return nil }); err != nil {
			t.Fatal(err)
		}
		r.want(t, 134, func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 0, 4); return nil })
		if err := b.Reset(2, 2); err != nil {
			t.Fatal(err)
		}
		r.want(t, 1, func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 0, 4); return nil })
	})
}

func TestTheDeviceReadsTheRangeOfIndirectCommandsFromMemory(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := r.commands(t)
		defer b.Release()
		where := newBuffer(t, d, 16)
		defer where.Release()
		set := func(first, n uint32) {
			binary.LittleEndian.PutUint32(contentsOf[byte](t, where)[4:], first)
			binary.LittleEndian.PutUint32(contentsOf[byte](t, where)[8:], n)
		}
		run := func(e *ComputeCommandEncoder) error { e.ExecuteCommandsIndirect(b, where, 4); return nil }
		set(1, 3)
		r.want(t, 234, run)
		set(0, 0)
		r.want(t, 0, run)
		set(2, 3)
		var failed *CommandBufferError
		if err := r.q.Run(t.Context(), run); !errors.As(err, &failed) || !strings.Contains(failed.Description, "3 commands from 2") {
			t.Errorf("a range outside: %v", err)
		}
		refused(t, r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { e.ExecuteCommandsIndirect(b, where, 12); return nil }),
			"ComputeCommandEncoder.ExecuteCommandsIndirect", "offset")
		refused(t, r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { e.ExecuteCommandsIndirect(b, nil, 0); return nil }),
			"ComputeCommandEncoder.ExecuteCommandsIndirect", "buffer")
	})
}

func TestIndirectCommandsInheritTheEncodersPipelineAndBuffers(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := must(d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{
			CommandTypes: IndirectCommandTypeConcurrentDispatchThreads, InheritPipelineState: true, InheritBuffers: true,
		}, 1, StorageModeShared))(t)
		defer b.Release()
		if err := b.Encode(0, func(c *IndirectComputeCommand) error {
			c.ConcurrentDispatchThreads(Size{4, 1, 1}, Size{2, 1, 1})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		r.want(t, 31, func(e *ComputeCommandEncoder) error {
			e.SetComputePipelineState(r.append)
			e.SetBuffer(r.out, 0, 0)
			e.SetBuffer(r.digits, 512, 2)
			e.ExecuteCommands(b, 0, 1)
			e.SetBytes([]byte{1, 0, 0, 0}, 2)
			e.ExecuteCommands(b, 0, 1)
			return nil
		})
		refused(t, r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 0, 1); return nil }),
			"ComputeCommandEncoder.ExecuteCommands", "pipeline")
		refused(t, b.Encode(0, func(c *IndirectComputeCommand) error { c.SetComputePipelineState(r.append); return nil }),
			"IndirectComputeCommand.SetComputePipelineState", "pipeline")
	})
}

func TestAnIndirectCommandHasThreadgroupMemory(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := must(d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{
			CommandTypes: IndirectCommandTypeConcurrentDispatch, MaxKernelBufferBindCount: 1, MaxKernelThreadgroupMemoryBindCount: 2,
		}, 1, StorageModeShared))(t)
		defer b.Release()
		if err := b.Encode(0, func(c *IndirectComputeCommand) error {
			c.SetComputePipelineState(r.turned)
			c.SetKernelBuffer(r.out, 0, 0)
			c.SetThreadgroupMemoryLength(16, 1)
			c.ConcurrentDispatchThreadgroups(Size{1, 1, 1}, Size{4, 1, 1})
			c.SetBarrier()
			c.ClearBarrier()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		copy(contentsOf[uint32](t, r.out), []uint32{1, 2, 3, 4})
		if err := r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, 0, 1); return nil }); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[uint32](t, r.out); !slices.Equal(v, []uint32{4, 3, 2, 1}) {
			t.Errorf("wrote %v", v)
		}
	})
}

func TestABlitCopiesAndResetsIndirectCommandsWhenTheDeviceComesToIt(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		from, to := r.commands(t), r.commands(t)
		defer from.Release()
		defer to.Release()
		clear(contentsOf[uint32](t, r.out))
		c := must(r.q.NewCommandBuffer())(t)
		defer c.Release()
		execute := func() {
			e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
			e.ExecuteCommands(to, 0, 4)
			if err := e.EndEncoding(); err != nil {
				t.Fatal(err)
			}
		}
		execute()
		e := must(c.NewBlitCommandEncoder())(t)
		e.CopyCommands(from, 2, 2, to, 0) // 3, 4, 3, 4
		e.ResetCommands(to, 3, 1)         // 3, 4, 3
		e.OptimizeCommands(to, 0, 4)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		execute()
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[uint32](t, r.out); v[0] != 1234343 || v[3] != 1234343 {
			t.Errorf("wrote %v", v)
		}
	})
}

func TestIndirectCommandsKeepWhatTheyUseUntilTheyHaveRun(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := r.commands(t)
		c := must(r.q.NewCommandBuffer())(t)
		defer c.Release()
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		e.ExecuteCommands(b, 0, 4)
		if err := e.EndEncoding(); err != nil {
			t.Fatal(err)
		}
		b.Release()
		r.digits.Release()
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := c.WaitUntilCompleted(); err != nil {
			t.Fatal(err)
		}
		if v := contentsOf[uint32](t, r.out); v[0] != 1234 {
			t.Errorf("wrote %v", v)
		}
	})
}

func TestIndirectCommandsWhoseBufferIsGoneDoNotRun(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		b := must(d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{
			CommandTypes: IndirectCommandTypeConcurrentDispatch, MaxKernelBufferBindCount: 1,
		}, 2, StorageModeShared))(t)
		defer b.Release()
		gone := newBuffer(t, d, 16)
		if err := b.Encode(1, func(c *IndirectComputeCommand) error { c.SetKernelBuffer(gone, 0, 0); return nil }); err != nil {
			t.Fatal(err)
		}
		gone.Release()
		run := func(first int) error {
			return r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { e.ExecuteCommands(b, first, 1); return nil })
		}
		if err := run(0); err != nil {
			t.Errorf("a command that does nothing: %v", err)
		}
		refused(t, run(1), "ComputeCommandEncoder.ExecuteCommands", "buffer of command 1")
	})
}

func TestIndirectCommandsThatMetalWouldAssertOnAreErrors(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		r := newIndirectRig(t, d)
		defer r.release()
		const create = "Device.NewIndirectCommandBuffer"
		dispatch := IndirectCommandBufferDescriptor{CommandTypes: IndirectCommandTypeConcurrentDispatch, MaxKernelBufferBindCount: 2,
			MaxKernelThreadgroupMemoryBindCount: 1}
		for arg, c := range map[string]struct {
			desc  *IndirectCommandBufferDescriptor
			count int
		}{
			"descriptor":                          {nil, 1},
			"CommandTypes":                        {&IndirectCommandBufferDescriptor{CommandTypes: IndirectCommandTypeDraw}, 1},
			"MaxKernelBufferBindCount":            {&IndirectCommandBufferDescriptor{CommandTypes: 32, MaxKernelBufferBindCount: 32}, 1},
			"MaxKernelThreadgroupMemoryBindCount": {&IndirectCommandBufferDescriptor{CommandTypes: 32, MaxKernelThreadgroupMemoryBindCount: -1}, 1},
			"count":                               {&dispatch, 16385},
		} {
			_, err := d.NewIndirectCommandBuffer(c.desc, c.count, StorageModeShared)
			refused(t, err, create, arg)
		}
		_, err := d.NewIndirectCommandBuffer(&dispatch, 1, 4096)
		refused(t, err, create, "options")

		l := must(d.NewLibraryWithSource(indirectKernels, nil))(t)
		defer l.Release()
		f := must(l.NewFunction("append"))(t)
		defer f.Release()
		plain := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
		defer plain.Release()
		b := must(d.NewIndirectCommandBuffer(&dispatch, 2, StorageModeShared))(t)
		other := must(d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{CommandTypes: 64}, 2, StorageModeShared))(t)
		defer other.Release()
		const command = "IndirectComputeCommand."
		for _, c := range []struct {
			op, arg string
			f       func(c *IndirectComputeCommand)
		}{
			{"SetComputePipelineState", "pipeline", func(c *IndirectComputeCommand) { c.SetComputePipelineState(nil) }},
			{"SetComputePipelineState", "pipeline", func(c *IndirectComputeCommand) { c.SetComputePipelineState(plain) }},
			{"SetKernelBuffer", "buffer", func(c *IndirectComputeCommand) { c.SetKernelBuffer(nil, 0, 0) }},
			{"SetKernelBuffer", "index", func(c *IndirectComputeCommand) { c.SetKernelBuffer(r.out, 0, 2) }},
			{"SetKernelBuffer", "offset", func(c *IndirectComputeCommand) { c.SetKernelBuffer(r.out, 16, 0) }},
			{"SetThreadgroupMemoryLength", "index", func(c *IndirectComputeCommand) { c.SetThreadgroupMemoryLength(16, 1) }},
			{"SetThreadgroupMemoryLength", "length", func(c *IndirectComputeCommand) { c.SetThreadgroupMemoryLength(8, 0) }},
			{"ConcurrentDispatchThreadgroups", "pipeline", func(c *IndirectComputeCommand) {
				c.ConcurrentDispatchThreadgroups(Size{1, 1, 1}, Size{1, 1, 1})
			}},
			{"ConcurrentDispatchThreadgroups", "grid", func(c *IndirectComputeCommand) {
				c.SetComputePipelineState(r.append)
				c.ConcurrentDispatchThreadgroups(Size{1, 0, 1}, Size{1, 1, 1})
			}},
			{"ConcurrentDispatchThreadgroups", "threadgroup", func(c *IndirectComputeCommand) {
				c.SetComputePipelineState(r.append)
				c.ConcurrentDispatchThreadgroups(Size{1, 1, 1}, Size{512, 4, 1})
			}},
			{"ConcurrentDispatchThreads", "CommandTypes", func(c *IndirectComputeCommand) {
				c.SetComputePipelineState(r.append)
				c.ConcurrentDispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
			}},
		} {
			err := b.Encode(0, func(x *IndirectComputeCommand) error {
				x.Reset()
				c.f(x)
				x.SetKernelBuffer(r.out, -1, -1) // the first error is told
				return nil
			})
			refused(t, err, command+c.op, c.arg)
		}
		var kept *IndirectComputeCommand
		if err := b.Encode(0, func(c *IndirectComputeCommand) error { kept = c; return nil }); err != nil {
			t.Error(err)
		}
		kept.SetBarrier()
		refused(t, kept.Err(), command+"SetBarrier", "command")
		refused(t, b.Encode(2, nil), "IndirectCommandBuffer.Encode", "index")
		refused(t, b.Reset(1, 2), "IndirectCommandBuffer.Reset", "range")
		story := errors.New("story")
		if err := b.Encode(0, func(*IndirectComputeCommand) error { return story }); err != story {
			t.Errorf("error is %v", err)
		}

		const compute = "ComputeCommandEncoder."
		for _, c := range []struct {
			op, arg string
			f       func(e *ComputeCommandEncoder)
		}{
			{"ExecuteCommands", "range", func(e *ComputeCommandEncoder) { e.ExecuteCommands(b, 1, 2) }},
			{"ExecuteCommands", "indirect command buffer", func(e *ComputeCommandEncoder) { e.ExecuteCommands(nil, 0, 1) }},
		} {
			refused(t, r.q.Run(t.Context(), func(e *ComputeCommandEncoder) error { c.f(e); return nil }), compute+c.op, c.arg)
		}
		for _, c := range []struct {
			op, arg string
			f       func(e *BlitCommandEncoder)
		}{
			{"ResetCommands", "range", func(e *BlitCommandEncoder) { e.ResetCommands(b, 0, 3) }},
			{"OptimizeCommands", "indirect command buffer", func(e *BlitCommandEncoder) { e.OptimizeCommands(nil, 0, 1) }},
			{"CopyCommands", "range", func(e *BlitCommandEncoder) { e.CopyCommands(b, 0, 1, b, 2) }},
			{"CopyCommands", "ranges", func(e *BlitCommandEncoder) { e.CopyCommands(b, 0, 1, b, 0) }},
			{"CopyCommands", "destination", func(e *BlitCommandEncoder) { e.CopyCommands(b, 0, 1, other, 0) }},
		} {
			cb := must(r.q.NewCommandBuffer())(t)
			e := must(cb.NewBlitCommandEncoder())(t)
			c.f(e)
			refused(t, e.EndEncoding(), "BlitCommandEncoder."+c.op, c.arg)
			cb.Release()
		}
		b.Release()
		refused(t, b.Reset(0, 1), "IndirectCommandBuffer.Reset", "indirect command buffer")
		refused(t, b.Encode(0, nil), "IndirectCommandBuffer.Encode", "indirect command buffer")
	})
}
