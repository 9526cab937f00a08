package simt

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// numOps is one more than the last operation.
const numOps = ir.MatSet + 1

// effect says what an operation does to its Dst register.
type effect uint8

const (
	noResult effect = iota
	result          // assigns Dst in every lane
	update          // assigns Dst in the active lanes
)

// opShape describes the operands of an operation: how many of A, B and C it reads always, and what becomes of Dst.
type opShape struct {
	known    bool
	operands int
	dst      effect
}

var opShapes = func() (t [numOps]opShape) {
	set := func(operands int, dst effect, from, to ir.Op) {
		for o := from; o <= to; o++ {
			t[o] = opShape{true, operands, dst}
		}
	}
	set(0, noResult, ir.Nop, ir.Decl)
	set(1, update, ir.Mov, ir.Mov)
	set(1, result, ir.Neg, ir.Neg)
	set(2, result, ir.Add, ir.Xor)
	set(1, result, ir.Not, ir.Not)
	set(2, result, ir.Shl, ir.Ge)
	set(3, result, ir.Select, ir.Select)
	set(1, result, ir.Convert, ir.Abs)
	set(2, result, ir.Min, ir.Max)
	set(3, result, ir.Clamp, ir.Clamp)
	set(2, result, ir.AbsDiff, ir.RHAdd)
	set(3, result, ir.Mad, ir.MadSat)
	set(1, result, ir.Clz, ir.ReverseBits)
	set(2, result, ir.Rotate, ir.Rotate)
	set(3, result, ir.ExtractBits, ir.InsertBits)
	set(3, result, ir.Fma, ir.Fma)
	set(1, result, ir.Sqrt, ir.Log10)
	set(2, result, ir.Pow, ir.Powr)
	set(1, result, ir.Sin, ir.Atan)
	set(2, result, ir.Atan2, ir.Atan2)
	set(1, result, ir.Sinh, ir.Fract)
	set(2, result, ir.Fmod, ir.Ldexp)
	set(1, result, ir.Ilogb, ir.FrexpExp)
	set(2, result, ir.NextAfter, ir.NextAfter)
	set(1, result, ir.Saturate, ir.Sign)
	set(2, result, ir.Step, ir.Step)
	set(3, result, ir.Smoothstep, ir.Mix)
	set(1, result, ir.IsNaN, ir.SignBit)
	set(2, result, ir.ArrayGet, ir.ArrayGet)
	set(2, update, ir.ArraySet, ir.ArraySet)
	set(0, result, ir.AddrBuffer, ir.NullPtr)
	set(1, result, ir.PtrAdd, ir.PtrAdd)
	set(2, result, ir.PtrDiff, ir.PtrDiff)
	set(1, noResult, ir.Load, ir.Store)
	set(1, result, ir.AtomicLoad, ir.AtomicXor)
	set(0, result, ir.Builtin, ir.Builtin)
	set(1, result, ir.SimdSum, ir.SimdPrefixExclusiveProduct)
	set(2, result, ir.SimdBroadcast, ir.SimdBroadcast)
	set(1, result, ir.SimdBroadcastFirst, ir.SimdBroadcastFirst)
	set(2, result, ir.SimdShuffle, ir.SimdShuffleRotateDown)
	set(3, result, ir.SimdShuffleAndFillUp, ir.SimdShuffleAndFillDown)
	set(1, result, ir.SimdBallot, ir.SimdAny)
	set(0, result, ir.SimdActiveMask, ir.SimdIsFirst)
	set(0, noResult, ir.ThreadgroupBarrier, ir.SimdgroupBarrier)
	set(1, result, ir.MatFill, ir.MatDiag)
	set(2, result, ir.MatLoad, ir.MatLoad)
	set(3, noResult, ir.MatStore, ir.MatStore)
	set(2, result, ir.MatMul, ir.MatMul)
	set(3, result, ir.MatMac, ir.MatMac)
	set(2, result, ir.MatGet, ir.MatGet)
	set(2, update, ir.MatSet, ir.MatSet)
	return t
}()

