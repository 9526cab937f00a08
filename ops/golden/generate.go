package golden

import (
	"fmt"
	"io"

	"github.com/puremetal/puremetal/ops/internal/reference"
	"github.com/puremetal/puremetal/ops/safetensors"
)

// Case is the shape of one case to generate.
type Case struct {
	B, T, Hg, H, K, V int     // all positive; H a multiple of Hg
	InitialState      bool    // begin with a state other than zero
	Decay             float64 // g is uniform in (-Decay, 0)
}

// Generate writes a file in the layout of the golden data, with seeded inputs of realistic
// magnitudes and the results of a float64 recurrence. It makes files of shapes that the golden
// data lacks; the results are this project's own, not those of another implementation.
func Generate(w io.Writer, seed uint64, cases ...Case) error {
	var tensors []safetensors.Data
	for i, c := range cases {
		if min(c.B, c.T, c.Hg, c.H, c.K, c.V) <= 0 || c.H%c.Hg != 0 || !(c.Decay >= 0) {
			return fmt.Errorf("golden: case %d: wanted positive sizes, H a multiple of Hg, Decay >= 0, got %+v", i, c)
		}
		d := reference.Dims{B: c.B, T: c.T, Hg: c.Hg, H: c.H, K: c.K, V: c.V}
		in := reference.Generate(d, seed+uint64(i), c.Decay, c.InitialState)
		o, final := reference.Recurrence(in)
		name := func(tensor string) string { return fmt.Sprintf("case%d.%s", i, tensor) }
		tensors = append(tensors,
			safetensors.BFloat16Data(name("q"), reference.Float32s(in.Query), c.B, c.T, c.Hg, c.K),
			safetensors.BFloat16Data(name("k"), reference.Float32s(in.Key), c.B, c.T, c.Hg, c.K),
			safetensors.BFloat16Data(name("v"), reference.Float32s(in.Value), c.B, c.T, c.H, c.V),
			safetensors.Float32Data(name("g"), reference.Float32s(in.Gate), c.B, c.T, c.H),
			safetensors.Float32Data(name("beta"), reference.Float32s(in.Beta), c.B, c.T, c.H),
			safetensors.Float32Data(name("o"), reference.Float32s(o), c.B, c.T, c.H, c.V),
			safetensors.Float32Data(name("final_state"), reference.Float32s(valuesInnermost(final, c.V, c.K)), c.B, c.H, c.K, c.V))
		if c.InitialState {
			tensors = append(tensors, safetensors.Float32Data(name("initial_state"),
				reference.Float32s(valuesInnermost(in.InitialState, c.V, c.K)), c.B, c.H, c.K, c.V))
		}
	}
	return safetensors.Write(w, nil, tensors)
}

// valuesInnermost turns states [B,H,V,K] into the file's [B,H,K,V].
func valuesInnermost(states []float64, v, k int) []float64 {
	out := make([]float64, len(states))
	for at := 0; at < len(states); at += v * k {
		for y := range v {
			for x := range k {
				out[at+x*v+y] = states[at+y*k+x]
			}
		}
	}
	return out
}
