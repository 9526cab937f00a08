package simt

// multiply is multiplyGo in SSE, which every amd64 has: the same products and sums in the same order, so the same bits.
//
//go:noescape
func multiply(d, a, b, c *[64]float32)
