package simt

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// fragment gives the first of the two neighbouring elements of an 8x8 matrix that thread_elements() shows to a lane.
var fragment = func() (f [Width]uint8) {
	for lane := range f {
		q := lane / 4
		row := q&4 + lane/2%4
		col := q&2*2 + lane%2*2
		f[lane] = uint8(row*8 + col)
	}
	return f
}()

// matrix emits the operations on simdgroup matrices. A matrix belongs to the simdgroup: what lanes pass for it must be
// the same in all of them, and the first active one's is taken. The result goes to dst.
func (g *generator) matrix(in *ir.Instr, dst ir.Reg) {
	if g.checks&CheckBarriers != 0 && in.Op != ir.MatSet {
		apart := g.partedAt(g.plan.bySite[in].z)
		pos := in.Pos
		g.emit(func(w *warp) {
			if w.mask != w.launch {
				w.partial(InvalidMatrixUse, pos, "simdgroup matrix operation", apart)
			}
		})
	}
	slot := func(r ir.Reg) int {
		if g.l.slots[r].bank != bankM {
			g.fail(in, "a matrix operand of kind %s", g.l.slots[r].kind)
		}
		return g.l.slots[r].index
	}
	switch in.Op {
	case ir.MatFill, ir.MatDiag:
		d := slot(dst)
		if g.l.slots[in.A].bank != bankF {
			g.fail(in, "a matrix element of kind %s", g.l.slots[in.A].kind)
			return
		}
		a, step := g.cell(in.A, 0), 1
		if in.Op == ir.MatDiag {
			step = 9
		}
		g.emit(func(w *warp) {
			D, x := &w.mats[d], w.sf[a]
			*D = [64]float32{}
			for i := 0; i < 64; i += step {
				D[i] = x
			}
		})
	case ir.MatLoad, ir.MatStore:
		g.matAccess(in)
	case ir.MatMul:
		d, a, b := slot(dst), slot(in.A), slot(in.B)
		g.emit(func(w *warp) {
			var zero [64]float32
			multiply(&w.mats[d], &w.mats[a], &w.mats[b], &zero)
		})
		g.roundMat(in.Kind, d)
	case ir.MatMac:
		d, a, b, c := slot(dst), slot(in.A), slot(in.B), slot(in.C)
		g.emit(func(w *warp) { multiply(&w.mats[d], &w.mats[a], &w.mats[b], &w.mats[c]) })
		g.roundMat(in.Kind, d)
	case ir.MatSet:
		g.matSet(in, slot(dst))
	}
}

func (g *generator) roundMat(k ir.Kind, d int) {
	switch k {
	case ir.MatF16:
		g.emit(func(w *warp) { num.RoundF16s(w.mats[d][:]) })
	case ir.MatBF16:
		g.emit(func(w *warp) { num.RoundBF16s(w.mats[d][:]) })
	}
}

func (g *generator) matGet(in *ir.Instr, d slot) {
	a, b := g.l.slots[in.A], g.l.slots[in.B]
	if a.bank != bankM || b.bank != bankU || d.bank != bankF || !d.vector {
		g.fail(in, "element of %s by %s into %s", a.kind, b.kind, d.kind)
		return
	}
	di := d.index
	if b.vector {
		g.emit(func(w *warp) {
			D, M, B := &w.vf[di], &w.mats[a.index], &w.vu[b.index]
			for i := range D {
				D[i] = M[(uint32(fragment[i])+B[i]&1)&63]
			}
		})
		return
	}
	g.emit(func(w *warp) {
		D, M, k := &w.vf[di], &w.mats[a.index], uint8(w.su[b.index]&1)
		for i := range D {
			D[i] = M[(fragment[i]+k)&63]
		}
	})
}

func (g *generator) matSet(in *ir.Instr, d int) {
	if g.l.slots[in.A].bank != bankU || g.l.slots[in.B].bank != bankF {
		g.fail(in, "element by %s from %s", g.l.slots[in.A].kind, g.l.slots[in.B].kind)
		return
	}
	a, b := g.row(in.A, 0), g.row(in.B, 0)
	g.emit(func(w *warp) {
		M, K, B := &w.mats[d], &w.vu[a], &w.vf[b]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			M[(uint32(fragment[i])+K[i]&1)&63] = B[i]
		}
	})
}

