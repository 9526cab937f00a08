package mtl

import (
	"errors"
	"fmt"
	"testing"
)

func TestTheLanguageVersionIsOneThatTheSystemKnows(t *testing.T) {
	wakeSoftware()
	for _, c := range []struct {
		system string
		asked  LanguageVersion
		want   int // __METAL_VERSION__; 0: ErrUnsupported
	}{
		{"13.0", 0, 300}, {"14.0", 0, 310}, {"15.0", 0, 310},
		{"13.0", LanguageVersion2_4, 240}, {"13.0", LanguageVersion3_1, 0}, {"14.0", LanguageVersion3_1, 310},
		{"14.0", LanguageVersion3_2, 0}, {"15.0", LanguageVersion3_2, 320}, {"15.0", LanguageVersion4_0, 0},
	} {
		err := play(t, newRecorder(t), c.system, func(t *testing.T, d *Device) error {
			text := fmt.Sprintf("kernel void k(device int* x [[buffer(0)]]) { static_assert(__METAL_VERSION__ == %d, \"\"); }", c.want)
			l, err := d.NewLibraryWithSource(text, &CompileOptions{LanguageVersion: c.asked})
			if err == nil {
				l.Release()
			}
			return err
		})
		if c.want == 0 && !errors.Is(err, ErrUnsupported) || c.want != 0 && err != nil {
			t.Errorf("macOS %s, %v asked for: %v, want __METAL_VERSION__ %d", c.system, c.asked, err, c.want)
		}
	}
}
