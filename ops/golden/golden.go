// Package golden holds the repository's one copy of the golden data of the gated delta
// rule, for the tests and for examples/gateddelta. Programs that do not import it do not
// carry its 7 MB.
//
// The data was made by an independent implementation: Hugging Face transformers 5.17
// (torch 2.11, float32), modeling_qwen3_next.py, the token-by-token recurrence. Tensors
// are named case{i}.{q,k,v,g,beta,initial_state,o,final_state}; shapes, innermost last:
//
//	q, k                        [B,T,Hg,K]  bf16, L2-normalised per head
//	v                           [B,T,H,V]   bf16
//	g                           [B,T,H]     f32, log-decay <= 0 per token
//	beta                        [B,T,H]     f32 in (0,1)
//	initial_state (optional)    [B,H,K,V]   f32
//	o                           [B,T,H,V]   f32
//	final_state                 [B,H,K,V]   f32
//
// V-head h reads K-head h/(H/Hg); q is scaled by K^-0.5. States have V innermost here;
// the ops keep K innermost.
package golden

import (
	_ "embed" // for the data
	"strings"

	"github.com/puremetal/puremetal/ops/safetensors"
)

//go:embed gdn.safetensors
var gdn string

// GDN opens the gated delta data.
func GDN() (*safetensors.File, error) {
	return safetensors.Parse(strings.NewReader(gdn), int64(len(gdn)))
}
