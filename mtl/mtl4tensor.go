package mtl

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// maxTensorRank is MTL_TENSOR_MAX_RANK.
const maxTensorRank = 16

// TensorDescriptor says how to make a tensor.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensordescriptor
type TensorDescriptor struct {
	Dimensions []int // elements along each dimension, the innermost first; 1 to 16 of them

	// Strides are how many elements apart neighbours along each dimension are, for tensors in a buffer: as many as dimensions, the
	// first 1. A tensor with memory of its own has none.
	Strides []int

	DataType TensorDataType
	Usage    TensorUsage
	Options  ResourceOptions // of a tensor with memory of its own; one in a buffer has the buffer's
}

// Tensor is an array of numbers of up to 16 dimensions, in memory of its own or in a buffer. It is safe for concurrent use; who may
// touch its contents when is for the program to see to. macOS 26.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor
type Tensor struct {
	handle
	label
	device     *Device
	desc       TensorDescriptor // with copies of its slices
	buffer     *Buffer          // nil if its memory is its own
	offset     int
	resourceID uint64
}

// tensorBits are the sizes of elements in bits.
var tensorBits = map[TensorDataType]int{
	TensorDataTypeFloat32: 32, TensorDataTypeFloat16: 16, TensorDataTypeBFloat16: 16,
	TensorDataTypeInt8: 8, TensorDataTypeUInt8: 8, TensorDataTypeInt16: 16, TensorDataTypeUInt16: 16,
	TensorDataTypeInt32: 32, TensorDataTypeUInt32: 32, TensorDataTypeInt4: 4, TensorDataTypeUInt4: 4,
}

// check holds the descriptor to what Metal would assert on.
func (desc *TensorDescriptor) check(op string, inBuffer bool) error {
	if desc == nil {
		return argument(op, "descriptor", "a descriptor", "nil")
	}
	if n := len(desc.Dimensions); n < 1 || n > maxTensorRank {
		return intArgument(op, "Dimensions", "1 to 16 of them", n)
	}
	for _, n := range desc.Dimensions {
		if n < 1 {
			return intArgument(op, "Dimensions", "1 or more elements each", n)
		}
	}
	switch {
	case !inBuffer && desc.Strides != nil:
		return intArgument(op, "Strides", "none for a tensor with memory of its own", len(desc.Strides))
	case inBuffer && len(desc.Strides) != len(desc.Dimensions):
		return intArgument(op, "Strides", "one for each of "+strconv.Itoa(len(desc.Dimensions))+" dimensions", len(desc.Strides))
	case inBuffer && desc.Strides[0] != 1:
		return intArgument(op, "Strides", "1 for the innermost dimension", desc.Strides[0])
	}
	if tensorBits[desc.DataType] == 0 {
		return intArgument(op, "DataType", "one of this package's constants but TensorDataTypeNone", int(desc.DataType))
	}
	const usages = TensorUsageCompute | TensorUsageRender | TensorUsageMachineLearning
	if desc.Usage == 0 || desc.Usage&^usages != 0 {
		return intArgument(op, "Usage", "one or more of this package's constants", int(desc.Usage))
	}
	strides := desc.Strides
	if !inBuffer {
		strides = denseStrides(desc.Dimensions)
	}
	if _, ok := tensorBytes(desc.DataType, desc.Dimensions, strides); !ok {
		return argument(op, "Dimensions", "a size in bytes that fits 63 bits", "more")
	}
	return nil
}

// denseStrides are the strides of elements without gaps; they end where they would overflow.
func denseStrides(dimensions []int) []int {
	strides, next := make([]int, len(dimensions)), 1
	for i, n := range dimensions {
		strides[i] = next
		hi, lo := bits.Mul64(uint64(next), uint64(n))
		if hi != 0 || lo > math.MaxInt {
			lo = math.MaxInt // tensorBytes refuses it
		}
		next = int(lo)
	}
	return strides
}

// tensorBytes is how many bytes lie from the first element to the end of the last, if that fits an int. Dimensions are positive.
func tensorBytes(t TensorDataType, dimensions, strides []int) (int, bool) {
	last := uint64(0) // index of the last element
	for i, n := range dimensions {
		if strides[i] < 0 {
			return 0, false
		}
		hi, lo := bits.Mul64(uint64(n-1), uint64(strides[i]))
		if hi != 0 || lo > math.MaxInt64-last {
			return 0, false
		}
		last += lo
	}
	if last >= math.MaxInt64/32 {
		return 0, false
	}
	return int(((last+1)*uint64(tensorBits[t]) + 7) / 8), true
}

