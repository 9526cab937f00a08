package msl

import (
	"fmt"
	"sort"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// builtinInput is a kernel argument that the hardware fills.
type builtinInput struct {
	id    int64
	three bool // may have two or three components
}

var builtinInputs = map[string]builtinInput{
	"thread_position_in_grid":             {ir.ThreadPositionInGrid, true},
	"thread_position_in_threadgroup":      {ir.ThreadPositionInThreadgroup, true},
	"thread_index_in_threadgroup":         {ir.ThreadIndexInThreadgroup, false},
	"threadgroup_position_in_grid":        {ir.ThreadgroupPositionInGrid, true},
	"threads_per_grid":                    {ir.ThreadsPerGrid, true},
	"threads_per_threadgroup":             {ir.ThreadsPerThreadgroup, true},
	"dispatch_threads_per_threadgroup":    {ir.DispatchThreadsPerThreadgroup, true},
	"threadgroups_per_grid":               {ir.ThreadgroupsPerGrid, true},
	"thread_index_in_simdgroup":           {ir.ThreadIndexInSimdgroup, false},
	"simdgroup_index_in_threadgroup":      {ir.SimdgroupIndexInThreadgroup, false},
	"simdgroups_per_threadgroup":          {ir.SimdgroupsPerThreadgroup, false},
	"dispatch_simdgroups_per_threadgroup": {ir.DispatchSimdgroupsPerThreadgroup, false},
	"threads_per_simdgroup":               {ir.ThreadsPerSimdgroup, false},
	"thread_index_in_quadgroup":           {ir.ThreadIndexInQuadgroup, false},
	"quadgroup_index_in_threadgroup":      {ir.QuadgroupIndexInThreadgroup, false},
	"quadgroups_per_threadgroup":          {ir.QuadgroupsPerThreadgroup, false},
	"dispatch_quadgroups_per_threadgroup": {ir.DispatchQuadgroupsPerThreadgroup, false},
	"thread_execution_width":              {ir.ThreadExecutionWidth, false},
	"grid_origin":                         {ir.GridOrigin, true},
	"grid_size":                           {ir.GridSize, true},
}

// kernelParam is an argument of a kernel before its place is known.
type kernelParam struct {
	p      param
	kind   string // "buffer", "threadgroup", "builtin" or "absent"
	index  int    // -1: not given
	input  builtinInput
	number int // in Kernel.Buffers or Kernel.Threadgroup
}

// attempts runs f on fresh lowerers until no variable has to change its home, and gives the last.
func (p *program) attempts(prepare func(c *lowerer), f func(c *lowerer)) *lowerer {
	for {
		c := p.newLowerer()
		prepare(c)
		again := func() (again bool) {
			defer func() {
				switch e := recover().(type) {
				case nil:
				case restart:
					again = true
				case bail, abort:
				default:
					panic(e)
				}
			}()
			f(c)
			return false
		}()
		if !again {
			return c
		}
	}
}

// lower lowers a kernel. values are the function constants; known tells that there are no others.
func (p *program) lower(e *entry, values map[*functionConstant]value, known bool) (*ir.Kernel, *lowerer) {
	c := p.attempts(func(c *lowerer) {
		c.values, c.known = values, known
		if !known {
			c.values = nil
		}
	}, func(c *lowerer) { c.kernelBody(e) })
	k := c.k
	k.Body = append(c.b.pre, k.Body...)
	k.Regs = c.b.regs
	k.Regions = c.b.regions
	prune(k)
	return k, c
}

func (c *lowerer) kernelBody(e *entry) {
	f := e.fn
	d := f.decl
	f.checked = true
	c.k.Name, c.k.Pos = e.host, d.At
	env := e.env
	if env == nil {
		env = f.scope
	}
	c.order = f.order
	if e.env != nil {
		c.order = int(^uint(0) >> 1)
		c.notes = append(c.notes, token.Note{Pos: e.pos, Text: "in instantiation of kernel '" + e.host + "' requested here"})
	}
	fr := &frame{fn: f, env: env, kernel: true, ret: plain(voidType)}
	c.frame = fr
	c.scope = env
	c.pos = d.At
	var ret qtype
	if d.Ret != nil {
		c.guard(func() { ret = c.typeOf(d.Ret) })
	}
	if ret.t != voidType && ret.t != nil {
		c.errorf(d.Ret.Pos(), "return type of kernel function must be 'void', not '%s'", ret)
	}
	for _, a := range d.Attrs {
		if a.Name == "max_total_threads_per_threadgroup" && len(a.Args) == 1 {
			c.guard(func() {
				n, _ := c.constantInt(a.Args[0])
				if n < 1 || n > 1<<20 {
					c.fail(a.At, "'max_total_threads_per_threadgroup' must be positive")
				}
				c.k.MaxTotalThreads = int(n)
			})
		}
	}
	inner := newScope(env)
	var ps []*kernelParam
	for _, p := range c.signature(f, e.env) {
		c.guard(func() {
			kp := c.classify(p)
			ps = append(ps, kp)
		})
	}
	c.sameWidth(ps)
	c.number(ps)
	for _, kp := range ps {
		c.guard(func() {
			sym := &symbol{kind: symVar, name: kp.p.decl.Name, pos: kp.p.decl.At}
			c.pos = kp.p.decl.At
			sym.val = c.kernelArg(kp)
			if sym.name != "" {
				inner.declare(sym)
			}
		})
	}
	if d.Body == nil {
		c.fail(d.At, "kernel function '%s' has no body", e.host)
	}
	c.scope = inner
	c.b.region()
	c.b.regions--
	blk := c.b.nest(func() { c.block(d.Body) })
	if n := len(blk); n > 0 {
		if l, ok := blk[n-1].(*ir.Leave); ok && l.Target == 0 {
			blk = blk[:n-1]
		}
	}
	c.k.Body = append(c.k.Body, blk...)
}

// classify finds what an argument of a kernel is.
func (c *lowerer) classify(p param) *kernelParam {
	kp := &kernelParam{p: p, index: -1}
	d := p.decl
	for i := range d.Attrs {
		a := &d.Attrs[i]
		in, builtin := builtinInputs[a.Name]
		switch {
		case builtin:
			if kp.kind != "" {
				c.fail(a.At, "argument '%s' has more than one attribute that says where it comes from", d.Name)
			}
			kp.kind, kp.input = "builtin", in
			c.checkInput(p, in, a)
		case a.Name == "buffer" || a.Name == "threadgroup":
			if kp.kind != "" && kp.kind != "absent" {
				c.fail(a.At, "argument '%s' has more than one attribute that says where it comes from", d.Name)
			}
			if len(a.Args) != 1 {
				c.fail(a.At, "'%s' attribute takes one argument", a.Name)
			}
			n, _ := c.constantInt(a.Args[0])
			if n < 0 || n > 30 {
				c.fail(d.At, "'%s' attribute parameter %d is out of bounds: must be between 0 and 30", a.Name, n)
			}
			if kp.kind == "" {
				kp.kind = a.Name
			}
			kp.index = int(n)
		case a.Name == "function_constant":
			if len(a.Args) != 1 {
				c.fail(a.At, "'function_constant' attribute takes one argument")
			}
			v := c.load(c.expr(a.Args[0]))
			if v.q.t != boolType {
				c.fail(a.At, "'function_constant' attribute of an argument takes a constant of type 'bool'")
			}
			if n, ok := v.constantInt(); ok && n == 0 {
				kp.kind = "absent"
			}
		case a.Name == "texture" || a.Name == "sampler" || a.Name == "stage_in" || a.Name == "imageblock_data" || a.Name == "threadgroup_imageblock":
			c.unsupported(a.At, "attribute '"+a.Name+"'")
		case a.Name == "maybe_unused" || a.Name == "raster_order_group" || a.Name == "id":
		default:
			c.fail(a.At, "attribute '%s' is not supported on an argument of a kernel by the software Metal compiler", a.Name)
		}
	}
	if kp.kind == "builtin" || kp.kind == "absent" {
		return kp
	}
	q := p.q
	if q.t.kind != tPointer && q.t.kind != tRef {
		c.fail(d.At, "invalid type '%s' for input declaration in a kernel function", q)
	}
	e := q.t.elem
	switch e.sp {
	case spaceDevice, spaceConstant:
		if kp.kind == "threadgroup" {
			c.fail(d.At, "'threadgroup' attribute only applies to arguments in the threadgroup address space")
		}
		kp.kind = "buffer"
	case spaceThreadgroup:
		if kp.kind == "buffer" {
			c.fail(d.At, "'buffer' attribute only applies to arguments in the device or constant address space")
		}
		kp.kind = "threadgroup"
	case spaceNone:
		c.checkPointerSpace(q, baseOf(d.Type))
	default:
		c.fail(d.At, "invalid address space qualification for a kernel argument of type '%s'", q)
	}
	if hasMatrix(e.t) {
		c.fail(d.At, "invalid type '%s' for buffer declaration", e)
	}
	if e.t.kind == tPointer || e.t.kind == tRef {
		c.unsupported(d.At, "a buffer of pointers")
	}
	if e.t.kind == tStruct && !e.t.st.done {
		c.fail(d.At, "argument '%s' has incomplete type '%s'", d.Name, e)
	}
	return kp
}

// checkInput holds the type of a built-in argument to what its attribute allows.
func (c *lowerer) checkInput(p param, in builtinInput, a *syntax.Attr) {
	q := p.q
	t := q.t
	ok := t.isScalar() || in.three && t.kind == tVector && t.n <= 3
	if !ok || t.scalar != ir.U32 && t.scalar != ir.U16 {
		want := "'ushort' or 'uint'"
		if in.three {
			want = "'ushort', 'ushort2', 'ushort3', 'uint', 'uint2' or 'uint3'"
		}
		c.fail(p.decl.At, "invalid type '%s' for attribute '%s': must be %s", q, a.Name, want)
	}
}

// sameWidth demands that all positions and sizes of a kernel have as many components.
func (c *lowerer) sameWidth(ps []*kernelParam) {
	var first *kernelParam
	for _, p := range ps {
		if p.kind != "builtin" || !p.input.three || !p.p.q.t.isVector() {
			continue
		}
		if first == nil {
			first = p
		} else if first.p.q.t.n != p.p.q.t.n {
			c.errorf(p.p.decl.At, "argument '%s' of type '%s' has not as many components as '%s' of type '%s'", p.p.decl.Name, p.p.q, first.p.decl.Name, first.p.q)
		}
	}
}

// number gives every buffer and threadgroup argument its index and enters it in the kernel.
func (c *lowerer) number(ps []*kernelParam) {
	for _, kind := range []string{"buffer", "threadgroup"} {
		used := map[int]*kernelParam{}
		var list []*kernelParam
		for _, p := range ps {
			if p.kind != kind {
				continue
			}
			list = append(list, p)
			if p.index < 0 {
				continue
			}
			if used[p.index] != nil {
				c.errorf(p.p.decl.At, "cannot reserve '%s' resource location at index %d: already used by '%s'", kind, p.index, used[p.index].p.decl.Name)
			}
			used[p.index] = p
		}
		next := 0
		for _, p := range list {
			if p.index >= 0 {
				continue
			}
			for used[next] != nil {
				next++
			}
			p.index = next
			used[next] = p
		}
		sort.SliceStable(list, func(i, j int) bool { return list[i].index < list[j].index })
		for i, p := range list {
			p.number = i
			e := p.p.q.t.elem
			size, align := sizeAlign(e.t)
			if kind == "threadgroup" {
				c.k.Threadgroup = append(c.k.Threadgroup, ir.ThreadgroupArg{Name: p.p.decl.Name, Index: p.index, Elem: size, Align: align})
				continue
			}
			c.k.Buffers = append(c.k.Buffers, ir.BufferArg{Name: p.p.decl.Name, Index: p.index, ReadOnly: e.con || e.sp == spaceConstant,
				Elem: size, Align: align, Ref: p.p.q.t.kind == tRef, Type: e.t.String()})
		}
	}
}

// kernelArg gives the value of an argument.
func (c *lowerer) kernelArg(kp *kernelParam) value {
	q := kp.p.q
	switch kp.kind {
	case "builtin":
		ops := make([]opnd, q.t.lanes())
		for i := range ops {
			r := c.b.atEntry(ir.Builtin, ir.U32, kp.input.id, int64(i), c.pos)
			ops[i] = c.convert(register(ir.U32, r), q.t.scalar)
		}
		return c.local(kp.p.decl.Name, q, ops, kp.p.decl, c.assigned(c.frame.fn, kp.p.decl.Name, q.t), true)
	case "absent":
		if q.t.kind == tRef {
			return value{q: q.t.elem, lv: true, at: memoryAt(c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos))}
		}
		return c.local(kp.p.decl.Name, q, c.zero(q.t), kp.p.decl, c.assigned(c.frame.fn, kp.p.decl.Name, q.t), true)
	}
	op := ir.AddrBuffer
	if kp.kind == "threadgroup" {
		op = ir.AddrThreadgroup
	}
	base := c.b.atEntry(op, ir.Ptr, int64(kp.number), 0, c.pos)
	if q.t.kind == tRef {
		return value{q: q.t.elem, lv: true, at: memoryAt(base)}
	}
	return c.local(kp.p.decl.Name, q, []opnd{pointerTo(memoryAt(base))}, kp.p.decl, c.assigned(c.frame.fn, kp.p.decl.Name, q.t), true)
}

