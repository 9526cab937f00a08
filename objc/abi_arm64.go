//go:build darwin || objcnative

package objc

const (
	hostABI          = aapcs
	hostIntRegisters = 8
)
