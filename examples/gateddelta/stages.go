package main

import "github.com/puremetal/puremetal/ops"

// stages runs the chunked path once more, an op at a time in a command buffer of its own, and prints what each took.
func (r *runner) stages(c *goldenCase, in *buffers, t *table) error {
	b := &buffers{device: r.device}
	defer b.release()
	chunks := (c.t-1)/ops.ChunkSize + 1
	sums := b.output(ops.F32, c.b, c.t, c.h)
	a := b.output(ops.F32, c.b, c.t, c.h, ops.ChunkSize)
	inverse := b.output(ops.F32, c.b, c.t, c.h, ops.ChunkSize)
	w := b.output(ops.BF16, c.b, c.t, c.h, c.k)
	u := b.output(ops.BF16, c.b, c.t, c.h, c.v)
	h := b.output(ops.BF16, c.b, chunks, c.h, c.v, c.k)
	vNew := b.output(ops.BF16, c.b, c.t, c.h, c.v)
	if b.err != nil {
		return b.err
	}
	for _, stage := range []struct {
		name string
		op   operation
		out  ops.Tensor
	}{
		{"chunk_local_cumsum", ops.ChunkLocalCumsum{G: in.g, Out: sums}, sums},
		{"gated_delta_kkt", ops.GatedDeltaKKT{K: in.k, Beta: in.beta, G: sums, A: a}, a},
		{"gated_delta_solve", ops.GatedDeltaSolve{A: a, Inverse: inverse}, inverse},
		{"gated_delta_wu", ops.GatedDeltaWU{K: in.k, V: in.v, Beta: in.beta, G: sums, Inverse: inverse, W: w, U: u}, u},
		{"gated_delta_chunk_state", ops.GatedDeltaChunkState{K: in.k, W: w, U: u, G: sums, InitialState: in.initial,
			H: h, VNew: vNew, FinalState: in.final}, h},
		{"gated_delta_chunk_o", ops.GatedDeltaChunkO{Q: in.q, K: in.k, V: vNew, H: h, G: sums, Out: in.chunkedOut,
			Scale: in.scale}, in.chunkedOut},
	} {
		ms, err := r.time(stage.op)
		if err != nil {
			return err
		}
		t.stage(stage.name, stage.out.Shape, ms)
	}
	return nil
}
