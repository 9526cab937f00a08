package mtl

import "github.com/puremetal/puremetal/objc"

// Messages about synchronisation, memory, and what a device can do.
var (
	selUserInfo     = objc.Sel("userInfo", "@@:")
	selObjectForKey = objc.Sel("objectForKey:", "@@:@")
	selLabel        = objc.Sel("label", "@@:")

	// MTLDevice
	selNewFence                 = objc.Sel("newFence", "@@:")
	selNewEvent                 = objc.Sel("newEvent", "@@:")
	selNewSharedEvent           = objc.Sel("newSharedEvent", "@@:")
	selNewHeapWithDescriptor    = objc.Sel("newHeapWithDescriptor:", "@@:@")
	selHeapBufferSizeAndAlign   = objc.Sel("heapBufferSizeAndAlignWithLength:options:", "{?=QQ}@:QQ")
	selArchitecture             = objc.Sel("architecture", "@@:")
	selIsLowPower               = objc.Sel("isLowPower", "B@:")
	selIsHeadless               = objc.Sel("isHeadless", "B@:")
	selIsRemovable              = objc.Sel("isRemovable", "B@:")
	selLocation                 = objc.Sel("location", "Q@:")
	selLocationNumber           = objc.Sel("locationNumber", "Q@:")
	selMaxTransferRate          = objc.Sel("maxTransferRate", "Q@:")
	selPeerGroupID              = objc.Sel("peerGroupID", "Q@:")
	selPeerIndex                = objc.Sel("peerIndex", "I@:")
	selPeerCount                = objc.Sel("peerCount", "I@:")
	selArgumentBuffersSupport   = objc.Sel("argumentBuffersSupport", "Q@:")
	selSupportsDynamicLibraries = objc.Sel("supportsDynamicLibraries", "B@:")
	selSupportsFunctionPointers = objc.Sel("supportsFunctionPointers", "B@:")
	selSupportsRaytracing       = objc.Sel("supportsRaytracing", "B@:")
	selSupportsCounterSampling  = objc.Sel("supportsCounterSampling:", "B@:Q")
	selMaxCompilationTasks      = objc.Sel("maximumConcurrentCompilationTaskCount", "Q@:")

	// MTLResource, MTLBuffer
	selSetPurgeableState     = objc.Sel("setPurgeableState:", "Q@:Q")
	selMakeAliasable         = objc.Sel("makeAliasable", "v@:")
	selIsAliasable           = objc.Sel("isAliasable", "B@:")
	selHeapOffset            = objc.Sel("heapOffset", "Q@:")
	selAllocatedSize         = objc.Sel("allocatedSize", "Q@:")
	selHazardTrackingMode    = objc.Sel("hazardTrackingMode", "Q@:")
	selAddDebugMarker        = objc.Sel("addDebugMarker:range:", "v@:@{_NSRange=QQ}")
	selRemoveAllDebugMarkers = objc.Sel("removeAllDebugMarkers", "v@:")

	// MTLHeapDescriptor, MTLHeap
	selSize                  = objc.Sel("size", "Q@:")
	selSetSize               = objc.Sel("setSize:", "v@:Q")
	selSetType               = objc.Sel("setType:", "v@:q")
	selSetResourceOptions    = objc.Sel("setResourceOptions:", "v@:Q")
	selUsedSize              = objc.Sel("usedSize", "Q@:")
	selMaxAvailableSize      = objc.Sel("maxAvailableSizeWithAlignment:", "Q@:Q")
	selNewBufferAtHeapOffset = objc.Sel("newBufferWithLength:options:offset:", "@@:QQQ")

	// MTLSharedEvent, MTLSharedEventListener
	selSignaledValue          = objc.Sel("signaledValue", "Q@:")
	selSetSignaledValue       = objc.Sel("setSignaledValue:", "v@:Q")
	selWaitUntilSignaledValue = objc.Sel("waitUntilSignaledValue:timeoutMS:", "B@:QQ")
	selNotifyListener         = objc.Sel("notifyListener:atValue:block:", "v@:@Q@?")
	selSharedListener         = objc.Sel("sharedListener", "@@:")

	// MTLCommandQueue, MTLCommandBufferDescriptor, MTLCommandBuffer, MTLCommandBufferEncoderInfo
	selCommandBufferWithDescriptor = objc.Sel("commandBufferWithDescriptor:", "@@:@")
	selRetainedReferences          = objc.Sel("retainedReferences", "B@:")
	selSetRetainedReferences       = objc.Sel("setRetainedReferences:", "v@:B")
	selErrorOptions                = objc.Sel("errorOptions", "Q@:")
	selSetErrorOptions             = objc.Sel("setErrorOptions:", "v@:Q")
	selEnqueue                     = objc.Sel("enqueue", "v@:")
	selAddScheduledHandler         = objc.Sel("addScheduledHandler:", "v@:@?")
	selAddCompletedHandler         = objc.Sel("addCompletedHandler:", "v@:@?")
	selWaitUntilScheduled          = objc.Sel("waitUntilScheduled", "v@:")
	selKernelStartTime             = objc.Sel("kernelStartTime", "d@:")
	selKernelEndTime               = objc.Sel("kernelEndTime", "d@:")
	selEncodeSignalEvent           = objc.Sel("encodeSignalEvent:value:", "v@:@Q")
	selEncodeWaitForEvent          = objc.Sel("encodeWaitForEvent:value:", "v@:@Q")
	selDebugSignposts              = objc.Sel("debugSignposts", "@@:")
	selErrorState                  = objc.Sel("errorState", "q@:")

	// MTLCommandEncoder, MTLComputeCommandEncoder, MTLBlitCommandEncoder
	selInsertDebugSignpost = objc.Sel("insertDebugSignpost:", "v@:@")
	selUpdateFence         = objc.Sel("updateFence:", "v@:@")
	selWaitForFence        = objc.Sel("waitForFence:", "v@:@")
	selUseResource         = objc.Sel("useResource:usage:", "v@:@Q")
	selUseResources        = objc.Sel("useResources:count:usage:", "v@:r^@QQ")
	selUseHeap             = objc.Sel("useHeap:", "v@:@")
	selUseHeaps            = objc.Sel("useHeaps:count:", "v@:r^@Q")
	selDispatchIndirect    = objc.Sel("dispatchThreadgroupsWithIndirectBuffer:indirectBufferOffset:threadsPerThreadgroup:", "v@:@Q{?=QQQ}")
)
