package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
	"github.com/puremetal/puremetal/soft/simt"
)

// threadgroupSizes straddle the simdgroup: one lane, one less and one more than 32, and sizes that leave a tail.
var threadgroupSizes = []int{1, 31, 32, 33, 64, 100, 256}

// libraries are compiled once per file.
var libraries sync.Map

func library(t *testing.T, file string) *msl.Library {
	t.Helper()
	if l, ok := libraries.Load(file); ok {
		return l.(*msl.Library)
	}
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	l, err := msl.Compile(string(text), msl.Options{})
	if err != nil {
		t.Fatalf("%s does not compile:\n%v", file, err)
	}
	libraries.Store(file, l)
	return l
}

func compileText(t *testing.T, src string) *msl.Library {
	t.Helper()
	l, err := msl.Compile(header+src, msl.Options{})
	if err != nil {
		t.Fatalf("does not compile:\n%v\n%s", err, numbered(header+src))
	}
	return l
}

// header stands before texts that tests write themselves; it has no line of its own for them to count.
const header = "#include <metal_stdlib>\nusing namespace metal;\n"

func numbered(src string) string {
	var b bytes.Buffer
	for i, l := range bytes.Split([]byte(src), []byte("\n")) {
		fmt.Fprintf(&b, "%3d %s\n", i+1, l)
	}
	return b.String()
}

func lower(t *testing.T, l *msl.Library, name string, constants ...msl.ConstantValue) *simt.Kernel {
	t.Helper()
	k, err := l.Kernel(name, constants)
	if err != nil {
		t.Fatalf("%s is not lowered: %v", name, err)
	}
	e, err := simt.Compile(k)
	if err != nil {
		t.Fatalf("%s is not prepared: %v", name, err)
	}
	return e
}

// kernelOf compiles testdata/file and prepares one of its kernels.
func kernelOf(t *testing.T, file, name string, constants ...msl.ConstantValue) *simt.Kernel {
	t.Helper()
	return lower(t, library(t, file), name, constants...)
}

// mem lays values out as the device sees them: little-endian, without padding. Halves and bfloats are given as f16 and bf16.
func mem(v any) []byte {
	if b, ok := v.([]byte); ok {
		return bytes.Clone(b)
	}
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

type f16 uint16
type bf16 uint16

func (h f16) float() float32  { return num.F16ToF32(uint16(h)) }
func (h bf16) float() float32 { return num.BF16ToF32(uint16(h)) }

func decode[T any](b []byte) []T {
	var z T
	v := make([]T, len(b)/binary.Size(z))
	if _, err := binary.Decode(b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return v
}

func bindings(memory ...[]byte) []simt.Binding {
	b := make([]simt.Binding, len(memory))
	for i, m := range memory {
		b[i] = simt.Binding{Mem: m, Bound: true}
	}
	return b
}

// sweep runs k over a grid of n threads with each threadgroup size, on one and on two workers, each time on fresh copies of
// memory, and hands what came out to check.
func sweep(t *testing.T, k *simt.Kernel, n int, memory [][]byte, check func(t *testing.T, tg int, out [][]byte)) {
	t.Helper()
	for _, tg := range threadgroupSizes {
		for workers := 1; workers <= 2; workers++ {
			m := make([][]byte, len(memory))
			for i := range m {
				m[i] = bytes.Clone(memory[i])
			}
			err := k.Run(&simt.Dispatch{
				Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(m...), Checks: simt.CheckAll, Workers: workers,
			})
			if err != nil {
				t.Fatalf("threadgroup %d, %d workers: %v", tg, workers, err)
			}
			check(t, tg, m)
			if t.Failed() {
				t.Fatalf("threadgroup %d, %d workers", tg, workers)
			}
		}
	}
}

// expect runs a kernel whose buffer 0 takes per results of type T for each of n threads and compares them with want(i).
func expect[T comparable](t *testing.T, k *simt.Kernel, n, per int, want func(i int) []T, in ...any) {
	t.Helper()
	memory := [][]byte{mem(make([]T, n*per))}
	for _, v := range in {
		memory = append(memory, mem(v))
	}
	sweep(t, k, n, memory, func(t *testing.T, tg int, out [][]byte) {
		t.Helper()
		got := decode[T](out[0])
		for i := range n {
			w := want(i)
			for j := range per {
				if g := got[i*per+j]; g != w[j] {
					t.Errorf("thread %d, result %d: got %v, want %v", i, j, g, w[j])
					return
				}
			}
		}
	})
}

// expectF32 is expect for floats, with an error of up to ulp units in the last place.
func expectF32(t *testing.T, k *simt.Kernel, n, per int, ulp float64, want func(i int) []float64, in ...any) {
	t.Helper()
	memory := [][]byte{mem(make([]float32, n*per))}
	for _, v := range in {
		memory = append(memory, mem(v))
	}
	sweep(t, k, n, memory, func(t *testing.T, tg int, out [][]byte) {
		t.Helper()
		got := decode[float32](out[0])
		for i := range n {
			w := want(i)
			for j := range per {
				if e := ulps(got[i*per+j], w[j]); !(e <= ulp) {
					t.Errorf("thread %d, result %d: got %g, want %g: %.2f ULP", i, j, got[i*per+j], w[j], e)
					return
				}
			}
		}
	})
}

func ulps(got float32, want float64) float64 {
	r := float32(want)
	switch {
	case got != got && want != want, got == r:
		return 0
	case got != got || want != want, math.IsInf(float64(got), 0), math.IsInf(float64(r), 0):
		return math.Inf(1)
	}
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(e-24, -149))
}

func constant(index int, kind ir.Kind, bits ...uint64) msl.ConstantValue {
	return msl.ConstantValue{Index: index, Kind: kind, Bits: bits}
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
