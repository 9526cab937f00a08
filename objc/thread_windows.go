package objc

import "syscall"

var getCurrentThreadID = syscall.NewLazyDLL("kernel32.dll").NewProc("GetCurrentThreadId")

func threadID() int {
	id, _, _ := getCurrentThreadID.Call()
	return int(id)
}
