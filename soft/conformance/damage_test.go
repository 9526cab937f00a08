package conformance

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/token"
	"github.com/puremetal/puremetal/soft/simt"
)

// compileAll takes a text as far as it goes: to prepared kernels, or to an error that must be a list with positions. It must
// never panic.
func compileAll(t *testing.T, text string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("panic: %v\n%s", r, numbered(text))
		}
	}()
	l, err := msl.Compile(text, msl.Options{})
	if err != nil {
		var list token.ErrorList
		if !errors.As(err, &list) || len(list) == 0 {
			t.Fatalf("an error without diagnostics: %v\n%s", err, numbered(text))
		}
		return
	}
	for _, f := range l.Functions() {
		k, err := l.Kernel(f.Name, nil)
		if err != nil {
			continue
		}
		if _, err := simt.Compile(k); err != nil {
			t.Fatalf("the engine refuses what the compiler made: %v\n%s", err, numbered(text))
		}
	}
}

var word = regexp.MustCompile(`[A-Za-z_]\w*|\d+|\S`)

// damage deletes, doubles or exchanges a few tokens of text.
func damage(text string, r *rand.Rand) string {
	for range 1 + r.IntN(2) {
		at := word.FindAllStringIndex(text, -1)
		if len(at) < 2 {
			return text
		}
		a, b := at[r.IntN(len(at))], at[r.IntN(len(at))]
		switch r.IntN(3) {
		case 0:
			text = text[:a[0]] + text[a[1]:]
		case 1:
			text = text[:a[1]] + " " + text[b[0]:b[1]] + text[a[1]:]
		case 2:
			text = text[:a[0]] + text[b[0]:b[1]] + text[a[1]:]
		}
	}
	return text
}

func testdata(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.metal")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata")
	}
	var texts []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	return texts
}

func TestDamagedProgramsAreRefusedInGoodOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(211, 1))
	for _, text := range testdata(t) {
		for range 12 {
			compileAll(t, damage(text, r))
		}
	}
}

func FuzzDamagedPrograms(f *testing.F) {
	texts := testdata(f)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		compileAll(t, damage(texts[r.IntN(len(texts))], r))
	})
}
