package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// LogStateDescriptor says what of the messages that kernels log is kept. The zero value leaves both to Metal.
//
// Reference: https://developer.apple.com/documentation/metal/mtllogstatedescriptor
type LogStateDescriptor struct {
	Level      LogLevel // messages below it are dropped
	BufferSize int      // in bytes, of the memory that kernels log into; what does not fit is lost
}

// LogState collects what kernels log with os_log, which CompileOptions.EnableLogging has the compiler know. It works for the command
// buffers whose descriptor, or whose queue's, has it. It came with macOS 15, and the software device has none. It is safe for concurrent
// use.
//
// Reference: https://developer.apple.com/documentation/metal/mtllogstate
type LogState struct {
	handle
	device *Device
}

// LogMessage is a message that a kernel logged.
//
// Reference: https://developer.apple.com/documentation/metal/mtllogstate/addloghandler(_:)
type LogMessage struct {
	Subsystem, Category string // those of the kernel's os_log object, or ""
	Level               LogLevel
	Text                string
}

// NewLogState makes a log state; nil is the zero descriptor. It fails with an *ArgumentError, an *Error of Metal's, or ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makelogstate(descriptor:)
func (d *Device) NewLogState(desc *LogStateDescriptor) (*LogState, error) {
	const op = "Device.NewLogState"
	if desc == nil {
		desc = &LogStateDescriptor{}
	}
	if desc.Level < LogLevelUndefined || desc.Level > LogLevelFault {
		return nil, intArgument(op, "Level", "this package's constants", int(desc.Level))
	}
	if desc.BufferSize < 0 {
		return nil, intArgument(op, "BufferSize", "0 or more bytes", desc.BufferSize)
	}
	made, err := d.makes(op, selNewLogStateWithDescriptor, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newObject(d.runtime, "MTLLogStateDescriptor")
		defer objc.Release(o)
		if desc.Level != LogLevelUndefined {
			objc.Send(o, selSetLevel, uintptr(desc.Level))
		}
		if desc.BufferSize != 0 {
			objc.Send(o, selSetBufferSize, uintptr(desc.BufferSize))
		}
		made := objc.ID(m.Send(id, selNewLogStateWithDescriptor, uintptr(o), m.Out(0)))
		if made == 0 {
			return 0, failed(op, m.OutID(0))
		}
		return made, nil
	})
	if err != nil {
		return nil, err
	}
	s := &LogState{device: d}
	own(s, &s.handle, made, drop)
	return s, nil
}

// Release lets go of the log state. Queues and command buffers that have it keep it.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (s *LogState) Release() { s.release() }

// Device is the device that made the log state.
//
// Reference: https://developer.apple.com/documentation/metal/mtllogstate
func (s *LogState) Device() *Device { return s.device }

func (s *LogState) from() *Device { return s.device }

// AddLogHandler has f called with each message, in place of the system's log. f runs on a thread of the system's: it must not block, nor
// wait for the command buffer. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtllogstate/addloghandler(_:)
func (s *LogState) AddLogHandler(f func(LogMessage)) error {
	const op = "LogState.AddLogHandler"
	if f == nil {
		return argument(op, "function", "a function", "nil")
	}
	id := s.object()
	if id == 0 {
		return releasedArgument(op, "log state")
	}
	rt := s.device.runtime
	rt.Pool(func() {
		block := rt.NewBlock(4, func(args []objc.ID) {
			var message LogMessage
			rt.Pool(func() {
				message = LogMessage{objc.GoString(args[0]), objc.GoString(args[1]), LogLevel(args[2]), objc.GoString(args[3])}
			})
			f(message)
		})
		objc.Send(id, selAddLogHandler, uintptr(block))
		objc.Release(block)
	})
	runtime.KeepAlive(s)
	return nil
}

var logLevels = [...]string{"undefined", "debug", "info", "notice", "error", "fault"}

// String names the level.
//
// Reference: https://developer.apple.com/documentation/metal/mtlloglevel
func (l LogLevel) String() string {
	if l >= 0 && int(l) < len(logLevels) {
		return logLevels[l]
	}
	return "LogLevel(" + strconv.Itoa(int(l)) + ")"
}

// setLogState gives a descriptor a log state of its device; nil is left alone.
func setLogState(op string, d *Device, descriptor objc.ID, s *LogState) error {
	if s == nil {
		return nil
	}
	id, err := objectOf(op, "LogState", d, s)
	if err != nil {
		return err
	}
	if !objc.Responds(descriptor, selSetLogState) {
		return unsupported(op, "LogState")
	}
	objc.Send(descriptor, selSetLogState, uintptr(id))
	runtime.KeepAlive(s)
	return nil
}
