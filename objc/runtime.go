package objc

import "runtime"

// Runtime is one of the runtimes of the process: the native or the software one. Comparable; the zero Runtime is none.
// Safe for concurrent use.
type Runtime struct{ impl implementation }

type implementation interface {
	class(name string) ID
	function(name string, sig signature) (func(m *Msg), error)
	constant(name string) (ID, error)
	push() uintptr
	pop(token uintptr)
	newString(s string) ID
	newBlock(args int, f func(args []ID)) ID
}

// Software gives the software runtime, which every process has.
func Software() Runtime { return Runtime{software{}} }

// Native gives the Objective-C runtime of the system, loaded at the first call, or an error where there is none.
func Native() (Runtime, error) {
	impl, err := loadNative()
	if err != nil {
		return Runtime{}, err
	}
	return Runtime{impl}, nil
}

// RuntimeOf gives the runtime that an object belongs to; the zero Runtime for nil.
func RuntimeOf(id ID) Runtime {
	switch {
	case id == 0:
		return Runtime{}
	case isSoftware(id):
		return Software()
	}
	r, _ := Native()
	return r
}

func (r Runtime) mustBeSoftware(what string) {
	if r != Software() {
		panic("objc: " + what + " is for the software runtime")
	}
}

// Class gives the class object of a name, 0 if there is none.
func (r Runtime) Class(name string) ID { return r.impl.class(name) }

// Func is a C function of a runtime. Safe for concurrent use.
type Func struct {
	name string
	sig  signature
	call func(m *Msg)
}

// Func looks up a C function, such as MTLCreateSystemDefaultDevice with encoding "@": the result's type, then the arguments'.
// The error is a [*NotFoundError] or an [*EncodingError].
func (r Runtime) Func(name, encoding string) (Func, error) {
	sig, err := parseFunction(encoding)
	if err != nil {
		return Func{}, err
	}
	call, err := r.impl.function(name, sig)
	return Func{name, sig, call}, err
}

// Call calls the function with its argument words and gives the first word of its result. It panics with a [*WordsError] if the
// number of words is not the function's.
func (f Func) Call(words ...uintptr) uintptr {
	if len(words) != f.sig.words {
		panic(&WordsError{f.name, f.sig.words, len(words)})
	}
	m := msgs.Get().(*Msg)
	copy(m.args[:], words)
	m.sel, m.sent = 0, true
	m.result = [maxResult]uintptr{}
	f.call(m)
	r := m.result[0]
	msgs.Put(m)
	return r
}

// Constant gives the object in an exported global such as MTLCommandBufferErrorDomain. It is not to be released.
func (r Runtime) Constant(name string) (ID, error) { return r.impl.constant(name) }

// Pool runs f with an autorelease pool around it, which is drained when f returns or panics. Pools belong to an OS
// thread, so the goroutine is locked to its thread meanwhile. Pools nest.
func (r Runtime) Pool(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	token := r.impl.push()
	defer r.impl.pop(token)
	f()
}

// NewString makes an NSString, which the caller owns.
func (r Runtime) NewString(s string) ID { return r.impl.newString(s) }

// NewBlock makes a block of args object or pointer arguments (0 to 4) without result that calls f, to be passed as a
// completion handler. The caller owns it. f may be called on any thread, any number of times until the block is disposed of; args belongs to f
// only while it runs. f is let go of when the block is disposed.
func (r Runtime) NewBlock(args int, f func(args []ID)) ID {
	if args < 0 || args > maxBlockArgs {
		panic("objc: a block has 0 to 4 arguments")
	}
	return r.impl.newBlock(args, f)
}

const maxBlockArgs = 4

// NotFoundError says that a runtime has no class, function or constant of a name.
type NotFoundError struct {
	Kind, Name string // "function" or "constant"
}

func (e *NotFoundError) Error() string { return "objc: no " + e.Kind + " " + e.Name }

var (
	selRetain   = Sel("retain", "@@:")
	selRelease  = Sel("release", "Vv@:")
	selResponds = Sel("respondsToSelector:", "B@::")
)

// Retain adds a reference to an object and gives it back. Nil is left alone. Safe for concurrent use.
func Retain(id ID) ID {
	if isSoftware(id) {
		liveObject(id, "retain").retain("retain")
	} else if id != 0 {
		Send(id, selRetain)
	}
	return id
}

// Release drops a reference to an object. Nil is left alone. Safe for concurrent use.
func Release(id ID) {
	if isSoftware(id) {
		liveObject(id, "release").release()
	} else if id != 0 {
		Send(id, selRelease)
	}
}

func liveObject(id ID, what string) *Object {
	o := objects.find(id)
	if o == nil {
		panic(released(id, what))
	}
	return o
}

// Responds reports whether an object has a method for a selector.
func Responds(id ID, sel SEL) bool {
	if isSoftware(id) {
		return tracing.Load().find(liveObject(id, "respondsToSelector:"), sel) != nil
	}
	return SendBool(id, selResponds, uintptr(sel))
}
