package msl

import (
	"fmt"
	"math"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func libraryEnum(name string, scoped bool, members ...string) *typ {
	en := &enumType{name: name, scoped: scoped, scope: &scope{}}
	t := &typ{kind: tEnum, scalar: ir.U32, en: en}
	for i, m := range members {
		v := uint64(i)
		if i > 0 && name == "mem_flags" {
			v = 1 << (i - 1)
		}
		en.scope.declare(&symbol{kind: symVar, name: m, val: rvalue(t, constant(ir.U32, v))})
	}
	return t
}

var (
	memFlagsType    = libraryEnum("mem_flags", true, "mem_none", "mem_device", "mem_threadgroup", "mem_texture", "mem_threadgroup_imageblock")
	memoryOrderType = libraryEnum("memory_order", true, "memory_order_relaxed")
	voteType        = &typ{kind: tStruct, st: &structType{name: "simd_vote", library: "simd_vote", size: 8, align: 8, slots: 1, done: true,
		scope:  &scope{names: map[string]*symbol{"vote_t": {kind: symType, name: "vote_t", typ: plain(ulongType)}}},
		fields: []field{{name: "(votes)", q: plain(ulongType)}}}}
)

// structTyp is the type of a struct.
func (c *lowerer) structTyp(st *structType) *typ {
	return c.types.get(typeKey{kind: tStruct, ref: st}, func() *typ { return &typ{kind: tStruct, st: st} })
}

// libraryStruct makes an empty struct of Metal's library with member names.
func (c *lowerer) libraryStruct(name, library string, args []tmplArg, members ...*symbol) qtype {
	key := "lib:" + name
	for _, a := range args {
		if a.valT != nil {
			key += fmt.Sprintf(",%p=%d", a.valT, a.val.bits)
		} else {
			key += fmt.Sprintf(",%p%v%d", a.typ.t, a.typ.con, a.typ.sp)
		}
	}
	t := c.types.get(typeKey{kind: tStruct, ref: key}, func() *typ {
		st := &structType{name: name, library: library, args: args, size: 1, align: 1, done: true}
		st.scope = &scope{st: st, outer: c.global}
		for _, m := range members {
			st.scope.declare(m)
		}
		return &typ{kind: tStruct, st: st}
	})
	return plain(t)
}

func valueMember(name string, v value) *symbol { return &symbol{kind: symVar, name: name, val: v} }

func typeMember(name string, q qtype) *symbol { return &symbol{kind: symType, name: name, typ: q} }

func (c *lowerer) integralConstant(t *typ, v opnd) qtype {
	return c.libraryStruct("integral_constant", "integral_constant", []tmplArg{{val: v, valT: t}}, valueMember("value", rvalue(t, v)),
		typeMember("value_type", plain(t)))
}

func (c *lowerer) boolConstant(b bool) qtype {
	return c.integralConstant(boolType, constant(ir.Bool, b2u(b)))
}

// libraryTemplate gives a template of Metal's library with arguments.
func (c *lowerer) libraryTemplate(part *syntax.NamePart, pos token.Pos) (qtype, bool) {
	name := part.Ident
	if strings.HasPrefix(name, "texture") || strings.HasPrefix(name, "depth") || name == "tensor" || name == "cooperative_tensor" {
		c.unsupported(pos, "type '"+name+"'")
	}
	args := c.templateArgs(part.Args)
	isType := func(i int) bool { return i < len(args) && args[i].valT == nil && args[i].typ.t != nil }
	isInt := func(i int) (int, bool) {
		if i >= len(args) || args[i].valT == nil {
			return 0, false
		}
		n, ok := args[i].val.int()
		return int(n), ok
	}
	switch name {
	case "vec", "packed_vec":
		n, ok := isInt(1)
		if !isType(0) || !ok || !args[0].typ.t.isScalar() || n < 1 || n > 4 {
			c.fail(pos, "invalid arguments of 'vec'")
		}
		if name == "packed_vec" && n > 1 && args[0].typ.t.scalar != ir.Bool {
			return plain(packeds[args[0].typ.t.scalar][n]), true
		}
		return plain(vectorOf(args[0].typ.t.scalar, n)), true
	case "matrix":
		n, ok := isInt(1)
		m, ok2 := isInt(2)
		if !isType(0) || !ok || !ok2 || !args[0].typ.t.isFloat() || n < 2 || n > 4 || m < 2 || m > 4 {
			c.fail(pos, "invalid arguments of 'matrix'")
		}
		return plain(matrices[args[0].typ.t.scalar][n][m]), true
	case "array":
		n, ok := isInt(1)
		if !isType(0) || !ok || n < 0 || n > maxLeaves {
			c.fail(pos, "invalid arguments of 'array'")
		}
		return plain(c.types.array(plain(args[0].typ.t), n, true)), true
	case "simdgroup_matrix":
		n, ok := isInt(1)
		m, ok2 := isInt(2)
		if !isType(0) || !ok || !ok2 || n != 8 || m != 8 || !args[0].typ.t.isFloat() {
			c.fail(pos, "simdgroup_matrix exists for half, bfloat and float elements in 8 columns and 8 rows")
		}
		return plain(simdMats[args[0].typ.t.scalar]), true
	case "atomic":
		if !isType(0) || !args[0].typ.t.isScalar() || atomics[args[0].typ.t.scalar] == nil {
			c.fail(pos, "invalid argument of 'atomic'")
		}
		return plain(atomics[args[0].typ.t.scalar]), true
	case "numeric_limits":
		if !isType(0) || !args[0].typ.t.isScalar() {
			c.fail(pos, "numeric_limits is defined for scalar types")
		}
		a := args[0]
		a.typ = plain(a.typ.t)
		return c.libraryStruct("numeric_limits", "numeric_limits", []tmplArg{a}), true
	case "integral_constant":
		if !isType(0) || len(args) != 2 {
			c.fail(pos, "invalid arguments of 'integral_constant'")
		}
		a := c.castArg(args[1], args[0].typ, pos)
		return c.integralConstant(a.valT, a.val), true
	case "bool_constant":
		n, ok := isInt(0)
		if !ok {
			c.fail(pos, "invalid argument of 'bool_constant'")
		}
		return c.boolConstant(n != 0), true
	case "enable_if", "enable_if_t":
		n, ok := isInt(0)
		if !ok {
			c.fail(pos, "invalid argument of 'enable_if'")
		}
		q := plain(voidType)
		if isType(1) {
			q = args[1].typ
		}
		if name == "enable_if_t" {
			if n == 0 {
				c.fail(pos, "no type named 'type' in 'enable_if<false>'; 'enable_if' cannot be used to disable this declaration")
			}
			return q, true
		}
		if n == 0 {
			return c.libraryStruct("enable_if", "", args), true
		}
		return c.libraryStruct("enable_if", "", args, typeMember("type", q)), true
	case "conditional", "conditional_t":
		n, ok := isInt(0)
		if !ok || !isType(1) || !isType(2) {
			c.fail(pos, "invalid arguments of 'conditional'")
		}
		q := args[2].typ
		if n != 0 {
			q = args[1].typ
		}
		if name == "conditional_t" {
			return q, true
		}
		return c.libraryStruct(name, "", args, typeMember("type", q)), true
	case "void_t":
		return plain(voidType), true
	}
	if b, ok := c.boolTrait(name, args); ok {
		return c.boolConstant(b), true
	}
	base, direct := strings.CutSuffix(name, "_t")
	if len(args) > 0 && isType(0) {
		if q, ok := c.typeTrait(base, args[0].typ, args); ok {
			if direct {
				return q, true
			}
			return c.libraryStruct(name, "", args, typeMember("type", q)), true
		}
	}
	return qtype{}, false
}

// typeTrait gives the type that a trait makes of q.
func (c *lowerer) typeTrait(name string, q qtype, args []tmplArg) (qtype, bool) {
	switch name {
	case "remove_const", "remove_cv":
		q.con = false
	case "remove_volatile", "add_volatile":
	case "remove_address_space":
		q.sp = spaceNone
	case "add_const", "add_cv":
		q.con = q.t.kind != tRef
	case "remove_reference":
		if q.t.kind == tRef {
			q = q.t.elem
			q.sp = spaceNone
		}
	case "remove_pointer":
		if q.t.kind == tPointer {
			q = q.t.elem
		}
	case "remove_extent":
		if q.t.kind == tArray {
			q = q.t.elem
		}
	case "decay":
		if q.t.kind == tRef {
			q = q.t.elem
		}
		q = c.adjusted(plain(q.t))
	case "make_signed", "make_unsigned":
		if !q.t.isInteger() {
			return qtype{}, false
		}
		k := q.t.scalar
		if k.IsSigned() && name == "make_unsigned" {
			k++
		} else if !k.IsSigned() && name == "make_signed" {
			k--
		}
		q.t = scalars[k]
	case "make_scalar":
		if q.t.isVector() {
			q.t = scalars[q.t.scalar]
		}
	case "underlying_type":
		if q.t.kind != tEnum {
			return qtype{}, false
		}
		q = plain(scalars[q.t.scalar])
	case "common_type":
		t := q.t
		for _, a := range args[1:] {
			if a.typ.t == nil || !t.isArithmetic() || !a.typ.t.isArithmetic() {
				return qtype{}, false
			}
			if a.typ.t != t {
				t = scalars[usualKind(t.scalar, a.typ.t.scalar)]
			}
		}
		q = plain(t)
	default:
		return qtype{}, false
	}
	return q, true
}

// boolTrait evaluates a trait that is true or false.
func (c *lowerer) boolTrait(name string, args []tmplArg) (b, ok bool) {
	if len(args) == 0 || args[0].typ.t == nil {
		return false, false
	}
	q := args[0].typ
	t := q.t
	switch name {
	case "is_same":
		return len(args) == 2 && args[0].same(args[1]), true
	case "is_convertible":
		return len(args) == 2 && args[1].typ.t != nil && c.convertible(rvalue(q.t), args[1].typ), true
	case "is_base_of":
		return len(args) == 2 && args[1].typ.t != nil && t.kind == tStruct && (t == args[1].typ.t || c.derives(args[1].typ.t, t)), true
	case "is_integral":
		return t.isScalar() && !t.scalar.IsFloat(), true
	case "is_floating_point":
		return t.isFloat(), true
	case "is_arithmetic", "is_scalar":
		return t.isScalar() || name == "is_scalar" && (t.kind == tEnum || t.kind == tPointer), true
	case "is_signed":
		return t.isScalar() && (t.scalar.IsSigned() || t.scalar.IsFloat()), true
	case "is_unsigned":
		return t.isScalar() && !t.scalar.IsSigned() && !t.scalar.IsFloat(), true
	case "is_vector":
		return t.isVector(), true
	case "is_const":
		return q.con, true
	case "is_volatile", "is_union", "is_function":
		return false, true
	case "is_void":
		return t == voidType, true
	case "is_pointer":
		return t.kind == tPointer, true
	case "is_reference":
		return t.kind == tRef, true
	case "is_lvalue_reference":
		return t.kind == tRef && !t.rvalue, true
	case "is_rvalue_reference":
		return t.kind == tRef && t.rvalue, true
	case "is_array":
		return t.kind == tArray && !t.object, true
	case "is_enum":
		return t.kind == tEnum, true
	case "is_class":
		return t.kind == tStruct, true
	case "is_empty":
		return t.kind == tStruct && len(t.st.fields) == 0, true
	case "is_trivially_copyable":
		return true, true
	}
	return false, false
}

// libraryValue gives a value of Metal's library that is no function: a trait like is_same_v, an enumerator, true_type.
func (c *lowerer) libraryValue(r *qualified, part *syntax.NamePart) {
	switch part.Ident {
	case "true_type", "false_type":
		q := c.boolConstant(part.Ident == "true_type")
		r.typ = &q
		return
	case "memory_order_relaxed":
		v := rvalue(memoryOrderType, constant(ir.U32, 0))
		r.val = &v
		return
	case "thread_scope_threadgroup", "thread_scope_simdgroup", "thread_scope_device", "thread_scope_thread":
		c.unsupported(r.n.At, "'"+part.Ident+"'")
	}
	if base, ok := strings.CutSuffix(part.Ident, "_v"); ok && part.HasArgs {
		if b, ok := c.boolTrait(base, c.templateArgs(part.Args)); ok {
			v := rvalue(boolType, constant(ir.Bool, b2u(b)))
			r.val = &v
		}
	}
}

// limit resolves a member of numeric_limits<q>: a constant, or a function that is a library function of its own.
func (c *lowerer) limit(r *qualified, q qtype, part *syntax.NamePart) {
	k := q.t.scalar
	set := func(t *typ, bits uint64) {
		v := rvalue(t, constant(t.scalar, bits))
		r.val = &v
	}
	flag := func(b bool) { set(boolType, b2u(b)) }
	digits := map[ir.Kind]uint64{ir.Bool: 1, ir.I8: 7, ir.U8: 8, ir.I16: 15, ir.U16: 16, ir.I32: 31, ir.U32: 32, ir.I64: 63, ir.U64: 64,
		ir.F16: 11, ir.BF16: 8, ir.F32: 24}
	switch part.Ident {
	case "is_specialized":
		flag(true)
	case "is_signed":
		flag(k.IsSigned() || k.IsFloat())
	case "is_integer", "is_exact":
		flag(!k.IsFloat())
	case "has_infinity", "has_quiet_NaN", "is_iec559":
		flag(k.IsFloat())
	case "digits":
		set(intType, digits[k])
	case "radix":
		set(intType, 2)
	case "max", "min", "lowest", "epsilon", "infinity", "quiet_NaN", "denorm_min":
		r.of = &q
		r.lib = true
	default:
		c.fail(r.n.At, "no member named '%s' in 'numeric_limits<%s>'", part.Ident, q)
	}
}

// limitValue is the result of a function of numeric_limits.
func limitValue(name string, k ir.Kind) (opnd, bool) {
	if !k.IsFloat() {
		bits := uint(k.Size() * 8)
		switch {
		case name == "max" && k == ir.Bool:
			return constant(k, 1), true
		case name == "max" && k.IsSigned():
			return constant(k, 1<<(bits-1)-1), true
		case name == "max":
			return constant(k, math.MaxUint64), true
		case (name == "min" || name == "lowest") && k.IsSigned():
			return constant(k, ^uint64(0)<<(bits-1)), true
		case name == "quiet_NaN":
			return none, false
		}
		return constant(k, 0), true
	}
	type limits struct{ max, min, eps, denorm float64 }
	l := map[ir.Kind]limits{
		ir.F32:  {math.MaxFloat32, 0x1p-126, 0x1p-23, 0x1p-149},
		ir.F16:  {65504, 0x1p-14, 0x1p-10, 0x1p-24},
		ir.BF16: {0x1.fep127, 0x1p-126, 0x1p-7, 0x1p-133},
	}[k]
	var v float64
	switch name {
	case "max":
		v = l.max
	case "min":
		v = l.min
	case "lowest":
		v = -l.max
	case "epsilon":
		v = l.eps
	case "denorm_min":
		v = l.denorm
	case "infinity":
		v = math.Inf(1)
	case "quiet_NaN":
		v = math.NaN()
	}
	return constant(k, uint64(math.Float32bits(float32(v)))), true
}
