package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// block walks { ... } in a scope of its own.
func (c *lowerer) block(b *syntax.Block) {
	old := c.scope
	c.scope = newScope(old)
	for _, s := range b.Stmts {
		c.statement(s)
		if c.flow != flowNext {
			break
		}
	}
	c.scope = old
}

// statement walks one statement; a diagnostic in it does not keep the next from being checked.
func (c *lowerer) statement(s syntax.Stmt) {
	if c.evaluating > 0 {
		c.step(s.Pos())
		c.stmt(s)
		return
	}
	c.guard(func() { c.stmt(s) })
}

func (c *lowerer) stmt(s syntax.Stmt) {
	c.enter(s.Pos())
	defer c.leave()
	c.pos = s.Pos()
	switch s := s.(type) {
	case *syntax.Block:
		c.block(s)
	case *syntax.DeclStmt:
		c.declAt = s.At
		for _, d := range s.Decls {
			c.pos = d.Pos()
			if v, ok := d.(*syntax.VarDecl); ok {
				c.localDecl(v)
				continue
			}
			switch d.(type) {
			case *syntax.FuncDecl, *syntax.Namespace, *syntax.Instantiation:
				c.unsupported(d.Pos(), "this declaration inside of a function")
			}
			c.declareOne(d, c.scope)
		}
	case *syntax.ExprStmt:
		c.effect(s.X)
	case *syntax.IfStmt:
		c.ifStmt(s)
	case *syntax.ForStmt:
		if c.unroll(s) {
			return
		}
		old := c.scope
		c.scope = newScope(old)
		if s.Init != nil {
			c.stmt(s.Init)
		}
		c.loop(s.At, s.Cond, s.Next, s.Body, false)
		c.scope = old
	case *syntax.WhileStmt:
		c.loop(s.At, s.Cond, nil, s.Body, false)
	case *syntax.DoStmt:
		c.loop(s.At, s.Cond, nil, s.Body, true)
	case *syntax.SwitchStmt:
		c.switchStmt(s)
	case *syntax.CaseStmt:
		c.fail(s.At, "'case' statement not in switch statement")
	case *syntax.ReturnStmt:
		c.returnStmt(s)
	case *syntax.BreakStmt:
		if !c.frame.inLoop && !c.frame.inSwitch {
			c.fail(s.At, "'break' statement not in loop or switch statement")
		}
		if c.evaluating > 0 {
			c.flow = flowBreak
			return
		}
		c.b.leave(c.frame.brk, s.At)
	case *syntax.ContinueStmt:
		if !c.frame.inLoop {
			c.fail(s.At, "'continue' statement not in loop statement")
		}
		if c.evaluating > 0 {
			c.flow = flowContinue
			return
		}
		c.b.leave(c.frame.cont, s.At)
	case *syntax.EmptyStmt:
	default:
		c.unsupported(s.Pos(), "this statement")
	}
}

// effect walks an expression whose value is not used.
func (c *lowerer) effect(x syntax.Expr) {
	switch y := x.(type) {
	case *syntax.UnaryExpr:
		if y.Postfix {
			pre := *y
			pre.Postfix = false
			x = &pre
		}
	case *syntax.BinaryExpr:
		if y.Op == "," {
			c.effect(y.X)
			c.effect(y.Y)
			return
		}
	}
	c.expr(x)
}

// localDecl walks the declaration of a variable in a function.
func (c *lowerer) localDecl(d *syntax.VarDecl) {
	if old := c.scope.names[d.Name]; old != nil {
		c.errorf(d.At, "redefinition of '%s'", d.Name)
	}
	sym := &symbol{kind: symVar, name: d.Name, pos: d.At}
	ok := false
	defer func() {
		if !ok {
			// What failed to be initialised is known by name, so that its uses are not errors too.
			if c.scope.names[d.Name] == nil {
				sym.lazy = &globalVar{decl: d, done: true, bad: true}
				c.scope.declare(sym)
			}
		}
	}()
	sym.val = c.localValue(d)
	c.scope.declare(sym)
	ok = true
}

