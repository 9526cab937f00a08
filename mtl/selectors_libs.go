package mtl

import "github.com/puremetal/puremetal/objc"

// What is sent to make libraries, functions and pipelines beyond the plain ways.
var (
	// NSURL, NSArray
	selFileURLWithPath  = objc.Sel("fileURLWithPath:", "@@:@")
	selArrayWithObjects = objc.Sel("arrayWithObjects:count:", "@@:r^@Q")
	selAllKeys          = objc.Sel("allKeys", "@@:")

	// MTLDevice
	selNewLibraryWithData             = objc.Sel("newLibraryWithData:error:", "@@:@^@")
	selNewLibraryWithURL              = objc.Sel("newLibraryWithURL:error:", "@@:@^@")
	selNewLibraryWithSourceAsync      = objc.Sel("newLibraryWithSource:options:completionHandler:", "v@:@@@?")
	selNewComputePipelineStateAsync   = objc.Sel("newComputePipelineStateWithDescriptor:options:completionHandler:", "v@:@Q@?")
	selNewDynamicLibrary              = objc.Sel("newDynamicLibrary:error:", "@@:@^@")
	selNewDynamicLibraryWithURL       = objc.Sel("newDynamicLibraryWithURL:error:", "@@:@^@")
	selNewBinaryArchiveWithDescriptor = objc.Sel("newBinaryArchiveWithDescriptor:error:", "@@:@^@")

	// MTLCompileOptions
	selSetOptimizationLevel                = objc.Sel("setOptimizationLevel:", "v@:q")
	selSetLibraryType                      = objc.Sel("setLibraryType:", "v@:q")
	selSetInstallName                      = objc.Sel("setInstallName:", "v@:@")
	selSetLibraries                        = objc.Sel("setLibraries:", "v@:@")
	selSetCompileSymbolVisibility          = objc.Sel("setCompileSymbolVisibility:", "v@:q")
	selSetAllowReferencingUndefinedSymbols = objc.Sel("setAllowReferencingUndefinedSymbols:", "v@:B")
	selSetEnableLogging                    = objc.Sel("setEnableLogging:", "v@:B")

	// MTLLibrary, MTLDynamicLibrary, MTLFunction, MTLFunctionDescriptor, MTLFunctionConstant
	selLibraryType               = objc.Sel("type", "q@:")
	selInstallName               = objc.Sel("installName", "@@:")
	selSerializeToURL            = objc.Sel("serializeToURL:error:", "B@:@^@")
	selNewFunctionWithDescriptor = objc.Sel("newFunctionWithDescriptor:error:", "@@:@^@")
	selSetName                   = objc.Sel("setName:", "v@:@")
	selSetSpecializedName        = objc.Sel("setSpecializedName:", "v@:@")
	selSetConstantValues         = objc.Sel("setConstantValues:", "v@:@")
	selSetOptions                = objc.Sel("setOptions:", "v@:Q")
	selFunctionType              = objc.Sel("functionType", "Q@:")
	selConstantType              = objc.Sel("type", "Q@:")
	selIndex                     = objc.Sel("index", "Q@:")
	selRequired                  = objc.Sel("required", "B@:")

	// MTLComputePipelineDescriptor, MTLLinkedFunctions
	selSetBinaryArchives                = objc.Sel("setBinaryArchives:", "v@:@")
	selSetPreloadedLibraries            = objc.Sel("setPreloadedLibraries:", "v@:@")
	selSetLinkedFunctions               = objc.Sel("setLinkedFunctions:", "v@:@")
	selSetSupportIndirectCommandBuffers = objc.Sel("setSupportIndirectCommandBuffers:", "v@:B")
	selSetMaxCallStackDepth             = objc.Sel("setMaxCallStackDepth:", "v@:Q")
	selSetFunctions                     = objc.Sel("setFunctions:", "v@:@")
	selSetBinaryFunctions               = objc.Sel("setBinaryFunctions:", "v@:@")
	selSetPrivateFunctions              = objc.Sel("setPrivateFunctions:", "v@:@")
	selSetGroups                        = objc.Sel("setGroups:", "v@:@")

	// MTLComputePipelineReflection, MTLBinding, MTLBufferBinding, MTLThreadgroupBinding
	selBindings                   = objc.Sel("bindings", "@@:")
	selBindingType                = objc.Sel("type", "q@:")
	selAccess                     = objc.Sel("access", "Q@:")
	selIsUsed                     = objc.Sel("isUsed", "B@:")
	selIsArgument                 = objc.Sel("isArgument", "B@:")
	selBufferAlignment            = objc.Sel("bufferAlignment", "Q@:")
	selBufferDataSize             = objc.Sel("bufferDataSize", "Q@:")
	selBufferDataType             = objc.Sel("bufferDataType", "Q@:")
	selThreadgroupMemoryAlignment = objc.Sel("threadgroupMemoryAlignment", "Q@:")
	selThreadgroupMemoryDataSize  = objc.Sel("threadgroupMemoryDataSize", "Q@:")

	// MTLBinaryArchive, MTLBinaryArchiveDescriptor
	selSetURL                             = objc.Sel("setUrl:", "v@:@")
	selAddComputePipelineFunctions        = objc.Sel("addComputePipelineFunctionsWithDescriptor:error:", "B@:@^@")
	selAddFunctionWithDescriptorToArchive = objc.Sel("addFunctionWithDescriptor:library:error:", "B@:@@^@")
)

