package ops

import (
	"math"
	"strconv"
)

// Metal wants buffer offsets aligned to the pointed-to type, and to at least 4 for argument data.
const offsetAlign = 4

// checker checks the arguments of an operation and keeps the first error: after one, its methods do nothing.
type checker struct {
	op  string
	err error
}

func (c *checker) fail(argument, wanted, got string) {
	if c.err == nil {
		c.err = &ArgumentError{c.op, argument, wanted, got}
	}
}

// present holds t to exist, with that many axes.
func (c *checker) present(argument string, t Tensor, axes int) {
	if c.err == nil {
		c.err = checkPresent(c.op, argument, t, axes)
	}
}

func checkPresent(op, argument string, t Tensor, axes int) error {
	if t.IsZero() {
		return &ArgumentError{op, argument, "a buffer", "nil"}
	}
	if len(t.Shape) != axes {
		return &ArgumentError{op, argument, strconv.Itoa(axes) + " axes", shapeString(t.Shape)}
	}
	return nil
}

// tensor holds t to a type and a shape, and to lie in its buffer.
func (c *checker) tensor(argument string, t Tensor, dtype DType, shape ...int) {
	c.present(argument, t, len(shape))
	if c.err != nil {
		return
	}
	if t.DType != dtype {
		c.fail(argument, dtype.String(), t.DType.String())
		return
	}
	for i, n := range shape {
		if t.Shape[i] != n {
			c.fail(argument, "shape "+shapeString(shape), shapeString(t.Shape))
			return
		}
	}
	c.memory(argument, t)
}

// memory holds t to a sound shape and to lie in its buffer, aligned.
func (c *checker) memory(argument string, t Tensor) {
	if c.err != nil {
		return
	}
	n, err := t.ByteSize()
	if err != nil {
		c.fail(argument, "positive dimensions whose byte size fits an int", t.DType.String()+" "+shapeString(t.Shape))
		return
	}
	if t.Offset < 0 || t.Offset%offsetAlign != 0 {
		c.fail(argument, "an offset that is a multiple of "+strconv.Itoa(offsetAlign), strconv.Itoa(t.Offset))
		return
	}
	if length := t.Buffer.Length(); t.Offset > length || n > length-t.Offset {
		c.fail(argument, strconv.Itoa(n)+" bytes at offset "+strconv.Itoa(t.Offset), "a buffer of "+strconv.Itoa(length))
	}
}

// bf16OrF32 holds t to a type that kernels read or write either way.
func (c *checker) bf16OrF32(argument string, t Tensor) {
	if !t.IsZero() && t.DType != BF16 && t.DType != F32 {
		c.fail(argument, "BF16 or F32", t.DType.String())
	}
}

// output checks an Out [B,T,H,V] of type BF16 or F32.
func (c *checker) output(g geometry, out Tensor) {
	c.bf16OrF32("Out", out)
	c.tensor("Out", out, out.DType, g.batches, g.tokens, g.heads, g.valueDim)
}

// states checks the optional states.
func (c *checker) states(g geometry, initial, final Tensor) {
	if !initial.IsZero() {
		c.tensor("InitialState", initial, F32, g.batches, g.heads, g.valueDim, g.keyDim)
	}
	if !final.IsZero() {
		c.tensor("FinalState", final, F32, g.batches, g.heads, g.valueDim, g.keyDim)
	}
}

// scratch checks a scratch tensor of at least size bytes.
func (c *checker) scratch(argument string, t Tensor, size int) {
	c.present(argument, t, 1)
	if c.err != nil {
		return
	}
	const align = 16
	switch {
	case t.DType != U8:
		c.fail(argument, U8.String(), t.DType.String())
	case t.Shape[0] < size:
		c.fail(argument, "at least "+strconv.Itoa(size)+" bytes", shapeString(t.Shape))
	case t.Offset%align != 0:
		c.fail(argument, "an offset that is a multiple of "+strconv.Itoa(align), strconv.Itoa(t.Offset))
	}
	c.memory(argument, t)
}

// factor holds a scalar that multiplies to be of use: a forgotten field is zero.
func (c *checker) factor(argument string, x float32) {
	if f := float64(x); f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		c.fail(argument, "finite and not zero", strconv.FormatFloat(f, 'g', -1, 32))
	}
}

// operand is a named tensor, for aliasing checks. An output may be exactly the input named inPlace, if any.
type operand struct {
	name    string
	tensor  Tensor
	inPlace string
}

// aliasing holds every output to share no byte with an input or with another output, in-place pairs excepted.
// Absent tensors alias nothing.
func (c *checker) aliasing(outputs, inputs []operand) {
	for i := range outputs {
		for j := range inputs {
			c.pair(&outputs[i], &inputs[j])
		}
		for j := range outputs[:i] {
			c.pair(&outputs[i], &outputs[j])
		}
	}
}

func (c *checker) pair(out, other *operand) {
	if c.err != nil || out.tensor.IsZero() || other.tensor.IsZero() {
		return
	}
	a, b := out.tensor.span(), other.tensor.span()
	switch {
	case !a.Overlaps(b):
	case out.inPlace != other.name:
		c.fail(out.name, "no byte shared with "+other.name, "an overlap")
	case a != b:
		c.fail(out.name, "all or no bytes shared with "+other.name, "a partial overlap")
	}
}
