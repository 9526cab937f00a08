package mtl

import "strconv"

//go:generate go run ./internal/abi/gen

// What the options of a buffer can be made of.
const (
	storageModes    ResourceOptions = 0xf0
	hazardModes     ResourceOptions = 0x300
	resourceOptions                 = StorageModePrivate | CPUCacheModeWriteCombined | hazardModes
)

// String names the storage mode and what else is set.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresourceoptions
func (o ResourceOptions) String() string {
	s := "StorageModeShared"
	if o&storageModes == StorageModePrivate {
		s = "StorageModePrivate"
	} else if o&storageModes != 0 {
		s = "StorageMode(" + strconv.Itoa(int(o&storageModes>>4)) + ")"
	}
	if o&CPUCacheModeWriteCombined != 0 {
		s += "|CPUCacheModeWriteCombined"
	}
	if o&HazardTrackingModeUntracked != 0 {
		s += "|HazardTrackingModeUntracked"
	}
	if o&HazardTrackingModeTracked != 0 {
		s += "|HazardTrackingModeTracked"
	}
	return s
}

// String gives "3.1" and its like.
//
// Reference: https://developer.apple.com/documentation/metal/mtllanguageversion
func (v LanguageVersion) String() string {
	return strconv.Itoa(int(v>>16)) + "." + strconv.Itoa(int(v&0xffff))
}

// String names the type.
//
// Reference: https://developer.apple.com/documentation/metal/mtldispatchtype
func (t DispatchType) String() string {
	switch t {
	case DispatchTypeSerial:
		return "DispatchTypeSerial"
	case DispatchTypeConcurrent:
		return "DispatchTypeConcurrent"
	}
	return "DispatchType(" + strconv.Itoa(int(t)) + ")"
}

var commandBufferStatuses = [...]string{"not enqueued", "enqueued", "committed", "scheduled", "completed", "error"}

// String names the status.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbufferstatus
func (s CommandBufferStatus) String() string {
	if s < CommandBufferStatus(len(commandBufferStatuses)) {
		return commandBufferStatuses[s]
	}
	return "CommandBufferStatus(" + strconv.Itoa(int(s)) + ")"
}

var commandBufferErrors = map[CommandBufferErrorCode]string{
	CommandBufferErrorNone:            "none",
	CommandBufferErrorInternal:        "internal",
	CommandBufferErrorTimeout:         "timeout",
	CommandBufferErrorPageFault:       "page fault",
	CommandBufferErrorAccessRevoked:   "access revoked",
	CommandBufferErrorNotPermitted:    "not permitted",
	CommandBufferErrorOutOfMemory:     "out of memory",
	CommandBufferErrorInvalidResource: "invalid resource",
	CommandBufferErrorMemoryless:      "memoryless",
	CommandBufferErrorDeviceRemoved:   "device removed",
	CommandBufferErrorStackOverflow:   "stack overflow",
}

// String names the reason.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffererror/code
func (c CommandBufferErrorCode) String() string {
	if s, ok := commandBufferErrors[c]; ok {
		return s
	}
	return "CommandBufferErrorCode(" + strconv.Itoa(int(c)) + ")"
}

// Size is the extent of a grid or of a threadgroup, in threads or threadgroups.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsize
type Size struct{ Width, Height, Depth int }

// String gives "width x height x depth".
//
// Reference: https://developer.apple.com/documentation/metal/mtlsize
func (s Size) String() string {
	return strconv.Itoa(s.Width) + "x" + strconv.Itoa(s.Height) + "x" + strconv.Itoa(s.Depth)
}
