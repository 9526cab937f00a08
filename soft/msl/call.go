package msl

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// plainRef is a reference to a function that is no template.
func (c *lowerer) plainRef(f *function) *funcRef {
	var ps []qtype
	for _, p := range c.signature(f, nil) {
		ps = append(ps, p.q)
	}
	var ret qtype
	c.inScope(f.scope, func() { ret = c.typeOf(f.decl.Ret) })
	return &funcRef{fn: f, t: c.types.function(ret, ps)}
}

// functionRef chooses among the functions that v names: by the type to, or the only one. It gives nil if there is none.
func (c *lowerer) functionRef(v value, to *typ, pos token.Pos) *funcRef {
	if v.ref != nil && v.ref.t != nil {
		if to != nil && v.ref.t != to {
			return nil
		}
		return v.ref
	}
	fs := v.funcs
	if v.ref != nil {
		fs = []*function{v.ref.fn}
	}
	var explicit []tmplArg
	if v.name != nil && v.name.last.HasArgs {
		explicit = c.templateArgs(v.name.last.Args)
	}
	var found *funcRef
	for _, f := range fs {
		var ref *funcRef
		switch {
		case f.decl.Template == nil:
			ref = c.plainRef(f)
		case to != nil:
			if env, ok := c.deduceCall(f, explicit, nil, to.fn.params, pos); ok {
				ref = c.instanceRef(f, env)
			}
		case explicit != nil:
			if env, ok := c.deduceCall(f, explicit, nil, nil, pos); ok {
				ref = c.instanceRef(f, env)
			}
		}
		if ref == nil || to != nil && ref.t != to {
			continue
		}
		if found != nil {
			return nil
		}
		found = ref
	}
	return found
}

func (c *lowerer) instanceRef(f *function, env *scope) *funcRef {
	f, env = c.specialOf(f, env)
	var ps []qtype
	for _, p := range c.signature(f, env) {
		ps = append(ps, p.q)
	}
	s := env
	if s == nil {
		s = f.scope
	}
	var ret qtype
	c.inScope(s, func() { ret = c.typeOf(f.decl.Ret) })
	return &funcRef{fn: f, env: env, t: c.types.function(ret, ps)}
}

// refOfType holds a function template argument to the type of its parameter.
func (c *lowerer) refOfType(r *funcRef, t *typ, pos token.Pos) *funcRef {
	ref := c.functionRef(value{ref: r, funcs: []*function{r.fn}}, t, pos)
	if ref == nil {
		c.fail(pos, "function '%s' does not match type '%s'", r.fn.decl.Name.Parts[0].Ident, t)
	}
	return ref
}

// callBest resolves the overloads fs and calls the best.
func (c *lowerer) callBest(fs []*function, name *qualified, args []value, self *value, pos token.Pos, what string) value {
	var explicit []tmplArg
	hasArgs := name != nil && name.last.HasArgs
	if hasArgs {
		explicit = c.templateArgs(name.last.Args)
	}
	best, ambiguous := c.choose(fs, explicit, hasArgs, args, self, pos)
	switch {
	case best == nil:
		c.noMatch(fs, explicit, hasArgs, args, self, what, pos)
	case ambiguous:
		c.fail(pos, "call to '%s' is ambiguous", what)
	}
	return c.call(best, args, self, pos, what)
}