// newExtents makes an MTLTensorExtents, which the caller releases. A pool is in place.
func newExtents(m *objc.Msg, rt objc.Runtime, values []int) objc.ID {
	words := make([]uintptr, len(values))
	for i, v := range values {
		words[i] = uintptr(v)
	}
	return objc.ID(m.Send(objc.SendID(rt.Class("MTLTensorExtents"), selAlloc), selInitWithRank, uintptr(len(values)), m.Uintptrs(words)))
}

// newObject makes an MTLTensorDescriptor, which the caller releases. A pool is in place.
func (desc *TensorDescriptor) newObject(m *objc.Msg, rt objc.Runtime, o ResourceOptions) objc.ID {
	id := newObject(rt, "MTLTensorDescriptor")
	dimensions := newExtents(m, rt, desc.Dimensions)
	objc.Send(id, selSetDimensions, uintptr(dimensions))
	objc.Release(dimensions)
	if desc.Strides != nil {
		strides := newExtents(m, rt, desc.Strides)
		objc.Send(id, selSetStrides, uintptr(strides))
		objc.Release(strides)
	}
	objc.Send(id, selSetDataType, uintptr(desc.DataType))
	objc.Send(id, selSetUsage, uintptr(desc.Usage))
	objc.Send(id, selSetResourceOptions, uintptr(o))
	return id
}

// TensorSizeAndAlign tells what a tensor with memory of its own takes of a heap. It fails with ErrUnsupported or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/tensorsizeandalign(descriptor:)
func (d *Device) TensorSizeAndAlign(desc *TensorDescriptor) (SizeAndAlign, error) {
	const op = "Device.TensorSizeAndAlign"
	if err := desc.check(op, false); err != nil {
		return SizeAndAlign{}, err
	}
	if err := d.checkBuffer(op, "Dimensions", 1, desc.Options); err != nil {
		return SizeAndAlign{}, err
	}
	var s SizeAndAlign
	var refused error
	err := d.create(op, func(m *objc.Msg, id objc.ID) {
		if refused = needs(op, id, selTensorSizeAndAlign); refused != nil {
			return
		}
		o := desc.newObject(m, d.runtime, desc.Options)
		r := objc.SendStruct(id, selTensorSizeAndAlign, uintptr(o))
		objc.Release(o)
		s = SizeAndAlign{int(r[0]), int(r[1])}
	})
	if err == nil {
		err = refused
	}
	return s, err
}

// NewTensor makes a tensor with memory of its own. It fails with ErrUnsupported before macOS 26 and on devices without tensors, with an
// *Error, or with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/maketensor(descriptor:)
func (d *Device) NewTensor(desc *TensorDescriptor) (*Tensor, error) {
	const op = "Device.NewTensor"
	if err := desc.check(op, false); err != nil {
		return nil, err
	}
	if err := d.checkBuffer(op, "Dimensions", 1, desc.Options); err != nil {
		return nil, err
	}
	made, err := d.makes(op, selNewTensor, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := desc.newObject(m, d.runtime, desc.Options)
		defer objc.Release(o)
		return madeOrFailed(op, m, objc.ID(m.Send(id, selNewTensor, uintptr(o), m.Out(0))))
	})
	if err != nil {
		return nil, err
	}
	return adoptTensor(d, desc, made), nil
}