func (c *lowerer) localValue(d *syntax.VarDecl) value {
	if d.Template != nil {
		c.fail(d.At, "templates can only be declared in namespace or class scope")
	}
	if r, ok := d.Type.(*syntax.RefType); ok {
		return c.localRef(d, r)
	}
	if d.Spec.Static && !d.Spec.Constexpr && d.Space != "constant" {
		c.fail(c.declAt, "variable with 'static' storage duration must be in the constant address space")
	}
	switch d.Space {
	case "threadgroup":
		return c.threadgroupVar(d)
	case "device":
		c.fail(d.At, "automatic variable qualified with an invalid address space 'device'")
	}
	if d.Spec.Constexpr || d.Space == "constant" {
		if d.Init == nil {
			c.fail(d.At, "default initialization of an object of const type '%s'", d.Name)
		}
		c.evaluating++
		q, ops := c.initialised(d)
		c.evaluating--
		for _, o := range ops {
			if !o.con {
				c.fail(d.At, "constexpr variable '%s' must be initialized by a constant expression", d.Name)
			}
		}
		q.con, q.sp = true, spaceThread
		st := c.constStorage(d.Name, q.t, ops)
		st.global = &globalData{name: d.Name, t: q.t, st: st}
		if d.Space == "constant" {
			q.sp = spaceConstant
		}
		return value{q: q, lv: true, at: registersOf(st)}
	}
	q, ops := c.initialised(d)
	c.pos = d.At
	c.checkPointerSpace(q, d.At)
	if q.con && ops == nil && q.t.kind != tStruct {
		c.fail(d.At, "default initialization of an object of const type '%s'", q)
	}
	if n := countLeaves(q.t); n > maxLeaves && ops != nil {
		c.unsupported(d.At, "an initialized variable of this size")
	}
	assigned := c.assigned(c.frame.fn, d.Name, q.t) && !q.con
	v := c.local(d.Name, q, ops, d, assigned, false)
	if st := v.at.st; st != nil && st.values != nil && q.con && (q.t.isInteger() || q.t == boolType || q.t.kind == tEnum) {
		st.usable = c.allConstant(ops)
	}
	return v
}

// localRef walks the declaration of a reference.
func (c *lowerer) localRef(d *syntax.VarDecl, r *syntax.RefType) value {
	if d.Init == nil {
		c.fail(d.At, "declaration of reference variable '%s' requires an initializer", d.Name)
	}
	x := d.Init
	if k, ok := x.(*syntax.Construct); ok && k.Type == d.Type && len(k.Args) == 1 {
		x = k.Args[0]
	}
	if l, ok := x.(*syntax.InitList); ok && len(l.Elems) == 1 {
		x = l.Elems[0]
	}
	v := c.expr(x)
	c.pos = d.At
	var q qtype
	if a, ok := r.Elem.(*syntax.AutoType); ok {
		if v.q.t == nil || v.q.t == voidType {
			c.fail(d.At, "variable '%s' with type 'auto &' has incompatible initializer", d.Name)
		}
		sp := spaceOf(a.Space)
		if sp == spaceNone {
			sp = v.q.sp
		}
		q = plain(c.types.reference(qtype{v.q.t, v.q.con || a.Const, sp}, r.RValue && !v.lv))
	} else {
		q = c.typeOf(r)
		if q.t.elem.sp == spaceNone {
			q.t = c.types.reference(qtype{q.t.elem.t, q.t.elem.con, spaceThread}, q.t.rvalue)
		}
	}
	return c.bindRef(v, q, d.At)
}

// threadgroupVar walks the declaration of a threadgroup variable.
func (c *lowerer) threadgroupVar(d *syntax.VarDecl) value {
	if !c.frame.kernel {
		c.fail(d.At, "variables in the threadgroup address space can only be declared in a kernel function")
	}
	if d.Init != nil {
		c.fail(d.At, "initializer is not allowed for a variable in the threadgroup address space")
	}
	q := c.declaredType(d.Type)
	if q.t == voidType || q.t.kind == tArray && q.t.n < 0 || q.t.kind == tStruct && !q.t.st.done {
		c.fail(d.At, "variable has incomplete type '%s'", q)
	}
	if hasMatrix(q.t) {
		c.unsupported(d.At, "a simdgroup matrix in threadgroup memory")
	}
	size, align := sizeAlign(q.t)
	c.k.Statics = append(c.k.Statics, ir.Object{Name: d.Name, Size: size, Align: align, Pos: d.At})
	r := c.b.atEntry(ir.AddrStatic, ir.Ptr, int64(len(c.k.Statics)-1), 0, d.At)
	q.sp = spaceThreadgroup
	return value{q: q, lv: true, at: memoryAt(r)}
}