// noMatch reports that no overload fits, with what is wrong where there is only one.
func (c *lowerer) noMatch(fs []*function, explicit []tmplArg, hasArgs bool, args []value, self *value, what string, pos token.Pos) {
	text := fmt.Sprintf("no matching function for call to '%s'", what)
	e := &token.Error{Pos: pos, Text: text}
	for _, f := range fs {
		n := "candidate function not viable"
		if f.decl.Template != nil {
			n = "candidate template ignored"
		} else if len(args) != len(f.decl.Params) {
			n = fmt.Sprintf("candidate function not viable: requires %d arguments, but %d were provided", len(f.decl.Params), len(args))
		} else {
			for i, p := range c.signature(f, nil) {
				if c.fit(args[i], p.q) == rankNone {
					n = fmt.Sprintf("candidate function not viable: no known conversion from '%s' to '%s' for argument %d", c.typeString(args[i]), p.q, i+1)
					break
				}
			}
		}
		e.Notes = append(e.Notes, token.Note{Pos: f.decl.At, Text: n})
	}
	for i := len(c.notes) - 1; i >= 0 && len(e.Notes) < 8; i-- {
		e.Notes = append(e.Notes, c.notes[i])
	}
	if key := e.Error(); !c.seen[key] {
		c.seen[key] = true
		c.errs = append(c.errs, e)
	}
	panic(bail{})
}

func (c *lowerer) typeString(v value) string {
	if v.q.t == nil {
		return "<overloaded function type>"
	}
	return v.q.String()
}

// call walks the body of a function with its parameters bound to the arguments.
func (c *lowerer) call(cand *candidate, args []value, self *value, pos token.Pos, what string) value {
	f := cand.fn
	d := f.decl
	if d.Spec.Kernel {
		c.fail(pos, "a kernel function cannot be called: '%s'", what)
	}
	if c.evaluating > 0 && c.unevaluated == 0 && !d.Spec.Constexpr && d.Ret != nil && f.st == nil {
		c.fail(pos, "expression is not an integral constant expression: non-constexpr function '%s' cannot be used in it", what)
	}
	if d.Deleted {
		c.fail(pos, "call to deleted function '%s'", what)
	}
	c.enter(pos)
	defer c.leave()
	env := cand.env
	if env == nil {
		env = f.scope
	}
	c.step(pos)
	if c.evaluating == 0 || c.unevaluated > 0 {
		for fr := c.frame; fr != nil; fr = fr.outer {
			if fr.fn == f && sameArgs(fr.env, env) && (c.unevaluated == 0 || c.depth > 200) {
				c.fail(pos, "recursive function call to '%s' is not supported in Metal", what)
			}
		}
	}
	fr := &frame{fn: f, env: env, outer: c.frame, depth: c.evaluating}
	if d.Ret == nil {
		fr.ret = plain(voidType)
	} else if a, ok := d.Ret.(*syntax.AutoType); ok {
		_ = a
		fr.auto = true
	} else {
		c.inScope(env, func() { fr.ret = c.typeOf(d.Ret) })
	}
	if d.Body == nil && !d.Default {
		c.fail(pos, "function '%s' is declared but has no definition", what)
	}
	if c.unevaluated > 0 && !fr.auto {
		return c.dummy(fr.ret)
	}
	f.checked = true
	return c.inline(fr, cand.params, args, self, pos, what)
}

// sameArgs reports whether two environments stand for the same template arguments.
func sameArgs(a, b *scope) bool {
	if a == b {
		return true
	}
	if len(a.args) != len(b.args) || len(a.args) == 0 {
		return false
	}
	for i := range a.args {
		if !a.args[i].same(b.args[i]) {
			return false
		}
	}
	return true
}

// dummy is a value of type q without any meaning, for what is not evaluated or has failed.
func (c *lowerer) dummy(q qtype) value {
	if q.t.kind == tRef {
		st := &storage{name: "value", t: q.t.elem.t, slots: appendSlots(nil, q.t.elem.t, 1)}
		return value{q: q.t.elem, lv: true, at: c.dummyPlace(st)}
	}
	return rvalue(q.t, c.undefined(q.t)...)
}

func (c *lowerer) dummyPlace(st *storage) place {
	return memoryAt(c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos))
}

