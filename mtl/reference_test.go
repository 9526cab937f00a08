package mtl

import (
	"go/ast"
	"go/doc"
	"go/token"
	"regexp"
	"testing"
)

var reference = regexp.MustCompile(`(?s)\S.*\n\nReference: https://developer\.apple\.com/documentation/\S+\n$`)

func TestEveryExportedSymbolIsExplainedAndRefersToApplesPage(t *testing.T) {
	files := token.NewFileSet()
	p, err := doc.NewFromFiles(files, parseDir(t, files, "."), "github.com/puremetal/puremetal/mtl")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, text string) {
		if !reference.MatchString(text) {
			t.Errorf("%s: the comment is not text and a reference: %q", name, text)
		}
	}
	n := 0
	functions := func(of string, list []*doc.Func) {
		for _, f := range list {
			n++
			check(of+f.Name, f.Doc)
		}
	}
	functions("", p.Funcs)
	for _, v := range p.Types {
		n++
		check(v.Name, v.Doc)
		functions("", v.Funcs)
		functions(v.Name+".", v.Methods)
	}
	for _, v := range p.Vars {
		for _, s := range v.Decl.Specs {
			n++
			check(v.Names[0], s.(*ast.ValueSpec).Doc.Text())
		}
	}
	if n < 120 {
		t.Errorf("only %d symbols were found", n)
	}
}
