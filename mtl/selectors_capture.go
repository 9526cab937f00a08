package mtl

import "github.com/puremetal/puremetal/objc"

// What is sent to capture work, and to keep memory resident.
var (
	// MTLCaptureManager, MTLCaptureDescriptor
	selSharedCaptureManager = objc.Sel("sharedCaptureManager", "@@:")
	selSupportsDestination  = objc.Sel("supportsDestination:", "B@:q")
	selStartCapture         = objc.Sel("startCaptureWithDescriptor:error:", "B@:@^@")
	selStopCapture          = objc.Sel("stopCapture", "v@:")
	selSetCaptureObject     = objc.Sel("setCaptureObject:", "v@:@")
	selSetDestination       = objc.Sel("setDestination:", "v@:q")
	selSetOutputURL         = objc.Sel("setOutputURL:", "v@:@")

	// MTLDevice, MTLResidencySetDescriptor, MTLResidencySet
	selNewResidencySet      = objc.Sel("newResidencySetWithDescriptor:error:", "@@:@^@")
	selSetInitialCapacity   = objc.Sel("setInitialCapacity:", "v@:Q")
	selRequestResidency     = objc.Sel("requestResidency", "v@:")
	selEndResidency         = objc.Sel("endResidency", "v@:")
	selAddAllocations       = objc.Sel("addAllocations:count:", "v@:r^@Q")
	selRemoveAllocations    = objc.Sel("removeAllocations:count:", "v@:r^@Q")
	selRemoveAllAllocations = objc.Sel("removeAllAllocations", "v@:")
	selContainsAllocation   = objc.Sel("containsAllocation:", "B@:@")
	selAllocationCount      = objc.Sel("allocationCount", "Q@:")

	// MTLCommandQueue
	selAddResidencySet    = objc.Sel("addResidencySet:", "v@:@")
	selRemoveResidencySet = objc.Sel("removeResidencySet:", "v@:@")
)
