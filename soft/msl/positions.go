package msl

import (
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// start is where an expression begins; its own position is that of its operator.
func start(x syntax.Expr) token.Pos {
	for {
		switch y := x.(type) {
		case *syntax.BinaryExpr:
			x = y.X
		case *syntax.AssignExpr:
			x = y.X
		case *syntax.CondExpr:
			x = y.Cond
		case *syntax.CallExpr:
			x = y.Fun
		case *syntax.IndexExpr:
			x = y.X
		case *syntax.MemberExpr:
			x = y.X
		case *syntax.UnaryExpr:
			if !y.Postfix {
				return y.At
			}
			x = y.X
		default:
			return x.Pos()
		}
	}
}

// nameOf is where the member of a member access is named.
func nameOf(x *syntax.MemberExpr) token.Pos {
	p := x.At
	p.Col++
	if x.Arrow {
		p.Col++
	}
	return p
}

// calleeOf is where a called function is named.
func calleeOf(x *syntax.CallExpr) token.Pos {
	if m, ok := x.Fun.(*syntax.MemberExpr); ok {
		return nameOf(m)
	}
	return start(x.Fun)
}

// baseOf is where a type begins.
func baseOf(t syntax.Type) token.Pos {
	for {
		switch y := t.(type) {
		case *syntax.PointerType:
			t = y.Elem
		case *syntax.RefType:
			t = y.Elem
		case *syntax.ArrayType:
			t = y.Elem
		default:
			return t.Pos()
		}
	}
}
