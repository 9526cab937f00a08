package ops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/shaders"
)

// Each probe copies out every field of an argument block, then its size.
const (
	probeGatedDelta = `
#include "gated_delta.h"
kernel void probe(constant GatedDeltaShape& s [[buffer(0)]], device float* out [[buffer(1)]])
{
    out[0] = s.tokens;
    out[1] = s.heads;
    out[2] = s.key_heads;
    out[3] = s.chunks;
    out[4] = s.scale;
    out[5] = sizeof(GatedDeltaShape);
    out[6] = chunk_size;
}
`
	probeL2Norm = `
#include "l2_norm.metal"
kernel void probe(constant L2NormShape& s [[buffer(0)]], device float* out [[buffer(1)]])
{
    out[0] = s.rows;
    out[1] = s.epsilon;
    out[2] = sizeof(L2NormShape);
}
`
)

func TestArgumentBlocksAreTheSameOnBothSides(t *testing.T) {
	delta := gatedDeltaShape{tokens: 2, heads: 3, keyHeads: 5, chunks: 7, scale: 11}
	norm := l2NormShape{rows: 13, epsilon: 17}
	checkProbe(t, probeGatedDelta, &delta, []float32{2, 3, 5, 7, 11, 20, ChunkSize})
	checkProbe(t, probeL2Norm, &norm, []float32{13, 17, 8})
}

// checkProbe runs a probe on an argument block and compares what it saw.
func checkProbe[T any](t *testing.T, probe string, block *T, want []float32) {
	t.Helper()
	files := fstest.MapFS{"probe.metal": {Data: []byte(probe)}}
	for _, name := range []string{"gated_delta.h", "l2_norm.metal"} {
		data, err := fs.ReadFile(shaders.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	dev, err := mtl.CreateSystemDefaultDevice()
	if errors.Is(err, mtl.ErrNoDevice) && os.Getenv("PUREMETAL_REQUIRE_GPU") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Release()
	reg, err := kernels.New(dev, files)
	if err != nil {
		t.Fatal(err)
	}
	defer reg.Release()
	queue, err := dev.NewCommandQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Release()
	out, err := dev.NewBuffer(4*len(want), mtl.StorageModeShared)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if err := queue.Run(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
		if err := use(enc, reg, kernels.Key{Name: "probe"}); err != nil {
			return err
		}
		mtl.SetValue(enc, block, 0)
		enc.SetBuffer(out, 0, 1)
		return dispatch(enc, mtl.Size{Width: 1, Height: 1, Depth: 1}, 1)
	}); err != nil {
		t.Fatal(err)
	}
	got, err := mtl.Contents[float32](out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d is %g, want %g", i, got[i], want[i])
		}
	}
}
