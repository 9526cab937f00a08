package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// class is a set of kinds that a library function is defined for.
type class uint16

func kinds(ks ...ir.Kind) (c class) {
	for _, k := range ks {
		c |= 1 << k
	}
	return c
}

var (
	floats   = kinds(ir.F16, ir.BF16, ir.F32)
	integers = kinds(ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64)
	numbers  = floats | integers
	anyKind  = numbers | kinds(ir.Bool)
)

// libFunc is a function of Metal's library. params has a letter for each parameter: T the type the function is generic
// over, a scalar or vector; i and b the int and bool types of as many components; u an unsigned scalar; R a reference to a T
// and J one to an i. result is one of T, i, b, and s for the element type of T.
type libFunc struct {
	class   class
	params  string
	result  byte
	op      ir.Op
	precise bool // has a fast and a precise form
	vector  bool // defined for vectors only, as a whole
	whole   func(c *lowerer, t *typ, args []value) value
	special func(c *lowerer, r *qualified, args []value, pos token.Pos) value
}

// library has the functions by name.
var library = map[string]*libFunc{}

func define(class class, params string, result byte, ops map[string]ir.Op) {
	for name, op := range ops {
		library[name] = &libFunc{class: class, params: params, result: result, op: op}
	}
}

func (c *lowerer) isLibraryFunction(name string) bool {
	_, ok := library[name]
	return ok || name == "is_function_constant_defined" || name == syntax.ArraySize || limitNames[name]
}

var limitNames = map[string]bool{"lowest": true, "epsilon": true, "infinity": true, "quiet_NaN": true, "denorm_min": true}

// libraryCall calls a function of Metal's library.
func (c *lowerer) libraryCall(r *qualified, x *syntax.CallExpr) value {
	if r.last.Ident == "is_function_constant_defined" {
		if len(x.Args) == 1 {
			if fc := c.functionConstantOf(x.Args[0]); fc != nil {
				return c.constantDefined(fc)
			}
		}
		c.fail(x.At, "'is_function_constant_defined' takes a function constant")
	}
	if r.last.Ident == syntax.ArraySize {
		return c.arraySize(x)
	}
	args := c.exprs(x.Args)
	c.pos = x.At
	return c.libraryCallWith(r, args, x)
}

// arraySize gives the number of elements that a range-based for visits.
func (c *lowerer) arraySize(x *syntax.CallExpr) value {
	var t *typ
	c.onlyType(func() { t = c.expr(x.Args[0]).q.t })
	if t == nil || t.kind != tArray {
		c.fail(x.At, "invalid range expression of type '%s'; no viable 'begin' function available", t)
	}
	return rvalue(scalars[ir.U32], constant(ir.U32, uint64(t.n)))
}

func (c *lowerer) constantDefined(fc *functionConstant) value {
	if _, ok := c.uses[fc]; !ok {
		c.uses[fc] = false
	}
	if !c.known {
		key := &functionConstant{name: fc.name + " defined"}
		for k, v := range c.values {
			if k.name == key.name {
				return v
			}
		}
		if c.values == nil {
			c.values = map[*functionConstant]value{}
		}
		v := rvalue(boolType, c.undefined(boolType)...)
		c.values[key] = v
		return v
	}
	_, ok := c.values[fc]
	return rvalue(boolType, constant(ir.Bool, b2u(ok)))
}

func (c *lowerer) libraryCallWith(r *qualified, args []value, x *syntax.CallExpr) value {
	name := r.last.Ident
	pos := r.n.At
	c.pos = pos
	if r.of != nil {
		o, ok := limitValue(name, r.of.t.scalar)
		if !ok || len(args) > 0 {
			c.fail(pos, "no matching function for call to '%s'", name)
		}
		return rvalue(r.of.t, o)
	}
	f := library[name]
	if f == nil {
		c.fail(pos, "use of undeclared identifier '%s'", name)
	}
	for i := range args {
		if args[i].q.t == nil {
			c.fail(pos, "no matching function for call to '%s'", name)
		}
	}
	if f.special != nil {
		return f.special(c, r, args, pos)
	}
	var fixed *typ
	if r.last.HasArgs {
		if as := c.templateArgs(r.last.Args); len(as) > 0 && as[0].typ.t != nil {
			fixed = as[0].typ.t
		}
	}
	t := c.matchLibrary(f, name, args, fixed, pos)
	return c.applyLibrary(f, r, t, args, pos)
}

// libraryExact reports whether a library function takes the arguments as they are.
func (c *lowerer) libraryExact(r *qualified, args []value) bool {
	f := library[r.last.Ident]
	if f == nil || f.special != nil || len(args) != len(f.params) {
		return false
	}
	var t *typ
	for i, a := range args {
		if f.params[i] != 'T' || a.q.t == nil || !a.q.t.isScalar() && a.q.t.kind != tVector || f.class&(1<<a.q.t.scalar) == 0 {
			return false
		}
		if t != nil && t != a.q.t {
			return false
		}
		t = a.q.t
	}
	return true
}

// paramType gives the type of a parameter for a T.
func (c *lowerer) paramType(p byte, t *typ) *typ {
	n := t.lanes()
	switch p {
	case 'i', 'J':
		return vectorOf(ir.I32, n)
	case 'b':
		return vectorOf(ir.Bool, n)
	case 'u':
		return uintType
	case 's':
		return scalars[t.scalar]
	}
	return t
}

