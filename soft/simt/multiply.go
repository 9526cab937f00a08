package simt

// multiplyGo sets d to a*b + c, each sum taken in order of the inner index and every product rounded. d may be a or c,
// but not b.
func multiplyGo(d, a, b, c *[64]float32) {
	for i := 0; i < 64; i += 8 {
		A, C := (*[8]float32)(a[i:]), (*[8]float32)(c[i:])
		c0, c1, c2, c3, c4, c5, c6, c7 := C[0], C[1], C[2], C[3], C[4], C[5], C[6], C[7]
		for k, x := range A {
			B := (*[8]float32)(b[k*8:])
			c0 += float32(x * B[0])
			c1 += float32(x * B[1])
			c2 += float32(x * B[2])
			c3 += float32(x * B[3])
			c4 += float32(x * B[4])
			c5 += float32(x * B[5])
			c6 += float32(x * B[6])
			c7 += float32(x * B[7])
		}
		D := (*[8]float32)(d[i:])
		D[0], D[1], D[2], D[3], D[4], D[5], D[6], D[7] = c0, c1, c2, c3, c4, c5, c6, c7
	}
}
