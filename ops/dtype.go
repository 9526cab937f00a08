package ops

import "strconv"

// DType is the type of a tensor's elements.
type DType uint8

const (
	F32 DType = iota + 1
	F16
	BF16 // the upper half of a float32
	I32
	U32
	I8
	U8
)

var dtypes = [...]struct {
	name string
	size int
}{{}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"I8", 1}, {"U8", 1}}

// Size is the size of an element in bytes; 0 if d is not one of the constants.
func (d DType) Size() int {
	if int(d) >= len(dtypes) {
		return 0
	}
	return dtypes[d].size
}

// String is the name of the constant.
func (d DType) String() string {
	if d.Size() == 0 {
		return "DType(" + strconv.Itoa(int(d)) + ")"
	}
	return dtypes[d].name
}
