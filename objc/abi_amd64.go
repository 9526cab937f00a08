//go:build darwin || objcnative

package objc

const (
	hostABI          = sysv
	hostIntRegisters = 6
)
