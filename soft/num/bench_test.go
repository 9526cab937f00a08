package num

import "testing"

var sink float32

func BenchmarkScalar(b *testing.B) {
	x := make([]float32, 1024)
	y := make([]float32, len(x))
	for i := range x {
		x[i] = 0.01 + float32(i)*0.005
	}
	for _, c := range []struct {
		name string
		f    func(float32) float32
	}{
		{"Exp", Exp}, {"Exp2", Exp2}, {"Log", Log}, {"Log2", Log2}, {"Rsqrt", Rsqrt}, {"Tanh", Tanh}, {"Sin", Sin}, {"Cos", Cos},
		{"Atan", Atan}, {"Rint", Rint}, {"Floor", Floor}, {"RoundF16", RoundF16}, {"RoundBF16", RoundBF16},
		{"Pow", func(x float32) float32 { return Pow(x, 1.7) }},
		{"Fma", func(x float32) float32 { return Fma(x, 1.7, 0.3) }},
		{"Fmod", func(x float32) float32 { return Fmod(x, 0.7) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; i < b.N; i += len(x) {
				for j, v := range x {
					y[j] = c.f(v)
				}
			}
			sink = y[7]
		})
	}
}

func BenchmarkHalfSlices(b *testing.B) {
	x := make([]float32, 1024)
	h := make([]uint16, len(x))
	for i := range x {
		x[i] = 0.01 + float32(i)*0.005
	}
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"F32ToF16s", func() { F32ToF16s(h, x) }}, {"F16ToF32s", func() { F16ToF32s(x, h) }},
		{"F32ToBF16s", func() { F32ToBF16s(h, x) }}, {"BF16ToF32s", func() { BF16ToF32s(x, h) }},
		{"RoundF16s", func() { RoundF16s(x) }}, {"RoundBF16s", func() { RoundBF16s(x) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; i < b.N; i += len(x) {
				c.f()
			}
		})
	}
}
