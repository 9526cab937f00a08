package ops_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/golden"
	"github.com/puremetal/puremetal/ops/internal/reference"
)

// The bounds on the relative RMS error against the golden data. Computed in float64 with the same bf16 rounding points, the
// chunked path has 2.7e-3 to 3.9e-3 for o and 0.9e-3 to 3.0e-3 for the state.
const (
	recurrentBound    = 2e-6
	chunkedOBound     = 4.5e-3
	chunkedStateBound = 3.5e-3
)

// goldenCase is one case of the golden data, its states turned to [B,H,V,K].
type goldenCase struct {
	reference.Inputs
	o, final []float64
}

func goldenCases(t testing.TB) []goldenCase {
	t.Helper()
	file, err := golden.GDN()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := file.Metadata("cases")
	var dims []struct {
		reference.Dims
		InitialState bool `json:"initial_state"`
	}
	if err := json.Unmarshal([]byte(text), &dims); err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for i, d := range dims {
		read := func(name string) []float64 {
			x, err := file.Tensor(fmt.Sprintf("case%d.%s", i, name))
			if err != nil {
				t.Fatal(err)
			}
			values, err := x.Float32s()
			if err != nil {
				t.Fatal(err)
			}
			return reference.Float64s(values)
		}
		c := goldenCase{
			Inputs: reference.Inputs{Dims: d.Dims, Query: read("q"), Key: read("k"), Value: read("v"), Gate: read("g"),
				Beta: read("beta"), Scale: 1 / math.Sqrt(float64(d.K))},
			o:     read("o"),
			final: keysInnermost(d.Dims, read("final_state")),
		}
		if d.InitialState {
			c.InitialState = keysInnermost(d.Dims, read("initial_state"))
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatal("no golden cases")
	}
	return cases
}

// keysInnermost turns states [B,H,K,V] to [B,H,V,K].
func keysInnermost(d reference.Dims, x []float64) []float64 {
	out := make([]float64, len(x))
	for head := range d.B * d.H {
		for k := range d.K {
			for v := range d.V {
				out[(head*d.V+v)*d.K+k] = x[(head*d.K+k)*d.V+v]
			}
		}
	}
	return out
}

func TestRecurrentPathMeetsTheGoldenData(t *testing.T) {
	for i, c := range goldenCases(t) {
		t.Run(fmt.Sprintf("case%d", i), func(t *testing.T) {
			op := upload(t, c.Inputs).rule(t, ops.PathRecurrent, ops.F32)
			run(t, op)
			o, final := values(t, op.Out), values(t, op.FinalState)
			within(t, "o", o, c.o, recurrentBound)
			within(t, "final state", final, c.final, recurrentBound)
			t.Logf("%+v: o %.2g, state %.2g", c.Dims, reference.RelRMS(o, c.o), reference.RelRMS(final, c.final))
		})
	}
}

func TestChunkedPathMeetsTheGoldenData(t *testing.T) {
	for i, c := range goldenCases(t) {
		t.Run(fmt.Sprintf("case%d", i), func(t *testing.T) {
			op := upload(t, c.Inputs).rule(t, ops.PathChunked, ops.BF16)
			run(t, op)
			o, final := values(t, op.Out), values(t, op.FinalState)
			within(t, "o", o, c.o, chunkedOBound)
			within(t, "final state", final, c.final, chunkedStateBound)
			t.Logf("%+v: o %.2g, state %.2g", c.Dims, reference.RelRMS(o, c.o), reference.RelRMS(final, c.final))
		})
	}
}

// undecayed is the rule with the prediction made from the state before it decays: the mistake that weak gates hide.
func undecayed(in reference.Inputs) (o, final []float64) {
	d := in.Dims
	o, final = make([]float64, d.B*d.T*d.H*d.V), make([]float64, d.B*d.H*d.V*d.K)
	copy(final, in.InitialState)
	for b := range d.B {
		for h := range d.H {
			for v := range d.V {
				s := final[((b*d.H+h)*d.V+v)*d.K:][:d.K]
				for t := range d.T {
					key := ((b*d.T+t)*d.Hg + h/(d.H/d.Hg)) * d.K
					at := (b*d.T+t)*d.H + h
					e := in.Value[at*d.V+v]
					for x := range s {
						e -= s[x] * in.Key[key+x]
					}
					for x := range s {
						s[x] = math.Exp(in.Gate[at])*s[x] + in.Beta[at]*e*in.Key[key+x]
						o[at*d.V+v] += in.Scale * s[x] * in.Query[key+x]
					}
				}
			}
		}
	}
	return o, final
}

func TestTheGoldenBoundsFailWrongResults(t *testing.T) {
	for i, c := range goldenCases(t) {
		reject := func(what string, o, final []float64) {
			eo, es := reference.RelRMS(o, c.o), reference.RelRMS(final, c.final)
			if eo <= chunkedOBound && es <= chunkedStateBound {
				t.Errorf("case %d: %s passes with %.3g for o and %.3g for the state", i, what, eo, es)
			}
		}
		reject("a zeroed output", make([]float64, len(c.o)), c.final)
		reject("a zeroed state", c.o, make([]float64, len(c.final)))
		if c.InitialState != nil {
			// Where it has decayed away at the end of the sequence, o still shows it.
			in := c.Inputs
			in.InitialState = nil
			o, final := reference.Recurrence(in)
			reject("a dropped initial state", o, final)
		}
		o, final := undecayed(c.Inputs)
		reject("an undecayed prediction", o, final)
	}
}
