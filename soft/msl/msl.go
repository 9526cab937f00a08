// Package msl compiles Metal Shading Language text to the form that an engine runs (package ir). It owns the
// language: preprocessing, parsing, types, overloads, templates, constant evaluation and lowering. It accepts what
// Apple's compiler accepts and rejects what that rejects; what it does not implement is an error with a position, never a
// wrong answer. It knows nothing of devices, threads or how a program is run.
//
// One walk over the tree checks and lowers at once. Functions are inlined where they are called; templates are instantiated
// by walking their tree with the parameters bound.
package msl

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// Options are the compile options of a library.
type Options struct {
	LanguageVersion int               // major*10 + minor: 31 is Metal 3.1; 0 means 31
	FastMath        bool              // the default form of functions that have a fast and a precise one
	Macros          map[string]string // object-like macros defined before the first line
}

// Library is a compiled source text. It is safe for concurrent use.
type Library struct {
	mu     sync.Mutex
	p      *program
	funcs  []*Function
	byName map[string]*entry
}

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

// ErrNoFunction is wrapped by the error of Kernel for a name that the library does not have.
var ErrNoFunction = errors.New("msl: no such function in the library")

// Compile parses and checks src. The error is a token.ErrorList.
func Compile(src string, o Options) (lib *Library, err error) {
	file, err := syntax.Parse("program_source", src, o.Macros, o.LanguageVersion)
	if err != nil {
		return nil, err
	}
	p := &program{opts: o, types: newTypeTable(), byRef: map[string]bool{}, seen: map[string]bool{},
		inMemory: map[any]bool{}, dynamic: map[any]bool{}, variables: map[any]bool{}}
	p.global = &scope{global: true}
	lib = &Library{p: p, byName: map[string]*entry{}}
	err = p.protect(func() {
		p.attempts(func(c *lowerer) { c.order = 0 }, func(c *lowerer) { c.declareAll(file.Decls, p.global) })
		for _, e := range p.kernels {
			k, c := p.lower(e, nil, false)
			e.uses = c.constantsOf()
			if len(e.uses) == 0 {
				e.done = k
			}
			lib.funcs = append(lib.funcs, &Function{Name: e.host, Constants: e.uses})
			lib.byName[e.host] = e
		}
		slices.SortStableFunc(p.funcs, func(a, b *function) int { return max(a.order, a.bodyOrder) - max(b.order, b.bodyOrder) })
		for _, f := range p.funcs {
			if !f.checked && f.decl.Template == nil && !f.decl.Spec.Kernel {
				p.checkFunction(f)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return lib, nil
}

// protect runs f and gives the diagnostics it made as an error. A fault of the compiler itself is a diagnostic too.
func (p *program) protect(f func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(abort); !ok {
				p.errs = append(p.errs, &token.Error{Text: fmt.Sprintf("internal error of the software Metal compiler: %v", e)})
			}
		}
		err = p.errs.Err()
	}()
	f()
	return nil
}

// Functions lists the compute functions in source order.
func (l *Library) Functions() []*Function { return l.funcs }

// Kernel lowers the function of that host name with the given constants. Constants that the function does not use are ignored.
// The error wraps ErrNoFunction, names a constant of the wrong type or one that is missing, or is a token.ErrorList.
func (l *Library) Kernel(name string, constants []ConstantValue) (*ir.Kernel, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byName[name]
	if e == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoFunction, name)
	}
	if e.done != nil {
		return e.done, nil
	}
	values, err := l.p.constantValues(constants)
	if err != nil {
		return nil, err
	}
	l.p.errs, l.p.seen = nil, map[string]bool{}
	var k *ir.Kernel
	var c *lowerer
	err = l.p.protect(func() { k, c = l.p.lower(e, values, true) })
	if err != nil {
		return nil, err
	}
	for _, fc := range l.p.constants {
		if _, given := values[fc]; c.uses[fc] && !given {
			return nil, fmt.Errorf("msl: function %q needs a value for function constant %q (index %d)", name, fc.name, fc.index)
		}
	}
	return k, nil
}
