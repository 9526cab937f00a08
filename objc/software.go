package objc

import "sync"

// software is the software runtime: classes, functions and constants that Go code registered.
type software struct{}

var registered struct {
	mu        sync.RWMutex
	functions map[string]softwareFunction
	constants map[string]ID
}

type softwareFunction struct {
	encoding string
	call     func(m *Msg)
}

// RegisterFunc adds a C function to the software runtime. It panics if r is another runtime, the encoding is bad or the
// name is taken.
func (r Runtime) RegisterFunc(name, encoding string, f func(m *Msg)) {
	r.mustBeSoftware("RegisterFunc")
	if _, err := parseFunction(encoding); err != nil {
		panic(err)
	}
	registered.mu.Lock()
	defer registered.mu.Unlock()
	if _, taken := registered.functions[name]; taken {
		panic("objc: function " + name + " is registered twice")
	}
	if registered.functions == nil {
		registered.functions = make(map[string]softwareFunction)
	}
	registered.functions[name] = softwareFunction{encoding, f}
}

// RegisterConstant adds an exported NSString * to the software runtime. It panics if r is another runtime or the
// name is taken.
func (r Runtime) RegisterConstant(name, value string) {
	r.mustBeSoftware("RegisterConstant")
	id := r.NewString(value)
	ObjectOf(id).immortal()
	registered.mu.Lock()
	defer registered.mu.Unlock()
	if _, taken := registered.constants[name]; taken {
		panic("objc: constant " + name + " is registered twice")
	}
	if registered.constants == nil {
		registered.constants = make(map[string]ID)
	}
	registered.constants[name] = id
}

func (software) class(name string) ID {
	if t := tracing.Load(); t != nil && t.HideClass != nil && t.HideClass(name) {
		return 0
	}
	if c := ClassOf(name); c != nil {
		return c.ID()
	}
	return 0
}

func (software) function(name string, _ signature) (func(m *Msg), error) {
	registered.mu.RLock()
	defer registered.mu.RUnlock()
	f, ok := registered.functions[name]
	if !ok {
		return nil, &NotFoundError{"function", name}
	}
	return f.call, nil
}

func (software) constant(name string) (ID, error) {
	registered.mu.RLock()
	defer registered.mu.RUnlock()
	id, ok := registered.constants[name]
	if !ok {
		return 0, &NotFoundError{"constant", name}
	}
	return id, nil
}
