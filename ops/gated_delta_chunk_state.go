package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaChunkState carries the state from chunk to chunk. For each chunk, S its entry state:
//
//	H = bf16(S);  VNew_i = U_i - S W_i;  S <- exp(G_last) S + sum_i bf16(exp(G_last - G_i) VNew_i) k_i^T
//
// The chunks of one sequence and 32 rows of V run one after the other in one threadgroup.
type GatedDeltaChunkState struct {
	K            Tensor // BF16 [B,T,Hg,K]
	W            Tensor // BF16 [B,T,H,K]
	U            Tensor // BF16 [B,T,H,V]
	G            Tensor // F32 [B,T,H], summed by ChunkLocalCumsum
	InitialState Tensor // F32 [B,H,V,K]; absent: zero
	H            Tensor // BF16 [B,chunks,H,V,K]; chunks = ceil(T/64)
	VNew         Tensor // BF16 [B,T,H,V]; may be U
	FinalState   Tensor // F32 [B,H,V,K]; may be InitialState; absent: not stored
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaChunkState) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaChunkState) geometry() (geometry, error) {
	const name = "GatedDeltaChunkState"
	if err := checkPresent(name, "K", op.K, 4); err != nil {
		return geometry{}, err
	}
	if err := checkPresent(name, "U", op.U, 4); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.U.Shape[0], tokens: op.U.Shape[1], heads: op.U.Shape[2], keyHeads: op.K.Shape[2],
		keyDim: op.K.Shape[3], valueDim: op.U.Shape[3]}
	c := checker{op: name, err: g.check(name, sources{"U", "K", "U"})}
	c.tensor("K", op.K, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("W", op.W, BF16, g.batches, g.tokens, g.heads, g.keyDim)
	c.tensor("U", op.U, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("H", op.H, BF16, g.batches, g.chunks(), g.heads, g.valueDim, g.keyDim)
	c.tensor("VNew", op.VNew, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.states(g, op.InitialState, op.FinalState)
	c.aliasing([]operand{{name: "H", tensor: op.H}, {"VNew", op.VNew, "U"},
		{"FinalState", op.FinalState, "InitialState"}}, []operand{{name: "K", tensor: op.K}, {name: "W", tensor: op.W},
		{name: "U", tensor: op.U}, {name: "G", tensor: op.G}, {name: "InitialState", tensor: op.InitialState}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaChunkState) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op GatedDeltaChunkState) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	c := constants{geometry: g, initialState: !op.InitialState.IsZero(), finalState: !op.FinalState.IsZero()}
	threads := 1024 / g.stateRows()
	if err := setPipeline(enc, reg, "gated_delta_chunk_state", threads, c); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.K, op.W, op.U, op.G, standIn(op.InitialState, op.G), op.H, op.VNew, standIn(op.FinalState, op.VNew))
	setShape(enc, g, 0, 8)
	return dispatch(enc, mtl.Size{Width: g.valueDim / 32, Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaChunkState) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.K, op.W, op.U, op.G, op.InitialState)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaChunkState) AppendWrites(dst []Range) []Range {
	return appendSpans(dst, op.H, op.VNew, op.FinalState)
}
