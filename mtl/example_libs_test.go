package mtl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/puremetal/puremetal/mtl"
)

// A list of dispatches is encoded once and run as often as wanted.
func ExampleDevice_NewIndirectCommandBuffer() {
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Release()
	library, err := device.NewLibraryWithSource(`kernel void twice(device uint *v [[buffer(0)]], uint i [[thread_position_in_grid]]) { v[i] *= 2; }`, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer library.Release()
	function, err := library.NewFunction("twice")
	if err != nil {
		log.Fatal(err)
	}
	defer function.Release()
	pipeline, err := device.NewComputePipelineState(&mtl.ComputePipelineDescriptor{ComputeFunction: function, SupportIndirectCommandBuffers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer pipeline.Release()
	values, err := device.NewBufferWithBytes([]byte{3, 0, 0, 0, 5, 0, 0, 0}, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer values.Release()

	commands, err := device.NewIndirectCommandBuffer(&mtl.IndirectCommandBufferDescriptor{
		CommandTypes: mtl.IndirectCommandTypeConcurrentDispatchThreads, MaxKernelBufferBindCount: 1,
	}, 2, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer commands.Release()
	for i := range commands.Size() {
		err := commands.Encode(i, func(c *mtl.IndirectComputeCommand) error {
			c.SetComputePipelineState(pipeline)
			c.SetKernelBuffer(values, 0, 0)
			c.ConcurrentDispatchThreads(mtl.Size{Width: 2, Height: 1, Depth: 1}, mtl.Size{Width: 2, Height: 1, Depth: 1})
			c.SetBarrier() // the second doubles what the first wrote
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	queue, err := device.NewCommandQueue()
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	err = queue.Run(context.Background(), func(e *mtl.ComputeCommandEncoder) error {
		e.ExecuteCommands(commands, 0, 2)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	numbers, err := mtl.Contents[uint32](values)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(numbers)
	// Output: [12 20]
}

// What a kernel wants to be bound is told by its pipeline.
func ExampleDevice_NewComputePipelineStateWithReflection() {
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Release()
	library, err := device.NewLibraryWithSource(`kernel void scale(device float *v [[buffer(0)]], constant float &by [[buffer(3)]],
		uint i [[thread_position_in_grid]]) { v[i] *= by; }`, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer library.Release()
	function, err := library.NewFunction("scale")
	if err != nil {
		log.Fatal(err)
	}
	defer function.Release()
	pipeline, bindings, err := device.NewComputePipelineStateWithReflection(&mtl.ComputePipelineDescriptor{ComputeFunction: function})
	if err != nil {
		log.Fatal(err)
	}
	defer pipeline.Release()
	for _, b := range bindings {
		fmt.Printf("[[buffer(%d)]] %s: %d bytes an element, written: %t\n", b.Index, b.Name, b.BufferDataSize, b.Access != mtl.BindingAccessReadOnly)
	}
	// Output:
	// [[buffer(0)]] v: 4 bytes an element, written: true
	// [[buffer(3)]] by: 4 bytes an element, written: false
}
