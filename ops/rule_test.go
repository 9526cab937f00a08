package ops_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
)

// checkRule runs the rule by one path and holds it to the float64 recurrence.
func checkRule(t *testing.T, x inputs, path ops.Path) {
	t.Helper()
	o, final := reference.Recurrence(x.Inputs)
	op := x.rule(t, path, ops.F32)
	run(t, op)
	if path == ops.PathRecurrent {
		within(t, "recurrent o", values(t, op.Out), o, recurrentBound)
		within(t, "recurrent state", values(t, op.FinalState), final, recurrentBound)
		return
	}
	within(t, "chunked o", values(t, op.Out), o, chunkedOBound)
	within(t, "chunked state", values(t, op.FinalState), final, chunkedStateBound)
}

func TestBothPathsAgreeWithTheRecurrence(t *testing.T) {
	cases := []stageCase{
		{reference.Dims{B: 1, T: 1, Hg: 1, H: 3, K: 192, V: 96}, 0.1, true},
		{reference.Dims{B: 1, T: 7, Hg: 1, H: 1, K: 256, V: 32}, 0.1, false},
		{reference.Dims{B: 1, T: 63, Hg: 1, H: 2, K: 64, V: 96}, 20, true},
		{reference.Dims{B: 1, T: 64, Hg: 2, H: 2, K: 64, V: 32}, 0.01, true},
		{reference.Dims{B: 1, T: 65, Hg: 1, H: 1, K: 64, V: 256}, 1, false},
		{reference.Dims{B: 2, T: 77, Hg: 1, H: 3, K: 192, V: 32}, 0.1, true},
		{reference.Dims{B: 1, T: 130, Hg: 1, H: 2, K: 128, V: 32}, 0.001, true},
		{reference.Dims{B: 1, T: 257, Hg: 1, H: 1, K: 64, V: 32}, 0.2, true},
		{reference.Dims{B: 1, T: 3, Hg: 16, H: 48, K: 64, V: 32}, 0.2, true},
	}
	if long() {
		for _, tokens := range []int{1, 7, 63, 64, 65, 77, 130, 257} {
			for _, k := range []int{64, 128, 192, 256} {
				for _, v := range []int{32, 96, 256} {
					for ratio := 1; ratio <= 3; ratio++ {
						cases = append(cases, stageCase{reference.Dims{B: 1 + ratio%2, T: tokens, Hg: 1, H: ratio, K: k, V: v}, 0.3, true})
					}
				}
			}
		}
		cases = append(cases,
			stageCase{reference.Dims{B: 1, T: 1000, Hg: 1, H: 3, K: 128, V: 128}, 0.02, true},
			stageCase{reference.Dims{B: 1, T: 192, Hg: 16, H: 48, K: 128, V: 128}, 0.1, true},
			stageCase{reference.Dims{B: 1, T: 70, Hg: 32, H: 64, K: 128, V: 128}, 0.1, false})
	}
	for i, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			x := upload(t, reference.Generate(c.Dims, uint64(100+i), c.decay, c.initial))
			checkRule(t, x, ops.PathChunked)
			checkRule(t, x, ops.PathRecurrent)
		})
	}
}

func TestPathAutoChangesAtTheThreshold(t *testing.T) {
	for _, tokens := range []int{ops.ChunkThreshold - 1, ops.ChunkThreshold} {
		x := upload(t, reference.Generate(reference.Dims{B: 1, T: tokens, Hg: 1, H: 1, K: 64, V: 32}, 5, 0.2, true))
		want := ops.PathRecurrent
		if tokens >= ops.ChunkThreshold {
			want = ops.PathChunked
		}
		auto, chosen := x.rule(t, ops.PathAuto, ops.F32), x.rule(t, want, ops.F32)
		run(t, auto, chosen)
		if string(tensorBytes(t, auto.Out)) != string(tensorBytes(t, chosen.Out)) {
			t.Errorf("T = %d: PathAuto did not take path %d", tokens, want)
		}
		a, _ := auto.ScratchSize()
		c, _ := chosen.ScratchSize()
		if a != c {
			t.Errorf("T = %d: scratch %d, want %d", tokens, a, c)
		}
	}
}

