package objc

import "fmt"

// UnrecognizedSelector is what Send panics with when a software object has no method for the message.
type UnrecognizedSelector struct {
	Class       string
	Selector    string
	ClassMethod bool // sent to the class itself
}

func (e *UnrecognizedSelector) Error() string {
	sign := '-'
	if e.ClassMethod {
		sign = '+'
	}
	return fmt.Sprintf("objc: %c[%s %s]: unrecognized selector", sign, e.Class, e.Selector)
}

// ReleasedObject is what Send and its kin panic with when a software object no longer exists.
type ReleasedObject struct {
	Class    string // of the last object that had the id's place
	Selector string
}

func (e *ReleasedObject) Error() string {
	return fmt.Sprintf("objc: [%s %s]: the object has been released", e.Class, e.Selector)
}

func released(id ID, what string) *ReleasedObject {
	e := &ReleasedObject{"?", what}
	if s := objects.slot(id); s != nil {
		if c := s.last.Load(); c != nil {
			e.Class = c.name
		}
	}
	return e
}

// UnknownObject is what Send panics with when an id belongs to no runtime of the process.
type UnknownObject struct{ ID ID }

func (e *UnknownObject) Error() string {
	return fmt.Sprintf("objc: %#x is not an object of any runtime", uintptr(e.ID))
}

// RangeError is what Send panics with when an index lies outside a software collection.
type RangeError struct {
	Class, Selector string
	Index           uint64
	Count           int
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("objc: -[%s %s]: index %d of %d", e.Class, e.Selector, e.Index, e.Count)
}