// undefined gives operands for the scalars of an unspecified value.
func (c *lowerer) undefined(t *typ) []opnd {
	c.checkLeaves(t)
	ls := appendLeaves(nil, t, 0)
	ops := make([]opnd, len(ls))
	for i, l := range ls {
		switch {
		case l.kind == ir.Ptr:
			ops[i] = pointerTo(memoryAt(c.b.atEntry(ir.NullPtr, ir.Ptr, 0, 0, c.pos)))
		case l.kind.IsMat() && c.evaluating == 0:
			ops[i] = c.emit(ir.MatFill, l.kind, l.kind, constant(l.kind.Elem(), 0), none, none)
		default:
			r := c.b.newReg(ir.RegInfo{Kind: l.kind, Var: true})
			c.b.pre = append(c.b.pre, &ir.Instr{Op: ir.Decl, Kind: l.kind, Dst: r, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Pos: c.pos})
			c.b.frozen[r] = true
			ops[i] = register(l.kind, r)
		}
	}
	return ops
}

// inline binds parameters and walks the body.
func (c *lowerer) inline(fr *frame, params []param, args []value, self *value, pos token.Pos, what string) value {
	f, d := fr.fn, fr.fn.decl
	lo := len(c.b.regs)
	inner := newScope(fr.env)
	shared := self != nil
	for _, p := range params {
		switch p.q.t.kind {
		case tRef, tPointer:
			shared = shared || !p.q.t.elem.con && p.q.t.elem.sp == spaceThread
		}
	}
	if self != nil {
		s := *self
		if s.lv {
			s.at = c.stablePlace(s.at)
		}
		fr.this = &s
	}
	packs := map[string]*symbol{}
	seen := map[string]bool{}
	for _, p := range d.Params {
		if p.Name != "" && seen[p.Name] {
			c.fail(p.At, "redefinition of parameter '%s'", p.Name)
		}
		seen[p.Name] = true
	}
	for i, p := range params {
		var v value
		switch {
		case i < len(args):
			v = args[i]
		default:
			c.inScope(inner, func() { v = c.initFrom(p.decl.Default, p.q) })
		}
		sym := c.bindParam(fr, p, v, shared)
		if p.elem >= 0 {
			if packs[sym.name] == nil {
				packs[sym.name] = &symbol{kind: symPack, name: sym.name}
			}
			packs[sym.name].pack = append(packs[sym.name].pack, sym)
			continue
		}
		if sym.name != "" {
			inner.declare(sym)
		}
	}
	for _, p := range d.Params {
		if p.Pack && p.Name != "" {
			if packs[p.Name] == nil {
				packs[p.Name] = &symbol{kind: symPack, name: p.Name}
			}
			inner.declare(packs[p.Name])
		}
	}
	old, oldFrame, oldOrder, oldPos, oldFlow := c.scope, c.frame, c.order, c.pos, c.flow
	c.scope, c.frame, c.order, c.flow = inner, fr, max(f.order, f.bodyOrder), flowNext
	if f.decl.Template != nil || f.st != nil {
		// Names that depend on arguments are also found where the template is used.
		c.order = max(c.order, oldOrder)
	}
	var result value
	if d.Template != nil {
		c.note(pos, "in instantiation of function template specialization '"+what+"' requested here", func() { result = c.body(fr, d, pos) })
	} else {
		result = c.body(fr, d, pos)
	}
	c.scope, c.frame, c.order, c.pos, c.flow = old, oldFrame, oldOrder, oldPos, oldFlow
	if c.evaluating == 0 {
		c.b.freeze(lo)
	}
	return result
}

