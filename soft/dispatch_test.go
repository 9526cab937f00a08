package soft

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
	"github.com/puremetal/puremetal/soft/simt"
)

// scaleKernel is kernel void scale(device float *v [[buffer(1)]], constant float &by [[buffer(4)]]) { v[i] *= by; }, in the
// compiler's output form, so that these tests need no compiler.
func scaleKernel() *ir.Kernel {
	k := &ir.Kernel{Name: "scale", Regions: 1, Buffers: []ir.BufferArg{
		{Name: "v", Index: 1, Elem: 4, Align: 4},
		{Name: "by", Index: 4, Elem: 4, Align: 4, Ref: true, ReadOnly: true},
	}}
	reg := func(kind ir.Kind) ir.Reg {
		k.Regs = append(k.Regs, ir.RegInfo{Kind: kind, Len: 1})
		return ir.Reg(len(k.Regs) - 1)
	}
	line := int32(0)
	do := func(in ir.Instr) {
		line++
		in.Pos = token.Pos{Line: line, Col: 1}
		k.Body = append(k.Body, &in)
	}
	k.Regs = append(k.Regs, ir.RegInfo{Kind: ir.U32, Len: 1, Const: true})
	zero := ir.Reg(0)
	i, v, by, x, s, y := reg(ir.U32), reg(ir.Ptr), reg(ir.Ptr), reg(ir.F32), reg(ir.F32), reg(ir.F32)
	none := ir.NoReg
	do(ir.Instr{Op: ir.Builtin, Kind: ir.U32, Dst: i, A: none, B: none, C: none, Imm: ir.ThreadPositionInGrid})
	do(ir.Instr{Op: ir.AddrBuffer, Kind: ir.Ptr, Dst: v, A: none, B: none, C: none, Imm: 0})
	do(ir.Instr{Op: ir.AddrBuffer, Kind: ir.Ptr, Dst: by, A: none, B: none, C: none, Imm: 1})
	do(ir.Instr{Op: ir.Load, Kind: ir.F32, Dst: none, A: v, B: i, C: none, Imm: 4, Regs: []ir.Reg{x}})
	do(ir.Instr{Op: ir.Load, Kind: ir.F32, Dst: none, A: by, B: zero, C: none, Imm: 4, Regs: []ir.Reg{s}})
	do(ir.Instr{Op: ir.Mul, Kind: ir.F32, Dst: y, A: x, B: s, C: none})
	do(ir.Instr{Op: ir.Store, Kind: ir.F32, Dst: none, A: v, B: i, C: none, Imm: 4, Regs: []ir.Reg{y}})
	return k
}

// scalePipeline makes the pipeline; the caller releases it.
func scalePipeline(t *testing.T, m *objc.Msg, maxThreads int) objc.ID {
	t.Helper()
	k := scaleKernel()
	k.MaxTotalThreads = maxThreads
	f := objc.NewObject(functionClass, &function{library: new(library), kernel: k})
	defer objc.Release(f)
	p := objc.ID(m.Send(theDevice(), selNewPipelineWithFunction, uintptr(f), m.Out(0)))
	if p == 0 {
		t.Fatal(objc.ErrorOf(m.OutID(0)))
	}
	return p
}

func floatAt(mem []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(mem[4*i:]))
}

