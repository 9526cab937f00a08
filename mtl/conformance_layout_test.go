package mtl

import (
	"go/ast"
	"reflect"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
)

// structs are those of mtl that Metal has too.
var structs = map[string]reflect.Type{
	"MTLSize":         reflect.TypeFor[Size](),
	"MTLSizeAndAlign": reflect.TypeFor[SizeAndAlign](),
}

func TestStructsAreLaidOutAsMetals(t *testing.T) {
	table := abi.Load()
	for name, typ := range structs {
		want := table.Structs[name]
		if want == nil {
			t.Errorf("the table has no struct %s", name)
			continue
		}
		if int(typ.Size()) != want.Size || typ.Align() != want.Align || typ.NumField() != len(want.Fields) {
			t.Errorf("%s has %d bytes, alignment %d and %d fields, want %d, %d and %d", name,
				typ.Size(), typ.Align(), typ.NumField(), want.Size, want.Align, len(want.Fields))
			continue
		}
		for i, w := range want.Fields {
			f := typ.Field(i)
			if !strings.EqualFold(f.Name, w.Name) || int(f.Offset) != w.Offset || int(f.Type.Size()) != w.Size {
				t.Errorf("%s: field %d is %s, %d bytes at %d; want %s, %d at %d", name, i, f.Name, f.Type.Size(), f.Offset, w.Name, w.Size, w.Offset)
			}
		}
	}
	t.Logf("%d of %d structs of the table are types of mtl", len(structs), len(table.Structs))
	read(t, ".").types(func(name string, typ ast.Expr) {
		if _, ok := typ.(*ast.StructType); ok && table.Structs["MTL"+name] != nil && structs["MTL"+name] == nil {
			t.Errorf("%s is not compared with Metal's", name)
		}
	})
}

func (s *source) types(f func(name string, typ ast.Expr)) {
	for _, file := range s.all {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					f(spec.Name.Name, spec.Type)
				}
			}
		}
	}
}

// Enumerators that the generator wrote are compared with the table by its own test. There are to be no others.
func TestEnumeratorsAreGenerated(t *testing.T) {
	s := read(t, ".")
	generated := make(map[string]bool)
	file := func(n ast.Node) string { return s.files.Position(n.Pos()).Filename }
	for _, f := range s.all {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && file(f) == "enums_generated.go" {
				for _, spec := range g.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						generated[spec.Name.Name] = true
					}
				}
			}
		}
	}
	if len(generated) < 50 {
		t.Errorf("only %d types are generated", len(generated))
	}
	for _, f := range s.all {
		if file(f) == "enums_generated.go" {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			typ, ok := spec.Type.(*ast.Ident)
			if ok && generated[typ.Name] && len(spec.Values) > 0 {
				for _, name := range spec.Names {
					if name.IsExported() {
						t.Errorf("%s: %s is written by hand", s.files.Position(name.Pos()), name.Name)
					}
				}
			}
			return true
		})
	}
	// Descriptors that take the parts of the options one by one shift them into place.
	values := enumerators()
	for _, c := range []struct {
		whole, part string
		shift       int
	}{
		{"MTLResourceStorageModePrivate", "MTLStorageModePrivate", 4}, {"MTLResourceStorageModeShared", "MTLStorageModeShared", 4},
		{"MTLResourceCPUCacheModeWriteCombined", "MTLCPUCacheModeWriteCombined", 0},
		{"MTLResourceHazardTrackingModeUntracked", "MTLHazardTrackingModeUntracked", 8}, {"MTLResourceHazardTrackingModeTracked", "MTLHazardTrackingModeTracked", 8},
	} {
		if values[c.whole] != values[c.part]<<c.shift {
			t.Errorf("%s is %d, %s is %d", c.whole, values[c.whole], c.part, values[c.part])
		}
	}
}
