package main

// leftOut are the enumerations of the table that mtl does not have, by reason. Where compute comes to need one, it moves to enums.
var leftOut = map[string][]string{
	"mtl has them as ResourceOptions": {"MTLCPUCacheMode", "MTLStorageMode", "MTLHazardTrackingMode"},
	"deprecated, and a newer one says the same": {
		"MTLArgumentType", // MTLBindingType
		"MTLFeatureSet",   // MTLGPUFamily
	},
	"textures and samplers": {
		"MTLPixelFormat", "MTLTextureSwizzle", "MTLTextureUsage", "MTLTextureCompressionType", "MTLTextureSparseTier",
		"MTLSparseTextureRegionAlignmentMode", "MTLSparseTextureMappingMode",
		"MTLSamplerMinMagFilter", "MTLSamplerMipFilter", "MTLSamplerAddressMode", "MTLSamplerBorderColor", "MTLSamplerReductionMode", "MTLCompareFunction",
	},
	"rendering": {
		"MTLPatchType", "MTLLoadAction", "MTLStoreAction", "MTLStoreActionOptions", "MTLMultisampleDepthResolveFilter",
		"MTLMultisampleStencilResolveFilter", "MTLStencilOperation", "MTLVertexFormat", "MTLVertexStepFunction", "MTLPrimitiveType",
		"MTLVisibilityResultMode", "MTLVisibilityResultType", "MTLCullMode", "MTLWinding", "MTLDepthClipMode", "MTLTriangleFillMode", "MTLRenderStages",
		"MTLBlendFactor", "MTLBlendOperation", "MTLColorWriteMask", "MTLPrimitiveTopologyClass", "MTLTessellationPartitionMode",
		"MTLTessellationFactorStepFunction", "MTLTessellationFactorFormat", "MTLTessellationControlPointIndexType",
		"MTL4AlphaToOneState", "MTL4AlphaToCoverageState", "MTL4BlendState", "MTL4RenderEncoderOptions",
		"MTL4LogicalToPhysicalColorAttachmentMappingState",
	},
	"ray tracing": {
		"MTLAccelerationStructureUsage", "MTLAccelerationStructureInstanceOptions", "MTLMotionBorderMode", "MTLCurveType", "MTLCurveBasis",
		"MTLCurveEndCaps", "MTLAccelerationStructureInstanceDescriptorType", "MTLAccelerationStructureRefitOptions",
		"MTLIntersectionFunctionSignature", "MTLMatrixLayout", "MTLTransformType",
	},
}
