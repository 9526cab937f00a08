package simt

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// plan is what the analyses find out about a kernel before code is made of it.
type plan struct {
	k       *ir.Kernel
	sites   []*site              // by position
	bySite  map[*ir.Instr]*site  //
	zones   map[ir.Node][2]*zone // If: then, else; Loop: the loop, its body; Region: itself
	targets []*zone              // by Leave target
	regs    []regPlan            // by register
	leaves  []leaveSite          //
	condAt  map[ir.Node]int      // position at which an If or Loop reads its condition
	root    *zone                //
	objects []object             // by object number; 0 is null
	objOf   [objectClasses]int   // number of the first object of a class
}

// site is an instruction in its place.
type site struct {
	in *ir.Instr
	z  *zone
	at int
}

type leaveSite struct {
	target int
	z      *zone
}

// zone is a part of the program in which fewer lanes may be active than around it. Lanes come back at its end.
type zone struct {
	parent     *zone
	node       ir.Node
	kind       zoneKind
	cond       ir.Reg // of a branch or loop; NoReg if there is none
	narrow     bool   // lanes that are active at its beginning may be inactive in it
	start, end int    // positions
}

type zoneKind uint8

const (
	zoneRoot   zoneKind = iota
	zoneBranch          // a side of an If
	zoneLoop            // all of a loop; its lanes come back behind it
	zoneBody            // the body of a loop; the lanes that continue come back behind it
	zoneRegion
)

// within reports whether z is outer or lies in it.
func (z *zone) within(outer *zone) bool {
	for ; z != nil; z = z.parent {
		if z == outer {
			return true
		}
	}
	return false
}

// narrowed reports whether lanes active in outer may wait while z runs.
func (z *zone) narrowed(outer *zone) bool {
	for ; z != outer; z = z.parent {
		if z.narrow {
			return true
		}
	}
	return false
}

// regPlan is what is known of a register.
type regPlan struct {
	vector  bool  // lanes may differ
	masked  bool  // some assignment must spare the inactive lanes
	escapes bool  // used outside the zone that assigns it
	home    *zone // where it is declared or assigned
	born    int   // position of its declaration, or of its first event
	first   int   // positions of its first and last event, extended by the loops that carry it
	last    int
	events  []event
	reads   int
	object  int // the only object it points into, 0 if unknown
}

type event struct {
	at int
	z  *zone
}

// live yields the nodes of b up to and including the first Leave: nothing behind it runs.
func live(b ir.Block) ir.Block {
	for i, n := range b {
		if _, ok := n.(*ir.Leave); ok {
			return b[:i+1]
		}
	}
	return b
}

func analyse(k *ir.Kernel) (*plan, error) {
	p := &plan{k: k, bySite: map[*ir.Instr]*site{}, zones: map[ir.Node][2]*zone{}, condAt: map[ir.Node]int{},
		targets: make([]*zone, max(k.Regions, 1)), regs: make([]regPlan, len(k.Regs))}
	p.root = &zone{kind: zoneRoot, cond: ir.NoReg}
	p.targets[0] = p.root
	for i := range p.regs {
		p.regs[i].born = -1
	}
	at := 0
	if err := p.walk(k.Body, p.root, &at); err != nil {
		return nil, err
	}
	p.root.end = at
	for _, l := range p.leaves {
		if l.target < 0 || l.target >= len(p.targets) || p.targets[l.target] == nil || !l.z.within(p.targets[l.target]) {
			return nil, fmt.Errorf("simt: kernel %s: leave to %d, which does not enclose it", k.Name, l.target)
		}
	}
	p.listObjects()
	p.findObjects()
	p.findHomes()
	p.findVectors()
	p.findLifetimes()
	return p, nil
}

func (p *plan) enter(parent *zone, node ir.Node, kind zoneKind, cond ir.Reg, at int) *zone {
	return &zone{parent: parent, node: node, kind: kind, cond: cond, start: at}
}

func (p *plan) setTarget(t int, z *zone) error {
	if t <= 0 || t >= len(p.targets) || p.targets[t] != nil {
		return fmt.Errorf("simt: kernel %s: leave target %d of %d is out of range or used twice", p.k.Name, t, len(p.targets))
	}
	p.targets[t] = z
	return nil
}

