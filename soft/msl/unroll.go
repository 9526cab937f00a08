package msl

import (
	"github.com/puremetal/puremetal/soft/msl/syntax"
)

// Loops of a few known iterations are unrolled: indices become constants, and the arrays that they index become registers. It
// is what keeps simdgroup matrices of an array in registers of their own.
const (
	maxTrips        = 64
	maxUnrolled     = 500  // expressions in the unrolled body of an ordinary loop
	maxUnrolledMats = 6000 // the same where the body indexes an array of matrices
)

// unroll walks a for loop once for each iteration. It reports false, having done nothing, where that is not possible or not
// worth it.
func (c *lowerer) unroll(s *syntax.ForStmt) bool {
	if s.Init == nil || s.Cond == nil || s.Next == nil || c.evaluating > 0 {
		return false
	}
	ds, ok := s.Init.(*syntax.DeclStmt)
	if !ok || len(ds.Decls) != 1 {
		return false
	}
	d, ok := ds.Decls[0].(*syntax.VarDecl)
	if !ok || d.Init == nil || d.Space != "" {
		return false
	}
	if n, ok := d.Type.(*syntax.NamedType); !ok || n.Space != "" {
		return false
	}
	a := &assignments{names: map[string]assignment{}, byRef: c.byRef}
	a.stmt(s.Body)
	if a.names[d.Name] != 0 {
		return false
	}
	w := &weigher{c: c}
	w.stmt(s.Body)
	if w.size > maxUnrolledMats {
		return false
	}
	limit := maxUnrolled
	if w.matrices {
		limit = maxUnrolledMats
	}
	trips := c.trips(s, d, min(maxTrips, limit/max(w.size, 1)))
	if trips == nil {
		return false
	}
	fr := c.frame
	brk, cont, inLoop, inSwitch := fr.brk, fr.cont, fr.inLoop, fr.inSwitch
	defer func() { fr.brk, fr.cont, fr.inLoop, fr.inSwitch = brk, cont, inLoop, inSwitch }()
	iteration := func(v value) {
		old := c.scope
		c.scope = newScope(old)
		c.scope.declare(&symbol{kind: symVar, name: d.Name, pos: d.At, val: v})
		c.statement(s.Body)
		c.scope = old
	}
	fr.inLoop, fr.inSwitch = true, false
	if !w.leaves {
		for _, v := range trips {
			iteration(v)
		}
		return true
	}
	out := c.b.region()
	fr.brk = out
	blk := c.b.nest(func() {
		for _, v := range trips {
			id := c.b.region()
			fr.cont = id
			body := c.b.nest(func() { iteration(v) })
			c.closeRegion(id, body)
		}
	})
	c.closeRegion(out, blk)
	return true
}

// trips evaluates the loop variable of every iteration at compile time, or gives nil if there are too many or they are not known.
func (c *lowerer) trips(s *syntax.ForStmt, d *syntax.VarDecl, limit int) []value {
	var out []value
	ok := false
	c.attempt(func() {
		old := c.scope
		c.scope = newScope(old)
		defer func(before bool) { c.scope, c.unrolling = old, before }(c.unrolling)
		c.unrolling = true
		c.evaluating++
		q, ops := c.initialised(d)
		if !q.t.isInteger() || len(ops) != 1 || !ops[0].con {
			c.evaluating--
			return
		}
		st := c.valueStorage(d.Name, q.t)
		v := value{q: qtype{q.t, false, spaceThread}, lv: true, at: registersOf(st)}
		c.store(v, ops)
		c.scope.declare(&symbol{kind: symVar, name: d.Name, pos: d.At, val: v})
		for {
			n, known := c.toBool(c.expr(s.Cond), s.At).constantInt()
			if !known || len(out) > limit {
				break
			}
			if n == 0 {
				ok = true
				break
			}
			now := c.constStorage(d.Name, q.t, []opnd{st.values[0][0]})
			now.usable = false
			out = append(out, value{q: v.q, lv: true, at: registersOf(now)})
			c.effect(s.Next)
		}
		c.evaluating--
	})
	if !ok || len(out) > limit {
		return nil
	}
	if out == nil {
		out = []value{}
	}
	return out
}

