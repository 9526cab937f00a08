package mtl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/puremetal/puremetal/mtl"
)

// The device waits for the program, and the program for the device.
func ExampleSharedEvent() {
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
	buf, err := dev.NewBufferWithBytes([]byte("....abcd"), mtl.StorageModeShared)
	if err != nil {
		log.Fatal(err)
	}
	defer buf.Release()
	event, err := dev.NewSharedEvent()
	if err != nil {
		log.Fatal(err)
	}
	defer event.Release()

	cb, err := queue.NewCommandBuffer()
	if err != nil {
		log.Fatal(err)
	}
	defer cb.Release()
	if err := cb.EncodeWaitForEvent(event, 1); err != nil {
		log.Fatal(err)
	}
	blit, err := cb.NewBlitCommandEncoder()
	if err != nil {
		log.Fatal(err)
	}
	blit.CopyBuffer(buf, 4, buf, 0, 4)
	if err := errors.Join(blit.EndEncoding(), cb.EncodeSignalEvent(event, 2), cb.Commit()); err != nil {
		log.Fatal(err)
	}

	v, err := mtl.Contents[byte](buf)
	if err != nil {
		log.Fatal(err)
	}
	copy(v[4:], "wxyz") // the device has not begun
	if err := event.SetSignaledValue(1); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := event.Wait(ctx, 2); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", v)
	// Output: wxyzwxyz
}

// Two buffers that are not used at the same time lie over each other.
func ExampleHeap() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	need, err := dev.HeapBufferSizeAndAlign(1<<20, mtl.StorageModePrivate)
	if err != nil {
		log.Fatal(err)
	}
	heap, err := dev.NewHeap(&mtl.HeapDescriptor{Size: need.Size, Type: mtl.HeapTypePlacement, Options: mtl.StorageModePrivate})
	if err != nil {
		log.Fatal(err)
	}
	defer heap.Release()
	scores, err := heap.NewBufferAtOffset(1<<20, mtl.StorageModePrivate, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer scores.Release()
	hidden, err := heap.NewBufferAtOffset(1<<19, mtl.StorageModePrivate, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer hidden.Release()
	fmt.Println(scores.GPUAddress() == hidden.GPUAddress(), scores.HazardTracked())
	// Output: true false
}

// The error of a command buffer tells which encoder failed.
func ExampleCommandBufferDescriptor() {
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
	cb, err := queue.NewCommandBufferWithDescriptor(&mtl.CommandBufferDescriptor{
		Label:        "token 17",
		ErrorOptions: mtl.CommandBufferErrorOptionEncoderExecutionStatus,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer cb.Release()
	done := make(chan error, 1)
	if err := cb.AddCompletedHandler(func(err error) { done <- err }); err != nil {
		log.Fatal(err)
	}
	if err := cb.Commit(); err != nil {
		log.Fatal(err)
	}
	err = <-done
	var failed *mtl.CommandBufferError
	if errors.As(err, &failed) {
		for _, e := range failed.Encoders {
			fmt.Println(e.Label, e.ErrorState, e.DebugSignposts)
		}
	}
	fmt.Println(err)
	// Output: <nil>
}

// A kernel is chosen by what the device can do, not by what it says.
func ExampleDevice_Probe() {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Release()
	matrices, err := dev.Probe(context.Background(), mtl.FeatureSimdgroupMatrix)
	if err != nil {
		log.Fatal(err)
	}
	kernel := "matmul_scalar"
	if matrices {
		kernel = "matmul_simdgroup"
	}
	fmt.Println(kernel) // depends on the device
}
