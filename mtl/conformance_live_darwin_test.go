package mtl

import (
	"testing"

	"github.com/ebitengine/purego"

	"github.com/puremetal/puremetal/mtl/internal/abi"
	"github.com/puremetal/puremetal/objc"
)

// The table against the classes of the running system: every selector that they answer has the encoding that the
// headers promise. Drivers declare their classes themselves, so qualifiers may differ; see plainEncoding.
func TestTheClassesOfThisSystemAreAsTheTableSays(t *testing.T) {
	var (
		selectorNamed func(name string) uintptr
		classOf       func(object uintptr) uintptr
		methodOf      func(class, selector uintptr) uintptr
		encodingOf    func(method uintptr) string
	)
	for name, f := range map[string]any{"sel_registerName": &selectorNamed, "object_getClass": &classOf,
		"class_getInstanceMethod": &methodOf, "method_getTypeEncoding": &encodingOf} {
		purego.RegisterLibFunc(f, purego.RTLD_DEFAULT, name)
	}
	checked := 0
	hold := func(typ string, id objc.ID) {
		for selector, m := range abi.Load().Inherited(typ) {
			if m.Class {
				continue
			}
			method := methodOf(classOf(uintptr(id)), selectorNamed(m.Selector))
			if method == 0 {
				continue // newer than this system, or forwarded
			}
			checked++
			if got := encodingOf(method); plainEncoding(got) != plainEncoding(m.Encoding) {
				t.Errorf("%s %s is %s here, %s in the table", typ, selector, got, m.Encoding)
			}
		}
	}

	each(t, func(t *testing.T, d *Device) {
		if d.IsSoftware() {
			return // held to the table in every other way
		}
		hold("MTLDevice", d.object())
		b := newBuffer(t, d, 64)
		defer b.Release()
		hold("MTLBuffer", b.object())
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		hold("MTLCommandQueue", q.object())
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		hold("MTLCommandBuffer", c.object())
		blit := must(c.NewBlitCommandEncoder())(t)
		hold("MTLBlitCommandEncoder", blit.object())
		if err := blit.EndEncoding(); err != nil {
			t.Error(err)
		}
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		hold("MTLComputeCommandEncoder", e.object())
		if err := e.EndEncoding(); err != nil {
			t.Error(err)
		}
		l := must(d.NewLibraryWithSource("kernel void k(device int* x [[buffer(0)]]) { x[0] = 1; }", nil))(t)
		defer l.Release()
		hold("MTLLibrary", l.object())
		f := must(l.NewFunction("k"))(t)
		defer f.Release()
		hold("MTLFunction", f.object())
		p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
		defer p.Release()
		hold("MTLComputePipelineState", p.object())
		for _, class := range []string{"MTLCompileOptions", "MTLComputePipelineDescriptor", "MTLFunctionConstantValues"} {
			d.runtime.Pool(func() {
				id := newObject(d.runtime, class)
				hold(class, id)
				objc.Release(id)
			})
		}
		if checked < 100 {
			t.Errorf("only %d selectors were found", checked)
		}
	})
}
