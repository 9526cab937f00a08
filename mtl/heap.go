package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// HeapDescriptor says how to make a heap. The zero value of all but Size is an automatic heap of shared memory whose buffers are
// not tracked for hazards.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheapdescriptor
type HeapDescriptor struct {
	Label   string
	Size    int // bytes
	Type    HeapType
	Options ResourceOptions // of the heap; its buffers have the same storage and CPU cache mode
}

// Heap is memory that buffers are made from, without asking the system for each. An automatic heap finds room itself; in a placement
// heap the program gives the offsets, and buffers may lie over each other. It is safe for concurrent use.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap
type Heap struct {
	handle
	label
	device  *Device
	size    int
	typ     HeapType
	options ResourceOptions
}

// SizeAndAlign is what a resource takes of a heap: its size and what its offset must be a multiple of, in bytes.
//
// Reference: https://developer.apple.com/documentation/metal/mtlsizeandalign
type SizeAndAlign struct{ Size, Align int }

// HeapBufferSizeAndAlign tells what a buffer of length bytes with these options takes of a heap. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/heapbuffersizeandalign(length:options:)
func (d *Device) HeapBufferSizeAndAlign(length int, o ResourceOptions) (SizeAndAlign, error) {
	const op = "Device.HeapBufferSizeAndAlign"
	if err := d.checkBuffer(op, "length", length, o); err != nil {
		return SizeAndAlign{}, err
	}
	return d.sizeAndAlign(length, o), nil
}

func (d *Device) sizeAndAlign(length int, o ResourceOptions) SizeAndAlign {
	r := objc.SendStruct(d.object(), selHeapBufferSizeAndAlign, uintptr(length), uintptr(o))
	runtime.KeepAlive(d)
	return SizeAndAlign{int(r[0]), int(r[1])}
}

// NewHeap makes a heap. Metal may make it larger than asked for. It fails with an *ArgumentError, or with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeheap(descriptor:)
func (d *Device) NewHeap(desc *HeapDescriptor) (*Heap, error) {
	const op = "Device.NewHeap"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	if err := d.checkBuffer(op, "Size", desc.Size, desc.Options); err != nil {
		return nil, err
	}
	if desc.Type != HeapTypeAutomatic && desc.Type != HeapTypePlacement {
		return nil, intArgument(op, "Type", "HeapTypeAutomatic or HeapTypePlacement", int(desc.Type))
	}
	var h *Heap
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		o := newObject(d.runtime, "MTLHeapDescriptor")
		objc.Send(o, selSetSize, uintptr(desc.Size))
		objc.Send(o, selSetType, uintptr(desc.Type))
		objc.Send(o, selSetResourceOptions, uintptr(desc.Options))
		made := objc.ID(m.Send(id, selNewHeapWithDescriptor, uintptr(o)))
		objc.Release(o)
		if made == 0 {
			return
		}
		h = &Heap{device: d, typ: desc.Type, options: desc.Options}
		own(h, &h.handle, made, drop)
		h.size = int(m.Send(made, selSize))
	})
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, ErrOutOfMemory
	}
	if desc.Label != "" {
		h.SetLabel(desc.Label)
	}
	return h, nil
}

// NewBuffer makes a buffer of length bytes from an automatic heap, whose storage and CPU cache mode o must have. What it holds at first is
// whatever the memory held before. It fails with an *ArgumentError, or with ErrOutOfMemory if the heap has no
// room: see MaxAvailableSize.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/makebuffer(length:options:)
func (h *Heap) NewBuffer(length int, o ResourceOptions) (*Buffer, error) {
	const op = "Heap.NewBuffer"
	id, _, err := h.checkBuffer(op, length, o, HeapTypeAutomatic)
	if err != nil {
		return nil, err
	}
	return h.newBuffer(length, o, func(m *objc.Msg) uintptr {
		return m.Send(id, selNewBufferWithLength, uintptr(length), uintptr(o))
	})
}

// NewBufferAtOffset makes a buffer of length bytes from a placement heap, at an offset that is a multiple of what
// HeapBufferSizeAndAlign says, with room for its size behind it. Buffers may overlap: it is for the program to see that they are not
// used at the same time. It fails with an *ArgumentError, or with ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/makebuffer(length:options:offset:)
func (h *Heap) NewBufferAtOffset(length int, o ResourceOptions, offset int) (*Buffer, error) {
	const op = "Heap.NewBufferAtOffset"
	id, need, err := h.checkBuffer(op, length, o, HeapTypePlacement)
	if err != nil {
		return nil, err
	}
	if offset < 0 || offset%max(need.Align, 1) != 0 || offset > h.size-need.Size {
		return nil, intArgument(op, "offset", "a multiple of "+strconv.Itoa(need.Align)+" from 0 to "+strconv.Itoa(h.size-need.Size), offset)
	}
	return h.newBuffer(length, o, func(m *objc.Msg) uintptr {
		return m.Send(id, selNewBufferAtHeapOffset, uintptr(length), uintptr(o), uintptr(offset))
	})
}