// Indirect command buffers, and what work reaches without a binding.
var (
	// MTLDevice
	selNewIndirectCommandBuffer = objc.Sel("newIndirectCommandBufferWithDescriptor:maxCommandCount:options:", "@@:@QQ")

	// MTLIndirectCommandBufferDescriptor
	selSetCommandTypes                        = objc.Sel("setCommandTypes:", "v@:Q")
	selSetInheritPipelineState                = objc.Sel("setInheritPipelineState:", "v@:B")
	selSetInheritBuffers                      = objc.Sel("setInheritBuffers:", "v@:B")
	selSetMaxKernelBufferBindCount            = objc.Sel("setMaxKernelBufferBindCount:", "v@:Q")
	selSetMaxKernelThreadgroupMemoryBindCount = objc.Sel("setMaxKernelThreadgroupMemoryBindCount:", "v@:Q")

	// MTLIndirectCommandBuffer, MTLIndirectComputeCommand
	selResetWithRange                 = objc.Sel("resetWithRange:", "v@:{_NSRange=QQ}")
	selIndirectComputeCommand         = objc.Sel("indirectComputeCommandAtIndex:", "@@:Q")
	selSetKernelBuffer                = objc.Sel("setKernelBuffer:offset:atIndex:", "v@:@QQ")
	selConcurrentDispatchThreadgroups = objc.Sel("concurrentDispatchThreadgroups:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selConcurrentDispatchThreads      = objc.Sel("concurrentDispatchThreads:threadsPerThreadgroup:", "v@:{?=QQQ}{?=QQQ}")
	selSetBarrier                     = objc.Sel("setBarrier", "v@:")
	selClearBarrier                   = objc.Sel("clearBarrier", "v@:")
	selReset                          = objc.Sel("reset", "v@:")

	// MTLComputeCommandEncoder, MTLBlitCommandEncoder
	selExecuteCommands               = objc.Sel("executeCommandsInBuffer:withRange:", "v@:@{_NSRange=QQ}")
	selExecuteCommandsIndirect       = objc.Sel("executeCommandsInBuffer:indirectBuffer:indirectBufferOffset:", "v@:@@Q")
	selResetCommandsInBuffer         = objc.Sel("resetCommandsInBuffer:withRange:", "v@:@{_NSRange=QQ}")
	selCopyIndirectCommandBuffer     = objc.Sel("copyIndirectCommandBuffer:sourceRange:destination:destinationIndex:", "v@:@{_NSRange=QQ}@Q")
	selOptimizeIndirectCommandBuffer = objc.Sel("optimizeIndirectCommandBuffer:withRange:", "v@:@{_NSRange=QQ}")
)
