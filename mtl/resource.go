package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// Heap is the heap that the buffer was made from, nil if its memory is its own.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/heap
func (b *Buffer) Heap() *Heap { return b.heap }

// HeapOffset is where in its heap the buffer starts, in bytes; 0 without a heap or once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/heapoffset
func (b *Buffer) HeapOffset() int { return int(b.send(selHeapOffset)) }

// AllocatedSize is how many bytes the system set aside for the buffer, at least its length; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/allocatedsize
func (b *Buffer) AllocatedSize() int { return int(b.send(selAllocatedSize)) }

// ResourceOptions are what the buffer was made with.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/resourceoptions
func (b *Buffer) ResourceOptions() ResourceOptions { return b.options }

// HazardTracked reports whether the device orders encoders that use the buffer. If not, the program does, by fences, events and
// barriers. Buffers from a heap are not tracked unless the heap's options say so. False once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/hazardtrackingmode
func (b *Buffer) HazardTracked() bool {
	return ResourceOptions(b.send(selHazardTrackingMode)) == HazardTrackingModeTracked>>8
}

// MakeAliasable gives the memory of a buffer back to its heap: buffers made from now on may lie over it, and what it holds is
// undefined once they do. It cannot be undone. It fails with an *ArgumentError if the buffer has no heap.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/makealiasable()
func (b *Buffer) MakeAliasable() error {
	const op = "Buffer.MakeAliasable"
	if b.object() == 0 {
		return releasedArgument(op, "buffer")
	}
	if b.heap == nil {
		return argument(op, "buffer", "one from a heap", "one with memory of its own")
	}
	b.send(selMakeAliasable)
	return nil
}

// IsAliasable reports whether other buffers may lie over this one; false once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/isaliasable()
func (b *Buffer) IsAliasable() bool { return b.send(selIsAliasable)&0xff != 0 }

// SetPurgeableState says whether the system may take the buffer's memory back, and gives the former state:
// PurgeableStateEmpty means that the contents are lost. PurgeableStateKeepCurrent only asks. The state of a buffer
// from a heap is its heap's and cannot be set. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/setpurgeablestate(_:)
func (b *Buffer) SetPurgeableState(s PurgeableState) (PurgeableState, error) {
	const op = "Buffer.SetPurgeableState"
	if b.heap != nil {
		return 0, argument(op, "buffer", "one with memory of its own", "one from a heap: set the heap's state")
	}
	return b.setPurgeableState(op, "buffer", s)
}

// AddDebugMarker names n bytes from offset on for tools. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/adddebugmarker(_:range:)
func (b *Buffer) AddDebugMarker(name string, offset, n int) error {
	const op = "Buffer.AddDebugMarker"
	id := b.object()
	if id == 0 {
		return releasedArgument(op, "buffer")
	}
	if offset < 0 || n < 1 || n > b.length || offset > b.length-n {
		return argument(op, "range", "1 or more bytes inside the buffer's "+strconv.Itoa(b.length), strconv.Itoa(n)+" bytes from "+strconv.Itoa(offset))
	}
	rt := b.device.runtime
	rt.Pool(func() {
		text := rt.NewString(name)
		objc.Send(id, selAddDebugMarker, uintptr(text), uintptr(offset), uintptr(n))
		objc.Release(text)
	})
	runtime.KeepAlive(b)
	return nil
}

// RemoveAllDebugMarkers takes away what AddDebugMarker gave. It does nothing once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/removealldebugmarkers()
func (b *Buffer) RemoveAllDebugMarkers() { b.send(selRemoveAllDebugMarkers) }
