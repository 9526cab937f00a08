package darwinkit

// knownSelectors are the messages that darwinkit v0.5.0 gets wrong, with what it sends: result and arguments.
var knownSelectors = map[string]string{
	// Enumerations that it takes for objects.
	"MTLArgumentDescriptor -access":     "object",
	"MTLArgumentDescriptor -setAccess:": "void object",
	"MTLPointerType -access":            "object",
	"MTLTextureReferenceType -access":   "object",

	// C arrays of objects: it wraps the address of the array as one object.
	"MTLArgumentEncoder -setBuffers:offsets:withRange:":                               "void object pointer struct",
	"MTLArgumentEncoder -setComputePipelineStates:withRange:":                         "void object struct",
	"MTLArgumentEncoder -setIndirectCommandBuffers:withRange:":                        "void object struct",
	"MTLArgumentEncoder -setIntersectionFunctionTables:withRange:":                    "void object struct",
	"MTLArgumentEncoder -setRenderPipelineStates:withRange:":                          "void object struct",
	"MTLArgumentEncoder -setSamplerStates:withRange:":                                 "void object struct",
	"MTLArgumentEncoder -setTextures:withRange:":                                      "void object struct",
	"MTLArgumentEncoder -setVisibleFunctionTables:withRange:":                         "void object struct",
	"MTLComputeCommandEncoder -memoryBarrierWithResources:count:":                     "void object Q",
	"MTLComputeCommandEncoder -setBuffers:offsets:withRange:":                         "void object pointer struct",
	"MTLComputeCommandEncoder -setIntersectionFunctionTables:withBufferRange:":        "void object struct",
	"MTLComputeCommandEncoder -setSamplerStates:lodMinClamps:lodMaxClamps:withRange:": "void object pointer pointer struct",
	"MTLComputeCommandEncoder -setSamplerStates:withRange:":                           "void object struct",
	"MTLComputeCommandEncoder -setTextures:withRange:":                                "void object struct",
	"MTLComputeCommandEncoder -setVisibleFunctionTables:withBufferRange:":             "void object struct",
	"MTLComputeCommandEncoder -useHeaps:count:":                                       "void object Q",
	"MTLComputeCommandEncoder -useResources:count:usage:":                             "void object Q Q",
	"MTLIntersectionFunctionTable -setBuffers:offsets:withRange:":                     "void object pointer struct",
	"MTLIntersectionFunctionTable -setFunctions:withRange:":                           "void object struct",
	"MTLIntersectionFunctionTable -setVisibleFunctionTables:withBufferRange:":         "void object struct",
	"MTLVisibleFunctionTable -setFunctions:withRange:":                                "void object struct",
}
