package mtl

import (
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/puremetal/puremetal/objc"
)

// Buffer is memory that kernels read and write. It is safe for concurrent use; who may touch its contents when is for the
// program to see to: not the CPU while a committed command buffer that uses them has not completed.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer
type Buffer struct {
	handle
	label
	device   *Device
	length   int
	options  ResourceOptions
	contents uintptr // 0 for private storage
	heap     *Heap   // nil if its memory is its own
}

// NewBuffer makes a buffer of length bytes, 1 to MaxBufferLength. It fails with an *ArgumentError or ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makebuffer(length:options:)
func (d *Device) NewBuffer(length int, o ResourceOptions) (*Buffer, error) {
	const op = "Device.NewBuffer"
	if err := d.checkBuffer(op, "length", length, o); err != nil {
		return nil, err
	}
	return d.newBuffer(op, length, o, func(m *objc.Msg, id objc.ID) uintptr {
		return m.Send(id, selNewBufferWithLength, uintptr(length), uintptr(o))
	})
}

// NewBufferWithBytes makes a shared buffer with a copy of b, which must not be empty. It fails with an *ArgumentError or
// ErrOutOfMemory.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytes:length:options:)
func (d *Device) NewBufferWithBytes(b []byte, o ResourceOptions) (*Buffer, error) {
	const op = "Device.NewBufferWithBytes"
	if err := d.checkBuffer(op, "bytes", len(b), o); err != nil {
		return nil, err
	}
	if o&storageModes == StorageModePrivate {
		return nil, argument(op, "options", "StorageModeShared: the CPU cannot fill private memory", o.String())
	}
	buf, err := d.NewBuffer(len(b), o)
	if err != nil {
		return nil, err
	}
	contents, err := Contents[byte](buf)
	if err != nil {
		return nil, err
	}
	copy(contents, b)
	return buf, nil
}

// NewBufferWithBytesNoCopy makes a shared buffer of memory that the caller has: a mapped file, or memory from the system, not
// Go's heap. mem must start at a page and be whole pages long. release, which may be nil, is called once, on any
// goroutine, when neither the buffer nor a command buffer uses mem any more. It fails with an *ArgumentError or
// ErrOutOfMemory, and then release is not called.
//
// Reference: https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytesnocopy:length:options:deallocator:)
func (d *Device) NewBufferWithBytesNoCopy(mem []byte, o ResourceOptions, release func()) (*Buffer, error) {
	const op = "Device.NewBufferWithBytesNoCopy"
	if err := d.checkBuffer(op, "mem", len(mem), o); err != nil {
		return nil, err
	}
	if o&storageModes != StorageModeShared {
		return nil, argument(op, "options", "StorageModeShared", o.String())
	}
	page := uintptr(os.Getpagesize())
	// Safety: the address is only computed with here and handed to the device; the deallocator's closure holds mem, so the
	// memory lives, if it is Go's at all, until the device says that it is done with it.
	address := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	if address%page != 0 || uintptr(len(mem))%page != 0 {
		return nil, argument(op, "mem", "whole pages of "+strconv.Itoa(int(page))+" bytes",
			strconv.Itoa(len(mem))+" bytes at offset "+strconv.Itoa(int(address%page))+" of a page")
	}
	done := func([]objc.ID) {
		clear(mem[:0]) // holds mem
		if release != nil {
			release()
		}
	}
	return d.newBuffer(op, len(mem), o, func(m *objc.Msg, id objc.ID) uintptr {
		block := d.runtime.NewBlock(2, done)
		r := m.Send(id, selNewBufferWithBytesNoCopy, address, uintptr(len(mem)), uintptr(o), uintptr(block))
		objc.Release(block)
		return r
	})
}

func (d *Device) checkBuffer(op, arg string, length int, o ResourceOptions) error {
	if _, err := d.live(op); err != nil {
		return err
	}
	if length < 1 || length > d.maxBufferLength {
		return intArgument(op, arg, "1 to "+strconv.Itoa(d.maxBufferLength)+" bytes", length)
	}
	if o&^resourceOptions != 0 || o&hazardModes == hazardModes {
		return argument(op, "options", "a combination of this package's constants", o.String()+" ("+strconv.Itoa(int(o))+")")
	}
	return nil
}

func (d *Device) newBuffer(op string, length int, o ResourceOptions, send func(m *objc.Msg, id objc.ID) uintptr) (*Buffer, error) {
	id, err := d.live(op)
	if err != nil {
		return nil, err
	}
	b := d.adopt(length, o, func(m *objc.Msg) uintptr { return send(m, id) })
	runtime.KeepAlive(d)
	if b == nil {
		return nil, ErrOutOfMemory
	}
	return b, nil
}

// adopt takes over the buffer that send's message makes, nil if it makes none.
func (d *Device) adopt(length int, o ResourceOptions, send func(m *objc.Msg) uintptr) *Buffer {
	var b *Buffer
	m := messages.Get().(*objc.Msg)
	d.runtime.Pool(func() {
		made := objc.ID(send(m))
		if made == 0 {
			return
		}
		b = &Buffer{device: d, length: length, options: o}
		own(b, &b.handle, made, drop)
		if o&storageModes == StorageModeShared {
			b.contents = m.Send(made, selContents)
		}
	})
	messages.Put(m)
	return b
}

// Release lets go of the buffer. Command buffers that use it keep its memory until they have completed; slices from
// Contents must not be used any more.
//
// Reference: https://developer.apple.com/documentation/objectivec/1418956-nsobject/release
func (b *Buffer) Release() { b.release() }

// Device is the device that made the buffer.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/device
func (b *Buffer) Device() *Device { return b.device }

// Length is the buffer's length in bytes.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/length
func (b *Buffer) Length() int { return b.length }

// StorageMode is StorageModeShared or StorageModePrivate.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/storagemode
func (b *Buffer) StorageMode() ResourceOptions { return b.options & storageModes }

// GPUAddress is the buffer's address on the device, for kernels that follow addresses in memory; 0 where the system cannot tell (before
// macOS 13) or once released.
//
// Reference: https://developer.apple.com/documentation/metal/mtlbuffer/gpuaddress
func (b *Buffer) GPUAddress() uint64 {
	if id := b.object(); id == 0 || !objc.Responds(id, selGPUAddress) {
		return 0
	}
	return uint64(b.send(selGPUAddress))
}

// SetLabel names the buffer for tools and error texts.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (b *Buffer) SetLabel(s string) { b.label.set(&b.handle, s) }

// Label is the name given by SetLabel.
//
// Reference: https://developer.apple.com/documentation/metal/mtlresource/label
func (b *Buffer) Label() string { return b.label.get() }
