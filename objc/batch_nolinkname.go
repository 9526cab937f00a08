//go:build (darwin || objcnative) && nolinkname

package objc

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// batchStubAddress is the address of the stub; defined in assembly.
var batchStubAddress uintptr

func callBatch(c *batchCall) {
	m := msgs.Get().(*Msg)
	m.frame[0] = uintptr(unsafe.Pointer(c))
	purego.SyscallN(batchStubAddress, m.frame[:1]...)
	msgs.Put(m)
}
