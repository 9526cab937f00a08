package abi

import "testing"

func TestTableIsWellFormedAndWhole(t *testing.T) {
	table, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	methods, metal := 0, 0
	for name, typ := range table.Types {
		methods += len(typ.Methods)
		if name[:3] == "MTL" || name[:4] == "MTL4" {
			metal += len(typ.Methods)
		}
		for selector, m := range typ.Methods {
			if m.Encoding == "" {
				t.Errorf("%s %s has no encoding", name, selector)
			}
		}
	}
	values := 0
	for _, e := range table.Enums {
		values += len(e.Values)
	}
	if metal != 1329 || len(table.Enums) != 126 || values != 904 || len(table.Structs) != 45 {
		t.Errorf("%d Metal selectors, %d enums, %d enumerators, %d structs; want 1329, 126, 904, 45", metal, len(table.Enums), values, len(table.Structs))
	}
}

func TestMethodsAreFoundOnSuperTypes(t *testing.T) {
	table := Load()
	for _, c := range []struct{ typ, selector, owner string }{
		{"MTLBuffer", "-contents", "MTLBuffer"},
		{"MTLBuffer", "-setLabel:", "MTLResource"},
		{"MTLBuffer", "-respondsToSelector:", "NSObjectProtocol"},
		{"MTLComputePipelineDescriptor", "+alloc", "NSObject"},
		{"MTLComputeCommandEncoder", "-endEncoding", "MTLCommandEncoder"},
	} {
		m, ok := table.Method(c.typ, c.selector)
		if !ok || m.Type != c.owner {
			t.Errorf("%s %s: found %v, want it on %s", c.typ, c.selector, m, c.owner)
		}
	}
	if m, ok := table.Method("MTLBuffer", "-noSuchThing"); ok {
		t.Errorf("found %v", m)
	}
}

func TestInheritedMethodsAreThoseThatAreFound(t *testing.T) {
	table := Load()
	for _, typ := range []string{"MTLBuffer", "MTLComputePipelineDescriptor", "MTLComputeCommandEncoder"} {
		all := table.Inherited(typ)
		for selector, m := range all {
			if found, ok := table.Method(typ, selector); !ok || found != m {
				t.Errorf("%s %s: %v, want %v", typ, selector, found, m)
			}
		}
		if len(all) < len(table.Types[typ].Methods)+20 {
			t.Errorf("%s has only %d methods", typ, len(all))
		}
	}
}
