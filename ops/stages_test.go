package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
)

// stageCase is a shape, a decay and whether there is an initial state.
type stageCase struct {
	reference.Dims
	decay   float64
	initial bool
}

func (c stageCase) String() string {
	return fmt.Sprintf("B%d_T%d_Hg%d_H%d_K%d_V%d_decay%g_initial_%v", c.B, c.T, c.Hg, c.H, c.K, c.V, c.decay, c.initial)
}

// Every K, several V, ratios 1 to 3, whole and ragged chunks, weak to extreme decay.
var stageCases = []stageCase{
	{reference.Dims{B: 1, T: 64, Hg: 1, H: 2, K: 64, V: 32}, 0.05, true},
	{reference.Dims{B: 2, T: 77, Hg: 1, H: 2, K: 64, V: 96}, 0.5, true},
	{reference.Dims{B: 1, T: 130, Hg: 1, H: 1, K: 128, V: 64}, 0.1, false},
	{reference.Dims{B: 1, T: 65, Hg: 1, H: 3, K: 128, V: 32}, 20, true},
	{reference.Dims{B: 1, T: 7, Hg: 2, H: 2, K: 192, V: 160}, 2, true},
	{reference.Dims{B: 1, T: 63, Hg: 1, H: 1, K: 256, V: 256}, 0.01, true},
	{reference.Dims{B: 1, T: 1, Hg: 1, H: 2, K: 64, V: 32}, 1, true},
}

// stages are the float64 results of all stages, each computed from the previous one's as the device is given it.
type stages struct {
	sum, a, inverse, w, u, h, vNew, final, o []float64
}

func referenceStages(in reference.Inputs) stages {
	d := in.Dims
	var s stages
	s.sum = float32Values(reference.CumulativeGate(d, in.Gate))
	s.a = float32Values(reference.KKT(d, in.Key, in.Beta, s.sum, reference.BF16))
	s.inverse = float32Values(reference.Solve(d, s.a))
	s.w, s.u = reference.WU(d, in.Key, in.Value, in.Beta, s.sum, s.inverse, reference.BF16)
	s.h, s.vNew, s.final = reference.ChunkState(d, in.Key, s.w, s.u, s.sum, in.InitialState, reference.BF16)
	s.o = reference.ChunkOutput(d, in.Query, in.Key, s.vNew, s.h, s.sum, in.Scale, reference.BF16, reference.Exact)
	return s
}

func float32Values(x []float64) []float64 { return reference.Float64s(reference.Float32s(x)) }

func TestEachStageAgreesWithItsFloat64Reference(t *testing.T) {
	for i, c := range stageCases {
		t.Run(c.String(), func(t *testing.T) { checkStages(t, c, uint64(i+1), 1e-5, 0) })
	}
}

// In large tensors some value that a kernel rounds to bfloat16 on the way lies so near to the middle of two that the error of a
// float sends it the other way, 2^-8 off: about one in 1e5. The RMS error shows that, the bounds above do not allow it.
func TestEachStageAgreesWithItsFloat64ReferenceOnLargeTensors(t *testing.T) {
	if !long() {
		t.Skip("PUREMETAL_LONG is not 1")
	}
	seed := uint64(1)
	for _, k := range []int{64, 128, 192, 256} {
		for _, v := range []int{32, 160, 224, 256} {
			for _, decay := range []float64{0.001, 1, 20} {
				c := stageCase{reference.Dims{B: 1, T: 143, Hg: 1, H: 2, K: k, V: v}, decay, true}
				seed++
				t.Run(c.String(), func(t *testing.T) { checkStages(t, c, seed, 1e-4, 1e-3) })
			}
		}
	}
}

