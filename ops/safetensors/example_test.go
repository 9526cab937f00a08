package safetensors_test

import (
	"bytes"
	"fmt"

	"github.com/puremetal/puremetal/ops/safetensors"
)

func Example() {
	var file bytes.Buffer
	err := safetensors.Write(&file, map[string]string{"made by": "an example"}, []safetensors.Data{
		safetensors.Float32Data("bias", []float32{0.5, -0.5}, 2),
		safetensors.BFloat16Data("weight", []float32{1, 2, 3, 4}, 2, 2),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := safetensors.Parse(bytes.NewReader(file.Bytes()), int64(file.Len())) // or Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range f.Tensors() {
		values, err := t.Float32s()
		fmt.Println(t.Name, t.DType, t.Shape, values, err)
	}
	_, err = f.Tensor("gain")
	fmt.Println(err)
	// Output:
	// bias F32 [2] [0.5 -0.5] <nil>
	// weight BF16 [2 2] [1 2 3 4] <nil>
	// safetensors: tensor "gain": name: wanted this tensor, got a file of 2 tensors without it
}
