package reference

import (
	"math"
	"math/rand/v2"
)

// Generate makes inputs of the magnitudes that a trained model has: q and k normal and L2-normalised
// per head, v normal, g uniform in (-decay, 0), beta in (0, 1), Scale K^-0.5, and, if asked
// for, an initial state of elements about 0.1. q, k and v are bfloat16 values, the rest
// float32 values, so a device is given exactly these. Equal arguments give equal inputs.
func Generate(d Dims, seed uint64, decay float64, initialState bool) Inputs {
	random := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = random.NormFloat64()
		}
		return x
	}
	in := Inputs{
		Dims:  d,
		Query: L2Norm(normal(d.B*d.T*d.Hg*d.K), d.K, 1e-6, BF16),
		Key:   L2Norm(normal(d.B*d.T*d.Hg*d.K), d.K, 1e-6, BF16),
		Value: normal(d.B * d.T * d.H * d.V),
		Gate:  make([]float64, d.B*d.T*d.H),
		Beta:  make([]float64, d.B*d.T*d.H),
		Scale: float64(float32(1 / math.Sqrt(float64(d.K)))),
	}
	for i := range in.Value {
		in.Value[i] = RoundBF16(in.Value[i])
	}
	for i := range in.Gate {
		in.Gate[i] = float64(float32(-decay * random.Float64()))
		in.Beta[i] = float64(float32(1 / (1 + math.Exp(-random.NormFloat64()))))
	}
	if initialState {
		in.InitialState = normal(d.B * d.H * d.V * d.K)
		for i := range in.InitialState {
			in.InitialState[i] = float64(float32(0.1 * in.InitialState[i]))
		}
	}
	return in
}
