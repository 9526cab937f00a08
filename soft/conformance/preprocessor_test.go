package conformance

import (
	"os"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
)

func TestPreprocessor(t *testing.T) {
	text, err := os.ReadFile("testdata/preprocessor.metal")
	if err != nil {
		t.Fatal(err)
	}
	line := int32(strings.Count(strings.Split(string(text), "= __LINE__")[0], "\n") + 1)
	want := []int32{0, 2, 12, 321, 11, 11, 4 + 8, 115, 6, 3, 1, 31, line, 3, 7, 8 + 3, 10 + 65 + 39, 31 + 15 + 5 + 1000, 1000 + 16 + 5, 500, 1, 1, 4, 323}
	expect(t, kernelOf(t, "preprocessor.metal", "expansions"), 5, 24, func(int) []int32 { return want })
}

func TestMacrosOfTheCompileOptions(t *testing.T) {
	_, err := msl.Compile(header+`
#ifndef TYPE
#error TYPE
#endif
kernel void k(device TYPE* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = N + FLAG; }`,
		msl.Options{Macros: map[string]string{"TYPE": "int", "N": "(40 + 1)", "FLAG": ""}})
	if err == nil {
		t.Fatal("a missing operand was accepted")
	}
	l, err := msl.Compile(header+"kernel void k(device TYPE* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = N * 2 FLAG; }",
		msl.Options{Macros: map[string]string{"TYPE": "int", "N": "(40 + 1)", "FLAG": ""}})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, lower(t, l, "k"), 3, 1, func(int) []int32 { return []int32{82} })
}

func TestLanguageVersionIsVisible(t *testing.T) {
	l, err := msl.Compile("kernel void k(device int* out [[buffer(0)]]) { out[0] = __METAL_VERSION__; }", msl.Options{LanguageVersion: 32})
	if err != nil {
		t.Fatal(err)
	}
	k, err := l.Kernel("k", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(k.Buffers) != 1 || k.Buffers[0].Name != "out" || k.Buffers[0].ReadOnly || k.Buffers[0].Elem != ir.I32.Size() {
		t.Errorf("arguments are %+v", k.Buffers)
	}
	expect(t, lower(t, l, "k"), 1, 1, func(int) []int32 { return []int32{320} })
}
