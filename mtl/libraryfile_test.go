package mtl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft"
	"github.com/puremetal/puremetal/soft/msl"
)

// softly runs f on the software device.
func softly(t *testing.T, f func(t *testing.T, d *Device)) {
	t.Helper()
	each(t, func(t *testing.T, d *Device) {
		if !d.IsSoftware() {
			t.Skip("about the software device")
		}
		f(t, d)
	})
}

// isUnsupported fails unless err is ErrUnsupported for op.
func isUnsupported(t *testing.T, err error, op string) {
	t.Helper()
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), op) {
		t.Errorf("%s: want ErrUnsupported, got %v", op, err)
	}
}

// isError fails unless err is an *Error of a domain and code, with that text.
func isError(t *testing.T, err error, op, domain string, code int, text string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: want an *Error, got %v", op, err)
		return
	}
	if e.Op != op || e.Domain != domain || e.Code != code || !strings.Contains(e.Description, text) || !strings.Contains(e.Error(), text) {
		t.Errorf("error is %+v, want %s, %s %d with %q", e, op, domain, code, text)
	}
}

const fileKernel = `kernel void fill(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = N + i; }
`

// runFill runs the function fill of a library and checks what it writes.
func runFill(t *testing.T, l *Library, first uint32) {
	t.Helper()
	d := l.Device()
	f := must(l.NewFunction("fill"))(t)
	defer f.Release()
	p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
	defer p.Release()
	q := must(d.NewCommandQueue())(t)
	defer q.Release()
	out := newBuffer(t, d, 16)
	defer out.Release()
	if err := q.Run(t.Context(), func(e *ComputeCommandEncoder) error {
		e.SetComputePipelineState(p)
		e.SetBuffer(out, 0, 0)
		e.DispatchThreads(Size{4, 1, 1}, Size{4, 1, 1})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i, v := range contentsOf[uint32](t, out) {
		if v != first+uint32(i) {
			t.Errorf("element %d is %d, want %d", i, v, first+uint32(i))
		}
	}
}

func TestALibraryComesFromAFileAndFromData(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		file := must(soft.LibraryFile(fileKernel, msl.Options{Macros: map[string]string{"N": "40 + 2"}}))(t)
		path := filepath.Join(t.TempDir(), "fill.library")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, load := range []func() (*Library, error){
			func() (*Library, error) { return d.NewLibraryWithURL(path) },
			func() (*Library, error) { return d.NewLibraryWithData(file) },
		} {
			l := must(load())(t)
			if names := l.FunctionNames(); len(names) != 1 || names[0] != "fill" || l.Type() != LibraryTypeExecutable || l.InstallName() != "" {
				t.Errorf("functions %q, type %d, install name %q", names, l.Type(), l.InstallName())
			}
			runFill(t, l, 42)
			l.Release()
		}
	})
}

func TestALibraryThatIsNotOfTheDeviceIsRefused(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const op, domain = "Device.NewLibraryWithData", "MTLLibraryErrorDomain"
		const header = "// puremetal software library 1\n"
		for text, want := range map[string]struct {
			code int
			text string
		}{
			"MTLB\x01\x80\x02\x00":                                 {1, "compiled for a GPU"},
			"kernel void k() {}":                                   {1, "not a library file"},
			header:                                                 {1, "does not end"},
			header + "// language 3.x\n//\n":                       {1, "// language 3.x"},
			header + "// language 3.1 \n//\n":                      {1, "// language 3.1 "},
			header + "// math sloppy\n//\n":                        {1, "// math sloppy"},
			header + "// define N\n//\n":                           {1, "// define N"},
			header + "//\nkernel void k(device int *a) { b = 1; }": {3, "program_source:3:"},
		} {
			l, err := d.NewLibraryWithData([]byte(text))
			isError(t, err, op, domain, want.code, want.text)
			if l != nil {
				t.Errorf("%q makes a library", text)
			}
		}
		_, err := d.NewLibraryWithURL(filepath.Join(t.TempDir(), "none"))
		isError(t, err, "Device.NewLibraryWithURL", domain, 6, "none")
		_, err = d.NewLibraryWithURL(t.TempDir())
		isError(t, err, "Device.NewLibraryWithURL", domain, 2, "directory")
		_, err = d.NewLibraryWithData(nil)
		refused(t, err, op, "data")
	})
	if _, err := soft.LibraryFile("", msl.Options{Macros: map[string]string{"A": "1\n2"}}); err == nil || !strings.Contains(err.Error(), `"A"`) {
		t.Errorf("a macro of two lines: %v", err)
	}
}

func FuzzLibraryFilesAreReadOrRefused(f *testing.F) {
	f.Add([]byte("// puremetal software library 1\n// language 3.1\n// math fast\n// define N 4\n//\nkernel void k() {}"))
	f.Add([]byte("MTLB"))
	all, err := CopyAllDevices()
	if err != nil {
		f.Fatal(err)
	}
	for _, d := range all {
		f.Cleanup(d.Release)
	}
	d := all[len(all)-1]
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := d.NewLibraryWithData(data)
		if (l == nil) == (err == nil) {
			t.Errorf("library %v, error %v", l, err)
		}
		if l != nil {
			l.Release()
		}
	})
}

func TestCompileOptionsReachTheKernel(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const src = `kernel void plain(device int *a) { a[0] = 1; }
			[[max_total_threads_per_threadgroup(96)]] kernel void bound(device int *a) { a[0] = 1; }`
		l := must(d.NewLibraryWithSource(src, &CompileOptions{OptimizationLevel: LibraryOptimizationLevelSize, MaxTotalThreadsPerThreadgroup: 64}))(t)
		defer l.Release()
		for name, want := range map[string]int{"plain": 64, "bound": 96} {
			f := must(l.NewFunction(name))(t)
			p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
			if n := p.MaxTotalThreadsPerThreadgroup(); n != want {
				t.Errorf("%s: %d threads, want %d", name, n, want)
			}
			p.Release()
			f.Release()
		}
	})
}

func TestCompileOptionsThatMetalWouldAssertOnOrTheDeviceLacksAreErrors(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const op = "Device.NewLibraryWithSource"
		for arg, o := range map[string]CompileOptions{
			"MathMode":                      {MathMode: 3},
			"OptimizationLevel":             {OptimizationLevel: 2},
			"MaxTotalThreadsPerThreadgroup": {MaxTotalThreadsPerThreadgroup: -1},
			"LibraryType":                   {LibraryType: 2},
			"InstallName":                   {LibraryType: LibraryTypeDynamic},
		} {
			_, err := d.NewLibraryWithSource("", &o)
			refused(t, err, op, arg)
		}
		for _, o := range []CompileOptions{
			{LibraryType: LibraryTypeDynamic, InstallName: "@executable_path/a.metallib"},
			{Libraries: []*DynamicLibrary{nil}},
			{SymbolVisibility: CompileSymbolVisibilityHidden},
			{AllowReferencingUndefinedSymbols: true},
			{EnableLogging: true},
		} {
			_, err := d.NewLibraryWithSource("", &o)
			isUnsupported(t, err, op)
		}
		_, err := d.NewDynamicLibraryWithURL("a.metallib")
		isUnsupported(t, err, "Device.NewDynamicLibraryWithURL")
		l := must(d.NewLibraryWithSource(fileKernel, &CompileOptions{PreprocessorMacros: map[string]string{"N": "1"}}))(t)
		defer l.Release()
		_, err = d.NewDynamicLibrary(l)
		refused(t, err, "Device.NewDynamicLibrary", "library")
	})
}
