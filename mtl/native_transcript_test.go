//go:build linux && objcnative

package mtl

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/puremetal/puremetal/objc"
)

// These tests run scenarios against fakes of Metal's classes on GCC's Objective-C runtime; see objc's native_shim_test.go for what they
// need:
//
//	go test -tags objcnative -run Native ./mtl

var fakesErr error

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "fakes")
	if err == nil {
		err = buildFakes(filepath.Join(dir, "fakes.so"))
	}
	fakesErr = err
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func buildFakes(to string) error {
	compiler := "gcc"
	if runtime.GOARCH == "arm64" {
		if path, err := exec.LookPath("aarch64-linux-gnu-gcc"); err == nil {
			compiler = path
		}
	}
	cmd := exec.Command(compiler, "-std=gnu11", "-O2", "-fPIC", "-shared", "-w", "-o", to,
		"testdata/shim/fakes.m", "../objc/testdata/shim/msgsend_"+runtime.GOARCH+".S", "-lobjc", "-lpthread")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %v\n%s", cmd, err, out)
	}
	return os.Setenv("PUREMETAL_OBJC_SHIM", to)
}

// fakes answer as a device would that runs nothing, and write down what they are told.
type fakes struct {
	t         *testing.T
	rt        objc.Runtime
	encodings map[string]string // by selector
	names     map[objc.ID]string
	count     map[string]int
	lines     []string
	memory    map[objc.ID][]byte
	options   map[objc.ID]uintptr
	device    objc.ID
	fail      bool // command buffers fail
}

// made are the classes of what messages make.
var made = map[string]string{
	"newBufferWithLength:options:":                                    "MTLBuffer",
	"newBufferWithBytesNoCopy:length:options:deallocator:":            "MTLBuffer",
	"newLibraryWithSource:options:error:":                             "MTLLibrary",
	"newFunctionWithName:":                                            "MTLFunction",
	"newFunctionWithName:constantValues:error:":                       "MTLFunction",
	"newComputePipelineStateWithDescriptor:options:reflection:error:": "MTLComputePipelineState",
	"newCommandQueue":                                                 "MTLCommandQueue",
	"commandBuffer":                                                   "MTLCommandBuffer",
	"computeCommandEncoderWithDispatchType:":                          "MTLComputeCommandEncoder",
	"blitCommandEncoder":                                              "MTLBlitCommandEncoder",
	"functionNames":                                                   "NSArray",
	"functionConstantsDictionary":                                     "NSDictionary",
	"dictionaryWithObjects:forKeys:count:":                            "NSDictionary",
}

var selAutorelease, selProbeWithError = objc.Sel("autorelease", "@@:"), objc.Sel("probeWithError:", "@@:^@")

// told is the fakes' callback: it writes the message down and answers it.
func (f *fakes) told(self objc.ID, class string, isClass bool, selector string, registers uintptr) uintptr {
	encoding, ok := f.encodings[selector]
	if !ok {
		f.t.Errorf("%s receives %s, which is no selector of mtl", class, selector)
		return 0
	}
	receiver := class
	if !isClass {
		receiver = f.name(self, class)
	}
	words := logicalWords(encoding, registers)
	if strings.HasPrefix(receiver, "MTL") && !isClass {
		f.lines = append(f.lines, receiver+" "+f.call(selector, encoding, words))
	}
	return f.answer(self, selector, words)
}

// logicalWords gives the argument words of a message as they came: in registers, and then on the stack.
func logicalWords(encoding string, at uintptr) (words []uintptr) {
	if at == 0 {
		return nil
	}
	registers, arm := 4, runtime.GOARCH == "arm64"
	if arm {
		registers = 6
	}
	came := objc.ViewUintptrs(at, registers+6)
	next, stack := 0, registers
	for _, kind := range arguments(encoding) {
		n := wordsOf(kind)
		switch {
		case n > 2 && arm:
			words = append(words, objc.ViewUintptrs(came[next], n)...)
			next++
		case n > 2 || next+n > registers:
			words = append(words, came[stack:stack+n]...)
			stack += n
		default:
			words = append(words, came[next:next+n]...)
			next += n
		}
	}
	return words
}

func (f *fakes) name(id objc.ID, class string) string {
	name, ok := f.names[id]
	if !ok {
		f.count[class]++
		name = fmt.Sprintf("%s#%d", class, f.count[class])
		f.names[id] = name
	}
	return name
}

// call writes a message as recorder does.
func (f *fakes) call(selector, encoding string, words []uintptr) string {
	parts, all := strings.Split(selector, ":"), words
	line := parts[0]
	for i, kind := range arguments(encoding) {
		if i > 0 {
			line += " " + parts[i]
		}
		line += ":" + f.argument(selector, kind, words, all)
		words = words[wordsOf(kind):]
	}
	return line
}

