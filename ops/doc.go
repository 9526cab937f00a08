// Package ops is what to compute: one struct per operation, which names its tensors and scalars.
//
//	op := ops.GatedDeltaChunkO{Q: q, K: k, V: v, H: h, G: g, Out: o, Scale: s}
//	err := op.Encode(enc, reg)
//
// Validate checks everything that can be wrong in pure Go and reports an *ArgumentError. Encode validates, then encodes one
// dispatch, or a few; it encodes nothing if it returns an ArgumentError, and allocates nothing once its pipelines are compiled.
// AppendReads and AppendWrites list the byte ranges that an operation touches, for planners and hazard trackers.
//
// # Hazards
//
// On a serial encoder dispatches run one after the other. On a concurrent one the caller owes a memory barrier between two
// operations where one writes what the other touches. An operation of several dispatches places its inner barriers itself.
// Aliasing is judged by buffer and byte range: two buffers over the same memory are not recognised.
//
// # The gated delta rule
//
// All its operations share one contract. S is a state of V rows and K columns per batch and V-head; for each token
//
//	S <- exp(g) S;  e = v - S k;  S <- S + beta e k^T;  o = scale S q
//
// g is the logarithm of the decay (<= 0, -Inf resets the state), beta in (0, 1). V-head h reads K-head h / (H/Hg). Shapes, outermost axis first, contiguous:
// q and k [B,T,Hg,K]; v and o [B,T,H,V]; g and beta [B,T,H] F32; states [B,H,V,K] F32. K is 64, 128, 192 or 256; V a multiple of 32
// up to 256; H a multiple of Hg; B, T and H any. A chunk is 64 tokens, the last one of a sequence may be shorter.
//
// An operation is a value: copy it freely. None is safe to modify while it is being encoded.
package ops
