// Package soft is the software Metal device: the Objective-C classes, in package objc's software runtime, that answer Metal's
// compute messages and run them on the CPU. Importing it, for its effect alone, makes the device available; package mtl
// does so where there is no Metal.
//
// It owns devices, buffers, queues, command buffers and encoders as objects, and their life cycles. What shader text means is
// package msl's, how a kernel runs is package simt's. It never imports mtl, whose only way here are messages.
//
// It fails as Metal fails: nil and an NSError with Metal's domains and codes where Metal gives them, a command buffer whose
// status is error where a kernel breaks a rule, and a panic with an [*AssertionError] where Metal's validation layer stops the
// program. It reports what it is: a device named "Software Metal device" with the compute features of family
// Apple7, the first with simdgroup matrices and reductions; it claims no later family, since those promise 64-bit
// atomics and more that it does not have. Results are within tolerances of a GPU's, not bit for bit the same.
//
// A command buffer that waits for an event which nobody signals fails after a while, with the error code of a timeout: see
// [SetEventTimeout]. One that does not retain what it uses fails if that is gone when it runs.
//
// # Checks
//
// Kernels are held to the rules that [SetChecks] chooses. In a test program all are on; otherwise accesses are kept inside their
// buffers and nothing else is checked. PUREMETAL_CHECKS=1 in the environment turns all on, PUREMETAL_CHECKS=0 all off.
package soft
