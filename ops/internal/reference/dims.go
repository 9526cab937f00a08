package reference

// ChunkSize is the number of tokens of a chunk; the last one of a sequence may be shorter.
const ChunkSize = 64

// Dims are the sizes of a gated delta rule.
type Dims struct {
	B  int // batches
	T  int // tokens
	Hg int // K-heads, of q and k
	H  int // V-heads, of v, g, beta and the states; a multiple of Hg
	K  int // key dimension
	V  int // value dimension
}

// Chunks returns the number of chunks of a sequence.
func (d Dims) Chunks() int { return (d.T + ChunkSize - 1) / ChunkSize }

// chunk is one chunk of one V-head: its place in every array.
type chunk struct {
	Dims
	b, c, h, kh int
	first, n    int // its first token and its length
}

// chunks calls f for each chunk, those of one head in the order of time.
func (d Dims) chunks(f func(chunk)) {
	for b := range d.B {
		for h := range d.H {
			for c := range d.Chunks() {
				first := c * ChunkSize
				f(chunk{d, b, c, h, h / (d.H / d.Hg), first, min(ChunkSize, d.T-first)})
			}
		}
	}
}

// scalar is the index of token i of the chunk in an array [B,T,H].
func (c chunk) scalar(i int) int { return (c.b*c.T+c.first+i)*c.H + c.h }

// row is the row of token i in an array [B,T,H,n].
func (c chunk) row(x []float64, n, i int) []float64 {
	at := c.scalar(i) * n
	return x[at : at+n]
}

// keyRow is the row of token i in q or k.
func (c chunk) keyRow(x []float64, i int) []float64 {
	at := ((c.b*c.T+c.first+i)*c.Hg + c.kh) * c.K
	return x[at : at+c.K]
}

// state is the head's state in an array [B,H,V,K].
func (c chunk) state(x []float64) []float64 {
	n := c.V * c.K
	at := (c.b*c.H + c.h) * n
	return x[at : at+n]
}

// entry is the chunk's entry state in an array [B,chunks,H,V,K].
func (c chunk) entry(x []float64) []float64 {
	n := c.V * c.K
	at := ((c.b*c.Chunks()+c.c)*c.H + c.h) * n
	return x[at : at+n]
}

func dot(x, y []float64) float64 {
	var sum float64
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