func TestADispatchRunsWithWhatWasBoundWhenItWasEncoded(t *testing.T) {
	defer SetChecks(SetChecks(simt.CheckAll))
	pool(t, func(m *objc.Msg) {
		p := scalePipeline(t, m, 64)
		defer objc.Release(p)
		if n := m.Send(p, selMaxTotalThreads); n != 64 {
			t.Errorf("%d threads", n)
		}
		q := objc.ID(m.Send(theDevice(), selNewCommandQueue))
		defer objc.Release(q)
		b := newShared(m, 4*100)
		mem := objc.ObjectOf(b).State.(*buffer).mem
		for i := range 100 {
			binary.LittleEndian.PutUint32(mem[4*i:], math.Float32bits(float32(i)))
		}
		by := func(v float32) uintptr { return m.Bytes(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))) }
		run := func(f func(e objc.ID)) objc.ID {
			c := objc.ID(m.Send(q, selCommandBuffer))
			e := objc.ID(m.Send(c, selComputeWithType, dispatchParallel))
			m.Send(e, selSetLabel, uintptr(objc.Autorelease(objc.Software().NewString("halving"))))
			m.Send(e, selSetComputePipelineState, uintptr(p))
			f(e)
			m.Send(e, selEndEncoding)
			m.Send(c, selCommit)
			return c
		}
		good := run(func(e objc.ID) {
			m.Send(e, selSetBuffer, uintptr(b), 0, 1)
			m.Send(e, selSetBuffer, uintptr(b), 40, 1) // from element 10
			m.Send(e, selSetBytes, by(0.5), 4, 4)
			m.Send(e, selDispatchThreads, 33, 1, 1, 32, 1, 1)
			m.Send(e, selSetBytes, by(4), 4, 4)
			m.Send(e, selSetBufferOffset, 200, 1) // from element 50
			m.Send(e, selDispatchThreadgroups, 2, 1, 1, 8, 1, 1)
			m.Send(e, selSetBytes, by(99), 4, 4) // after the last dispatch
			if n := len(objc.ObjectOf(e).State.(*compute).buffer.recording.retained); n != 2 {
				t.Errorf("%d references to a buffer and a pipeline", n)
			}
			m.Send(e, selSetThreadgroupMemoryLength, maxThreadgroupMemory, 0)
			m.Send(e, selSetThreadgroupMemoryLength, maxThreadgroupMemory-16, 0)
			m.Send(e, selSetThreadgroupMemoryLength, 32, 1)
			asserts(t, "MTLComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:", "threadgroup memory of 0 static and 32784 set", func() { m.Send(e, selDispatchThreads, 1, 1, 1, 1, 1, 1) })
			m.Send(e, selSetThreadgroupMemoryLength, 0, 0)
			asserts(t, "MTLComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:", "65 threads", func() { m.Send(e, selDispatchThreads, 1, 1, 1, 65, 1, 1) })
			asserts(t, "MTLComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:", "is empty", func() { m.Send(e, selDispatchThreads, 1, 0, 1, 1, 1, 1) })
			asserts(t, "MTLComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:", "must be 1 to", func() { m.Send(e, selDispatchThreads, 1, 1, 1, 1, 1, 0) })
			asserts(t, "MTLComputeCommandEncoder dispatchThreads:threadsPerThreadgroup:", "can count", func() { m.Send(e, selDispatchThreads, 1<<32, 1, 1, 1, 1, 1) })
			asserts(t, "MTLComputeCommandEncoder dispatchThreadgroups:threadsPerThreadgroup:", "can count", func() { m.Send(e, selDispatchThreadgroups, 1<<30, 1, 1, 4, 1, 1) })
		})
		over := run(func(e objc.ID) {
			m.Send(e, selSetBuffer, uintptr(b), 396, 1) // element 99 alone
			m.Send(e, selSetBytes, by(2), 4, 4)
			m.Send(e, selDispatchThreads, 2, 1, 1, 2, 1, 1)
		})
		unbound := run(func(e objc.ID) {
			m.Send(e, selSetBuffer, uintptr(b), 0, 1)
			m.Send(e, selDispatchThreads, 1, 1, 1, 1, 1, 1)
		})
		m.Send(unbound, selWaitUntilCompleted)
		if s := m.Send(good, selStatus); s != statusCompleted {
			t.Errorf("status %d: %v", s, objc.ErrorOf(objc.ID(m.Send(good, selError))))
		}
		for i := range 99 {
			want := float32(i)
			if i >= 10 && i < 43 {
				want *= 0.5
			} else if i >= 50 && i < 66 {
				want *= 4
			}
			if got := floatAt(mem, i); got != want {
				t.Errorf("element %d is %v, want %v", i, got, want)
			}
		}
		for c, parts := range map[objc.ID][]string{over: {"buffer(1) v", "scale", "thread (1, 0, 0)"}, unbound: {"buffer(4) by"}} {
			e := objc.ErrorOf(objc.ID(m.Send(c, selError)))
			if m.Send(c, selStatus) != statusError || e == nil || e.Domain != commandBufferErrorDomain || e.Code != commandBufferErrorPageFault {
				t.Errorf("error %v", e)
				continue
			}
			for _, part := range append(parts, `encoder "halving": `) {
				if !strings.Contains(e.Description, part) {
					t.Errorf("%q lacks %q", e.Description, part)
				}
			}
		}
		objc.Release(b)
	})
}

