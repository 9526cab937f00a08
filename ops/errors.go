package ops

import "strconv"

// ArgumentError says which argument of which operation cannot be used. Nothing was encoded.
type ArgumentError struct {
	Op       string // the operation
	Argument string // its field
	Wanted   string
	Got      string
}

func (e *ArgumentError) Error() string {
	return "ops: " + e.Op + "." + e.Argument + ": want " + e.Wanted + ", got " + e.Got
}

// shapeString formats a shape without letting it escape: shapes live on the stack of the caller.
func shapeString(shape []int) string {
	b := make([]byte, 0, 32)
	b = append(b, '[')
	for i, n := range shape {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

var errNoEncoder = &ArgumentError{"Encode", "enc", "an encoder", "nil"}