func (h *Heap) checkBuffer(op string, length int, o ResourceOptions, typ HeapType) (objc.ID, SizeAndAlign, error) {
	if h == nil {
		return 0, SizeAndAlign{}, argument(op, "heap", "a heap", "nil")
	}
	id := h.object()
	if id == 0 {
		return 0, SizeAndAlign{}, releasedArgument(op, "heap")
	}
	if h.typ != typ {
		return 0, SizeAndAlign{}, argument(op, "heap", "one of type "+typ.String(), "one of type "+h.typ.String())
	}
	if err := h.device.checkBuffer(op, "length", length, o); err != nil {
		return 0, SizeAndAlign{}, err
	}
	const modes = storageModes | CPUCacheModeWriteCombined
	if o&modes != h.options&modes {
		return 0, SizeAndAlign{}, argument(op, "options", "the heap's "+h.options.String(), o.String())
	}
	need := h.device.sizeAndAlign(length, o)
	if need.Size > h.size {
		return 0, SizeAndAlign{}, intArgument(op, "length", "what fits into the heap's "+strconv.Itoa(h.size)+" bytes", length)
	}
	return id, need, nil
}

func (h *Heap) newBuffer(length int, o ResourceOptions, send func(m *objc.Msg) uintptr) (*Buffer, error) {
	b := h.device.adopt(length, o, send)
	runtime.KeepAlive(h)
	if b == nil {
		return nil, ErrOutOfMemory
	}
	b.heap = h
	return b, nil
}

// Release lets go of the heap. Its buffers keep its memory.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (h *Heap) Release() { h.release() }

// Device is the device that made the heap.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/device
func (h *Heap) Device() *Device { return h.device }

// SetLabel names the heap for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/label
func (h *Heap) SetLabel(s string) { h.label.set(&h.handle, s) }

// Label is the name given by the descriptor or SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/label
func (h *Heap) Label() string { return h.label.get() }

// Size is the heap's size in bytes, at least what its descriptor asked for.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/size
func (h *Heap) Size() int { return h.size }

// Type says who places the heap's buffers.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/type
func (h *Heap) Type() HeapType { return h.typ }

// ResourceOptions are what the descriptor gave.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/resourceoptions
func (h *Heap) ResourceOptions() ResourceOptions { return h.options }

// UsedSize is how many bytes the heap's buffers take, without those that can be aliased; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/usedsize
func (h *Heap) UsedSize() int { return int(h.send(selUsedSize)) }

// CurrentAllocatedSize is how many bytes the heap takes of the system's memory; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/currentallocatedsize
func (h *Heap) CurrentAllocatedSize() int { return int(h.send(selCurrentAllocatedSize)) }

// MaxAvailableSize is the size of the largest buffer that an automatic heap has room for at that alignment, a power of two in
// bytes. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/maxavailablesize(alignment:)
func (h *Heap) MaxAvailableSize(align int) (int, error) {
	const op = "Heap.MaxAvailableSize"
	if h.object() == 0 {
		return 0, releasedArgument(op, "heap")
	}
	if align < 1 || align&(align-1) != 0 {
		return 0, intArgument(op, "align", "a power of two", align)
	}
	return int(h.send(selMaxAvailableSize, uintptr(align))), nil
}

// SetPurgeableState says whether the system may take back the memory of the heap with all its buffers, and gives the former state:
// PurgeableStateEmpty means that the contents are lost. PurgeableStateKeepCurrent only asks. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheap/setpurgeablestate(_:)
func (h *Heap) SetPurgeableState(s PurgeableState) (PurgeableState, error) {
	return h.setPurgeableState("Heap.SetPurgeableState", "heap", s)
}

func (h *handle) setPurgeableState(op, arg string, s PurgeableState) (PurgeableState, error) {
	if h.object() == 0 {
		return 0, releasedArgument(op, arg)
	}
	if s < PurgeableStateKeepCurrent || s > PurgeableStateEmpty {
		return 0, intArgument(op, "state", "one of this package's constants", int(s))
	}
	return PurgeableState(h.send(selSetPurgeableState, uintptr(s))), nil
}

var heapTypes = [...]string{"HeapTypeAutomatic", "HeapTypePlacement", "HeapTypeSparse"}

// String names the type.
//
// Reference: https://developer.apple.com/documentation/metal/mtlheaptype
func (t HeapType) String() string {
	if t >= 0 && int(t) < len(heapTypes) {
		return heapTypes[t]
	}
	return "HeapType(" + strconv.Itoa(int(t)) + ")"
}
