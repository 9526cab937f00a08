// Package token holds what every stage of the Metal Shading Language compiler shares: source positions and the
// errors that carry them. It knows nothing of the language.
package token

import (
	"fmt"
	"sort"
	"strings"
)

// Pos is a place in a source file. Line and Col count from 1; Col counts bytes. The zero Pos is "nowhere".
type Pos struct {
	File *File
	Line int32
	Col  int32
}

// File names a source text. The main text of a library made from source is called "program_source", as Metal calls it.
type File struct {
	Name string
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String gives file:line:col.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	name := "program_source"
	if p.File != nil {
		name = p.File.Name
	}
	return fmt.Sprintf("%s:%d:%d", name, p.Line, p.Col)
}

// Error is one diagnostic about the shader text.
type Error struct {
	Pos  Pos
	Text string
	// Notes tell how the compiler came here, innermost first: the macro, template instantiation or call.
	Notes []Note
}

// Note is a remark that belongs to an Error.
type Note struct {
	Pos  Pos
	Text string
}

// Error gives file:line:col: error: text, then a line for each note.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: error: %s", e.Pos, e.Text)
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "\n%s: note: %s", n.Pos, n.Text)
	}
	return b.String()
}

// ErrorList is what a failed compilation returns. It is never empty when returned as an error.
type ErrorList []*Error

// Error gives all diagnostics, a line each, and their count, as Metal's compiler does.
func (l ErrorList) Error() string {
	var b strings.Builder
	for _, e := range l {
		b.WriteString(e.Error())
		b.WriteByte('\n')
	}
	if len(l) == 1 {
		b.WriteString("1 error generated.")
	} else {
		fmt.Fprintf(&b, "%d errors generated.", len(l))
	}
	return b.String()
}

// Err gives the list as an error, or nil if it is empty, with the diagnostics in source order.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i].Pos, l[j].Pos
		if a.File != b.File {
			return false
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return l
}
