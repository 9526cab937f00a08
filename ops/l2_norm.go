package ops

import (
	"math"
	"strconv"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// L2Norm divides each row by its length: Out = X / sqrt(sum of X^2 + Epsilon) along the innermost axis, summed in float.
type L2Norm struct {
	X       Tensor  // BF16 or F32, any number of axes
	Out     Tensor  // type and shape of X; may be X
	Epsilon float32 // finite, >= 0
}

// l2NormShape mirrors L2NormShape in l2_norm.metal.
type l2NormShape struct {
	rows    uint32
	epsilon float32
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op L2Norm) Validate() error {
	const name = "L2Norm"
	c := checker{op: name}
	axes := max(1, len(op.X.Shape))
	c.present("X", op.X, axes)
	c.bf16OrF32("X", op.X)
	c.memory("X", op.X)
	if c.err != nil {
		return c.err
	}
	if rows, _ := product(op.X.Shape[:axes-1]); rows > math.MaxUint32 || op.X.Shape[axes-1] > math.MaxInt32 {
		return &ArgumentError{name, "X", "rows below 2^32 of fewer than 2^31 elements", shapeString(op.X.Shape)}
	}
	c.tensor("Out", op.Out, op.X.DType, op.X.Shape...)
	if e := float64(op.Epsilon); !(e >= 0) || math.IsInf(e, 0) {
		c.fail("Epsilon", "finite and not negative", strconv.FormatFloat(e, 'g', -1, 32))
	}
	c.aliasing([]operand{{"Out", op.Out, "X"}}, []operand{{name: "X", tensor: op.X}})
	return c.err
}

// Encode encodes one dispatch.
func (op L2Norm) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
	if err := op.Validate(); err != nil {
		return err
	}
	last := len(op.X.Shape) - 1
	rows, _ := product(op.X.Shape[:last])
	if enc == nil {
		return errNoEncoder
	}
	return op.encode(enc, reg, rows, op.X.Shape[last])
}

// encode is Encode without the checks; it does not look at the shapes.
func (op L2Norm) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, rows, dim int) error {
	const rowsPerGroup, threads = 4, 128
	key := kernels.Key{
		Name: "l2_norm",
		Constants: kernels.ConstantList{ // the indices are those in l2_norm.metal
			mtl.ConstantUint32(0, uint32(dim)),
			mtl.ConstantBool(1, op.X.DType == F32),
		},
		Launch: kernels.Launch{Threads: group(threads)},
	}
	if err := use(enc, reg, key); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.X, op.Out)
	shape := l2NormShape{rows: uint32(rows), epsilon: op.Epsilon}
	mtl.SetValue(enc, &shape, 2)
	return dispatch(enc, mtl.Size{Width: (rows-1)/rowsPerGroup + 1, Height: 1, Depth: 1}, threads)
}

// AppendReads appends what the operation reads.
func (op L2Norm) AppendReads(dst []Range) []Range { return appendSpans(dst, op.X) }

// AppendWrites appends what the operation writes.
func (op L2Norm) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.Out) }
