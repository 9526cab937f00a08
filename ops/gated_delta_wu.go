package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaWU computes, within each chunk, u = M bf16(beta v) and w = M bf16(beta exp(G) k), M the inverse of I + A.
type GatedDeltaWU struct {
	K       Tensor // BF16 [B,T,Hg,K]
	V       Tensor // BF16 [B,T,H,V]
	Beta    Tensor // F32 [B,T,H]
	G       Tensor // F32 [B,T,H], summed by ChunkLocalCumsum
	Inverse Tensor // F32 [B,T,H,64]
	W       Tensor // BF16 [B,T,H,K]
	U       Tensor // BF16 [B,T,H,V]
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaWU) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaWU) geometry() (geometry, error) {
	const name = "GatedDeltaWU"
	if err := checkPresent(name, "K", op.K, 4); err != nil {
		return geometry{}, err
	}
	if err := checkPresent(name, "V", op.V, 4); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.V.Shape[0], tokens: op.V.Shape[1], heads: op.V.Shape[2], keyHeads: op.K.Shape[2],
		keyDim: op.K.Shape[3], valueDim: op.V.Shape[3]}
	c := checker{op: name, err: g.check(name, sources{"V", "K", "V"})}
	c.tensor("K", op.K, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("V", op.V, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.tensor("Beta", op.Beta, F32, g.batches, g.tokens, g.heads)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("Inverse", op.Inverse, F32, g.batches, g.tokens, g.heads, ChunkSize)
	c.tensor("W", op.W, BF16, g.batches, g.tokens, g.heads, g.keyDim)
	c.tensor("U", op.U, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.aliasing([]operand{{name: "W", tensor: op.W}, {name: "U", tensor: op.U}}, []operand{
		{name: "K", tensor: op.K}, {name: "V", tensor: op.V}, {name: "Beta", tensor: op.Beta}, {name: "G", tensor: op.G},
		{name: "Inverse", tensor: op.Inverse}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaWU) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op GatedDeltaWU) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	const threads = 32
	if err := setPipeline(enc, reg, "gated_delta_wu", threads, constants{geometry: g}); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.K, op.V, op.Beta, op.G, op.Inverse, op.W, op.U)
	setShape(enc, g, 0, 7)
	blocks := (g.valueDim + g.keyDim) / 32
	return dispatch(enc, mtl.Size{Width: g.chunks() * blocks, Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaWU) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.K, op.V, op.Beta, op.G, op.Inverse)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaWU) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.W, op.U) }