// matchLibrary finds the T of a call: overload resolution among the types that the function is defined for.
func (c *lowerer) matchLibrary(f *libFunc, name string, args []value, fixed *typ, pos token.Pos) *typ {
	no := func() {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	if len(args) != len(f.params) {
		no()
	}
	lanes := 1
	var same *typ
	exact := true
	for i, a := range args {
		t := a.q.t
		if f.params[i] == 'u' {
			continue
		}
		if t.isVector() {
			if lanes > 1 && t.n != lanes {
				no()
			}
			lanes = t.n
		}
		if f.params[i] == 'T' {
			if !t.isScalar() && t.kind != tVector || same != nil && t != same {
				exact = false
			}
			same = t
		}
	}
	if fixed != nil {
		if !fixed.isScalar() && fixed.kind != tVector || f.class&(1<<fixed.scalar) == 0 {
			no()
		}
		return fixed
	}
	if exact && same != nil && f.class&(1<<same.scalar) != 0 && same.lanes() == lanes && (!f.vector || lanes > 1) {
		return same
	}
	if f.vector && lanes == 1 {
		no()
	}
	type fit struct {
		t     *typ
		ranks [6]rank
	}
	var best []fit
	for k := ir.Bool; k <= ir.F32; k++ {
		if f.class&(1<<k) == 0 {
			continue
		}
		x := fit{t: vectorOf(k, lanes)}
		ok := true
		for i, a := range args {
			p := c.paramType(f.params[i], x.t)
			if f.params[i] == 'R' || f.params[i] == 'J' {
				if a.q.t != p {
					ok = false
				}
				continue
			}
			x.ranks[i] = c.fitValue(a, plain(p))
			if x.ranks[i] == rankNone {
				ok = false
				break
			}
		}
		if !ok {
			continue
		}
		better := func(a, b *fit) bool {
			wins := false
			for i := range args {
				if a.ranks[i] > b.ranks[i] {
					return false
				}
				wins = wins || a.ranks[i] < b.ranks[i]
			}
			return wins
		}
		kept := best[:0]
		add := true
		for j := range best {
			if better(&best[j], &x) {
				add = false
			}
			if !better(&x, &best[j]) {
				kept = append(kept, best[j])
			}
		}
		best = kept
		if add {
			best = append(best, x)
		}
	}
	switch len(best) {
	case 0:
		no()
	case 1:
		return best[0].t
	}
	c.fail(pos, "call to '%s' is ambiguous", name)
	return nil
}

// applyLibrary emits a call whose T is known.
func (c *lowerer) applyLibrary(f *libFunc, r *qualified, t *typ, args []value, pos token.Pos) value {
	vs := make([]value, len(args))
	for i, a := range args {
		if f.params[i] == 'R' || f.params[i] == 'J' {
			if !a.lv || a.q.con || a.sw != nil {
				c.fail(pos, "no matching function for call to '%s%s'", r.last.Ident, c.describe(args))
			}
			vs[i] = a
			continue
		}
		vs[i] = c.implicit(a, plain(c.paramType(f.params[i], t)), pos)
	}
	c.pos = pos
	if f.whole != nil {
		return f.whole(c, t, vs)
	}
	var form int64
	if f.precise && c.evaluating == 0 {
		form = r.form
		if form == 0 && c.opts.FastMath {
			form = 1
		}
	}
	k := t.scalar
	dst := k
	switch f.result {
	case 'i':
		dst = ir.I32
	case 'b':
		dst = ir.Bool
	}
	ops := make([]opnd, t.lanes())
	for i := range ops {
		xs := [3]opnd{none, none, none}
		for j := range vs {
			xs[j] = vs[j].ops[min(i, len(vs[j].ops)-1)]
		}
		ops[i] = c.emitImm(f.op, k, dst, xs[0], xs[1], xs[2], form, 0)
	}
	return rvalue(vectorOf(dst, len(ops)), ops...)
}

// each applies f to every component of several values and gives a value of type t.
func each(t *typ, n int, f func(i int) opnd) value {
	ops := make([]opnd, n)
	for i := range ops {
		ops[i] = f(i)
	}
	return rvalue(t, ops...)
}

// libraryMethod calls a method of a type of Metal's library.
func (c *lowerer) libraryMethod(self value, name string, args []value, x *syntax.CallExpr) value {
	t := self.q.t
	switch {
	case t == voteType && len(args) == 0 && (name == "all" || name == "any"):
		o := c.load(self).op()
		if name == "any" {
			return rvalue(boolType, c.emit(ir.Ne, ir.U64, ir.Bool, o, constant(ir.U64, 0), none))
		}
		return rvalue(boolType, c.emit(ir.Eq, ir.U64, ir.Bool, o, c.emitImm(ir.SimdActiveMask, ir.U64, ir.U64, none, none, none, 0, 0), none))
	case t.kind == tArray && name == "size" && len(args) == 0:
		return rvalue(ulongType, constant(ir.U64, uint64(t.n)))
	case t.kind == tSimdMat && name == "thread_elements" && len(args) == 0:
		if !self.lv {
			self = c.materialise(self)
		}
		return value{q: qtype{vectors[t.scalar][2], self.q.con, spaceThread}, lv: true, at: self.at, isMat: true}
	}
	c.fail(x.At, "no member named '%s' in '%s'", name, t)
	return value{}
}
