package kernels

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/mtl"
)

// Registry makes and keeps the pipelines of one device. It is safe for concurrent use.
type Registry struct {
	device *mtl.Device
	fsys   fs.FS
	files  []string // the .metal files of fsys, sorted
	cache  *cache   // nil: none

	// The map is never changed, only replaced, under mu: a hit is one atomic load and one look-up.
	pipelines atomic.Pointer[map[Key]*compilation]

	mu        sync.Mutex
	libraries map[string]*library
	released  bool
	running   sync.WaitGroup // compilations
}

// Pipeline is a compiled kernel and the key it was made for. It belongs to its registry, which releases it.
type Pipeline struct {
	State *mtl.ComputePipelineState
	Key   Key
}

// compilation is a pipeline that is, or is being, made. done is closed when pipeline and err are final.
type compilation struct {
	done     chan struct{}
	finished atomic.Bool // the same as done, cheaper to ask
	pipeline Pipeline
	err      error
}

// library is a source file, compiled once.
type library struct {
	once    sync.Once
	value   *mtl.Library
	archive *archive // nil: none
	step    string
	err     error
}

// New makes a registry for the kernels in the .metal files at the root of fsys, whose text must not change. Nothing is
// compiled yet. The registry does not own dev.
func New(dev *mtl.Device, fsys fs.FS, options ...Option) (*Registry, error) {
	files, err := fs.Glob(fsys, "*.metal")
	if err != nil {
		return nil, fmt.Errorf("kernels: listing the sources: %w", err)
	}
	slices.Sort(files)
	r := &Registry{device: dev, fsys: fsys, files: files, libraries: map[string]*library{}}
	r.pipelines.Store(&map[Key]*compilation{})
	for _, o := range options {
		o(r)
	}
	return r, nil
}

// Option changes how a registry works.
type Option func(*Registry)

// Device is the device that the pipelines are for.
func (r *Registry) Device() *mtl.Device { return r.device }

// Pipeline returns the pipeline of key, compiling it if it is asked for the first time. Callers that ask for one key at the
// same time share one compilation. If ctx ends, the waiting ends with its error, and the compilation goes on for the
// others; a pipeline that is there is returned whatever ctx says. Other errors are *Error, or mtl.ErrReleased after
// Release.
//
// A failure concerns this key alone, or, if the source does not compile, the kernels of its file. It is remembered and not
// retried: the text will not change.
//
// Returning a pipeline that is there allocates nothing.
func (r *Registry) Pipeline(ctx context.Context, key Key) (*Pipeline, error) {
	c := (*r.pipelines.Load())[key]
	if c == nil {
		var err error
		if c, err = r.start(key); err != nil {
			return nil, err
		}
	}
	if !c.finished.Load() {
		select {
		case <-c.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return &c.pipeline, nil
}

// start returns the compilation of key, beginning it if nobody has.
func (r *Registry) start(key Key) (*compilation, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.released {
		return nil, mtl.ErrReleased
	}
	old := *r.pipelines.Load()
	if c := old[key]; c != nil {
		return c, nil
	}
	c := &compilation{done: make(chan struct{})}
	pipelines := maps.Clone(old)
	pipelines[key] = c
	r.pipelines.Store(&pipelines)
	r.running.Add(1)
	go func() {
		defer r.running.Done()
		c.pipeline.Key = key
		c.pipeline.State, c.err = r.compile(key)
		c.finished.Store(true)
		close(c.done)
	}()
	return c, nil
}

// Release releases all pipelines and libraries, after the compilations under way have ended. Command buffers that use a
// pipeline keep it until they have completed.
func (r *Registry) Release() {
	r.mu.Lock()
	r.released = true
	pipelines := *r.pipelines.Swap(&map[Key]*compilation{})
	r.mu.Unlock()
	r.running.Wait()
	for _, c := range pipelines {
		if c.pipeline.State != nil {
			c.pipeline.State.Release()
		}
	}
	r.mu.Lock()
	libraries := r.libraries
	r.libraries = nil
	r.mu.Unlock()
	for _, l := range libraries {
		if l.value != nil {
			l.value.Release()
		}
	}
	if r.cache != nil {
		r.cache.release()
	}
}

// source is the file that holds a kernel by the naming rule, "" if none does.
func (r *Registry) source(kernel string) string {
	best := ""
	for _, file := range r.files {
		base := strings.TrimSuffix(file, ".metal")
		if (kernel == base || strings.HasPrefix(kernel, base+"_")) && len(file) > len(best) {
			best = file
		}
	}
	return best
}