func (c *lowerer) ifStmt(s *syntax.IfStmt) {
	old := c.scope
	c.scope = newScope(old)
	defer func() { c.scope = old }()
	if s.Init != nil {
		c.stmt(s.Init)
	}
	var cond opnd
	guards := map[*functionConstant]bool{}
	switch {
	case s.CondDecl != nil:
		c.localDecl(s.CondDecl)
		cond = c.toBool(c.scope.names[s.CondDecl.Name].val, s.At).op()
	case s.Constexpr:
		v := c.toBool(c.constantExpr(s.Cond), start(s.Cond))
		cond = v.op()
		if !cond.con {
			c.fail(start(s.Cond), "constexpr if condition is not a constant expression")
		}
	default:
		c.guardsIn(s.Cond, guards)
		cond = c.toBool(c.expr(s.Cond), start(s.Cond)).op()
	}
	c.pos = s.At
	guarded := func(f func()) { c.guardedBy(guards, f) }
	branch := func(s syntax.Stmt) {
		if s == nil {
			return
		}
		scope := c.scope
		c.scope = newScope(scope)
		if c.evaluating > 0 {
			c.stmt(s)
		} else {
			c.statement(s)
		}
		c.scope = scope
	}
	if n, ok := cond.int(); ok {
		live, dead := s.Then, s.Else
		if n == 0 {
			live, dead = dead, live
		}
		if !s.Constexpr && c.evaluating == 0 && !c.known && dead != nil {
			// The branch that never runs is checked all the same, but not lowered.
			targets := c.b.targets
			c.b.targets = copyTargets(targets)
			fr := *c.frame
			c.discard(func() { branch(dead) })
			*c.frame = fr
			c.b.targets = targets
		}
		if live != nil {
			guarded(func() { branch(live) })
		}
		return
	}
	if c.evaluating > 0 {
		c.fail(s.At, "expression is not an integral constant expression")
	}
	n := &ir.If{Pos: s.At, Cond: c.reg(cond)}
	n.Then = c.b.nest(func() { guarded(func() { branch(s.Then) }) })
	if s.Else != nil {
		n.Else = c.b.nest(func() { branch(s.Else) })
	}
	c.b.append(n)
}

// guardedBy runs f where the function constants of guards are known to be defined.
func (c *lowerer) guardedBy(guards map[*functionConstant]bool, f func()) {
	for g := range guards {
		c.guarded[g]++
	}
	f()
	for g := range guards {
		c.guarded[g]--
	}
}

func copyTargets(m map[int]int) map[int]int {
	n := make(map[int]int, len(m))
	for k, v := range m {
		n[k] = v
	}
	return n
}

// guardsIn lists the function constants that a condition asks is_function_constant_defined of.
func (c *lowerer) guardsIn(x syntax.Expr, out map[*functionConstant]bool) {
	switch x := x.(type) {
	case *syntax.IdentExpr:
		if s := c.find(c.scope, x.Name.Parts[0].Ident); len(x.Name.Parts) == 1 && s != nil && s.lazy != nil && s.lazy.derived {
			c.inScope(s.lazy.scope, func() { c.guardsIn(s.lazy.decl.Init, out) })
		}
	case *syntax.BinaryExpr:
		if x.Op == "&&" {
			c.guardsIn(x.X, out)
			c.guardsIn(x.Y, out)
		}
	case *syntax.CallExpr:
		id, ok := x.Fun.(*syntax.IdentExpr)
		if !ok || id.Name.Parts[len(id.Name.Parts)-1].Ident != "is_function_constant_defined" || len(x.Args) != 1 {
			return
		}
		if fc := c.functionConstantOf(x.Args[0]); fc != nil {
			out[fc] = true
		}
	}
}

// loop walks for, while and do.
func (c *lowerer) loop(pos token.Pos, cond, next syntax.Expr, body syntax.Stmt, do bool) {
	if c.evaluating > 0 {
		c.evalLoop(pos, cond, next, body, do)
		return
	}
	fr := c.frame
	brk, cont, inLoop, inSwitch := fr.brk, fr.cont, fr.inLoop, fr.inSwitch
	defer func() { fr.brk, fr.cont, fr.inLoop, fr.inSwitch = brk, cont, inLoop, inSwitch }()
	l := &ir.Loop{Pos: pos, Cond: ir.NoReg, DoWhile: do}
	l.Break, l.Continue = c.b.region(), c.b.region()
	never := false
	head := func() {
		c.pos = pos
		v := c.toBool(c.expr(cond), cond.Pos()).op()
		if n, ok := v.int(); ok && n != 0 {
			return
		} else if ok && !do {
			never = true
		}
		l.Test = true
		l.Cond = c.reg(v)
	}
	walk := func() {
		fr.brk, fr.cont, fr.inLoop, fr.inSwitch = l.Break, l.Continue, true, false
		scope := c.scope
		c.scope = newScope(scope)
		c.statement(body)
		c.scope = scope
		fr.brk, fr.cont, fr.inLoop, fr.inSwitch = brk, cont, inLoop, inSwitch
	}
	if do {
		l.Body = c.b.nest(walk)
		l.Head = c.b.nest(head)
		c.b.append(l)
		return
	}
	scope := c.scope
	block, known := c.b.block, len(c.b.known)
	// What the head computes is known in the body too.
	var headBlock ir.Block
	c.b.block = &headBlock
	c.b.known = append(c.b.known, nil)
	ok := c.guard(func() {
		if cond != nil {
			head()
		}
	})
	l.Head = headBlock
	l.Body = c.b.nest(walk)
	if next != nil {
		l.Next = c.b.nest(func() { c.guard(func() { c.effect(next) }) })
	}
	c.b.block, c.b.known = block, c.b.known[:known]
	c.scope = scope
	if ok && !never {
		c.b.append(l)
	}
}

