// Vectoradd adds two vectors on the default Metal device: the GPU on a Mac, the software device elsewhere. It is the
// smallest complete program.
//
//	go run ./examples/vectoradd
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/puremetal/puremetal/mtl"
)

const source = `
#include <metal_stdlib>
using namespace metal;

kernel void vector_add(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    device float* sum [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    sum[i] = a[i] + b[i];
}
`

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "vectoradd:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		return err
	}
	defer device.Release()
	pipeline, err := newPipeline(device, "vector_add")
	if err != nil {
		return err
	}
	defer pipeline.Release()
	queue, err := device.NewCommandQueue()
	if err != nil {
		return err
	}
	defer queue.Release()

	const n = 1000
	var buffers [3]*mtl.Buffer
	var vectors [3][]float32
	for i := range buffers {
		if buffers[i], err = device.NewBuffer(n*4, mtl.StorageModeShared); err != nil {
			return err
		}
		defer buffers[i].Release()
		if vectors[i], err = mtl.Contents[float32](buffers[i]); err != nil {
			return err
		}
	}
	a, b, sum := vectors[0], vectors[1], vectors[2]
	for i := range n {
		a[i], b[i] = float32(i), float32(2*i)
	}

	err = queue.Run(context.Background(), func(e *mtl.ComputeCommandEncoder) error {
		e.SetComputePipelineState(pipeline)
		for i, buffer := range buffers {
			e.SetBuffer(buffer, 0, i)
		}
		e.DispatchThreads(mtl.Size{Width: n, Height: 1, Depth: 1}, mtl.Size{Width: 64, Height: 1, Depth: 1})
		return nil
	})
	if err != nil {
		return err
	}
	for i := range n {
		if sum[i] != a[i]+b[i] {
			return fmt.Errorf("sum[%d]: got %v, want %v", i, sum[i], a[i]+b[i])
		}
	}
	_, err = fmt.Fprintf(out, "%s: %d sums, the last is %v + %v = %v\n", device.Name(), n, a[n-1], b[n-1], sum[n-1])
	return err
}

// newPipeline compiles the source and makes a pipeline of one of its functions.
func newPipeline(device *mtl.Device, name string) (*mtl.ComputePipelineState, error) {
	library, err := device.NewLibraryWithSource(source, nil)
	if err != nil {
		return nil, err
	}
	defer library.Release()
	function, err := library.NewFunction(name)
	if err != nil {
		return nil, err
	}
	defer function.Release()
	return device.NewComputePipelineState(&mtl.ComputePipelineDescriptor{Label: name, ComputeFunction: function})
}
