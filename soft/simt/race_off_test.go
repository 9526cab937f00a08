//go:build !race

package simt

const raceDetector = false
