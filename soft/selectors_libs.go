package soft

import "github.com/puremetal/puremetal/objc"

// What the software device answers about libraries, functions and pipelines beyond the plain ways.
var (
	// NSURL
	selPath = objc.Sel("path", "@@:")

	// MTLDevice
	selNewLibraryWithData        = objc.Sel("newLibraryWithData:error:", "@@:@^@")
	selNewLibraryWithURL         = objc.Sel("newLibraryWithURL:error:", "@@:@^@")
	selNewLibraryWithSourceAsync = objc.Sel("newLibraryWithSource:options:completionHandler:", "v@:@@@?")
	selNewPipelineAsync          = objc.Sel("newComputePipelineStateWithDescriptor:options:completionHandler:", "v@:@Q@?")
	selNewBinaryArchive          = objc.Sel("newBinaryArchiveWithDescriptor:error:", "@@:@^@")

	// MTLCompileOptions, MTLLibrary
	selOptimizationLevel    = objc.Sel("optimizationLevel", "q@:")
	selSetOptimizationLevel = objc.Sel("setOptimizationLevel:", "v@:q")
	selLibraryType          = objc.Sel("type", "q@:")
	selInstallName          = objc.Sel("installName", "@@:")

	// MTLFunctionDescriptor
	selNewFunctionWithDescriptor = objc.Sel("newFunctionWithDescriptor:error:", "@@:@^@")
	selSetName                   = objc.Sel("setName:", "v@:@")
	selSpecializedName           = objc.Sel("specializedName", "@@:")
	selSetSpecializedName        = objc.Sel("setSpecializedName:", "v@:@")
	selConstantValues            = objc.Sel("constantValues", "@@:")
	selSetConstantValues         = objc.Sel("setConstantValues:", "v@:@")
	selBinaryArchives            = objc.Sel("binaryArchives", "@@:")
	selSetBinaryArchives         = objc.Sel("setBinaryArchives:", "v@:@")

	// MTLComputePipelineDescriptor, MTLComputePipelineState
	selSupportIndirectCommandBuffers    = objc.Sel("supportIndirectCommandBuffers", "B@:")
	selSetSupportIndirectCommandBuffers = objc.Sel("setSupportIndirectCommandBuffers:", "v@:B")

	// MTLComputePipelineReflection, MTLBinding, MTLBufferBinding, MTLThreadgroupBinding
	selBindings                   = objc.Sel("bindings", "@@:")
	selAccess                     = objc.Sel("access", "Q@:")
	selIsUsed                     = objc.Sel("isUsed", "B@:")
	selIsArgument                 = objc.Sel("isArgument", "B@:")
	selBufferAlignment            = objc.Sel("bufferAlignment", "Q@:")
	selBufferDataSize             = objc.Sel("bufferDataSize", "Q@:")
	selBufferDataType             = objc.Sel("bufferDataType", "Q@:")
	selThreadgroupMemoryAlignment = objc.Sel("threadgroupMemoryAlignment", "Q@:")
	selThreadgroupMemoryDataSize  = objc.Sel("threadgroupMemoryDataSize", "Q@:")

	// MTLBinaryArchive, MTLBinaryArchiveDescriptor
	selURL                         = objc.Sel("url", "@@:")
	selSetURL                      = objc.Sel("setUrl:", "v@:@")
	selAddComputePipelineFunctions = objc.Sel("addComputePipelineFunctionsWithDescriptor:error:", "B@:@^@")
	selSerializeToURL              = objc.Sel("serializeToURL:error:", "B@:@^@")
)

// Indirect command buffers, and what work reaches without a binding.
var (
	selNewIndirectCommandBuffer = objc.Sel("newIndirectCommandBufferWithDescriptor:maxCommandCount:options:", "@@:@QQ")

	// MTLIndirectCommandBufferDescriptor
	selCommandTypes                           = objc.Sel("commandTypes", "Q@:")
	selSetCommandTypes                        = objc.Sel("setCommandTypes:", "v@:Q")
	selInheritPipelineState                   = objc.Sel("inheritPipelineState", "B@:")
	selSetInheritPipelineState                = objc.Sel("setInheritPipelineState:", "v@:B")
	selInheritBuffers                         = objc.Sel("inheritBuffers", "B@:")
	selSetInheritBuffers                      = objc.Sel("setInheritBuffers:", "v@:B")
	selMaxKernelBufferBindCount               = objc.Sel("maxKernelBufferBindCount", "Q@:")
	selSetMaxKernelBufferBindCount            = objc.Sel("setMaxKernelBufferBindCount:", "v@:Q")
	selMaxKernelThreadgroupMemoryBindCount    = objc.Sel("maxKernelThreadgroupMemoryBindCount", "Q@:")
	selSetMaxKernelThreadgroupMemoryBindCount = objc.Sel("setMaxKernelThreadgroupMemoryBindCount:", "v@:Q")

	// MTLIndirectCommandBuffer, MTLIndirectComputeCommand
	selResetWithRange                 = objc.Sel("resetWithRange:", "v@:{_NSRange=QQ}")
	selIndirectComputeCommand         = objc.Sel("indirectComputeCommandAtIndex:", "@@:Q")
	selSetKernelBuffer                = objc.Sel("setKernelBuffer:offset:atIndex:", "v@:@QQ")
	selConcurrentDispatchThreadgroups = objc.Sel("concurrentDispatchThreadgroups:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selConcurrentDispatchThreads      = objc.Sel("concurrentDispatchThreads:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selSetBarrier                     = objc.Sel("setBarrier", "v@:")
	selClearBarrier                   = objc.Sel("clearBarrier", "v@:")

	// MTLComputeCommandEncoder, MTLBlitCommandEncoder
	selExecuteCommands               = objc.Sel("executeCommandsInBuffer:withRange:", "v@:@{_NSRange=QQ}")
	selExecuteCommandsIndirect       = objc.Sel("executeCommandsInBuffer:indirectBuffer:indirectBufferOffset:", "v@:@@Q")
	selResetCommandsInBuffer         = objc.Sel("resetCommandsInBuffer:withRange:", "v@:@{_NSRange=QQ}")
	selCopyIndirectCommandBuffer     = objc.Sel("copyIndirectCommandBuffer:sourceRange:destination:destinationIndex:", "v@:@{_NSRange=QQ}@Q")
	selOptimizeIndirectCommandBuffer = objc.Sel("optimizeIndirectCommandBuffer:withRange:", "v@:@{_NSRange=QQ}")
)
