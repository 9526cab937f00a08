package objc

// WebAssembly has one thread.
func threadID() int { return 1 }
