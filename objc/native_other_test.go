//go:build !darwin && !objcnative

package objc

import "testing"

func TestWithoutANativeRuntimeNoIDIsNative(t *testing.T) {
	if r, err := Native(); err == nil || r != (Runtime{}) {
		t.Error("there is a native runtime")
	}
	e := mustPanic[*UnknownObject](t, func() { Send(0x7f0000001000, selHash) })
	if e != nil && e.ID != 0x7f0000001000 {
		t.Errorf("panicked with %v", e)
	}
	if SetBatchTransport(true) || SetBatchTransport(false) {
		t.Error("the batch transport is on")
	}
}
