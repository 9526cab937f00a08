package mtl

import "github.com/puremetal/puremetal/objc"

// What is sent to measure work by counters.
var (
	// MTLDevice
	selCounterSets            = objc.Sel("counterSets", "@@:")
	selNewCounterSampleBuffer = objc.Sel("newCounterSampleBufferWithDescriptor:error:", "@@:@^@")
	selSampleTimestamps       = objc.Sel("sampleTimestamps:gpuTimestamp:", "v@:^Q^Q")

	// MTLCounterSet, MTLCounterSampleBufferDescriptor, MTLCounterSampleBuffer, NSData
	selCounters            = objc.Sel("counters", "@@:")
	selSetCounterSet       = objc.Sel("setCounterSet:", "v@:@")
	selSetStorageMode      = objc.Sel("setStorageMode:", "v@:Q")
	selSetSampleCount      = objc.Sel("setSampleCount:", "v@:Q")
	selResolveCounterRange = objc.Sel("resolveCounterRange:", "@@:{_NSRange=QQ}")
	selBytes               = objc.Sel("bytes", "r^v@:")
	selLength              = objc.Sel("length", "Q@:")

	// MTLCommandBuffer, MTLComputePassDescriptor and its attachments
	selComputeCommandEncoderWithDescriptor = objc.Sel("computeCommandEncoderWithDescriptor:", "@@:@")
	selSetDispatchType                     = objc.Sel("setDispatchType:", "v@:Q")
	selSampleBufferAttachments             = objc.Sel("sampleBufferAttachments", "@@:")
	selObjectAtIndexedSubscript            = objc.Sel("objectAtIndexedSubscript:", "@@:Q")
	selSetSampleBuffer                     = objc.Sel("setSampleBuffer:", "v@:@")
	selSetStartOfEncoderSampleIndex        = objc.Sel("setStartOfEncoderSampleIndex:", "v@:Q")
	selSetEndOfEncoderSampleIndex          = objc.Sel("setEndOfEncoderSampleIndex:", "v@:Q")

	// MTLComputeCommandEncoder, MTLBlitCommandEncoder
	selSampleCounters  = objc.Sel("sampleCountersInBuffer:atSampleIndex:withBarrier:", "v@:@QB")
	selResolveCounters = objc.Sel("resolveCounters:inRange:destinationBuffer:destinationOffset:", "v@:@{_NSRange=QQ}@Q")
)