func TestAPipelineOverTheLimitsIsAnError(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		k := scaleKernel()
		k.Statics = []ir.Object{{Name: "big", Size: maxThreadgroupMemory + 16, Align: 16}}
		f := objc.Autorelease(objc.NewObject(functionClass, &function{library: new(library), kernel: k}))
		if p := m.Send(theDevice(), selNewPipelineWithFunction, uintptr(f), m.Out(0)); p != 0 {
			t.Error("a pipeline")
		}
		if e := objc.ErrorOf(m.OutID(0)); e == nil || e.Code != libraryErrorInternal || !strings.Contains(e.Description, "threadgroup memory") {
			t.Errorf("error %v", e)
		}
		f = objc.Autorelease(objc.NewObject(functionClass, &function{library: new(library), kernel: scaleKernel()}))
		d := objc.Autorelease(objc.SendID(objc.SendID(objc.Software().Class("MTLComputePipelineDescriptor"), objc.Sel("alloc", "@@:")), selInit))
		m.Send(d, selSetComputeFunction, uintptr(f))
		m.Send(d, selSetMaxTotalThreads, 1025)
		if p := m.Send(theDevice(), selNewPipelineWithDescriptor, uintptr(d), 0, 0, m.Out(0)); p != 0 {
			t.Error("a pipeline")
		}
		if e := objc.ErrorOf(m.OutID(0)); e == nil || !strings.Contains(e.Description, "1025") {
			t.Errorf("error %v", e)
		}
		m.Send(d, selSetMaxTotalThreads, 32)
		m.Send(d, selSetThreadGroupSizeIsMultiple, 1)
		if objc.ID(m.Send(d, selComputeFunction)) != f || m.Send(d, selMaxTotalThreads) != 32 || m.Send(d, selThreadGroupSizeIsMultiple) != 1 {
			t.Error("the descriptor forgets")
		}
		p := objc.ID(m.Send(theDevice(), selNewPipelineWithDescriptor, uintptr(d), 0, 0, m.Out(0)))
		if p == 0 || m.Send(p, selMaxTotalThreads) != 32 || m.Send(p, selThreadExecutionWidth) != 32 {
			t.Errorf("no pipeline of 32 threads: %v", objc.ErrorOf(m.OutID(0)))
		}
		objc.Release(p)
		m.Send(d, selReset)
		if m.Send(d, selComputeFunction) != 0 || m.Send(d, selMaxTotalThreads) != 0 {
			t.Error("reset keeps the function")
		}
	})
}

func TestBytesAreAlignedAndKeepTheirValues(t *testing.T) {
	r := recordings.Get().(*recording)
	defer r.recycle()
	var at []int
	for i := range 300 {
		at = append(at, r.addBytes([]byte{byte(i), byte(i >> 8), 7}))
	}
	for i, a := range at {
		if a%bytesAlign != 0 || r.bytes[a] != byte(i) || r.bytes[a+1] != byte(i>>8) || r.bytes[a+2] != 7 {
			t.Errorf("bytes %d are %v at %d", i, r.bytes[a:a+3], a)
		}
	}
	if skew(r.bytes, bytesAlign) != 0 {
		t.Error("the first byte is not aligned")
	}
}