// checkFunction walks a function that no kernel calls, for its errors.
func (p *program) checkFunction(f *function) {
	p.attempts(func(c *lowerer) {}, func(c *lowerer) {
		c.order = f.order
		c.pos = f.decl.At
		f.checked = true
		params := c.signature(f, nil)
		var args []value
		for _, q := range params {
			if q.q.t.kind == tFunc || q.q.t.kind == tPointer && q.q.t.elem.t.kind == tFunc {
				return
			}
			args = append(args, c.stranger(q.q))
		}
		fr := &frame{fn: f, env: f.scope}
		if f.decl.Ret == nil {
			fr.ret = plain(voidType)
		} else if _, ok := f.decl.Ret.(*syntax.AutoType); ok {
			fr.auto = true
		} else {
			c.inScope(f.scope, func() { fr.ret = c.typeOf(f.decl.Ret) })
			c.checkPointerSpace(fr.ret, f.decl.At)
		}
		if f.decl.Body == nil {
			return
		}
		var self *value
		if f.st != nil && !f.decl.Spec.Static {
			sp := spaceOf(f.decl.Space)
			if sp == spaceNone {
				sp = spaceThread
			}
			v := c.stranger(plain(c.types.reference(qtype{c.structTyp(f.st), false, sp}, false)))
			self = &v
		}
		c.inline(fr, params, args, self, f.decl.At, f.decl.Name.Parts[0].Ident)
	})
}

