package main

import (
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl"
)

func TestSumsAreRightAndEverythingIsReleased(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	if want := "1000 sums, the last is 999 + 1998 = 2997\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %q, want it to end in %q", out.String(), want)
	}
	if n := mtl.LiveObjects(); n != 0 {
		t.Errorf("%d live objects, want 0", n)
	}
}
