package simt

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// accessSite is a place in the program that reads or writes memory, with what is known of the address beforehand:
// A + B*imm + imm2.
type accessSite struct {
	plan   *plan
	pos    token.Pos
	at     int    // site number
	array  ir.Reg // of an access to a register array
	object int    // 0: not known
	class  objectClass
	a, b   slot
	index  bool // there is a B
	form   addressForm
	imm    int64
	imm2   int64
	elem   int64 // bytes of an element
	total  int64 // bytes of the access
	unit   bool  // one element
	start  int64 // of a private object in warp.priv
	write  bool
	atomic bool
	bounds bool // CheckBounds
	race   bool // CheckRaces, and the memory may be shared
}

// addressForm tells which operands of an address differ between lanes, and how wide the index is.
type addressForm uint8

const (
	formUniform         addressForm = iota // one address for all
	formUnsigned                           // A is the same in all lanes, B unsigned of up to 32 bits
	formSigned                             // B signed of up to 32 bits
	formWide                               // B of 64 bits
	formPointer                            // A differs, B does not
	formPointerUnsigned                    // both differ
	formPointerSigned
	formPointerWide
)

// newAccess describes an access through register a with optional index b.
func (g *generator) newAccess(in *ir.Instr, a, b ir.Reg, elem, total int64) *accessSite {
	o := g.plan.regs[a].object
	s := &accessSite{plan: g.plan, pos: in.Pos, at: g.plan.bySite[in].at, object: o, class: g.plan.objects[o].class,
		a: g.l.slots[a], elem: elem, total: total, unit: elem == total, bounds: g.checks&CheckBounds != 0}
	s.race = g.checks&CheckRaces != 0 && (o == 0 || g.plan.objects[o].shared())
	if s.class == privateObject {
		s.start = g.privs[o]
	}
	if b == ir.NoReg {
		if s.a.vector {
			s.form = formPointer
		}
		return s
	}
	s.b, s.index = g.l.slots[b], true
	switch {
	case !s.b.vector && s.a.vector:
		s.form = formPointer
	case !s.b.vector:
		s.form = formUniform
	default:
		s.form = formUnsigned
		if s.b.kind.IsSigned() {
			s.form = formSigned
		}
		if s.b.bank == bankQ {
			s.form = formWide
		}
		if s.a.vector {
			s.form += formPointerUnsigned - formUnsigned
		}
	}
	return s
}

// indexCell is B where all lanes share it, or 0.
func (s *accessSite) indexCell(w *warp) int64 {
	switch {
	case !s.index || s.b.vector:
		return 0
	case s.b.bank == bankQ:
		return int64(w.sq[s.b.index])
	case s.b.kind.IsSigned():
		return int64(int32(w.su[s.b.index]))
	}
	return int64(w.su[s.b.index])
}

// indexLane is B in a lane.
func (s *accessSite) indexLane(w *warp, lane int) int64 {
	switch {
	case !s.index || !s.b.vector:
		return s.indexCell(w)
	case s.b.bank == bankQ:
		return int64(w.vq[s.b.index][lane&31])
	case s.b.kind.IsSigned():
		return int64(int32(w.vu[s.b.index][lane&31]))
	}
	return int64(w.vu[s.b.index][lane&31])
}

// address is the full address in a lane.
func (s *accessSite) address(w *warp, lane int) uint64 {
	var p uint64
	if s.a.vector {
		p = w.vq[s.a.index][lane&31]
	} else {
		p = w.sq[s.a.index]
	}
	return movePointer(p, s.indexLane(w, lane)*s.imm+s.imm2)
}

// memory gives object o as the lane sees it; a fault if there is none and bounds are checked.
func (s *accessSite) memory(w *warp, o, lane int) []byte {
	if o <= 0 || o >= len(s.plan.objects) {
		return nil
	}
	obj := &s.plan.objects[o]
	if obj.class != privateObject {
		return w.wk.mem[o]
	}
	from := w.wk.code.privs[o] + int64(lane)*obj.size
	return w.priv[from : from+obj.size]
}

// What resolve found out about the offsets in warp.off beside the lanes that may access.
const (
	someOutside = -2 // offsets of some lanes are outside
	allInside   = -1 // those of every lane, active or not, are inside
	// 0 and more: lane i accesses at this offset + i*elem, and warp.off is not filled
)

