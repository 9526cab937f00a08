package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Dump gives the tree as text for tests and tools: a line for each declaration and statement, expressions fully
// parenthesised, types read from the outside in (ptr(device const float)).
func Dump(f *File) string {
	var d dumper
	d.decls(f.Decls)
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	indent int
}

func (d *dumper) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", d.indent))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) nest(f func()) {
	d.indent++
	f()
	d.indent--
}

func (d *dumper) decls(ds []Decl) {
	for _, x := range ds {
		d.decl(x)
	}
}

func (d *dumper) decl(x Decl) {
	switch x := x.(type) {
	case *FuncDecl:
		d.line("%sfunc %s", dumpTemplate(x.Template), dumpFunc(x))
		d.nest(func() {
			for _, m := range x.Inits {
				d.line("init %s(%s)", m.Name, dumpExprs(m.Args))
			}
			if x.Body != nil {
				d.stmts(x.Body.Stmts)
			}
		})
	case *StructDecl:
		what := "struct"
		if x.Union {
			what = "union"
		}
		line := dumpTemplate(x.Template) + what + " " + dumpAttrs(x.Attrs) + dumpName(x.Name)
		for i, b := range x.Bases {
			line += []string{" : ", ", "}[min(i, 1)] + DumpType(b)
		}
		if !x.Defined {
			line += ";"
		}
		d.line("%s", line)
		d.nest(func() { d.decls(x.Members) })
	case *VarDecl:
		line := dumpTemplate(x.Template) + "var " + dumpAttrs(x.Attrs) + dumpSpec(x.Spec)
		if x.Space != "" {
			line += "@" + x.Space + " "
		}
		line += x.Name + " " + DumpType(x.Type)
		if x.Init != nil {
			line += " = " + DumpExpr(x.Init)
		}
		d.line("%s", line)
	case *TypeAlias:
		d.line("%susing %s = %s", dumpTemplate(x.Template), x.Name, DumpType(x.Type))
	case *EnumDecl:
		line := "enum " + x.Name
		if x.Class {
			line = "enum class " + x.Name
		}
		if x.Underlying != nil {
			line += " : " + DumpType(x.Underlying)
		}
		for _, m := range x.Members {
			line += " " + m.Name
			if m.Value != nil {
				line += "=" + DumpExpr(m.Value)
			}
		}
		d.line("%s", line)
	case *StaticAssert:
		d.line("static_assert %s %q", DumpExpr(x.Cond), x.Text)
	case *Instantiation:
		d.line("instantiate %s", dumpFunc(x.Func))
	case *UsingNamespace:
		if x.Decl {
			d.line("using %s", dumpName(x.Name))
		} else {
			d.line("using namespace %s", dumpName(x.Name))
		}
	case *Namespace:
		d.line("namespace %s", x.Name)
		d.nest(func() { d.decls(x.Decls) })
	}
}

func dumpTemplate(t *Template) string {
	if t == nil {
		return ""
	}
	var ps []string
	for _, p := range t.Params {
		s := "type"
		if p.Type != nil {
			s = DumpType(p.Type)
		}
		if p.Variadic {
			s += "..."
		}
		if p.Name != "" {
			s += " " + p.Name
		}
		if p.Default != nil {
			s += "=" + dumpArg(*p.Default)
		}
		ps = append(ps, s)
	}
	return "template<" + strings.Join(ps, ", ") + "> "
}

func dumpAttrs(as []Attr) string {
	s := ""
	for _, a := range as {
		s += "[[" + a.Name
		if a.Args != nil {
			s += "(" + dumpExprs(a.Args) + ")"
		}
		s += "]] "
	}
	return s
}

func dumpSpec(s Specifiers) string {
	out := ""
	for _, f := range []struct {
		on   bool
		name string
	}{{s.Static, "static "}, {s.Inline, "inline "}, {s.Constexpr, "constexpr "}, {s.Extern, "extern "}, {s.Kernel, "kernel "}} {
		if f.on {
			out += f.name
		}
	}
	return out
}