// checkStages holds each stage to a relative RMS error or, where it gives bfloat16, to one bfloat16 step but for a fraction.
func checkStages(t *testing.T, c stageCase, seed uint64, bound, fraction float64) {
	in := reference.Generate(c.Dims, seed, c.decay, c.initial)
	x, want, d := upload(t, in), referenceStages(in), c.Dims

	sum := newTensor(t, ops.F32, d.B, d.T, d.H)
	run(t, ops.ChunkLocalCumsum{G: x.g, Out: sum})
	within(t, "ChunkLocalCumsum", values(t, sum), want.sum, 1e-6)
	fill(t, sum, want.sum)

	a := newTensor(t, ops.F32, d.B, d.T, d.H, ops.ChunkSize)
	run(t, ops.GatedDeltaKKT{K: x.k, Beta: x.beta, G: sum, A: a})
	within(t, "GatedDeltaKKT", values(t, a), want.a, bound)
	fill(t, a, want.a)

	inverse := newTensor(t, ops.F32, d.B, d.T, d.H, ops.ChunkSize)
	run(t, ops.GatedDeltaSolve{A: a, Inverse: inverse})
	within(t, "GatedDeltaSolve", values(t, inverse), want.inverse, 1e-5)
	fill(t, inverse, want.inverse)

	w, u := newTensor(t, ops.BF16, d.B, d.T, d.H, d.K), newTensor(t, ops.BF16, d.B, d.T, d.H, d.V)
	run(t, ops.GatedDeltaWU{K: x.k, V: x.v, Beta: x.beta, G: sum, Inverse: inverse, W: w, U: u})
	withinUlpBut(t, "GatedDeltaWU w", values(t, w), want.w, fraction)
	withinUlpBut(t, "GatedDeltaWU u", values(t, u), want.u, fraction)
	fill(t, w, want.w)
	fill(t, u, want.u)

	h, vNew := newTensor(t, ops.BF16, d.B, d.Chunks(), d.H, d.V, d.K), newTensor(t, ops.BF16, d.B, d.T, d.H, d.V)
	final := newTensor(t, ops.F32, d.B, d.H, d.V, d.K)
	run(t, ops.GatedDeltaChunkState{K: x.k, W: w, U: u, G: sum, InitialState: x.initial, H: h, VNew: vNew, FinalState: final})
	if d.Chunks() > 1 || c.initial {
		withinUlpBut(t, "GatedDeltaChunkState h", values(t, h), want.h, fraction)
	}
	withinUlpBut(t, "GatedDeltaChunkState v_new", values(t, vNew), want.vNew, fraction)
	within(t, "GatedDeltaChunkState final state", values(t, final), want.final, bound)
	fill(t, h, want.h)
	fill(t, vNew, want.vNew)

	o := newTensor(t, ops.F32, d.B, d.T, d.H, d.V)
	op := ops.GatedDeltaChunkO{Q: x.q, K: x.k, V: vNew, H: h, G: sum, Out: o, Scale: float32(in.Scale)}
	run(t, op)
	within(t, "GatedDeltaChunkO", values(t, o), want.o, bound)
	op.Out = newTensor(t, ops.BF16, d.B, d.T, d.H, d.V)
	run(t, op)
	withinUlpBut(t, "GatedDeltaChunkO bf16", values(t, op.Out), want.o, fraction)
}

func TestStagesInPlaceGiveTheSameBytes(t *testing.T) {
	in := reference.Generate(reference.Dims{B: 1, T: 77, Hg: 1, H: 2, K: 64, V: 64}, 3, 0.3, true)
	x, want, d := upload(t, in), referenceStages(in), in.Dims
	sum := tensor(t, ops.F32, want.sum, d.B, d.T, d.H)
	a := tensor(t, ops.F32, want.a, d.B, d.T, d.H, ops.ChunkSize)
	inverse := newTensor(t, ops.F32, d.B, d.T, d.H, ops.ChunkSize)
	w := tensor(t, ops.BF16, want.w, d.B, d.T, d.H, d.K)
	u := tensor(t, ops.BF16, want.u, d.B, d.T, d.H, d.V)
	vNew := newTensor(t, ops.BF16, d.B, d.T, d.H, d.V)
	h := newTensor(t, ops.BF16, d.B, d.Chunks(), d.H, d.V, d.K)
	final := newTensor(t, ops.F32, d.B, d.H, d.V, d.K)
	g := tensor(t, ops.F32, in.Gate, d.B, d.T, d.H)
	sum2 := newTensor(t, ops.F32, d.B, d.T, d.H)

	state := ops.GatedDeltaChunkState{K: x.k, W: w, U: u, G: sum, InitialState: x.initial, H: h, VNew: vNew, FinalState: final}
	run(t, ops.ChunkLocalCumsum{G: g, Out: sum2}, ops.GatedDeltaSolve{A: a, Inverse: inverse}, state)
	state.VNew, state.FinalState = u, x.initial
	run(t, ops.ChunkLocalCumsum{G: g, Out: g}, ops.GatedDeltaSolve{A: a, Inverse: a}, state)

	for _, pair := range []struct {
		what      string
		got, want ops.Tensor
	}{{"sums", g, sum2}, {"inverse", a, inverse}, {"v_new", u, vNew}, {"final state", x.initial, final}} {
		if string(tensorBytes(t, pair.got)) != string(tensorBytes(t, pair.want)) {
			t.Errorf("%s in place differ", pair.what)
		}
	}
}