// walk numbers the instructions in the order in which the code will lie.
func (p *plan) walk(b ir.Block, z *zone, at *int) error {
	for _, n := range live(b) {
		switch n := n.(type) {
		case *ir.Instr:
			if err := checkInstr(p.k, n); err != nil {
				return err
			}
			if p.bySite[n] != nil {
				return fmt.Errorf("simt: kernel %s: %s: one instruction in two places", p.k.Name, n.Pos)
			}
			s := &site{n, z, *at}
			p.sites = append(p.sites, s)
			p.bySite[n] = s
			touch := func(r ir.Reg) { p.touch(r, *at, z) }
			reads(n, func(r ir.Reg) { touch(r); p.regs[r].reads++ })
			writes(n, touch)
			if n.Op == ir.Decl {
				touch(n.Dst)
				if g := &p.regs[n.Dst]; g.home == nil {
					g.home, g.born = z, *at
				}
			}
			*at++
		case *ir.If:
			if err := p.condition(n, n.Cond, z, at); err != nil {
				return err
			}
			then := p.enter(z, n, zoneBranch, n.Cond, *at)
			if err := p.walk(n.Then, then, at); err != nil {
				return err
			}
			then.end = *at
			els := p.enter(z, n, zoneBranch, n.Cond, *at)
			if err := p.walk(n.Else, els, at); err != nil {
				return err
			}
			els.end = *at
			p.zones[n] = [2]*zone{then, els}
		case *ir.Loop:
			cond := ir.NoReg
			if n.Test {
				cond = n.Cond
			}
			loop := p.enter(z, n, zoneLoop, cond, *at)
			body := p.enter(loop, n, zoneBody, ir.NoReg, *at)
			if err := p.setTarget(n.Break, loop); err != nil {
				return err
			}
			if err := p.setTarget(n.Continue, body); err != nil {
				return err
			}
			p.zones[n] = [2]*zone{loop, body}
			head := func() error {
				if err := p.walk(n.Head, loop, at); err != nil {
					return err
				}
				if n.Test {
					return p.condition(n, n.Cond, loop, at)
				}
				return nil
			}
			if !n.DoWhile {
				if err := head(); err != nil {
					return err
				}
			}
			body.start = *at
			if err := p.walk(n.Body, body, at); err != nil {
				return err
			}
			body.end = *at
			if err := p.walk(n.Next, loop, at); err != nil {
				return err
			}
			if n.DoWhile {
				if err := head(); err != nil {
					return err
				}
			}
			loop.end = *at
			*at++
			p.sites = append(p.sites, nil)
		case *ir.Region:
			region := p.enter(z, n, zoneRegion, ir.NoReg, *at)
			if err := p.setTarget(n.ID, region); err != nil {
				return err
			}
			p.zones[n] = [2]*zone{region}
			if err := p.walk(n.Body, region, at); err != nil {
				return err
			}
			region.end = *at
		case *ir.Leave:
			p.leaves = append(p.leaves, leaveSite{n.Target, z})
		default:
			return fmt.Errorf("simt: kernel %s: unknown node %T", p.k.Name, n)
		}
	}
	return nil
}

// condition notes that n reads r here; it takes a position of its own.
func (p *plan) condition(n ir.Node, r ir.Reg, z *zone, at *int) error {
	if r < 0 || int(r) >= len(p.k.Regs) {
		return fmt.Errorf("simt: kernel %s: condition in register %d of %d", p.k.Name, r, len(p.k.Regs))
	}
	p.touch(r, *at, z)
	p.regs[r].reads++
	p.condAt[n] = *at
	p.sites = append(p.sites, nil)
	*at++
	return nil
}

func (p *plan) touch(r ir.Reg, at int, z *zone) {
	p.regs[r].events = append(p.regs[r].events, event{at, z})
}

