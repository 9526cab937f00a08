package mtl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestKernelsOfTheSoftwareDeviceFollowNoAddressesInMemory(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		_, err := d.NewArgumentEncoder(ArgumentDescriptor{DataType: DataTypePointer})
		isUnsupported(t, err, "Device.NewArgumentEncoder")
		l := must(d.NewLibraryWithSource("kernel void k(device int *a) { a[0] = 1; }", nil))(t)
		defer l.Release()
		f := must(l.NewFunction("k"))(t)
		defer f.Release()
		_, err = f.NewArgumentEncoder(0)
		isUnsupported(t, err, "Function.NewArgumentEncoder")
		_, err = f.NewArgumentEncoder(31)
		refused(t, err, "Function.NewArgumentEncoder", "index")
		_, err = d.NewArgumentEncoder()
		refused(t, err, "Device.NewArgumentEncoder", "arguments")
		_, err = d.NewArgumentEncoder(ArgumentDescriptor{Index: -1})
		refused(t, err, "Device.NewArgumentEncoder", "arguments")
		for src, position := range map[string]string{
			"struct A { device int *p; };\nkernel void k(constant A &a [[buffer(0)]]) { a.p[0] = 1; }":                "2:",
			"struct A { device int *p; };\nkernel void k(device A *a [[buffer(0)]]) { a[1].p[0] = 1; }":               "2:",
			"kernel void k(device int * device *a [[buffer(0)]]) { a[0][0] = 1; }":                                    "1:",
			"\nkernel void k(device ulong *a [[buffer(0)]]) { *reinterpret_cast<device int *>(a[0]) = 1; }":           "2:",
			"struct B { device int *p; };\nstruct A { B b[2]; };\nkernel void k(device A *a) { a->b[1].p[0] = 1; }\n": "3:",
		} {
			_, err := d.NewLibraryWithSource(src, nil)
			var e *CompileError
			if !errors.As(err, &e) || !strings.Contains(e.Text, "program_source:"+position) || !strings.Contains(e.Text, "not supported by the software Metal compiler") {
				t.Errorf("%q: %v", src, err)
			}
		}
	})
}

// encoded is what the encoder below was told.
var encoded []string

// argumentDevice is the class of a device with argument encoders.
var argumentDevice = sync.OnceValue(func() *objc.Class {
	number := func(n uintptr) objc.Method { return func(_ *objc.Object, m *objc.Msg) { m.Return(n) } }
	encoder := objc.Software().Register(objc.ClassDef{
		Name: "FakeArgumentEncoder",
		Instance: map[objc.SEL]objc.Method{
			selEncodedLength: number(24), selAlignment: number(8),
			selSetArgumentBuffer: func(_ *objc.Object, m *objc.Msg) { encoded = append(encoded, fmt.Sprint("into ", m.Arg(1))) },
			selSetBuffer: func(_ *objc.Object, m *objc.Msg) {
				encoded = append(encoded, fmt.Sprint("buffer ", m.Arg(1), m.Arg(2)))
			},
		},
	})
	return objc.Software().Register(objc.ClassDef{
		Name: "FakeArgumentDevice",
		Instance: map[objc.SEL]objc.Method{
			selNewArgumentEncoderWithArguments: func(_ *objc.Object, m *objc.Msg) { m.ReturnID(objc.NewObject(encoder, nil)) },
		},
	})
})

func TestAnArgumentEncoderWritesWhereItIsTold(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		encoded = nil
		into, b := newBuffer(t, d, 40), newBuffer(t, d, 16)
		defer into.Release()
		fake := objc.NewObject(argumentDevice(), nil)
		defer objc.Release(fake)
		e := newArgumentEncoder(d, objc.SendID(fake, selNewArgumentEncoderWithArguments, 0))
		if e.EncodedLength() != 24 || e.Alignment() != 8 || e.Device() != d {
			t.Errorf("length %d, alignment %d", e.EncodedLength(), e.Alignment())
		}
		const set, write = "ArgumentEncoder.SetArgumentBuffer", "ArgumentEncoder.SetBuffer"
		refused(t, e.SetBuffer(b, 0, 0), write, "argument buffer")
		refused(t, e.SetArgumentBuffer(nil, 0), set, "buffer")
		refused(t, e.SetArgumentBuffer(b, 0), set, "offset")
		refused(t, e.SetArgumentBuffer(into, 12), set, "offset")
		refused(t, e.SetArgumentBuffer(into, 24), set, "offset")
		for _, err := range []error{e.SetArgumentBuffer(into, 16), e.SetBuffer(b, 4, 2)} {
			if err != nil {
				t.Error(err)
			}
		}
		refused(t, e.SetBuffer(b, 16, 0), write, "offset")
		refused(t, e.SetBuffer(b, 0, -1), write, "index")
		b.Release()
		refused(t, e.SetBuffer(b, 0, 0), write, "buffer")
		if !slices.Equal(encoded, []string{"into 16", "buffer 4 2"}) {
			t.Errorf("the encoder was told %q", encoded)
		}
		e.Release()
		refused(t, e.SetArgumentBuffer(into, 0), set, "argument encoder")

		virtual := &Device{runtime: objc.Software(), name: paravirtual}
		own(virtual, &virtual.handle, objc.Retain(fake), drop)
		_, err := virtual.NewArgumentEncoder(ArgumentDescriptor{DataType: DataTypePointer})
		isUnsupported(t, err, paravirtual)
		virtual.Release()
	})
}