// stranger is an argument of type q of which nothing is known.
func (c *lowerer) stranger(q qtype) value {
	switch {
	case q.t.kind == tRef && hasMatrix(q.t.elem.t):
		return value{q: thread(q.t.elem), lv: true, at: registersOf(c.variable("value", q.t.elem.t, nil))}
	case q.t.kind == tRef:
		return value{q: thread(q.t.elem), lv: !q.t.rvalue, at: memoryAt(c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos)), ops: c.undefined(q.t.elem.t)}
	case q.t.kind == tPointer && hasMatrix(q.t.elem.t):
		st := c.variable("value", c.types.array(q.t.elem, 16, false), nil)
		p := registersOf(st)
		p.one = false
		return rvalue(q.t, pointerTo(p))
	}
	return rvalue(unpacked(q.t), c.undefined(q.t)...)
}

// constantsOf lists the function constants that a lowering used.
func (c *lowerer) constantsOf() []FunctionConstant {
	var out []FunctionConstant
	for _, fc := range c.constants {
		if need, ok := c.uses[fc]; ok {
			out = append(out, FunctionConstant{Name: fc.name, Index: fc.index, Kind: fc.kind, Lanes: fc.lanes, Required: need})
		}
	}
	return out
}

// constantValues gives the function constants of a pipeline their values.
func (p *program) constantValues(cs []ConstantValue) (map[*functionConstant]value, error) {
	values := map[*functionConstant]value{}
	for _, v := range cs {
		for _, fc := range p.constants {
			if v.Name != "" && v.Name != fc.name || v.Name == "" && v.Index != fc.index {
				continue
			}
			if v.Kind != fc.kind || len(v.Bits) != fc.lanes {
				return nil, fmt.Errorf("msl: function constant %q (index %d): wanted %s, got %s of %d components", fc.name, fc.index, fc.t, v.Kind, len(v.Bits))
			}
			ops := make([]opnd, fc.lanes)
			for i, b := range v.Bits {
				switch v.Kind {
				case ir.F16, ir.BF16:
					b = foldBitcast(map[ir.Kind]ir.Kind{ir.F16: ir.U16, ir.BF16: ir.U16}[v.Kind], v.Kind, b)
				}
				ops[i] = constant(fc.kind, b)
			}
			values[fc] = rvalue(fc.t, ops...)
		}
	}
	return values, nil
}
