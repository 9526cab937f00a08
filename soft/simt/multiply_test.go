package simt

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomMatrix(r *rand.Rand) (m [64]float32) {
	for i := range m {
		m[i] = float32(r.NormFloat64()) * float32(math.Ldexp(1, r.IntN(60)-30))
	}
	return m
}

func TestMultiplyGivesTheBitsOfTheGoCode(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		a, b, c := randomMatrix(r), randomMatrix(r), randomMatrix(r)
		var got, want [64]float32
		multiply(&got, &a, &b, &c)
		multiplyGo(&want, &a, &b, &c)
		inA, inC := a, c
		multiply(&inA, &inA, &b, &c)
		multiply(&inC, &a, &b, &inC)
		for i := range want {
			w := math.Float32bits(want[i])
			if math.Float32bits(got[i]) != w || math.Float32bits(inA[i]) != w || math.Float32bits(inC[i]) != w {
				t.Fatalf("element %d: %v, in place of a %v, of c %v; want %v", i, got[i], inA[i], inC[i], want[i])
			}
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	x, y := randomMatrix(r), randomMatrix(r)
	var z [64]float32
	for name, f := range map[string]func(d, a, b, c *[64]float32){"multiply": multiply, "go": multiplyGo} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				z = [64]float32{}
				f(&z, &x, &y, &z)
			}
			b.ReportMetric(1024*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
