package simt

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// memoryOp holds the loads and stores of one kind. d is a register row or cell; m begins at the element, or for gather
// and scatter at the base that warp.off counts from.
type memoryOp struct {
	loadScalar  func(w *warp, d int, m []byte)
	loadLane    func(w *warp, d, lane int, m []byte)
	loadRow     func(w *warp, d int, m []byte) // consecutive elements
	gather      func(w *warp, d int, m []byte)
	storeScalar func(w *warp, d int, m []byte)
	storeLane   func(w *warp, d, lane int, m []byte)
	storeRow    func(w *warp, d int, m []byte)
	scatter     func(w *warp, d int, m []byte)
}

// memoryOpOf gives the loads and stores of a kind; those of signed words and pointers are the unsigned ones.
func memoryOpOf(k ir.Kind) *memoryOp {
	switch k {
	case ir.I32:
		k = ir.U32
	case ir.I64, ir.Ptr:
		k = ir.U64
	}
	return memoryOps[k]
}

func boolOf(b byte) uint32 {
	if b != 0 {
		return 1
	}
	return 0
}

// value is a register row or cell of a load or store. fix, if not nil, runs after the load, or before the store, of
// this value: it moves it between a scratch row and the place where it lives.
type value struct {
	index int
	fix   step
}

func (g *generator) load(in *ir.Instr) {
	op := memoryOpOf(in.Kind)
	if op == nil {
		g.fail(in, "load of %s", in.Kind)
		return
	}
	elem := in.Kind.Size()
	s := g.newAccess(in, in.A, in.B, elem, elem*int64(len(in.Regs)))
	s.imm, s.imm2 = in.Imm, in.Imm2
	dst := make([]value, len(in.Regs))
	vector := s.form != formUniform || g.plan.mayBePrivate(in.A)
	for i, r := range in.Regs {
		d := g.l.slots[r]
		if d.bank != bankOf(in.Kind) {
			g.fail(in, "load of %s into a register of kind %s", in.Kind, d.kind)
			return
		}
		switch {
		case d.vector == vector && !g.plan.regs[r].escapes:
			dst[i] = value{d.index, nil}
		case vector:
			dst[i] = value{0, copyMasked(d.bank, d.index, 0)}
		default:
			dst[i] = value{0, broadcastMasked(d.bank, d.index, 0)}
		}
	}
	switch {
	case !vector:
		g.emit(loadUniform(s, op, dst))
	case s.object == 0:
		g.emit(loadAnywhere(s, op, dst))
	case len(dst) == 1 && dst[0].fix == nil:
		g.emit(loadOne(s, op, dst[0].index))
	default:
		g.emit(loadSome(s, op, dst))
	}
}

var zeros [16]byte

// loadUniform loads once for all lanes.
func loadUniform(s *accessSite, op *memoryOp, dst []value) step {
	d := dst[0].index
	if len(dst) == 1 && dst[0].fix == nil && s.object != 0 && !s.race {
		return func(w *warp) {
			off := offsetOf(w.sq[s.a.index]) + s.indexCell(w)*s.imm + s.imm2
			mem := w.wk.mem[s.object]
			if off < 0 || off > int64(len(mem))-s.total {
				if s.bounds {
					s.outside(w, bits.TrailingZeros32(w.mask), pointer(s.object, off))
				}
				op.loadScalar(w, d, zeros[:])
				return
			}
			op.loadScalar(w, d, mem[off:])
		}
	}
	return func(w *warp) {
		p := s.address(w, 0)
		mem := s.locate(w, bits.TrailingZeros32(w.mask), p)
		if mem != nil && s.race {
			s.noteUniform(w, p)
		}
		for i, d := range dst {
			if mem == nil {
				op.loadScalar(w, d.index, zeros[:])
			} else {
				op.loadScalar(w, d.index, mem[int64(i)*s.elem:])
			}
			if d.fix != nil {
				d.fix(w)
			}
		}
	}
}

func loadOne(s *accessSite, op *memoryOp, d int) step {
	return func(w *warp) {
		mem, ok, row := s.resolve(w)
		if s.race {
			s.note(w, ok, row)
		}
		switch {
		case w.mask != fullMask:
			s.loadLanes(w, op, d, mem, ok, row, 0)
		case row >= 0:
			op.loadRow(w, d, mem[row:])
		case row == allInside:
			op.gather(w, d, mem)
		default:
			s.loadLanes(w, op, d, mem, ok, row, 0)
		}
	}
}

func loadSome(s *accessSite, op *memoryOp, dst []value) step {
	return func(w *warp) {
		mem, ok, row := s.resolve(w)
		if s.race {
			s.note(w, ok, row)
		}
		for i, d := range dst {
			switch {
			case w.mask != fullMask:
				s.loadLanes(w, op, d.index, mem, ok, row, int64(i)*s.elem)
			case row >= 0:
				op.loadRow(w, d.index, mem[row:])
			case row == allInside:
				op.gather(w, d.index, mem[int64(i)*s.elem:])
			default:
				s.loadLanes(w, op, d.index, mem, ok, row, int64(i)*s.elem)
			}
			if d.fix != nil {
				d.fix(w)
			}
		}
	}
}

