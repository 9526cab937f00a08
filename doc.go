// Package puremetal is Metal compute for Go without cgo.
//
// The work is done by the packages below it:
//
//   - mtl is Metal, typed: devices, buffers, libraries, pipelines, queues, encoders.
//   - kernels turns shader text into pipelines, once, on demand.
//   - shaders holds the text.
//   - ops checks arguments and encodes the kernels: the gated delta rule of hybrid language models, chunked and recurrent.
//   - soft is a Metal device in Go. It compiles and runs the same shader text and holds it to stricter rules than a GPU does.
//   - objc sends the messages.
//
// On a Mac the default device is the GPU, reached through the Objective-C runtime. Elsewhere it is the software device, so a
// program, its kernels and their tests run on any machine that Go runs on.
//
// This package itself holds nothing but the benchmarks of the whole.
package puremetal
