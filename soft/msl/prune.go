package msl

import "github.com/puremetal/puremetal/soft/msl/ir"

// prune removes what has no effect: results that nobody reads and control flow around nothing.
func prune(k *ir.Kernel) {
	p := pruner{reads: make([]int32, len(k.Regs))}
	p.count(k.Body, 1)
	for range 3 {
		p.changed = false
		k.Body = p.block(k.Body)
		if !p.changed {
			break
		}
	}
}

type pruner struct {
	reads   []int32
	changed bool
}

func (p *pruner) read(r ir.Reg, d int32) {
	if r >= 0 {
		p.reads[r] += d
	}
}

func (p *pruner) operands(in *ir.Instr, d int32) {
	p.read(in.A, d)
	p.read(in.B, d)
	p.read(in.C, d)
	if in.Op != ir.Load {
		for _, r := range in.Regs {
			p.read(r, d)
		}
	}
}

func (p *pruner) count(b ir.Block, d int32) {
	for _, n := range b {
		switch n := n.(type) {
		case *ir.Instr:
			p.operands(n, d)
		case *ir.If:
			p.read(n.Cond, d)
			p.count(n.Then, d)
			p.count(n.Else, d)
		case *ir.Loop:
			p.read(n.Cond, d)
			p.count(n.Head, d)
			p.count(n.Body, d)
			p.count(n.Next, d)
		case *ir.Region:
			p.count(n.Body, d)
		}
	}
}

// removable reports whether an instruction does nothing but give its result. Loads stay: they can be a fault.
func removable(op ir.Op) bool {
	switch op {
	case ir.Decl, ir.Mov, ir.ArraySet, ir.MatSet, ir.Builtin, ir.MatFill, ir.MatDiag, ir.MatGet:
		return true
	}
	return isPure(op) || op >= ir.AddrBuffer && op <= ir.AddrConstant
}

func (p *pruner) block(b ir.Block) ir.Block {
	out := b[:0:0]
	for i := len(b) - 1; i >= 0; i-- {
		switch n := b[i].(type) {
		case *ir.Instr:
			if n.Dst >= 0 && p.reads[n.Dst] == 0 && removable(n.Op) {
				p.operands(n, -1)
				p.changed = true
				continue
			}
		case *ir.If:
			n.Else = p.block(n.Else)
			n.Then = p.block(n.Then)
			if len(n.Then) == 0 && len(n.Else) == 0 {
				p.read(n.Cond, -1)
				p.changed = true
				continue
			}
		case *ir.Loop:
			n.Next = p.block(n.Next)
			n.Body = p.block(n.Body)
			n.Head = p.block(n.Head)
		case *ir.Region:
			n.Body = p.block(n.Body)
			if len(n.Body) == 0 {
				p.changed = true
				continue
			}
		}
		out = append(out, b[i])
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
