package ops_test

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
	"github.com/puremetal/puremetal/shaders"
)

var barrierCall = regexp.MustCompile(`(?:threadgroup|simdgroup)_barrier\([^;]*;`)

// provedRedundant lists barriers, as file#n counted from 0, whose loss the checks need not see, with the reason that stands
// in the shader's comment.
var provedRedundant = map[string]string{}

// mutantOps run every kernel that has barriers, on shapes that reach all of them.
func mutantOps(t *testing.T, file string) []encoder {
	in := reference.Generate(reference.Dims{B: 1, T: 130, Hg: 1, H: 1, K: 64, V: 32}, 1, 0.2, true)
	wide := reference.Generate(reference.Dims{B: 1, T: 130, Hg: 1, H: 1, K: 128, V: 32}, 1, 0.2, true)
	switch file {
	case "gated_delta_solve.metal", "gated_delta_chunk_state.metal":
		return []encoder{upload(t, in).rule(t, ops.PathChunked, ops.BF16), upload(t, wide).rule(t, ops.PathChunked, ops.BF16)}
	}
	t.Fatalf("%s has barriers and no operation here runs it", file)
	return nil
}

func TestEveryBarrierIsMissedWhenItIsDeleted(t *testing.T) {
	if !rig.device.IsSoftware() {
		t.Skip("a GPU does not report races")
	}
	names, err := fs.Glob(shaders.Files, "*")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range names {
		text, err := fs.ReadFile(shaders.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		for n, at := range barrierCall.FindAllIndex(text, -1) {
			total++
			site := name + "#" + string(rune('0'+n))
			t.Run(site, func(t *testing.T) {
				if reason, ok := provedRedundant[site]; ok {
					t.Skip("redundant: " + reason)
				}
				call := string(text[at[0]:at[1]])
				reg := mutant(t, name, call, "", strings.Count(string(text[:at[0]]), call))
				for _, op := range mutantOps(t, name) {
					err := execute(reg, op)
					var fault *mtl.CommandBufferError
					if !errors.As(err, &fault) {
						t.Errorf("nothing was reported without %s: %v", call, err)
						continue
					}
					if kernel := strings.TrimSuffix(name, ".metal"); !strings.Contains(fault.Error(), kernel) {
						t.Errorf("the report does not name %s: %v", kernel, fault)
					}
				}
			})
		}
	}
	if total == 0 {
		t.Error("no barriers found: the pattern is wrong")
	}
}