// body walks the body of the function of fr, which is the current frame, and gives its result.
func (c *lowerer) body(fr *frame, d *syntax.FuncDecl, pos token.Pos) value {
	if d.Ret == nil {
		c.memberInits(fr, d)
	}
	if d.Body == nil {
		return rvalue(voidType)
	}
	returns, tail := countReturns(d.Body)
	direct := c.evaluating > 0 || returns == 0 || returns == 1 && tail
	fr.single = direct
	if direct {
		c.block(d.Body)
	} else {
		fr.region = c.b.region()
		if fr.auto {
			fr.ret = c.autoReturn(d.Body)
			fr.auto = false
		}
		if fr.ret.t.kind == tRef {
			c.unsupported(d.At, "a function that returns a reference at several places")
		}
		if fr.ret.t != voidType {
			fr.result = c.variable("", fr.ret.t, nil)
		}
		blk := c.b.nest(func() { c.block(d.Body) })
		c.closeRegion(fr.region, blk)
		if fr.result != nil {
			return rvalue(unpacked(fr.ret.t), c.readRegisters(nil, registersOf(fr.result), fr.ret.t)...)
		}
		return rvalue(voidType)
	}
	if fr.returned {
		return fr.direct
	}
	if fr.auto || fr.ret.t == voidType {
		return rvalue(voidType)
	}
	if c.evaluating > 0 && c.unevaluated == 0 {
		c.fail(pos, "expression is not an integral constant expression: control reached the end of a constexpr function")
	}
	return c.dummy(fr.ret)
}

// closeRegion appends the block of a region, as a Region if anything but its end leaves it.
func (c *lowerer) closeRegion(id int, blk ir.Block) {
	if n := len(blk); n > 0 {
		if l, ok := blk[n-1].(*ir.Leave); ok && l.Target == id {
			blk = blk[:n-1]
			c.b.targets[id]--
		}
	}
	if c.b.targets[id] == 0 {
		*c.b.block = append(*c.b.block, blk...)
		return
	}
	c.b.append(&ir.Region{ID: id, Body: blk})
}

// autoReturn finds the type of the first return statement of a function with several.
func (c *lowerer) autoReturn(b *syntax.Block) qtype {
	fr := *c.frame
	fr.single = true
	old, scope := c.frame, c.scope
	c.frame = &fr
	targets := c.b.targets
	c.b.targets = map[int]int{}
	for k, v := range targets {
		c.b.targets[k] = v
	}
	c.discard(func() { c.block(b) })
	c.b.targets = targets
	c.frame, c.scope = old, scope
	if !fr.returned {
		return plain(voidType)
	}
	return fr.ret
}

// countReturns counts the return statements of a body; tail reports whether the last statement is one.
func countReturns(b *syntax.Block) (n int, tail bool) {
	var walk func(s syntax.Stmt)
	walk = func(s syntax.Stmt) {
		switch s := s.(type) {
		case *syntax.Block:
			for _, t := range s.Stmts {
				walk(t)
			}
		case *syntax.IfStmt:
			walk(s.Then)
			if s.Else != nil {
				walk(s.Else)
			}
		case *syntax.ForStmt:
			walk(s.Body)
		case *syntax.WhileStmt:
			walk(s.Body)
		case *syntax.DoStmt:
			walk(s.Body)
		case *syntax.SwitchStmt:
			walk(s.Body)
		case *syntax.ReturnStmt:
			n++
		}
	}
	walk(b)
	if len(b.Stmts) > 0 {
		_, tail = b.Stmts[len(b.Stmts)-1].(*syntax.ReturnStmt)
	}
	return n, tail
}

// stablePlace fixes a place against later assignments.
func (c *lowerer) stablePlace(p place) place {
	o := c.stablePointer(pointerTo(p))
	return *o.ptr
}

