// Package kernels turns the name of a kernel into a pipeline that is ready to dispatch: shader text, library,
// function constants, pipeline, each made once and kept.
//
//	reg, err := kernels.New(device, shaders.Files)
//	p, err := reg.Pipeline(ctx, kernels.Key{Name: "vector_add"})
//	enc.SetComputePipelineState(p.State)
//
// It owns compiled things and knows nothing of tensors, or of what a kernel computes.
//
// # Where a kernel is
//
// A kernel is in the .metal file of its name: gated_delta_kkt in gated_delta_kkt.metal. A file may hold a family: of the
// files whose name, followed by an underscore, begins the kernel's, the longest holds it, so softmax_f32 is in softmax.metal.
// Each file is a library of its own, compiled when the first of its kernels is asked for. Headers are included between
// quotes and resolved here, because Metal is given a text and no files; see Resolve.
package kernels
