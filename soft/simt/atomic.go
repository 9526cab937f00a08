package simt

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

func isAtomic(op ir.Op) bool { return op >= ir.AtomicLoad && op <= ir.AtomicXor }

// atomic emits an atomic operation: lane by lane, in ascending order. On device memory it is a loop around the processor's
// compare-and-swap, so that it holds against other workers and other dispatches; threadgroup memory belongs to one worker.
func (g *generator) atomic(in *ir.Instr) {
	k := in.Kind
	if k != ir.I32 && k != ir.U32 && k != ir.I64 && k != ir.U64 && k != ir.F32 {
		g.fail(in, "atomic %s", k)
		return
	}
	size := k.Size()
	s := g.newAccess(in, in.A, in.B, size, size)
	s.imm, s.imm2, s.atomic, s.write = in.Imm, in.Imm2, true, in.Op != ir.AtomicLoad
	modify := modifier(in.Op, k)
	if modify == nil {
		g.fail(in, "not an operation of %s", k)
		return
	}
	operand := func(r ir.Reg, n int) func(w *warp, lane int) uint64 {
		if g.l.slots[r].bank != bankOf(k) {
			g.fail(in, "operand of kind %s", g.l.slots[r].kind)
			return nil
		}
		i := g.row(r, n)
		switch bankOf(k) {
		case bankF:
			return func(w *warp, lane int) uint64 { return uint64(math.Float32bits(w.vf[i][lane])) }
		case bankU:
			return func(w *warp, lane int) uint64 { return uint64(w.vu[i][lane]) }
		}
		return func(w *warp, lane int) uint64 { return w.vq[i][lane] }
	}
	zero := func(*warp, int) uint64 { return 0 }
	value, expected := zero, zero
	if in.Op != ir.AtomicLoad {
		value = operand(in.C, 0)
	}
	if in.Op == ir.AtomicCAS {
		expected = operand(in.Regs[0], 1)
	}
	put := func(*warp, int, uint64) {}
	if in.Dst != ir.NoReg {
		d := g.l.slots[in.Dst]
		if d.bank != bankOf(k) || !d.vector {
			g.fail(in, "result of kind %s", d.kind)
			return
		}
		i := d.index // written in the active lanes only
		switch d.bank {
		case bankF:
			put = func(w *warp, lane int, x uint64) { w.vf[i][lane] = math.Float32frombits(uint32(x)) }
		case bankU:
			put = func(w *warp, lane int, x uint64) { w.vu[i][lane] = uint32(x) }
		default:
			put = func(w *warp, lane int, x uint64) { w.vq[i][lane] = x }
		}
	}
	cas := in.Op == ir.AtomicCAS
	g.emit(func(w *warp) {
		for m := w.mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			p := s.address(w, lane)
			if offsetOf(p)%size != 0 {
				s.misaligned(w, lane, p)
			}
			mem := s.locate(w, lane, p)
			if mem == nil {
				put(w, lane, 0)
				continue
			}
			o := objectOf(p)
			v, e := value(w, lane), expected(w, lane)
			f := func(old uint64) uint64 {
				if cas && old != e {
					return old
				}
				return modify(old, v)
			}
			if s.plan.objects[o].shared() || s.plan.objects[o].class == privateObject {
				if s.race {
					s.noteLane(w, lane, p)
				}
				put(w, lane, updatePlain(mem, size, f))
				continue
			}
			old, ok := updateShared(mem, size, s.write, f)
			if !ok {
				s.misaligned(w, lane, p)
			}
			put(w, lane, old)
		}
	})
}

func (s *accessSite) misaligned(w *warp, lane int, p uint64) {
	var o *object
	name := "no object"
	if n := objectOf(p); n > 0 && n < len(s.plan.objects) {
		o = &s.plan.objects[n]
		name = o.describe()
	}
	w.fault(Misaligned, s.pos, lane, o, "atomic operation on %d bytes at offset %d of %s, which is no multiple of their size, by %s",
		s.total, offsetOf(p), name, w.threadText(lane))
}

// modifier gives the function from the old bits and the operand's to the new ones.
func modifier(op ir.Op, k ir.Kind) func(old, v uint64) uint64 {
	switch op {
	case ir.AtomicLoad:
		return func(old, _ uint64) uint64 { return old }
	case ir.AtomicStore, ir.AtomicExchange, ir.AtomicCAS:
		return func(_, v uint64) uint64 { return v }
	}
	if k == ir.F32 {
		var f func(a, b float32) float32
		switch op {
		case ir.AtomicAdd:
			f = func(a, b float32) float32 { return a + b }
		case ir.AtomicSub:
			f = func(a, b float32) float32 { return a - b }
		case ir.AtomicMin:
			f = num.Fmin
		case ir.AtomicMax:
			f = num.Fmax
		default:
			return nil
		}
		return func(old, v uint64) uint64 {
			return uint64(math.Float32bits(f(math.Float32frombits(uint32(old)), math.Float32frombits(uint32(v)))))
		}
	}
	switch op {
	case ir.AtomicAdd:
		return func(old, v uint64) uint64 { return old + v }
	case ir.AtomicSub:
		return func(old, v uint64) uint64 { return old - v }
	case ir.AtomicAnd:
		return func(old, v uint64) uint64 { return old & v }
	case ir.AtomicOr:
		return func(old, v uint64) uint64 { return old | v }
	case ir.AtomicXor:
		return func(old, v uint64) uint64 { return old ^ v }
	}
	least := op == ir.AtomicMin
	return func(old, v uint64) uint64 {
		less := old < v
		switch k {
		case ir.I32:
			less = int32(old) < int32(v)
		case ir.I64:
			less = int64(old) < int64(v)
		}
		if less == least {
			return old
		}
		return v
	}
}

func updatePlain(mem []byte, size int64, f func(uint64) uint64) uint64 {
	if size == 8 {
		old := binary.LittleEndian.Uint64(mem)
		binary.LittleEndian.PutUint64(mem, f(old))
		return old
	}
	old := binary.LittleEndian.Uint32(mem)
	binary.LittleEndian.PutUint32(mem, uint32(f(uint64(old))))
	return uint64(old)
}

// bigEndian says that words in memory must be turned round: memory is little-endian whatever the processor.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func little32(x uint32) uint32 {
	if bigEndian {
		return bits.ReverseBytes32(x)
	}
	return x
}

func little64(x uint64) uint64 {
	if bigEndian {
		return bits.ReverseBytes64(x)
	}
	return x
}

// updateShared replaces the word at the beginning of mem by f of it and gives what it was. It reports false for an
// address that the processor's atomic instructions cannot take.
//
// The views are safe: locate has found at least size bytes in mem, the alignment is checked here, mem keeps the memory
// alive, and words of these types hold no pointers.
func updateShared(mem []byte, size int64, write bool, f func(uint64) uint64) (uint64, bool) {
	p := unsafe.Pointer(&mem[0])
	if uintptr(p)%uintptr(size) != 0 {
		return 0, false
	}
	if size == 8 {
		word := (*uint64)(p)
		for {
			raw := atomic.LoadUint64(word)
			old := little64(raw)
			if !write || atomic.CompareAndSwapUint64(word, raw, little64(f(old))) {
				return old, true
			}
		}
	}
	word := (*uint32)(p)
	for {
		raw := atomic.LoadUint32(word)
		old := little32(raw)
		if !write || atomic.CompareAndSwapUint32(word, raw, little32(uint32(f(uint64(old))))) {
			return uint64(old), true
		}
	}
}