// bindRef binds a reference of type q (a tRef) to v.
func (c *lowerer) bindRef(v value, q qtype, pos token.Pos) value {
	e := q.t.elem
	if v.isMat {
		return v
	}
	if c.fit(v, q) == rankNone {
		switch {
		case v.lv && v.sw != nil:
			c.fail(pos, "non-const reference cannot bind to vector element")
		case !v.lv && !e.con:
			c.fail(pos, "non-const lvalue reference to type '%s' cannot bind to a temporary of type '%s'", plain(e.t), c.typeString(v))
		}
		c.fail(pos, "binding value of type '%s' to reference to type '%s' drops qualifiers or is not possible", c.typeString(v), e)
	}
	if v.lv && v.whole == nil && (v.q.t == e.t || c.derives(v.q.t, e.t)) {
		sp := v.q.sp
		if sp == spaceNone {
			sp = spaceThread
		}
		if sp == e.sp || e.sp == spaceNone && sp == spaceThread {
			if v.q.t != e.t {
				v = c.toBase(v, e.t)
			}
			v.at = c.stablePlace(v.at)
			v.q.con = e.con
			v.q.sp = sp
			return v
		}
	}
	r := c.implicit(v, plain(e.t), pos)
	ops := make([]opnd, len(r.ops))
	for i, o := range r.ops {
		ops[i] = c.copyOf(o)
	}
	r.ops = ops
	if c.evaluating == 0 && hasRows(e.t) {
		st := c.variable("temporary", e.t, nil)
		c.writeRegisters(ops, registersOf(st), e.t)
		return value{q: qtype{e.t, e.con, spaceThread}, lv: true, at: registersOf(st)}
	}
	m := c.materialise(value{q: plain(e.t), ops: ops})
	m.q.con = e.con
	return m
}

// bindParam binds a parameter to an argument. shared tells that the function can change variables of its caller.
func (c *lowerer) bindParam(fr *frame, p param, v value, shared bool) *symbol {
	name := p.decl.Name
	sym := &symbol{kind: symVar, name: name, pos: p.decl.At}
	if p.q.t.kind == tRef {
		if fr.depth == 0 && !fr.kernel {
			c.checkPointerSpace(p.q, baseOf(p.decl.Type))
		}
		sym.val = c.bindRef(v, p.q, c.pos)
		return sym
	}
	c.checkPointerSpace(p.q, baseOf(p.decl.Type))
	r := c.implicit(v, plain(p.q.t), c.pos)
	if r.ref != nil || r.funcs != nil {
		sym.val = r
		return sym
	}
	ops := r.ops
	if shared {
		ops = make([]opnd, len(r.ops))
		for i, o := range r.ops {
			ops[i] = c.copyOf(o)
		}
	}
	assigned := c.assigned(fr.fn, name, p.q.t)
	sym.val = c.local(name, qtype{p.q.t, p.q.con, spaceThread}, ops, p.decl, assigned, shared)
	return sym
}

// assignedIn gives the names of variables that the body of f may assign or bind to references.
func (c *lowerer) assignedIn(f *function) map[string]assignment {
	if f.assigned == nil {
		a := &assignments{names: map[string]assignment{}, byRef: c.byRef}
		if f.decl.Body != nil {
			a.stmt(f.decl.Body)
		}
		f.assigned = a.names
	}
	return f.assigned
}

// assigned reports whether the body of f may assign the variable of that name and type.
func (c *lowerer) assigned(f *function, name string, t *typ) bool {
	a := c.assignedIn(f)[name]
	return a&assignedWhole != 0 || a != 0 && t.kind != tPointer
}

// callFunc calls a known function with arguments of any fitting type.
func (c *lowerer) callFunc(ref *funcRef, args []value, pos token.Pos) value {
	params := c.signature(ref.fn, ref.env)
	name := ref.fn.decl.Name.Parts[0].Ident
	if len(args) > len(params) || len(args) < len(params) && params[len(args)].decl.Default == nil {
		c.fail(pos, "call to '%s' with %d arguments, wanted %d", name, len(args), len(params))
	}
	for i, a := range args {
		if c.fit(a, params[i].q) == rankNone {
			c.fail(pos, "cannot convert argument %d of type '%s' to '%s' in call to '%s'", i+1, c.typeString(a), params[i].q, name)
		}
	}
	return c.call(&candidate{fn: ref.fn, env: ref.env, params: params}, args, nil, pos, name)
}