// evalLoop runs a loop in a constant expression.
func (c *lowerer) evalLoop(pos token.Pos, cond, next syntax.Expr, body syntax.Stmt, do bool) {
	inLoop := c.frame.inLoop
	c.frame.inLoop = true
	defer func() { c.frame.inLoop = inLoop }()
	for first := true; ; first = false {
		c.step(pos)
		if cond != nil && !(do && first) {
			n, ok := c.toBool(c.expr(cond), pos).constantInt()
			if !ok {
				c.fail(pos, "expression is not an integral constant expression")
			}
			if n == 0 {
				return
			}
		}
		scope := c.scope
		c.scope = newScope(scope)
		c.stmt(body)
		c.scope = scope
		switch c.flow {
		case flowReturn:
			return
		case flowBreak:
			c.flow = flowNext
			return
		}
		c.flow = flowNext
		if next != nil {
			c.effect(next)
		}
	}
}

// switchStmt walks a switch: the cases are numbered, the value chooses a number, and each case runs if it was reached.
func (c *lowerer) switchStmt(s *syntax.SwitchStmt) {
	v := c.load(c.expr(s.X))
	if !v.q.t.isInteger() && v.q.t != boolType && v.q.t.kind != tEnum {
		c.fail(start(s.X), "statement requires expression of integer type ('%s' invalid)", v.q.t)
	}
	k := promoted(v.q.t.scalar)
	x := c.copyOf(c.convert(v.op(), k))
	type section struct {
		vals  []int64
		def   bool
		stmts []syntax.Stmt
	}
	var secs []section
	seen := map[int64]bool{}
	hasDefault := false
	for _, st := range s.Body.Stmts {
		cs, ok := st.(*syntax.CaseStmt)
		if !ok {
			if len(secs) == 0 {
				if _, decl := st.(*syntax.DeclStmt); !decl {
					continue // never reached
				}
				c.unsupported(st.Pos(), "a declaration in front of the first case of a switch")
			}
			secs[len(secs)-1].stmts = append(secs[len(secs)-1].stmts, st)
			continue
		}
		if len(secs) == 0 || len(secs[len(secs)-1].stmts) > 0 {
			secs = append(secs, section{})
		}
		sec := &secs[len(secs)-1]
		if cs.Value == nil {
			if hasDefault {
				c.fail(cs.At, "multiple default labels in one switch")
			}
			hasDefault, sec.def = true, true
			continue
		}
		cv := c.constantExpr(cs.Value)
		if v.q.t.kind == tEnum && v.q.t.en.scoped && cv.q.t != v.q.t {
			c.fail(cs.At, "value of type '%s' is not implicitly convertible to '%s'", cv.q.t, v.q.t)
		}
		if len(cv.ops) != 1 || !cv.op().con || cv.op().k.IsFloat() {
			c.fail(cs.At, "case value is not a constant expression")
		}
		n := int64(foldConvert(cv.op().k, k, cv.op().bits))
		if seen[n] {
			c.fail(start(cs.Value), "duplicate case value '%d'", n)
		}
		seen[n] = true
		sec.vals = append(sec.vals, n)
	}
	fr := c.frame
	brk, inSwitch := fr.brk, fr.inSwitch
	defer func() { fr.brk, fr.inSwitch = brk, inSwitch }()
	fr.inSwitch = true
	scope := c.scope
	c.scope = newScope(scope)
	defer func() { c.scope = scope }()

	if val, ok := x.int(); ok {
		start := -1
		for i, sec := range secs {
			if sec.def && start < 0 {
				start = i
			}
			for _, n := range sec.vals {
				if n == val {
					start = i
				}
			}
		}
		for i, sec := range secs {
			for _, n := range sec.vals {
				if n == val {
					start = i
				}
			}
		}
		run := func(from int, to int) {
			for i := from; i < to; i++ {
				for _, st := range secs[i].stmts {
					c.statement(st)
					if c.flow != flowNext {
						return
					}
				}
			}
		}
		if c.evaluating > 0 {
			if start >= 0 {
				run(start, len(secs))
			}
			if c.flow == flowBreak {
				c.flow = flowNext
			}
			return
		}
		id := c.b.region()
		fr.brk = id
		blk := c.b.nest(func() {
			if start >= 0 {
				run(start, len(secs))
			}
		})
		c.closeRegion(id, blk)
		return
	}
	if c.evaluating > 0 {
		c.fail(s.At, "expression is not an integral constant expression")
	}
	id := c.b.region()
	fr.brk = id
	blk := c.b.nest(func() {
		// hit[i] tells that the value selects section i; a section runs if it or one that falls through to it is selected.
		hits := make([]opnd, len(secs))
		any := constant(ir.Bool, 0)
		for i, sec := range secs {
			hit := constant(ir.Bool, 0)
			for _, n := range sec.vals {
				hit = c.emit(ir.Or, ir.Bool, ir.Bool, hit, c.emit(ir.Eq, k, ir.Bool, x, constant(k, uint64(n)), none), none)
			}
			hits[i] = hit
			any = c.emit(ir.Or, ir.Bool, ir.Bool, any, hit, none)
		}
		for i, sec := range secs {
			if sec.def {
				hits[i] = c.emit(ir.Or, ir.Bool, ir.Bool, hits[i], c.emit(ir.Not, ir.Bool, ir.Bool, any, none, none), none)
			}
		}
		live := constant(ir.Bool, 0)
		for i, sec := range secs {
			live = c.emit(ir.Or, ir.Bool, ir.Bool, live, hits[i], none)
			body := c.b.nest(func() {
				for _, st := range sec.stmts {
					c.statement(st)
				}
			})
			if len(body) > 0 {
				c.b.append(&ir.If{Pos: s.At, Cond: c.reg(live), Then: body})
			}
			if endsInLeave(body) {
				live = constant(ir.Bool, 0)
			}
		}
	})
	c.closeRegion(id, blk)
}

