package objc

import (
	"strings"
	"unsafe"
)

const wordSize = 8

// pointer makes an address that came as an argument word a pointer again. The callers' rule (package comment) makes it
// valid: the address is of heap or C memory that is kept alive while the message is being sent.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// View gives the n bytes at an address that a message brought, without copying. Valid while the method runs. Nil if the
// address is 0 or n is not positive.
func View(address uintptr, n int) []byte {
	if address == 0 || n <= 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(address)), n)
}

// ViewIDs is View for a C array of n objects.
func ViewIDs(address uintptr, n int) []ID {
	if address == 0 || n <= 0 {
		return nil
	}
	return unsafe.Slice((*ID)(pointer(address)), n)
}

// ViewUintptrs is View for a C array of n NSUIntegers, or of NSRanges as pairs.
func ViewUintptrs(address uintptr, n int) []uintptr {
	if address == 0 || n <= 0 {
		return nil
	}
	return unsafe.Slice((*uintptr)(pointer(address)), n)
}

// CString copies the NUL-terminated string at an address; "" if it is 0.
func CString(address uintptr) string {
	if address == 0 {
		return ""
	}
	p := (*byte)(pointer(address))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return strings.Clone(unsafe.String(p, n))
}

// idBytes views objects as the bytes of a C array.
func idBytes(ids []ID) []byte {
	if len(ids) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&ids[0])), len(ids)*wordSize)
}

// wordBytes views words as the bytes of a C array.
func wordBytes(words []uintptr) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*wordSize)
}
