package conformance

import "testing"

func TestAtomicReadModifyWrite(t *testing.T) {
	const n = 300
	c, s := make([]uint32, 10), make([]int32, 7)
	c[6], c[9] = ^uint32(0), 1000
	s[5] = 9
	wc, ws := append([]uint32(nil), c...), append([]int32(nil), s...)
	for i := range uint32(n) {
		wc[0]++
		wc[1] += i
		wc[2+i/32%4] |= 1 << (i & 31)
		wc[6] &^= 1 << (i & 31)
		wc[7] ^= i
		wc[8], wc[9] = max(wc[8], i*3), min(wc[9], i+5)
		v := int32(i)*7%31 - 15
		ws[0] += v
		ws[1] -= v
		ws[2], ws[3] = max(ws[2], v), min(ws[3], v)
	}
	ws[4], ws[5], ws[6] = -77, 88, 9-77
	sweep(t, kernelOf(t, "atomics.metal", "counts"), n, [][]byte{mem(c), mem(s)}, func(t *testing.T, tg int, out [][]byte) {
		if string(out[0]) != string(mem(wc)) || string(out[1]) != string(mem(ws)) {
			t.Errorf("got %v and %v, want %v and %v", decode[uint32](out[0]), decode[int32](out[1]), wc, ws)
		}
	})
}

func TestAtomicResultsAreTheOldValues(t *testing.T) {
	const n = 300
	sweep(t, kernelOf(t, "atomics.metal", "tickets"), n, [][]byte{make([]byte, n*4), make([]byte, 4)}, func(t *testing.T, tg int, out [][]byte) {
		for i, g := range decode[int32](out[0]) {
			if g != int32(2*i+1) {
				t.Errorf("ticket %d was not handed out once: %d", i, g)
				return
			}
		}
	})
}

func TestAtomicCompareExchange(t *testing.T) {
	const n = 200
	sweep(t, kernelOf(t, "atomics.metal", "compare_exchange"), n, [][]byte{mem([]int32{10, 7, 0})}, func(t *testing.T, tg int, out [][]byte) {
		if g := decode[int32](out[0]); g[0] != 10+n*(n-1)/2 || g[1] != 7 || g[2] != 70 {
			t.Errorf("got %v", g)
		}
	})
}

func TestAtomicFloats(t *testing.T) {
	const n = 160
	sweep(t, kernelOf(t, "atomics.metal", "floats"), n, [][]byte{make([]byte, 8)}, func(t *testing.T, tg int, out [][]byte) {
		if g := decode[float32](out[0]); g[0] != 4*n || g[1] != -40 {
			t.Errorf("got %v", g)
		}
	})
}

func TestThreadgroupAtomics(t *testing.T) {
	const n = 300
	a := corner[uint8](n, 111)
	sweep(t, kernelOf(t, "atomics.metal", "histogram"), n, [][]byte{make([]byte, n*8*4), mem(a)}, func(t *testing.T, tg int, out [][]byte) {
		want := make([]uint32, n*8)
		for i, v := range a {
			want[i/tg*8+int(v&7)]++
		}
		for i, g := range decode[uint32](out[0]) {
			if g != want[i] {
				t.Errorf("group %d, bin %d: got %d, want %d", i/8, i%8, g, want[i])
				return
			}
		}
	})
}
