package kernels_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
)

// files makes a file system of name, text, name, text, ...
func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

func TestIncludesAreReplacedAndPositionsKept(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#include <metal_stdlib>\n#include \"lib/b.h\" // why\nkernel;\n",
		"lib/b.h", "b1\n#include \"c.h\"\nb3",
		"lib/c.h", "c1\n",
	), "a.metal")
	want := `#line 1 "a.metal"
#include <metal_stdlib>
#line 1 "lib/b.h"
b1
#line 1 "lib/c.h"
c1
#line 3 "lib/b.h"
b3
#line 3 "a.metal"
kernel;
`
	if err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestPragmaOnceFileStandsOnce(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#include \"b.h\"\n#include \"c.h\"\n#include \"b.h\"\n",
		"b.h", "#pragma once\nbody;\n",
		"c.h", "#pragma once\n#include \"b.h\"\n",
	), "a.metal")
	if err != nil || strings.Count(got, "body;") != 1 {
		t.Errorf("got %v\n%s\nwant one body", err, got)
	}
	if strings.Contains(got, "pragma") {
		t.Errorf("got\n%s\nwant no #pragma once, which means nothing in one text", got)
	}
}

func TestFileIncludedFirstInsideAConditionalIsRepeatedUnderItsGuard(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#ifdef NEVER\n#include \"b.h\"\n#endif\n#include \"b.h\"\n",
		"b.h", "#pragma once\nbody;\n",
	), "a.metal")
	if err != nil || strings.Count(got, "body;") != 2 || strings.Count(got, "#ifndef PUREMETAL_INCLUDED_1\n") != 2 {
		t.Errorf("got %v\n%s\nwant two guarded bodies", err, got)
	}
}

func TestFileReachedInsideAConditionalIsRepeatedToo(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#if NEVER\n#include \"b.h\"\n#endif\n#include \"c.h\"\n",
		"b.h", "#include \"c.h\"\n",
		"c.h", "#pragma once\nbody;\n",
	), "a.metal")
	if err != nil || strings.Count(got, "body;") != 2 {
		t.Errorf("got %v\n%s\nwant two bodies", err, got)
	}
}

func TestFileIncludedAfterAConditionalStandsOnce(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#if NEVER\n#endif\n#include \"b.h\"\n#include \"b.h\"\n",
		"b.h", "#pragma once\nbody;\n",
	), "a.metal")
	if err != nil || strings.Count(got, "body;") != 1 {
		t.Errorf("got %v\n%s\nwant one body", err, got)
	}
}

func TestFileWithoutPragmaOnceStandsWhereverItIsIncluded(t *testing.T) {
	got, err := kernels.Resolve(files("a.metal", "#include \"x.h\"\n#include \"x.h\"\n", "x.h", "X(1)\n"), "a.metal")
	if err != nil || strings.Count(got, "X(1)") != 2 {
		t.Errorf("got %v\n%s\nwant two", err, got)
	}
}

func TestMutualInclusionUnderPragmaOnceEnds(t *testing.T) {
	got, err := kernels.Resolve(files(
		"a.metal", "#include \"b.h\"\n",
		"b.h", "#pragma once\n#include \"c.h\"\nb;\n",
		"c.h", "#pragma once\n#include \"b.h\"\nc;\n",
	), "a.metal")
	if err != nil || strings.Count(got, "b;") != 1 || strings.Count(got, "c;") != 1 {
		t.Errorf("got %v\n%s", err, got)
	}
}

func TestUnresolvableIncludesNameFileAndLine(t *testing.T) {
	for _, c := range []struct {
		name  string
		fsys  fstest.MapFS
		cause error
		want  string
	}{
		{"missing", files("a.metal", "\n#include \"no.h\"\n"), fs.ErrNotExist, `a.metal:2: #include "no.h": file does not exist`},
		{"missing below", files("a.metal", "#include \"b.h\"\n", "b.h", "\n\n#include \"no.h\"\n"), fs.ErrNotExist,
			`b.h:3: #include "no.h": file does not exist (included by way of a.metal, b.h)`},
		{"cycle", files("a.metal", "#include \"b.h\"\n", "b.h", "#include \"c.h\"\n", "c.h", "#include \"b.h\"\n"),
			kernels.ErrIncludeCycle, `c.h:1: #include "b.h"`},
		{"outside", files("a.metal", "#include \"../x.h\"\n"), fs.ErrInvalid, `a.metal:1: #include "../x.h"`},
		{"no source", files(), fs.ErrNotExist, "a.metal: file does not exist"},
	} {
		_, err := kernels.Resolve(c.fsys, "a.metal")
		var e *kernels.IncludeError
		if !errors.As(err, &e) || !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestDirectivesInCommentsAndContinuationsAreNone(t *testing.T) {
	const text = "/* open\n#include \"no.h\"\n*/ int a; // #include \"no.h\"\n" +
		"#define TEXT \\\n#include \"no.h\"\nconstant char s = '\"'; /* #include \"no.h\" */\n// a /* b\n"
	got, err := kernels.Resolve(files("a.metal", text+"#  include \"b.h\" /* c */\n", "b.h", "b;\n"), "a.metal")
	if want := "#line 1 \"a.metal\"\n" + text + "#line 1 \"b.h\"\nb;\n#line 9 \"a.metal\"\n"; err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestCarriageReturnsAreDropped(t *testing.T) {
	got, err := kernels.Resolve(files("a.metal", "#include \"b.h\"\r\na;\r\n", "b.h", "#pragma once\r\nb;\r\n"), "a.metal")
	if err != nil || strings.Contains(got, "\r") || strings.Contains(got, "pragma") || !strings.Contains(got, "\nb;\n") {
		t.Errorf("got %v\n%q", err, got)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("#include \"b.h\"\n", "#pragma once\n#if 1\n#include \"b.h\"\n#endif\n")
	f.Add("/*\n#include \"b.h\" */ '\\'' \"//\" \\\n", "#include \"a.metal\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := kernels.Resolve(files("a.metal", a, "b.h", b), "a.metal")
		if err == nil && !strings.HasPrefix(got, "#line 1 \"a.metal\"\n") {
			t.Errorf("got %q", got)
		}
	})
}
