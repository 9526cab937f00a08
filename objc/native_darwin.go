package objc

// nativeLibraries are what the native runtime consists of, in the order in which symbols are looked for.
func nativeLibraries() []string {
	return []string{
		"/usr/lib/libobjc.A.dylib",
		"/usr/lib/libSystem.B.dylib", // the blocks runtime
		"/System/Library/Frameworks/Foundation.framework/Foundation",
		"/System/Library/Frameworks/Metal.framework/Metal",
	}
}
