package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

func init() {
	library["make_filled_simdgroup_matrix"] = &libFunc{special: filledMatrix}
	library["simdgroup_load"] = &libFunc{special: matrixLoad}
	library["simdgroup_store"] = &libFunc{special: matrixStore}
	library["simdgroup_multiply"] = &libFunc{special: matrixMultiply}
	library["simdgroup_multiply_accumulate"] = &libFunc{special: matrixMultiply}
}

func filledMatrix(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	as := c.templateArgs(r.last.Args)
	ok := len(as) >= 1 && len(as) <= 3 && as[0].typ.t != nil && as[0].typ.t.isFloat() && len(args) == 1
	for i := 1; ok && i < len(as); i++ {
		n, isInt := as[i].val.int()
		ok = as[i].valT != nil && isInt && n == 8
	}
	if !ok {
		c.fail(pos, "no matching function for call to 'make_filled_simdgroup_matrix'")
	}
	k := as[0].typ.t.scalar
	v := c.implicit(args[0], as[0].typ, pos)
	c.pos = pos
	return rvalue(simdMats[k], c.emit(ir.MatFill, k.Mat(), k.Mat(), v.op(), none, none))
}

// matrixTarget is a simdgroup matrix that a function assigns.
func (c *lowerer) matrixTarget(v value, name string, args []value, pos token.Pos) {
	if v.q.t.kind != tSimdMat || !v.lv || v.q.con {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
}

// matrixMemory evaluates the arguments behind the matrix of simdgroup_load and simdgroup_store.
func matrixMemory(c *lowerer, name string, args []value, pos token.Pos) (ptr, stride, col, row ir.Reg, transposed int64, k ir.Kind) {
	no := func() { c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args)) }
	if len(args) < 2 || len(args) > 5 {
		no()
	}
	p := c.load(args[1])
	if p.q.t.kind != tPointer || !p.q.t.elem.t.isFloat() {
		no()
	}
	e := p.q.t.elem
	if e.sp != spaceDevice && e.sp != spaceThreadgroup && !(e.sp == spaceConstant && name == "simdgroup_load") || e.con && name == "simdgroup_store" {
		no()
	}
	k = e.t.scalar
	if args[0].q.t.scalar != k {
		no()
	}
	ptr = c.pointerReg(p.op())
	if p.op().ptr == nil && p.op().con {
		no()
	}
	s := constant(ir.U64, 8)
	if len(args) > 2 {
		s = c.implicit(args[2], plain(ulongType), pos).op()
	}
	stride = c.reg(s)
	col, row = ir.NoReg, ir.NoReg
	if len(args) > 3 {
		if t := args[3].q.t; !t.isArithmetic() && t != vectors[ir.U64][2] {
			no()
		}
		o := c.implicit(args[3], plain(vectors[ir.U64][2]), pos)
		if !o.ops[0].isZero() || !o.ops[1].isZero() {
			col, row = c.reg(c.convert(o.ops[0], ir.I64)), c.reg(c.convert(o.ops[1], ir.I64))
		}
	}
	if len(args) > 4 {
		tv := c.toBool(args[4], pos).op()
		n, ok := tv.int()
		if !ok {
			c.unsupported(pos, "a transpose flag of '"+name+"' that is not a constant")
		}
		transposed = n
	}
	return
}

func matrixLoad(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	if len(args) == 0 {
		c.fail(pos, "no matching function for call to 'simdgroup_load'")
	}
	c.matrixTarget(args[0], "simdgroup_load", args, pos)
	ptr, stride, col, row, transposed, k := matrixMemory(c, "simdgroup_load", args, pos)
	in := &ir.Instr{Op: ir.MatLoad, Kind: k.Mat(), A: ptr, B: stride, C: col, Imm: transposed, Imm2: int64(k), Regs: []ir.Reg{row}, Pos: pos}
	in.Dst = c.b.newReg(ir.RegInfo{Kind: k.Mat()})
	c.pos = pos
	c.b.append(in)
	c.store(args[0], []opnd{register(k.Mat(), in.Dst)})
	return rvalue(voidType)
}

func matrixStore(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	if len(args) == 0 || args[0].q.t.kind != tSimdMat {
		c.fail(pos, "no matching function for call to 'simdgroup_store%s'", c.describe(args))
	}
	m := c.load(args[0]).op()
	ptr, stride, col, row, transposed, k := matrixMemory(c, "simdgroup_store", args, pos)
	c.pos = pos
	c.b.append(&ir.Instr{Op: ir.MatStore, Kind: m.k, Dst: ir.NoReg, A: c.reg(m), B: ptr, C: stride, Imm: transposed, Imm2: int64(k),
		Regs: []ir.Reg{col, row}, Pos: pos})
	return rvalue(voidType)
}

func matrixMultiply(c *lowerer, r *qualified, args []value, pos token.Pos) value {
	name := r.last.Ident
	n := 3
	op := ir.MatMul
	if name == "simdgroup_multiply_accumulate" {
		n, op = 4, ir.MatMac
	}
	if len(args) != n {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	c.matrixTarget(args[0], name, args, pos)
	for _, a := range args[1:] {
		if a.q.t.kind != tSimdMat {
			c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
		}
	}
	x := [3]opnd{none, none, none}
	for i, a := range args[1:] {
		x[i] = c.load(a).op()
	}
	if n == 4 && args[3].q.t != args[0].q.t {
		c.fail(pos, "no matching function for call to '%s%s'", name, c.describe(args))
	}
	c.pos = pos
	k := args[0].q.t.scalar.Mat()
	c.store(args[0], []opnd{c.emit(op, k, k, x[0], x[1], x[2])})
	return rvalue(voidType)
}
