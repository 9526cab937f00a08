package reference_test

import (
	"math"
	"testing"

	"github.com/puremetal/puremetal/ops/internal/reference"
)

func TestRelRMSCannotPassByAccident(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name      string
		got, want []float64
		rms       float64
	}{
		{"equal", []float64{1, 2}, []float64{1, 2}, 0},
		{"zero output", []float64{0, 0}, []float64{1, 2}, 1},
		{"known", []float64{3, 5}, []float64{3, 4}, 0.2},
		{"NaN", []float64{1, nan}, []float64{1, 2}, math.Inf(1)},
		{"infinity", []float64{1, math.Inf(1)}, []float64{1, 2}, math.Inf(1)},
		{"short", []float64{1}, []float64{1, 2}, math.Inf(1)},
		{"zeros wanted", []float64{1e-9}, []float64{0}, math.Inf(1)},
		{"zeros given", []float64{0}, []float64{0}, 0},
	} {
		if got := reference.RelRMS(c.got, c.want); got != c.rms {
			t.Errorf("%s: got %v, want %v", c.name, got, c.rms)
		}
	}
}

func TestBF16UlpsCountsValuesAcrossZeroAndBinades(t *testing.T) {
	for _, c := range []struct {
		x, y float64
		want int
	}{
		{1, 1, 0},
		{1, 1 + 0x1p-7, 1},
		{1, 1 - 0x1p-8, 1},
		{0, math.Copysign(0, -1), 0},
		{0x1p-133, -0x1p-133, 2},
		{2, 1, 128},
		{math.NaN(), 1, -1},
	} {
		if got := reference.BF16Ulps(c.x, c.y); got != c.want {
			t.Errorf("%v, %v: got %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

func TestRoundBF16IsNearestEven(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{1, 1},
		{1 + 0x1p-8, 1},
		{1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-7},
		{1 + 3*0x1p-8, 1 + 0x1p-6},
		{-(1 + 3*0x1p-8), -(1 + 0x1p-6)},
		{0x1.ffp0, 2},
		{0x1.8p-134, 0x1p-133},
		{0x1p-134, 0},
		{0x1.ffp127, math.Inf(1)},
		{-0x1.fe8p127, -0x1.fep127},
	} {
		if got := reference.RoundBF16(c.x); got != c.want {
			t.Errorf("%v: got %v, want %v", c.x, got, c.want)
		}
		if got := reference.FromBF16(reference.BF16Bits([]float64{c.x}))[0]; got != c.want {
			t.Errorf("%v through its bits: got %v, want %v", c.x, got, c.want)
		}
	}
}
