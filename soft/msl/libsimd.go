package msl

import (
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func init() {
	group := func(name string, class class, params string, op ir.Op) {
		for _, prefix := range []string{"simd_", "quad_"} {
			width := int64(0)
			if prefix == "quad_" {
				width = 4
			}
			library[prefix+name] = &libFunc{class: class, params: params, whole: func(c *lowerer, t *typ, a []value) value {
				if c.evaluating > 0 {
					c.fail(c.pos, "expression is not an integral constant expression")
				}
				return each(t, t.lanes(), func(i int) opnd {
					x := [3]opnd{none, none, none}
					for j := range a {
						x[j] = a[j].ops[min(i, len(a[j].ops)-1)]
					}
					return c.emitImm(op, t.scalar, t.scalar, x[0], x[1], x[2], 0, width)
				})
			}}
		}
	}
	group("sum", numbers, "T", ir.SimdSum)
	group("product", numbers, "T", ir.SimdProduct)
	group("min", numbers, "T", ir.SimdMin)
	group("max", numbers, "T", ir.SimdMax)
	group("and", integers, "T", ir.SimdAnd)
	group("or", integers, "T", ir.SimdOr)
	group("xor", integers, "T", ir.SimdXor)
	group("prefix_inclusive_sum", numbers, "T", ir.SimdPrefixInclusiveSum)
	group("prefix_exclusive_sum", numbers, "T", ir.SimdPrefixExclusiveSum)
	group("prefix_inclusive_product", numbers, "T", ir.SimdPrefixInclusiveProduct)
	group("prefix_exclusive_product", numbers, "T", ir.SimdPrefixExclusiveProduct)
	group("broadcast", anyKind, "Tu", ir.SimdBroadcast)
	group("broadcast_first", anyKind, "T", ir.SimdBroadcastFirst)
	group("shuffle", anyKind, "Tu", ir.SimdShuffle)
	group("shuffle_xor", anyKind, "Tu", ir.SimdShuffleXor)
	group("shuffle_up", anyKind, "Tu", ir.SimdShuffleUp)
	group("shuffle_down", anyKind, "Tu", ir.SimdShuffleDown)
	group("shuffle_rotate_up", anyKind, "Tu", ir.SimdShuffleRotateUp)
	group("shuffle_rotate_down", anyKind, "Tu", ir.SimdShuffleRotateDown)
	special := func(name string, f func(c *lowerer, args []value, width int64, pos token.Pos) value) {
		for _, prefix := range []string{"simd_", "quad_"} {
			width := int64(0)
			if prefix == "quad_" {
				width = 4
			}
			library[prefix+name] = &libFunc{special: func(c *lowerer, r *qualified, args []value, pos token.Pos) value {
				if c.evaluating > 0 {
					c.fail(pos, "expression is not an integral constant expression")
				}
				c.pos = pos
				return f(c, args, width, pos)
			}}
		}
	}
	fill := func(op ir.Op) func(c *lowerer, args []value, width int64, pos token.Pos) value {
		return func(c *lowerer, args []value, width int64, pos token.Pos) value {
			if len(args) != 3 && len(args) != 4 {
				c.fail(pos, "no matching function for call to 'simd_shuffle_and_fill'")
			}
			f := &libFunc{class: numbers, params: "TTuu"[:len(args)]}
			t := c.matchLibrary(f, "simd_shuffle_and_fill", args, nil, pos)
			mod := constant(ir.U32, 32)
			if width == 4 {
				mod = constant(ir.U32, 4)
			}
			data, with := c.implicit(args[0], plain(t), pos), c.implicit(args[1], plain(t), pos)
			delta := c.implicit(args[2], plain(uintType), pos).op()
			if len(args) == 4 {
				mod = c.implicit(args[3], plain(uintType), pos).op()
			}
			return each(t, t.lanes(), func(i int) opnd {
				in := &ir.Instr{Op: op, Kind: t.scalar, A: c.reg(data.ops[i]), B: c.reg(with.ops[i]), C: c.reg(delta),
					Imm2: width, Regs: []ir.Reg{c.reg(mod)}, Pos: pos}
				in.Dst = c.b.newReg(ir.RegInfo{Kind: t.scalar})
				c.b.append(in)
				return register(t.scalar, in.Dst)
			})
		}
	}
	special("shuffle_and_fill_up", fill(ir.SimdShuffleAndFillUp))
	special("shuffle_and_fill_down", fill(ir.SimdShuffleAndFillDown))
	vote := func(op ir.Op, n int, t *typ, k ir.Kind) func(c *lowerer, args []value, width int64, pos token.Pos) value {
		return func(c *lowerer, args []value, width int64, pos token.Pos) value {
			if len(args) != n {
				c.fail(pos, "no matching function for call with %d arguments", len(args))
			}
			x := none
			if n == 1 {
				x = c.toBool(args[0], pos).op()
			}
			return rvalue(t, c.emitImm(op, ir.Bool, k, x, none, none, 0, width))
		}
	}
	special("ballot", vote(ir.SimdBallot, 1, voteType, ir.U64))
	special("all", vote(ir.SimdAll, 1, boolType, ir.Bool))
	special("any", vote(ir.SimdAny, 1, boolType, ir.Bool))
	special("is_first", vote(ir.SimdIsFirst, 0, boolType, ir.Bool))
	special("active_threads_mask", vote(ir.SimdActiveMask, 0, voteType, ir.U64))

	for _, name := range []string{"threadgroup_barrier", "simdgroup_barrier"} {
		op := ir.ThreadgroupBarrier
		if strings.HasPrefix(name, "simd") {
			op = ir.SimdgroupBarrier
		}
		library[name] = &libFunc{special: func(c *lowerer, r *qualified, args []value, pos token.Pos) value {
			if len(args) != 1 || args[0].q.t != memFlagsType {
				c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
			}
			flags, ok := c.load(args[0]).constantInt()
			if !ok {
				c.fail(pos, "the argument of '%s' must be a constant", name)
			}
			if c.evaluating > 0 {
				c.fail(pos, "expression is not an integral constant expression")
			}
			c.b.append(&ir.Instr{Op: op, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Imm: flags, Pos: pos})
			return rvalue(voidType)
		}}
	}
}