// weigher measures a loop body.
type weigher struct {
	c        *lowerer
	size     int
	leaves   bool // a break or continue belongs to the loop itself
	matrices bool // an array of simdgroup matrices is indexed
	inner    int  // depth of loops inside
	switches int
}

func (w *weigher) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		for _, t := range s.Stmts {
			w.stmt(t)
		}
	case *syntax.DeclStmt:
		for _, d := range s.Decls {
			if v, ok := d.(*syntax.VarDecl); ok {
				w.expr(v.Init)
			}
		}
	case *syntax.ExprStmt:
		w.expr(s.X)
	case *syntax.IfStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		if s.CondDecl != nil {
			w.expr(s.CondDecl.Init)
		}
		w.expr(s.Cond)
		w.stmt(s.Then)
		if s.Else != nil {
			w.stmt(s.Else)
		}
	case *syntax.ForStmt:
		w.size += 3
		w.loop(s.Body, 4)
	case *syntax.WhileStmt:
		w.expr(s.Cond)
		w.loop(s.Body, 1)
	case *syntax.DoStmt:
		w.expr(s.Cond)
		w.loop(s.Body, 1)
	case *syntax.SwitchStmt:
		w.expr(s.X)
		w.switches++
		w.stmt(s.Body)
		w.switches--
	case *syntax.ReturnStmt:
		w.expr(s.X)
	case *syntax.BreakStmt:
		w.leaves = w.leaves || w.inner == 0 && w.switches == 0
	case *syntax.ContinueStmt:
		w.leaves = w.leaves || w.inner == 0
	}
}

// loop weighs a loop inside: it may be unrolled in its turn.
func (w *weigher) loop(body syntax.Stmt, times int) {
	before := w.size
	w.inner++
	w.stmt(body)
	w.inner--
	w.size += (w.size - before) * (times - 1)
}

func (w *weigher) expr(x syntax.Expr) {
	if x == nil {
		return
	}
	w.size++
	switch x := x.(type) {
	case *syntax.UnaryExpr:
		w.expr(x.X)
	case *syntax.BinaryExpr:
		w.expr(x.X)
		w.expr(x.Y)
	case *syntax.AssignExpr:
		w.expr(x.X)
		w.expr(x.Y)
	case *syntax.CondExpr:
		w.expr(x.Cond)
		w.expr(x.X)
		w.expr(x.Y)
	case *syntax.CallExpr:
		// A function's body is walked as often as it is called.
		w.size += 10
		for _, a := range x.Args {
			w.expr(a)
		}
	case *syntax.IndexExpr:
		w.matrices = w.matrices || w.isMatrices(x.X)
		w.expr(x.X)
		w.expr(x.Index)
	case *syntax.MemberExpr:
		w.expr(x.X)
	case *syntax.CastExpr:
		w.expr(x.X)
	case *syntax.Construct:
		for _, a := range x.Args {
			w.expr(a)
		}
	case *syntax.InitList:
		for _, a := range x.Elems {
			w.expr(a)
		}
	}
}

// isMatrices reports whether x names an array of simdgroup matrices, or a member of an object that has one.
func (w *weigher) isMatrices(x syntax.Expr) bool {
	for {
		switch y := x.(type) {
		case *syntax.IndexExpr:
			x = y.X
			continue
		case *syntax.MemberExpr:
			x = y.X
			continue
		case *syntax.IdentExpr:
			if len(y.Name.Parts) != 1 {
				return false
			}
			s := w.c.find(w.c.scope, y.Name.Parts[0].Ident)
			switch {
			case s == nil:
				return false
			case s.kind == symField:
				return hasMatrix(s.st.fields[s.index].q.t)
			case s.kind == symVar && s.lazy == nil && s.val.q.t != nil:
				t := s.val.q.t
				if t.kind == tPointer {
					t = t.elem.t
				}
				return hasMatrix(t)
			}
		}
		return false
	}
}
