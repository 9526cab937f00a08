package soft

import "github.com/puremetal/puremetal/objc"

// Loading from files, and queues from descriptors.
var (
	// MTLDevice
	selNewIOCommandQueue           = objc.Sel("newIOCommandQueueWithDescriptor:error:", "@@:@^@")
	selNewIOHandle                 = objc.Sel("newIOHandleWithURL:error:", "@@:@^@")
	selNewIOFileHandle             = objc.Sel("newIOFileHandleWithURL:error:", "@@:@^@")
	selNewCommandQueueWithMax      = objc.Sel("newCommandQueueWithMaxCommandBufferCount:", "@@:Q")
	selNewCommandQueueWithSettings = objc.Sel("newCommandQueueWithDescriptor:", "@@:@")

	// MTLIOCommandQueueDescriptor, MTLCommandQueueDescriptor, MTLCommandBufferDescriptor
	selMaxCommandBufferCount    = objc.Sel("maxCommandBufferCount", "Q@:")
	selSetMaxCommandBufferCount = objc.Sel("setMaxCommandBufferCount:", "v@:Q")
	selPriority                 = objc.Sel("priority", "q@:")
	selSetPriority              = objc.Sel("setPriority:", "v@:q")
	selIOQueueType              = objc.Sel("type", "q@:")
	selSetIOQueueType           = objc.Sel("setType:", "v@:q")
	selMaxCommandsInFlight      = objc.Sel("maxCommandsInFlight", "Q@:")
	selSetMaxCommandsInFlight   = objc.Sel("setMaxCommandsInFlight:", "v@:Q")
	selLogState                 = objc.Sel("logState", "@@:")
	selSetLogState              = objc.Sel("setLogState:", "v@:@")

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
)
