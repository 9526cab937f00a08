package darwinkit

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// call is a message that darwinkit sends.
type call struct {
	typ, selector string // "MTLDevice", "-name"
	kinds         []string
	at            token.Position
}

// text is darwinkit's package metal.
type text struct {
	files  *token.FileSet
	syntax []*ast.File
	named  map[string]ast.Expr // types of the package
}

// load finds the module in the module cache, where go test has put what go.mod requires.
func load(t *testing.T) *text {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/progrium/darwinkit").Output()
	if err != nil {
		t.Fatalf("go mod download: %v: %s", err, out)
	}
	var module struct{ Dir, Version string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	if module.Version != "v0.5.0" {
		t.Fatalf("its known errors are those of v0.5.0, this is %s", module.Version)
	}
	names, err := filepath.Glob(filepath.Join(module.Dir, "macos", "metal", "*.go"))
	if err != nil || len(names) < 100 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	x := &text{files: token.NewFileSet(), named: make(map[string]ast.Expr)}
	for _, name := range names {
		f, err := parser.ParseFile(x.files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		x.syntax = append(x.syntax, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						x.named[s.Name.Name] = s.Type
					}
				}
			}
		}
	}
	return x
}

// values gives the enumerators by Metal's names.
func (x *text) values() map[string]constant.Value {
	all := make(map[string]constant.Value)
	for _, f := range x.syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				for i, v := range s.Values {
					if tv, err := types.Eval(x.files, nil, token.NoPos, types.ExprString(v)); err == nil {
						all["MTL"+s.Names[i].Name] = tv.Value
					} else if types.ExprString(v) == "math.MaxUint" {
						all["MTL"+s.Names[i].Name] = constant.MakeUint64(1<<64 - 1)
					}
				}
			}
		}
	}
	return all
}

// calls gives the messages that are sent with a literal selector.
func (x *text) calls() []call {
	var all []call
	for _, f := range x.syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && d.Body != nil {
				all = append(all, x.callsOf(d)...)
			}
		}
	}
	return all
}

func (x *text) callsOf(d *ast.FuncDecl) []call {
	typ, sign := types.ExprString(d.Recv.List[0].Type), "-"
	switch {
	case strings.HasPrefix(typ, "_"):
		typ, sign = strings.TrimSuffix(typ[1:], "Class"), "+"
	case strings.HasSuffix(typ, "Object"):
		typ = strings.TrimSuffix(typ, "Object")
	}
	variables := make(map[string]string)
	for _, p := range d.Type.Params.List {
		for _, name := range p.Names {
			variables[name.Name] = x.kind(p.Type)
		}
	}
	var all []call
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt: // po0 := objc.WrapAsProtocol("MTLBuffer", buffer)
			if c, ok := n.Rhs[0].(*ast.CallExpr); ok && types.ExprString(c.Fun) == "objc.WrapAsProtocol" {
				variables[n.Lhs[0].(*ast.Ident).Name] = "object"
			}
		case *ast.CallExpr:
			generic, ok := n.Fun.(*ast.IndexExpr)
			if !ok || types.ExprString(generic.X) != "objc.Call" {
				return true
			}
			c := call{typ: "MTL" + typ, at: x.files.Position(n.Pos()), kinds: []string{x.kind(generic.Index)}}
			literal := n.Args[1].(*ast.CallExpr).Args[0].(*ast.BasicLit)
			name, _ := strconv.Unquote(literal.Value)
			c.selector = sign + name
			for _, a := range n.Args[2:] {
				c.kinds = append(c.kinds, argument(a, variables))
			}
			all = append(all, c)
		}
		return true
	})
	return all
}

func argument(a ast.Expr, variables map[string]string) string {
	switch a := a.(type) {
	case *ast.Ident:
		return variables[a.Name]
	case *ast.CallExpr:
		if types.ExprString(a.Fun) == "unsafe.Pointer" {
			return "pointer"
		}
	}
	return types.ExprString(a)
}

// kind says how a Go type travels: void, object, block, pointer, struct, or the letter of a number.
func (x *text) kind(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "pointer"
	case *ast.ArrayType, *ast.MapType:
		return "object"
	case *ast.FuncType:
		return "block"
	case *ast.StructType:
		if len(e.Fields.List) > 0 && len(e.Fields.List[0].Names) == 0 { // embeds an object
			return "object"
		}
		return "struct"
	case *ast.InterfaceType:
		return "object"
	case *ast.Ident:
		if k, ok := basic[e.Name]; ok {
			return k
		}
		if u := x.named[e.Name]; u != nil {
			return x.kind(u)
		}
	case *ast.SelectorExpr:
		name := types.ExprString(e)
		if k, ok := basic[name]; ok {
			return k
		}
		return "object" // of another package
	}
	return types.ExprString(e)
}

var basic = map[string]string{
	"uint": "Q", "uint64": "Q", "int": "q", "int64": "q", "uint32": "I", "int32": "i", "uint16": "S", "int16": "s", "uint8": "C", "byte": "C", "int8": "c",
	"float64": "d", "float32": "f", "bool": "B", "string": "object", "unsafe.Pointer": "pointer",
	"objc.Void": "void", "objc.Selector": "selector", "foundation.Range": "struct", "foundation.TimeInterval": "d", "corefoundation.TimeInterval": "d", "iosurface.Ref": "pointer",
	"foundation.ErrorDomain": "object", "foundation.Integer": "q", "foundation.UInteger": "Q", "kernel.UniChar": "S",
}
