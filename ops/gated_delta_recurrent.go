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
	if err := g.check(name, sources{"V", "Q", "V"}); err != nil {
		return g, err
	}
	if op.Q.DType != BF16 && op.Q.DType != F32 {
		return g, &ArgumentError{name, "Q", "BF16 or F32", op.Q.DType.String()}
	}
	if err := checkTensor(name, "Q", op.Q, op.Q.DType, g.batches, g.tokens, g.keyHeads, g.keyDim); err != nil {
		return g, err
	}
	if err := checkTensor(name, "K", op.K, op.Q.DType, g.batches, g.tokens, g.keyHeads, g.keyDim); err != nil {
		return g, err
	}
	if err := checkTensor(name, "V", op.V, op.Q.DType, g.batches, g.tokens, g.heads, g.valueDim); err != nil {
		return g, err
	}
	if err := checkTensor(name, "G", op.G, F32, g.batches, g.tokens, g.heads); err != nil {
		return g, err
	}
	if err := checkTensor(name, "Beta", op.Beta, F32, g.batches, g.tokens, g.heads); err != nil {
		return g, err
	}
	if err := g.checkOut(name, op.Out); err != nil {
		return g, err
	}
	if err := g.checkStates(name, op.InitialState, op.FinalState); err != nil {
		return g, err
	}
	if err := checkFactor(name, "Scale", op.Scale); err != nil {
		return g, err
	}
	return g, checkAliasing(name, []operand{{name: "Out", tensor: op.Out}, {"FinalState", op.FinalState, "InitialState"}},
		[]operand{{name: "Q", tensor: op.Q}, {name: "K", tensor: op.K}, {name: "V", tensor: op.V}, {name: "G", tensor: op.G},
			{name: "Beta", tensor: op.Beta}, {name: "InitialState", tensor: op.InitialState}})
}

// Encode encodes one dispatch.
func (op GatedDeltaRecurrent) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
	g, err := op.geometry()
	if err != nil {
		return err
	}
	c := constants{geometry: g, initialState: !op.InitialState.IsZero(), finalState: !op.FinalState.IsZero(),
		floatInput: op.Q.DType == F32, floatOutput: op.Out.DType == F32}
	if err := setPipeline(enc, reg, "gated_delta_recurrent", c); err != nil {
		return err
	}
	setTensors(enc, op.Q, op.K, op.V, op.G, op.Beta, standIn(op.InitialState, op.G), op.Out, standIn(op.FinalState, op.Out))
	setShape(enc, g, op.Scale, 8)
	return dispatch(enc, mtl.Size{Width: g.valueDim / 32, Height: g.heads, Depth: g.batches}, 256)
}

// AppendReads appends what the operation reads.
func (op GatedDeltaRecurrent) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.Q, op.K, op.V, op.G, op.Beta, op.InitialState)
}

// AppendWrites appends what the operation writes.
func (op GatedDeltaRecurrent) AppendWrites(dst []Range) []Range {
	return appendSpans(dst, op.Out, op.FinalState)
}
