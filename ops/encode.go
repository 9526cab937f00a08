package ops

import (
	"context"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// Indices of the function constants in gated_delta.h.
const (
	constKeyDim = iota
	constValueDim
	constHeadRatio
	constInitialState
	constFinalState
	constFloatInput
	constFloatOutput
	constStateRows
	constColumnSplits
)

// constants are what a gated delta kernel is specialised to.
type constants struct {
	geometry     geometry
	initialState bool
	finalState   bool
	floatInput   bool
	floatOutput  bool
}

// gatedDeltaShape mirrors GatedDeltaShape in gated_delta.h.
type gatedDeltaShape struct {
	tokens   uint32
	heads    uint32
	keyHeads uint32
	chunks   uint32
	scale    float32
}

// setPipeline selects a gated delta kernel that is launched with that many threads in a threadgroup.
func setPipeline(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, name string, threads int, c constants) error {
	g := c.geometry
	ratio := 1
	if g.keyHeads > 0 {
		ratio = g.heads / g.keyHeads
	}
	return use(enc, reg, kernels.Key{
		Name: name,
		Constants: kernels.ConstantList{
			mtl.ConstantUint32(constKeyDim, uint32(g.keyDim)),
			mtl.ConstantUint32(constValueDim, uint32(g.valueDim)),
			mtl.ConstantUint32(constHeadRatio, uint32(ratio)),
			mtl.ConstantBool(constInitialState, c.initialState),
			mtl.ConstantBool(constFinalState, c.finalState),
			mtl.ConstantBool(constFloatInput, c.floatInput),
			mtl.ConstantBool(constFloatOutput, c.floatOutput),
			mtl.ConstantUint32(constStateRows, uint32(g.stateRows())),
			mtl.ConstantUint32(constColumnSplits, uint32(g.columnSplits())),
		},
		Launch: kernels.Launch{Threads: group(threads)},
	})
}

// use selects the pipeline of a key. Without an encoder it only has it made, and so have the operations' encode methods.
func use(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, key kernels.Key) error {
	p, err := reg.Pipeline(context.Background(), key)
	if err != nil || enc == nil {
		return err
	}
	enc.SetComputePipelineState(p.State)
	return nil
}

// setTensors binds tensors to buffer indices 0, 1, ...
func setTensors(enc *mtl.ComputeCommandEncoder, tensors ...Tensor) {
	for i := range tensors {
		enc.SetBuffer(tensors[i].Buffer, tensors[i].Offset, i)
	}
}

// standIn is t, or other where t is absent: every argument of a kernel must be bound, also one that the specialised kernel
// does not touch.
func standIn(t, other Tensor) Tensor {
	if t.IsZero() {
		return other
	}
	return t
}

// setShape sets the argument block of a gated delta kernel.
func setShape(enc *mtl.ComputeCommandEncoder, g geometry, scale float32, index int) {
	shape := gatedDeltaShape{
		tokens:   uint32(g.tokens),
		heads:    uint32(g.heads),
		keyHeads: uint32(g.keyHeads),
		chunks:   uint32(g.chunks()),
		scale:    scale,
	}
	mtl.SetValue(enc, &shape, index)
}

// dispatch launches threadgroups of that many threads.
func dispatch(enc *mtl.ComputeCommandEncoder, threadgroups mtl.Size, threads int) error {
	enc.DispatchThreadgroups(threadgroups, group(threads))
	return enc.Err()
}

// group is the size of a threadgroup.
func group(threads int) mtl.Size { return mtl.Size{Width: threads, Height: 1, Depth: 1} }

// barrier orders the dispatches before it and after it; a serial encoder orders all of them already.
func barrier(enc *mtl.ComputeCommandEncoder) {
	if enc != nil && enc.DispatchType() == mtl.DispatchTypeConcurrent {
		enc.MemoryBarrier(mtl.BarrierScopeBuffers)
	}
}
