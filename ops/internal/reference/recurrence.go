package reference

import "math"

// Inputs are the arguments of a gated delta rule.
type Inputs struct {
	Dims
	Query, Key   []float64 // [B,T,Hg,K]
	Value        []float64 // [B,T,H,V]
	Gate         []float64 // [B,T,H], log-decay per token, <= 0
	Beta         []float64 // [B,T,H]
	InitialState []float64 // [B,H,V,K]; nil is zero
	Scale        float64
}

// Recurrence computes the rule token by token:
//
//	S <- exp(g) S;  e = v - S k;  S <- S + beta e k^T;  o = scale S q
//
// o is [B,T,H,V], the state after the last token [B,H,V,K].
func Recurrence(in Inputs) (o, final []float64) {
	d := in.Dims
	o = make([]float64, d.B*d.T*d.H*d.V)
	final = make([]float64, d.B*d.H*d.V*d.K)
	copy(final, in.InitialState)
	d.chunks(func(c chunk) {
		s := c.state(final)
		for i := range c.n {
			q, k, v := c.keyRow(in.Query, i), c.keyRow(in.Key, i), c.row(in.Value, d.V, i)
			decay, beta := math.Exp(in.Gate[c.scalar(i)]), in.Beta[c.scalar(i)]
			out := c.row(o, d.V, i)
			for y := range d.V {
				row := s[y*d.K : (y+1)*d.K]
				for x := range row {
					row[x] *= decay
				}
				e := beta * (v[y] - dot(row, k))
				for x := range row {
					row[x] += e * k[x]
				}
				out[y] = in.Scale * dot(row, q)
			}
		}
	})
	return o, final
}

// Chunked computes the same through the chunk stages; r holds for all of them and for o.
func Chunked(in Inputs, r Rounding) (o, final []float64) {
	d := in.Dims
	sum := CumulativeGate(d, in.Gate)
	inverse := Solve(d, KKT(d, in.Key, in.Beta, sum, r))
	w, u := WU(d, in.Key, in.Value, in.Beta, sum, inverse, r)
	h, vNew, final := ChunkState(d, in.Key, w, u, sum, in.InitialState, r)
	return ChunkOutput(d, in.Query, in.Key, vNew, h, sum, in.Scale, r, r), final
}