func (f *fakes) argument(selector, kind string, words, all []uintptr) string {
	w, last := words[0], int(all[len(all)-1])
	switch {
	case kind == "@" && w == 0:
		return "nil"
	case kind == "@":
		if name := f.names[objc.ID(w)]; name != "" {
			return name
		}
		return f.object(objc.ID(w))
	case kind == "@?":
		return "block"
	case kind[0] == '{':
		return "{" + strings.Trim(fmt.Sprint(words[:wordsOf(kind)]), "[]") + "}"
	case kind == "r^@":
		var names []string
		for _, id := range objc.ViewIDs(w, last) {
			names = append(names, f.argument(selector, "@", []uintptr{uintptr(id)}, all))
		}
		return "[" + strings.Join(names, " ") + "]"
	case kind == "r^Q":
		return fmt.Sprint(objc.ViewUintptrs(w, last))
	case selector == "setBytes:length:atIndex:" && kind == "r^v":
		return fmt.Sprintf("%x", objc.View(w, int(all[1])))
	case selector == "setConstantValue:type:atIndex:" && kind == "r^v":
		return fmt.Sprintf("%x", objc.View(w, dataTypes[DataType(all[1])].size))
	case kind == "^@" && w != 0:
		return "out"
	case kind == "^@":
		return "NULL"
	case strings.Contains(kind, "^"):
		return "memory"
	case kind == "B":
		return [2]string{"NO", "YES"}[w&1]
	case kind == "d":
		return fmt.Sprint(math.Float64frombits(uint64(w)))
	case kind == "C":
		w &= 0xff // all that is defined
	}
	return strconv.FormatInt(int64(w), 10)
}

// object writes a string as its text, and names a new object of another class, which its program made with alloc.
func (f *fakes) object(id objc.ID) string {
	class := objc.CString(callC("object_getClassName", uintptr(id)))
	if class == "NSString" {
		return strconv.Quote(objc.GoString(id))
	}
	return f.name(id, class)
}

func (f *fakes) answer(self objc.ID, selector string, words []uintptr) uintptr {
	switch selector {
	case "newLibraryWithSource:options:error:":
		if objc.GoString(objc.ID(words[0])) == "kernel" {
			return f.error(words[2])
		}
	case "newFunctionWithName:":
		if objc.GoString(objc.ID(words[0])) == "none" {
			return 0
		}
	case "name", "label":
		return f.autoreleased(f.rt.NewString("fake"))
	case "objectAtIndex:":
		return f.autoreleased(f.rt.NewString("k"))
	case "count":
		if strings.HasPrefix(f.names[self], "NSArray") {
			return 1
		}
	case "contents":
		return uintptr(addressOf(f.memory[self]))
	case "length":
		return uintptr(len(f.memory[self]))
	case "resourceOptions":
		return f.options[self]
	case "device":
		return uintptr(f.device)
	case "maxThreadsPerThreadgroup", "maxTotalThreadsPerThreadgroup":
		return 1024
	case "maxThreadgroupMemoryLength":
		return 32768
	case "threadExecutionWidth":
		return 32
	case "maxBufferLength":
		return 1 << 30
	case "status":
		if f.fail {
			return uintptr(CommandBufferStatusError)
		}
		return uintptr(CommandBufferStatusCompleted)
	case "error":
		out := make([]objc.ID, 1)
		f.error(uintptr(addressOf(out)))
		return uintptr(out[0])
	}
	class := made[selector]
	if class == "" {
		return 0
	}
	id := objc.SendID(objc.SendID(f.rt.Class(class), selAlloc), selInit)
	f.name(id, class)
	switch selector {
	case "newBufferWithLength:options:":
		f.memory[id], f.options[id] = make([]byte, words[0]), words[1]
	case "newBufferWithBytesNoCopy:length:options:deallocator:":
		f.memory[id], f.options[id] = objc.View(words[0], int(words[1])), words[2]
	}
	if !strings.HasPrefix(selector, "new") {
		return f.autoreleased(id)
	}
	return uintptr(id)
}

func (f *fakes) autoreleased(id objc.ID) uintptr { return objc.Send(id, selAutorelease) }

// error stores an NSError through out and gives nil.
func (f *fakes) error(out uintptr) uintptr {
	probe := objc.SendID(objc.SendID(f.rt.Class("Probe"), selAlloc), selInit)
	defer objc.Release(probe)
	return objc.Send(probe, selProbeWithError, out)
}

func callC(name string, words ...uintptr) uintptr {
	p, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	if err != nil {
		panic(err)
	}
	r, _, _ := purego.SyscallN(p, words...)
	return r
}

func addressOf[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

var current *fakes // that the callback tells; callbacks are never freed

var callback = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(self, class, isClass, selector, words uintptr) uintptr {
		return current.told(objc.ID(self), objc.CString(class), isClass != 0, objc.CString(selector), words)
	})
})

