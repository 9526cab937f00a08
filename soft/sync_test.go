package soft

import (
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

func TestTheRulesOfSynchronisationAndMemoryStopTheProgram(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		d := theDevice()
		q := objc.ID(m.Send(d, selNewCommandQueue))
		defer objc.Release(q)
		b := newShared(m, 64)
		defer objc.Release(b)
		e := objc.ID(m.Send(d, selNewSharedEvent))
		defer objc.Release(e)
		f := objc.ID(m.Send(d, selNewFence))
		defer objc.Release(f)

		const cb = "MTLCommandBuffer "
		c := objc.ID(m.Send(q, selCommandBuffer))
		asserts(t, cb+"waitUntilScheduled", "not been committed", func() { m.Send(c, selWaitUntilScheduled) })
		asserts(t, cb+"popDebugGroup", "no debug group", func() { m.Send(c, selPopDebugGroup) })
		asserts(t, cb+"addCompletedHandler:", "nil", func() { m.Send(c, selAddCompletedHandler, 0) })
		asserts(t, cb+"encodeSignalEvent:value:", "not a *soft.event", func() { m.Send(c, selEncodeSignalEvent, uintptr(f), 1) })
		m.Send(c, selPushDebugGroup, 0)
		asserts(t, cb+"commit", "1 debug groups", func() { m.Send(c, selCommit) })
		m.Send(c, selPopDebugGroup)
		m.Send(c, selEnqueue)
		asserts(t, cb+"enqueue", "enqueued already", func() { m.Send(c, selEnqueue) })

		const compute = "MTLComputeCommandEncoder "
		enc := objc.ID(m.Send(c, selComputeCommandEncoder))
		asserts(t, cb+"encodeWaitForEvent:value:", "already encoding", func() { m.Send(c, selEncodeWaitForEvent, uintptr(e), 1) })
		asserts(t, compute+"updateFence:", "not a *soft.fence", func() { m.Send(enc, selUpdateFence, uintptr(e)) })
		m.Send(enc, selWaitForFence, uintptr(f))
		m.Send(enc, selUpdateFence, uintptr(f))
		asserts(t, compute+"waitForFence:", "has updated", func() { m.Send(enc, selWaitForFence, uintptr(f)) })
		asserts(t, compute+"useResource:usage:", "usage 0", func() { m.Send(enc, selUseResource, uintptr(b), 0) })
		asserts(t, compute+"useResources:count:usage:", "usage 8", func() { m.Send(enc, selUseResources, m.IDs([]objc.ID{b}), 1, 8) })
		asserts(t, compute+"useHeap:", "not a *soft.heap", func() { m.Send(enc, selUseHeap, uintptr(b)) })
		p := scalePipeline(t, m, 64)
		defer objc.Release(p)
		m.Send(enc, selSetComputePipelineState, uintptr(p))
		const indirect = compute + "dispatchThreadgroupsWithIndirectBuffer:indirectBufferOffset:threadsPerThreadgroup:"
		asserts(t, indirect, "must be a multiple of 4", func() { m.Send(enc, selDispatchIndirect, uintptr(b), 2, 1, 1, 1) })
		asserts(t, indirect, "12 bytes behind it", func() { m.Send(enc, selDispatchIndirect, uintptr(b), 56, 1, 1, 1) })
		asserts(t, indirect, "65 threads", func() { m.Send(enc, selDispatchIndirect, uintptr(b), 0, 65, 1, 1) })
		m.Send(enc, selEndEncoding)
		m.Send(c, selCommit)
		asserts(t, cb+"addScheduledHandler:", "committed", func() { m.Send(c, selAddScheduledHandler, uintptr(b)) })
		asserts(t, cb+"pushDebugGroup:", "committed", func() { m.Send(c, selPushDebugGroup, 0) })
		m.Send(c, selWaitUntilCompleted)

		asserts(t, "MTLSharedEvent notifyListener:atValue:block:", "not a *soft.listener", func() { m.Send(e, selNotifyListener, uintptr(b), 1, 0) })
		asserts(t, "MTLSharedEvent notifyListener:atValue:block:", "nil", func() { m.Send(e, selNotifyListener, uintptr(sharedListener), 1, 0) })

		newHeap := func(size, options, kind uintptr) objc.ID {
			o := objc.Autorelease(objc.SendID(objc.SendID(objc.Software().Class("MTLHeapDescriptor"), objc.Sel("alloc", "@@:")), selInit))
			if m.Send(o, selResourceOptions) != storageModePrivate {
				t.Error("a heap is private unless it is told otherwise")
			}
			m.Send(o, selSetSize, size)
			m.Send(o, selSetResourceOptions, options)
			m.Send(o, selSetHeapType, kind)
			if m.Send(o, selSize) != size || m.Send(o, selResourceOptions) != options {
				t.Error("the descriptor forgets")
			}
			return objc.ID(m.Send(d, selNewHeapWithDescriptor, uintptr(o)))
		}
		const device = "MTLDevice newHeapWithDescriptor:"
		asserts(t, device, "zero size", func() { newHeap(0, 0, 0) })
		asserts(t, device, "storage mode 1", func() { newHeap(1024, 16, 0) })
		asserts(t, device, "heap type 2", func() { newHeap(1024, 0, 2) })
		if h := newHeap(maxBufferLength+1, 0, 0); h != 0 {
			t.Error("a heap over the device's limit")
		}
		const length, at = "MTLHeap newBufferWithLength:options:", "MTLHeap newBufferWithLength:options:offset:"
		auto, place := newHeap(1000, 0, heapAutomatic), newHeap(1024, 0, heapPlacement)
		if n := m.Send(auto, selSize); n != 1024 {
			t.Errorf("a heap of %d bytes", n)
		}
		asserts(t, length, "wants an offset", func() { m.Send(place, selNewBufferWithLength, 16, 0) })
		asserts(t, at, "only a placement heap", func() { m.Send(auto, selNewBufferAtHeapOffset, 16, 0, 0) })
		asserts(t, length, "differ from the heap's", func() { m.Send(auto, selNewBufferWithLength, 16, storageModePrivate) })
		asserts(t, "MTLDevice newBufferWithLength:options:", "zero length", func() { m.Send(auto, selNewBufferWithLength, 0, 0) })
		asserts(t, length, "more than the heap's size", func() { m.Send(auto, selNewBufferWithLength, ^uintptr(0), 0) })
		asserts(t, at, "offset 8", func() { m.Send(place, selNewBufferAtHeapOffset, 16, 0, 8) })
		asserts(t, at, "offset 1024", func() { m.Send(place, selNewBufferAtHeapOffset, 16, 0, 1024) })
		asserts(t, "MTLHeap maxAvailableSizeWithAlignment:", "power of two", func() { m.Send(auto, selMaxAvailableSize, 24) })
		asserts(t, "MTLHeap setPurgeableState:", "state 5", func() { m.Send(auto, selSetPurgeableState, 5) })
		in := objc.ID(m.Send(auto, selNewBufferWithLength, 300, 0))
		if objc.ID(m.Send(in, selHeap)) != auto || m.Send(auto, selUsedSize) != 512 || m.Send(in, selHazardTrackingMode) != hazardUntracked {
			t.Errorf("%d bytes are used", m.Send(auto, selUsedSize))
		}
		if n := m.Send(auto, selMaxAvailableSize, 1024); n != 0 {
			t.Errorf("%d bytes are available at multiples of 1024 behind a buffer of 512", n)
		}
		asserts(t, "MTLBuffer setPurgeableState:", "buffer's heap", func() { m.Send(in, selSetPurgeableState, purgeableVolatile) })
		asserts(t, "MTLBuffer makeAliasable", "memory of its own", func() { m.Send(b, selMakeAliasable) })
		asserts(t, "MTLBuffer addDebugMarker:range:", "not inside", func() { m.Send(b, selAddDebugMarker, 0, 60, 8) })
		objc.Release(in)
		objc.Release(auto)
		objc.Release(place)
	})
}

