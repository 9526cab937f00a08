package mtl

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
	"github.com/puremetal/puremetal/objc"
)

// A program text as the conformance tests read it.
type source struct {
	files     *token.FileSet
	all       []*ast.File
	selectors map[string]objc.SEL // the package-level variables made by objc.Sel and objc.Overload
	overloads map[string]bool     // those made by objc.Overload
	at        map[string]token.Position
}

// parseDir parses the Go files of a directory but for the tests.
func parseDir(t *testing.T, files *token.FileSet, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// read parses the package in a directory without its tests.
func read(t *testing.T, dir string) *source {
	t.Helper()
	s := &source{files: token.NewFileSet(), selectors: make(map[string]objc.SEL), overloads: make(map[string]bool), at: make(map[string]token.Position)}
	s.all = parseDir(t, s.files, dir)
	for _, f := range s.all {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, v := range spec.Values {
				call, ok := v.(*ast.CallExpr)
				if !ok || !isSel(call.Fun) {
					continue
				}
				name, encoding := text(call.Args[0]), text(call.Args[1])
				if name == "" || encoding == "" {
					t.Errorf("%s: objc.Sel of something that is no literal", s.files.Position(v.Pos()))
					continue
				}
				// It is the SEL that the package has, or this panics.
				declare := objc.Sel
				if call.Fun.(*ast.SelectorExpr).Sel.Name == "Overload" {
					declare = objc.Overload
					s.overloads[spec.Names[i].Name] = true
				}
				s.selectors[spec.Names[i].Name] = declare(name, encoding)
				s.at[spec.Names[i].Name] = s.files.Position(v.Pos())
			}
			return true
		})
	}
	return s
}

func isSel(fun ast.Expr) bool {
	f, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == "objc" && (f.Sel.Name == "Sel" || f.Sel.Name == "Overload")
}

func text(e ast.Expr) string {
	literal, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, _ := strconv.Unquote(literal.Value)
	return s
}

// declarers gives the types of the table that have a selector.
func declarers(selector string) []*abi.Method {
	var all []*abi.Method
	for _, typ := range abi.Load().Types {
		for _, sign := range []string{"-", "+"} {
			if m := typ.Methods[sign+selector]; m != nil {
				all = append(all, m)
			}
		}
	}
	return all
}

func TestEverySelectorIsDeclaredAsMetalDeclaresIt(t *testing.T) {
	for _, dir := range []string{".", "../soft"} {
		s := read(t, dir)
		if len(s.selectors) < 60 {
			t.Errorf("%s: only %d selectors were found", dir, len(s.selectors))
		}
		for name, sel := range s.selectors {
			all := declarers(sel.Name())
			if !slices.ContainsFunc(all, func(m *abi.Method) bool { return m.Encoding == sel.Encoding() }) {
				var have []string
				for _, m := range all {
					have = append(have, m.Type+" "+m.Encoding)
				}
				t.Errorf("%s: %s: %s is declared with %s; the table has %q", s.at[name], name, sel.Name(), sel.Encoding(), have)
			}
		}
	}
}

// A forwarder is a function that sends a selector that it is given.
type forwarder struct {
	selector int // the argument that is the selector
	words    int // how many words it sends, or -1: as many as arguments follow the selector
}

// senders are objc's functions and the methods of Msg and Batch that send; what is called behind a dot has one before its name.
var senders = map[string]forwarder{
	".Send": {1, -1}, ".SendID": {1, -1}, ".SendBool": {1, -1}, ".SendFloat64": {1, -1}, ".SendFloat32": {1, -1}, ".SendStruct": {1, -1},
	".SendToResult": {1, -1},
}

// called is the name by which a function is called.
func called(f *ast.FuncDecl) string {
	if f.Recv != nil {
		return "." + f.Name.Name
	}
	return f.Name.Name
}