// usesIndex reports whether B is an optional index of an address.
func usesIndex(op ir.Op) bool {
	return op == ir.PtrAdd || op == ir.Load || op == ir.Store || op >= ir.AtomicLoad && op <= ir.AtomicXor
}

// reads calls f for every register that in reads.
func reads(in *ir.Instr, f func(ir.Reg)) {
	s := opShapes[in.Op]
	for i, r := range [3]ir.Reg{in.A, in.B, in.C} {
		if i < s.operands {
			f(r)
		}
	}
	if usesIndex(in.Op) && in.B != ir.NoReg {
		f(in.B)
	}
	if in.Op > ir.AtomicLoad && in.Op <= ir.AtomicXor {
		f(in.C)
	}
	if in.Op == ir.MatLoad && in.C != ir.NoReg {
		f(in.C)
	}
	switch in.Op {
	case ir.Store, ir.InsertBits, ir.AtomicCAS, ir.SimdShuffleAndFillUp, ir.SimdShuffleAndFillDown, ir.MatLoad, ir.MatStore:
		for _, r := range in.Regs {
			if r != ir.NoReg {
				f(r)
			}
		}
	}
}

// writes calls f for every register that in assigns.
func writes(in *ir.Instr, f func(ir.Reg)) {
	if in.Op == ir.Load {
		for _, r := range in.Regs {
			f(r)
		}
		return
	}
	if opShapes[in.Op].dst != noResult && in.Dst != ir.NoReg {
		f(in.Dst)
	}
}

// checkInstr holds in to its shape, so that the compiler behind it can index without asking.
func checkInstr(k *ir.Kernel, in *ir.Instr) error {
	fail := func(format string, a ...any) error {
		return fmt.Errorf("simt: kernel %s: %s: operation %d: %s", k.Name, in.Pos, in.Op, fmt.Sprintf(format, a...))
	}
	if in.Op >= numOps || !opShapes[in.Op].known {
		return fail("not known")
	}
	var bad error
	check := func(r ir.Reg) {
		if r < 0 || int(r) >= len(k.Regs) {
			bad = fail("register %d of %d", r, len(k.Regs))
		}
	}
	reads(in, check)
	writes(in, func(r ir.Reg) {
		check(r)
		if bad == nil && k.Regs[r].Const {
			bad = fail("assigns the constant register %d", r)
		}
	})
	if in.Op == ir.Decl || opShapes[in.Op].dst != noResult && !(in.Op >= ir.AtomicLoad && in.Op <= ir.AtomicXor) {
		check(in.Dst)
	}
	if bad != nil {
		return bad
	}
	objects := -1
	switch in.Op {
	case ir.AddrBuffer:
		objects = len(k.Buffers)
	case ir.AddrThreadgroup:
		objects = len(k.Threadgroup)
	case ir.AddrStatic:
		objects = len(k.Statics)
	case ir.AddrPrivate:
		objects = len(k.Privates)
	case ir.AddrConstant:
		objects = len(k.Constants)
	case ir.InsertBits, ir.AtomicCAS, ir.SimdShuffleAndFillUp, ir.SimdShuffleAndFillDown:
		if len(in.Regs) != 1 {
			return fail("%d further operands, not 1", len(in.Regs))
		}
	case ir.MatLoad:
		if len(in.Regs) > 1 {
			return fail("%d further operands, more than 1", len(in.Regs))
		}
	case ir.MatStore:
		if len(in.Regs) > 2 {
			return fail("%d further operands, more than 2", len(in.Regs))
		}
	case ir.Load, ir.Store:
		if len(in.Regs) == 0 {
			return fail("no values")
		}
	}
	if objects >= 0 && (in.Imm < 0 || in.Imm >= int64(objects)) {
		return fail("object %d of %d", in.Imm, objects)
	}
	return nil
}
