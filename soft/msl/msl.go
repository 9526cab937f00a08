// Package msl compiles Metal Shading Language text to the form that an engine runs (package ir). It owns the
// language: preprocessing, parsing, types, overloads, templates, constant evaluation and lowering. It accepts what
// Apple's compiler accepts and rejects what that rejects; what it does not implement is an error with a position, never a
// wrong answer. It knows nothing of devices, threads or how a program is run.
package msl

import (
	"errors"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// Options are the compile options of a library.
type Options struct {
	LanguageVersion int               // major*10 + minor: 31 is Metal 3.1; 0 means 31
	FastMath        bool              // the default form of functions that have a fast and a precise one
	Macros          map[string]string // object-like macros defined before the first line
}

// Library is a compiled source text. It is safe for concurrent use.
type Library struct{}

// Function describes a compute function of a Library.
type Function struct {
	Name      string // the host name
	Constants []FunctionConstant
}

// FunctionConstant is a program-scope constant with [[function_constant(index)]] that a function uses.
type FunctionConstant struct {
	Name     string
	Index    int
	Kind     ir.Kind
	Lanes    int  // 1, or the width of a vector
	Required bool // used where is_function_constant_defined does not guard it
}

// ConstantValue sets a function constant: by Name if it is not empty, otherwise by Index.
type ConstantValue struct {
	Name  string
	Index int
	Kind  ir.Kind
	Bits  []uint64 // a word per component: integers two's complement, bool 0 or 1, F16, BF16 and F32 their own IEEE bits
}

// Compile parses and checks src. The error is a token.ErrorList.
func Compile(src string, o Options) (*Library, error) { return nil, errors.New("msl: no compiler yet") }

// Functions lists the compute functions in source order.
func (l *Library) Functions() []*Function { return nil }

// Kernel lowers the function of that host name with the given constants. Constants that the function does not use are ignored.
func (l *Library) Kernel(name string, constants []ConstantValue) (*ir.Kernel, error) {
	return nil, errors.New("msl: no compiler yet")
}
