package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// ChunkLocalCumsum sums the log-decays of each chunk: Out[t] is the sum of G from the first token of t's chunk to t.
// A G below -88 counts as -88: such a decay leaves nothing of a float, and -Inf is allowed.
type ChunkLocalCumsum struct {
	G   Tensor // F32 [B,T,H]
	Out Tensor // F32 [B,T,H]; may be G
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op ChunkLocalCumsum) Validate() error {
	_, err := op.geometry()
	return err
}

func (op ChunkLocalCumsum) geometry() (geometry, error) {
	const name = "ChunkLocalCumsum"
	if err := checkPresent(name, "G", op.G, 3); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.G.Shape[0], tokens: op.G.Shape[1], heads: op.G.Shape[2]}
	c := checker{op: name, err: g.check(name, sources{heads: "G"})}
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("Out", op.Out, F32, g.batches, g.tokens, g.heads)
	c.aliasing([]operand{{"Out", op.Out, "G"}}, []operand{{name: "G", tensor: op.G}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op ChunkLocalCumsum) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op ChunkLocalCumsum) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	const threads = 32
	if err := setPipeline(enc, reg, "chunk_local_cumsum", threads, constants{}); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.G, op.Out)
	setShape(enc, g, 0, 2)
	return dispatch(enc, mtl.Size{Width: g.chunks(), Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op ChunkLocalCumsum) AppendReads(dst []Range) []Range { return appendSpans(dst, op.G) }

// AppendWrites appends what the operation writes.
func (op ChunkLocalCumsum) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.Out) }
