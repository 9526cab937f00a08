// Package darwinkit compares the table of package abi with a second source: the Metal bindings that github.com/progrium/darwinkit
// generates from Apple's documentation. It is a module of its own, so that users of this one never see darwinkit, and it only
// reads darwinkit's text, which needs cgo and macOS to run.
package darwinkit
