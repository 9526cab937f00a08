package simt

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// Register arrays: rows, or matrices, that lie one behind the other.

func (g *generator) arraySite(in *ir.Instr, r ir.Reg) *accessSite {
	return &accessSite{plan: g.plan, pos: in.Pos, at: g.plan.bySite[in].at, array: r, bounds: g.checks&CheckBounds != 0}
}

// matrixElement holds index k to an array of n matrices, which all lanes share as they do the matrices.
func (s *accessSite) matrixElement(w *warp, k uint32, n int) (int, bool) {
	if k >= uint32(n) {
		s.indexFault(w, bits.TrailingZeros32(w.mask), k, n)
		return 0, false
	}
	return int(k), true
}

func (g *generator) arrayGet(in *ir.Instr, d slot) {
	a, i := g.l.slots[in.A], g.l.slots[in.B]
	n := max(int(g.k.Regs[in.A].Len), 1)
	if a.bank == bankM && d.bank == bankM && i.bank == bankU {
		site, k, di := g.arraySite(in, in.A), g.cell(in.B, 0), d.index
		g.emit(func(w *warp) {
			if e, ok := site.matrixElement(w, w.su[k], n); ok {
				w.mats[di] = w.mats[a.index+e]
			} else {
				w.mats[di] = [64]float32{}
			}
		})
		return
	}
	if d.bank != a.bank || i.bank != bankU || !a.vector || !d.vector {
		g.fail(in, "element of %s by %s into %s", a.kind, i.kind, d.kind)
		return
	}
	site := g.arraySite(in, in.A)
	switch {
	case i.vector:
		g.emit(arrayGet(d.bank, d.index, a.index, i.index, n, site))
	default:
		if k := uint64(g.k.Regs[in.B].Bits); g.k.Regs[in.B].Const && k < uint64(n) {
			g.emit(copyRow(d.bank, d.index, a.index+int(k)))
			return
		}
		g.emit(arrayGetUniform(d.bank, d.index, a.index, i.index, n, site))
	}
}

func (g *generator) arraySet(in *ir.Instr) {
	d, i := g.l.slots[in.Dst], g.l.slots[in.A]
	n := max(int(g.k.Regs[in.Dst].Len), 1)
	if b := g.l.slots[in.B]; b.bank == bankM && d.bank == bankM && i.bank == bankU {
		site, k := g.arraySite(in, in.Dst), g.cell(in.A, 0)
		g.emit(func(w *warp) {
			if e, ok := site.matrixElement(w, w.su[k], n); ok {
				w.mats[d.index+e] = w.mats[b.index]
			}
		})
		return
	}
	if d.bank != bankOf(g.l.slots[in.B].kind) || i.bank != bankU || !d.vector {
		g.fail(in, "element of %s by %s from %s", d.kind, i.kind, g.l.slots[in.B].kind)
		return
	}
	site := g.arraySite(in, in.Dst)
	if k := uint64(g.k.Regs[in.A].Bits); g.k.Regs[in.A].Const && k < uint64(n) {
		b := g.l.slots[in.B]
		masks := g.masks(in.Dst, g.plan.bySite[in].z)
		switch {
		case b.vector && masks:
			g.emit(copyMasked(d.bank, d.index+int(k), b.index))
		case b.vector:
			g.emit(copyRow(d.bank, d.index+int(k), b.index))
		case masks:
			g.emit(broadcastMasked(d.bank, d.index+int(k), b.index))
		default:
			g.emit(broadcast(d.bank, d.index+int(k), b.index))
		}
		return
	}
	b := g.row(in.B, 1)
	if i.vector {
		g.emit(arraySet(d.bank, d.index, i.index, b, n, site))
	} else {
		g.emit(arraySetUniform(d.bank, d.index, i.index, b, n, site))
	}
}