func TestEveryMessageHasTheWordsOfItsSelector(t *testing.T) {
	s := read(t, ".")
	known := make(map[string]forwarder)
	for name, f := range senders {
		known[name] = f
	}
	// Functions with a SEL among their parameters send it by functions that are known, in the end.
	for grown := true; grown; {
		grown = false
		s.functions(func(f *ast.FuncDecl) {
			at, name := selectorParameter(f)
			if _, ok := known[called(f)]; ok || at < 0 {
				return
			}
			s.sends(f, known, func(call *ast.CallExpr, by forwarder) {
				if id, ok := call.Args[by.selector].(*ast.Ident); ok && id.Name == name {
					known[called(f)] = forwarder{at, by.count(call)}
					grown = true
				}
			})
		})
	}
	sent := make(map[string]int)
	s.functions(func(f *ast.FuncDecl) {
		at, parameter := selectorParameter(f)
		s.sends(f, known, func(call *ast.CallExpr, by forwarder) {
			where := s.files.Position(call.Pos())
			id, ok := call.Args[by.selector].(*ast.Ident)
			if !ok {
				t.Errorf("%s: sends a selector that is not a variable", where)
				return
			}
			if at >= 0 && id.Name == parameter {
				return
			}
			sel, ok := s.selectors[id.Name]
			if !ok {
				t.Errorf("%s: sends %s, which is no selector of this package", where, id.Name)
				return
			}
			sent[id.Name]++
			if n := by.count(call); n != sel.Args() {
				t.Errorf("%s: sends %s with %d words, it takes %d", where, sel.Name(), n, sel.Args())
			}
		})
	})
	for name := range s.selectors {
		if sent[name] == 0 {
			t.Errorf("%s: nothing sends %s", s.at[name], name)
		}
	}
	if len(sent) < 60 {
		t.Errorf("only %d selectors were seen sent", len(sent))
	}
}

// count is the number of words that a call of the forwarder sends, -1 if it hands on those that it was given.
func (f forwarder) count(call *ast.CallExpr) int {
	switch {
	case f.words >= 0:
		return f.words
	case call.Ellipsis.IsValid():
		return -1
	}
	return len(call.Args) - f.selector - 1
}

func (s *source) functions(f func(*ast.FuncDecl)) {
	for _, file := range s.all {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				f(d)
			}
		}
	}
}

// sends calls f for the calls in a function of functions that send.
func (s *source) sends(in *ast.FuncDecl, known map[string]forwarder, f func(*ast.CallExpr, forwarder)) {
	ast.Inspect(in.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			name = "." + fun.Sel.Name
		}
		if by, ok := known[name]; ok && len(call.Args) > by.selector {
			f(call, by)
		}
		return true
	})
}

// selectorParameter gives the place and name of a function's parameter of type objc.SEL, -1 if it has none.
func selectorParameter(f *ast.FuncDecl) (int, string) {
	at := 0
	for _, field := range f.Type.Params.List {
		sel, ok := field.Type.(*ast.SelectorExpr)
		for _, name := range field.Names {
			if ok && sel.Sel.Name == "SEL" {
				return at, name.Name
			}
			at++
		}
	}
	return -1, ""
}

func TestEveryFunctionAndConstantOfTheRuntimeIsInTheTable(t *testing.T) {
	table := abi.Load()
	s := read(t, ".")
	n := 0
	for _, f := range s.all {
		ast.Inspect(f, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name, found := text(call.Args[0]), true
			switch fun.Sel.Name {
			case "Func":
				_, found = table.Functions[name]
			case "Constant":
				_, found = table.Constants[name]
			case "Class":
				_, found = table.Types[name]
				found = found || name == "" // a variable
			default:
				return true
			}
			if n++; !found {
				t.Errorf("%s: the table has no %s", s.files.Position(call.Pos()), name)
			}
			return true
		})
	}
	if n < 3 {
		t.Errorf("only %d were found", n)
	}
}

// constants gives the values of a package's untyped and enumerated constants that are made of literals.
func (s *source) constants() map[string]constant.Value {
	all := make(map[string]constant.Value)
	for _, f := range s.all {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, v := range spec.Values {
					if tv, err := types.Eval(s.files, nil, token.NoPos, types.ExprString(v)); err == nil && tv.Value != nil {
						all[spec.Names[i].Name] = tv.Value
					}
				}
			}
		}
	}
	return all
}

// guards are the functions that ask whether an object has a selector, with the place of the selector among their arguments.
var guards = map[string]int{".Responds": 1, "needs": 2, ".makes": 1}

// askedFor gives the selectors that are handed to one of guards.
func (s *source) askedFor() map[string]bool {
	all := make(map[string]bool)
	s.functions(func(f *ast.FuncDecl) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = "." + fun.Sel.Name
			}
			if at, ok := guards[name]; ok && at < len(call.Args) {
				if id, ok := call.Args[at].(*ast.Ident); ok {
					all[id.Name] = true
				}
			}
			return true
		})
	})
	return all
}