func endsInLeave(b ir.Block) bool {
	if len(b) == 0 {
		return false
	}
	_, ok := b[len(b)-1].(*ir.Leave)
	return ok
}

func (c *lowerer) returnStmt(s *syntax.ReturnStmt) {
	fr := c.frame
	if s.X == nil {
		if !fr.auto && fr.ret.t != voidType {
			c.fail(s.At, "non-void function should return a value")
		}
		if fr.auto {
			fr.auto, fr.ret = false, plain(voidType)
		}
		c.endReturn(fr, s.At)
		return
	}
	if fr.kernel {
		v := c.expr(s.X)
		if v.q.t != voidType {
			c.fail(start(s.X), "void function should not return a value")
		}
		c.endReturn(fr, s.At)
		return
	}
	var v value
	switch {
	case fr.auto:
		v = c.load(c.expr(s.X))
		if v.q.t == nil {
			c.fail(start(s.X), "cannot deduce the return type from a function")
		}
		fr.ret, fr.auto = plain(v.q.t), false
	case fr.ret.t == voidType:
		if v = c.expr(s.X); v.q.t != voidType {
			c.fail(start(s.X), "void function should not return a value")
		}
	case fr.ret.t.kind == tRef:
		v = c.bindRef(c.expr(s.X), fr.ret, s.At)
	default:
		if l, ok := s.X.(*syntax.InitList); ok {
			v = c.listInit(fr.ret, l)
			break
		}
		v = c.expr(s.X)
		if c.fitValue(v, plain(fr.ret.t)) == rankNone {
			c.fail(start(s.X), "cannot initialize return object of type '%s' with an %s of type '%s'", fr.ret, category(v), c.typeString(v))
		}
		v = c.implicit(v, plain(fr.ret.t), start(s.X))
	}
	c.pos = s.At
	if fr.single || c.evaluating > fr.depth {
		fr.direct, fr.returned = v, true
		if c.evaluating > 0 {
			c.flow = flowReturn
		}
		return
	}
	if fr.result != nil {
		c.writeRegisters(c.unaliased(fr.result, v.ops), registersOf(fr.result), fr.ret.t)
	}
	fr.returned = true
	c.endReturn(fr, s.At)
}

func (c *lowerer) endReturn(fr *frame, pos token.Pos) {
	if c.evaluating > 0 {
		fr.returned = true
		fr.direct = rvalue(voidType)
		c.flow = flowReturn
		return
	}
	if fr.single {
		fr.returned = true
		fr.direct = rvalue(voidType)
		return
	}
	c.b.leave(fr.region, pos)
}
