//go:build never

package darwinkit

// go.mod requires the module for its text; nothing is linked.
import _ "github.com/progrium/darwinkit/macos/metal"
