package mtl_test

import (
	"context"
	"log"

	purego "github.com/ebitengine/purego/objc"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/objc"
)

// A program whose user interface speaks to Metal through purego/objc lends its device and a vertex buffer to compute work. With
// darwinkit the pointer is what its objects' Ptr method gives: mtl.DeviceFromID(objc.ID(uintptr(device.Ptr()))).
func ExampleDeviceFromID() {
	var layer, vertices purego.ID // a CAMetalLayer and an id<MTLBuffer> of the user interface, which keeps them

	device, err := mtl.DeviceFromID(objc.ID(layer.Send(purego.RegisterName("device"))))
	if err != nil {
		log.Fatal(err)
	}
	defer device.Release() // this package's reference; the layer has its own
	buffer, err := device.BufferFromID(objc.ID(vertices))
	if err != nil {
		log.Fatal(err)
	}
	defer buffer.Release()
	queue, err := device.NewCommandQueue()
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()
	if err := queue.Run(context.Background(), func(e *mtl.ComputeCommandEncoder) error {
		e.SetBuffer(buffer, 0, 0)
		// ...
		return nil
	}); err != nil {
		log.Fatal(err)
	}
	// The other way: who keeps an object longer than its *mtl.Buffer retains it.
	kept := purego.ID(buffer.ID()).Send(purego.RegisterName("retain"))
	defer kept.Send(purego.RegisterName("release"))
}
