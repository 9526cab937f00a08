package objc

import (
	"maps"
	"runtime"
	"strings"
	"sync/atomic"
)

// Trace looks on at the software runtime and can make it seem older than it is. For tests, of one that does not run beside others.
type Trace struct {
	// Sent is called on the sender's goroutine after each message to a software object; nil for none.
	Sent func(Delivery)
	// Hide makes a class not have a selector, for Responds as for senders, who panic with an [*UnrecognizedSelector].
	Hide func(c *Class, sel SEL) bool
	// HideClass makes a class not exist for those who look it up by name.
	HideClass func(name string) bool
}

// Delivery is a message that a software object has answered.
type Delivery struct {
	Receiver ID
	Class    *Class
	ToClass  bool // the receiver is the class object
	Selector SEL
	Words    []uintptr // the arguments
	Result   []uintptr
	// Owes is the number of references to an object result that the message gave away: 1 if the sender owns it, 0 if it
	// was autoreleased or stays another's.
	Owes   int
	Sender string // the function that sent it, outside this package: "github.com/puremetal/puremetal/mtl.newDevice"
}

var tracing atomic.Pointer[Trace]

// SetTrace puts t in place, nil for none, and gives a function that puts back what was there.
func SetTrace(t *Trace) (restore func()) {
	before := tracing.Swap(t)
	return func() { tracing.Store(before) }
}

// find gives the method of an object as t lets it be seen.
func (t *Trace) find(o *Object, sel SEL) Method {
	if t != nil && t.Hide != nil && t.Hide(o.Class, sel) {
		return nil
	}
	return o.methods.find(sel)
}

// send runs the method f for m on o and tells Sent.
func (t *Trace) send(o *Object, f Method, m *Msg) {
	if t.Sent == nil {
		f(o, m)
		return
	}
	// The pools that are looked at are this thread's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sig := m.sel.info().sig
	words := append([]uintptr(nil), m.args[:sig.words]...)
	d := Delivery{Receiver: o.ID, Class: o.Class, ToClass: o.isClass, Selector: m.sel, Words: words, Sender: sender()}
	before, pooled := references(), autoreleased()
	f(o, m)
	n := max(sig.result.words(), 1)
	d.Result = append([]uintptr(nil), m.result[:min(n, maxResult)]...)
	if id := ID(m.result[0]); strings.HasPrefix(strings.TrimLeft(m.sel.Encoding(), "rV"), "@") && isSoftware(id) {
		now := references()[id]
		if now > 0 { // neither a class nor a constant
			d.Owes = int(now-before[id]) - (autoreleased()[id] - pooled[id])
		}
	}
	t.Sent(d)
}

// references gives the reference counts of all objects.
func references() map[ID]int64 {
	counts := make(map[ID]int64)
	for i := range objects.chunks {
		chunk := objects.chunks[i].Load()
		if chunk == nil {
			break
		}
		for j := range chunk {
			if o := chunk[j].object.Load(); o != nil {
				counts[o.ID] = o.refs.Load()
			}
		}
	}
	return counts
}

// autoreleased counts the objects in this thread's pools.
func autoreleased() map[ID]int {
	counts := make(map[ID]int)
	pools.mu.RLock()
	s := pools.threads[threadID()]
	pools.mu.RUnlock()
	if s != nil {
		s.turn.Load()
		for _, p := range s.pools {
			for _, id := range p {
				counts[id]++
			}
		}
		s.turn.Add(1)
	}
	return counts
}

// sender names the innermost function on the stack that is not of this package.
func sender() string {
	const here = "github.com/puremetal/puremetal/objc."
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, here) || !more {
			return f.Function
		}
	}
}

// Classes gives the software classes by name. For tests.
func Classes() map[string]*Class {
	classes.mu.RLock()
	defer classes.mu.RUnlock()
	return maps.Clone(classes.byName)
}

// Selectors gives what instances of the class, and the class object itself, answer; inherited selectors included. For tests.
func (c *Class) Selectors() (instance, class []SEL) {
	return c.instance.selectors(), c.class.selectors()
}

func (t methods) selectors() []SEL {
	var all []SEL
	for s, f := range t {
		if f != nil {
			all = append(all, SEL(s))
		}
	}
	return all
}

// SoftwareExports gives the encodings of the C functions, and the names of the constants, of the software runtime. For tests.
func SoftwareExports() (functions map[string]string, constants []string) {
	registered.mu.RLock()
	defer registered.mu.RUnlock()
	functions = make(map[string]string)
	for name, f := range registered.functions {
		functions[name] = f.encoding
	}
	for name := range registered.constants {
		constants = append(constants, name)
	}
	return functions, constants
}
