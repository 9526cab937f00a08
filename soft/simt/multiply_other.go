//go:build !amd64

package simt

func multiply(d, a, b, c *[64]float32) { multiplyGo(d, a, b, c) }
