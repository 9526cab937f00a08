package golden_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/puremetal/puremetal/ops/golden"
	"github.com/puremetal/puremetal/ops/safetensors"
)

func TestGeneratedFileHasTheLayoutOfTheGoldenData(t *testing.T) {
	var out bytes.Buffer
	err := golden.Generate(&out, 1, golden.Case{B: 2, T: 3, Hg: 1, H: 2, K: 4, V: 5, InitialState: true, Decay: 0.1},
		golden.Case{B: 1, T: 1, Hg: 1, H: 1, K: 2, V: 2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Parse(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range map[string][]int{
		"case0.q": {2, 3, 1, 4}, "case0.k": {2, 3, 1, 4}, "case0.v": {2, 3, 2, 5}, "case0.g": {2, 3, 2}, "case0.beta": {2, 3, 2},
		"case0.o": {2, 3, 2, 5}, "case0.initial_state": {2, 2, 4, 5}, "case0.final_state": {2, 2, 4, 5}, "case1.o": {1, 1, 1, 2},
	} {
		tensor, err := f.Tensor(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.Equal(tensor.Shape, shape) {
			t.Errorf("%s: got %v, want %v", name, tensor.Shape, shape)
		}
	}
	if _, err := f.Tensor("case1.initial_state"); err == nil {
		t.Error("case1 has an initial state, want none")
	}
}

func TestGenerateRejectsSizesThatAreNone(t *testing.T) {
	for _, c := range []golden.Case{{}, {B: 1, T: 1, Hg: 2, H: 3, K: 2, V: 2}, {B: 1, T: -1, Hg: 1, H: 1, K: 2, V: 2}} {
		if err := golden.Generate(&bytes.Buffer{}, 1, c); err == nil {
			t.Errorf("%+v: got no error", c)
		}
	}
}
