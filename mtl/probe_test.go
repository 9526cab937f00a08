package mtl

import (
	"context"
	"testing"
)

func TestAProbeFindsWhatKernelsCanUse(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		for f := range features {
			for range 2 { // found, then kept
				has, err := d.Probe(context.Background(), f)
				if err != nil {
					t.Errorf("%s: %v", f, err)
				}
				t.Logf("%s: %v", f, has)
				if !has && d.IsSoftware() {
					t.Errorf("the software device does not have %s", f)
				}
			}
		}
	})
}
