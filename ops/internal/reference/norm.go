package reference

import "math"

// L2Norm returns x / sqrt(sum of x^2 + epsilon) for each row of dim elements. r rounds the result.
func L2Norm(x []float64, dim int, epsilon float64, r Rounding) []float64 {
	out := make([]float64, len(x))
	for at := 0; at < len(x); at += dim {
		row := x[at : at+dim]
		factor := 1 / math.Sqrt(dot(row, row)+epsilon)
		for i := range row {
			out[at+i] = r.round(row[i] * factor)
		}
	}
	return out
}
