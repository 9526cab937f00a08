package simt

import "github.com/puremetal/puremetal/soft/msl/ir"

// builtin emits a built-in input.
func (g *generator) builtin(in *ir.Instr, d slot) {
	c := int(in.Imm2)
	if c < 0 || c > 2 || d.bank != bankU {
		g.fail(in, "component %d of a built-in into %s", c, d.kind)
		return
	}
	di := d.index
	lanes := func(f func(w *warp, lane int) uint32) {
		g.emit(func(w *warp) {
			D := &w.vu[di]
			for i := range D {
				D[i] = f(w, i)
			}
		})
	}
	uniform := func(f func(w *warp) uint32) {
		g.finish(d, false, func(t slot) {
			i := t.index
			g.emit(func(w *warp) { w.su[i] = f(w) })
		})
	}
	if (in.Imm == ir.ThreadPositionInGrid || in.Imm == ir.ThreadPositionInThreadgroup || in.Imm == ir.ThreadIndexInThreadgroup ||
		in.Imm == ir.ThreadIndexInSimdgroup || in.Imm == ir.ThreadIndexInQuadgroup || in.Imm == ir.QuadgroupIndexInThreadgroup) != d.vector && !d.vector {
		g.fail(in, "a built-in that lanes do not share in a register that they do")
		return
	}
	switch in.Imm {
	case ir.ThreadPositionInGrid:
		g.emit(func(w *warp) {
			D, P, o := &w.vu[di], &w.pos[c], w.wk.origin[c]
			for i, p := range P {
				D[i] = o + p
			}
		})
	case ir.ThreadPositionInThreadgroup:
		g.emit(func(w *warp) { w.vu[di] = w.pos[c] })
	case ir.ThreadIndexInThreadgroup:
		g.emit(func(w *warp) {
			D, first := &w.vu[di], uint32(w.index*Width)
			for i := range D {
				D[i] = first + uint32(i)
			}
		})
	case ir.ThreadIndexInSimdgroup:
		lanes(func(w *warp, lane int) uint32 { return uint32(lane) })
	case ir.ThreadIndexInQuadgroup:
		lanes(func(w *warp, lane int) uint32 { return uint32(lane) % 4 })
	case ir.QuadgroupIndexInThreadgroup:
		lanes(func(w *warp, lane int) uint32 { return uint32(w.index*Width+lane) / 4 })
	case ir.ThreadgroupPositionInGrid:
		uniform(func(w *warp) uint32 { return w.wk.group[c] })
	case ir.ThreadsPerGrid, ir.GridSize:
		uniform(func(w *warp) uint32 { return w.wk.grid[c] })
	case ir.ThreadsPerThreadgroup:
		uniform(func(w *warp) uint32 { return w.wk.size[c] })
	case ir.DispatchThreadsPerThreadgroup:
		uniform(func(w *warp) uint32 { return w.wk.fullSize[c] })
	case ir.ThreadgroupsPerGrid:
		uniform(func(w *warp) uint32 { return w.wk.groups[c] })
	case ir.SimdgroupIndexInThreadgroup:
		uniform(func(w *warp) uint32 { return uint32(w.index) })
	case ir.SimdgroupsPerThreadgroup:
		uniform(func(w *warp) uint32 { return (volume(w.wk.size) + Width - 1) / Width })
	case ir.DispatchSimdgroupsPerThreadgroup:
		uniform(func(w *warp) uint32 { return (volume(w.wk.fullSize) + Width - 1) / Width })
	case ir.ThreadsPerSimdgroup, ir.ThreadExecutionWidth:
		uniform(func(w *warp) uint32 { return Width })
	case ir.QuadgroupsPerThreadgroup:
		uniform(func(w *warp) uint32 { return (volume(w.wk.size) + 3) / 4 })
	case ir.DispatchQuadgroupsPerThreadgroup:
		uniform(func(w *warp) uint32 { return (volume(w.wk.fullSize) + 3) / 4 })
	case ir.GridOrigin:
		uniform(func(w *warp) uint32 { return 0 })
	default:
		g.fail(in, "built-in %d", in.Imm)
	}
}

func volume(v [3]uint32) uint32 { return v[0] * v[1] * v[2] }
