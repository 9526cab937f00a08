//go:build !darwin && !objcnative

package objc

import (
	"errors"
	"runtime"
)

// Where there is no Objective-C runtime no id is native, and the native parts of the records are empty.
type (
	nativeFrame    struct{}
	nativeSelector struct{}
)

func loadNative() (implementation, error) {
	return nil, errors.New("objc: " + runtime.GOOS + " has no Objective-C runtime")
}

func sendNative(id ID, _ *Msg) {
	panic(&UnknownObject{id})
}
