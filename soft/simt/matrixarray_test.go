package simt

import (
	"errors"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// matrixArray is a kernel with an array of four matrices: each simdgroup fills element i with i + 1 in a loop, then stores
// element `from` of a copy of the array.
func matrixArray(from func(b *builder) ir.Reg) *builder {
	b := newBuilder("matrices", "out")
	array := func() ir.Reg {
		a := b.reg(ir.RegInfo{Kind: ir.MatF32, Len: 4, Var: true, Name: "tiles"})
		b.instr(ir.Instr{Op: ir.Decl, Kind: ir.MatF32, Dst: a, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg})
		return a
	}
	tiles, other := array(), array()
	b.count(b.u32(4), func(i ir.Reg, _, _ int) {
		value := b.op(ir.Convert, ir.U32, ir.F32, b.bin(ir.Add, ir.U32, i, b.u32(1)))
		m := b.op(ir.MatFill, ir.MatF32, ir.MatF32, value)
		b.instr(ir.Instr{Op: ir.ArraySet, Kind: ir.MatF32, Dst: tiles, A: i, B: m, C: ir.NoReg})
	})
	b.mov(other, tiles)
	last := b.op(ir.MatFill, ir.MatF32, ir.MatF32, b.f32(-1))
	b.instr(ir.Instr{Op: ir.ArraySet, Kind: ir.MatF32, Dst: tiles, A: b.u32(3), B: last, C: ir.NoReg})
	m := b.op(ir.ArrayGet, ir.MatF32, ir.MatF32, other, from(b))
	b.matStore(m, ir.F32, b.buffer(0), b.constant(ir.U64, 8), ir.NoReg, ir.NoReg)
	return b
}

func TestArraysOfMatricesAreIndexedAndCopied(t *testing.T) {
	for i := range uint32(4) {
		for name, from := range map[string]func(*builder) ir.Reg{
			"constant": func(b *builder) ir.Reg { return b.u32(i) },
			"loaded":   func(b *builder) ir.Reg { return b.load(ir.U32, b.buffer(0), b.u32(0)) },
		} {
			out := make([]byte, 4*64)
			out[0] = byte(i)
			run(t, matrixArray(from).compile(t), line(32, 32, out))
			for at := range 64 {
				if got := floatAt(out, at); got != float32(i+1) {
					t.Errorf("%s index %d: element %d is %v, want %v", name, i, at, got, i+1)
					break
				}
			}
		}
	}
}

func TestAnIndexOutsideAnArrayOfMatricesIsAFault(t *testing.T) {
	k := matrixArray(func(b *builder) ir.Reg { return b.load(ir.U32, b.buffer(0), b.u32(0)) }).compile(t)
	out := make([]byte, 4*64)
	out[0] = 4
	var f *Fault
	if err := k.Run(line(32, 32, out)); !errors.As(err, &f) || f.Kind != OutOfBounds {
		t.Errorf("error %v", err)
	}
}
