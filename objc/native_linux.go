//go:build objcnative

package objc

import "os"

// nativeLibraries is the stand-in for Apple's frameworks that this package's tests build on GCC's Objective-C runtime.
func nativeLibraries() []string { return []string{os.Getenv("PUREMETAL_OBJC_SHIM")} }
