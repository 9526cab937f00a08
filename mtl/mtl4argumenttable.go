package mtl

import (
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/puremetal/puremetal/objc"
)

// MTL4ArgumentTableDescriptor says how to make an argument table.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttabledescriptor
type MTL4ArgumentTableDescriptor struct {
	Label              string // for tools
	MaxBufferBindCount int    // buffers, addresses and tensors that it can bind, 0 to 31; indices below it
	InitializeBindings bool   // bind null at first; otherwise what is not set is undefined
}

// MTL4ArgumentTable is what dispatches of Metal 4 take their [[buffer(n)]] arguments from: a dispatch takes those that the table has
// when it is encoded. It belongs to one goroutine. macOS 26.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable
type MTL4ArgumentTable struct {
	handle
	device  *Device
	label   string
	bound   []*handle // what is bound, kept reachable; nil for nothing or an address
	version uint64    // changes with what is bound; no two tables have the same
}

var argumentTableVersion atomic.Uint64

// NewMTL4ArgumentTable makes an argument table. It fails with ErrUnsupported before macOS 26 and on devices without Metal 4, with an
// *Error, or with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeargumenttable(descriptor:)
func (d *Device) NewMTL4ArgumentTable(desc *MTL4ArgumentTableDescriptor) (*MTL4ArgumentTable, error) {
	const op = "Device.NewMTL4ArgumentTable"
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	if n := desc.MaxBufferBindCount; n < 0 || n > maxBuffers {
		return nil, intArgument(op, "MaxBufferBindCount", "0 to 31", n)
	}
	made, err := d.makes(op, selNewArgumentTable, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		o := newLabelled(d.runtime, "MTL4ArgumentTableDescriptor", desc.Label)
		defer objc.Release(o)
		objc.Send(o, selSetMaxBufferBindCount, uintptr(desc.MaxBufferBindCount))
		objc.Send(o, selSetInitializeBindings, bit(desc.InitializeBindings))
		return madeOrFailed(op, m, objc.ID(m.Send(id, selNewArgumentTable, uintptr(o), m.Out(0))))
	})
	if err != nil {
		return nil, err
	}
	t := &MTL4ArgumentTable{device: d, label: desc.Label, bound: make([]*handle, desc.MaxBufferBindCount), version: argumentTableVersion.Add(1)}
	own(t, &t.handle, made, drop)
	return t, nil
}

// Release lets go of the table. Command buffers that use it keep it until they have completed.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (t *MTL4ArgumentTable) Release() { t.release() }

// Device is the device that made the table.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable/device
func (t *MTL4ArgumentTable) Device() *Device { return t.device }

func (t *MTL4ArgumentTable) from() *Device { return t.device }

// Label is the descriptor's.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable/label
func (t *MTL4ArgumentTable) Label() string { return t.label }

// SetBuffer binds a buffer, from a byte offset on, to [[buffer(index)]]. Its memory is to be resident when the work runs; see
// ResidencySet. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable/setaddress(_:index:)
func (t *MTL4ArgumentTable) SetBuffer(b *Buffer, offset, index int) error {
	const op = "MTL4ArgumentTable.SetBuffer"
	if err := t.check(op, index); err != nil {
		return err
	}
	if _, err := objectOf(op, "buffer", t.device, b); err != nil {
		return err
	}
	if offset < 0 || offset >= b.length {
		return intArgument(op, "offset", "0 to "+strconv.Itoa(b.length-1)+", inside the buffer", offset)
	}
	t.setAddress(b.GPUAddress()+uint64(offset), index)
	t.bind(&b.handle, index)
	return nil
}

// SetAddress binds an address on the device, such as Buffer.GPUAddress gives, to [[buffer(index)]]; 0 binds nothing. What is at
// the address is for the program to keep. It fails with an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable/setaddress(_:index:)
func (t *MTL4ArgumentTable) SetAddress(address uint64, index int) error {
	if err := t.check("MTL4ArgumentTable.SetAddress", index); err != nil {
		return err
	}
	t.setAddress(address, index)
	t.bind(nil, index)
	return nil
}

// SetTensor binds a tensor to [[buffer(index)]]. Its memory is to be resident when the work runs; see ResidencySet. It fails with an
// *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtl4argumenttable/setresource(_:bufferindex:)
func (t *MTL4ArgumentTable) SetTensor(x *Tensor, index int) error {
	const op = "MTL4ArgumentTable.SetTensor"
	if err := t.check(op, index); err != nil {
		return err
	}
	if _, err := objectOf(op, "tensor", t.device, x); err != nil {
		return err
	}
	t.send(selSetResource, uintptr(x.resourceID), uintptr(index))
	t.bind(&x.handle, index)
	return nil
}

func (t *MTL4ArgumentTable) setAddress(address uint64, index int) {
	t.send(selSetAddress, uintptr(address), uintptr(index))
}

func (t *MTL4ArgumentTable) bind(h *handle, index int) {
	t.bound[index] = h
	t.version = argumentTableVersion.Add(1)
	runtime.KeepAlive(t)
}

func (t *MTL4ArgumentTable) check(op string, index int) error {
	if t.object() == 0 {
		return releasedArgument(op, "argument table")
	}
	if index < 0 || index >= len(t.bound) {
		return intArgument(op, "index", "one below the descriptor's MaxBufferBindCount, "+strconv.Itoa(len(t.bound)), index)
	}
	return nil
}
