package mtl

import (
	"sync"
	"sync/atomic"
)

// pins are the objects that a command buffer uses without retaining them: it was made with UnretainedReferences. Each pin keeps
// one alive past its Release until the work has completed. It refers to no command buffer, so that a forgotten one can be
// found by the garbage collector.
type pins struct {
	committed atomic.Bool
	mu        sync.Mutex
	all       []*handle
}

func (p *pins) add(h *handle) {
	h.pin()
	p.mu.Lock()
	p.all = append(p.all, h)
	p.mu.Unlock()
}

// drop lets go of the objects, once.
func (p *pins) drop() {
	p.mu.Lock()
	all := p.all
	p.all = nil
	p.mu.Unlock()
	for _, h := range all {
		h.unpin()
	}
}

// forget lets go of the objects of a command buffer that goes without having been committed. Nil is left alone.
func (p *pins) forget() {
	if p != nil && !p.committed.Load() {
		p.drop()
	}
}
