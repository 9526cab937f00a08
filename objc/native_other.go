//go:build !darwin && !objcnative

package objc

//lint:file-ignore U1000 the native runtime uses these where there is one

import (
	"errors"
	"runtime"
)

// Where there is no Objective-C runtime no id is native, and the native parts of the records are empty.
type (
	nativeFrame    struct{}
	nativeSelector struct{}
)

// nativeBatch is never on.
type nativeBatch struct{ on bool }

func (*nativeBatch) choose(ID)                                             {}
func (*nativeBatch) add(*Batch, ID, SEL, *selector, []uintptr) bool        { return false }
func (*nativeBatch) addTo(*Batch, uintptr, SEL, *selector, []uintptr) bool { return false }
func (*nativeBatch) flush(*Batch) int                                      { return 0 }
func (*nativeBatch) sendOne(*record)                                       {}
func (*nativeBatch) result(*record) (r resultWords)                        { return r }

func (*record) clearNative() {}

// SetBatchTransport says whether batches of native messages cross from Go to C once, and gives what was set before. There is no
// native runtime here.
func SetBatchTransport(bool) bool { return false }

func loadNative() (implementation, error) {
	return nil, errors.New("objc: " + runtime.GOOS + " has no Objective-C runtime")
}

func sendNative(id ID, _ *Msg) {
	panic(&UnknownObject{id})
}
