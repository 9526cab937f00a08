package ops

import (
	"context"
	"testing"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"

	"io/fs"
	"testing/fstest"

	"github.com/puremetal/puremetal/shaders"
)

// probe.metal copies every field of the argument blocks out, and their sizes.
const probe = `
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

func TestArgumentBlockIsTheSameOnBothSides(t *testing.T) {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Release()
	header, err := fs.ReadFile(shaders.Files, "gated_delta.h")
	if err != nil {
		t.Fatal(err)
	}
	reg, err := kernels.New(dev, fstest.MapFS{"probe.metal": {Data: []byte(probe)}, "gated_delta.h": {Data: header}})
	if err != nil {
		t.Fatal(err)
	}
	defer reg.Release()
	queue, err := dev.NewCommandQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Release()
	out, err := dev.NewBuffer(7*4, mtl.StorageModeShared)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	shape := gatedDeltaShape{tokens: 2, heads: 3, keyHeads: 5, chunks: 7, scale: 11}
	if err := queue.Run(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
		if err := use(enc, reg, kernels.Key{Name: "probe"}); err != nil {
			return err
		}
		mtl.SetValue(enc, &shape, 0)
		enc.SetBuffer(out, 0, 1)
		return dispatch(enc, mtl.Size{Width: 1, Height: 1, Depth: 1}, 1)
	}); err != nil {
		t.Fatal(err)
	}
	got, err := mtl.Contents[float32](out)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{2, 3, 5, 7, 11, 20, ChunkSize} {
		if got[i] != want {
			t.Errorf("value %d is %g, want %g", i, got[i], want)
		}
	}
}
