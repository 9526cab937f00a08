package reference

import "math"

// CumulativeGate returns G [B,T,H], the sum of g from the chunk's first token to each one.
func CumulativeGate(d Dims, g []float64) []float64 {
	sum := make([]float64, d.B*d.T*d.H)
	d.chunks(func(c chunk) {
		var running float64
		for i := range c.n {
			running += g[c.scalar(i)]
			sum[c.scalar(i)] = running
		}
	})
	return sum
}

// KKT returns A [B,T,H,64]: A_ij = beta_i (k_i . k_j) exp(G_i - G_j) for j < i, otherwise 0.
// Rounded is beta_i k_i, before the product.
func KKT(d Dims, k, beta, sum []float64, r Rounding) []float64 {
	a := make([]float64, d.B*d.T*d.H*ChunkSize)
	left := make([]float64, d.K)
	d.chunks(func(c chunk) {
		for i := range c.n {
			for x, value := range c.keyRow(k, i) {
				left[x] = r.round(value * beta[c.scalar(i)])
			}
			row := c.row(a, ChunkSize, i)
			for j := range i {
				row[j] = dot(left, c.keyRow(k, j)) * math.Exp(sum[c.scalar(i)]-sum[c.scalar(j)])
			}
		}
	})
	return a
}

// Solve returns M = (I + A)^-1 of each chunk's block, in A's layout. In a short last chunk the
// columns past its end are 0. Nothing is rounded.
func Solve(d Dims, a []float64) []float64 {
	inverse := make([]float64, len(a))
	d.chunks(func(c chunk) {
		for i := range c.n {
			row := c.row(inverse, ChunkSize, i)
			row[i] = 1
			for m := range i {
				factor := c.row(a, ChunkSize, i)[m]
				for j, value := range c.row(inverse, ChunkSize, m)[:m+1] {
					row[j] -= factor * value
				}
			}
		}
	})
	return inverse
}

// WU returns w_i = sum_j M_ij beta_j exp(G_j) k_j [B,T,H,K] and u_i = sum_j M_ij beta_j v_j
// [B,T,H,V]. Rounded are beta_j v_j and beta_j exp(G_j) k_j, and both results.
func WU(d Dims, k, v, beta, sum, inverse []float64, r Rounding) (w, u []float64) {
	w = make([]float64, d.B*d.T*d.H*d.K)
	u = make([]float64, d.B*d.T*d.H*d.V)
	d.chunks(func(c chunk) {
		for j := range c.n {
			b, decay := beta[c.scalar(j)], math.Exp(sum[c.scalar(j)])
			addColumn := func(out, x []float64, n int, factor float64) {
				for y, value := range x {
					value = r.round(value * factor)
					for i := j; i < c.n; i++ {
						c.row(out, n, i)[y] += c.row(inverse, ChunkSize, i)[j] * value
					}
				}
			}
			addColumn(w, c.keyRow(k, j), d.K, b*decay)
			addColumn(u, c.row(v, d.V, j), d.V, b)
		}
	})
	for _, x := range [][]float64{w, u} {
		for i := range x {
			x[i] = r.round(x[i])
		}
	}
	return w, u
}

// ChunkState carries S through the chunks. It returns h [B,chunks,H,V,K], the state at each chunk's
// start, v_new_i = u_i - S w_i [B,T,H,V], and the state after the last token [B,H,V,K]:
//
//	S <- exp(G_last) S + sum_i [exp(G_last - G_i) v_new_i] k_i^T
//
// Rounded are h, v_new, and the bracket: once, from the v_new before rounding. S never is, and
// v_new is computed from S, not from h. initial may be nil.
func ChunkState(d Dims, k, w, u, sum, initial []float64, r Rounding) (h, vNew, final []float64) {
	h = make([]float64, d.B*d.Chunks()*d.H*d.V*d.K)
	vNew = make([]float64, d.B*d.T*d.H*d.V)
	final = make([]float64, d.B*d.H*d.V*d.K)
	copy(final, initial)
	gated := make([]float64, d.V)
	d.chunks(func(c chunk) {
		s, entry := c.state(final), c.entry(h)
		// S is updated token by token below, but every v_new of the chunk reads the entry state.
		before := append([]float64(nil), s...)
		for x := range s {
			entry[x] = r.round(s[x])
		}
		last := sum[c.scalar(c.n-1)]
		for x := range s {
			s[x] *= math.Exp(last)
		}
		for i := range c.n {
			key, wRow, uRow, out := c.keyRow(k, i), c.row(w, d.K, i), c.row(u, d.V, i), c.row(vNew, d.V, i)
			gate := math.Exp(last - sum[c.scalar(i)])
			for y := range d.V {
				value := uRow[y] - dot(before[y*d.K:(y+1)*d.K], wRow)
				out[y] = r.round(value)
				gated[y] = r.round(value * gate)
			}
			for y := range d.V {
				row := s[y*d.K : (y+1)*d.K]
				for x := range row {
					row[x] += gated[y] * key[x]
				}
			}
		}
	})
	return h, vNew, final
}

// ChunkOutput returns [B,T,H,V]
//
//	o_i = scale [exp(G_i) h q_i + sum_{j<=i} exp(G_i - G_j) (q_i . k_j) v_new_j]
//
// inner rounds exp(G_i - G_j)(q_i . k_j) before it multiplies v_new; out rounds o.
func ChunkOutput(d Dims, q, k, vNew, h, sum []float64, scale float64, inner, out Rounding) []float64 {
	o := make([]float64, d.B*d.T*d.H*d.V)
	d.chunks(func(c chunk) {
		entry := c.entry(h)
		for i := range c.n {
			query, row := c.keyRow(q, i), c.row(o, d.V, i)
			decay := math.Exp(sum[c.scalar(i)])
			for y := range row {
				row[y] = decay * dot(entry[y*d.K:(y+1)*d.K], query)
			}
			for j := range i + 1 {
				score := inner.round(dot(query, c.keyRow(k, j)) * math.Exp(sum[c.scalar(i)]-sum[c.scalar(j)]))
				for y, value := range c.row(vNew, d.V, j) {
					row[y] += score * value
				}
			}
			for y := range row {
				row[y] = out.round(scale * row[y])
			}
		}
	})
	return o
}
