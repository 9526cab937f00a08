package conformance

import "testing"

func TestControlFlowUnderDivergence(t *testing.T) {
	for _, c := range []struct {
		kernel string
		want   func(i int) int
	}{
		{"nested_loops", func(i int) int {
			s := 0
			for a := 0; a < i%7; a++ {
				if a == 3 {
					continue
				}
				for b := 0; b <= i%11; b += 2 {
					if (a+b)%3 != 0 {
						s += a*10 + b
					}
				}
				if s > 200 {
					s = -s
					break
				}
			}
			return s
		}},
		{"early_return", func(i int) int {
			switch m := i % 13; {
			case i%3 == 0:
				return 1
			case m < 10:
				return 100 + m
			}
			return 2 + 30 + 1000
		}},
		{"fallthrough", func(i int) int {
			switch i % 9 {
			case 0:
				return 11
			case 1:
				return 10
			case 2, 3:
				return 11100
			case 7:
				return 10000
			case 8:
				return i
			}
			return 11000
		}},
		{"switch_in_loop", func(i int) int {
			s, out := 0, 0
			for k := range 8 {
				switch (i + k) % 5 {
				case 0:
					continue
				case 1:
					s++
				case 2:
					if k > 4 {
						return out
					}
					s += 7
				default:
					s += 50
				}
				s *= 2
				out = s
			}
			return s + 5
		}},
		{"do_while", func(i int) int {
			n, s, rounds := i%10, 0, 0
			for {
				rounds++
				if n != 5 {
					s += n
					if s > 30 {
						break
					}
				}
				if n--; n <= 0 || rounds >= 6 {
					break
				}
			}
			for rounds > 0 {
				rounds -= 2
				s ^= rounds
			}
			return s*100 + n
		}},
		{"short_circuit", func(i int) int {
			a, b := i&1 != 0, i&2 != 0
			n, x, y, z := 2, 0, 0, 9
			if a {
				n++ // && looks at b
				n++ // the conditional counts
				y, z = 1, 1
				if b {
					x = 1
				}
			} else {
				n++ // || looks at b
				if b {
					y, z = 1, 7
				}
			}
			return n*1000 + x*100 + y*10 + z
		}},
		{"comma_and_for_forms", func(i int) int {
			a, b := 0, i%20
			for a < b {
				a++
				b--
			}
			a += 2
			b += a
			return a*b*100 + 3 + i%4
		}},
		{"collatz", func(i int) int {
			steps := 0
			for n := i + 1; n != 1; steps++ {
				if n%2 == 1 {
					n = 3*n + 1
				} else {
					n /= 2
				}
			}
			return steps
		}},
		{"shadowing", func(i int) int {
			r := i + 2000 + 1 + 100000
			if i%3 != 0 {
				return r + i%3*10000
			}
			return r - 1
		}},
		{"increments", func(i int) int {
			a := i
			r := a
			a += 2
			r = r*10 + a
			r = r*10 + a
			a -= 2
			r = r*10 + a
			a = (a + 3) * 3 / 2 % 100 << 2 >> 1
			return r*1000 + (a&0x7f | 0x100) ^ 3
		}},
	} {
		t.Run(c.kernel, func(t *testing.T) {
			expect(t, kernelOf(t, "control.metal", c.kernel), 301, 1, func(i int) []int32 { return []int32{int32(c.want(i))} })
		})
	}
}
