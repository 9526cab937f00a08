//go:build !race

package objc

const poolsKeepRecords = true
