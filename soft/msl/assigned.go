package msl

import "github.com/puremetal/puremetal/soft/msl/syntax"

// assignments collects the names of variables that statements may change. It goes by names alone and errs on the safe side:
// a name too many costs a register, a name too few is found out when the variable is assigned.
type assignments struct {
	names map[string]assignment
	byRef map[string]bool // functions that take references
}

// assignment tells how a name may be assigned.
type assignment uint8

const (
	assignedWhole assignment = 1 << iota // the variable itself, or a part of it
	assignedInto                         // through an index or dereference: an element of an array, or what a pointer points to
)

// libraryByRef are the functions of Metal's library that change an argument.
var libraryByRef = map[string]bool{"modf": true, "frexp": true, "sincos": true, "simdgroup_load": true, "simdgroup_multiply": true,
	"simdgroup_multiply_accumulate": true}

func (a *assignments) root(x syntax.Expr) {
	how := assignedWhole
	for {
		switch y := x.(type) {
		case *syntax.IdentExpr:
			a.names[y.Name.Parts[len(y.Name.Parts)-1].Ident] |= how
			return
		case *syntax.MemberExpr:
			if y.Arrow {
				return
			}
			x = y.X
		case *syntax.IndexExpr:
			how = assignedInto
			x = y.X
		case *syntax.CondExpr:
			a.root(y.X)
			x = y.Y
		case *syntax.UnaryExpr:
			if y.Op == "*" {
				return
			}
			x = y.X
		case *syntax.AssignExpr:
			x = y.X
		case *syntax.CastExpr:
			x = y.X
		default:
			return
		}
	}
}

func (a *assignments) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.UnaryExpr:
		if x.Op == "++" || x.Op == "--" || x.Op == "&" {
			a.root(x.X)
		}
		a.expr(x.X)
	case *syntax.BinaryExpr:
		a.expr(x.X)
		a.expr(x.Y)
	case *syntax.AssignExpr:
		a.root(x.X)
		a.expr(x.X)
		a.expr(x.Y)
	case *syntax.CondExpr:
		a.expr(x.Cond)
		a.expr(x.X)
		a.expr(x.Y)
	case *syntax.CallExpr:
		byRef := false
		switch f := x.Fun.(type) {
		case *syntax.IdentExpr:
			name := f.Name.Parts[len(f.Name.Parts)-1].Ident
			byRef = a.byRef[name] || libraryByRef[name]
		case *syntax.MemberExpr:
			byRef = a.byRef[f.Name.Ident]
			if !f.Arrow {
				a.root(f.X)
			}
			a.expr(f.X)
		default:
			byRef = true
			a.expr(x.Fun)
		}
		for _, y := range x.Args {
			if byRef {
				a.root(y)
			}
			a.expr(y)
		}
	case *syntax.IndexExpr:
		a.expr(x.X)
		a.expr(x.Index)
	case *syntax.MemberExpr:
		a.expr(x.X)
	case *syntax.CastExpr:
		if _, ok := x.Type.(*syntax.RefType); ok {
			a.root(x.X)
		}
		a.expr(x.X)
	case *syntax.Construct:
		for _, y := range x.Args {
			a.root(y)
			a.expr(y)
		}
	case *syntax.InitList:
		for _, y := range x.Elems {
			a.expr(y)
		}
	case *syntax.PackExpr:
		a.expr(x.X)
	case *syntax.FoldExpr:
		a.expr(x.X)
		if x.Init != nil {
			a.expr(x.Init)
		}
	}
}

func (a *assignments) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		for _, t := range s.Stmts {
			a.stmt(t)
		}
	case *syntax.DeclStmt:
		for _, d := range s.Decls {
			if v, ok := d.(*syntax.VarDecl); ok {
				a.varDecl(v)
			}
		}
	case *syntax.ExprStmt:
		a.expr(s.X)
	case *syntax.IfStmt:
		if s.Init != nil {
			a.stmt(s.Init)
		}
		if s.CondDecl != nil {
			a.varDecl(s.CondDecl)
		}
		if s.Cond != nil {
			a.expr(s.Cond)
		}
		a.stmt(s.Then)
		if s.Else != nil {
			a.stmt(s.Else)
		}
	case *syntax.ForStmt:
		if s.Init != nil {
			a.stmt(s.Init)
		}
		if s.Cond != nil {
			a.expr(s.Cond)
		}
		if s.Next != nil {
			a.expr(s.Next)
		}
		a.stmt(s.Body)
	case *syntax.WhileStmt:
		a.expr(s.Cond)
		a.stmt(s.Body)
	case *syntax.DoStmt:
		a.stmt(s.Body)
		a.expr(s.Cond)
	case *syntax.SwitchStmt:
		a.expr(s.X)
		a.stmt(s.Body)
	case *syntax.ReturnStmt:
		if s.X != nil {
			a.expr(s.X)
		}
	}
}

func (a *assignments) varDecl(v *syntax.VarDecl) {
	if v.Init == nil {
		return
	}
	if r, ok := v.Type.(*syntax.RefType); ok && !isConstSyntax(r.Elem) {
		a.root(v.Init)
	}
	a.expr(v.Init)
}