// softwareLines plays a scenario on the software device and gives the messages to Metal's objects, results left out. On that device
// alone mtl waits for a command buffer twice, the first time outside a pool.
func softwareLines(t *testing.T, run func(t *testing.T, d *Device) error) (lines []string) {
	r := newRecorder(t)
	play(t, r, newest, run)
	for _, line := range r.lines {
		receiver, call, _ := strings.Cut(line, " ")
		if call, _, _ = strings.Cut(call, " -> "); strings.HasPrefix(receiver, "MTL") && strings.Contains(receiver, "#") && call != "init" {
			if call == "waitUntilCompleted" && len(lines) > 0 && lines[len(lines)-1] == receiver+" "+call {
				continue
			}
			lines = append(lines, receiver+" "+call)
		}
	}
	return lines
}

// newFakes makes the fakes that answer from now on, and their device.
func newFakes(t *testing.T, rt objc.Runtime, encodings map[string]string) (*fakes, *Device) {
	t.Helper()
	f := &fakes{
		t: t, rt: rt, encodings: encodings, names: make(map[objc.ID]string), count: make(map[string]int),
		memory: make(map[objc.ID][]byte), options: make(map[objc.ID]uintptr),
	}
	current = f
	f.device = objc.SendID(objc.SendID(rt.Class("MTLDevice"), selAlloc), selInit)
	d := must(DeviceFromID(f.device))(t)
	objc.Release(f.device)
	f.lines = nil
	return f, d
}

func TestNativeObjectsReceiveWhatSoftwareObjectsDo(t *testing.T) {
	err := fakesErr
	var rt objc.Runtime
	if err == nil {
		rt, err = objc.Native()
	}
	if err != nil {
		if os.Getenv("PUREMETAL_REQUIRE_NATIVE") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no Objective-C compiler (set PUREMETAL_REQUIRE_NATIVE=1 to fail): %v", err)
	}
	wakeSoftware()
	encodings := make(map[string]string)
	text := read(t, ".")
	for name, sel := range text.selectors {
		if !text.overloads[name] { // by which only Metal 4's scenarios go, and the fakes have none
			encodings[sel.Name()] = sel.Encoding()
		}
	}
	callC("fakes_start", callback())
	played, messages := 0, 0
	for _, s := range scenarios {
		if !strings.Contains(" buffers interop library constants compute blit fault ", " "+s.name+" ") {
			continue // makes a device of the software runtime, or needs fakes that there are not
		}
		want := softwareLines(t, s.run)
		for transport, on := range map[string]bool{"one by one": false, "one crossing": true} {
			t.Run(s.name+"/"+transport, func(t *testing.T) {
				defer objc.SetBatchTransport(objc.SetBatchTransport(on))
				live, unpooled := callC("shim_live"), callC("shim_unpooled")
				f, d := newFakes(t, rt, encodings)
				f.fail = s.name == "fault"
				if err := s.run(t, d); err != nil {
					t.Error(err)
				}
				d.Release()
				compareLines(t, strings.Join(f.lines, "\n"), strings.Join(want, "\n"))
				if n := callC("shim_live"); n != live {
					t.Errorf("%d native objects before, %d after", live, n)
				}
				if n := callC("shim_unpooled") - unpooled; n != 0 {
					t.Errorf("%d native objects autoreleased without a pool", n)
				}
				messages += len(f.lines)
			})
		}
		played++
	}
	t.Run("encoding a dispatch allocates nothing", func(t *testing.T) {
		_, d := newFakes(t, rt, encodings)
		defer d.Release()
		b := must(d.NewBuffer(64, StorageModeShared))(t)
		defer b.Release()
		l := must(d.NewLibraryWithSource("kernel void k(device int* x [[buffer(0)]]) { x[0] = 1; }", nil))(t)
		defer l.Release()
		function := must(l.NewFunction("k"))(t)
		defer function.Release()
		p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: function}))(t)
		defer p.Release()
		q := must(d.NewCommandQueue())(t)
		defer q.Release()
		c := must(q.NewCommandBuffer())(t)
		defer c.Release()
		e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
		offset, n := 0, uint32(7)
		encode := func() {
			offset ^= 16 // so that the binding goes out each time
			e.SetComputePipelineState(p)
			e.SetBuffer(b, offset, 0)
			SetValue(e, &n, 1)
			e.DispatchThreadgroups(Size{1, 1, 1}, Size{1, 1, 1})
		}
		// Fewer messages than a batch holds: sending them would call the fakes, whose Go function allocates. That sending
		// allocates nothing is shown in package objc.
		if allocs := testing.AllocsPerRun(20, encode); allocs != 0 {
			t.Errorf("%g allocations", allocs)
		}
		if err := e.EndEncoding(); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d scenarios, %d messages", played, messages)
	if played < 7 {
		t.Errorf("only %d scenarios were played", played)
	}
}
