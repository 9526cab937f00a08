//go:build darwin || objcnative

package objc

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// libobjc is the native runtime: the C functions of libobjc that this package calls, and where to look for others.
type libobjc struct {
	libraries            []uintptr // handles, in the order in which symbols are looked for
	msgSend              uintptr
	msgSendStret         uintptr // amd64 only
	registerName         uintptr
	getClass             uintptr
	poolPush             uintptr
	poolPop              uintptr
	blockCopy            uintptr
	stackBlockClass      uintptr
	objectClass          uintptr
	methodImplementation uintptr
}

// native is the loaded runtime. It is set once, before the first native id can exist.
var native atomic.Pointer[libobjc]

var loadNativeOnce = sync.OnceValues(func() (*libobjc, error) {
	l := new(libobjc)
	for _, path := range nativeLibraries() {
		h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			return nil, &LoadError{path, err}
		}
		l.libraries = append(l.libraries, h)
	}
	for name, at := range map[string]*uintptr{
		"objc_msgSend":                  &l.msgSend,
		"sel_registerName":              &l.registerName,
		"objc_getClass":                 &l.getClass,
		"objc_autoreleasePoolPush":      &l.poolPush,
		"objc_autoreleasePoolPop":       &l.poolPop,
		"_Block_copy":                   &l.blockCopy,
		"_NSConcreteStackBlock":         &l.stackBlockClass,
		"object_getClass":               &l.objectClass,
		"class_getMethodImplementation": &l.methodImplementation,
	} {
		if *at = l.symbol(name); *at == 0 {
			return nil, &LoadError{name, &NotFoundError{"function", name}}
		}
	}
	if hostABI == sysv {
		if l.msgSendStret = l.symbol("objc_msgSend_stret"); l.msgSendStret == 0 {
			return nil, &LoadError{"objc_msgSend_stret", &NotFoundError{"function", "objc_msgSend_stret"}}
		}
	}
	native.Store(l)
	return l, nil
})

func loadNative() (implementation, error) {
	l, err := loadNativeOnce()
	if err != nil {
		return nil, err
	}
	return l, nil
}

// LoadError says why the native runtime could not be loaded.
type LoadError struct {
	What string // library or symbol
	Err  error
}

func (e *LoadError) Error() string { return "objc: loading " + e.What + ": " + e.Err.Error() }
func (e *LoadError) Unwrap() error { return e.Err }

// symbol looks for a symbol in all libraries; 0 if it is in none.
func (l *libobjc) symbol(name string) uintptr {
	for _, h := range l.libraries {
		if p, err := purego.Dlsym(h, name); err == nil && p != 0 {
			return p
		}
	}
	return 0
}

// call1 calls a C function of at most one argument without allocating.
func (l *libobjc) call1(fn, argument uintptr) uintptr {
	m := msgs.Get().(*Msg)
	m.frame[0] = argument
	r, _, _ := purego.SyscallN(fn, m.frame[:1]...)
	msgs.Put(m)
	return r
}

// callString calls a C function with a C string.
func (l *libobjc) callString(fn uintptr, s string) uintptr {
	b := append([]byte(s), 0)
	r, _, _ := purego.SyscallN(fn, uintptr(unsafe.Pointer(&b[0])))
	return r
}

func (l *libobjc) class(name string) ID { return ID(l.callString(l.getClass, name)) }

func (l *libobjc) push() uintptr { return l.call1(l.poolPush, 0) }

func (l *libobjc) pop(token uintptr) { l.call1(l.poolPop, token) }

func (l *libobjc) constant(name string) (ID, error) {
	p := l.symbol(name)
	if p == 0 {
		return 0, &NotFoundError{"constant", name}
	}
	return *(*ID)(pointer(p)), nil
}

func (l *libobjc) function(name string, sig signature) (func(m *Msg), error) {
	fn := l.symbol(name)
	if fn == 0 {
		return nil, &NotFoundError{"function", name}
	}
	c, reason := lowerCall(&sig, false)
	if reason == "" {
		reason = c.refused
	}
	if reason != "" {
		return nil, &ShapeError{Name: name, Reason: reason}
	}
	return func(m *Msg) { c.call(m, fn, 0) }, nil
}

func (l *libobjc) newString(s string) ID {
	m := msgs.Get().(*Msg)
	defer msgs.Put(m)
	// The arena of the record holds the bytes: alloc goes by another record.
	id := SendID(l.class("NSString"), selAlloc)
	return ID(m.Send(id, selInitWithBytes, m.Bytes([]byte(s)), uintptr(len(s)), utf8Encoding))
}