// resolve computes the offsets of an access whose object is known and whose lanes differ. ok are the active lanes whose
// access lies in the object.
func (s *accessSite) resolve(w *warp) (mem []byte, ok uint32, row int64) {
	var limit int64
	if s.class == privateObject {
		size := s.plan.objects[s.object].size
		mem, limit = w.priv[s.start:s.start+size*Width], size-s.total
	} else {
		mem = w.wk.mem[s.object]
		limit = int64(len(mem)) - s.total
	}
	off, imm := &w.off, s.imm
	var bad int64
	switch s.form {
	case formUnsigned:
		base := offsetOf(w.sq[s.a.index]) + s.imm2
		B := &w.vu[s.b.index]
		if first := B[0]; s.unit && imm == s.elem && B[31]-first == 31 {
			var d uint32
			for i, x := range B {
				d |= (x - first) ^ uint32(i)
			}
			if from := base + int64(first)*imm; d == 0 && B[31] > first && from >= 0 && from+31*imm <= limit && s.class != privateObject {
				return mem, w.mask, from
			}
		}
		for i, x := range B {
			v := base + int64(x)*imm
			off[i] = v
			bad |= v | (limit - v)
		}
	case formSigned:
		base := offsetOf(w.sq[s.a.index]) + s.imm2
		B := &w.vu[s.b.index]
		if first := B[0]; s.unit && imm == s.elem && B[31]-first == 31 {
			var d uint32
			for i, x := range B {
				d |= (x - first) ^ uint32(i)
			}
			if from := base + int64(int32(first))*imm; d == 0 && int32(B[31]) > int32(first) && from >= 0 && from+31*imm <= limit && s.class != privateObject {
				return mem, w.mask, from
			}
		}
		for i, x := range B {
			v := base + int64(int32(x))*imm
			off[i] = v
			bad |= v | (limit - v)
		}
	case formWide:
		base := offsetOf(w.sq[s.a.index]) + s.imm2
		B := &w.vq[s.b.index]
		if first := B[0]; s.unit && imm == s.elem && B[31]-first == 31 {
			var d uint64
			for i, x := range B {
				d |= (x - first) ^ uint64(i)
			}
			if from := base + int64(first)*imm; d == 0 && from >= 0 && from+31*imm <= limit && s.class != privateObject {
				return mem, w.mask, from
			}
		}
		for i, x := range B {
			v := base + int64(x)*imm
			off[i] = v
			bad |= v | (limit - v)
		}
	case formPointer:
		add := s.indexCell(w)*imm + s.imm2
		A := &w.vq[s.a.index]
		for i, p := range A {
			v := offsetOf(p) + add
			off[i] = v
			bad |= v | (limit - v)
		}
		if s.unit && bad >= 0 && off[31]-off[0] == 31*s.elem && s.class != privateObject {
			d, at := int64(0), off[0]
			for _, v := range off {
				d |= v - at
				at += s.elem
			}
			if d == 0 {
				return mem, w.mask, off[0]
			}
		}
	case formUniform:
		v := offsetOf(w.sq[s.a.index]) + s.indexCell(w)*imm + s.imm2
		for i := range off {
			off[i] = v
		}
		bad = v | (limit - v)
	default:
		for i := range off {
			v := offsetOf(w.vq[s.a.index][i]) + s.indexLane(w, i)*imm + s.imm2
			off[i] = v
			bad |= v | (limit - v)
		}
	}
	ok, row = w.mask, allInside
	if bad < 0 {
		ok, row = s.inside(w, limit)
	}
	if s.class == privateObject {
		size := s.plan.objects[s.object].size
		for i := range off {
			off[i] += int64(i) * size
		}
	}
	return mem, ok, row
}

// inside finds the active lanes whose offsets lie in 0 to limit; those outside are a fault if bounds are checked.
func (s *accessSite) inside(w *warp, limit int64) (ok uint32, row int64) {
	for i, v := range &w.off {
		if v >= 0 && v <= limit {
			ok |= 1 << (i & 31)
		}
	}
	row = someOutside
	if ok == fullMask {
		row = allInside
	}
	ok &= w.mask
	if s.bounds && ok != w.mask {
		lane := bits.TrailingZeros32(w.mask &^ ok)
		s.outside(w, lane, pointer(s.object, w.off[lane]))
	}
	return ok, row
}

// locate finds the bytes of an access by one lane wherever they are; nil if they are outside and bounds are not checked.
func (s *accessSite) locate(w *warp, lane int, p uint64) []byte {
	o, off := objectOf(p), offsetOf(p)
	mem := s.memory(w, o, lane)
	if off < 0 || off > int64(len(mem))-s.total || s.write && s.plan.objects[o].class == constantObject {
		if s.bounds {
			s.outside(w, lane, p)
		}
		return nil
	}
	return mem[off:]
}
