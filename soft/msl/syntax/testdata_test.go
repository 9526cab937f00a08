package syntax

import (
	"os"
	"path/filepath"
	"testing"
)

// kernels gives the shader texts under testdata by file name.
func kernels(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.metal")
	if err != nil || len(names) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	texts := map[string]string{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(n)] = string(b)
	}
	return texts
}

func TestRealisticKernelsParse(t *testing.T) {
	for name, src := range kernels(t) {
		f, err := Parse(name, src, nil, 31)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if len(Dump(f)) < len(src)/4 {
			t.Errorf("%s: the tree is too small to be all of it", name)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	texts := kernels(b)
	n := 0
	for _, src := range texts {
		n += len(src)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for name, src := range texts {
			if _, err := Parse(name, src, nil, 31); err != nil {
				b.Fatal(err)
			}
		}
	}
}
