//go:build linux && objcnative

package objc

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

func f32(v float32) uintptr { return uintptr(math.Float32bits(v)) }
func f64(v float64) uintptr { return uintptr(math.Float64bits(v)) }

// pair is the memory image of two floats.
func pair(a, b float32) uintptr { return f32(a) | f32(b)<<32 }

type shape struct {
	name, selector, encoding string
	words                    []uintptr
	received                 []uintptr // by the method, nil if it writes nothing down
	result                   []uintptr
}

// shapes are every shape of argument and result that a compute message has, and those next to them.
func shapes(probe ID) []shape {
	p := uintptr(probe)
	same := func(words ...uintptr) []uintptr { return words }
	buffers := &[3]uintptr{p, 0, p}
	offsets := &[3]uintptr{16, 0, 48}
	payload := &[3]uintptr{0x0102030405060708, 0x1112131415161718, 0x2122232425262728}
	at := func(p *[3]uintptr) uintptr { return uintptr(unsafe.Pointer(p)) }
	minus := func(n int) uintptr { return uintptr(-n) }
	alive = append(alive, buffers, offsets, payload)
	copyWords := same(p, 11, 12, 13, 14, 15, 16, 17, 18, p+1, 20, 21, 22, 23, 24)
	mixedDoubles := same(f64(1), f64(2), f64(3), f64(4), f64(5), f64(6), f64(7), f64(8), f64(9), f64(10))
	return []shape{
		{"ids and integers", "setBuffer:offset:atIndex:", "v@:@QQ", same(p, 256, 30), same(p, 256, 30), nil},
		{"object result", "itself", "@@:", nil, nil, same(p)},
		{"BOOL yes", "flip:", "B@:B", same(1), same(1), same(0)},
		{"BOOL of a wide word", "flip:", "B@:B", same(0xff01), same(1), same(0)},
		{"BOOL no", "flip:", "B@:B", same(0), same(0), same(1)},
		{"BOOL with dirty upper bits, no", "dirtyNo", "B@:", nil, nil, same(0)},
		{"BOOL with dirty upper bits, yes", "dirtyYes", "B@:", nil, nil, same(1)},
		{"narrow integers", "narrow:u:s:us:i:ui:", "i@:cCsSiI", same(minus(1), 0xfe, minus(3), 0xfffc, minus(5), 0xfffffffa),
			same(minus(1), 0xfe, minus(3), 0xfffc, minus(5), 0xfffffffa), same(minus(2))},
		{"selector argument, same", "sameSelector:", "B@::", same(uintptr(Sel("itself", "@@:"))), nil, same(1)},
		{"selector argument, another", "sameSelector:", "B@::", same(uintptr(selNew)), nil, same(0)},
		{"two MTLSize", "dispatch:threads:", "v@:{?=QQQ}{?=QQQ}", same(1, 2, 3, 4, 5, 6), same(1, 2, 3, 4, 5, 6), nil},
		{"MTLRegion", "replaceRegion:mipmapLevel:withBytes:bytesPerRow:", "v@:{?={?=QQQ}{?=QQQ}}Qr^vQ",
			same(1, 2, 3, 4, 5, 6, 7, 8, 9), same(1, 2, 3, 4, 5, 6, 7, 8, 9), nil},
		{"NSRange and a byte", "fillBuffer:range:value:", "v@:@{_NSRange=QQ}C", same(p, 64, 128, 0x1ab), same(p, 64, 128, 0xab), nil},
		{"NSRange result", "rangeFrom:", "{_NSRange=QQ}@:Q", same(7), nil, same(7, 21)},
		{"NSRange beyond amd64's registers", "a:b:c:range:d:", "v@:QQQ{_NSRange=QQ}Q", same(1, 2, 3, 4, 5, 6), same(1, 2, 3, 4, 5, 6), nil},
		{"NSRange beyond arm64's registers", "a:b:c:d:e:range:f:", "v@:QQQQQ{_NSRange=QQ}Q",
			same(1, 2, 3, 4, 5, 6, 7, 8), same(1, 2, 3, 4, 5, 6, 7, 8), nil},
		{"texture copy", "copyFromTexture:sourceSlice:sourceLevel:sourceOrigin:sourceSize:toTexture:destinationSlice:destinationLevel:destinationOrigin:",
			copyFromTexture, copyWords, copyWords, nil},
		{"setBuffers", "setBuffers:offsets:withRange:", "v@:r^@r^Q{_NSRange=QQ}", same(at(buffers), at(offsets), 2, 3),
			same(p, 16, 0, 0, p, 48, 2), nil},
		{"setBytes", "setBytes:length:atIndex:", "v@:r^vQQ", same(at(payload), 20, 5),
			same(payload[0], payload[1], payload[2]&0xffffffff, 5), nil},
		{"MTLSize result", "size", "{?=QQQ}@:", nil, nil, same(3, 5, 7)},
		{"MTLSize result with an argument", "sizeTimes:", "{?=QQQ}@:Q", same(10), nil, same(30, 50, 70)},
		{"MTLRegion result with a struct", "regionOf:", "{?={?=QQQ}{?=QQQ}}@:{?=QQQ}", same(4, 5, 6), nil, same(1, 2, 3, 4, 5, 6)},
		{"MTLResourceID both ways", "next:by:", "{MTLResourceID=Q}@:{MTLResourceID=Q}Q", same(40, 2), nil, same(42)},
		{"four bytes both ways", "turn:", "{?=CCCC}@:{?=CCCC}", same(0x04030201), same(0x04030201), same(0x03020104)},
		{"double result", "time", "d@:", nil, nil, same(f64(1234.5678))},
		{"float result", "bias", "f@:", nil, nil, same(f32(-0.75))},
		{"double both ways", "halve:", "d@:d", same(f64(5)), same(f64(5)), same(f64(2.5))},
		{"floats between integers", "setSampler:lodMinClamp:lodMaxClamp:atIndex:", "v@:@ffQ", same(p, f32(0.5), f32(1.5), 9),
			same(p, f32(0.5), f32(1.5), 9), nil},
		{"MTLClearColor both ways", "mix:with:", "{?=dddd}@:{?=dddd}Q", same(f64(1), f64(2), f64(3), f64(4), 5),
			same(f64(1), f64(2), f64(3), f64(4), 5), same(f64(4), f64(3), f64(2), f64(1))},
		{"two floats both ways", "swap:", "{?=ff}@:{?=ff}", same(pair(1.5, -2)), same(pair(1.5, -2)), same(pair(-2, 1.5))},
		{"three floats", "triple:", "{?=fff}@:f", same(f32(3)), nil, same(pair(3, 6), f32(9))},
		{"CGSize both ways", "swapSize:", "{?=dd}@:{?=dd}", same(f64(1), f64(2)), same(f64(1), f64(2)), same(f64(2), f64(1))},
		{"integer and double both ways", "mixed:", "{?=Qd}@:{?=Qd}", same(7, f64(2)), same(7, f64(2)), same(8, f64(3))},
		{"doubles beyond the registers", "a:b:c:d:e:f:triple:g:", "v@:dddddd{?=ddd}d", mixedDoubles, mixedDoubles, nil},
	}
}

// alive keeps what shapes point to.
var alive []*[3]uintptr

func TestEveryShapeArrivesWordByWord(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	m := new(Msg)
	for _, c := range shapes(probe) {
		sel := Sel(c.selector, c.encoding)
		s.received()
		first := m.Send(probe, sel, c.words...)
		c.check(t, "sent", s.received(), m.Struct())
		if len(c.result) > 0 && first != c.result[0] {
			t.Errorf("%s: Send gave %#x, want %#x", c.name, first, c.result[0])
		}
	}
	t.Logf("%s: %d shapes arrive through single messages", runtime.GOARCH, len(shapes(probe)))
}

// The oracle lowers nothing itself: purego gets a Go function type and does its own work.
func TestEveryShapeAgreesWithTypedFunctions(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	m := new(Msg)
	agreed := 0
	for _, c := range shapes(probe) {
		info := Sel(c.selector, c.encoding).info()
		lowered := info.loweredMethod()
		oracle, reason := newTypedCall(lowered.plan, &info.sig, true)
		if reason != "" {
			if lowered.typed != nil {
				t.Errorf("%s: %s", c.name, reason)
			}
			continue // purego passes it wrongly; the shim's word counts
		}
		s.received()
		copy(m.args[:], c.words)
		m.result = [maxResult]uintptr{}
		m.sel = Sel(c.selector, c.encoding)
		oracle.call(m, lowered.entry, uintptr(probe), lowered.selector)
		c.check(t, "typed", s.received(), m.Struct())
		agreed++
	}
	t.Logf("%s: %d of %d shapes agree with purego's typed functions, which pass the others wrongly", runtime.GOARCH, agreed, len(shapes(probe)))
}

func (c *shape) check(t *testing.T, how string, received, result []uintptr) {
	t.Helper()
	if !slices.Equal(received, c.received) {
		t.Errorf("%s, %s: the method received %#x, want %#x", c.name, how, received, c.received)
	}
	if !slices.Equal(result, c.result) {
		t.Errorf("%s, %s: the result is %#x, want %#x", c.name, how, result, c.result)
	}
}

func TestNilAnswersEveryShapeWithZeros(t *testing.T) {
	s := loadShim(t)
	m := new(Msg)
	for _, c := range shapes(s.newProbe(t)) {
		m.result[0] = 1
		if m.Send(0, Sel(c.selector, c.encoding), c.words...) != 0 || slices.Max(append(m.Struct(), 0)) != 0 {
			t.Errorf("%s: nil gave %#x", c.name, m.Struct())
		}
	}
}