func dumpFunc(f *FuncDecl) string {
	s := dumpAttrs(f.Attrs) + dumpSpec(f.Spec) + dumpName(f.Name)
	if f.Params == nil {
		return s + " " + DumpType(f.Ret)
	}
	var ps []string
	for _, p := range f.Params {
		a := dumpAttrs(p.Attrs)
		if p.Name != "" {
			a += p.Name + " "
		}
		a += DumpType(p.Type)
		if p.Pack {
			a += "..."
		}
		if p.Default != nil {
			a += " = " + DumpExpr(p.Default)
		}
		ps = append(ps, a)
	}
	s += "(" + strings.Join(ps, ", ") + ")"
	if f.Ret != nil {
		s += " " + DumpType(f.Ret)
	}
	for _, q := range []struct {
		on   bool
		name string
	}{{f.Const, " const"}, {f.Space != "", " " + f.Space}, {f.Default, " = default"}, {f.Deleted, " = delete"}, {f.Body == nil, ";"}} {
		if q.on {
			s += q.name
		}
	}
	return s
}

func dumpName(n *Name) string {
	s := ""
	if n.Global {
		s = "::"
	}
	for i, p := range n.Parts {
		if i > 0 {
			s += "::"
		}
		s += dumpPart(p)
	}
	return s
}

func dumpPart(p NamePart) string {
	if !p.HasArgs {
		return p.Ident
	}
	var as []string
	for _, a := range p.Args {
		as = append(as, dumpArg(a))
	}
	return p.Ident + "<" + strings.Join(as, ", ") + ">"
}

func dumpArg(a TemplateArg) string {
	s := ""
	switch {
	case a.Type != nil && a.Expr != nil:
		s = "?" + DumpExpr(a.Expr)
	case a.Type != nil:
		s = DumpType(a.Type)
	case a.Expr != nil:
		s = "=" + DumpExpr(a.Expr)
	}
	if a.Pack {
		s += "..."
	}
	return s
}

func dumpQuals(q Quals) string {
	s := ""
	if q.Space != "" {
		s = q.Space + " "
	}
	if q.Const {
		s += "const "
	}
	if q.Volatile {
		s += "volatile "
	}
	return s
}

// DumpType gives a type as Dump does.
func DumpType(t Type) string {
	switch t := t.(type) {
	case *NamedType:
		return dumpQuals(t.Quals) + dumpName(t.Name)
	case *PointerType:
		return dumpQuals(t.Quals) + "ptr(" + DumpType(t.Elem) + ")"
	case *RefType:
		if t.RValue {
			return "rref(" + DumpType(t.Elem) + ")"
		}
		return "ref(" + DumpType(t.Elem) + ")"
	case *ArrayType:
		if t.Len == nil {
			return "array[](" + DumpType(t.Elem) + ")"
		}
		return "array[" + DumpExpr(t.Len) + "](" + DumpType(t.Elem) + ")"
	case *FuncType:
		var ps []string
		for _, p := range t.Params {
			ps = append(ps, DumpType(p))
		}
		return "func(" + strings.Join(ps, ", ") + ")" + DumpType(t.Ret)
	case *DecltypeType:
		return dumpQuals(t.Quals) + "decltype(" + DumpExpr(t.X) + ")"
	case *AutoType:
		return dumpQuals(t.Quals) + "auto"
	}
	return "void?"
}

func dumpExprs(xs []Expr) string {
	var ss []string
	for _, x := range xs {
		ss = append(ss, DumpExpr(x))
	}
	return strings.Join(ss, ", ")
}

