package mtl

import (
	"slices"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestCompilerTextBecomesDiagnostics(t *testing.T) {
	text := `program_source:3:5: error: use of undeclared identifier 'x'
    x = 1;
    ^
/tmp/a:b.h:10:2: warning: unused variable 'error: y' [-Wunused-variable]
program_source:7:1: note: expanded from macro 'M'
program_source:9:3: fatal error: 'm.h' file not found
program_source:0:3: error: no line
program_source:99999999999999999999:3: error: no line
:1:2: error: no file
3 errors generated.`
	want := []Diagnostic{
		{"program_source", 3, 5, SeverityError, "use of undeclared identifier 'x'"},
		{"/tmp/a:b.h", 10, 2, SeverityWarning, "unused variable 'error: y' [-Wunused-variable]"},
		{"program_source", 7, 1, SeverityNote, "expanded from macro 'M'"},
		{"program_source", 9, 3, SeverityError, "'m.h' file not found"},
	}
	if got := parseDiagnostics(strings.ReplaceAll(text, "\n", "\r\n")); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if s := want[1].String(); s != "/tmp/a:b.h:10:2: warning: unused variable 'error: y' [-Wunused-variable]" {
		t.Errorf("String gives %q", s)
	}
	e := compileError("Op", &objc.Error{Domain: "D", Code: 3, Description: text})
	if e.Domain != "D" || e.Code != 3 || e.Text != text || len(e.Diagnostics) != 4 || !strings.Contains(e.Error(), text) {
		t.Errorf("error %+v", e)
	}
	if e := compileError("Op", nil); e.Text == "" {
		t.Error("no text")
	}
}

func FuzzDiagnosticsSurviveTheirText(f *testing.F) {
	f.Add("program_source:3:5: error: x")
	f.Add("a: note: b:1:2: warning: c\n:::")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range parseDiagnostics(text) {
			if d.File == "" || d.Line < 1 || d.Column < 1 || !strings.Contains(text, d.Text) {
				t.Errorf("%q gives %+v", text, d)
			}
			// Its own form must be read back, unless its text is what looks like another severity before it.
			if again := parseDiagnostics(d.String()); len(again) != 1 {
				t.Errorf("%q is read as %+v", d, again)
			}
		}
	})
}
