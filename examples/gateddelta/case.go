package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/puremetal/puremetal/ops/safetensors"
)

// goldenCase is one case of a golden file.
type goldenCase struct {
	name              string
	b, t, hg, h, k, v int

	q, key, value []byte    // bf16
	g, beta       []float32 // [B,T,H]
	initial       []float32 // [B,H,V,K], as the ops want it; nil if there is none
	o             []float32 // [B,T,H,V]
	final         []float32 // [B,H,V,K]
}

func (c *goldenCase) String() string {
	s := fmt.Sprintf("B=%d T=%d Hg=%d H=%d K=%d V=%d", c.b, c.t, c.hg, c.h, c.k, c.v)
	if c.initial != nil {
		s += " S0"
	}
	return s
}

// caseNames returns the names before ".q", case2 before case10.
func caseNames(file *safetensors.File) ([]string, error) {
	var names []string
	for _, t := range file.Tensors() {
		if name, ok := strings.CutSuffix(t.Name, ".q"); ok && name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, badInput("no cases: wanted tensors named case0.q, case0.k, ...")
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return names, nil
}

// readCase reads a case; the shapes of q and v say what all others must be. Errors are *inputError.
func readCase(file *safetensors.File, name string) (*goldenCase, error) {
	r := caseReader{file: file, name: name}
	c := &goldenCase{name: name}
	r.sizes("q", &c.b, &c.t, &c.hg, &c.k)
	r.sizes("v", nil, nil, &c.h, &c.v)
	if r.err == nil && c.h%c.hg != 0 {
		r.err = badInput("%s.v: wanted a number of heads that is a multiple of q's %d, got %d", name, c.hg, c.h)
	}
	c.q = r.halves("q", c.b, c.t, c.hg, c.k)
	c.key = r.halves("k", c.b, c.t, c.hg, c.k)
	c.value = r.halves("v", c.b, c.t, c.h, c.v)
	c.g = r.floats("g", c.b, c.t, c.h)
	c.beta = r.floats("beta", c.b, c.t, c.h)
	if r.has("initial_state") {
		c.initial = keysInnermost(r.floats("initial_state", c.b, c.h, c.k, c.v), c.k, c.v)
	}
	c.o = r.floats("o", c.b, c.t, c.h, c.v)
	c.final = keysInnermost(r.floats("final_state", c.b, c.h, c.k, c.v), c.k, c.v)
	for i, g := range c.g {
		if g > 0 && r.err == nil {
			r.err = badInput("%s.g: wanted log-decays <= 0, got %v at element %d", name, g, i)
		}
	}
	return c, r.err
}

// caseReader reads the tensors of a case. It keeps the first error and then reads nothing.
type caseReader struct {
	file *safetensors.File
	name string
	err  error
}

func (r *caseReader) has(tensor string) bool {
	_, err := r.file.Tensor(r.name + "." + tensor)
	return err == nil
}

// tensor finds a tensor of a type and, unless it is nil, a shape.
func (r *caseReader) tensor(name string, dtype safetensors.DType, shape []int) *safetensors.Tensor {
	if r.err != nil {
		return nil
	}
	t, err := r.file.Tensor(r.name + "." + name)
	switch {
	case err != nil:
		r.err = &inputError{err}
	case t.DType != dtype:
		r.err = badInput("%s: wanted %s, got %s", t.Name, dtype, t.DType)
	case shape != nil && !slices.Equal(t.Shape, shape):
		r.err = badInput("%s: wanted shape %v, got %v", t.Name, shape, t.Shape)
	default:
		return t
	}
	return nil
}

// sizes stores the four dimensions of a bf16 tensor, each at least 1.
func (r *caseReader) sizes(name string, to ...*int) {
	t := r.tensor(name, safetensors.BF16, nil)
	if t == nil {
		return
	}
	if len(t.Shape) != len(to) || slices.Min(t.Shape) < 1 {
		r.err = badInput("%s: wanted %d dimensions of at least 1, got shape %v", t.Name, len(to), t.Shape)
		return
	}
	for i, p := range to {
		if p != nil {
			*p = t.Shape[i]
		}
	}
}

// halves reads a bf16 tensor as it is, which is as the device takes it.
func (r *caseReader) halves(name string, shape ...int) []byte {
	if r.values(name, safetensors.BF16, shape) == nil {
		return nil
	}
	t := r.tensor(name, safetensors.BF16, shape)
	bytes, err := t.Bytes()
	if err != nil {
		r.err = &inputError{err}
	}
	return bytes
}

func (r *caseReader) floats(name string, shape ...int) []float32 {
	return r.values(name, safetensors.F32, shape)
}

// values reads a tensor and holds its elements to be finite: against anything else nothing can be compared.
func (r *caseReader) values(name string, dtype safetensors.DType, shape []int) []float32 {
	t := r.tensor(name, dtype, shape)
	if t == nil {
		return nil
	}
	x, err := t.Float32s()
	if err != nil {
		r.err = &inputError{err}
		return nil
	}
	for i, v := range x {
		if v64 := float64(v); math.IsNaN(v64) || math.IsInf(v64, 0) {
			r.err = badInput("%s: wanted finite values, got %v at element %d", t.Name, v, i)
			return nil
		}
	}
	return x
}

// keysInnermost turns the file's states [B,H,K,V] into the ops' [B,H,V,K].
func keysInnermost(states []float32, k, v int) []float32 {
	out := make([]float32, len(states))
	for at := 0; at < len(states); at += k * v {
		for x := range k {
			for y := range v {
				out[at+y*k+x] = states[at+x*v+y]
			}
		}
	}
	return out
}
