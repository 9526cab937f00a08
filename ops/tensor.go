package ops

import (
	"math"
	"strconv"

	"github.com/puremetal/puremetal/mtl"
)

// Tensor is a contiguous array in a buffer. The zero Tensor stands for an optional argument that is absent.
type Tensor struct {
	Buffer *mtl.Buffer
	Offset int // of the first element, in bytes; a multiple of the element size and of 4
	DType  DType
	Shape  []int // outermost axis first
}

// IsZero reports whether t is absent.
func (t Tensor) IsZero() bool { return t.Buffer == nil }

// Elements is the product of the shape.
func (t Tensor) Elements() (int, error) {
	n, ok := product(t.Shape)
	if !ok {
		return 0, &ArgumentError{"Tensor", "Shape", "positive dimensions whose product fits an int", shapeString(t.Shape)}
	}
	return n, nil
}

// ByteSize is the length of t in bytes.
func (t Tensor) ByteSize() (int, error) {
	n, err := t.Elements()
	if err != nil {
		return 0, err
	}
	size := t.DType.Size()
	if size == 0 {
		return 0, &ArgumentError{"Tensor", "DType", "a known type", t.DType.String()}
	}
	if n > math.MaxInt/size {
		return 0, &ArgumentError{"Tensor", "Shape", "a byte size that fits an int", shapeString(t.Shape)}
	}
	return n * size, nil
}

// Slice is the part of t from index from up to but not including index to of the outermost axis. It shares t's memory.
func (t Tensor) Slice(from, to int) (Tensor, error) {
	row, err := t.row("Slice")
	if err != nil {
		return Tensor{}, err
	}
	if from < 0 || to > t.Shape[0] || from >= to {
		return Tensor{}, &ArgumentError{"Tensor.Slice", "from, to", "0 <= from < to <= " + strconv.Itoa(t.Shape[0]),
			strconv.Itoa(from) + ", " + strconv.Itoa(to)}
	}
	shape := append([]int{to - from}, t.Shape[1:]...)
	return Tensor{t.Buffer, t.Offset + from*row, t.DType, shape}, nil
}

// Index is element i of the outermost axis, a tensor of one axis less. It shares t's memory.
func (t Tensor) Index(i int) (Tensor, error) {
	row, err := t.row("Index")
	if err != nil {
		return Tensor{}, err
	}
	if i < 0 || i >= t.Shape[0] {
		return Tensor{}, &ArgumentError{"Tensor.Index", "i", "0 <= i < " + strconv.Itoa(t.Shape[0]), strconv.Itoa(i)}
	}
	return Tensor{t.Buffer, t.Offset + i*row, t.DType, append([]int(nil), t.Shape[1:]...)}, nil
}

// Reshape is t with another shape of as many elements. It shares t's memory.
func (t Tensor) Reshape(shape ...int) (Tensor, error) {
	n, err := t.Elements()
	if err != nil {
		return Tensor{}, err
	}
	if m, ok := product(shape); !ok || m != n {
		return Tensor{}, &ArgumentError{"Tensor.Reshape", "shape", strconv.Itoa(n) + " elements", shapeString(shape)}
	}
	return Tensor{t.Buffer, t.Offset, t.DType, append([]int(nil), shape...)}, nil
}

// row is the byte size of one element of the outermost axis.
func (t Tensor) row(method string) (int, error) {
	if len(t.Shape) == 0 {
		return 0, &ArgumentError{"Tensor." + method, "Shape", "at least one axis", shapeString(t.Shape)}
	}
	n, err := t.ByteSize()
	if err != nil {
		return 0, err
	}
	if t.Offset < 0 || t.Offset > math.MaxInt-n {
		return 0, &ArgumentError{"Tensor." + method, "Offset", "a range that fits an int", strconv.Itoa(t.Offset)}
	}
	return n / t.Shape[0], nil
}

// product multiplies dimensions; it reports false if one is not positive or the product overflows.
func product(shape []int) (int, bool) {
	n := 1
	for _, d := range shape {
		if d <= 0 || n > math.MaxInt/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// Range is a range of bytes of a buffer that an operation reads or writes.
type Range struct {
	Buffer     *mtl.Buffer
	Start, End int
}

// Overlaps reports whether the ranges share a byte.
func (r Range) Overlaps(s Range) bool {
	return r.Buffer == s.Buffer && r.Start < s.End && s.Start < r.End
}

// span is the range of a valid tensor.
func (t Tensor) span() Range {
	n, _ := t.ByteSize()
	return Range{t.Buffer, t.Offset, t.Offset + n}
}

// appendSpans appends the ranges of those tensors that are present.
func appendSpans(dst []Range, tensors ...Tensor) []Range {
	for i := range tensors {
		if !tensors[i].IsZero() {
			dst = append(dst, tensors[i].span())
		}
	}
	return dst
}
