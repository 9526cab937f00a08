package objc

// Exists reports whether a software object has not been deallocated; false for nil and for ids of another runtime.
func Exists(id ID) bool { return isSoftware(id) && objects.find(id) != nil }