func TestNormalizeQKDividesByTheLength(t *testing.T) {
	in := reference.Generate(reference.Dims{B: 1, T: 70, Hg: 1, H: 2, K: 64, V: 32}, 9, 0.2, true)
	unit := in
	for i := range in.Query {
		in.Query[i], in.Key[i] = reference.RoundBF16(3*in.Query[i]), reference.RoundBF16(0.7*in.Key[i])
	}
	unit.Query = reference.L2Norm(in.Query, in.K, ops.NormEpsilon, reference.BF16)
	unit.Key = reference.L2Norm(in.Key, in.K, ops.NormEpsilon, reference.BF16)
	wantO, wantFinal := reference.Recurrence(unit)
	for _, path := range []ops.Path{ops.PathRecurrent, ops.PathChunked} {
		x := upload(t, in)
		op := x.rule(t, path, ops.F32)
		op.NormalizeQK = true
		addScratch(t, &op)
		run(t, op)
		within(t, "o", values(t, op.Out), wantO, chunkedOBound)
		within(t, "final state", values(t, op.FinalState), wantFinal, chunkedStateBound)
	}
}

func TestScratchCanBeReusedAndNeverSpeaksThrough(t *testing.T) {
	small := upload(t, reference.Generate(reference.Dims{B: 1, T: 70, Hg: 1, H: 1, K: 64, V: 32}, 1, 0.2, true))
	large := upload(t, reference.Generate(reference.Dims{B: 1, T: 130, Hg: 1, H: 2, K: 64, V: 64}, 2, 0.2, true))
	first, other := small.rule(t, ops.PathChunked, ops.BF16), large.rule(t, ops.PathChunked, ops.BF16)
	run(t, first) // its scratch is all NaN
	shared := small.rule(t, ops.PathChunked, ops.BF16)
	shared.Scratch = other.Scratch
	run(t, other, shared)
	run(t, shared)
	for _, pair := range [][2]ops.Tensor{{first.Out, shared.Out}, {first.FinalState, shared.FinalState}} {
		if string(tensorBytes(t, pair[0])) != string(tensorBytes(t, pair[1])) {
			t.Error("the result depends on what was in the scratch")
		}
	}
}

func TestConcurrentEncoderGivesTheSameBytes(t *testing.T) {
	x := upload(t, reference.Generate(reference.Dims{B: 1, T: 130, Hg: 1, H: 2, K: 64, V: 32}, 4, 0.2, true))
	serial, concurrent := x.rule(t, ops.PathChunked, ops.BF16), x.rule(t, ops.PathChunked, ops.BF16)
	serial.NormalizeQK, concurrent.NormalizeQK = true, true
	addScratch(t, &serial)
	addScratch(t, &concurrent)
	run(t, serial)
	if err := rig.queue.RunConcurrent(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
		return concurrent.Encode(enc, rig.registry)
	}); err != nil {
		t.Fatal(err)
	}
	if string(tensorBytes(t, serial.Out)) != string(tensorBytes(t, concurrent.Out)) {
		t.Error("o differs")
	}
}

func TestFinalStateContinuesASequence(t *testing.T) {
	d := reference.Dims{B: 1, T: 100, Hg: 1, H: 2, K: 64, V: 32}
	in := reference.Generate(d, 6, 0.2, true)
	wantO, wantFinal := reference.Recurrence(in)
	x := upload(t, in)
	for _, path := range []ops.Path{ops.PathChunked, ops.PathRecurrent} {
		op := x.rule(t, path, ops.F32)
		whole := op
		state := tensor(t, ops.F32, in.InitialState, d.B, d.H, d.V, d.K)
		op.InitialState, op.FinalState = state, state
		for _, part := range [][2]int{{0, 66}, {66, 100}} {
			cut := func(t ops.Tensor) ops.Tensor {
				flat, _ := t.Index(0)
				rows, err := flat.Slice(part[0], part[1])
				if err != nil {
					panic(err)
				}
				out, _ := rows.Reshape(append([]int{1}, rows.Shape...)...)
				return out
			}
			op.Q, op.K, op.V, op.G, op.Beta, op.Out = cut(whole.Q), cut(whole.K), cut(whole.V), cut(whole.G), cut(whole.Beta), cut(whole.Out)
			run(t, op)
		}
		bound := map[ops.Path]float64{ops.PathChunked: chunkedOBound, ops.PathRecurrent: recurrentBound}[path]
		within(t, "o", values(t, whole.Out), wantO, bound)
		within(t, "final state", values(t, state), wantFinal, bound)
	}
}

