package ops

import (
	"strconv"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

// ChunkThreshold is the number of tokens from which PathAuto takes the chunked path: below one whole chunk its six dispatches
// cost more than that many steps of the recurrent kernel.
const ChunkThreshold = ChunkSize

// NormEpsilon is what NormalizeQK adds to the squared lengths of q and k.
const NormEpsilon = 1e-6

// Path is a way to compute the gated delta rule.
type Path uint8

const (
	PathAuto      Path = iota // PathRecurrent for T < ChunkThreshold, otherwise PathChunked
	PathChunked               // six stages over chunks of 64 tokens, matrices rounded to bf16
	PathRecurrent             // token by token in float
)

// ChunkGatedDeltaRule is the gated delta rule over whole sequences. It encodes one dispatch per stage, with barriers only
// between a stage and the next that needs it; on a serial encoder none.
type ChunkGatedDeltaRule struct {
	Q, K         Tensor // BF16 [B,T,Hg,K]
	V            Tensor // BF16 [B,T,H,V]
	G            Tensor // F32 [B,T,H], log-decay per token, not summed
	Beta         Tensor // F32 [B,T,H]
	InitialState Tensor // F32 [B,H,V,K]; absent: zero
	Out          Tensor // BF16 or F32 [B,T,H,V]
	FinalState   Tensor // F32 [B,H,V,K]; may be InitialState; absent: not stored

	// Scratch is U8 [n], n >= ScratchSize(), at an offset that is a multiple of 16. Its contents before do not matter and
	// after are undefined; it may serve any number of operations, one after the other. Absent where ScratchSize is 0.
	Scratch Tensor

	Scale       float32 // finite and not zero; typically 1/sqrt(K)
	NormalizeQK bool    // divide each q and k by its length first
	Path        Path
}

const scratchAlign = 256 // between the tensors in the scratch: a cache line or two apart

// scratch is where the intermediate tensors are, in bytes from the beginning of Scratch.
type scratch struct {
	q, k   int // normalised q and k
	g      int // G summed in chunks
	matrix int // A, in place its inverse; then, these dead, h
	w      int
	u      int // u, in place v_new
	size   int
	failed bool // a size overflowed
}

// place reserves room for a tensor of size-byte elements.
func (s *scratch) place(size int, shape ...int) int {
	at := s.size
	s.failed = s.failed || !s.grow(bytesOf(size, shape))
	return at
}

// bytesOf is the byte size of a shape; -1 if it overflows.
func bytesOf(size int, shape []int) int {
	n, ok := product(shape)
	if !ok || n > maxScratch/size {
		return -1
	}
	return n * size
}

// maxScratch leaves room for the sum of all tensors in an int.
const maxScratch = int(^uint(0)>>1) / 16

func (s *scratch) grow(n int) bool {
	if n < 0 {
		return false
	}
	s.size += (n + scratchAlign - 1) / scratchAlign * scratchAlign
	return true
}

func (op *ChunkGatedDeltaRule) layout(g geometry) (scratch, error) {
	var s scratch
	if op.NormalizeQK {
		s.q = s.place(2, g.batches, g.tokens, g.keyHeads, g.keyDim)
		s.k = s.place(2, g.batches, g.tokens, g.keyHeads, g.keyDim)
	}
	if !op.recurrent(g) {
		s.g = s.place(4, g.batches, g.tokens, g.heads)
		a := [...]int{g.batches, g.tokens, g.heads, ChunkSize}
		h := [...]int{g.batches, g.chunks(), g.heads, g.valueDim, g.keyDim}
		s.matrix = s.size
		matrix, states := bytesOf(4, a[:]), bytesOf(2, h[:])
		s.failed = s.failed || states < 0 || !s.grow(max(matrix, states))
		s.w = s.place(2, g.batches, g.tokens, g.heads, g.keyDim)
		s.u = s.place(2, g.batches, g.tokens, g.heads, g.valueDim)
	}
	if s.failed {
		return s, &ArgumentError{opChunkRule, "V", "tensors whose byte sizes fit an int", shapeString(op.V.Shape)}
	}
	return s, nil
}

const opChunkRule = "ChunkGatedDeltaRule"

func (op *ChunkGatedDeltaRule) recurrent(g geometry) bool {
	return op.Path == PathRecurrent || op.Path == PathAuto && g.tokens < ChunkThreshold
}

// ScratchSize is the length in bytes that Scratch must have. Only the shapes of Q and V, NormalizeQK and Path matter.
func (op ChunkGatedDeltaRule) ScratchSize() (int, error) {
	g, err := op.sizes()
	if err != nil {
		return 0, err
	}
	s, err := op.layout(g)
	return s.size, err
}

// sizes takes the geometry from the shapes of Q and V.
func (op *ChunkGatedDeltaRule) sizes() (geometry, error) {
	if len(op.Q.Shape) != 4 {
		return geometry{}, &ArgumentError{opChunkRule, "Q", "4 axes", shapeString(op.Q.Shape)}
	}
	if len(op.V.Shape) != 4 {
		return geometry{}, &ArgumentError{opChunkRule, "V", "4 axes", shapeString(op.V.Shape)}
	}
	if op.Path > PathRecurrent {
		return geometry{}, &ArgumentError{opChunkRule, "Path", "PathAuto, PathChunked or PathRecurrent", strconv.Itoa(int(op.Path))}
	}
	g := geometry{batches: op.V.Shape[0], tokens: op.V.Shape[1], heads: op.V.Shape[2], keyHeads: op.Q.Shape[2],
		keyDim: op.Q.Shape[3], valueDim: op.V.Shape[3]}
	return g, g.check(opChunkRule, sources{"V", "Q", "V"})
}

// Validate reports the first argument that cannot be used, as an *ArgumentError.
func (op ChunkGatedDeltaRule) Validate() error {
	_, _, err := op.plan()
	return err
}

func (op *ChunkGatedDeltaRule) plan() (geometry, scratch, error) {
	g, err := op.sizes()
	if err != nil {
		return g, scratch{}, err
	}
	s, err := op.layout(g)
	if err != nil {
		return g, s, err
	}
	return g, s, op.check(g, s)
}

func (op *ChunkGatedDeltaRule) check(g geometry, s scratch) error {
	c := checker{op: opChunkRule}
	c.tensor("Q", op.Q, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("K", op.K, BF16, g.batches, g.tokens, g.keyHeads, g.keyDim)
	c.tensor("V", op.V, BF16, g.batches, g.tokens, g.heads, g.valueDim)
	c.tensor("G", op.G, F32, g.batches, g.tokens, g.heads)
	c.tensor("Beta", op.Beta, F32, g.batches, g.tokens, g.heads)
	c.output(g, op.Out)
	c.states(g, op.InitialState, op.FinalState)
	c.factor("Scale", op.Scale)
	if s.size > 0 || !op.Scratch.IsZero() {
		c.scratch("Scratch", op.Scratch, s.size)
	}
	c.aliasing([]operand{{name: "Out", tensor: op.Out}, {"FinalState", op.FinalState, "InitialState"},
		{name: "Scratch", tensor: op.Scratch}}, []operand{{name: "Q", tensor: op.Q}, {name: "K", tensor: op.K},
		{name: "V", tensor: op.V}, {name: "G", tensor: op.G}, {name: "Beta", tensor: op.Beta},
		{name: "InitialState", tensor: op.InitialState}})
	return c.err
}

// Encode encodes up to eight dispatches. It encodes none if a pipeline cannot be made.
func (op ChunkGatedDeltaRule) Encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry) error {
	g, s, err := op.plan()
	if err != nil {
		return err
	}
	if enc == nil {
		return errNoEncoder
	}
	for _, e := range [...]*mtl.ComputeCommandEncoder{nil, enc} { // first all pipelines, then the dispatches
		if err := op.encode(e, reg, g, s); err != nil {
			return err
		}
	}
	return nil
}

// encode is Encode without the checks.
func (op *ChunkGatedDeltaRule) encode(enc *mtl.ComputeCommandEncoder, reg *kernels.Registry, g geometry, s scratch) error {
	// All is checked, so the stages are encoded without their own checks and their tensors need no shapes.
	q, k := op.Q, op.K
	if op.NormalizeQK {
		q, k = op.inScratch(s.q, BF16), op.inScratch(s.k, BF16)
		rows := g.batches * g.tokens * g.keyHeads
		if err := (L2Norm{X: op.Q, Out: q, Epsilon: NormEpsilon}).encode(enc, reg, rows, g.keyDim); err != nil {
			return err
		}
		if err := (L2Norm{X: op.K, Out: k, Epsilon: NormEpsilon}).encode(enc, reg, rows, g.keyDim); err != nil {
			return err
		}
	}
	if op.recurrent(g) {
		if op.NormalizeQK {
			barrier(enc)
		}
		return GatedDeltaRecurrent{Q: q, K: k, V: op.V, G: op.G, Beta: op.Beta, InitialState: op.InitialState, Out: op.Out,
			FinalState: op.FinalState, Scale: op.Scale}.encode(enc, reg, g)
	}

	sums, w, u := op.inScratch(s.g, F32), op.inScratch(s.w, BF16), op.inScratch(s.u, BF16)
	matrix, h := op.inScratch(s.matrix, F32), op.inScratch(s.matrix, BF16)
	// The norms and the sums are independent of each other.
	if err := (ChunkLocalCumsum{G: op.G, Out: sums}).encode(enc, reg, g); err != nil {
		return err
	}
	barrier(enc)
	if err := (GatedDeltaKKT{K: k, Beta: op.Beta, G: sums, A: matrix}).encode(enc, reg, g); err != nil {
		return err
	}
	barrier(enc)
	if err := (GatedDeltaSolve{A: matrix, Inverse: matrix}).encode(enc, reg, g); err != nil {
		return err
	}
	barrier(enc)
	if err := (GatedDeltaWU{K: k, V: op.V, Beta: op.Beta, G: sums, Inverse: matrix, W: w, U: u}).encode(enc, reg, g); err != nil {
		return err
	}
	barrier(enc)
	if err := (GatedDeltaChunkState{K: k, W: w, U: u, G: sums, InitialState: op.InitialState, H: h, VNew: u,
		FinalState: op.FinalState}).encode(enc, reg, g); err != nil {
		return err
	}
	barrier(enc)
	return GatedDeltaChunkO{Q: q, K: k, V: u, H: h, G: sums, Out: op.Out, Scale: op.Scale}.encode(enc, reg, g)
}

func (op *ChunkGatedDeltaRule) inScratch(at int, dtype DType) Tensor {
	return Tensor{Buffer: op.Scratch.Buffer, Offset: op.Scratch.Offset + at, DType: dtype}
}

// AppendReads appends what the operation reads. Scratch is not among it: nothing in it before matters.
func (op ChunkGatedDeltaRule) AppendReads(dst []Range) []Range {
	return appendSpans(dst, op.Q, op.K, op.V, op.G, op.Beta, op.InitialState)
}

// AppendWrites appends what the operation writes, Scratch among it.
func (op ChunkGatedDeltaRule) AppendWrites(dst []Range) []Range {
	return appendSpans(dst, op.Out, op.FinalState, op.Scratch)
}
