package mtl

import "strconv"

// ResourceOptions choose how a resource is stored. Combine a storage mode with hazard tracking and cache modes by |.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresourceoptions
type ResourceOptions uint

const (
	StorageModeShared  ResourceOptions = 0  // memory that CPU and GPU see
	StorageModePrivate ResourceOptions = 32 // memory that only the GPU sees

	CPUCacheModeDefault       ResourceOptions = 0
	CPUCacheModeWriteCombined ResourceOptions = 1 // for memory that the CPU writes and never reads

	HazardTrackingModeDefault   ResourceOptions = 0   // tracked, for buffers made by a device
	HazardTrackingModeUntracked ResourceOptions = 256 // the program orders the encoders that use the buffer
	HazardTrackingModeTracked   ResourceOptions = 512

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

// GPUFamily is a set of features that GPUs have in common.
//
// Reference: https://developer.apple.com/documentation/metal/mtlgpufamily
type GPUFamily int

const (
	GPUFamilyApple1  GPUFamily = 1001
	GPUFamilyApple2  GPUFamily = 1002
	GPUFamilyApple3  GPUFamily = 1003
	GPUFamilyApple4  GPUFamily = 1004
	GPUFamilyApple5  GPUFamily = 1005
	GPUFamilyApple6  GPUFamily = 1006
	GPUFamilyApple7  GPUFamily = 1007 // M1
	GPUFamilyApple8  GPUFamily = 1008 // M2
	GPUFamilyApple9  GPUFamily = 1009 // M3, M4
	GPUFamilyApple10 GPUFamily = 1010 // M5
	GPUFamilyMac2    GPUFamily = 2002
	GPUFamilyCommon1 GPUFamily = 3001
	GPUFamilyCommon2 GPUFamily = 3002
	GPUFamilyCommon3 GPUFamily = 3003
	GPUFamilyMetal3  GPUFamily = 5001
	GPUFamilyMetal4  GPUFamily = 5002
)

// LanguageVersion is a version of the Metal Shading Language.
//
// Reference: https://developer.apple.com/documentation/metal/mtllanguageversion
type LanguageVersion uint

const (
	LanguageVersion2_4 LanguageVersion = 131076
	LanguageVersion3_0 LanguageVersion = 196608
	LanguageVersion3_1 LanguageVersion = 196609 // macOS 14; the default of CompileOptions
	LanguageVersion3_2 LanguageVersion = 196610 // macOS 15
	LanguageVersion4_0 LanguageVersion = 262144 // macOS 26
)

// String gives "3.1" and its like.
//
// Reference: https://developer.apple.com/documentation/metal/mtllanguageversion
func (v LanguageVersion) String() string {
	return strconv.Itoa(int(v>>16)) + "." + strconv.Itoa(int(v&0xffff))
}

// MathMode says how freely the compiler may treat floating point.
//
// Reference: https://developer.apple.com/documentation/metal/mtlmathmode
type MathMode int

const (
	MathModeSafe    MathMode = 0 // IEEE-754; the default of CompileOptions
	MathModeRelaxed MathMode = 1 // transformations that change results, but infinities and NaNs hold
	MathModeFast    MathMode = 2 // no infinities and NaNs either
)

// DispatchType says whether the dispatches of an encoder may overlap.
//
// Reference: https://developer.apple.com/documentation/metal/mtldispatchtype
type DispatchType uint

const (
	DispatchTypeSerial     DispatchType = 0 // each dispatch sees what those before it wrote
	DispatchTypeConcurrent DispatchType = 1 // dispatches may overlap; order them with MemoryBarrier
)

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

// BarrierScope says which resources a memory barrier orders.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbarrierscope
type BarrierScope uint

const (
	BarrierScopeBuffers BarrierScope = 1
)

// CommandBufferStatus is how far a command buffer has come.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbufferstatus
type CommandBufferStatus uint

const (
	CommandBufferStatusNotEnqueued CommandBufferStatus = 0
	CommandBufferStatusEnqueued    CommandBufferStatus = 1
	CommandBufferStatusCommitted   CommandBufferStatus = 2
	CommandBufferStatusScheduled   CommandBufferStatus = 3
	CommandBufferStatusCompleted   CommandBufferStatus = 4
	CommandBufferStatusError       CommandBufferStatus = 5
)

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

// CommandBufferErrorCode is the reason for which a command buffer failed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcommandbuffererror/code
type CommandBufferErrorCode int

const (
	CommandBufferErrorNone            CommandBufferErrorCode = 0
	CommandBufferErrorInternal        CommandBufferErrorCode = 1
	CommandBufferErrorTimeout         CommandBufferErrorCode = 2
	CommandBufferErrorPageFault       CommandBufferErrorCode = 3
	CommandBufferErrorAccessRevoked   CommandBufferErrorCode = 4
	CommandBufferErrorNotPermitted    CommandBufferErrorCode = 7
	CommandBufferErrorOutOfMemory     CommandBufferErrorCode = 8
	CommandBufferErrorInvalidResource CommandBufferErrorCode = 9
	CommandBufferErrorMemoryless      CommandBufferErrorCode = 10
	CommandBufferErrorDeviceRemoved   CommandBufferErrorCode = 11
	CommandBufferErrorStackOverflow   CommandBufferErrorCode = 12
)

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
