package simt

import (
	"math/bits"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// barrier emits a barrier: of the simdgroup, which runs in step anyway, a check; of the threadgroup, a place to wait.
func (g *generator) barrier(in *ir.Instr) {
	at := g.plan.bySite[in].at
	if g.checks&CheckBarriers != 0 {
		apart := g.partedAt(g.plan.sites[at].z)
		what := "threadgroup_barrier"
		if in.Op == ir.SimdgroupBarrier {
			what = "simdgroup_barrier"
		}
		g.emit(func(w *warp) {
			if w.mask != w.launch {
				w.partial(BarrierDivergence, in.Pos, what, apart)
			}
		})
	}
	if in.Op == ir.SimdgroupBarrier {
		if g.checks&CheckRaces != 0 && in.Imm&ir.MemThreadgroup != 0 {
			g.emit((*warp).nextStep)
		}
		return
	}
	next := g.newBlock()
	g.end(func(w *warp) int {
		w.state, w.at, w.pc = waiting, at, next
		return -1
	})
	g.cur = next
}

// partedAt finds the innermost construct around z in which lanes part.
func (g *generator) partedAt(z *zone) token.Pos {
	for ; z != nil; z = z.parent {
		if !z.narrow {
			continue
		}
		switch n := z.node.(type) {
		case *ir.If:
			return n.Pos
		case *ir.Loop:
			return n.Pos
		}
	}
	return token.Pos{}
}

// noteEnd remembers where the active lanes ended.
func (w *warp) noteEnd(pos token.Pos) {
	for m := w.mask; m != 0; m &= m - 1 {
		w.gone[bits.TrailingZeros32(m)] = pos
	}
}

// whereabouts tells where the lanes of m are that are not active: ended, or on another path.
func (w *warp) whereabouts(m uint32, apart token.Pos) string {
	var parts []string
	for m != 0 {
		pos := w.gone[bits.TrailingZeros32(m)]
		var same uint32
		for r := m; r != 0; r &= r - 1 {
			if lane := bits.TrailingZeros32(r); w.gone[lane] == pos {
				same |= 1 << lane
			}
		}
		m &^= same
		text := "lanes " + ranges(same, w.index*Width)
		switch {
		case pos.IsValid():
			text += " ended at " + pos.String()
		case apart.IsValid():
			text += " took another path at " + apart.String()
		default:
			text += " are on another path"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// partial ends the threadgroup because a part of w reached what needs all of it.
func (w *warp) partial(kind FaultKind, pos token.Pos, what string, apart token.Pos) {
	w.fault(kind, pos, bits.TrailingZeros32(w.mask), nil, "%s reached by lanes %s of simdgroup %d only: %s",
		what, ranges(w.mask, w.index*Width), w.index, w.whereabouts(w.launch&^w.mask, apart))
}

// checkBarrier holds the warps that have run as far as they can to one barrier: all of them wait, and at the same one.
func (wk *worker) checkBarrier(n int) {
	var first *warp
	for j := range n {
		if w := &wk.warps[j]; w.state == waiting {
			first = w
			break
		}
	}
	at := wk.code.plan.sites[first.at].in
	lane := bits.TrailingZeros32(first.mask)
	for j := range n {
		w := &wk.warps[j]
		from, to := j*Width, j*Width+bits.Len32(w.launch)-1
		switch {
		case w.state == ended && w.gone == [Width]token.Pos{}:
			first.fault(BarrierDivergence, at.Pos, lane, nil, "threadgroup_barrier reached by simdgroup %d but not by simdgroup %d (lanes %d-%d), which ended at the end of the kernel",
				first.index, j, from, to)
		case w.state == ended:
			first.fault(BarrierDivergence, at.Pos, lane, nil, "threadgroup_barrier reached by simdgroup %d but not by simdgroup %d: %s",
				first.index, j, w.whereabouts(w.launch, token.Pos{}))
		case w.at != first.at:
			first.fault(BarrierDivergence, at.Pos, lane, nil, "threadgroup_barrier reached by simdgroup %d while simdgroup %d (lanes %d-%d) waits at the barrier at %s",
				first.index, j, from, to, wk.code.plan.sites[w.at].in.Pos)
		}
	}
}