func TestSolveInvertsBlocksFarFromTheIdentity(t *testing.T) {
	// Equal unit keys, no decay, beta near 1: A is as large as it gets.
	d := reference.Dims{B: 1, T: 128, Hg: 1, H: 1, K: 64, V: 32}
	a := make([]float64, d.T*ops.ChunkSize)
	for i := range d.T {
		for j := range i % ops.ChunkSize {
			a[i*ops.ChunkSize+j] = 0.98
		}
	}
	a = float32Values(a)
	want := reference.Solve(d, a)
	for i := range d.T {
		for j := i % ops.ChunkSize; j < ops.ChunkSize; j++ {
			a[i*ops.ChunkSize+j] = math.NaN() // counts as zero
		}
	}
	x := tensor(t, ops.F32, a, 1, d.T, 1, ops.ChunkSize)
	inverse := newTensor(t, ops.F32, 1, d.T, 1, ops.ChunkSize)
	run(t, ops.GatedDeltaSolve{A: x, Inverse: inverse})
	within(t, "inverse", values(t, inverse), want, 1e-5)
}

func TestL2NormAgreesWithItsFloat64Reference(t *testing.T) {
	for _, c := range []struct {
		dtype ops.DType
		shape []int
	}{
		{ops.BF16, []int{2, 3, 2, 64}}, {ops.BF16, []int{5, 128}}, {ops.BF16, []int{1, 192}}, {ops.BF16, []int{7, 256}},
		{ops.F32, []int{3, 128}}, {ops.F32, []int{9, 100}}, {ops.F32, []int{64}}, {ops.BF16, []int{4, 33}},
	} {
		t.Run(fmt.Sprint(c.dtype, c.shape), func(t *testing.T) {
			n, dim := 1, c.shape[len(c.shape)-1]
			for _, s := range c.shape {
				n *= s
			}
			in := make([]float64, n)
			for i := range in {
				in[i] = reference.RoundBF16(float64(i%17-8)*0.3 + float64(i%5))
			}
			x, out := tensor(t, c.dtype, in, c.shape...), newTensor(t, c.dtype, c.shape...)
			run(t, ops.L2Norm{X: x, Out: out, Epsilon: 1e-6})
			if c.dtype == ops.F32 {
				within(t, "L2Norm", values(t, out), reference.L2Norm(in, dim, 1e-6, reference.Exact), 1e-6)
			} else {
				withinUlp(t, "L2Norm", values(t, out), reference.L2Norm(in, dim, 1e-6, reference.BF16))
			}
			run(t, ops.L2Norm{X: x, Out: x, Epsilon: 1e-6})
			if string(tensorBytes(t, x)) != string(tensorBytes(t, out)) {
				t.Error("in place differs")
			}
		})
	}
}

func TestRecurrentAgreesWithItsFloat64Reference(t *testing.T) {
	for i, c := range stageCases {
		t.Run(c.String(), func(t *testing.T) {
			in := reference.Generate(c.Dims, uint64(i+1), c.decay, c.initial)
			x, d := upload(t, in), c.Dims
			wantO, wantFinal := reference.Recurrence(in)
			op := ops.GatedDeltaRecurrent{Q: x.q, K: x.k, V: x.v, G: x.g, Beta: x.beta, InitialState: x.initial,
				Out: newTensor(t, ops.F32, d.B, d.T, d.H, d.V), FinalState: newTensor(t, ops.F32, d.B, d.H, d.V, d.K),
				Scale: float32(in.Scale)}
			run(t, op)
			within(t, "o", values(t, op.Out), wantO, 2e-6)
			within(t, "final state", values(t, op.FinalState), wantFinal, 2e-6)

			// The same values as F32, the output as BF16, the state in place.
			op.Q, op.K = tensor(t, ops.F32, in.Query, op.Q.Shape...), tensor(t, ops.F32, in.Key, op.K.Shape...)
			op.V, op.Out = tensor(t, ops.F32, in.Value, op.V.Shape...), newTensor(t, ops.BF16, op.Out.Shape...)
			if c.initial {
				op.FinalState = x.initial
			}
			run(t, op)
			withinUlp(t, "bf16 o", values(t, op.Out), wantO)
			within(t, "final state in place", values(t, op.FinalState), wantFinal, 2e-6)

			op.FinalState = ops.Tensor{}
			run(t, op)
		})
	}
}
