package kernels

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/puremetal/puremetal/mtl"
)

// WithPipelineCache keeps compiled pipelines in a directory, which is made if it is not there: one binary archive for each source
// file, named after its text and the device, so that neither a change of the text nor another GPU finds what is not its
// own. What a run has added is written by SaveCache, and by Release.
//
// Text is still compiled to Metal's intermediate form in every run; the second half, down to the GPU's code, is what
// an archive saves. Where the device has no archives, or a file cannot be read or written, pipelines are compiled as without a
// cache, and CacheStatus tells. The software device's archives hold no code: there the cache counts and saves nothing.
func WithPipelineCache(dir string) Option {
	return func(r *Registry) { r.cache = &cache{device: r.device, dir: dir} }
}

// CacheStatus is what has become of a pipeline cache.
type CacheStatus struct {
	Hits   int   // pipelines found in it
	Misses int   // pipelines compiled and added to it
	Err    error // what kept it from working, joined; wraps mtl.ErrUnsupported if the device has no archives
}

// CacheStatus tells how the pipeline cache works; zero if there is none.
func (r *Registry) CacheStatus() CacheStatus {
	if r.cache == nil {
		return CacheStatus{}
	}
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	return r.cache.status
}

// SaveCache writes what has been added to the pipeline cache since it was last written.
func (r *Registry) SaveCache() error {
	if r.cache == nil {
		return nil
	}
	return r.cache.save()
}

type cache struct {
	device *mtl.Device
	dir    string

	mu       sync.Mutex // guards the rest
	archives []*archive
	status   CacheStatus
}

// archive holds the pipelines of a source file.
type archive struct {
	cache *cache
	path  string

	mu    sync.Mutex // one at a time adds
	value *mtl.BinaryArchive
	added bool // since it was last written
}

// open gives the archive for a source text, nil if there can be none.
func (c *cache) open(text string) *archive {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q\n%s", c.device.Name(), text)))
	a := &archive{cache: c, path: filepath.Join(c.dir, hex.EncodeToString(sum[:])+".archive")}
	var err error
	if _, stat := os.Stat(a.path); !errors.Is(stat, fs.ErrNotExist) {
		a.value, err = c.device.NewBinaryArchive(a.path)
		c.note(err) // of another system, or damaged: begin anew
	}
	if a.value == nil {
		if a.value, err = c.device.NewBinaryArchive(""); err != nil {
			c.note(err)
			return nil
		}
	}
	a.value.SetLabel(filepath.Base(a.path))
	c.mu.Lock()
	c.archives = append(c.archives, a)
	c.mu.Unlock()
	return a
}

func (c *cache) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// A device without archives says so for every file: once is enough.
	if err != nil && !(errors.Is(err, mtl.ErrUnsupported) && errors.Is(c.status.Err, mtl.ErrUnsupported)) {
		c.status.Err = errors.Join(c.status.Err, err)
	}
}

func (c *cache) count(n *int) {
	c.mu.Lock()
	*n++
	c.mu.Unlock()
}

// pipeline makes a pipeline of a function of the archive's text.
func (a *archive) pipeline(desc mtl.ComputePipelineDescriptor) (*mtl.ComputePipelineState, error) {
	device := a.cache.device
	plain := desc
	desc.BinaryArchives = []*mtl.BinaryArchive{a.value}
	desc.FailOnBinaryArchiveMiss = true
	a.mu.Lock()
	p, err := device.NewComputePipelineState(&desc)
	if err == nil {
		a.mu.Unlock()
		a.cache.count(&a.cache.status.Hits)
		return p, nil
	}
	err = a.value.AddComputePipelineFunctions(&plain)
	if err == nil {
		a.added = true
	}
	a.mu.Unlock()
	if err != nil {
		// The pipeline's own error, if it has one, says more.
		p, failure := device.NewComputePipelineState(&plain)
		if failure == nil {
			a.cache.note(err)
		}
		return p, failure
	}
	a.cache.count(&a.cache.status.Misses)
	desc.FailOnBinaryArchiveMiss = false
	return device.NewComputePipelineState(&desc)
}

// save writes the archives that have something new.
func (c *cache) save() error {
	c.mu.Lock()
	archives := c.archives
	c.mu.Unlock()
	var failed error
	for _, a := range archives {
		failed = errors.Join(failed, a.save())
	}
	c.note(failed)
	return failed
}

// save writes the archive beside its place and moves it there, so that no one reads half a file.
func (a *archive) save() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.added {
		return nil
	}
	if err := os.MkdirAll(a.cache.dir, 0o777); err != nil {
		return fmt.Errorf("kernels: pipeline cache: %w", err)
	}
	f, err := os.CreateTemp(a.cache.dir, "*.writing")
	if err != nil {
		return fmt.Errorf("kernels: pipeline cache: %w", err)
	}
	f.Close()
	if err := a.value.Serialize(f.Name()); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("kernels: pipeline cache: %w", err)
	}
	if err := os.Rename(f.Name(), a.path); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("kernels: pipeline cache: %w", err)
	}
	a.added = false
	return nil
}

// release writes the cache and lets go of the archives. Failures stay in the status.
func (c *cache) release() {
	c.save()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.archives {
		a.value.Release()
	}
	c.archives = nil
}
