package mtl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

var (
	// ErrNoDevice says that there is no Metal device.
	//
	// Reference: https://developer.apple.com/documentation/metal/mtlcreatesystemdefaultdevice()
	ErrNoDevice = errors.New("mtl: no Metal device")
	// ErrUnsupported says that the device or its system cannot do what was asked.
	//
	// Reference: https://developer.apple.com/documentation/metal/mtldevice/supportsfamily(_:)
	ErrUnsupported = errors.New("mtl: not supported by this device")
	// ErrReleased says that an object was used after its Release.
	//
	// Reference: https://developer.apple.com/documentation/objectivec/nsobject-swift.class
	ErrReleased = errors.New("mtl: object has been released")
	// ErrOutOfMemory says that the device could not make an object for want of memory.
	//
	// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffererror/outofmemory
	ErrOutOfMemory = errors.New("mtl: out of memory")
)

// ArgumentError is an argument, or a state of an object, that Metal would assert on. Nothing has been sent to the device.
//
// Reference: https://developer.apple.com/documentation/xcode/validating-your-apps-metal-api-usage
type ArgumentError struct {
	Op       string // "ComputeCommandEncoder.SetBuffer"
	Argument string // "index"
	Wanted   string // "0 to 30"
	Got      string // "31"
	Err      error  // ErrReleased, or nil
}

// Error names operation, argument, what was wanted and what came.
//
// Reference: https://developer.apple.com/documentation/xcode/validating-your-apps-metal-api-usage
func (e *ArgumentError) Error() string {
	return "mtl: " + e.Op + ": " + e.Argument + ": wanted " + e.Wanted + ", got " + e.Got
}

// Unwrap gives ErrReleased where that is the reason.
//
// Reference: https://developer.apple.com/documentation/xcode/validating-your-apps-metal-api-usage
func (e *ArgumentError) Unwrap() error { return e.Err }

func argument(op, arg, wanted, got string) *ArgumentError {
	return &ArgumentError{Op: op, Argument: arg, Wanted: wanted, Got: got}
}

func intArgument(op, arg, wanted string, got int) *ArgumentError {
	return argument(op, arg, wanted, strconv.Itoa(got))
}

func releasedArgument(op, arg string) *ArgumentError {
	return &ArgumentError{Op: op, Argument: arg, Wanted: "a live object", Got: "a released one", Err: ErrReleased}
}

// CompileError is shader text that did not compile, or a function that could not be specialised or made a pipeline.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
type CompileError struct {
	Op          string // "Device.NewLibraryWithSource"
	Domain      string // of the NSError: MTLLibraryErrorDomain, or the driver's
	Code        int
	Text        string // the compiler's whole text
	Diagnostics []Diagnostic
}

// Error gives the compiler's whole text.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct
func (e *CompileError) Error() string { return "mtl: " + e.Op + ": " + e.Text }

func compileError(op string, e *objc.Error) *CompileError {
	if e == nil {
		return &CompileError{Op: op, Text: "failed without an error"}
	}
	return &CompileError{Op: op, Domain: e.Domain, Code: e.Code, Text: e.Description, Diagnostics: parseDiagnostics(e.Description)}
}

// FunctionNotFoundError says that a library has no function of a name.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct/functionnotfound
type FunctionNotFoundError struct {
	Name      string
	Available []string // the names that the library has
}

// Error names the function and those that there are.
//
// Reference: https://developer.apple.com/documentation/metal/mtllibraryerror-swift.struct/functionnotfound
func (e *FunctionNotFoundError) Error() string {
	return fmt.Sprintf("mtl: no function %q in the library, which has %q", e.Name, e.Available)
}

// CommandBufferError is work that was committed and failed on the device. The contents of the buffers that it writes are
// undefined.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffererror
type CommandBufferError struct {
	Code        CommandBufferErrorCode
	Domain      string
	Description string // the device's words; the software device names kernel, position, thread and buffer
	Label       string // of the command buffer

	// Encoders are the command buffer's encoders in order, if its descriptor asked for their execution status.
	Encoders []CommandBufferEncoderInfo
}

// Error gives the label, the device's words and the code.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffererror
func (e *CommandBufferError) Error() string {
	label := ""
	if e.Label != "" {
		label = strconv.Quote(e.Label) + ": "
	}
	return fmt.Sprintf("mtl: command buffer: %s%s (%s, %s %d)", label, e.Description, e.Code, e.Domain, int(e.Code))
}
