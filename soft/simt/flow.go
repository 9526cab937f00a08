package simt

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// generator turns a kernel into blocks.
type generator struct {
	k      *ir.Kernel
	plan   *plan
	l      layout
	checks Checks
	blocks []block
	cur    int     // the block being filled
	waits  int     // slots handed out for lanes set aside
	join   int     // the block to go to when no lane is active any more
	stops  []int   // by Leave target: the block behind it
	sets   []int   // by Leave target: slot of the lanes that left, or -1 if they all leave together
	privs  []int64 // by object: where the copies of a private object begin in warp.priv
	priv   int64   // bytes of all copies
	err    error
}

// generate makes the code of k for one choice of checks.
func generate(k *ir.Kernel, p *plan, c Checks) (*program, error) {
	g := &generator{k: k, plan: p, l: p.assign(), checks: c, stops: make([]int, len(p.targets)), sets: make([]int, len(p.targets))}
	g.privs = make([]int64, len(p.objects))
	for i, o := range p.objects {
		if o.class == privateObject {
			g.privs[i] = g.priv
			g.priv += o.size * Width
		}
	}
	g.cur = g.newBlock()
	stop := g.newBlock()
	g.stops[0], g.sets[0], g.join = stop, -1, stop
	g.body(k.Body)
	g.jump(stop)
	g.blocks[stop].end = func(w *warp) int {
		w.state = ended
		return -1
	}
	if g.err != nil {
		return nil, g.err
	}
	return &program{plan: p, layout: g.l, checks: c, blocks: g.blocks, waits: g.waits, privs: g.privs, priv: g.priv}, nil
}

func (g *generator) fail(in *ir.Instr, format string, a ...any) {
	if g.err == nil {
		g.err = fmt.Errorf("simt: kernel %s: %s: operation %d: %s", g.k.Name, in.Pos, in.Op, fmt.Sprintf(format, a...))
	}
}

func (g *generator) newBlock() int {
	g.blocks = append(g.blocks, block{next: -1})
	return len(g.blocks) - 1
}

func (g *generator) newWait() int {
	g.waits++
	return g.waits - 1
}

func (g *generator) emit(s step) { g.blocks[g.cur].steps = append(g.blocks[g.cur].steps, s) }

func (g *generator) end(f func(w *warp) int) { g.blocks[g.cur].end = f }

func (g *generator) jump(to int) { g.blocks[g.cur].next = to }

func (g *generator) body(b ir.Block) {
	nodes := live(b)
	for i := 0; i < len(nodes); i++ {
		switch n := nodes[i].(type) {
		case *ir.Instr:
			if i+1 < len(nodes) && g.fuse(n, nodes[i+1]) {
				i++
				continue
			}
			g.instr(n)
		case *ir.If:
			g.branch(n)
		case *ir.Loop:
			g.loop(n)
		case *ir.Region:
			g.region(n)
		case *ir.Leave:
			g.leave(n)
			g.cur = g.newBlock() // not reached
		}
	}
}

// lanesOf gives the active lanes in which a condition holds.
func lanesOf(w *warp, row int) uint32 {
	var m uint32
	for i, v := range &w.vu[row] {
		m |= v & 1 << (i & 31)
	}
	return m & w.mask
}

func (g *generator) branch(n *ir.If) {
	cond := g.l.slots[n.Cond]
	c := cond.index
	then, els, done := g.newBlock(), -1, g.newBlock()
	if len(n.Else) > 0 {
		els = g.newBlock()
	}
	if !cond.vector {
		other := done
		if els >= 0 {
			other = els
		}
		g.end(func(w *warp) int {
			if w.su[c] != 0 {
				return then
			}
			return other
		})
		g.cur = then
		g.body(n.Then)
		g.jump(done)
		if els >= 0 {
			g.cur = els
			g.body(n.Else)
			g.jump(done)
		}
		g.cur = done
		return
	}
	outer := g.join
	rest := g.newWait()
	if els < 0 {
		g.end(func(w *warp) int {
			t := lanesOf(w, c)
			w.waits[rest] = w.mask &^ t
			if t == 0 {
				return done
			}
			w.mask = t
			return then
		})
		// Where no lane took the branch, done must not see the mask twice: it adds the same lanes.
		g.cur, g.join = then, done
		g.body(n.Then)
		g.jump(done)
		g.cur, g.join = done, outer
		g.rejoin(rest, outer)
		return
	}
	out, turn := g.newWait(), g.newBlock()
	g.end(func(w *warp) int {
		t := lanesOf(w, c)
		w.waits[rest] = w.mask &^ t
		if t == 0 {
			w.waits[out] = 0
			return els
		}
		w.mask = t
		return then
	})
	g.cur, g.join = then, turn
	g.body(n.Then)
	g.jump(turn)
	g.blocks[turn].end = func(w *warp) int {
		w.waits[out] = w.mask
		w.mask = w.waits[rest]
		if w.mask == 0 {
			return done
		}
		return els
	}
	g.cur, g.join = els, done
	g.body(n.Else)
	g.jump(done)
	g.cur, g.join = done, outer
	g.rejoin(out, outer)
}

