package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaKKT computes, within each chunk, A_ij = bf16(beta_i k_i) . k_j exp(G_i - G_j) for j < i and zero elsewhere.
// Row i of a chunk's 64x64 block is at its token, so A is [B,T,H,64].
type GatedDeltaKKT struct {
	K    Tensor // BF16 [B,T,Hg,K]
	Beta Tensor // F32 [B,T,H]
	G    Tensor // F32 [B,T,H], summed by ChunkLocalCumsum
	A    Tensor // F32 [B,T,H,64]
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaKKT) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaKKT) geometry() (geometry, error) {
	const name = "GatedDeltaKKT"
	if err := checkPresent(name, "K", op.K, 4); err != nil {
		return geometry{}, err
	}
	if err := checkPresent(name, "Beta", op.Beta, 3); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.Beta.Shape[0], tokens: op.Beta.Shape[1], heads: op.Beta.Shape[2], keyHeads: op.K.Shape[2],
		keyDim: op.K.Shape[3]}
	c := checker{op: name, err: g.check(name, sources{heads: "Beta", keys: "K"})}
	c.tensor("K", op.K, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("Beta", op.Beta, F32, g.batches, g.tokens, g.heads)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("A", op.A, F32, g.batches, g.tokens, g.heads, ChunkSize)
	c.aliasing([]operand{{name: "A", tensor: op.A}},
		[]operand{{name: "K", tensor: op.K}, {name: "Beta", tensor: op.Beta}, {name: "G", tensor: op.G}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaKKT) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op GatedDeltaKKT) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	const threads = 32
	if err := setPipeline(enc, reg, "gated_delta_kkt", threads, constants{geometry: g}); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.K, op.Beta, op.G, op.A)
	setShape(enc, g, 0, 4)
	return dispatch(enc, mtl.Size{Width: g.chunks() * 4, Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaKKT) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.K, op.Beta, op.G)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaKKT) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.A) }
