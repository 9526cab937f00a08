// Package mtl is Metal's compute interface, typed: devices, buffers, libraries, functions, pipelines, queues, command
// buffers and encoders. Names are Metal's without the MTL prefix; lengths, offsets and indices are int.
//
// It owns what can be said to Metal and what must hold before it is said: whatever Metal would assert on is an error
// here, before a message is sent. It speaks only through package objc and knows neither a C ABI nor a GPU, so the same
// calls reach the GPU of a Mac and the software device of package soft. Where there is no Metal the software device
// is linked in and is the default; on macOS it is there if the program imports package soft.
//
// # Ownership
//
// Every create function gives an object with a Release method, which is idempotent. An object that becomes
// unreachable without it is released by the garbage collector some time later; [LiveObjects] counts those not yet
// released, so a test can prove that it left none. Command buffers keep what they use until they have completed.
//
// # Thread safety
//
// Devices, buffers, libraries, functions, pipelines and queues are safe for concurrent use, but Release must not run at
// the same time as another call on the same object. A command buffer and its encoders belong to one goroutine until
// the command buffer is committed; then its status, its error and waiting for it are safe for concurrent use.
//
// # Order
//
// The command buffers of a queue run in the order of their commits, the encoders of a command buffer one after the other, and what
// they do to the same tracked buffer is ordered. Beyond that the program orders: by barriers within a concurrent encoder, by a [Fence]
// between encoders that use untracked buffers, by an [Event] between queues, and by a [SharedEvent] between device and program.
// An [IOCommandQueue] loads from files beside the work of the others; a shared event tells them that it has.
// Handlers ([CommandBuffer.AddCompletedHandler], [SharedEvent.Notify]) run on threads of the system's and must not block.
//
// # Errors
//
// Failures are values: [ErrNoDevice], [ErrOutOfMemory], [ErrReleased], [ErrUnsupported], *[ArgumentError] for an
// argument that Metal would assert on, *[CompileError] with positions, *[FunctionNotFoundError],
// *[CommandBufferError] for work that failed on the device, and *[Error] for what else Metal says in an NSError.
package mtl