// loadLanes loads lane by lane; active lanes outside get 0. Memory that only inactive lanes point to is not touched: another
// threadgroup may be writing it.
func (s *accessSite) loadLanes(w *warp, op *memoryOp, d int, mem []byte, ok uint32, row, add int64) {
	for m := w.mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		off := w.off[lane&31]
		if row >= 0 {
			off = row + int64(lane)*s.elem
		}
		if ok>>lane&1 == 0 {
			op.loadLane(w, d, lane, zeros[:])
			continue
		}
		op.loadLane(w, d, lane, mem[off+add:])
	}
}

// loadAnywhere loads where every lane may point into another object.
func loadAnywhere(s *accessSite, op *memoryOp, dst []value) step {
	return func(w *warp) {
		for i, d := range dst {
			for m := w.mask; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				p := s.address(w, lane)
				mem := s.locate(w, lane, p)
				if mem == nil {
					op.loadLane(w, d.index, lane, zeros[:])
					continue
				}
				if s.race && i == 0 {
					s.noteLane(w, lane, p)
				}
				op.loadLane(w, d.index, lane, mem[int64(i)*s.elem:])
			}
			if d.fix != nil {
				d.fix(w)
			}
		}
	}
}

func (g *generator) store(in *ir.Instr) {
	op := memoryOpOf(in.Kind)
	if op == nil {
		g.fail(in, "store of %s", in.Kind)
		return
	}
	elem := in.Kind.Size()
	s := g.newAccess(in, in.A, in.B, elem, elem*int64(len(in.Regs)))
	s.imm, s.imm2, s.write = in.Imm, in.Imm2, true
	if s.class == constantObject {
		g.fail(in, "store to constant memory")
		return
	}
	src := make([]value, len(in.Regs))
	vector := s.form != formUniform || g.plan.mayBePrivate(in.A)
	for _, r := range in.Regs {
		if g.l.slots[r].bank != bankOf(in.Kind) {
			g.fail(in, "store of a register of kind %s as %s", g.l.slots[r].kind, in.Kind)
			return
		}
		vector = vector || g.l.slots[r].vector
	}
	for i, r := range in.Regs {
		v := g.l.slots[r]
		src[i] = value{v.index, nil}
		if vector && !v.vector {
			src[i] = value{0, broadcast(v.bank, 0, v.index)}
		}
	}
	switch {
	case !vector:
		g.emit(storeUniform(s, op, src))
	case s.object == 0:
		g.emit(storeAnywhere(s, op, src))
	default:
		g.emit(storeSome(s, op, src))
	}
}

func storeUniform(s *accessSite, op *memoryOp, src []value) step {
	return func(w *warp) {
		p := s.address(w, 0)
		mem := s.locate(w, bits.TrailingZeros32(w.mask), p)
		if mem == nil {
			return
		}
		if s.race {
			s.noteUniform(w, p)
		}
		for i, d := range src {
			op.storeScalar(w, d.index, mem[int64(i)*s.elem:])
		}
	}
}

func storeSome(s *accessSite, op *memoryOp, src []value) step {
	return func(w *warp) {
		mem, ok, row := s.resolve(w)
		if s.race {
			s.note(w, ok, row)
		}
		for i, d := range src {
			if d.fix != nil {
				d.fix(w)
			}
			add := int64(i) * s.elem
			switch {
			case ok == fullMask && row >= 0:
				op.storeRow(w, d.index, mem[row:])
			case ok == fullMask:
				op.scatter(w, d.index, mem[add:])
			case row >= 0:
				for m := ok; m != 0; m &= m - 1 {
					lane := bits.TrailingZeros32(m)
					op.storeLane(w, d.index, lane, mem[row+int64(lane)*s.elem:])
				}
			default:
				for m := ok; m != 0; m &= m - 1 {
					lane := bits.TrailingZeros32(m)
					op.storeLane(w, d.index, lane, mem[w.off[lane]+add:])
				}
			}
		}
	}
}

func storeAnywhere(s *accessSite, op *memoryOp, src []value) step {
	return func(w *warp) {
		for i, d := range src {
			if d.fix != nil {
				d.fix(w)
			}
			for m := w.mask; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				p := s.address(w, lane)
				mem := s.locate(w, lane, p)
				if mem == nil {
					continue
				}
				if s.race && i == 0 {
					s.noteLane(w, lane, p)
				}
				op.storeLane(w, d.index, lane, mem[int64(i)*s.elem:])
			}
		}
	}
}
