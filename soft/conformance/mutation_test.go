package conformance

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/simt"
)

var barrierCall = regexp.MustCompile(`threadgroup_barrier\([^)]*\);`)

// Kernels that are right, whose barriers over threadgroup memory are taken away, or made to order nothing, one at a time. A
// barrier that no race follows from losing has its reason here.
var mutated = []struct {
	file, kernel string
	barriers     int
	redundant    map[int]string // a reason by barrier
	simdgroup    map[int]string // a reason why a simdgroup_barrier is enough
	n, tg        int
	sizes        []int
	init         map[int]any
}{
	{file: "threadgroup.metal", kernel: "reverse_static", barriers: 1, n: 200, tg: 100, sizes: []int{800, 800}},
	{file: "threadgroup.metal", kernel: "tree_sum", barriers: 3, n: 200, tg: 100, sizes: []int{800, 800},
		redundant: map[int]string{1: "a step reads elements that no lane writes in the same step"},
		simdgroup: map[int]string{0: "the first step stays within simdgroups"}},
	{file: "threadgroup.metal", kernel: "structs", barriers: 2, n: 200, tg: 100, sizes: []int{800}},
	{file: "threadgroup.metal", kernel: "reinterpreted", barriers: 1, n: 200, tg: 100, sizes: []int{800}},
	{file: "threadgroup.metal", kernel: "barrier_in_uniform_branch", barriers: 2, n: 200, tg: 100, sizes: []int{800, 4}, init: map[int]any{1: int32(5)}},
	{file: "simd.metal", kernel: "block_sum", barriers: 2, n: 200, tg: 100, sizes: []int{800, 800}},
	{file: "matrix.metal", kernel: "through_threadgroup", barriers: 3, n: 64, tg: 64, sizes: []int{640, 640}},
}

func TestEveryBarrierTakenAwayIsARace(t *testing.T) {
	for _, m := range mutated {
		text, err := os.ReadFile("testdata/" + m.file)
		if err != nil {
			t.Fatal(err)
		}
		before, body, ok := strings.Cut(string(text), "kernel void "+m.kernel+"(")
		if !ok {
			t.Fatalf("no kernel %s", m.kernel)
		}
		end := strings.Index(body, "\n}\n")
		places := barrierCall.FindAllStringIndex(body[:end], -1)
		if len(places) != m.barriers {
			t.Fatalf("%s has %d barriers, not %d", m.kernel, len(places), m.barriers)
		}
		run := func(t *testing.T, text string) error {
			l, err := msl.Compile(text, msl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := broken{sizes: m.sizes, n: m.n, tg: m.tg, init: m.init}
			return lower(t, l, m.kernel).Run(b.dispatch(1))
		}
		t.Run(m.kernel+" as it is", func(t *testing.T) {
			if err := run(t, string(text)); err != nil {
				t.Errorf("reported although it is right: %v", err)
			}
		})
		for i, p := range places {
			for _, instead := range []string{";", "threadgroup_barrier(mem_flags::mem_none);", "simdgroup_barrier(mem_flags::mem_threadgroup);"} {
				t.Run(fmt.Sprintf("%s barrier %d becomes %s", m.kernel, i, instead), func(t *testing.T) {
					err := run(t, before+"kernel void "+m.kernel+"("+body[:p[0]]+instead+body[p[1]:])
					var f *simt.Fault
					reason := m.redundant[i]
					if reason == "" && strings.HasPrefix(instead, "simdgroup") {
						reason = m.simdgroup[i]
					}
					switch {
					case reason != "" && err != nil:
						t.Errorf("reported although %s: %v", reason, err)
					case reason == "" && (!errors.As(err, &f) || f.Kind != simt.Race):
						t.Errorf("not reported as a race: %v", err)
					}
				})
			}
		}
	}
}
