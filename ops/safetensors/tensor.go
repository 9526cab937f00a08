package safetensors

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// A Tensor describes one tensor of a File and reads its data on demand. Its fields are
// for reading.
type Tensor struct {
	Name  string
	DType DType
	Shape []int // outermost first; empty for a scalar

	file  string
	r     io.ReaderAt
	begin int64 // from the start of the file
	size  int64
}

// Len returns the number of elements, the product of Shape.
func (t *Tensor) Len() int {
	n, _ := elements(t.Shape) // parse has checked that it fits
	return int(n)
}

// Size returns the number of bytes of data.
func (t *Tensor) Size() int64 { return t.size }

// Section returns a reader of the tensor's bytes: packed elements, row-major, little-endian.
func (t *Tensor) Section() *io.SectionReader { return io.NewSectionReader(t.r, t.begin, t.size) }

// Bytes reads the tensor's bytes, whatever its type.
func (t *Tensor) Bytes() ([]byte, error) {
	if int64(int(t.size)) != t.size {
		return nil, t.fail("size", "what fits memory", fmt.Sprint(t.size))
	}
	p := make([]byte, t.size)
	if err := readFull(t.r, p, t.begin); err != nil {
		return nil, &Error{File: t.file, Tensor: t.Name, Field: "data", Err: err}
	}
	return p, nil
}

// Float32s reads a tensor of type F32, F16 or BF16. Widening is exact.
func (t *Tensor) Float32s() ([]float32, error) {
	switch t.DType {
	case F32, F16, BF16:
	default:
		return nil, t.fail("dtype", "F32, F16 or BF16", string(t.DType))
	}
	p, err := t.Bytes()
	if err != nil {
		return nil, err
	}
	out := make([]float32, t.Len())
	switch t.DType {
	case F32:
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:]))
		}
	case F16:
		for i := range out {
			out[i] = float16Value(binary.LittleEndian.Uint16(p[2*i:]))
		}
	case BF16:
		for i := range out {
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(p[2*i:])) << 16)
		}
	}
	return out, nil
}

// Int32s reads a tensor of type I32.
func (t *Tensor) Int32s() ([]int32, error) {
	if t.DType != I32 {
		return nil, t.fail("dtype", "I32", string(t.DType))
	}
	p, err := t.Bytes()
	if err != nil {
		return nil, err
	}
	out := make([]int32, t.Len())
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(p[4*i:]))
	}
	return out, nil
}

func (t *Tensor) fail(field, wanted, got string) *Error {
	return &Error{File: t.file, Tensor: t.Name, Field: field, Wanted: wanted, Got: got}
}
