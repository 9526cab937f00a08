package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func init() {
	define(floats, "T", 'T', map[string]ir.Op{"sqrt": ir.Sqrt, "rsqrt": ir.Rsqrt, "exp": ir.Exp, "exp2": ir.Exp2, "exp10": ir.Exp10,
		"log": ir.Log, "log2": ir.Log2, "log10": ir.Log10, "sin": ir.Sin, "cos": ir.Cos, "tan": ir.Tan, "asin": ir.Asin, "acos": ir.Acos,
		"atan": ir.Atan, "sinh": ir.Sinh, "cosh": ir.Cosh, "tanh": ir.Tanh, "asinh": ir.Asinh, "acosh": ir.Acosh, "atanh": ir.Atanh,
		"sinpi": ir.Sinpi, "cospi": ir.Cospi, "tanpi": ir.Tanpi})
	define(floats, "TT", 'T', map[string]ir.Op{"pow": ir.Pow, "powr": ir.Powr, "atan2": ir.Atan2, "divide": ir.Div})
	for _, f := range library {
		f.precise = f.op != ir.Div
	}
	define(floats, "T", 'T', map[string]ir.Op{"floor": ir.Floor, "ceil": ir.Ceil, "trunc": ir.Trunc, "round": ir.Round, "rint": ir.Rint,
		"fract": ir.Fract, "sign": ir.Sign, "saturate": ir.Saturate, "fabs": ir.Abs})
	define(floats, "TT", 'T', map[string]ir.Op{"fmod": ir.Fmod, "copysign": ir.Copysign, "fdim": ir.Fdim, "fmin": ir.Min, "fmax": ir.Max,
		"nextafter": ir.NextAfter, "step": ir.Step})
	define(floats, "TTT", 'T', map[string]ir.Op{"fma": ir.Fma, "mix": ir.Mix, "smoothstep": ir.Smoothstep})
	define(floats, "T", 'b', map[string]ir.Op{"isnan": ir.IsNaN, "isinf": ir.IsInf, "isfinite": ir.IsFinite, "isnormal": ir.IsNormal, "signbit": ir.SignBit})
	define(floats, "TT", 'b', map[string]ir.Op{"isequal": ir.Eq, "isnotequal": ir.Ne, "isgreater": ir.Gt, "isgreaterequal": ir.Ge, "isless": ir.Lt,
		"islessequal": ir.Le})
	define(floats, "T", 'i', map[string]ir.Op{"ilogb": ir.Ilogb})
	define(numbers, "T", 'T', map[string]ir.Op{"abs": ir.Abs})
	define(numbers, "TT", 'T', map[string]ir.Op{"min": ir.Min, "max": ir.Max})
	define(numbers, "TTT", 'T', map[string]ir.Op{"clamp": ir.Clamp})
	define(integers, "T", 'T', map[string]ir.Op{"clz": ir.Clz, "ctz": ir.Ctz, "popcount": ir.Popcount, "reverse_bits": ir.ReverseBits})
	define(integers, "TT", 'T', map[string]ir.Op{"absdiff": ir.AbsDiff, "addsat": ir.AddSat, "subsat": ir.SubSat, "mulhi": ir.MulHi, "hadd": ir.HAdd,
		"rhadd": ir.RHAdd, "rotate": ir.Rotate})
	define(integers, "TTT", 'T', map[string]ir.Op{"madhi": ir.MadHi, "madsat": ir.MadSat})

	bits24 := kinds(ir.I32, ir.U32)
	// The operands of these have 24 bits, so that plain arithmetic gives the same.
	define(bits24, "TT", 'T', map[string]ir.Op{"mul24": ir.Mul})
	define(bits24, "TTT", 'T', map[string]ir.Op{"mad24": ir.Mad})

	whole := func(name string, class class, params string, vector bool, f func(c *lowerer, t *typ, args []value) value) {
		library[name] = &libFunc{class: class, params: params, vector: vector, whole: f}
	}
	whole("ldexp", floats, "Ti", false, func(c *lowerer, t *typ, a []value) value {
		return each(t, t.lanes(), func(i int) opnd { return c.emit(ir.Ldexp, t.scalar, t.scalar, a[0].ops[i], a[1].ops[i], none) })
	})
	whole("frexp", floats, "TJ", false, func(c *lowerer, t *typ, a []value) value {
		e := make([]opnd, t.lanes())
		v := each(t, t.lanes(), func(i int) opnd {
			e[i] = c.emit(ir.FrexpExp, t.scalar, ir.I32, a[0].ops[i], none, none)
			return c.emit(ir.FrexpMan, t.scalar, t.scalar, a[0].ops[i], none, none)
		})
		c.store(a[1], e)
		return v
	})
	whole("modf", floats, "TR", false, func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		ip := make([]opnd, t.lanes())
		v := each(t, t.lanes(), func(i int) opnd {
			x := a[0].ops[i]
			ip[i] = c.emit(ir.Trunc, k, k, x, none, none)
			// An infinity has no fraction; x - trunc(x) would be no number.
			d := c.emit(ir.Select, k, k, c.emit(ir.IsInf, k, ir.Bool, x, none, none), constant(k, 0), c.emit(ir.Sub, k, k, x, ip[i], none))
			return c.emit(ir.Copysign, k, k, d, x, none)
		})
		c.store(a[1], ip)
		return v
	})
	whole("sincos", floats, "TR", false, func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		cs := make([]opnd, t.lanes())
		v := each(t, t.lanes(), func(i int) opnd {
			cs[i] = c.emit(ir.Cos, k, k, a[0].ops[i], none, none)
			return c.emit(ir.Sin, k, k, a[0].ops[i], none, none)
		})
		c.store(a[1], cs)
		return v
	})
	three := func(f func(c *lowerer, k ir.Kind, x, y, z opnd) opnd) func(c *lowerer, t *typ, a []value) value {
		return func(c *lowerer, t *typ, a []value) value {
			return each(t, t.lanes(), func(i int) opnd { return f(c, t.scalar, a[0].ops[i], a[1].ops[i], a[2].ops[i]) })
		}
	}
	reduce3 := func(op ir.Op) func(c *lowerer, t *typ, a []value) value {
		return three(func(c *lowerer, k ir.Kind, x, y, z opnd) opnd {
			return c.emit(op, k, k, c.emit(op, k, k, x, y, none), z, none)
		})
	}
	median := three(func(c *lowerer, k ir.Kind, x, y, z opnd) opnd {
		lo, hi := c.emit(ir.Min, k, k, x, y, none), c.emit(ir.Max, k, k, x, y, none)
		return c.emit(ir.Max, k, k, lo, c.emit(ir.Min, k, k, hi, z, none), none)
	})
	for _, p := range []struct {
		prefix string
		class  class
	}{{"", numbers}, {"f", floats}} {
		whole(p.prefix+"min3", p.class, "TTT", false, reduce3(ir.Min))
		whole(p.prefix+"max3", p.class, "TTT", false, reduce3(ir.Max))
	}
	whole("median3", numbers, "TTT", false, median)
	whole("fmedian3", floats, "TTT", false, median)
	unordered := func(not bool) func(c *lowerer, t *typ, a []value) value {
		return func(c *lowerer, t *typ, a []value) value {
			return each(vectorOf(ir.Bool, t.lanes()), t.lanes(), func(i int) opnd {
				x := c.emit(ir.IsNaN, t.scalar, ir.Bool, a[0].ops[i], none, none)
				y := c.emit(ir.IsNaN, t.scalar, ir.Bool, a[1].ops[i], none, none)
				r := c.emit(ir.Or, ir.Bool, ir.Bool, x, y, none)
				if not {
					r = c.emit(ir.Not, ir.Bool, ir.Bool, r, none, none)
				}
				return r
			})
		}
	}
	whole("isunordered", floats, "TT", false, unordered(false))
	whole("isordered", floats, "TT", false, unordered(true))
	whole("islessgreater", floats, "TT", false, func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		return each(vectorOf(ir.Bool, t.lanes()), t.lanes(), func(i int) opnd {
			x, y := a[0].ops[i], a[1].ops[i]
			return c.emit(ir.Or, ir.Bool, ir.Bool, c.emit(ir.Lt, k, ir.Bool, x, y, none), c.emit(ir.Gt, k, ir.Bool, x, y, none), none)
		})
	})
	whole("select", anyKind, "TTb", false, func(c *lowerer, t *typ, a []value) value {
		return each(t, t.lanes(), func(i int) opnd { return c.emit(ir.Select, t.scalar, t.scalar, a[2].ops[i], a[1].ops[i], a[0].ops[i]) })
	})
	for name, op := range map[string]ir.Op{"all": ir.And, "any": ir.Or} {
		whole(name, kinds(ir.Bool), "T", false, func(c *lowerer, t *typ, a []value) value {
			r := a[0].ops[0]
			for _, o := range a[0].ops[1:] {
				r = c.emit(op, ir.Bool, ir.Bool, r, o, none)
			}
			return rvalue(boolType, r)
		})
	}
	whole("extract_bits", integers, "Tuu", false, func(c *lowerer, t *typ, a []value) value {
		return each(t, t.lanes(), func(i int) opnd { return c.emit(ir.ExtractBits, t.scalar, t.scalar, a[0].ops[i], a[1].op(), a[2].op()) })
	})
	whole("insert_bits", integers, "TTuu", false, func(c *lowerer, t *typ, a []value) value {
		return each(t, t.lanes(), func(i int) opnd {
			if c.evaluating > 0 {
				c.fail(c.pos, "expression is not an integral constant expression")
			}
			in := &ir.Instr{Op: ir.InsertBits, Kind: t.scalar, A: c.reg(a[0].ops[i]), B: c.reg(a[1].ops[i]), C: c.reg(a[2].op()),
				Regs: []ir.Reg{c.reg(a[3].op())}, Pos: c.pos}
			in.Dst = c.b.newReg(ir.RegInfo{Kind: t.scalar})
			c.b.append(in)
			return register(t.scalar, in.Dst)
		})
	})
	library["as_type"] = &libFunc{special: asType}
}

