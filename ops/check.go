package ops

import (
	"math"
	"strconv"
)

// Metal wants buffer offsets aligned to the pointed-to type, and to at least 4 for argument data.
const offsetAlign = 4

// checkTensor holds t to a type and a shape, and to lie in its buffer.
func checkTensor(op, argument string, t Tensor, dtype DType, shape ...int) error {
	if err := checkPresent(op, argument, t, len(shape)); err != nil {
		return err
	}
	if t.DType != dtype {
		return &ArgumentError{op, argument, dtype.String(), t.DType.String()}
	}
	for i, n := range shape {
		if t.Shape[i] != n {
			return &ArgumentError{op, argument, "shape " + shapeString(shape), shapeString(t.Shape)}
		}
	}
	return checkMemory(op, argument, t)
}

// checkPresent holds t to exist, with that many axes.
func checkPresent(op, argument string, t Tensor, axes int) error {
	if t.IsZero() {
		return &ArgumentError{op, argument, "a buffer", "nil"}
	}
	if len(t.Shape) != axes {
		return &ArgumentError{op, argument, strconv.Itoa(axes) + " axes", shapeString(t.Shape)}
	}
	return nil
}

// checkMemory holds t to a sound shape and to lie in its buffer, aligned.
func checkMemory(op, argument string, t Tensor) error {
	if _, ok := product(t.Shape); !ok {
		return &ArgumentError{op, argument, "positive dimensions whose product fits an int", shapeString(t.Shape)}
	}
	n, err := t.ByteSize()
	if err != nil {
		return &ArgumentError{op, argument, "a byte size that fits an int", t.DType.String() + " " + shapeString(t.Shape)}
	}
	if t.Offset < 0 || t.Offset%offsetAlign != 0 {
		return &ArgumentError{op, argument, "an offset that is a multiple of " + strconv.Itoa(offsetAlign), strconv.Itoa(t.Offset)}
	}
	if length := t.Buffer.Length(); t.Offset > length || n > length-t.Offset {
		return &ArgumentError{op, argument, strconv.Itoa(n) + " bytes at offset " + strconv.Itoa(t.Offset),
			"a buffer of " + strconv.Itoa(length)}
	}
	return nil
}

// checkFactor holds a scalar that multiplies to be of use: a forgotten field is zero.
func checkFactor(op, argument string, x float32) error {
	if f := float64(x); f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return &ArgumentError{op, argument, "finite and not zero", strconv.FormatFloat(f, 'g', -1, 32)}
	}
	return nil
}

// operand is a named tensor, for aliasing checks. An output may be exactly the input named inPlace, if any.
type operand struct {
	name    string
	tensor  Tensor
	inPlace string
}

// checkAliasing holds every output to share no byte with an input or with another output, in-place pairs excepted.
// Absent tensors alias nothing. All present ones must be valid.
func checkAliasing(op string, outputs, inputs []operand) error {
	for i := range outputs {
		out := &outputs[i]
		if out.tensor.IsZero() {
			continue
		}
		span := out.tensor.span()
		for j := range inputs {
			in := &inputs[j]
			if in.tensor.IsZero() || !span.Overlaps(in.tensor.span()) || in.name == out.inPlace && span == in.tensor.span() {
				continue
			}
			wanted := "no byte shared with " + in.name
			if in.name == out.inPlace {
				wanted = "all or no bytes shared with " + in.name
			}
			return &ArgumentError{op, out.name, wanted, "an overlap"}
		}
		for j := range outputs[:i] {
			if other := &outputs[j]; !other.tensor.IsZero() && span.Overlaps(other.tensor.span()) {
				return &ArgumentError{op, out.name, "no byte shared with " + other.name, "an overlap"}
			}
		}
	}
	return nil
}