// rejoin adds the lanes of a slot to the mask and goes on in a new block, or to outer if there is none.
func (g *generator) rejoin(wait, outer int) {
	next := g.newBlock()
	g.end(func(w *warp) int {
		w.mask |= w.waits[wait]
		if w.mask == 0 {
			return outer
		}
		return next
	})
	g.cur = next
}

func (g *generator) region(n *ir.Region) {
	z := g.plan.zones[n][0]
	outer, done := g.join, g.newBlock()
	g.stops[n.ID], g.sets[n.ID] = done, -1
	if !z.narrow {
		g.body(n.Body)
		g.jump(done)
		g.cur = done
		return
	}
	left := g.newWait()
	g.sets[n.ID], g.join = left, done
	g.emit(func(w *warp) { w.waits[left] = 0 })
	g.body(n.Body)
	g.jump(done)
	g.cur, g.join = done, outer
	g.rejoin(left, outer)
}

func (g *generator) leave(n *ir.Leave) {
	to := g.stops[n.Target]
	if n.Target == 0 {
		if g.checks&CheckBarriers != 0 {
			pos := n.Pos
			g.emit(func(w *warp) { w.noteEnd(pos) })
		}
		if g.join == to {
			g.jump(to)
			return
		}
		join := g.join
		g.end(func(w *warp) int {
			w.mask = 0
			return join
		})
		return
	}
	set := g.sets[n.Target]
	if set < 0 {
		g.jump(to)
		return
	}
	join := g.join
	g.end(func(w *warp) int {
		w.waits[set] |= w.mask
		w.mask = 0
		return join
	})
}

func (g *generator) loop(n *ir.Loop) {
	zones := g.plan.zones[n]
	outer := g.join
	head, body, next, done := g.newBlock(), g.newBlock(), g.newBlock(), g.newBlock()
	g.stops[n.Break], g.sets[n.Break] = done, -1
	g.stops[n.Continue], g.sets[n.Continue] = next, -1
	inner := outer // where to go when no lane is left in the loop
	if zones[0].narrow {
		left := g.newWait()
		g.sets[n.Break], inner = left, done
		g.emit(func(w *warp) { w.waits[left] = 0 })
	}
	if n.DoWhile {
		g.jump(body)
	} else {
		g.jump(head)
	}

	// The condition, then the body.
	g.cur, g.join = head, inner
	g.body(n.Head)
	after := body
	if n.DoWhile {
		after = g.newBlock()
	}
	switch {
	case !n.Test:
		g.jump(after)
	case !g.l.slots[n.Cond].vector:
		c := g.l.slots[n.Cond].index
		g.end(func(w *warp) int {
			if w.su[c] != 0 {
				return after
			}
			return done
		})
	default:
		c, left := g.l.slots[n.Cond].index, g.sets[n.Break]
		g.end(func(w *warp) int {
			t := lanesOf(w, c)
			w.waits[left] |= w.mask &^ t
			w.mask = t
			if t == 0 {
				return done
			}
			return after
		})
	}
	if n.DoWhile {
		g.cur = after
		g.backEdge(body)
	}

	g.cur = body
	if zones[1].narrow {
		again := g.newWait()
		g.sets[n.Continue], g.join = again, next
		g.emit(func(w *warp) { w.waits[again] = 0 })
		g.body(n.Body)
		g.jump(next)
		g.cur, g.join = next, inner
		g.rejoin(again, inner)
	} else {
		g.body(n.Body)
		g.jump(next)
		g.cur = next
	}
	g.body(n.Next)
	if n.DoWhile {
		g.jump(head)
	} else {
		g.backEdge(head)
	}

	g.cur, g.join = done, outer
	if zones[0].narrow {
		g.rejoin(g.sets[n.Break], outer)
	}
}

// backEdge ends an iteration: it goes on at block to while the worker has steps left.
func (g *generator) backEdge(to int) {
	g.end(func(w *warp) int {
		if w.wk.fuel--; w.wk.fuel < 0 {
			w.wk.refuel(w)
		}
		return to
	})
}
