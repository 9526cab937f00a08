package ops_test

import (
	"context"
	"fmt"
	"log"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/shaders"
)

// One token whose key and query are the first unit vector: the state takes up its value, and the output is that value.
func ExampleChunkGatedDeltaRule() {
	device, err := testDevice() // elsewhere: mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Release()
	queue, err := device.NewCommandQueue()
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	registry, err := kernels.New(device, shaders.Files)
	if err != nil {
		log.Fatal(err)
	}
	defer registry.Release()

	// One buffer holds all tensors; a new buffer is zero.
	buffer, err := device.NewBuffer(4096, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer buffer.Release()
	next := 0
	tensor := func(dtype ops.DType, shape ...int) ops.Tensor {
		x := ops.Tensor{Buffer: buffer, Offset: next, DType: dtype, Shape: shape}
		size, err := x.ByteSize()
		if err != nil {
			log.Fatal(err)
		}
		next += size
		return x
	}
	op := ops.ChunkGatedDeltaRule{
		Q: tensor(ops.BF16, 1, 1, 1, 64), K: tensor(ops.BF16, 1, 1, 1, 64), V: tensor(ops.BF16, 1, 1, 1, 32),
		G: tensor(ops.F32, 1, 1, 1), Beta: tensor(ops.F32, 1, 1, 1),
		Out: tensor(ops.F32, 1, 1, 1, 32), Scale: 1,
	}
	const bf16One, bf16Three = 0x3f80, 0x4040
	halves, err := mtl.Contents[uint16](buffer)
	if err != nil {
		log.Fatal(err)
	}
	floats, err := mtl.Contents[float32](buffer)
	if err != nil {
		log.Fatal(err)
	}
	halves[op.Q.Offset/2] = bf16One
	halves[op.K.Offset/2] = bf16One
	halves[op.V.Offset/2+5] = bf16Three
	floats[op.Beta.Offset/4] = 0.5

	if err := queue.Run(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
		return op.Encode(enc, registry)
	}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(floats[op.Out.Offset/4:][:8])
	// Output: [0 0 0 0 0 1.5 0 0]
}
