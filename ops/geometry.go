package ops

import (
	"math"
	"strconv"
)

// ChunkSize is the number of tokens of a chunk; the last chunk of a sequence may be shorter.
const ChunkSize = 64

// geometry is the sizes that the gated delta operations share.
type geometry struct {
	batches  int // B
	tokens   int // T
	heads    int // H, of v
	keyHeads int // Hg, of q and k
	keyDim   int // K; 0 where an operation has none
	valueDim int // V; 0 where an operation has none
}

func (g geometry) chunks() int { return (g.tokens-1)/ChunkSize + 1 }

// stateRows is the number of rows of the state that a simdgroup keeps: as many as fill 32 8x8 tiles.
func (g geometry) stateRows() int {
	switch {
	case g.keyDim <= 64:
		return 32
	case g.keyDim <= 128:
		return 16
	}
	return 8
}

// columnSplits keeps the accumulators of a simdgroup of the chunk output to 128 columns.
func (g geometry) columnSplits() int {
	if g.valueDim > 128 {
		return 2
	}
	return 1
}

// The arguments that geometry errors are blamed on.
type sources struct{ heads, keys, values string }

// check holds g to what the kernels support.
func (g geometry) check(op string, from sources) error {
	for _, n := range [...]int{g.batches, g.tokens, g.heads} {
		if n <= 0 {
			return &ArgumentError{op, from.heads, "positive dimensions", "[" + strconv.Itoa(g.batches) + " " +
				strconv.Itoa(g.tokens) + " " + strconv.Itoa(g.heads) + "]"}
		}
	}
	if from.keys != "" {
		if g.keyHeads <= 0 || g.heads%g.keyHeads != 0 {
			return &ArgumentError{op, from.keys, "a number of K-heads that divides the " + strconv.Itoa(g.heads) + " V-heads",
				strconv.Itoa(g.keyHeads)}
		}
		switch g.keyDim {
		case 64, 128, 192, 256:
		default:
			return &ArgumentError{op, from.keys, "a head dimension K of 64, 128, 192 or 256", strconv.Itoa(g.keyDim)}
		}
	}
	if from.values != "" && (g.valueDim <= 0 || g.valueDim > 256 || g.valueDim%32 != 0) {
		return &ArgumentError{op, from.values, "a head dimension V that is a multiple of 32 up to 256", strconv.Itoa(g.valueDim)}
	}
	// Kernels count tokens, batches and heads in 32 bits, and so the elements between two tokens of a chunk.
	if g.batches > math.MaxInt32 || g.tokens > math.MaxInt32-ChunkSize || g.heads > math.MaxInt32/(ChunkSize*256) {
		return &ArgumentError{op, from.heads, "B and T below 2^31 and H up to " + strconv.Itoa(math.MaxInt32/(ChunkSize*256)), "[" +
			strconv.Itoa(g.batches) + " " + strconv.Itoa(g.tokens) + " " + strconv.Itoa(g.heads) + "]"}
	}
	return nil
}
