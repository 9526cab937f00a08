// Package conformance holds the language tests of the software Metal device: shader texts in testdata, compiled by soft/msl,
// run by soft/simt with every check on, and compared with results computed in Go from the definition of the language. It owns
// no code that runs outside tests.
package conformance
