// Package objc sends Objective-C messages. It is the only package that knows selectors, object ids, autorelease pools, the
// C calling conventions and purego; it knows nothing of Metal.
//
// A message is logical: a selector with its declared type encoding, a receiver, and argument words in order. Two runtimes
// take such messages behind one record, [Msg]: the native one (libobjc, on macOS) and the software one, whose classes are Go
// tables from selector to method. An id tells which runtime it belongs to, so both can live in one process. A [Batch] is a list
// of messages that are sent together.
//
// Argument words: an integer, a pointer, an id or a BOOL is one word; a float is math.Float32bits, a double
// math.Float64bits; a struct is its memory image in 8-byte words (MTLSize 3, NSRange 2, MTLRegion 6); a SEL argument is the
// SEL of this package. How words become registers, stack words and copies is the native runtime's private business.
//
// Memory: an address among the words must be of heap or C memory, and the caller keeps it alive until Send returns
// (runtime.KeepAlive). [Msg.Bytes] and its kin copy into memory that the record owns instead.
//
// Ownership is Objective-C's: alloc, new and copy return an object that the caller releases; everything else is
// autoreleased, so it needs a pool around it ([Runtime.Pool]) and a retain if it is to outlive that pool.
//
// The native path is tested on Linux against GCC's Objective-C runtime, with the build tag objcnative; see
// native_shim_test.go. Without that tag, and on other systems than macOS, nothing of it nor of purego is linked.
package objc
