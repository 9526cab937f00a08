package safetensors

import "strings"

// An Error says what is wrong with a file or with what was asked of it.
type Error struct {
	File   string // path, or empty for a file read with Parse
	Tensor string // tensor name, or empty when the fault is the header's own
	Field  string // what was looked at: "header length", "dtype", "shape", "data_offsets", ...
	Wanted string // what it had to be
	Got    string // what it was
	Err    error  // the underlying error, if one there was
}

// Error lists what is known, in the order file, tensor, field, wanted, got.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("safetensors: ")
	if e.File != "" {
		b.WriteString(e.File)
		b.WriteString(": ")
	}
	if e.Tensor != "" {
		b.WriteString("tensor ")
		b.WriteString(quote(e.Tensor))
		b.WriteString(": ")
	}
	b.WriteString(e.Field)
	if e.Wanted != "" {
		b.WriteString(": wanted ")
		b.WriteString(e.Wanted)
	}
	if e.Got != "" {
		b.WriteString(", got ")
		b.WriteString(e.Got)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }
