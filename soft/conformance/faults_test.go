package conformance

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

// markedLine finds the line of a kernel of faults.metal, or of a function before it, that ends in the mark.
func markedLine(t *testing.T, kernel, mark string) int {
	t.Helper()
	text, err := os.ReadFile("testdata/faults.metal")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for i, l := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(l, "kernel void ") || strings.HasPrefix(l, "int deep(") {
			inside = strings.HasPrefix(l, "kernel void "+kernel+"(") || kernel == "deep" && strings.HasPrefix(l, "int deep(")
		}
		if inside && strings.HasSuffix(l, mark) {
			return i + 1
		}
	}
	t.Fatalf("%s has no line marked %q", kernel, mark)
	return 0
}

// broken describes what the dispatch of a kernel of faults.metal must report.
type broken struct {
	kernel  string
	kind    simt.FaultKind
	where   string // the kernel or function whose marked line is named; empty: the kernel itself
	object  string
	buffer  int   // index, or -1
	thread  int   // x position in the grid of the first offender, or -1 where any will do
	sizes   []int // bytes of each buffer; -1: not bound
	n, tg   int
	dynamic []int
	init    map[int]any
}

var brokenKernels = []broken{
	{kernel: "buffer_read", kind: simt.OutOfBounds, object: "in", buffer: 3, thread: 99, sizes: []int{400, -1, -1, 400}, n: 100, tg: 32},
	{kernel: "buffer_write", kind: simt.OutOfBounds, object: "out", buffer: 0, thread: 77, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "before_the_buffer", kind: simt.OutOfBounds, object: "out", buffer: 0, thread: -1, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "far_away", kind: simt.OutOfBounds, object: "out", buffer: 0, thread: 3, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "struct_at_the_end", kind: simt.OutOfBounds, object: "rows", buffer: 1, thread: 99, sizes: []int{400, 99*8 + 4}, n: 100, tg: 32},
	{kernel: "vector_at_the_end", kind: simt.OutOfBounds, object: "v", buffer: 1, thread: 99, sizes: []int{400, 99*16 + 12}, n: 100, tg: 32},
	{kernel: "constant_buffer", kind: simt.OutOfBounds, object: "c", buffer: 1, thread: 8, sizes: []int{400, 32}, n: 100, tg: 100},
	{kernel: "constant_table", kind: simt.OutOfBounds, object: "table", buffer: -1, thread: 4, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "threadgroup_static", kind: simt.OutOfBounds, object: "tile", buffer: -1, thread: 40, sizes: []int{400}, n: 100, tg: 64},
	{kernel: "threadgroup_dynamic", kind: simt.OutOfBounds, object: "tile", buffer: -1, thread: 63, sizes: []int{400}, n: 64, tg: 64, dynamic: []int{256}},
	{kernel: "private_array", kind: simt.OutOfBounds, object: "a", buffer: -1, thread: 8, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "private_pointer", kind: simt.OutOfBounds, object: "a", buffer: -1, thread: 0, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "in_a_function", kind: simt.OutOfBounds, where: "deep", object: "in", buffer: 1, thread: 50, sizes: []int{400, 400}, n: 100, tg: 100},
	{kernel: "matrix_load", kind: simt.OutOfBounds, object: "in", buffer: 1, thread: -1, sizes: []int{256, 256}, n: 32, tg: 32},
	{kernel: "atomic_outside", kind: simt.OutOfBounds, object: "out", buffer: 0, thread: 90, sizes: []int{360}, n: 100, tg: 100},
	{kernel: "null_pointer", kind: simt.NullPointer, buffer: -1, thread: 9, sizes: []int{400}, n: 100, tg: 32},

	{kernel: "missing_barrier", kind: simt.Race, object: "s", buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "missing_barrier", kind: simt.Race, object: "s", buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 20},
	{kernel: "simdgroup_barrier_is_too_weak", kind: simt.Race, object: "s", buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "wrong_flags", kind: simt.Race, object: "s", buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "slot_reuse", kind: simt.Race, object: "slot", buffer: -1, thread: -1, sizes: []int{1024, 1024}, n: 256, tg: 256},
	{kernel: "matrix_race", kind: simt.Race, object: "tile", buffer: -1, thread: -1, sizes: []int{512}, n: 64, tg: 64},

	{kernel: "divergent_barrier", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "divergent_barrier", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "divergent_simdgroup_barrier", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 32},
	{kernel: "barrier_in_divergent_loop", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{400}, n: 100, tg: 100},
	{kernel: "return_before_barrier", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{400, 4}, n: 100, tg: 50,
		init: map[int]any{1: uint32(90)}},
	{kernel: "matvec", kind: simt.BarrierDivergence, buffer: -1, thread: -1, sizes: []int{13 * 4, 13 * 64 * 4, 64 * 4, 4, 4}, n: 512, tg: 256,
		init: map[int]any{3: uint32(13), 4: uint32(64)}},
	{kernel: "matrix_in_divergence", kind: simt.InvalidMatrixUse, buffer: -1, thread: -1, sizes: []int{256}, n: 32, tg: 32},
}

