package kernels

import "strings"

// Error says why there is no pipeline for a key. Err, where it is set, is the cause: an *IncludeError, a *mtl.CompileError with
// positions in the files as written, a *mtl.FunctionNotFoundError, ...
type Error struct {
	Kernel string // the key, as its String
	File   string // the source file, once known
	Step   string // "find", "read", "compile", "function", "pipeline" or "limits"
	Wanted string
	Got    string
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("kernels: ")
	b.WriteString(e.Kernel)
	if e.File != "" {
		b.WriteString(" (")
		b.WriteString(e.File)
		b.WriteByte(')')
	}
	b.WriteString(": ")
	b.WriteString(e.Step)
	if e.Wanted != "" {
		b.WriteString(": wanted ")
		b.WriteString(e.Wanted)
		b.WriteString(", got ")
		b.WriteString(e.Got)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
