package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaSolve inverts I + A in each chunk. A is strictly lower triangular in each 64x64 block: what is on and above
// the diagonal counts as zero. The upper triangle of Inverse is written as zero.
type GatedDeltaSolve struct {
	A       Tensor // F32 [B,T,H,64]
	Inverse Tensor // F32 [B,T,H,64]; may be A
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaSolve) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaSolve) geometry() (geometry, error) {
	const name = "GatedDeltaSolve"
	if err := checkPresent(name, "A", op.A, 4); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.A.Shape[0], tokens: op.A.Shape[1], heads: op.A.Shape[2]}
	c := checker{op: name, err: g.check(name, sources{heads: "A"})}
	c.tensor("A", op.A, F32, g.batches, g.tokens, g.heads, ChunkSize)
	c.tensor("Inverse", op.Inverse, F32, g.batches, g.tokens, g.heads, ChunkSize)
	c.aliasing([]operand{{"Inverse", op.Inverse, "A"}}, []operand{{name: "A", tensor: op.A}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaSolve) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
	g, err := op.geometry()
	if err != nil {
		return err
	}
	if enc == nil {
		return errNoEncoder
	}
	return op.encode(enc, reg, g)
}

// encode is Encode without the checks; it does not look at the shapes.
func (op GatedDeltaSolve) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	const threads = 128
	if err := setPipeline(enc, reg, "gated_delta_solve", threads, constants{}); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.A, op.Inverse)
	setShape(enc, g, 0, 2)
	return dispatch(enc, mtl.Size{Width: g.chunks(), Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaSolve) AppendReads(dst []Range) []Range { return appendSpans(dst, op.A) }

// AppendWrites appends what the operation writes.
func (op GatedDeltaSolve) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.Inverse) }
