package mtl

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

type message struct{ name, encoding string }

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

// declared gives the arguments of all objc.Sel calls of a package directory.
func declared(t *testing.T, dir string) map[message]token.Position {
	t.Helper()
	found := make(map[message]token.Position)
	files := token.NewFileSet()
	for _, f := range parseDir(t, files, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || f.Sel.Name != "Sel" {
				return true
			}
			if x, ok := f.X.(*ast.Ident); !ok || x.Name != "objc" {
				return true
			}
			var text [2]string
			for i, a := range call.Args {
				literal, ok := a.(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: objc.Sel of something that is no literal", files.Position(call.Pos()))
					return true
				}
				text[i], _ = strconv.Unquote(literal.Value)
			}
			found[message{text[0], text[1]}] = files.Position(call.Pos())
			return true
		})
	}
	return found
}

func TestEverySelectorIsDeclaredAsMetalDeclaresIt(t *testing.T) {
	f, err := os.Open("testdata/selectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := make(map[message]bool)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			t.Fatalf("bad line %q", lines.Text())
		}
		table[message{fields[1], fields[2]}] = false
	}
	mine, soft := declared(t, "."), declared(t, "../soft")
	if len(mine) < 50 || len(soft) < 80 {
		t.Errorf("found only %d and %d selectors", len(mine), len(soft))
	}
	for _, all := range []map[message]token.Position{mine, soft} {
		for m, at := range all {
			if _, ok := table[m]; !ok {
				t.Errorf("%s: %s with encoding %s is not in the table", at, m.name, m.encoding)
			}
			table[m] = true
		}
	}
	for m, used := range table {
		if !used {
			t.Errorf("nobody sends %s %s", m.name, m.encoding)
		}
	}
}

func TestTheSoftwareDeviceAnswersEverySelectorThatMtlSends(t *testing.T) {
	soft := declared(t, "../soft")
	foundation := map[string]bool{"alloc": true, "dictionaryWithObjects:forKeys:count:": true}
	optional := map[string]bool{"gpuAddress": true} // asked for with respondsToSelector:
	for m := range declared(t, ".") {
		if _, ok := soft[m]; !ok && !foundation[m.name] && !optional[m.name] {
			t.Errorf("package soft does not know %s", m.name)
		}
	}
}
