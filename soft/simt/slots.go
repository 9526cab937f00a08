package simt

import (
	"sort"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// bank is one of the register files of a warp.
type bank uint8

const (
	bankF bank = iota // float32: half, bfloat and float
	bankU             // uint32: bool and integers of up to 32 bits
	bankQ             // uint64: 64-bit integers and pointers
	bankM             // 8x8 matrices
	banks
)

func bankOf(k ir.Kind) bank {
	switch {
	case k.IsMat():
		return bankM
	case k.IsFloat():
		return bankF
	case k == ir.I64 || k == ir.U64 || k == ir.Ptr:
		return bankQ
	}
	return bankU
}

// slot is where a register lives: a row of the vector file or a cell of the scalar file of its bank.
type slot struct {
	bank   bank
	vector bool
	index  int
	kind   ir.Kind
}

// scratchRows is the number of vector rows, and of scalars, of each bank that operations use for themselves.
const scratchRows = 6

// layout is the assignment of slots and the size of the files.
type layout struct {
	slots   []slot
	vectors [banks]int
	scalars [banks]int
}

// assign gives registers with disjoint lifetimes the same slot: a warp's files then stay in the first-level cache.
func (p *plan) assign() layout {
	l := layout{slots: make([]slot, len(p.regs))}
	for b := range banks {
		l.vectors[b], l.scalars[b] = scratchRows, scratchRows
	}
	l.vectors[bankM], l.scalars[bankM] = 0, 0
	type pool struct{ free []int }
	var pools [banks][2]pool
	var order []int
	for r := range p.regs {
		info := p.k.Regs[r]
		s := &l.slots[r]
		s.kind, s.bank = info.Kind, bankOf(info.Kind)
		s.vector = p.regs[r].vector && s.bank != bankM
		count := &l.scalars[s.bank]
		if s.vector {
			count = &l.vectors[s.bank]
		}
		switch {
		case info.Const || info.Len > 1:
			s.index = *count
			*count += max(int(info.Len), 1)
		case len(p.regs[r].events) > 0:
			order = append(order, r)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return p.regs[order[i]].first < p.regs[order[j]].first })
	var active []int // by end of life
	for _, r := range order {
		g := &p.regs[r]
		n := 0
		for n < len(active) && p.regs[active[n]].last < g.first {
			s := l.slots[active[n]]
			f := &pools[s.bank][shapeOf(s)]
			f.free = append(f.free, s.index)
			n++
		}
		active = active[n:]
		s := &l.slots[r]
		f := &pools[s.bank][shapeOf(*s)]
		if k := len(f.free); k > 0 {
			s.index, f.free = f.free[k-1], f.free[:k-1]
		} else {
			count := &l.scalars[s.bank]
			if s.vector {
				count = &l.vectors[s.bank]
			}
			s.index = *count
			*count++
		}
		i := sort.Search(len(active), func(i int) bool { return p.regs[active[i]].last >= g.last })
		active = append(active, 0)
		copy(active[i+1:], active[i:])
		active[i] = r
	}
	return l
}

func shapeOf(s slot) int {
	if s.vector {
		return 1
	}
	return 0
}
