package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaChunkO computes the output of each chunk from its entry state and its tokens:
//
//	o_i = Scale [ exp(G_i) H q_i + sum_{j<=i} bf16(q_i . k_j exp(G_i - G_j)) v_j ]
type GatedDeltaChunkO struct {
	Q, K  Tensor  // BF16 [B,T,Hg,K]
	V     Tensor  // BF16 [B,T,H,V], the VNew of GatedDeltaChunkState
	H     Tensor  // BF16 [B,chunks,H,V,K]
	G     Tensor  // F32 [B,T,H], summed by ChunkLocalCumsum
	Out   Tensor  // BF16 or F32 [B,T,H,V]
	Scale float32 // finite and not zero; typically 1/sqrt(K)
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaChunkO) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaChunkO) geometry() (geometry, error) {
	const name = "GatedDeltaChunkO"
	if err := checkPresent(name, "K", op.K, 4); err != nil {
		return geometry{}, err
	}
	if err := checkPresent(name, "V", op.V, 4); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.V.Shape[0], tokens: op.V.Shape[1], heads: op.V.Shape[2], keyHeads: op.K.Shape[2],
		keyDim: op.K.Shape[3], valueDim: op.V.Shape[3]}
	c := checker{op: name, err: g.check(name, sources{"V", "K", "V"})}
	c.tensor("Q", op.Q, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("K", op.K, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("V", op.V, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.tensor("H", op.H, BF16, g.batches, g.chunks(), g.heads, g.valueDim, g.keyDim)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.output(g, op.Out)
	c.factor("Scale", op.Scale)
	c.aliasing([]operand{{name: "Out", tensor: op.Out}}, []operand{{name: "Q", tensor: op.Q},
		{name: "K", tensor: op.K}, {name: "V", tensor: op.V}, {name: "H", tensor: op.H}, {name: "G", tensor: op.G}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaChunkO) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op GatedDeltaChunkO) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	const threads = 32
	if err := setPipeline(enc, reg, "gated_delta_chunk_o", threads, constants{geometry: g, floatOutput: op.Out.DType == F32}); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.Q, op.K, op.V, op.H, op.G, op.Out)
	setShape(enc, g, op.Scale, 6)
	return dispatch(enc, mtl.Size{Width: g.chunks() * 4 * g.columnSplits(), Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaChunkO) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.Q, op.K, op.V, op.H, op.G)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaChunkO) AppendWrites(dst []Range) []Range { return appendSpans(dst, op.Out) }
