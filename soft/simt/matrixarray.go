package simt

import (
	"math/bits"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// matrixArrayGet emits Dst <- A[B], A an array of matrices. The index is the same in all lanes, like all that is passed for
// a matrix.
func (g *generator) matrixArrayGet(in *ir.Instr, d int) {
	at := g.matrixAt(in, in.A, in.B)
	g.emit(func(w *warp) { w.mats[d] = w.mats[at(w)] })
}

// matrixArraySet emits Dst[A] <- B.
func (g *generator) matrixArraySet(in *ir.Instr) {
	at, b := g.matrixAt(in, in.Dst, in.A), g.l.slots[in.B].index
	g.emit(func(w *warp) { w.mats[at(w)] = w.mats[b] })
}

// matrixAt gives the place of an array's element in the file; that of the first where the index is a fault.
func (g *generator) matrixAt(in *ir.Instr, array, index ir.Reg) func(*warp) int {
	base, n := g.l.slots[array].index, max(int(g.k.Regs[array].Len), 1)
	if k := g.k.Regs[index].Bits; g.k.Regs[index].Const && k < uint64(n) {
		return func(*warp) int { return base + int(k) }
	}
	site, cell := g.arraySite(in, array), g.cell(index, 0)
	return func(w *warp) int {
		k := w.su[cell]
		if k >= uint32(n) {
			site.indexFault(w, bits.TrailingZeros32(w.mask), k, n)
			return base
		}
		return base + int(k)
	}
}
