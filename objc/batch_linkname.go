//go:build (darwin || objcnative) && !nolinkname

package objc

import "unsafe"

// batchStubAddress is the address of the stub; defined in assembly.
var batchStubAddress uintptr

// cgocall is how the runtime itself calls C: it tells the scheduler and switches to the system stack. The runtime keeps it for
// purego by name and signature; where that ever changes, the build tag nolinkname goes by purego instead, at twice the cost
// of a crossing.
//
//go:linkname cgocall runtime.cgocall
func cgocall(fn uintptr, argument unsafe.Pointer) int32

func callBatch(c *batchCall) { cgocall(batchStubAddress, unsafe.Pointer(c)) }
