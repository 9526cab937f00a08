package mtl

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
)

type message struct{ name, encoding string }

// declared gives the arguments of all objc.Sel calls of a package directory.
func declared(t *testing.T, dir string) map[message]token.Position {
	t.Helper()
	found := make(map[message]token.Position)
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, dir, func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
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
