package mtl

import (
	"os"
	"testing"
)

// On a runner that is meant to have a GPU the tests must not pass by running on the software device.
func TestThereIsAGPUWhereOneIsRequired(t *testing.T) {
	if os.Getenv("PUREMETAL_REQUIRE_GPU") != "1" {
		return
	}
	d, err := CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Release()
	if d.IsSoftware() {
		t.Errorf("PUREMETAL_REQUIRE_GPU=1, and the default device is %q", d.Name())
	}
}