func (b *broken) dispatch(workers int) *simt.Dispatch {
	d := &simt.Dispatch{Grid: [3]int{b.n, 1, 1}, Threadgroup: [3]int{b.tg, 1, 1}, ThreadgroupMemory: b.dynamic, Checks: simt.CheckAll, Workers: workers}
	for i, size := range b.sizes {
		if size < 0 {
			d.Buffers = append(d.Buffers, simt.Binding{})
			continue
		}
		m := make([]byte, size)
		if v, ok := b.init[i]; ok {
			copy(m, mem(v))
		}
		d.Buffers = append(d.Buffers, simt.Binding{Mem: m, Bound: true})
	}
	return d
}

func TestFaultsAreReportedWhereTheyHappen(t *testing.T) {
	for _, b := range brokenKernels {
		t.Run(b.kernel+" in groups of "+strconv.Itoa(b.tg), func(t *testing.T) {
			k := kernelOf(t, "faults.metal", b.kernel)
			where := b.where
			if where == "" {
				where = b.kernel
			}
			here := markedLine(t, where, "// here")
			other := here
			if b.kind == simt.Race && b.kernel != "matrix_race" {
				other = markedLine(t, where, "// first") // which of the two comes last depends on the schedule
			}
			for workers := 1; workers <= 2; workers++ {
				err := k.Run(b.dispatch(workers))
				var f *simt.Fault
				if !errors.As(err, &f) {
					t.Fatalf("no fault but %v", err)
				}
				if int(f.Pos.Line) == other {
					here = other
				}
				if f.Kind != b.kind || f.Kernel != b.kernel || int(f.Pos.Line) != here || b.object != "" && f.Object != b.object ||
					f.Buffer != b.buffer || b.thread >= 0 && f.Thread != [3]int{b.thread, 0, 0} || b.thread >= 0 && f.Lane != b.thread%b.tg {
					t.Errorf("got kind %d, kernel %q, line %d, object %q, buffer %d, thread %v, lane %d\nwant kind %d, line %d, object %q, buffer %d, thread %d\n%v",
						f.Kind, f.Kernel, f.Pos.Line, f.Object, f.Buffer, f.Thread, f.Lane, b.kind, here, b.object, b.buffer, b.thread, f)
				}
				if !strings.Contains(f.Error(), ":"+strconv.Itoa(here)+":") || !strings.Contains(f.Error(), b.kernel) {
					t.Errorf("the text names no line %d or no kernel: %v", here, f)
				}
				if b.buffer >= 0 && !strings.Contains(f.Error(), strconv.Itoa(b.buffer)) {
					t.Errorf("the text does not name buffer %d: %v", b.buffer, f)
				}
			}
		})
	}
}

func TestRacesNameBothPlaces(t *testing.T) {
	for _, b := range brokenKernels {
		if b.kind != simt.Race || b.kernel == "matrix_race" {
			continue
		}
		t.Run(b.kernel+" in groups of "+strconv.Itoa(b.tg), func(t *testing.T) {
			err := kernelOf(t, "faults.metal", b.kernel).Run(b.dispatch(1))
			for _, mark := range []string{"// first", "// here"} {
				if at := ":" + strconv.Itoa(markedLine(t, b.kernel, mark)) + ":"; err == nil || !strings.Contains(err.Error(), at) {
					t.Errorf("the report does not name %s: %v", at, err)
				}
			}
		})
	}
}

func TestUnboundBufferIsAFault(t *testing.T) {
	b := broken{kernel: "unbound", sizes: []int{400, -1, -1}, n: 100, tg: 32}
	err := kernelOf(t, "faults.metal", "unbound").Run(b.dispatch(1))
	var f *simt.Fault
	if !errors.As(err, &f) || f.Buffer != 2 || f.Object != "in" {
		t.Errorf("got %v", err)
	}
}

// The kernels that break a rule only for some dispatches are clean for the others.
func TestKernelsAreCleanWhereTheyBreakNoRule(t *testing.T) {
	for _, b := range []broken{
		{kernel: "buffer_read", sizes: []int{400, -1, -1, 404}, n: 100, tg: 32},
		{kernel: "struct_at_the_end", sizes: []int{400, 800}, n: 100, tg: 32},
		{kernel: "constant_buffer", sizes: []int{400, 36}, n: 100, tg: 100},
		{kernel: "constant_table", sizes: []int{400}, n: 4, tg: 100},
		{kernel: "threadgroup_static", sizes: []int{400}, n: 100, tg: 40},
		{kernel: "threadgroup_dynamic", sizes: []int{400}, n: 64, tg: 64, dynamic: []int{260}},
		{kernel: "private_array", sizes: []int{400}, n: 8, tg: 100},
		{kernel: "null_pointer", sizes: []int{400}, n: 9, tg: 32},
		{kernel: "missing_barrier", sizes: []int{400}, n: 1, tg: 1},
		{kernel: "divergent_barrier", sizes: []int{400}, n: 100, tg: 20},
		{kernel: "return_before_barrier", sizes: []int{400, 4}, n: 100, tg: 50, init: map[int]any{1: uint32(50)}},
		{kernel: "matvec", sizes: []int{16 * 4, 16 * 64 * 4, 64 * 4, 4, 4}, n: 512, tg: 256, init: map[int]any{3: uint32(16), 4: uint32(64)}},
	} {
		t.Run(b.kernel, func(t *testing.T) {
			if err := kernelOf(t, "faults.metal", b.kernel).Run(b.dispatch(2)); err != nil {
				t.Error(err)
			}
		})
	}
}
