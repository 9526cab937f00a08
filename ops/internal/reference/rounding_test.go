package reference_test

import (
	"testing"

	"github.com/puremetal/puremetal/ops/internal/reference"
)

// The factor x*beta lies above the middle between two bfloat16 values: rounded it is 1+2^-6.
const (
	factorX    = 1 + 0x1p-7
	factorBeta = 1 + 0x1p-8 + 0x1p-12
	rounded    = 1 + 0x1p-6
)

func TestKKTRoundsItsLeftOperandOnly(t *testing.T) {
	d := reference.Dims{B: 1, T: 2, Hg: 1, H: 1, K: 1, V: 1}
	k := []float64{3, factorX}
	beta := []float64{1, factorBeta}
	a := reference.KKT(d, k, beta, []float64{0, 0}, reference.BF16)
	if got := a[reference.ChunkSize]; got != rounded*3 {
		t.Errorf("A_10: got %v, want %v", got, rounded*3.0)
	}
	// A itself stays float: 3 (1 + 2^-6 - 2^-40) is no bfloat16 value.
	k[0] = 3 - 0x1p-40
	a = reference.KKT(d, k, beta, []float64{0, 0}, reference.BF16)
	if got := a[reference.ChunkSize]; got != rounded*(3-0x1p-40) {
		t.Errorf("A_10: got %v, want %v", got, rounded*(3-0x1p-40))
	}
}

func TestWURoundsOperandsBeforeTheProductAndResultsAfterIt(t *testing.T) {
	d := reference.Dims{B: 1, T: 1, Hg: 1, H: 1, K: 1, V: 1}
	inverse := make([]float64, reference.ChunkSize)
	inverse[0] = 3 + 0x1p-30
	w, u := reference.WU(d, []float64{factorX}, []float64{factorX}, []float64{factorBeta}, []float64{0}, inverse, reference.BF16)
	// Without the first rounding it would be 3.03125, without the second 3.046875 and a little.
	if w[0] != 3.046875 || u[0] != 3.046875 {
		t.Errorf("w, u: got %v, %v, want 3.046875", w[0], u[0])
	}
}
