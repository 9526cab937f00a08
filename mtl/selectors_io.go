package mtl

import "github.com/puremetal/puremetal/objc"

// Loading from files, queues from descriptors, and shader logging.
var (
	// MTLDevice
	selNewIOCommandQueue             = objc.Sel("newIOCommandQueueWithDescriptor:error:", "@@:@^@")
	selNewIOHandle                   = objc.Sel("newIOHandleWithURL:error:", "@@:@^@")
	selNewIOFileHandle               = objc.Sel("newIOFileHandleWithURL:error:", "@@:@^@")
	selNewCommandQueueWithMax        = objc.Sel("newCommandQueueWithMaxCommandBufferCount:", "@@:Q")
	selNewCommandQueueWithDescriptor = objc.Sel("newCommandQueueWithDescriptor:", "@@:@")
	selNewLogStateWithDescriptor     = objc.Sel("newLogStateWithDescriptor:error:", "@@:@^@")

	// MTLIOCommandQueueDescriptor, MTLCommandQueueDescriptor
	selSetMaxCommandBufferCount = objc.Sel("setMaxCommandBufferCount:", "v@:Q")
	selSetPriority              = objc.Sel("setPriority:", "v@:q")
	selSetMaxCommandsInFlight   = objc.Sel("setMaxCommandsInFlight:", "v@:Q")

	// MTLIOCommandQueue, MTLIOCommandBuffer
	selEnqueueBarrier     = objc.Sel("enqueueBarrier", "v@:")
	selLoadBytes          = objc.Sel("loadBytes:size:sourceHandle:sourceHandleOffset:", "v@:^vQ@Q")
	selLoadBuffer         = objc.Sel("loadBuffer:offset:size:sourceHandle:sourceHandleOffset:", "v@:@QQ@Q")
	selCopyStatusToBuffer = objc.Sel("copyStatusToBuffer:offset:", "v@:@Q")
	selTryCancel          = objc.Sel("tryCancel", "v@:")
	selAddBarrier         = objc.Sel("addBarrier", "v@:")
	selIOWaitForEvent     = objc.Sel("waitForEvent:value:", "v@:@Q")
	selIOSignalEvent      = objc.Sel("signalEvent:value:", "v@:@Q")
	selIOStatus           = objc.Sel("status", "q@:")

	// MTLLogStateDescriptor, MTLLogState, MTLCommandQueueDescriptor, MTLCommandBufferDescriptor
	selSetLevel      = objc.Sel("setLevel:", "v@:q")
	selSetBufferSize = objc.Sel("setBufferSize:", "v@:q")
	selAddLogHandler = objc.Sel("addLogHandler:", "v@:@?")
	selSetLogState   = objc.Sel("setLogState:", "v@:@")
)
