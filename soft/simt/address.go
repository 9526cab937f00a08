package simt

import "github.com/puremetal/puremetal/soft/msl/ir"

// address emits the operations that make pointers.
func (g *generator) address(in *ir.Instr, d slot) {
	constant := func(class objectClass) {
		p := pointer(0, 0)
		if class != nullObject {
			p = pointer(g.plan.objOf[class]+int(in.Imm), 0)
		}
		g.finish(d, false, func(t slot) {
			i := t.index
			g.emit(func(w *warp) { w.sq[i] = p })
		})
	}
	switch in.Op {
	case ir.AddrBuffer:
		constant(bufferObject)
	case ir.AddrThreadgroup:
		constant(threadgroupObject)
	case ir.AddrStatic:
		constant(staticObject)
	case ir.AddrPrivate:
		constant(privateObject)
	case ir.AddrConstant:
		constant(constantObject)
	case ir.NullPtr:
		constant(nullObject)
	case ir.PtrAdd:
		s := g.newAccess(in, in.A, in.B, 0, 0)
		s.imm, s.imm2 = in.Imm, in.Imm2
		g.finish(d, s.form != formUniform, func(t slot) { g.emit(ptrAdd(s, t.index)) })
	case ir.PtrDiff:
		if in.Imm == 0 {
			g.fail(in, "elements of no size")
			return
		}
		diff := func(a, b uint64) uint64 { return uint64((offsetOf(a) - offsetOf(b)) / in.Imm) }
		if !g.l.slots[in.A].vector && !g.l.slots[in.B].vector {
			a, b := g.l.slots[in.A].index, g.l.slots[in.B].index
			g.finish(d, false, func(t slot) {
				i := t.index
				g.emit(func(w *warp) { w.sq[i] = diff(w.sq[a], w.sq[b]) })
			})
			return
		}
		a, b, i := g.row(in.A, 0), g.row(in.B, 1), d.index
		g.emit(func(w *warp) {
			D, A, B := &w.vq[i], &w.vq[a], &w.vq[b]
			for i := range D {
				D[i] = diff(A[i], B[i])
			}
		})
	}
}

// ptrAdd moves pointers by B*imm + imm2 bytes.
func ptrAdd(s *accessSite, d int) step {
	a := s.a.index
	form := s.form
	if s.imm > 64 || s.imm < -64 { // 32-bit multiples could wrap around the offset: take the form that cuts
		form = max(form, formPointerUnsigned)
		if s.form == formUniform || s.form == formPointer {
			form = s.form
		}
	}
	switch form {
	case formUniform:
		return func(w *warp) { w.sq[d] = movePointer(w.sq[a], s.indexCell(w)*s.imm+s.imm2) }
	case formUnsigned:
		return func(w *warp) {
			p := w.sq[a]
			base, off := p&^offsetMask, offsetOf(p)+s.imm2
			D, B, imm := &w.vq[d], &w.vu[s.b.index], s.imm
			for i, x := range B {
				D[i] = base | uint64(off+int64(x)*imm)&offsetMask
			}
		}
	case formSigned:
		return func(w *warp) {
			p := w.sq[a]
			base, off := p&^offsetMask, offsetOf(p)+s.imm2
			D, B, imm := &w.vq[d], &w.vu[s.b.index], s.imm
			for i, x := range B {
				D[i] = base | uint64(off+int64(int32(x))*imm)&offsetMask
			}
		}
	case formPointer:
		return func(w *warp) {
			add := s.indexCell(w)*s.imm + s.imm2
			D, A := &w.vq[d], &w.vq[a]
			for i, p := range A {
				D[i] = movePointer(p, add)
			}
		}
	}
	return func(w *warp) {
		for i := range Width {
			w.vq[d][i] = s.address(w, i)
		}
	}
}
