//go:build race

package simt

const raceDetector = true
