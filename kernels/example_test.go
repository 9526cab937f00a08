package kernels_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
)

func ExampleRegistry() {
	sources := fstest.MapFS{ // usually an embed.FS
		"scale.metal": {Data: []byte(`
#include "factor.h"
kernel void scale(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= factor; }
`)},
		"factor.h": {Data: []byte("#pragma once\nconstant float factor [[function_constant(0)]];\n")},
	}
	device, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Release()
	registry, err := kernels.New(device, sources)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer registry.Release()

	key := kernels.Key{Name: "scale", Constants: kernels.ConstantList{mtl.ConstantFloat32(0, 2.5)}}
	for range 2 { // compiled once
		pipeline, err := registry.Pipeline(context.Background(), key)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(pipeline.State.Label())
	}
	// Output:
	// scale[0=2.5]
	// scale[0=2.5]
}
