package soft

import "github.com/puremetal/puremetal/objc"

// What the software device answers about captures, which it has none of, and residency sets.
var (
	selSharedCaptureManager = objc.Sel("sharedCaptureManager", "@@:")
	selSupportsDestination  = objc.Sel("supportsDestination:", "B@:q")
	selIsCapturing          = objc.Sel("isCapturing", "B@:")

	selNewResidencySet      = objc.Sel("newResidencySetWithDescriptor:error:", "@@:@^@")
	selInitialCapacity      = objc.Sel("initialCapacity", "Q@:")
	selSetInitialCapacity   = objc.Sel("setInitialCapacity:", "v@:Q")
	selRequestResidency     = objc.Sel("requestResidency", "v@:")
	selEndResidency         = objc.Sel("endResidency", "v@:")
	selAddAllocation        = objc.Sel("addAllocation:", "v@:@")
	selAddAllocations       = objc.Sel("addAllocations:count:", "v@:r^@Q")
	selRemoveAllocation     = objc.Sel("removeAllocation:", "v@:@")
	selRemoveAllocations    = objc.Sel("removeAllocations:count:", "v@:r^@Q")
	selRemoveAllAllocations = objc.Sel("removeAllAllocations", "v@:")
	selContainsAllocation   = objc.Sel("containsAllocation:", "B@:@")
	selAllocationCount      = objc.Sel("allocationCount", "Q@:")
	selAddResidencySet      = objc.Sel("addResidencySet:", "v@:@")
	selRemoveResidencySet   = objc.Sel("removeResidencySet:", "v@:@")
)
