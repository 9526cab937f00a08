package conformance

import "testing"

func TestSwizzles(t *testing.T) {
	const n = 70
	a := corner[int32](4*n, 21)
	at := func(i int) []int32 { return a[4*i : 4*i+4] }
	t.Run("read", func(t *testing.T) {
		expect(t, kernelOf(t, "swizzle.metal", "read"), n, 24, func(i int) []int32 {
			v := at(i)
			x, y, z, w := v[0], v[1], v[2], v[3]
			return []int32{x, y, z, w, z, y, w, w, x, x, x, y, y, z, y + w, v[i&3], z, x, 7, y, w, z - 5, 5, w*2 + x}
		}, a)
	})
	t.Run("write", func(t *testing.T) {
		expect(t, kernelOf(t, "swizzle.metal", "write"), n, 4, func(i int) []int32 {
			x, y, z, w := at(i)[1], at(i)[0], at(i)[2], at(i)[3]
			w += 100
			z, x = 1+z, 2+x
			v := []int32{2 * x, 2 * y, 2 * z, w}
			v[i&3] = -5
			v[1] = 77
			v[2] += 10
			v[3] += 20
			return v
		}, a)
	})
	t.Run("through pointer", func(t *testing.T) {
		expect(t, kernelOf(t, "swizzle.metal", "through_pointer"), n, 4, func(i int) []int32 {
			return []int32{9, int32(2*i - 1), 17, 8}
		})
	})
	t.Run("ternary and unary", func(t *testing.T) {
		expect(t, kernelOf(t, "swizzle.metal", "ternary_and_unary"), n, 4, func(i int) []int32 {
			v := []int32{int32(i), -int32(i), 3}
			w := []int32{v[0], v[1], v[2]}
			if i&1 == 0 {
				w = []int32{v[2], v[1], v[0]}
			}
			var b [3]int32
			for j := range b {
				b[j] = b2i(w[j] <= 2)
			}
			return []int32{w[0], ^w[1] - v[1], b[0]*100 + b[1]*10 + b[2], b2i(b[0]+b[1]+b[2] > 0)*2 + b2i(b[0]+b[1]+b[2] == 3)}
		})
	})
	t.Run("member", func(t *testing.T) {
		expect(t, kernelOf(t, "swizzle.metal", "member"), n, 3, func(i int) []float32 {
			f := float32(i)
			h := [2][3]float32{{f, 2, 3}, {f, 3, 1}}
			return []float32{f + 3, 3, h[i&1][(i>>1)%3] + 4}
		})
	})
}
