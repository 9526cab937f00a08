package objc

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// poolStack is the autorelease pools of one OS thread, innermost last. Only that thread touches it. Popped pools keep
// their storage.
type poolStack struct {
	thread int
	pools  [][]ID
	turn   atomic.Uint32 // tells the race detector that goroutines on one thread follow each other
}

// pools maps OS threads to their stacks.
var pools = struct {
	mu      sync.RWMutex
	threads map[int]*poolStack
}{threads: make(map[int]*poolStack)}

// WrongThreadPool is what popping an autorelease pool on another OS thread than it was pushed on panics with.
type WrongThreadPool struct{ Pushed, Popped int }

func (e *WrongThreadPool) Error() string {
	return fmt.Sprintf("objc: autorelease pool of thread %d popped on thread %d", e.Pushed, e.Popped)
}

// A pool token is thread<<16 | depth, depth counting from 1.
const poolDepthBits = 16

func (software) push() uintptr {
	t := threadID()
	pools.mu.RLock()
	s := pools.threads[t]
	pools.mu.RUnlock()
	if s == nil {
		s = &poolStack{thread: t}
		pools.mu.Lock()
		pools.threads[t] = s
		pools.mu.Unlock()
	}
	s.turn.Load()
	if len(s.pools) < cap(s.pools) {
		// Reuse the storage of a pool that was popped.
		s.pools = s.pools[:len(s.pools)+1]
	} else {
		s.pools = append(s.pools, nil)
	}
	if len(s.pools) >= 1<<poolDepthBits {
		panic("objc: autorelease pools are nested too deeply")
	}
	return uintptr(t)<<poolDepthBits | uintptr(len(s.pools))
}

// pop drains the pool of a token, and those that were pushed inside it and not popped.
func (software) pop(token uintptr) {
	t := threadID()
	if pushed := int(token >> poolDepthBits); pushed != t {
		panic(&WrongThreadPool{pushed, t})
	}
	pools.mu.RLock()
	s := pools.threads[t]
	pools.mu.RUnlock()
	depth := int(token & (1<<poolDepthBits - 1))
	if s == nil || depth == 0 || len(s.pools) < depth {
		panic("objc: autorelease pool popped twice")
	}
	defer s.turn.Add(1)
	s.drain(depth)
}

// drain releases what the pools from depth inwards hold. What dealloc autoreleases meanwhile goes the same way, and a
// panic in one dealloc does not keep the other objects alive.
func (s *poolStack) drain(depth int) {
	defer func() {
		if len(s.pools) >= depth {
			s.drain(depth)
		}
	}()
	for len(s.pools) >= depth {
		top := &s.pools[len(s.pools)-1]
		for len(*top) > 0 {
			id := (*top)[len(*top)-1]
			*top = (*top)[:len(*top)-1]
			Release(id)
			top = &s.pools[len(s.pools)-1]
		}
		s.pools = s.pools[:len(s.pools)-1]
	}
	if len(s.pools) == 0 {
		s.forget()
	}
}

// keptStacks is the number of threads whose empty stacks are kept for their next pool.
const keptStacks = 256

// forget drops an empty stack where there are many: threads end. A later thread that is given the number of one that ended
// finds its stack empty.
func (s *poolStack) forget() {
	pools.mu.RLock()
	n := len(pools.threads)
	pools.mu.RUnlock()
	if n <= keptStacks {
		return
	}
	pools.mu.Lock()
	delete(pools.threads, s.thread)
	pools.mu.Unlock()
}

var autoreleaseLeaks atomic.Int64

// Autorelease hands the caller's reference to a software object over to the innermost pool of this OS thread, and gives the object back.
// Without a pool the object leaks, as it does in Apple's runtime on a thread that never ends; see [AutoreleaseLeaks].
func Autorelease(id ID) ID {
	if id == 0 {
		return 0
	}
	liveObject(id, "autorelease")
	t := threadID()
	pools.mu.RLock()
	s := pools.threads[t]
	pools.mu.RUnlock()
	if s == nil || len(s.pools) == 0 {
		autoreleaseLeaks.Add(1)
		return id
	}
	top := &s.pools[len(s.pools)-1]
	*top = append(*top, id)
	return id
}

// AutoreleaseLeaks is the number of software objects that were autoreleased with no pool in place. For tests.
func AutoreleaseLeaks() int { return int(autoreleaseLeaks.Load()) }
