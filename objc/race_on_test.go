//go:build race

package objc

// The race detector makes sync.Pool drop records at random.
const poolsKeepRecords = false
