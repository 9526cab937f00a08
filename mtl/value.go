package mtl

import (
	"reflect"
	"sync"
	"unsafe"
)

// SetValue gives a copy of *v, a number, array or struct of at most 4096 bytes, to [[buffer(index)]]. T's layout must be
// what the shader declares: Go pads and aligns as Metal does, but for Metal's vector types, which are aligned to their size
// (float3 to 16 bytes). T has no pointers, strings, slices or other references, and no int, uint or uintptr, whose
// size Metal does not know; otherwise the encoder fails. It allocates nothing after the first use of a T.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbytes(_:length:index:)
func SetValue[T any](e *ComputeCommandEncoder, v *T, index int) {
	const op = "SetValue"
	if !e.usable(op) {
		return
	}
	if v == nil {
		e.fail(argument(op, "value", "a pointer to a value", "nil"))
		return
	}
	t := reflect.TypeFor[T]()
	if at, ok := plain(t); !ok {
		e.fail(argument(op, "value", "a type of fixed-size numbers, arrays and structs", at))
		return
	}
	// Safety: v points to Sizeof(*v) bytes, which stay alive and in place while SetBytes copies them; they hold no
	// pointers, and any bytes may be read as bytes.
	e.SetBytes(unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)), index)
}

// plainTypes maps a reflect.Type that has been looked at to the place in it that is not plain, or "".
var plainTypes sync.Map

// plain reports whether values of t are their bytes, the same on CPU and GPU, and if not, where.
func plain(t reflect.Type) (at string, ok bool) {
	v, found := plainTypes.Load(t)
	if !found {
		v, _ = plainTypes.LoadOrStore(t, notPlain(t, t.String()))
	}
	at = v.(string)
	return at, at == ""
}

func notPlain(t reflect.Type, path string) string {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return ""
	case reflect.Array:
		return notPlain(t.Elem(), path+"[]")
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if at := notPlain(f.Type, path+"."+f.Name); at != "" {
				return at
			}
		}
		return ""
	}
	return path + ", a " + t.Kind().String()
}
