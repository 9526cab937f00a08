package main

// enum is an enumeration that mtl exports.
type enum struct {
	metal    string // its name in Metal
	name     string // in mtl, "" for Metal's without MTL
	sentence string // what the doc comment says
}

// enums are those that compute needs. The other enumerations of the table are for textures, rendering and ray tracing.
var enums = []enum{
	// Resources and heaps.
	{"MTLResourceOptions", "", "say how a resource is stored. Combine a storage mode with hazard tracking and cache modes by |."},
	{"MTLPurgeableState", "", "says whether the system may take a resource's memory back."},
	{"MTLHeapType", "", "says who places the resources of a heap."},
	{"MTLResourceUsage", "", "says how a kernel uses a resource that it reaches through an argument buffer."},
	{"MTLSparsePageSize", "", "is the page size of sparse resources."},
	{"MTLBufferSparseTier", "", "says what a device can do with sparse buffers."},

	// Devices.
	{"MTLGPUFamily", "", "is a set of features that GPUs have in common."},
	{"MTLDeviceLocation", "", "is where a GPU sits."},
	{"MTLArgumentBuffersTier", "", "says what a device can do with argument buffers."},
	{"MTLReadWriteTextureTier", "", "says which textures a kernel can both read and write."},
	{"MTLCounterSamplingPoint", "", "is a place in the work where a device can sample counters."},
	{"MTLDeviceError", "DeviceErrorCode", "is the reason for which a device could not do something."},

	// Compiling.
	{"MTLLanguageVersion", "", "is a version of the Metal Shading Language."},
	{"MTLMathMode", "", "says how freely the compiler may treat floating point."},
	{"MTLMathFloatingPointFunctions", "", "says which functions single-precision mathematics uses."},
	{"MTLLibraryOptimizationLevel", "", "is what the compiler optimises for."},
	{"MTLLibraryType", "", "says whether a library holds kernels or is linked into others."},
	{"MTLCompileSymbolVisibility", "", "says which symbols a library shows to others."},
	{"MTLLibraryError", "LibraryErrorCode", "is the reason for which a library or function could not be made."},
	{"MTLDynamicLibraryError", "DynamicLibraryErrorCode", "is the reason for which a dynamic library could not be made."},
	{"MTLBinaryArchiveError", "BinaryArchiveErrorCode", "is the reason for which a binary archive failed."},
	{"MTLFunctionOptions", "", "say how a function is compiled."},
	{"MTLFunctionType", "", "is the kind of a function."},
	{"MTLStitchedLibraryOptions", "", "say how a stitched library is compiled."},
	{"MTLPipelineOption", "", "says what a pipeline's creation gives beside the pipeline, and where it looks."},
	{"MTLMutability", "", "says whether the contents of a buffer may change between encoding and running."},
	{"MTLShaderValidation", "", "says whether a pipeline or queue checks what its kernels do."},
	{"MTLIndexType", "", "is the width of the indices of a stage-in descriptor."},
	{"MTLAttributeFormat", "", "is the layout of an attribute of stage-in data."},
	{"MTLStepFunction", "", "says how stage-in data advance."},

	// Reflection.
	{"MTLDataType", "", "is the type of a value in a shader."},
	{"MTLBindingType", "", "is the kind of a kernel's argument."},
	{"MTLBindingAccess", "", "says what a kernel does with an argument."},
	{"MTLTextureType", "", "is the shape of a texture argument."},

	// Encoding and running.
	{"MTLDispatchType", "", "says whether the dispatches of an encoder may overlap."},
	{"MTLBarrierScope", "", "says which resources a memory barrier orders."},
	{"MTLBlitOption", "", "says what a copy of texture data does with depth and stencil."},
	{"MTLIndirectCommandType", "", "is a kind of command of an indirect command buffer."},
	{"MTLCommandBufferStatus", "", "is how far a command buffer has come."},
	{"MTLCommandBufferError", "CommandBufferErrorCode", "is the reason for which a command buffer failed."},
	{"MTLCommandBufferErrorOption", "", "says what a command buffer records for its error."},
	{"MTLCommandEncoderErrorState", "", "is how far an encoder's work had come when its command buffer failed."},
	{"MTLFunctionLogType", "", "is the kind of an entry of a command buffer's log."},
	{"MTLLogLevel", "", "is the gravity of a message that a shader logs."},
	{"MTLLogStateError", "LogStateErrorCode", "is the reason for which shader logging could not be set up."},

	// Measuring and capturing.
	{"MTLCounterSampleBufferError", "CounterSampleBufferErrorCode", "is the reason for which a counter sample buffer could not be made."},
	{"MTLCaptureDestination", "", "is where a capture goes."},
	{"MTLCaptureError", "CaptureErrorCode", "is the reason for which a capture could not begin."},

	// Loading.
	{"MTLIOPriority", "", "is the priority of an IO command queue."},
	{"MTLIOCommandQueueType", "", "says whether the commands of an IO command queue may overlap."},
	{"MTLIOStatus", "", "is how far an IO command buffer has come."},
	{"MTLIOError", "IOErrorCode", "is the reason for which an IO command failed."},
	{"MTLIOCompressionMethod", "", "is how a file for IO commands is compressed."},
	{"MTLIOCompressionStatus", "", "says whether a file was compressed."},

	// Metal 4.
	{"MTLStages", "", "are kinds of work that a barrier orders."},
	{"MTLTensorDataType", "", "is the type of a tensor's elements."},
	{"MTLTensorUsage", "", "says which work uses a tensor."},
	{"MTLTensorError", "TensorErrorCode", "is the reason for which a tensor could not be made."},
	{"MTL4BinaryFunctionOptions", "", "say how a binary function is compiled."},
	{"MTL4VisibilityOptions", "", "say which caches a barrier flushes."},
	{"MTL4CommandQueueError", "MTL4CommandQueueErrorCode", "is the reason for which a queue's work failed."},
	{"MTL4CompilerTaskStatus", "", "is how far a compiler's task has come."},
	{"MTL4CounterHeapType", "", "is what a counter heap holds."},
	{"MTL4TimestampGranularity", "", "says how exact a timestamp is."},
	{"MTL4PipelineDataSetSerializerConfiguration", "", "says what a serialiser records of pipelines."},
	{"MTL4ShaderReflection", "", "says what reflection a pipeline's creation gives."},
	{"MTL4IndirectCommandBufferSupportState", "", "says whether a pipeline can be used in indirect command buffers."},
}

