package mtl

import (
	"runtime"
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// paravirtual is the GPU of a virtual machine. Its argument encoders stop the program, whatever it says that it responds to.
const paravirtual = "Apple Paravirtual device"

// ArgumentDescriptor describes a member of an argument buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentdescriptor
type ArgumentDescriptor struct {
	DataType               DataType // DataTypePointer for a buffer
	Index                  int      // its [[id(index)]]
	ArrayLength            int      // elements of an array; 0 for none
	Access                 BindingAccess
	ConstantBlockAlignment int // bytes; 0 for the type's own
}

// ArgumentEncoder writes references to buffers into memory, as kernels find them in an argument buffer. Where
// Buffer.GPUAddress is to be had, writing the address does the same without an encoder. The software device has no encoders, and
// its compiler refuses kernels that follow pointers in memory. It belongs to one goroutine.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder
type ArgumentEncoder struct {
	handle
	device *Device
	length int
	align  int
	target *Buffer // nil: none yet
}

// NewArgumentEncoder makes an encoder for members that are described. It fails with ErrUnsupported or an *ArgumentError.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makeargumentencoder(arguments:)
func (d *Device) NewArgumentEncoder(arguments ...ArgumentDescriptor) (*ArgumentEncoder, error) {
	const op = "Device.NewArgumentEncoder"
	if len(arguments) == 0 {
		return nil, intArgument(op, "arguments", "1 or more", 0)
	}
	for _, a := range arguments {
		if a.Index < 0 || a.ArrayLength < 0 || a.ConstantBlockAlignment < 0 {
			return nil, argument(op, "arguments", "index, array length and alignment of 0 or more",
				strconv.Itoa(a.Index)+", "+strconv.Itoa(a.ArrayLength)+" and "+strconv.Itoa(a.ConstantBlockAlignment))
		}
	}
	if err := d.encodesArguments(op); err != nil {
		return nil, err
	}
	made, err := d.makes(op, selNewArgumentEncoderWithArguments, func(m *objc.Msg, id objc.ID) (objc.ID, error) {
		ids := make([]objc.ID, len(arguments))
		for i, a := range arguments {
			ids[i] = newObject(d.runtime, "MTLArgumentDescriptor")
			defer objc.Release(ids[i])
			objc.Send(ids[i], selSetDataType, uintptr(a.DataType))
			objc.Send(ids[i], selSetIndex, uintptr(a.Index))
			objc.Send(ids[i], selSetArrayLength, uintptr(a.ArrayLength))
			objc.Send(ids[i], selSetAccess, uintptr(a.Access))
			objc.Send(ids[i], selSetConstantBlockAlignment, uintptr(a.ConstantBlockAlignment))
		}
		return objc.ID(m.Send(id, selNewArgumentEncoderWithArguments, uintptr(newArray(d.runtime, ids)))), nil
	})
	if err != nil {
		return nil, err
	}
	return newArgumentEncoder(d, made), nil
}

// NewArgumentEncoder makes an encoder for the argument buffer that the function takes at [[buffer(index)]]. It fails with
// ErrUnsupported or an *ArgumentError. Metal stops the program if there is no argument buffer at that index.
//
// Reference: https://developer.apple.com/documentation/metal/mtlfunction/makeargumentencoder(bufferindex:)
func (f *Function) NewArgumentEncoder(index int) (*ArgumentEncoder, error) {
	const op = "Function.NewArgumentEncoder"
	id := f.object()
	if id == 0 {
		return nil, releasedArgument(op, "function")
	}
	if index < 0 || index >= maxBuffers {
		return nil, intArgument(op, "index", "0 to 30", index)
	}
	if err := f.device.encodesArguments(op); err != nil {
		return nil, err
	}
	if err := needs(op, id, selNewArgumentEncoderWithBufferIndex); err != nil {
		return nil, err
	}
	var made objc.ID
	f.device.runtime.Pool(func() { made = objc.SendID(id, selNewArgumentEncoderWithBufferIndex, uintptr(index)) })
	runtime.KeepAlive(f)
	if made == 0 {
		return nil, ErrOutOfMemory
	}
	return newArgumentEncoder(f.device, made), nil
}

// encodesArguments gives ErrUnsupported for devices without argument encoders.
func (d *Device) encodesArguments(op string) error {
	id, err := d.live(op)
	if err != nil {
		return err
	}
	if d.name == paravirtual {
		return unsupported(op, "argument encoders of "+paravirtual)
	}
	return needs(op, id, selNewArgumentEncoderWithArguments)
}

// newArgumentEncoder takes over the caller's reference to id.
func newArgumentEncoder(d *Device, id objc.ID) *ArgumentEncoder {
	e := &ArgumentEncoder{device: d, length: int(objc.Send(id, selEncodedLength)), align: int(objc.Send(id, selAlignment))}
	own(e, &e.handle, id, drop)
	return e
}

// Release lets go of the encoder. What it has written stays.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (e *ArgumentEncoder) Release() { e.release() }

// Device is the device that made the encoder.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder/device
func (e *ArgumentEncoder) Device() *Device { return e.device }

// EncodedLength is how many bytes the arguments take.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder/encodedlength
func (e *ArgumentEncoder) EncodedLength() int { return e.length }

// Alignment is what the offset of the arguments in a buffer is a multiple of.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder/alignment
func (e *ArgumentEncoder) Alignment() int { return e.align }

// SetArgumentBuffer chooses where the arguments are written: a buffer from a byte offset on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder/setargumentbuffer(_:offset:)
func (e *ArgumentEncoder) SetArgumentBuffer(b *Buffer, offset int) error {
	const op = "ArgumentEncoder.SetArgumentBuffer"
	id := e.object()
	if id == 0 {
		return releasedArgument(op, "argument encoder")
	}
	target, err := objectOf(op, "buffer", e.device, b)
	if err != nil {
		return err
	}
	if offset < 0 || e.align > 0 && offset%e.align != 0 || e.length > b.length || offset > b.length-e.length {
		return argument(op, "offset", "a multiple of "+strconv.Itoa(e.align)+" with "+strconv.Itoa(e.length)+" bytes behind it in the buffer of "+
			strconv.Itoa(b.length), strconv.Itoa(offset))
	}
	e.target = b
	objc.Send(id, selSetArgumentBuffer, uintptr(target), uintptr(offset))
	runtime.KeepAlive(e)
	return nil
}

// SetBuffer writes a reference to b, from a byte offset on, to [[id(index)]]. Encoders that run kernels which follow it must be told
// by UseResource.
//
// Reference: https://developer.apple.com/documentation/metal/mtlargumentencoder/setbuffer(_:offset:index:)
func (e *ArgumentEncoder) SetBuffer(b *Buffer, offset, index int) error {
	const op = "ArgumentEncoder.SetBuffer"
	id := e.object()
	switch {
	case id == 0:
		return releasedArgument(op, "argument encoder")
	case e.target == nil:
		return argument(op, "argument buffer", "one set with SetArgumentBuffer", "none")
	case e.target.object() == 0:
		return releasedArgument(op, "argument buffer")
	case index < 0:
		return intArgument(op, "index", "0 or more", index)
	}
	buffer, err := objectOf(op, "buffer", e.device, b)
	if err != nil {
		return err
	}
	if offset < 0 || offset >= b.length {
		return intArgument(op, "offset", "0 to "+strconv.Itoa(b.length-1)+", inside the buffer", offset)
	}
	objc.Send(id, selSetBuffer, uintptr(buffer), uintptr(offset), uintptr(index))
	runtime.KeepAlive(b)
	runtime.KeepAlive(e)
	return nil
}