// findHomes gives every register the zone in which it lives. A register used outside that zone, or before it is
// assigned, carries values past the moment when lanes part: its inactive lanes must be spared.
func (p *plan) findHomes() {
	for r := range p.regs {
		g := &p.regs[r]
		if len(g.events) == 0 || p.k.Regs[r].Const {
			continue
		}
		if p.k.Regs[r].Var || p.k.Regs[r].Len > 1 {
			if g.home == nil { // no declaration: it lives in the whole kernel
				g.home, g.born = p.root, 0
			}
		} else {
			g.home, g.born = g.events[0].z, g.events[0].at
		}
		for _, e := range g.events {
			if e.at < g.born || !e.z.within(g.home) {
				g.masked, g.vector, g.escapes = true, true, true
			}
		}
		if g.escapes {
			g.home, g.born = p.root, 0
		}
	}
}

// findVectors decides which registers differ between lanes and which zones narrow the mask: the least solution of the
// rules, reached by adding what they force until nothing changes.
func (p *plan) findVectors() {
	for r := range p.regs {
		if p.k.Regs[r].Len > 1 && !p.k.Regs[r].Const {
			p.regs[r].vector = true
		}
	}
	for changed := true; changed; {
		changed = false
		raise := func(b *bool, v bool) {
			if v && !*b {
				*b, changed = true, true
			}
		}
		for _, s := range p.sites {
			if s == nil {
				continue
			}
			vector := p.isVectorOp(s.in)
			masked := opShapes[s.in.Op].dst == update
			writes(s.in, func(r ir.Reg) {
				g := &p.regs[r]
				narrowed := masked && s.z.narrowed(g.home)
				raise(&g.masked, narrowed)
				raise(&g.vector, (vector || narrowed) && !p.k.Regs[r].Kind.IsMat())
			})
		}
		for _, zs := range p.zones {
			z := zs[0]
			switch {
			case z.kind == zoneBranch && p.regs[z.cond].vector:
				raise(&z.narrow, true)
				raise(&zs[1].narrow, true)
			case z.kind == zoneLoop && z.cond != ir.NoReg && p.regs[z.cond].vector:
				raise(&z.narrow, true)
			}
		}
		for _, l := range p.leaves {
			if l.z.narrowed(p.targets[l.target]) {
				raise(&p.targets[l.target].narrow, true)
			}
		}
	}
}

// isVectorOp reports whether the result of in may differ between lanes.
func (p *plan) isVectorOp(in *ir.Instr) bool {
	operands := false
	reads(in, func(r ir.Reg) { operands = operands || p.regs[r].vector })
	switch op := in.Op; {
	case op == ir.Builtin:
		switch in.Imm {
		case ir.ThreadPositionInGrid, ir.ThreadPositionInThreadgroup, ir.ThreadIndexInThreadgroup, ir.ThreadIndexInSimdgroup,
			ir.ThreadIndexInQuadgroup, ir.QuadgroupIndexInThreadgroup:
			return true
		}
		return false
	case op == ir.Load:
		return operands || p.mayBePrivate(in.A)
	case op >= ir.AtomicLoad && op <= ir.AtomicXor, op == ir.ArrayGet, op == ir.MatGet, op == ir.SimdIsFirst:
		return true
	case op >= ir.SimdSum && op <= ir.SimdXor, op == ir.SimdBroadcastFirst, op >= ir.SimdBallot && op <= ir.SimdActiveMask:
		return in.Imm2 == 4
	case op == ir.SimdBroadcast:
		return in.Imm2 == 4 || p.regs[in.B].vector
	case op >= ir.SimdPrefixInclusiveSum && op <= ir.SimdShuffleAndFillDown:
		return true
	}
	return operands
}

// findLifetimes gives every register the span of positions in which its slot is its own. A value that enters a loop
// from outside lives until the loop's end.
func (p *plan) findLifetimes() {
	for r := range p.regs {
		g := &p.regs[r]
		if len(g.events) == 0 || g.home == nil {
			continue
		}
		g.first, g.last = g.born, g.born
		for _, e := range g.events {
			g.first, g.last = min(g.first, e.at), max(g.last, e.at)
			for z := e.z; z != nil && z != g.home; z = z.parent {
				if z.kind == zoneLoop {
					g.first, g.last = min(g.first, z.start), max(g.last, z.end)
				}
			}
		}
	}
}