// NewTensor makes a tensor of the buffer's memory from a byte offset on, a multiple of the element's size. The tensor keeps the
// buffer. It fails as Device.NewTensor does.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/maketensor(descriptor:offset:)
func (b *Buffer) NewTensor(desc *TensorDescriptor, offset int) (*Tensor, error) {
	const op = "Buffer.NewTensor"
	id := b.object()
	if id == 0 {
		return nil, releasedArgument(op, "buffer")
	}
	if err := desc.check(op, true); err != nil {
		return nil, err
	}
	need, _ := tensorBytes(desc.DataType, desc.Dimensions, desc.Strides)
	if size := max(tensorBits[desc.DataType]/8, 1); offset < 0 || offset%size != 0 || offset > b.length-need {
		return nil, intArgument(op, "offset", "a multiple of "+strconv.Itoa(size)+" with "+strconv.Itoa(need)+" bytes behind it in the buffer's "+strconv.Itoa(b.length), offset)
	}
	if err := needs(op, id, selNewTensorInBuffer); err != nil {
		return nil, err
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	var made objc.ID
	var err error
	b.device.runtime.Pool(func() {
		o := desc.newObject(m, b.device.runtime, b.options)
		made, err = madeOrFailed(op, m, objc.ID(m.Send(id, selNewTensorInBuffer, uintptr(o), uintptr(offset), m.Out(0))))
		objc.Release(o)
	})
	runtime.KeepAlive(b)
	if err != nil {
		return nil, err
	}
	t := adoptTensor(b.device, desc, made)
	t.buffer, t.offset = b, offset
	t.desc.Options = b.options
	return t, nil
}

// adoptTensor takes over the caller's reference to id, a tensor made from desc.
func adoptTensor(d *Device, desc *TensorDescriptor, id objc.ID) *Tensor {
	t := &Tensor{device: d, desc: *desc}
	t.desc.Dimensions = slices.Clone(desc.Dimensions)
	own(t, &t.handle, id, drop)
	d.runtime.Pool(func() {
		t.desc.Strides = readExtents(objc.SendID(id, selStrides))
		t.resourceID = uint64(objc.Send(id, selGPUResourceID))
	})
	return t
}

// readExtents gives the values of an MTLTensorExtents, nil of nil.
func readExtents(id objc.ID) []int {
	var all []int
	for i := range objc.Send(id, selRank) {
		all = append(all, int(objc.Send(id, selExtent, i)))
	}
	return all
}

// Release lets go of the tensor. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (t *Tensor) Release() { t.release() }

// Device is the device that made the tensor.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/device
func (t *Tensor) Device() *Device { return t.device }

func (t *Tensor) from() *Device { return t.device }

// SetLabel names the tensor for tools.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (t *Tensor) SetLabel(s string) { t.label.set(&t.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (t *Tensor) Label() string { return t.label.get() }

// Dimensions are the elements along each dimension, the innermost first. The slice is the caller's.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/dimensions
func (t *Tensor) Dimensions() []int { return slices.Clone(t.desc.Dimensions) }

// Strides are how many elements apart neighbours along each dimension are; nil where Metal does not tell. The slice is the caller's.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/strides
func (t *Tensor) Strides() []int { return slices.Clone(t.desc.Strides) }

// DataType is the type of the elements.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/datatype
func (t *Tensor) DataType() TensorDataType { return t.desc.DataType }

// Usage says which work uses the tensor.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/usage
func (t *Tensor) Usage() TensorUsage { return t.desc.Usage }

// Buffer is the buffer whose memory the tensor has, nil if its memory is its own.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/buffer
func (t *Tensor) Buffer() *Buffer { return t.buffer }

// BufferOffset is where in its buffer the tensor starts, in bytes; 0 without a buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/bufferoffset
func (t *Tensor) BufferOffset() int { return t.offset }

// AllocatedSize is how many bytes the system set aside for the tensor; 0 once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/allocatedsize
func (t *Tensor) AllocatedSize() int { return int(t.send(selAllocatedSize)) }

// ReplaceSlice copies bytes into a slice of the tensor: the elements from origin on, dimensions of them. strides say how many
// elements apart neighbours along each dimension are in bytes. The tensor's storage is shared. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/replace(sliceorigin:slicedimensions:withbytes:strides:)
func (t *Tensor) ReplaceSlice(origin, dimensions []int, bytes []byte, strides []int) error {
	return t.transfer("Tensor.ReplaceSlice", origin, dimensions, bytes, strides, func(m *objc.Msg, id, origin, dimensions, strides objc.ID, address uintptr) {
		m.Send(id, selReplaceSlice, uintptr(origin), uintptr(dimensions), address, uintptr(strides))
	})
}

// GetBytes copies a slice of the tensor into bytes, with the arguments of ReplaceSlice. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtltensor/getbytes(_:strides:sliceorigin:slicedimensions:)
func (t *Tensor) GetBytes(bytes []byte, strides, origin, dimensions []int) error {
	return t.transfer("Tensor.GetBytes", origin, dimensions, bytes, strides, func(m *objc.Msg, id, origin, dimensions, strides objc.ID, address uintptr) {
		m.Send(id, selGetTensorBytes, address, uintptr(strides), uintptr(origin), uintptr(dimensions))
	})
}

func (t *Tensor) transfer(op string, origin, dimensions []int, bytes []byte, strides []int,
	send func(m *objc.Msg, id, origin, dimensions, strides objc.ID, address uintptr)) error {
	id := t.object()
	if id == 0 {
		return releasedArgument(op, "tensor")
	}
	if t.desc.Options&storageModes != StorageModeShared {
		return argument(op, "tensor", "StorageModeShared", t.desc.Options.String())
	}
	if err := t.checkSlice(op, origin, dimensions); err != nil {
		return err
	}
	if len(strides) != len(dimensions) {
		return intArgument(op, "strides", "one for each of "+strconv.Itoa(len(dimensions))+" dimensions", len(strides))
	}
	if need, ok := tensorBytes(t.desc.DataType, dimensions, strides); !ok || need > len(bytes) {
		return intArgument(op, "bytes", "as many as strides and dimensions reach", len(bytes))
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	var pinned runtime.Pinner // so that bytes are not on a stack either, which moves
	pinned.Pin(unsafe.SliceData(bytes))
	defer pinned.Unpin()
	rt := t.device.runtime
	rt.Pool(func() {
		o, d, s := newExtents(m, rt, origin), newExtents(m, rt, dimensions), newExtents(m, rt, strides)
		// Safety: the address is only handed on; Metal reads or writes the checked number of bytes during the message, and
		// they are pinned until then.
		send(m, id, o, d, s, uintptr(unsafe.Pointer(unsafe.SliceData(bytes))))
		for _, e := range []objc.ID{o, d, s} {
			objc.Release(e)
		}
	})
	runtime.KeepAlive(t)
	return nil
}

// checkSlice holds a slice to the tensor's dimensions.
func (t *Tensor) checkSlice(op string, origin, dimensions []int) error {
	rank := len(t.desc.Dimensions)
	if len(origin) != rank || len(dimensions) != rank {
		return argument(op, "slice", strconv.Itoa(rank)+" dimensions, as the tensor has", strconv.Itoa(len(origin))+" and "+strconv.Itoa(len(dimensions)))
	}
	for i, n := range t.desc.Dimensions {
		if dimensions[i] < 1 || dimensions[i] > n || origin[i] < 0 || origin[i] > n-dimensions[i] {
			return argument(op, "slice", "1 or more elements inside the "+strconv.Itoa(n)+" of dimension "+strconv.Itoa(i),
				strconv.Itoa(dimensions[i])+" from "+strconv.Itoa(origin[i]))
		}
	}
	return nil
}

// CopyTensor copies a slice of src, dimensions elements from srcOrigin on, to dst from dstOrigin on. Both have as many dimensions and the
// same data type.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4computecommandencoder/copy(sourcetensor:sourceorigin:sourcedimensions:destinationtensor:destinationorigin:destinationdimensions:)
func (e *MTL4ComputeCommandEncoder) CopyTensor(src *Tensor, srcOrigin []int, dst *Tensor, dstOrigin, dimensions []int) {
	const op = "MTL4ComputeCommandEncoder.CopyTensor"
	if !e.usable(op) {
		return
	}
	from, err := objectOf(op, "source", e.Device(), src)
	if !e.check(err) {
		return
	}
	to, err := objectOf(op, "destination", e.Device(), dst)
	if !e.check(err) || !e.check(src.checkSlice(op, srcOrigin, dimensions)) || !e.check(dst.checkSlice(op, dstOrigin, dimensions)) {
		return
	}
	if src.desc.DataType != dst.desc.DataType {
		e.fail(intArgument(op, "destination", "the source's data type, "+strconv.Itoa(int(src.desc.DataType)), int(dst.desc.DataType)))
		return
	}
	e.buffer.keep(&src.handle)
	e.buffer.keep(&dst.handle)
	rt := e.Device().runtime
	rt.Pool(func() {
		s, d, n := newExtents(e.msg, rt, srcOrigin), newExtents(e.msg, rt, dstOrigin), newExtents(e.msg, rt, dimensions)
		e.msg.Send(e.object(), selCopyFromTensor, uintptr(from), uintptr(s), uintptr(n), uintptr(to), uintptr(d), uintptr(n))
		for _, x := range []objc.ID{s, d, n} {
			objc.Release(x)
		}
	})
	runtime.KeepAlive(e)
}
