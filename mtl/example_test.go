package mtl_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/puremetal/puremetal/mtl"
)

const source = `
kernel void scale(device float *v [[buffer(0)]], constant float &by [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    v[i] *= by;
}
`

// A kernel from text to result: what every program does.
func Example() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	queue, err := dev.NewCommandQueue()
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	lib, err := dev.NewLibraryWithSource(source, nil)
	if err != nil {
		log.Fatal(err) // names line and column
	}
	defer lib.Release()
	fn, err := lib.NewFunction("scale")
	if err != nil {
		log.Fatal(err)
	}
	defer fn.Release()
	pipeline, err := dev.NewComputePipelineState(&mtl.ComputePipelineDescriptor{ComputeFunction: fn, Label: "scale"})
	if err != nil {
		log.Fatal(err)
	}
	defer pipeline.Release()
	buf, err := dev.NewBuffer(4*4, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer buf.Release()
	v, err := mtl.Contents[float32](buf)
	if err != nil {
		log.Fatal(err)
	}
	copy(v, []float32{1, 2, 3, 4})

	err = queue.Run(context.Background(), func(e *mtl.ComputeCommandEncoder) error {
		by := float32(10)
		e.SetComputePipelineState(pipeline)
		e.SetBuffer(buf, 0, 0)
		mtl.SetValue(e, &by, 1)
		e.DispatchThreads(mtl.Size{Width: len(v), Height: 1, Depth: 1}, mtl.Size{Width: 32, Height: 1, Depth: 1})
		return nil // the encoder keeps its first error for Run
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v)
	// Output: [10 20 30 40]
}

// The parts of Run, for programs that go on while the device works.
func ExampleCommandBuffer() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	queue, err := dev.NewCommandQueue()
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	buf, err := dev.NewBuffer(8, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer buf.Release()

	cb, err := queue.NewCommandBuffer()
	if err != nil {
		log.Fatal(err)
	}
	defer cb.Release()
	blit, err := cb.NewBlitCommandEncoder()
	if err != nil {
		log.Fatal(err)
	}
	blit.FillBuffer(buf, 4, 4, 0x2a)
	if err := errors.Join(blit.EndEncoding(), cb.Commit()); err != nil {
		log.Fatal(err)
	}
	// ... something else meanwhile ...
	if err := cb.WaitUntilCompleted(); err != nil {
		log.Fatal(err)
	}
	v, err := mtl.Contents[uint32](buf)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%#x, %s\n", v, cb.Status())
	// Output: [0x0 0x2a2a2a2a], completed
}

// What Metal would stop the program for is an error.
func ExampleArgumentError() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	_, err = dev.NewBuffer(0, mtl.StorageModeShared)
	var argument *mtl.ArgumentError
	fmt.Println(errors.As(err, &argument), argument.Op, argument.Argument, argument.Got)
	// Output: true Device.NewBuffer length 0
}

// A compile error has positions.
func ExampleCompileError() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	_, err = dev.NewLibraryWithSource("kernel void k(device int *v [[buffer(0)]]) {\n  v[0] = nowhere;\n}\n", nil)
	var compile *mtl.CompileError
	if errors.As(err, &compile) {
		d := compile.Diagnostics[0]
		fmt.Println(d.File, d.Line, d.Column, d.Severity)
	}
	// Output: program_source 2 10 error
}
