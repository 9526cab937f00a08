package kernels_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/objc"
)

// cached runs f with a registry of a device and a cache directory, and gives what became of the cache.
func cached(t *testing.T, dir, text string, f func(r *kernels.Registry)) kernels.CacheStatus {
	t.Helper()
	live := mtl.LiveObjects()
	d, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	r, err := kernels.New(d, fstest.MapFS{"add.metal": {Data: []byte(text)}}, kernels.WithPipelineCache(dir))
	if err != nil {
		t.Fatal(err)
	}
	f(r)
	r.Release()
	status := r.CacheStatus()
	d.Release()
	if n := mtl.LiveObjects(); n != live {
		t.Errorf("%d objects before, %d after", live, n)
	}
	return status
}

const addText = `constant int n [[function_constant(0)]];
kernel void add(device int *a [[buffer(0)]]) { a[0] += n; }
kernel void add_two(device int *a [[buffer(0)]]) { a[0] += 2; }
`

func key(name string, n int32) kernels.Key {
	return kernels.Key{Name: name, Constants: kernels.ConstantList{mtl.ConstantInt32(0, n)}}
}

func TestASecondRunFindsItsPipelinesInTheCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "if", "missing")
	use := func(keys ...kernels.Key) func(r *kernels.Registry) {
		return func(r *kernels.Registry) {
			var group sync.WaitGroup
			for _, k := range keys {
				group.Go(func() {
					if _, err := r.Pipeline(t.Context(), k); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
		}
	}
	for _, run := range []struct {
		text string
		keys []kernels.Key
		want kernels.CacheStatus
	}{
		{addText, []kernels.Key{key("add", 1), key("add", 2), key("add_two", 0)}, kernels.CacheStatus{Misses: 3}},
		{addText, []kernels.Key{key("add", 1), key("add", 2), key("add_two", 0)}, kernels.CacheStatus{Hits: 3}},
		{addText, []kernels.Key{key("add", 1), key("add", 3)}, kernels.CacheStatus{Hits: 1, Misses: 1}},
		{addText, []kernels.Key{key("add", 3)}, kernels.CacheStatus{Hits: 1}},
		{addText + "\n", []kernels.Key{key("add", 3)}, kernels.CacheStatus{Misses: 1}},
	} {
		if got := cached(t, dir, run.text, use(run.keys...)); got != run.want {
			t.Errorf("the cache was used so: %+v, want %+v", got, run.want)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 2 {
		t.Errorf("two texts leave the files %q", files)
	}
}

func TestACacheThatCannotBeUsedIsReportedAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	one := func(r *kernels.Registry) {
		if _, err := r.Pipeline(t.Context(), key("add", 1)); err != nil {
			t.Error(err)
		}
	}
	cached(t, dir, addText, one)
	files, _ := filepath.Glob(filepath.Join(dir, "*.archive"))
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	if err := os.WriteFile(files[0], []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	status := cached(t, dir, addText, one)
	if status.Misses != 1 || status.Err == nil || !strings.Contains(status.Err.Error(), "binary archive") {
		t.Errorf("a damaged file: %+v", status)
	}
	if status := cached(t, dir, addText, one); status != (kernels.CacheStatus{Hits: 1}) {
		t.Errorf("after a damaged file: %+v", status)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	status = cached(t, filepath.Join(file, "dir"), addText, func(r *kernels.Registry) {
		one(r)
		if err := r.SaveCache(); err == nil {
			t.Error("saved in a file")
		}
	})
	if status.Err == nil {
		t.Errorf("a directory that cannot be made: %+v", status)
	}
}

func TestAFailureIsThePipelinesOwnWithACacheToo(t *testing.T) {
	status := cached(t, t.TempDir(), addText, func(r *kernels.Registry) {
		_, err := r.Pipeline(t.Context(), kernels.Key{Name: "add"})
		if err == nil || !strings.Contains(err.Error(), "function constant") {
			t.Errorf("a constant that is not given: %v", err)
		}
	})
	if status != (kernels.CacheStatus{}) {
		t.Errorf("the cache was used so: %+v", status)
	}
}

func TestARegistryWithoutACacheSaysSo(t *testing.T) {
	d, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Release()
	r, err := kernels.New(d, fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if err := r.SaveCache(); err != nil || r.CacheStatus() != (kernels.CacheStatus{}) {
		t.Errorf("error %v, status %+v", err, r.CacheStatus())
	}
}

func TestADeviceWithoutArchivesCompilesAsWithoutACache(t *testing.T) {
	d, err := mtl.CreateSystemDefaultDevice()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Release()
	if !d.IsSoftware() {
		t.Skip("only the software device can hide what it has")
	}
	defer objc.SetTrace(&objc.Trace{Hide: func(_ *objc.Class, sel objc.SEL) bool {
		return sel.Name() == "newBinaryArchiveWithDescriptor:error:"
	}})()
	dir := filepath.Join(t.TempDir(), "cache")
	status := cached(t, dir, addText, func(r *kernels.Registry) {
		for n := range int32(2) {
			if _, err := r.Pipeline(t.Context(), key("add", n)); err != nil {
				t.Error(err)
			}
		}
	})
	if status.Hits != 0 || status.Misses != 0 || !errors.Is(status.Err, mtl.ErrUnsupported) {
		t.Errorf("status %+v", status)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was made for nothing")
	}
}
