package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func init() {
	geometry := func(name, params string, f func(c *lowerer, t *typ, a []value) value) {
		library[name] = &libFunc{class: floats, params: params, vector: true, whole: f}
	}
	scalar := func(t *typ, o opnd) value { return rvalue(scalars[t.scalar], o) }
	sub := func(c *lowerer, t *typ, a, b []opnd) []opnd {
		return each(t, t.n, func(i int) opnd { return c.emit(ir.Sub, t.scalar, t.scalar, a[i], b[i], none) }).ops
	}
	sqrt := func(c *lowerer, k ir.Kind, o opnd) opnd { return c.emit(ir.Sqrt, k, k, o, none, none) }
	geometry("dot", "TT", func(c *lowerer, t *typ, a []value) value { return scalar(t, c.dot(t.scalar, a[0].ops, a[1].ops)) })
	geometry("length_squared", "T", func(c *lowerer, t *typ, a []value) value { return scalar(t, c.dot(t.scalar, a[0].ops, a[0].ops)) })
	geometry("length", "T", func(c *lowerer, t *typ, a []value) value {
		return scalar(t, sqrt(c, t.scalar, c.dot(t.scalar, a[0].ops, a[0].ops)))
	})
	geometry("distance_squared", "TT", func(c *lowerer, t *typ, a []value) value {
		d := sub(c, t, a[0].ops, a[1].ops)
		return scalar(t, c.dot(t.scalar, d, d))
	})
	geometry("distance", "TT", func(c *lowerer, t *typ, a []value) value {
		d := sub(c, t, a[0].ops, a[1].ops)
		return scalar(t, sqrt(c, t.scalar, c.dot(t.scalar, d, d)))
	})
	geometry("normalize", "T", func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		s := c.emit(ir.Rsqrt, k, k, c.dot(k, a[0].ops, a[0].ops), none, none)
		return each(t, t.n, func(i int) opnd { return c.emit(ir.Mul, k, k, a[0].ops[i], s, none) })
	})
	geometry("cross", "TT", func(c *lowerer, t *typ, a []value) value {
		if t.n != 3 {
			c.fail(c.pos, "no matching function for call to 'cross'")
		}
		k, x, y := t.scalar, a[0].ops, a[1].ops
		return each(t, 3, func(i int) opnd {
			p, q := (i+1)%3, (i+2)%3
			return c.emit(ir.Sub, k, k, c.emit(ir.Mul, k, k, x[p], y[q], none), c.emit(ir.Mul, k, k, x[q], y[p], none), none)
		})
	})
	geometry("reflect", "TT", func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		d := c.emit(ir.Mul, k, k, constant(k, roundTo(k, 2)), c.dot(k, a[1].ops, a[0].ops), none)
		return each(t, t.n, func(i int) opnd {
			return c.emit(ir.Sub, k, k, a[0].ops[i], c.emit(ir.Mul, k, k, d, a[1].ops[i], none), none)
		})
	})
	geometry("faceforward", "TTT", func(c *lowerer, t *typ, a []value) value {
		k := t.scalar
		front := c.emit(ir.Lt, k, ir.Bool, c.dot(k, a[2].ops, a[1].ops), constant(k, 0), none)
		return each(t, t.n, func(i int) opnd {
			return c.emit(ir.Select, k, k, front, a[0].ops[i], c.emit(ir.Neg, k, k, a[0].ops[i], none, none))
		})
	})
	geometry("refract", "TTs", func(c *lowerer, t *typ, a []value) value {
		k, eta, one := t.scalar, a[2].op(), constant(t.scalar, roundTo(t.scalar, 1))
		mul := func(x, y opnd) opnd { return c.emit(ir.Mul, k, k, x, y, none) }
		subtract := func(x, y opnd) opnd { return c.emit(ir.Sub, k, k, x, y, none) }
		d := c.dot(k, a[1].ops, a[0].ops)
		kk := subtract(one, mul(mul(eta, eta), subtract(one, mul(d, d))))
		total := c.emit(ir.Lt, k, ir.Bool, kk, constant(k, 0), none)
		f := c.emit(ir.Add, k, k, mul(eta, d), sqrt(c, k, kk), none)
		return each(t, t.n, func(i int) opnd {
			return c.emit(ir.Select, k, k, total, constant(k, 0), subtract(mul(eta, a[0].ops[i]), mul(f, a[1].ops[i])))
		})
	})
	library["transpose"] = &libFunc{special: transpose}
	library["determinant"] = &libFunc{special: determinant}
}

func matrixArg(c *lowerer, name string, args []value, pos token.Pos) value {
	if len(args) != 1 || args[0].q.t.kind != tMatrix {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	return c.load(args[0])
}

func transpose(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	v := matrixArg(c, "transpose", args, pos)
	t := v.q.t
	ops := make([]opnd, len(v.ops))
	for col := range t.n {
		for row := range t.m {
			ops[row*t.n+col] = v.ops[col*t.m+row]
		}
	}
	return rvalue(matrices[t.scalar][t.m][t.n], ops...)
}

func determinant(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	v := matrixArg(c, "determinant", args, pos)
	t := v.q.t
	if t.n != t.m {
		c.fail(pos, "no matching function for call to 'determinant'")
	}
	k := t.scalar
	// Expansion by the first column of what is left.
	var det func(rows, cols []int) opnd
	det = func(rows, cols []int) opnd {
		if len(rows) == 1 {
			return v.ops[cols[0]*t.m+rows[0]]
		}
		var sum opnd
		for i := range rows {
			rest := append(append([]int(nil), rows[:i]...), rows[i+1:]...)
			p := c.emit(ir.Mul, k, k, v.ops[cols[0]*t.m+rows[i]], det(rest, cols[1:]), none)
			switch {
			case i == 0:
				sum = p
			case i%2 == 1:
				sum = c.emit(ir.Sub, k, k, sum, p, none)
			default:
				sum = c.emit(ir.Add, k, k, sum, p, none)
			}
		}
		return sum
	}
	idx := []int{0, 1, 2, 3}[:t.n]
	return rvalue(scalars[k], det(idx, idx))
}
