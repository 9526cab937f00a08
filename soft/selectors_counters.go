package soft

import "github.com/puremetal/puremetal/objc"

// What the software device answers about counters.
var (
	selCounterSets            = objc.Sel("counterSets", "@@:")
	selNewCounterSampleBuffer = objc.Sel("newCounterSampleBufferWithDescriptor:error:", "@@:@^@")
	selSampleTimestamps       = objc.Sel("sampleTimestamps:gpuTimestamp:", "v@:^Q^Q")

	// MTLCounterSet, MTLCounterSampleBufferDescriptor, MTLCounterSampleBuffer
	selCounters            = objc.Sel("counters", "@@:")
	selCounterSet          = objc.Sel("counterSet", "@@:")
	selSetCounterSet       = objc.Sel("setCounterSet:", "v@:@")
	selSetStorageMode      = objc.Sel("setStorageMode:", "v@:Q")
	selSampleCount         = objc.Sel("sampleCount", "Q@:")
	selSetSampleCount      = objc.Sel("setSampleCount:", "v@:Q")
	selResolveCounterRange = objc.Sel("resolveCounterRange:", "@@:{_NSRange=QQ}")

	// MTLCommandBuffer, MTLComputePassDescriptor and its attachments
	selComputeWithDescriptor        = objc.Sel("computeCommandEncoderWithDescriptor:", "@@:@")
	selSetDispatchType              = objc.Sel("setDispatchType:", "v@:Q")
	selSampleBufferAttachments      = objc.Sel("sampleBufferAttachments", "@@:")
	selObjectAtIndexedSubscript     = objc.Sel("objectAtIndexedSubscript:", "@@:Q")
	selSampleBuffer                 = objc.Sel("sampleBuffer", "@@:")
	selSetSampleBuffer              = objc.Sel("setSampleBuffer:", "v@:@")
	selStartOfEncoderSampleIndex    = objc.Sel("startOfEncoderSampleIndex", "Q@:")
	selSetStartOfEncoderSampleIndex = objc.Sel("setStartOfEncoderSampleIndex:", "v@:Q")
	selEndOfEncoderSampleIndex      = objc.Sel("endOfEncoderSampleIndex", "Q@:")
	selSetEndOfEncoderSampleIndex   = objc.Sel("setEndOfEncoderSampleIndex:", "v@:Q")

	selResolveCounters = objc.Sel("resolveCounters:inRange:destinationBuffer:destinationOffset:", "v@:@{_NSRange=QQ}@Q")
)