func TestAStructArgumentIsACopy(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	m := new(Msg)
	words := []uintptr{1, 2, 3, 4, 5, 6}
	for range 2 { // the method writes to its copies
		m.Send(probe, Sel("dispatch:threads:", "v@:{?=QQQ}{?=QQQ}"), words...)
	}
	if got := s.received(); !slices.Equal(got, append(words, words...)) {
		t.Errorf("received %d", got)
	}
}

func TestFunctionsAndConstantsAreFoundInLibraries(t *testing.T) {
	s := loadShim(t)
	s.balanced(t)
	r, _ := Native()
	create, err := r.Func("ProbeCreate", "@{?=QQQ}Q")
	if err != nil {
		t.Fatal(err)
	}
	s.received()
	id := ID(create.Call(1, 2, 3, 4))
	if got := s.received(); !slices.Equal(got, []uintptr{1, 2, 3, 4}) || Send(id, selRetainCount) != 1 {
		t.Errorf("the function received %d", got)
	}
	Release(id)
	scale, err := r.Func("ProbeScale", "ddQ")
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Float64frombits(uint64(scale.Call(f64(1.5), 3))); got != 4.5 {
		t.Errorf("ProbeScale gave %v, want 4.5", got)
	}
	domain, err := r.Constant("ProbeErrorDomain")
	if err != nil || GoString(domain) != "ProbeErrorDomain" {
		t.Errorf("constant %q, %v", GoString(domain), err)
	}
	if _, err := r.Func("ProbeDestroy", "v"); err == nil {
		t.Error("a missing function is found")
	}
	if _, err := r.Constant("ProbeNothing"); err == nil {
		t.Error("a missing constant is found")
	}
	if r.Class("NoSuchClass") != 0 {
		t.Error("a missing class is found")
	}
	if RuntimeOf(domain) != r || RuntimeOf(domain) == Software() {
		t.Error("a native object is not of the native runtime")
	}
}

func TestNativeSendDoesNotAllocate(t *testing.T) {
	s := loadShim(t)
	if !poolsKeepRecords {
		t.Skip("under the race detector")
	}
	probe := s.newProbe(t)
	r, _ := Native()
	m := new(Msg)
	payload := make([]byte, 256)
	m.Bytes(payload)
	itself := Sel("itself", "@@:")
	cases := map[string]func(){
		"ids":      func() { m.Send(probe, selSet3, uintptr(probe), 1, 2) },
		"structs":  func() { m.Send(probe, selSizes, 1, 2, 3, 4, 5, 6) },
		"bytes":    func() { m.Send(probe, selSetBytes, m.Bytes(payload), 256, 5) },
		"Send":     func() { Send(probe, itself) },
		"retain":   func() { Retain(probe); Release(probe) },
		"pool":     func() { r.Pool(func() {}) },
		"responds": func() { Responds(probe, itself) },
	}
	for name, f := range cases {
		f()
		if n := testing.AllocsPerRun(10, func() { f(); s.clearOnly() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

var (
	selSet3     = Sel("setBuffer:offset:atIndex:", "v@:@QQ")
	selSizes    = Sel("dispatch:threads:", "v@:{?=QQQ}{?=QQQ}")
	selSetBytes = Sel("setBytes:length:atIndex:", "v@:r^vQQ")
)

// clearOnly forgets the received words, without allocating.
func (s *shim) clearOnly() { s.call1(s.clear, 0) }

func TestShapesThatCannotBePassedAreRefused(t *testing.T) {
	s := loadShim(t)
	probe := s.newProbe(t)
	defer SetBatchTransport(SetBatchTransport(true))
	b := new(Batch)
	b.Send(probe, Sel("itself", "@@:"))
	long := Sel("a:b:c:d:e:f:g:", "v@:{?=QQQ}{?=QQQ}{?=QQQ}{?=QQQ}{?=QQQ}{?=QQQ}{?=QQQ}")
	if hostABI == sysv { // 21 words on the stack
		mustPanic[*ShapeError](t, func() { b.Send(probe, long, make([]uintptr, 21)...) })
		mustPanic[*ShapeError](t, func() { b.SendToResult(0, Sel("size", "{?=QQQ}@:")) })
	} else {
		mustPanic[*ShapeError](t, func() { Send(probe, Sel("a:b:c:d:e:f:narrow:", "v@:QQQQQQI"), 1, 2, 3, 4, 5, 6, 7) })
		// purego passes a struct of integers and floats wrongly where it does not go by integer words alone.
		mustPanic[*ShapeError](t, func() { Send(probe, Sel("mixed:scale:", "v@:{?=Qd}d"), 1, 2, 3) })
	}
	mustPanic[*ShapeError](t, func() { Send(probe, Sel("huge", "{?=QQQQQQQQQ}@:")) })
}
