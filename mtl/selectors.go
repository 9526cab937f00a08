package mtl

import "github.com/puremetal/puremetal/objc"

// Every message this package sends, with its encoding on arm64.
var (
	// NSArray, NSDictionary, NSNumber, NSObject
	selCount                        = objc.Sel("count", "Q@:")
	selObjectAtIndex                = objc.Sel("objectAtIndex:", "@@:Q")
	selDictionaryWithObjectsForKeys = objc.Sel("dictionaryWithObjects:forKeys:count:", "@@:r^@r^@Q")
	selAlloc                        = objc.Sel("alloc", "@@:")
	selInit                         = objc.Sel("init", "@@:")

	// MTLDevice
	selName                         = objc.Sel("name", "@@:")
	selRegistryID                   = objc.Sel("registryID", "Q@:")
	selSupportsFamily               = objc.Sel("supportsFamily:", "B@:q")
	selHasUnifiedMemory             = objc.Sel("hasUnifiedMemory", "B@:")
	selMaxThreadsPerThreadgroup     = objc.Sel("maxThreadsPerThreadgroup", "{?=QQQ}@:")
	selMaxThreadgroupMemoryLength   = objc.Sel("maxThreadgroupMemoryLength", "Q@:")
	selMaxBufferLength              = objc.Sel("maxBufferLength", "Q@:")
	selRecommendedMaxWorkingSetSize = objc.Sel("recommendedMaxWorkingSetSize", "Q@:")
	selCurrentAllocatedSize         = objc.Sel("currentAllocatedSize", "Q@:")
	selNewBufferWithLength          = objc.Sel("newBufferWithLength:options:", "@@:QQ")
	selNewBufferWithBytesNoCopy     = objc.Sel("newBufferWithBytesNoCopy:length:options:deallocator:", "@@:^vQQ@?")
	selNewLibraryWithSource         = objc.Sel("newLibraryWithSource:options:error:", "@@:@@^@")
	selNewComputePipelineState      = objc.Sel("newComputePipelineStateWithDescriptor:options:reflection:error:", "@@:@Q^@^@")
	selNewCommandQueue              = objc.Sel("newCommandQueue", "@@:")

	// MTLResource, MTLBuffer
	selSetLabel   = objc.Sel("setLabel:", "v@:@")
	selContents   = objc.Sel("contents", "^v@:")
	selGPUAddress = objc.Sel("gpuAddress", "Q@:")

	// MTLCompileOptions
	selSetLanguageVersion    = objc.Sel("setLanguageVersion:", "v@:Q")
	selSetMathMode           = objc.Sel("setMathMode:", "v@:q")
	selSetFastMathEnabled    = objc.Sel("setFastMathEnabled:", "v@:B")
	selSetPreprocessorMacros = objc.Sel("setPreprocessorMacros:", "v@:@")

	// MTLLibrary, MTLFunction, MTLFunctionConstantValues
	selFunctionNames               = objc.Sel("functionNames", "@@:")
	selNewFunctionWithName         = objc.Sel("newFunctionWithName:", "@@:@")
	selNewFunctionWithConstants    = objc.Sel("newFunctionWithName:constantValues:error:", "@@:@@^@")
	selFunctionConstantsDictionary = objc.Sel("functionConstantsDictionary", "@@:")
	selSetConstantValueAtIndex     = objc.Sel("setConstantValue:type:atIndex:", "v@:r^vQQ")

	// MTLComputePipelineDescriptor, MTLComputePipelineState
	selSetComputeFunction            = objc.Sel("setComputeFunction:", "v@:@")
	selSetMaxTotalThreads            = objc.Sel("setMaxTotalThreadsPerThreadgroup:", "v@:Q")
	selSetThreadGroupSizeIsMultiple  = objc.Sel("setThreadGroupSizeIsMultipleOfThreadExecutionWidth:", "v@:B")
	selMaxTotalThreadsPerThreadgroup = objc.Sel("maxTotalThreadsPerThreadgroup", "Q@:")
	selThreadExecutionWidth          = objc.Sel("threadExecutionWidth", "Q@:")
	selStaticThreadgroupMemoryLength = objc.Sel("staticThreadgroupMemoryLength", "Q@:")

	// MTLCommandQueue, MTLCommandBuffer
	selCommandBuffer         = objc.Sel("commandBuffer", "@@:")
	selComputeCommandEncoder = objc.Sel("computeCommandEncoderWithDispatchType:", "@@:Q")
	selBlitCommandEncoder    = objc.Sel("blitCommandEncoder", "@@:")
	selCommit                = objc.Sel("commit", "v@:")
	selWaitUntilCompleted    = objc.Sel("waitUntilCompleted", "v@:")
	selStatus                = objc.Sel("status", "Q@:")
	selError                 = objc.Sel("error", "@@:")
	selGPUStartTime          = objc.Sel("GPUStartTime", "d@:")
	selGPUEndTime            = objc.Sel("GPUEndTime", "d@:")

	// MTLCommandEncoder
	selEndEncoding    = objc.Sel("endEncoding", "v@:")
	selPushDebugGroup = objc.Sel("pushDebugGroup:", "v@:@")
	selPopDebugGroup  = objc.Sel("popDebugGroup", "v@:")

	// MTLComputeCommandEncoder
	selSetComputePipelineState    = objc.Sel("setComputePipelineState:", "v@:@")
	selSetBuffer                  = objc.Sel("setBuffer:offset:atIndex:", "v@:@QQ")
	selSetBufferOffset            = objc.Sel("setBufferOffset:atIndex:", "v@:QQ")
	selSetBuffers                 = objc.Sel("setBuffers:offsets:withRange:", "v@:r^@r^Q{_NSRange=QQ}")
	selSetBytes                   = objc.Sel("setBytes:length:atIndex:", "v@:r^vQQ")
	selSetThreadgroupMemoryLength = objc.Sel("setThreadgroupMemoryLength:atIndex:", "v@:QQ")
	selDispatchThreadgroups       = objc.Sel("dispatchThreadgroups:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selDispatchThreads            = objc.Sel("dispatchThreads:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selMemoryBarrierWithScope     = objc.Sel("memoryBarrierWithScope:", "v@:Q")
	selMemoryBarrierWithResources = objc.Sel("memoryBarrierWithResources:count:", "v@:r^@Q")

	// MTLBlitCommandEncoder
	selCopyFromBuffer = objc.Sel("copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", "v@:@Q@QQ")
	selFillBuffer     = objc.Sel("fillBuffer:range:value:", "v@:@{_NSRange=QQ}C")
)
