package mtl_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/puremetal/puremetal/mtl"
)

// Two tensors of a file are loaded into the buffers that kernels will read.
func ExampleIOCommandQueue_Run() {
	path := filepath.Join(os.TempDir(), "puremetal-example-weights")
	if err := os.WriteFile(path, []byte("header: weights, biases"), 0o644); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)

	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	queue, err := dev.NewIOCommandQueue(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	file, err := dev.NewIOFileHandle(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Release()
	weights, err := dev.NewBuffer(7, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer weights.Release()
	biases, err := dev.NewBuffer(6, mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer biases.Release()

	err = queue.Run(context.Background(), func(c *mtl.IOCommandBuffer) error {
		c.LoadBuffer(weights, 0, 7, file, 8)
		c.LoadBuffer(biases, 0, 6, file, 17)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	w, err := mtl.Contents[byte](weights)
	if err != nil {
		log.Fatal(err)
	}
	b, err := mtl.Contents[byte](biases)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s and %s\n", w, b)
	// Output: weights and biases
}
