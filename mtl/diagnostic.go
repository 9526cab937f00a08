package mtl

import (
	"fmt"
	"strconv"
	"strings"
)

// Severity says how grave a Diagnostic is.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
type Severity uint8

const (
	SeverityNote    Severity = iota // belongs to the diagnostic before it
	SeverityWarning                 // the text compiled all the same
	SeverityError
)

var severities = [...]string{"note", "warning", "error"}

// String gives the compiler's word.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return "Severity(" + strconv.Itoa(int(s)) + ")"
}

// Diagnostic is one remark of the shader compiler.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
type Diagnostic struct {
	File         string // "program_source" for the text given to NewLibraryWithSource
	Line, Column int    // from 1; Column counts bytes
	Severity     Severity
	Text         string // without position, severity and the excerpt of the source
}

// String gives the compiler's form, file:line:column: severity: text.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", d.File, d.Line, d.Column, d.Severity, d.Text)
}

// parseDiagnostics finds the lines of the form file:line:column: severity: text. Others are excerpts and counts.
func parseDiagnostics(text string) []Diagnostic {
	var all []Diagnostic
	for line := range strings.Lines(text) {
		if d, ok := parseDiagnostic(strings.TrimRight(line, "\r\n")); ok {
			all = append(all, d)
		}
	}
	return all
}

func parseDiagnostic(line string) (Diagnostic, bool) {
	for s, word := range [...]string{": note: ", ": warning: ", ": error: ", ": fatal error: "} {
		place, text, ok := strings.Cut(line, word)
		if !ok {
			continue
		}
		place, column, ok := cutNumber(place)
		if !ok {
			continue
		}
		file, row, ok := cutNumber(place)
		if !ok || file == "" {
			continue
		}
		return Diagnostic{file, row, column, min(Severity(s), SeverityError), text}, true
	}
	return Diagnostic{}, false
}

// cutNumber takes a positive ":number" off the end of s. The file name before it may have colons of its own.
func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	v, err := strconv.ParseUint(s[i+1:], 10, 31)
	if err != nil || v == 0 {
		return "", 0, false
	}
	return s[:i], int(v), true
}
