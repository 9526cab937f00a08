package objc

import "syscall"

func threadID() int { return syscall.Gettid() }