// matAccess emits MatLoad and MatStore.
func (g *generator) matAccess(in *ir.Instr) {
	store := in.Op == ir.MatStore
	kind := ir.Kind(in.Imm2)
	if kind != ir.F16 && kind != ir.BF16 && kind != ir.F32 {
		g.fail(in, "matrix of %d in memory", in.Imm2)
		return
	}
	at, stride, col, row, m := in.A, in.B, in.C, ir.NoReg, in.Dst
	if store {
		at, stride, col, m = in.B, in.C, ir.NoReg, in.A
		if len(in.Regs) > 0 {
			col = in.Regs[0]
		}
		if len(in.Regs) > 1 {
			row = in.Regs[1]
		}
	} else if len(in.Regs) > 0 {
		row = in.Regs[0]
	}
	if g.l.slots[m].bank != bankM || g.l.slots[at].bank != bankQ {
		g.fail(in, "matrix %s at %s", g.l.slots[m].kind, g.l.slots[at].kind)
		return
	}
	size := kind.Size()
	s := g.newAccess(in, at, ir.NoReg, size, size)
	s.write = store
	p, mi := g.cell(at, 0), g.l.slots[m].index
	strideOf, colOf, rowOf := g.integerCell(stride, 1), g.integerCell(col, 2), g.integerCell(row, 3)
	transposed := in.Imm == 1
	target := g.l.slots[m].kind
	g.emit(func(w *warp) {
		base, step := w.sq[p], strideOf(w)*size
		const far = 1 << 36
		step = min(max(step, -far), far)
		base = movePointer(base, min(max(rowOf(w), -far), far)*strideOf(w)*size+colOf(w)*size)
		var rows [64]float32
		dst := &w.mats[mi]
		if transposed {
			dst = &rows
			if store {
				transpose(dst, &w.mats[mi])
			}
		}
		o, off := objectOf(base), offsetOf(base)
		mem := s.memory(w, o, 0)
		if s.race {
			s.noteMatrix(w, o, off, step, len(mem))
		}
		first, last := off+min(0, 7*step), off+max(0, 7*step)+8*size
		if first < 0 || last > int64(len(mem)) {
			s.matEdge(w, base, step, dst, kind)
		} else if store {
			storeMatrix(mem, off, step, dst, kind)
		} else {
			loadMatrix(mem, off, step, dst, kind)
		}
		if transposed && !store {
			transpose(&w.mats[mi], dst)
		}
	})
	if !store && target.Elem() != kind {
		g.roundMat(target, mi)
	}
}

func transpose(d, a *[64]float32) {
	for i := range 8 {
		for j := range 8 {
			d[i*8+j] = a[j*8+i]
		}
	}
}

// integerCell reads an integer register that all lanes share; 0 if there is none.
func (g *generator) integerCell(r ir.Reg, scratch int) func(w *warp) int64 {
	if r == ir.NoReg {
		return func(*warp) int64 { return 0 }
	}
	k := g.l.slots[r].kind
	c := g.cell(r, scratch)
	switch {
	case bankOf(k) == bankQ:
		return func(w *warp) int64 { return int64(w.sq[c]) }
	case k.IsSigned():
		return func(w *warp) int64 { return int64(int32(w.su[c])) }
	}
	return func(w *warp) int64 { return int64(w.su[c]) }
}

func loadMatrix(mem []byte, off, step int64, d *[64]float32, k ir.Kind) {
	for i := 0; i < 64; i += 8 {
		D := (*[8]float32)(d[i:])
		switch k {
		case ir.BF16:
			m := mem[off:][:16]
			for j := range D {
				D[j] = num.BF16ToF32(binary.LittleEndian.Uint16(m[j*2:]))
			}
		case ir.F16:
			m := mem[off:][:16]
			for j := range D {
				D[j] = num.F16ToF32(binary.LittleEndian.Uint16(m[j*2:]))
			}
		default:
			m := mem[off:][:32]
			for j := range D {
				D[j] = math.Float32frombits(binary.LittleEndian.Uint32(m[j*4:]))
			}
		}
		off += step
	}
}

func storeMatrix(mem []byte, off, step int64, d *[64]float32, k ir.Kind) {
	for i := 0; i < 64; i += 8 {
		D := (*[8]float32)(d[i:])
		switch k {
		case ir.BF16:
			m := mem[off:][:16]
			for j, x := range D {
				binary.LittleEndian.PutUint16(m[j*2:], num.F32ToBF16(x))
			}
		case ir.F16:
			m := mem[off:][:16]
			for j, x := range D {
				binary.LittleEndian.PutUint16(m[j*2:], num.F32ToF16(x))
			}
		default:
			m := mem[off:][:32]
			for j, x := range D {
				binary.LittleEndian.PutUint32(m[j*4:], math.Float32bits(x))
			}
		}
		off += step
	}
}

// matEdge loads or stores element by element where a part lies outside the object.
func (s *accessSite) matEdge(w *warp, base uint64, step int64, d *[64]float32, k ir.Kind) {
	op := memoryOpOf(k)
	saved := w.vf[0]
	for i := range 64 {
		p := movePointer(base, int64(i/8)*step+int64(i%8)*s.elem)
		mem := s.locate(w, bits.TrailingZeros32(w.mask), p)
		switch {
		case s.write && mem != nil:
			w.vf[0][0] = d[i]
			op.storeLane(w, 0, 0, mem)
		case s.write:
		case mem != nil:
			op.loadLane(w, 0, 0, mem)
			d[i] = w.vf[0][0]
		default:
			d[i] = 0
		}
	}
	w.vf[0] = saved
}

// noteMatrix records the part of a matrix access that lies in threadgroup memory.
func (s *accessSite) noteMatrix(w *warp, object int, off, step int64, size int) {
	st := s.stampOf(w, wholeWarp)
	for range 8 {
		if off >= 0 && off+8*s.elem <= int64(size) {
			s.noteAt(w, st, object, off, 8*s.elem)
		}
		off += step
	}
}
