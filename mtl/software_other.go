//go:build !darwin

package mtl

// Without Metal the software device is the default device.
import _ "github.com/puremetal/puremetal/soft"
