package ops

import (
	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// GatedDeltaRecurrent is the gated delta rule token by token, all arithmetic in float: for decoding, for short sequences, and exact
// for any T.
type GatedDeltaRecurrent struct {
	Q, K         Tensor  // BF16 or F32 [B,T,Hg,K]
	V            Tensor  // the type of Q, [B,T,H,V]
	G            Tensor  // F32 [B,T,H], log-decay per token, not summed
	Beta         Tensor  // F32 [B,T,H]
	InitialState Tensor  // F32 [B,H,V,K]; absent: zero
	Out          Tensor  // BF16 or F32 [B,T,H,V]
	FinalState   Tensor  // F32 [B,H,V,K]; may be InitialState; absent: not stored
	Scale        float32 // finite and not zero; typically 1/sqrt(K)
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op GatedDeltaRecurrent) Validate() error {
	_, err := op.geometry()
	return err
}

func (op GatedDeltaRecurrent) geometry() (geometry, error) {
	const name = "GatedDeltaRecurrent"
	if err := checkPresent(name, "Q", op.Q, 4); err != nil {
		return geometry{}, err
	}
	if err := checkPresent(name, "V", op.V, 4); err != nil {
		return geometry{}, err
	}
	g := geometry{batches: op.V.Shape[0], tokens: op.V.Shape[1], heads: op.V.Shape[2], keyHeads: op.Q.Shape[2],
		keyDim: op.Q.Shape[3], valueDim: op.V.Shape[3]}
	c := checker{op: name, err: g.check(name, sources{"V", "Q", "V"})}
	c.bf16OrF32("Q", op.Q)
	c.tensor("Q", op.Q, op.Q.DType, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("K", op.K, op.Q.DType, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("V", op.V, op.Q.DType, g.batches, g.tokens, g.heads, g.valueDim)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("Beta", op.Beta, F32, g.batches, g.tokens, g.heads)
	c.output(g, op.Out)
	c.states(g, op.InitialState, op.FinalState)
	c.factor("Scale", op.Scale)
	c.aliasing([]operand{{name: "Out", tensor: op.Out}, {"FinalState", op.FinalState, "InitialState"}},
		[]operand{{name: "Q", tensor: op.Q}, {name: "K", tensor: op.K}, {name: "V", tensor: op.V}, {name: "G", tensor: op.G},
			{name: "Beta", tensor: op.Beta}, {name: "InitialState", tensor: op.InitialState}})
	return g, c.err
}

// Encode encodes one dispatch.
func (op GatedDeltaRecurrent) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
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
func (op GatedDeltaRecurrent) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry) error {
	c := constants{geometry: g, initialState: !op.InitialState.IsZero(), finalState: !op.FinalState.IsZero(),
		floatInput: op.Q.DType == F32, floatOutput: op.Out.DType == F32}
	const threads = 256
	if err := setPipeline(enc, reg, "gated_delta_recurrent", threads, c); err != nil || enc == nil {
		return err
	}
	setTensors(enc, op.Q, op.K, op.V, op.G, op.Beta, standIn(op.InitialState, op.G), op.Out, standIn(op.FinalState, op.Out))
	setShape(enc, g, op.Scale, 8)
	return dispatch(enc, mtl.Size{Width: g.valueDim / 32, Height: g.heads, Depth: g.batches}, threads)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaRecurrent) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.Q, op.K, op.V, op.G, op.Beta, op.InitialState)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaRecurrent) AppendWrites(dst []Range) []Range {
	return appendSpans(dst, op.Out, op.FinalState)
}
