package ops_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
	"github.com/puremetal/puremetal/shaders"
)

// mutant is a registry for the shipped shaders with one text in one file replaced, at its n-th place, or everywhere if n < 0.
func mutant(t *testing.T, file, old, new string, n int) *kernels.Registry {
	t.Helper()
	names, err := fs.Glob(shaders.Files, "*")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, name := range names {
		data, err := fs.ReadFile(shaders.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == file {
			parts := strings.Split(string(data), old)
			if len(parts) <= max(n, 0)+1 {
				t.Fatalf("%s does not have %q", file, old)
			}
			if n >= 0 {
				data = []byte(strings.Join(parts[:n+1], old) + new + strings.Join(parts[n+1:], old))
			} else {
				data = []byte(strings.Join(parts, new))
			}
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	reg, err := kernels.New(rig.device, files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(reg.Release)
	return reg
}

func TestTheBoundsFailWrongKernels(t *testing.T) {
	in := reference.Generate(reference.Dims{B: 1, T: 77, Hg: 2, H: 4, K: 64, V: 32}, 11, 0.3, true)
	x := upload(t, in)
	o, final := reference.Recurrence(in)
	bounds := map[ops.Path][2]float64{ops.PathChunked: {chunkedOBound, chunkedStateBound}, ops.PathRecurrent: {recurrentBound, recurrentBound}}
	fails := func(t *testing.T, reg *kernels.Registry, path ops.Path) bool {
		op := x.rule(t, path, ops.F32)
		if err := execute(reg, op); err != nil {
			if fault := (*mtl.CommandBufferError)(nil); !errors.As(err, &fault) {
				t.Fatal(err) // the mutant does not compile
			}
			return true
		}
		return reference.RelRMS(values(t, op.Out), o) > bounds[path][0] || reference.RelRMS(values(t, op.FinalState), final) > bounds[path][1]
	}
	const recurrent = "gated_delta_recurrent.metal"
	for _, m := range []struct{ what, file, old, new string }{
		{"the second half of a chunk summed on its own", "chunk_local_cumsum.metal", " + simd_broadcast(low, 31)", ""},
		{"beta forgotten in kkt", "gated_delta_kkt.metal", " * beta_i[r]", ""},
		{"K-heads tiled in kkt", "gated_delta_kkt.metal", "group.y / head_ratio", "group.y % shape.key_heads"},
		{"no gate in kkt", "gated_delta_kkt.metal", "g_i[r] - g_left", "0.0f"},
		{"a series cut short in solve", "gated_delta_solve.metal", "simdgroup_multiply(power2, power1, power1)", "power2 = make_filled_simdgroup_matrix<float, 8, 8>(0.0f)"},
		{"a sign lost in solve", "gated_delta_solve.metal", "(-tile", "(tile"},
		{"w not decayed", "gated_delta_wu.metal", "exp(g_c[at_j])", "1.0f"},
		{"the initial state dropped", "gated_delta_chunk_state.metal", "if (has_initial_state)", "if (false)"},
		{"the state not decayed", "gated_delta_chunk_state.metal", "* decay", "* 1.0f"},
		{"v_new not gated", "gated_delta_chunk_state.metal", "left * gate_left", "left"},
		{"the last index beyond a ragged end", "gated_delta_chunk_state.metal", "last = length - 1", "last = chunk_size - 1"},
		{"K-heads tiled in the state", "gated_delta_chunk_state.metal", "group.y / head_ratio", "group.y % shape.key_heads"},
		{"the diagonal dropped", "gated_delta_chunk_o.metal", "j <= i ?", "j < i ?"},
		{"no mask", "gated_delta_chunk_o.metal", "j <= i ?", "j <= 64u ?"},
		{"scale forgotten", "gated_delta_chunk_o.metal", "shape.scale * ", ""},
		{"the entry state not decayed", "gated_delta_chunk_o.metal", "* decay", "* 1.0f"},
		{"the prediction from the undecayed state", recurrent, "predicted += s[c] * k_now[c]", "predicted += s[c] / decay * k_now[c]"},
		{"beta forgotten", recurrent, "beta_now * (", "("},
		{"scale forgotten", recurrent, "shape.scale * ", ""},
		{"the initial state dropped", recurrent, "if (has_initial_state)", "if (false)"},
		{"K-heads tiled", recurrent, "group.y / head_ratio", "group.y % shape.key_heads"},
		{"rows swapped", recurrent, "= o[r]", "= o[3 - r]"},
	} {
		t.Run(strings.TrimSuffix(m.file, ".metal")+": "+m.what, func(t *testing.T) {
			path := ops.PathChunked
			if m.file == recurrent {
				path = ops.PathRecurrent
			}
			if fails(t, rig.registry, path) {
				t.Fatal("the shipped kernels fail")
			}
			if !fails(t, mutant(t, m.file, m.old, m.new, -1), path) {
				t.Error("it passes")
			}
		})
	}
}