// asType is as_type<T>(x).
func asType(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	if !r.last.HasArgs || len(r.last.Args) != 1 || len(args) != 1 {
		c.fail(pos, "as_type takes one type and one value")
	}
	ta := c.templateArg(&r.last.Args[0])
	if ta.typ.t == nil {
		c.fail(pos, "as_type takes a type")
	}
	t := ta.typ.t
	v := c.load(args[0])
	from := v.q.t
	ok := func(t *typ) bool {
		return t.isScalar() && t.scalar != ir.Bool || t.isVector() && t.scalar != ir.Bool || t.kind == tEnum
	}
	fs, _ := sizeAlign(from)
	ts, _ := sizeAlign(t)
	if !ok(from) || !ok(t) || fs != ts {
		c.fail(pos, "invalid as_type from '%s' to '%s': the sizes differ or a type is not scalar or vector", from, t)
	}
	return rvalue(unpacked(t), c.bitcast(v.ops, t.scalar, t.lanes())...)
}

// bitcast reinterprets components as n components of kind to.
func (c *lowerer) bitcast(ops []opnd, to ir.Kind, n int) []opnd {
	from := ops[0].k
	one := func(o opnd, to ir.Kind) opnd {
		if o.k == to {
			return o
		}
		if o.con {
			return constant(to, foldBitcast(o.k, to, o.bits))
		}
		return c.emit(ir.Bitcast, o.k, to, o, none, none)
	}
	out := make([]opnd, n)
	if from.Size() == to.Size() {
		for i := range out {
			out[i] = one(ops[i], to)
		}
		return out
	}
	unsigned := func(size int64) ir.Kind {
		return map[int64]ir.Kind{1: ir.U8, 2: ir.U16, 4: ir.U32, 8: ir.U64}[size]
	}
	fu, tu := unsigned(from.Size()), unsigned(to.Size())
	if from.Size() < to.Size() { // join, the first component lowest
		per := int(to.Size() / from.Size())
		for i := range out {
			w := constant(tu, 0)
			for j := range per {
				if k := i*per + j; k < len(ops) {
					p := c.convert(one(ops[k], fu), tu)
					p = c.emit(ir.Shl, tu, tu, p, constant(tu, uint64(j)*uint64(from.Size())*8), none)
					w = c.emit(ir.Or, tu, tu, w, p, none)
				}
			}
			out[i] = one(w, to)
		}
		return out
	}
	per := int(from.Size() / to.Size())
	for i := range out {
		w := one(ops[i/per], fu)
		w = c.emit(ir.Shr, fu, fu, w, constant(fu, uint64(i%per)*uint64(to.Size())*8), none)
		out[i] = one(c.convert(w, tu), to)
	}
	return out
}
