package objc

import (
	"math"
	"sync"
	"sync/atomic"
)

// Object is a software object. State belongs to its class, which sees to its synchronisation.
type Object struct {
	ID      ID
	Class   *Class
	State   any
	methods methods
	refs    atomic.Int64
	isClass bool
}

// immortalRefs is the count of class objects and constants, which retain and release leave alone.
const immortalRefs = math.MinInt64

func (o *Object) immortal() { o.refs.Store(immortalRefs) }

// The object table: slots in chunks that never move. A slot holds the object that lives there, so a look-up is two atomic
// loads and a comparison of ids; an object's generation is part of its id.
const (
	objectChunk     = 1 << 12
	maxObjectChunks = 1 << 13
)

type slot struct {
	object atomic.Pointer[Object]
	last   atomic.Pointer[Class] // of the last object that lived here, to name it in a panic
}

type objectTable struct {
	chunks     [maxObjectChunks]atomic.Pointer[[objectChunk]slot]
	mu         sync.Mutex // guards the rest
	used       uint32     // slots ever used
	free       []uint32
	generation []uint32 // per slot
}

var objects objectTable

// slot gives the slot that an id names, nil if no object was ever there.
func (t *objectTable) slot(id ID) *slot {
	n := slotOf(id)
	if n >= objectChunk*maxObjectChunks {
		return nil
	}
	chunk := t.chunks[n/objectChunk].Load()
	if chunk == nil {
		return nil
	}
	return &chunk[n%objectChunk]
}

// find gives the live object of a software id, or nil.
func (t *objectTable) find(id ID) *Object {
	s := t.slot(id)
	if s == nil {
		return nil
	}
	if o := s.object.Load(); o != nil && o.ID == id {
		return o
	}
	return nil
}

// add gives o a slot and an id.
func (t *objectTable) add(o *Object) {
	t.mu.Lock()
	var n uint32
	if len(t.free) > 0 {
		n = t.free[len(t.free)-1]
		t.free = t.free[:len(t.free)-1]
	} else {
		if t.used == objectChunk*maxObjectChunks {
			t.mu.Unlock()
			panic("objc: more than 33554432 live software objects")
		}
		n = t.used
		if n%objectChunk == 0 {
			t.chunks[n/objectChunk].Store(new([objectChunk]slot))
		}
		t.generation = append(t.generation, 0)
		t.used++
	}
	t.generation[n]++
	o.ID = softwareID(n, t.generation[n])
	t.mu.Unlock()
	t.slot(o.ID).object.Store(o)
}

// remove takes o out of the table; its id is dead from then on.
func (t *objectTable) remove(o *Object) {
	s := t.slot(o.ID)
	s.last.Store(o.Class)
	s.object.Store(nil)
	t.mu.Lock()
	t.free = append(t.free, uint32(slotOf(o.ID)))
	t.mu.Unlock()
}

// NewObject makes an instance of a software class with a retain count of 1, which the caller owns.
func NewObject(class *Class, state any) ID { return newObject(class, state).ID }

func newObject(class *Class, state any) *Object {
	o := &Object{Class: class, State: state, methods: class.instance}
	o.refs.Store(1)
	objects.add(o)
	return o
}

// ObjectOf gives the object of a software id; nil for nil and for ids of another runtime. It panics with a [*ReleasedObject]
// if the object no longer exists.
func ObjectOf(id ID) *Object {
	if !isSoftware(id) {
		return nil
	}
	o := objects.find(id)
	if o == nil {
		panic(released(id, "ObjectOf"))
	}
	return o
}

// retain adds a reference; what names the message in a panic.
func (o *Object) retain(what string) {
	for {
		n := o.refs.Load()
		if n < 0 {
			return
		}
		if n == 0 {
			panic(&ReleasedObject{o.Class.name, what})
		}
		if o.refs.CompareAndSwap(n, n+1) {
			return
		}
	}
}

// release drops a reference, and the object with the last one.
func (o *Object) release() {
	for {
		n := o.refs.Load()
		if n < 0 {
			return
		}
		if n == 0 {
			panic(&ReleasedObject{o.Class.name, "release"})
		}
		if o.refs.CompareAndSwap(n, n-1) {
			if n == 1 {
				o.dealloc()
			}
			return
		}
	}
}

// dealloc runs the class's Dealloc and its superclasses' in turn, then forgets the object, even if one of them panics.
func (o *Object) dealloc() {
	defer objects.remove(o)
	for c := o.Class; c != nil; c = c.super {
		if c.dealloc != nil {
			c.dealloc(o)
		}
	}
}

// sendSoftware runs the method for m on a software object.
func sendSoftware(id ID, m *Msg) {
	o := objects.find(id)
	if o == nil {
		panic(released(id, m.sel.Name()))
	}
	t := tracing.Load()
	f := t.find(o, m.sel)
	if f == nil {
		panic(&UnrecognizedSelector{o.Class.name, m.sel.Name(), o.isClass})
	}
	if t != nil {
		t.send(o, f, m)
		return
	}
	f(o, m)
}

// LiveSoftwareObjects is the number of software objects that exist, class objects and constants not counted. For tests.
func LiveSoftwareObjects() int {
	n := 0
	for _, count := range LiveSoftwareObjectsByClass() {
		n += count
	}
	return n
}

// LiveSoftwareObjectsByClass counts the software objects that exist by their class. For tests.
func LiveSoftwareObjectsByClass() map[string]int {
	counts := make(map[string]int)
	for i := range objects.chunks {
		chunk := objects.chunks[i].Load()
		if chunk == nil {
			break
		}
		for j := range chunk {
			if o := chunk[j].object.Load(); o != nil && o.refs.Load() >= 0 {
				counts[o.Class.name]++
			}
		}
	}
	return counts
}