func TestACommandBufferThatRetainsNothingSaysSo(t *testing.T) {
	pool(t, func(m *objc.Msg) {
		q := objc.ID(m.Send(theDevice(), selNewCommandQueue))
		defer objc.Release(q)
		if c := objc.ID(m.Send(q, selCommandBufferUnretained)); m.Send(c, selRetainedReferences) != 0 {
			t.Error("it retains")
		}
		o := objc.Autorelease(objc.SendID(objc.SendID(objc.Software().Class("MTLCommandBufferDescriptor"), objc.Sel("alloc", "@@:")), selInit))
		if m.Send(o, selRetainedReferences) != 1 || m.Send(o, selErrorOptions) != 0 {
			t.Error("a descriptor's defaults")
		}
		m.Send(o, selSetErrorOptions, errorOptionEncoderStatus)
		c := objc.ID(m.Send(q, selCommandBufferWithDescriptor, uintptr(o)))
		if m.Send(c, selRetainedReferences) != 1 || m.Send(c, selErrorOptions) != errorOptionEncoderStatus {
			t.Error("a command buffer's")
		}
	})
}

func TestTimeoutsTooLongToCountAreForEver(t *testing.T) {
	for ms, want := range map[uintptr]time.Duration{
		0: 0, 1500: 1500 * time.Millisecond, ^uintptr(0): 9223372036854 * time.Millisecond,
	} {
		if got := milliseconds(ms); got != want {
			t.Errorf("%d ms are %v, want %v", ms, got, want)
		}
	}
}