// DumpExpr gives an expression as Dump does.
func DumpExpr(x Expr) string {
	switch x := x.(type) {
	case *IdentExpr:
		return dumpName(x.Name)
	case *IntLit:
		s := strconv.FormatUint(x.Value, 10)
		if x.Unsigned {
			s += "u"
		}
		if x.Long {
			s += "l"
		}
		return s
	case *FloatLit:
		s := strconv.FormatFloat(x.Value, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s + x.Suffix
	case *BoolLit:
		return strconv.FormatBool(x.Value)
	case *CharLit:
		return fmt.Sprintf("char(%d)", x.Value)
	case *StringLit:
		return strconv.Quote(x.Value)
	case *NullLit:
		return "nullptr"
	case *ThisExpr:
		return "this"
	case *UnaryExpr:
		if x.Postfix {
			return "(" + DumpExpr(x.X) + x.Op + ")"
		}
		return "(" + x.Op + DumpExpr(x.X) + ")"
	case *BinaryExpr:
		return "(" + DumpExpr(x.X) + " " + x.Op + " " + DumpExpr(x.Y) + ")"
	case *AssignExpr:
		return "(" + DumpExpr(x.X) + " " + x.Op + " " + DumpExpr(x.Y) + ")"
	case *CondExpr:
		return "(" + DumpExpr(x.Cond) + " ? " + DumpExpr(x.X) + " : " + DumpExpr(x.Y) + ")"
	case *CallExpr:
		return DumpExpr(x.Fun) + "(" + dumpExprs(x.Args) + ")"
	case *IndexExpr:
		return DumpExpr(x.X) + "[" + DumpExpr(x.Index) + "]"
	case *MemberExpr:
		op := "."
		if x.Arrow {
			op = "->"
		}
		return DumpExpr(x.X) + op + dumpPart(x.Name)
	case *CastExpr:
		return x.Kind + "cast<" + DumpType(x.Type) + ">(" + DumpExpr(x.X) + ")"
	case *Construct:
		if x.Brace {
			return "new<" + DumpType(x.Type) + ">{" + dumpExprs(x.Args) + "}"
		}
		return "new<" + DumpType(x.Type) + ">(" + dumpExprs(x.Args) + ")"
	case *InitList:
		var ss []string
		for i, e := range x.Elems {
			s := DumpExpr(e)
			if x.Designators != nil && x.Designators[i] != "" {
				s = "." + x.Designators[i] + "=" + s
			}
			ss = append(ss, s)
		}
		return "{" + strings.Join(ss, ", ") + "}"
	case *SizeofExpr:
		s := "sizeof"
		if x.Align {
			s = "alignof"
		}
		if x.Pack {
			s += "..."
		}
		if x.Type != nil {
			return s + "<" + DumpType(x.Type) + ">"
		}
		return s + "(" + DumpExpr(x.X) + ")"
	case *PackExpr:
		return DumpExpr(x.X) + "..."
	case *FoldExpr:
		s := DumpExpr(x.X) + " " + x.Op + " ..."
		if x.Left {
			s = "... " + x.Op + " " + DumpExpr(x.X)
		} else if x.Init != nil {
			s += " " + x.Op + " " + DumpExpr(x.Init)
		}
		return "fold(" + s + ")"
	}
	return "?"
}

func (d *dumper) stmts(ss []Stmt) {
	for _, s := range ss {
		d.stmt(s)
	}
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		d.line("{")
		d.nest(func() { d.stmts(s.Stmts) })
		d.line("}")
	case *DeclStmt:
		d.decls(s.Decls)
	case *ExprStmt:
		d.line("%s", DumpExpr(s.X))
	case *IfStmt:
		line := "if"
		if s.Constexpr {
			line = "if constexpr"
		}
		if s.Init != nil {
			d.line("init")
			d.nest(func() { d.stmt(s.Init) })
		}
		if s.CondDecl != nil {
			d.line("cond")
			d.nest(func() { d.decl(s.CondDecl) })
		} else {
			line += " " + DumpExpr(s.Cond)
		}
		d.line("%s", line)
		d.nest(func() { d.stmt(s.Then) })
		if s.Else != nil {
			d.line("else")
			d.nest(func() { d.stmt(s.Else) })
		}
	case *ForStmt:
		line := "for"
		if s.Cond != nil {
			line += " " + DumpExpr(s.Cond)
		}
		if s.Next != nil {
			line += "; " + DumpExpr(s.Next)
		}
		if s.Init != nil {
			d.line("init")
			d.nest(func() { d.stmt(s.Init) })
		}
		d.line("%s", line)
		d.nest(func() { d.stmt(s.Body) })
	case *WhileStmt:
		d.line("while %s", DumpExpr(s.Cond))
		d.nest(func() { d.stmt(s.Body) })
	case *DoStmt:
		d.line("do while %s", DumpExpr(s.Cond))
		d.nest(func() { d.stmt(s.Body) })
	case *SwitchStmt:
		d.line("switch %s", DumpExpr(s.X))
		d.nest(func() { d.stmts(s.Body.Stmts) })
	case *CaseStmt:
		if s.Value == nil {
			d.line("default")
		} else {
			d.line("case %s", DumpExpr(s.Value))
		}
	case *ReturnStmt:
		if s.X == nil {
			d.line("return")
		} else {
			d.line("return %s", DumpExpr(s.X))
		}
	case *BreakStmt:
		d.line("break")
	case *ContinueStmt:
		d.line("continue")
	case *EmptyStmt:
		d.line(";")
	}
}
