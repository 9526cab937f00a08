//go:build darwin || objcnative

package objc

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// typedCall calls by purego.RegisterFunc with a Go function type made from the encoding. It allocates and is slow, so it serves
// only the few cold selectors that floats or results through x8 put out of reach of integer words, such as GPUStartTime.
type typedCall struct {
	sig    *signature
	method bool
	goType reflect.Type

	mu        sync.Mutex
	functions map[uintptr]reflect.Value // by C function
}

// newTypedCall refuses the shapes that purego v0.11.3 passes wrongly: it splits a small struct between the last register and the
// stack, and on arm64 puts the parts of a struct of integers and floats in registers of both kinds.
func newTypedCall(p *plan, sig *signature, method bool) (*typedCall, string) {
	if p.spilled {
		return nil, "a struct that no longer fits in registers together with floats"
	}
	var in, out []reflect.Type
	if method {
		in = append(in, reflect.TypeFor[uintptr](), reflect.TypeFor[uintptr]())
	}
	for i := range sig.args {
		t := goType(&sig.args[i])
		if t == nil {
			return nil, "a struct with padding or of integers and floats"
		}
		in = append(in, t)
	}
	if sig.result.kind != kindVoid {
		t := goType(&sig.result)
		if t == nil {
			return nil, "a struct with padding or of integers and floats"
		}
		out = append(out, t)
	}
	return &typedCall{
		sig: sig, method: method, goType: reflect.FuncOf(in, out, false),
		functions: make(map[uintptr]reflect.Value),
	}, ""
}

// goType is the Go type of a C type; nil for a struct with padding, which purego wants spelt out, and for
// one that it passes wrongly.
func goType(t *ctype) reflect.Type {
	switch t.kind {
	case kindFloat:
		if t.size == 4 {
			return reflect.TypeFor[float32]()
		}
		return reflect.TypeFor[float64]()
	case kindStruct:
		var fields []reflect.StructField
		end := 0
		for i, f := range t.fields {
			if f.offset != end || hostABI == aapcs && (f.kind == kindFloat) != (t.fields[0].kind == kindFloat) {
				return nil
			}
			end = f.offset + f.size
			fields = append(fields, reflect.StructField{Name: "F" + string(rune('A'+i)), Type: goType(&f.ctype)})
		}
		if end != t.size || len(fields) > 26 {
			return nil
		}
		return reflect.StructOf(fields)
	case kindInt:
		switch t.size {
		case 1:
			return reflect.TypeFor[int8]()
		case 2:
			return reflect.TypeFor[int16]()
		case 4:
			return reflect.TypeFor[int32]()
		}
		return reflect.TypeFor[int64]()
	}
	switch t.size {
	case 1:
		return reflect.TypeFor[uint8]()
	case 2:
		return reflect.TypeFor[uint16]()
	case 4:
		return reflect.TypeFor[uint32]()
	}
	return reflect.TypeFor[uintptr]()
}

func (c *typedCall) function(fn uintptr) reflect.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.functions[fn]
	if !ok {
		p := reflect.New(c.goType)
		purego.RegisterFunc(p.Interface(), fn)
		f = p.Elem()
		c.functions[fn] = f
	}
	return f
}

// call calls fn with the words in m. A word's low bytes are the value of a narrower type: both machines are little-endian.
func (c *typedCall) call(m *Msg, fn, self, selector uintptr) {
	var in []reflect.Value
	if c.method {
		in = append(in, reflect.ValueOf(self), reflect.ValueOf(selector))
	}
	f := filler{words: m.args[:]}
	word := 0
	for i := range c.sig.args {
		t := &c.sig.args[i]
		if t.kind != kindStruct && t.kind != kindFloat {
			m.args[word] = f.value(scalarPlace(t, word))
		}
		// args has room for the type: its words are what the encoding says.
		in = append(in, reflect.NewAt(c.goType.In(len(in)), unsafe.Pointer(&m.args[word])).Elem())
		word += t.words()
	}
	out := c.function(fn).Call(in)
	if len(out) == 0 {
		return
	}
	// result has room for the type: lower refuses longer ones.
	reflect.NewAt(out[0].Type(), unsafe.Pointer(&m.result)).Elem().Set(out[0])
	m.result[0] = normal(normalKind(&c.sig.result), m.result[0])
}