// renamed are enumerators whose name in mtl is not Metal's without MTL. Buffers take all their options in one word, so the
// constants of MTLResourceOptions go by the shorter names, which in Metal are those of three more enumerations.
var renamed = map[string]string{
	"MTLResourceCPUCacheModeDefaultCache":    "CPUCacheModeDefault",
	"MTLResourceCPUCacheModeWriteCombined":   "CPUCacheModeWriteCombined",
	"MTLResourceStorageModeShared":           "StorageModeShared",
	"MTLResourceStorageModePrivate":          "StorageModePrivate",
	"MTLResourceHazardTrackingModeDefault":   "HazardTrackingModeDefault",
	"MTLResourceHazardTrackingModeUntracked": "HazardTrackingModeUntracked",
	"MTLResourceHazardTrackingModeTracked":   "HazardTrackingModeTracked",
}

// dropped are enumerators that mtl does not have, with the reason.
var dropped = map[string]string{
	"MTLResourceStorageModeManaged":               "for GPUs with memory of their own",
	"MTLResourceStorageModeMemoryless":            "for textures",
	"MTLResourceOptionCPUCacheModeDefault":        "deprecated name",
	"MTLResourceOptionCPUCacheModeWriteCombined":  "deprecated name",
	"MTLCommandBufferErrorBlacklisted":            "deprecated name of AccessRevoked",
	"MTLArgumentAccessReadOnly":                   "deprecated name of BindingAccess",
	"MTLArgumentAccessReadWrite":                  "deprecated name of BindingAccess",
	"MTLArgumentAccessWriteOnly":                  "deprecated name of BindingAccess",
	"MTLPipelineOptionArgumentInfo":               "deprecated name of BindingInfo",
	"MTLGPUFamilyMac1":                            "deprecated",
	"MTLGPUFamilyMacCatalyst1":                    "deprecated",
	"MTLGPUFamilyMacCatalyst2":                    "deprecated",
	"MTLFunctionOptionStoreFunctionInMetalScript": "deprecated name of StoreFunctionInMetalPipelinesScript",
}

// notes are said of enumerators.
var notes = map[string]string{
	"MTLResourceStorageModeShared":           "memory that CPU and GPU see",
	"MTLResourceStorageModePrivate":          "memory that only the GPU sees",
	"MTLResourceCPUCacheModeWriteCombined":   "for memory that the CPU writes and never reads",
	"MTLResourceHazardTrackingModeDefault":   "tracked, for buffers made by a device; not, for those of a heap",
	"MTLResourceHazardTrackingModeUntracked": "the program orders the encoders that use the buffer",
	"MTLGPUFamilyApple7":                     "M1",
	"MTLGPUFamilyApple8":                     "M2",
	"MTLGPUFamilyApple9":                     "M3, M4",
	"MTLGPUFamilyApple10":                    "M5",
	"MTLLanguageVersion3_1":                  "the default of CompileOptions",
	"MTLLanguageVersion3_2":                  "macOS 15.0",
	"MTLMathModeSafe":                        "IEEE-754; the default of CompileOptions",
	"MTLMathModeRelaxed":                     "transformations that change results, but infinities and NaNs hold",
	"MTLMathModeFast":                        "no infinities and NaNs either",
	"MTLDispatchTypeSerial":                  "each dispatch sees what those before it wrote",
	"MTLDispatchTypeConcurrent":              "dispatches may overlap; order them with MemoryBarrier",
}

// pages are the last parts of the addresses of Apple's pages that do not follow from a name.
var pages = map[string]string{
	"MTLLibraryError": "mtllibraryerror-swift.struct/code",
}
