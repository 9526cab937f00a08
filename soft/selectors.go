package soft

import "github.com/puremetal/puremetal/objc"

// Every message that the software device answers beyond NSObject's, and those it sends, with their encodings on arm64.
var (
	selInit         = objc.Sel("init", "@@:")
	selAllKeys      = objc.Sel("allKeys", "@@:")
	selCount        = objc.Sel("count", "Q@:")
	selObjectAt     = objc.Sel("objectAtIndex:", "@@:Q")
	selObjectForKey = objc.Sel("objectForKey:", "@@:@")
	selDescription  = objc.Sel("description", "@@:")

	selLabel    = objc.Sel("label", "@@:")
	selSetLabel = objc.Sel("setLabel:", "v@:@")
	selDevice   = objc.Sel("device", "@@:")
	selName     = objc.Sel("name", "@@:")

	// MTLDevice
	selRegistryID                   = objc.Sel("registryID", "Q@:")
	selSupportsFamily               = objc.Sel("supportsFamily:", "B@:q")
	selHasUnifiedMemory             = objc.Sel("hasUnifiedMemory", "B@:")
	selMaxThreadsPerThreadgroup     = objc.Sel("maxThreadsPerThreadgroup", "{?=QQQ}@:")
	selMaxThreadgroupMemoryLength   = objc.Sel("maxThreadgroupMemoryLength", "Q@:")
	selMaxBufferLength              = objc.Sel("maxBufferLength", "Q@:")
	selRecommendedMaxWorkingSetSize = objc.Sel("recommendedMaxWorkingSetSize", "Q@:")
	selCurrentAllocatedSize         = objc.Sel("currentAllocatedSize", "Q@:")
	selNewBufferWithLength          = objc.Sel("newBufferWithLength:options:", "@@:QQ")
	selNewBufferWithBytes           = objc.Sel("newBufferWithBytes:length:options:", "@@:r^vQQ")
	selNewBufferWithBytesNoCopy     = objc.Sel("newBufferWithBytesNoCopy:length:options:deallocator:", "@@:^vQQ@?")
	selNewLibraryWithSource         = objc.Sel("newLibraryWithSource:options:error:", "@@:@@^@")
	selNewPipelineWithFunction      = objc.Sel("newComputePipelineStateWithFunction:error:", "@@:@^@")
	selNewPipelineWithDescriptor    = objc.Sel("newComputePipelineStateWithDescriptor:options:reflection:error:", "@@:@Q^@^@")
	selNewCommandQueue              = objc.Sel("newCommandQueue", "@@:")

	// MTLBuffer
	selContents        = objc.Sel("contents", "^v@:")
	selLength          = objc.Sel("length", "Q@:")
	selStorageMode     = objc.Sel("storageMode", "Q@:")
	selResourceOptions = objc.Sel("resourceOptions", "Q@:")
	selAllocatedSize   = objc.Sel("allocatedSize", "Q@:")

	// MTLCompileOptions
	selLanguageVersion       = objc.Sel("languageVersion", "Q@:")
	selSetLanguageVersion    = objc.Sel("setLanguageVersion:", "v@:Q")
	selMathMode              = objc.Sel("mathMode", "q@:")
	selSetMathMode           = objc.Sel("setMathMode:", "v@:q")
	selFastMathEnabled       = objc.Sel("fastMathEnabled", "B@:")
	selSetFastMathEnabled    = objc.Sel("setFastMathEnabled:", "v@:B")
	selPreprocessorMacros    = objc.Sel("preprocessorMacros", "@@:")
	selSetPreprocessorMacros = objc.Sel("setPreprocessorMacros:", "v@:@")

	// MTLLibrary, MTLFunction, MTLFunctionConstant, MTLFunctionConstantValues
	selFunctionNames               = objc.Sel("functionNames", "@@:")
	selNewFunctionWithName         = objc.Sel("newFunctionWithName:", "@@:@")
	selNewFunctionWithConstants    = objc.Sel("newFunctionWithName:constantValues:error:", "@@:@@^@")
	selFunctionType                = objc.Sel("functionType", "Q@:")
	selFunctionConstantsDictionary = objc.Sel("functionConstantsDictionary", "@@:")
	selType                        = objc.Sel("type", "Q@:")
	selIndex                       = objc.Sel("index", "Q@:")
	selRequired                    = objc.Sel("required", "B@:")
	selSetConstantAtIndex          = objc.Sel("setConstantValue:type:atIndex:", "v@:r^vQQ")
	selSetConstants                = objc.Sel("setConstantValues:type:withRange:", "v@:r^vQ{_NSRange=QQ}")
	selSetConstantWithName         = objc.Sel("setConstantValue:type:withName:", "v@:r^vQ@")
	selReset                       = objc.Sel("reset", "v@:")

	// MTLComputePipelineDescriptor, MTLComputePipelineState
	selComputeFunction               = objc.Sel("computeFunction", "@@:")
	selSetComputeFunction            = objc.Sel("setComputeFunction:", "v@:@")
	selMaxTotalThreads               = objc.Sel("maxTotalThreadsPerThreadgroup", "Q@:")
	selSetMaxTotalThreads            = objc.Sel("setMaxTotalThreadsPerThreadgroup:", "v@:Q")
	selThreadGroupSizeIsMultiple     = objc.Sel("threadGroupSizeIsMultipleOfThreadExecutionWidth", "B@:")
	selSetThreadGroupSizeIsMultiple  = objc.Sel("setThreadGroupSizeIsMultipleOfThreadExecutionWidth:", "v@:B")
	selThreadExecutionWidth          = objc.Sel("threadExecutionWidth", "Q@:")
	selStaticThreadgroupMemoryLength = objc.Sel("staticThreadgroupMemoryLength", "Q@:")

	// MTLCommandQueue, MTLCommandBuffer
	selCommandBuffer         = objc.Sel("commandBuffer", "@@:")
	selCommandQueue          = objc.Sel("commandQueue", "@@:")
	selComputeCommandEncoder = objc.Sel("computeCommandEncoder", "@@:")
	selComputeWithType       = objc.Sel("computeCommandEncoderWithDispatchType:", "@@:Q")
	selBlitCommandEncoder    = objc.Sel("blitCommandEncoder", "@@:")
	selCommit                = objc.Sel("commit", "v@:")
	selWaitUntilCompleted    = objc.Sel("waitUntilCompleted", "v@:")
	selStatus                = objc.Sel("status", "Q@:")
	selError                 = objc.Sel("error", "@@:")
	selGPUStartTime          = objc.Sel("GPUStartTime", "d@:")
	selGPUEndTime            = objc.Sel("GPUEndTime", "d@:")

	// MTLCommandEncoder
	selEndEncoding         = objc.Sel("endEncoding", "v@:")
	selPushDebugGroup      = objc.Sel("pushDebugGroup:", "v@:@")
	selPopDebugGroup       = objc.Sel("popDebugGroup", "v@:")
	selInsertDebugSignpost = objc.Sel("insertDebugSignpost:", "v@:@")

	// MTLComputeCommandEncoder
	selDispatchType               = objc.Sel("dispatchType", "Q@:")
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
