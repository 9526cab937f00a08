package soft

import (
	"fmt"

	"github.com/puremetal/puremetal/objc"
)

// AssertionError is what a message that breaks Metal's rules panics with, as Metal's validation layer stops the program.
// Package mtl checks before it sends, so its callers do not meet one.
type AssertionError struct {
	Method string // "-[MTLComputeCommandEncoder setBytes:length:atIndex:]"
	Text   string
}

func (e *AssertionError) Error() string { return "soft: " + e.Method + ": failed assertion: " + e.Text }

func assertion(m *objc.Msg, class, format string, args ...any) {
	panic(&AssertionError{"-[" + class + " " + m.Selector().Name() + "]", fmt.Sprintf(format, args...)})
}

// stateOf gives the state of an argument object, which must be of the class that has T's.
func stateOf[T any](m *objc.Msg, class string, id objc.ID) T {
	if o := objc.ObjectOf(id); o != nil {
		if s, ok := o.State.(T); ok {
			return s
		}
	}
	assertion(m, class, "argument %#x is not a %T", uintptr(id), *new(T))
	panic("unreachable")
}

const (
	libraryErrorDomain       = "MTLLibraryErrorDomain"
	commandBufferErrorDomain = "MTLCommandBufferErrorDomain"
	binaryArchiveDomain      = "MTLBinaryArchiveDomain"
)

// MTLLibraryError
const (
	libraryErrorUnsupported      = 1
	libraryErrorInternal         = 2
	libraryErrorCompileFailure   = 3
	libraryErrorFunctionNotFound = 5
	libraryErrorFileNotFound     = 6
)

// MTLBinaryArchiveError
const (
	binaryArchiveErrorInvalidFile        = 1
	binaryArchiveErrorCompilationFailure = 3
)

// MTLCommandBufferError
const (
	commandBufferErrorInternal        = 1
	commandBufferErrorTimeout         = 2
	commandBufferErrorPageFault       = 3
	commandBufferErrorInvalidResource = 9
)

// storeError gives an NSError through argument word i, an NSError **.
func storeError(m *objc.Msg, i int, code int, text string) {
	storeErrorIn(m, i, libraryErrorDomain, code, text)
}

func storeErrorIn(m *objc.Msg, i int, domain string, code int, text string) {
	m.StoreID(i, objc.Autorelease(objc.NewError(domain, code, text)))
}

func init() {
	objc.Software().RegisterConstant(libraryErrorDomain, libraryErrorDomain)
	objc.Software().RegisterConstant(commandBufferErrorDomain, commandBufferErrorDomain)
	objc.Software().RegisterConstant(binaryArchiveDomain, binaryArchiveDomain)
}
