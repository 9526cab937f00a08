package mtl

import "github.com/puremetal/puremetal/objc"

// Metal 4: command queues, allocators, command buffers, encoders, argument tables, compilers and tensors.
var (
	// MTLDevice, MTLBuffer
	selNewMTL4CommandQueue  = objc.Sel("newMTL4CommandQueueWithDescriptor:error:", "@@:@^@")
	selNewCommandAllocator  = objc.Sel("newCommandAllocatorWithDescriptor:error:", "@@:@^@")
	selNewCommandBuffer     = objc.Sel("newCommandBuffer", "@@:")
	selNewArgumentTable     = objc.Sel("newArgumentTableWithDescriptor:error:", "@@:@^@")
	selNewCompiler          = objc.Sel("newCompilerWithDescriptor:error:", "@@:@^@")
	selNewTensor            = objc.Sel("newTensorWithDescriptor:error:", "@@:@^@")
	selNewTensorInBuffer    = objc.Sel("newTensorWithDescriptor:offset:error:", "@@:@Q^@")
	selTensorSizeAndAlign   = objc.Sel("tensorSizeAndAlignWithDescriptor:", "{?=QQ}@:@")
	selCommitWithOptions    = objc.Sel("commit:count:options:", "v@:r^@Q@")
	selAddFeedbackHandler   = objc.Sel("addFeedbackHandler:", "v@:@?")
	selUseResidencySet      = objc.Sel("useResidencySet:", "v@:@")
	selSignalEvent          = objc.Sel("signalEvent:value:", "v@:@Q")
	selWaitForEvent         = objc.Sel("waitForEvent:value:", "v@:@Q")
	selBeginCommandBuffer   = objc.Sel("beginCommandBufferWithAllocator:", "v@:@")
	selEndCommandBuffer     = objc.Sel("endCommandBuffer", "v@:")
	selMTL4ComputeEncoder   = objc.Sel("computeCommandEncoder", "@@:")
	selSetArgumentTable     = objc.Sel("setArgumentTable:", "v@:@")
	selStages               = objc.Sel("stages", "Q@:")
	selDispatchIndirectMTL4 = objc.Sel("dispatchThreadgroupsWithIndirectBuffer:threadsPerThreadgroup:", "v@:Q{?=QQQ}")
	selDispatchThreadsMTL4  = objc.Sel("dispatchThreadsWithIndirectBuffer:", "v@:Q")
	selCopyFromTensor       = objc.Sel("copyFromTensor:sourceOrigin:sourceDimensions:toTensor:destinationOrigin:destinationDimensions:", "v@:@@@@@@")

	// MTL4CommandEncoder
	selBarrierAfterQueueStages   = objc.Sel("barrierAfterQueueStages:beforeStages:visibilityOptions:", "v@:QQQ")
	selBarrierAfterStages        = objc.Sel("barrierAfterStages:beforeQueueStages:visibilityOptions:", "v@:QQQ")
	selBarrierAfterEncoderStages = objc.Sel("barrierAfterEncoderStages:beforeEncoderStages:visibilityOptions:", "v@:QQQ")
	selUpdateFenceAfterStages    = objc.Sel("updateFence:afterEncoderStages:", "v@:@Q")
	selWaitForFenceBeforeStages  = objc.Sel("waitForFence:beforeEncoderStages:", "v@:@Q")

	// MTL4ArgumentTableDescriptor, MTL4ArgumentTable
	selSetMaxBufferBindCount = objc.Sel("setMaxBufferBindCount:", "v@:Q")
	selSetInitializeBindings = objc.Sel("setInitializeBindings:", "v@:B")
	selSetAddress            = objc.Sel("setAddress:atIndex:", "v@:QQ")
	selSetResource           = objc.Sel("setResource:atBufferIndex:", "v@:{MTLResourceID=Q}Q")

	// MTL4Compiler, MTL4LibraryDescriptor, MTL4ComputePipelineDescriptor and what they are made of
	selCompileLibrary               = objc.Sel("newLibraryWithDescriptor:error:", "@@:@^@")
	selCompileLibraryAsync          = objc.Sel("newLibraryWithDescriptor:completionHandler:", "@@:@@?")
	selCompilePipeline              = objc.Sel("newComputePipelineStateWithDescriptor:compilerTaskOptions:error:", "@@:@@^@")
	selCompilePipelineAsync         = objc.Sel("newComputePipelineStateWithDescriptor:compilerTaskOptions:completionHandler:", "@@:@@@?")
	selSetSource                    = objc.Sel("setSource:", "v@:@")
	selSetLibraryOptions            = objc.Overload("setOptions:", "v@:@")
	selSetLibrary                   = objc.Sel("setLibrary:", "v@:@")
	selSetFunctionDescriptor        = objc.Sel("setFunctionDescriptor:", "v@:@")
	selSetComputeFunctionDescriptor = objc.Sel("setComputeFunctionDescriptor:", "v@:@")
	selSetRequiredThreads           = objc.Sel("setRequiredThreadsPerThreadgroup:", "v@:{?=QQQ}")
	selSetIndirectSupport           = objc.Overload("setSupportIndirectCommandBuffers:", "v@:q")

	// MTLTensorExtents, MTLTensorDescriptor, MTLTensor
	selInitWithRank   = objc.Sel("initWithRank:values:", "@@:Qr^q")
	selRank           = objc.Sel("rank", "Q@:")
	selExtent         = objc.Sel("extentAtDimensionIndex:", "q@:Q")
	selSetDimensions  = objc.Sel("setDimensions:", "v@:@")
	selSetStrides     = objc.Sel("setStrides:", "v@:@")
	selSetUsage       = objc.Sel("setUsage:", "v@:Q")
	selStrides        = objc.Sel("strides", "@@:")
	selGPUResourceID  = objc.Sel("gpuResourceID", "{MTLResourceID=Q}@:")
	selReplaceSlice   = objc.Sel("replaceSliceOrigin:sliceDimensions:withBytes:strides:", "v@:@@r^v@")
	selGetTensorBytes = objc.Sel("getBytes:strides:fromSliceOrigin:sliceDimensions:", "v@:^v@@@")
)
