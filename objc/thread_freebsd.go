package objc

import (
	"syscall"
	"unsafe"
)

func threadID() int {
	var id int64
	// The kernel writes the id to id before the call returns, and keeps no pointer to it.
	syscall.RawSyscall(syscall.SYS_THR_SELF, uintptr(unsafe.Pointer(&id)), 0, 0)
	return int(id)
}
