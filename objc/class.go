package objc

import (
	"fmt"
	"sync"
)

// Method is a method of a software class: it reads its argument words from m and leaves its result there. It runs on the
// sender's goroutine and must not Send on m.
type Method func(self *Object, m *Msg)

// ClassDef defines a software class.
type ClassDef struct {
	Name     string
	Super    string         // "" is NSObject
	Instance map[SEL]Method // instance methods
	Class    map[SEL]Method // class methods; self is the class object
	Dealloc  func(*Object)  // called once when the last reference goes, before the superclass's; may be nil
}

// Class is a registered software class. It does not change.
type Class struct {
	name     string
	super    *Class
	object   *Object
	instance methods
	class    methods
	dealloc  func(*Object)
}

// methods maps a SEL to its method, inherited ones included; nil where there is none.
type methods []Method

func (t methods) find(s SEL) Method {
	if int(s) < len(t) {
		return t[s]
	}
	return nil
}

// extend gives t with more over it, in a new table.
func (t methods) extend(more map[SEL]Method) methods {
	n := len(t)
	for s := range more {
		n = max(n, int(s)+1)
	}
	all := make(methods, n)
	copy(all, t)
	for s, f := range more {
		all[s] = f
	}
	return all
}

// Name is the class's name.
func (c *Class) Name() string { return c.name }

// ID is the class object, to which class methods are sent.
func (c *Class) ID() ID { return c.object.ID }

// Super is the superclass, nil for NSObject.
func (c *Class) Super() *Class { return c.super }

// IsSubclassOf reports whether c is of or descends from it.
func (c *Class) IsSubclassOf(other *Class) bool {
	for ; c != nil; c = c.super {
		if c == other {
			return true
		}
	}
	return false
}

var classes struct {
	mu     sync.RWMutex
	byName map[string]*Class
}

// Register adds a class to the software runtime and panics if r is another runtime, the name is taken or the
// superclass unknown: classes are registered by package initialisation.
func (r Runtime) Register(def ClassDef) *Class {
	r.mustBeSoftware("Register")
	super := def.Super
	if super == "" {
		super = "NSObject"
	}
	parent := ClassOf(super)
	if parent == nil {
		panic(fmt.Sprintf("objc: class %s: no superclass %s", def.Name, super))
	}
	return register(def, parent)
}

// register adds a class with its superclass, nil for the root, whose instance methods class objects inherit.
func register(def ClassDef, parent *Class) *Class {
	c := &Class{name: def.Name, super: parent, dealloc: def.Dealloc}
	if parent == nil {
		c.instance = methods(nil).extend(def.Instance)
		c.class = c.instance.extend(def.Class)
	} else {
		c.instance = parent.instance.extend(def.Instance)
		c.class = parent.class.extend(def.Class)
	}
	classes.mu.Lock()
	defer classes.mu.Unlock()
	if classes.byName[def.Name] != nil {
		panic("objc: class " + def.Name + " is registered twice")
	}
	if classes.byName == nil {
		classes.byName = make(map[string]*Class)
	}
	c.object = &Object{Class: c, methods: c.class, isClass: true}
	c.object.immortal()
	objects.add(c.object)
	classes.byName[def.Name] = c
	return c
}

// Unregister takes the name of a class away from it, so that another may have it: for tests that register classes of their own.
// The class is to have no instances and no subclasses left.
func (r Runtime) Unregister(c *Class) {
	r.mustBeSoftware("Unregister")
	classes.mu.Lock()
	defer classes.mu.Unlock()
	if classes.byName[c.name] == c {
		delete(classes.byName, c.name)
	}
}

// ClassOf gives the software class of a name, nil if there is none.
func ClassOf(name string) *Class {
	classes.mu.RLock()
	defer classes.mu.RUnlock()
	return classes.byName[name]
}