func TestBatchSlicesAreComputedWhereTheyLie(t *testing.T) {
	in := reference.Generate(reference.Dims{B: 3, T: 66, Hg: 1, H: 2, K: 64, V: 32}, 8, 0.2, true)
	x := upload(t, in)
	all, part := x.rule(t, ops.PathChunked, ops.BF16), x.rule(t, ops.PathChunked, ops.BF16)
	cut := func(t ops.Tensor) ops.Tensor {
		out, err := t.Slice(1, 3)
		if err != nil {
			panic(err)
		}
		return out
	}
	part.Q, part.K, part.V, part.G, part.Beta = cut(x.q), cut(x.k), cut(x.v), cut(x.g), cut(x.beta)
	part.InitialState, part.Out, part.FinalState = cut(x.initial), cut(part.Out), cut(part.FinalState)
	run(t, all, part)
	if string(tensorBytes(t, part.Out)) != string(tensorBytes(t, cut(all.Out))) ||
		string(tensorBytes(t, part.FinalState)) != string(tensorBytes(t, cut(all.FinalState))) {
		t.Error("batches 1 and 2 alone differ from batches 1 and 2 of three")
	}
}

func TestDecaysThatResetTheStateLoseNoDigitsBehindThem(t *testing.T) {
	in := reference.Generate(reference.Dims{B: 1, T: 130, Hg: 1, H: 2, K: 64, V: 32}, 12, 0.1, true)
	for i, g := range []float64{math.Inf(-1), -1e30, -1e6, -100} {
		in.Gate[3+40*i] = g
		in.Gate[8+40*i] = g
	}
	x := upload(t, in)
	checkRule(t, x, ops.PathChunked)
	checkRule(t, x, ops.PathRecurrent)
}

func TestNaNStaysInItsHeadAndBehindItsChunk(t *testing.T) {
	d := reference.Dims{B: 1, T: 140, Hg: 1, H: 2, K: 64, V: 32}
	in := reference.Generate(d, 7, 0.2, true)
	const token, head = 70, 1 // in the second chunk
	in.Value[(token*d.H+head)*d.V] = math.NaN()
	x := upload(t, in)
	for _, path := range []ops.Path{ops.PathChunked, ops.PathRecurrent} {
		op := x.rule(t, path, ops.BF16)
		run(t, op)
		for i, o := range values(t, op.Out) {
			at, h, v := i/(d.H*d.V), i/d.V%d.H, i%d.V
			bad := math.IsNaN(o)
			if h != head || v != 0 || at < ops.ChunkSize {
				if bad {
					t.Fatalf("path %d: NaN at token %d, head %d, column %d", path, at, h, v)
				}
			} else if at >= token && !bad {
				t.Fatalf("path %d: no NaN at token %d", path, at)
			}
		}
	}
}

func TestNothingIsEncodedIfAPipelineCannotBeMade(t *testing.T) {
	x := upload(t, reference.Generate(reference.Dims{B: 1, T: 65, Hg: 1, H: 1, K: 64, V: 32}, 5, 0.2, false))
	op := x.rule(t, ops.PathChunked, ops.F32)
	reg := mutant(t, "gated_delta_chunk_o.metal", "kernel void", "kernel int", 0)
	var compile *mtl.CompileError
	if err := execute(reg, op); !errors.As(err, &compile) {
		t.Fatalf("error %v", err)
	}
	commands, err := rig.queue.NewCommandBuffer()
	if err != nil {
		t.Fatal(err)
	}
	defer commands.Release()
	enc, err := commands.NewComputeCommandEncoder(mtl.DispatchTypeSerial)
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Encode(enc, reg); !errors.As(err, &compile) {
		t.Errorf("error %v", err)
	}
	// A dispatch that had been encoded before the failure would find its pipeline set.
	enc.DispatchThreadgroups(mtl.Size{Width: 1, Height: 1, Depth: 1}, mtl.Size{Width: 32, Height: 1, Depth: 1})
	var argument *mtl.ArgumentError
	if err := enc.EndEncoding(); !errors.As(err, &argument) {
		t.Errorf("a pipeline was set: %v", err)
	}
	if err := op.Encode(nil, rig.registry); err == nil {
		t.Error("no encoder, and no error")
	}
}
