package simt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// lane runs a kernel for one thread, instruction by instruction, in the plainest way: the reference that the masks,
// uniform values and shared slots of the engine are held against. It knows the operations that the generator below uses.
type lane struct {
	k    *ir.Kernel
	regs [][]uint64 // by register and element; floats as their float32 bits
	tid  uint32
	mem  []byte // of buffer 0
	in   []byte // of buffer 1
	fuel int
}

// A negative target means that the lane goes on.
const onward = -1

func (l *lane) block(b ir.Block) int {
	for _, n := range b {
		if t := l.node(n); t != onward {
			return t
		}
	}
	return onward
}

func (l *lane) node(n ir.Node) int {
	switch n := n.(type) {
	case *ir.Instr:
		l.instr(n)
	case *ir.If:
		if l.regs[n.Cond][0] != 0 {
			return l.block(n.Then)
		}
		return l.block(n.Else)
	case *ir.Region:
		if t := l.block(n.Body); t != n.ID {
			return t
		}
	case *ir.Leave:
		return n.Target
	case *ir.Loop:
		for first := true; ; first = false {
			if l.fuel--; l.fuel < 0 {
				panic("reference: endless loop")
			}
			if !n.DoWhile || !first {
				if t := l.block(n.Head); t != onward {
					if t == n.Break {
						return onward
					}
					return t
				}
				if n.Test && l.regs[n.Cond][0] == 0 {
					return onward
				}
			}
			t := l.block(n.Body)
			if t == n.Break {
				return onward
			}
			if t != onward && t != n.Continue {
				return t
			}
			if t := l.block(n.Next); t != onward {
				return t
			}
		}
	}
	return onward
}

func (l *lane) instr(in *ir.Instr) {
	u := func(r ir.Reg) uint32 { return uint32(l.regs[r][0]) }
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	set := func(x uint64) { l.regs[in.Dst][0] = x }
	f := func(r ir.Reg) float32 { return math.Float32frombits(u(r)) }
	setF := func(x float32) { set(uint64(math.Float32bits(x))) }
	if in.Kind == ir.F32 {
		switch in.Op {
		case ir.Add:
			setF(f(in.A) + f(in.B))
			return
		case ir.Mul:
			setF(f(in.A) * f(in.B))
			return
		case ir.Sub:
			setF(f(in.A) - f(in.B))
			return
		case ir.Lt:
			set(truth(f(in.A) < f(in.B)))
			return
		}
	}
	switch in.Op {
	case ir.Decl:
	case ir.Mov:
		copy(l.regs[in.Dst], l.regs[in.A])
	case ir.Add:
		set(uint64(u(in.A) + u(in.B)))
	case ir.Sub:
		set(uint64(u(in.A) - u(in.B)))
	case ir.Mul:
		set(uint64(u(in.A) * u(in.B)))
	case ir.Xor:
		set(uint64(u(in.A) ^ u(in.B)))
	case ir.And:
		set(uint64(u(in.A) & u(in.B)))
	case ir.Shr:
		set(uint64(u(in.A) >> (u(in.B) & 31)))
	case ir.Mad:
		set(uint64(u(in.A)*u(in.B) + u(in.C)))
	case ir.Lt:
		set(truth(u(in.A) < u(in.B)))
	case ir.Eq:
		set(truth(u(in.A) == u(in.B)))
	case ir.Ge:
		set(truth(u(in.A) >= u(in.B)))
	case ir.Select:
		if l.regs[in.A][0] != 0 {
			set(l.regs[in.B][0])
		} else {
			set(l.regs[in.C][0])
		}
	case ir.Convert: // U32 to F32 and U64 only
		if l.k.Regs[in.Dst].Kind == ir.F32 {
			setF(float32(u(in.A)))
		} else {
			set(uint64(u(in.A)))
		}
	case ir.Bitcast:
		set(uint64(u(in.A)))
	case ir.ArrayGet:
		set(l.regs[in.A][u(in.B)])
	case ir.ArraySet:
		l.regs[in.Dst][u(in.A)] = l.regs[in.B][0]
	case ir.AddrBuffer:
		set(uint64(in.Imm))
	case ir.AddrPrivate:
		set(2)
	case ir.PtrAdd:
		set(l.regs[in.A][0] + uint64(l.index(in))<<8)
	case ir.Load:
		p := l.regs[in.A][0] + uint64(l.index(in))<<8
		for i, r := range in.Regs {
			l.regs[r][0] = uint64(binary.LittleEndian.Uint32(l.at(p, i)))
		}
	case ir.Store:
		p := l.regs[in.A][0] + uint64(l.index(in))<<8
		for i, r := range in.Regs {
			binary.LittleEndian.PutUint32(l.at(p, i), u(r))
		}
	case ir.Builtin:
		switch in.Imm {
		case ir.ThreadPositionInGrid:
			set(uint64(l.tid))
		case ir.ThreadgroupPositionInGrid:
			set(uint64(l.tid / 64))
		case ir.SimdgroupIndexInThreadgroup:
			set(uint64(l.tid % 64 / 32))
		}
	default:
		panic(fmt.Sprint("reference: operation ", in.Op))
	}
}

func (l *lane) index(in *ir.Instr) uint32 {
	n := uint32(in.Imm2)
	if in.B != ir.NoReg {
		n += uint32(l.regs[in.B][0]) * uint32(in.Imm)
	}
	return n
}

func (l *lane) at(p uint64, element int) []byte {
	m := l.mem
	if p&255 == 1 {
		m = l.in
	}
	return m[int(p>>8)+4*element:]
}

// writer makes random kernels: nested branches, loops of all forms with break and continue, inlined functions with
// early returns, on conditions that lanes share and that they do not.
type writer struct {
	*builder
	rnd    *rand.Rand
	vars   []ir.Reg // U32 variables in scope
	fvars  []ir.Reg
	temps  []ir.Reg // U32 temporaries in scope
	arrays []ir.Reg
	leaves []int // targets in scope
	in     ir.Reg
	size   int // statements left
	loops  int // nesting
}

func (g *writer) value() ir.Reg {
	if n := len(g.temps); n > 0 && g.rnd.Intn(4) == 0 {
		return g.temps[g.rnd.Intn(n)]
	}
	switch g.rnd.Intn(6) {
	case 0:
		return g.u32(uint32(g.rnd.Intn(9)))
	case 1:
		if g.rnd.Intn(2) == 0 {
			return g.tid()
		}
		return g.builtin([]int64{ir.ThreadgroupPositionInGrid, ir.SimdgroupIndexInThreadgroup}[g.rnd.Intn(2)], 0)
	case 2:
		return g.load(ir.U32, g.in, g.bin(ir.And, ir.U32, g.vars[g.rnd.Intn(len(g.vars))], g.u32(63)))
	case 3:
		if len(g.arrays) > 0 {
			return g.op(ir.ArrayGet, ir.U32, ir.U32, g.arrays[g.rnd.Intn(len(g.arrays))], g.bin(ir.And, ir.U32, g.vars[g.rnd.Intn(len(g.vars))], g.u32(3)))
		}
	}
	return g.vars[g.rnd.Intn(len(g.vars))]
}

func (g *writer) expr() ir.Reg {
	x, y := g.value(), g.value()
	switch g.rnd.Intn(8) {
	case 0:
		return g.op(ir.Mad, ir.U32, ir.U32, x, y, g.value())
	case 1:
		return g.op(ir.Select, ir.U32, ir.U32, g.cond(), x, y)
	case 2:
		f := g.bin(ir.Mul, ir.F32, g.fvars[g.rnd.Intn(len(g.fvars))], g.op(ir.Convert, ir.U32, ir.F32, x))
		return g.op(ir.Bitcast, ir.F32, ir.U32, f)
	}
	t := g.bin([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Xor, ir.And, ir.Shr}[g.rnd.Intn(6)], ir.U32, x, y)
	g.temps = append(g.temps, t)
	return t
}

func (g *writer) cond() ir.Reg {
	x := g.bin(ir.And, ir.U32, g.value(), g.u32(uint32(g.rnd.Intn(8))))
	return g.cmp([]ir.Op{ir.Lt, ir.Eq, ir.Ge}[g.rnd.Intn(3)], ir.U32, x, g.bin(ir.And, ir.U32, g.value(), g.u32(7)))
}

// scope restores what is visible after f.
func (g *writer) scope(f func()) {
	v, fv, t, a, l := len(g.vars), len(g.fvars), len(g.temps), len(g.arrays), len(g.leaves)
	f()
	g.vars, g.fvars, g.temps, g.arrays, g.leaves = g.vars[:v], g.fvars[:fv], g.temps[:t], g.arrays[:a], g.leaves[:l]
}

func (g *writer) statements(n int) {
	for range n {
		if g.size--; g.size < 0 {
			return
		}
		g.statement()
	}
}

func (g *writer) statement() {
	switch r := g.rnd.Intn(20); {
	case r < 6:
		g.mov(g.vars[g.rnd.Intn(len(g.vars))], g.expr())
	case r < 7:
		v := g.variable(ir.U32)
		g.mov(v, g.expr())
		g.vars = append(g.vars, v)
	case r < 8:
		v := g.fvars[g.rnd.Intn(len(g.fvars))]
		g.mov(v, g.bin(ir.Add, ir.F32, v, g.op(ir.Convert, ir.U32, ir.F32, g.value())))
	case r < 9 && len(g.arrays) > 0:
		a := g.arrays[g.rnd.Intn(len(g.arrays))]
		i := g.bin(ir.And, ir.U32, g.value(), g.u32(3))
		if g.rnd.Intn(2) == 0 {
			i = g.u32(uint32(g.rnd.Intn(4)))
		}
		g.instr(ir.Instr{Op: ir.ArraySet, Kind: ir.U32, Dst: a, A: i, B: g.value(), C: ir.NoReg})
	case r < 13:
		c := g.cond()
		els := func() { g.scope(func() { g.statements(3) }) }
		if g.rnd.Intn(2) == 0 {
			els = nil
		}
		g.when(c, func() { g.scope(func() { g.statements(3) }) }, els)
	case r < 16 && g.loops < 3:
		g.loops++
		i := g.variable(ir.U32)
		g.mov(i, g.u32(0))
		limit := g.u32(uint32(g.rnd.Intn(5)))
		if g.rnd.Intn(2) == 0 {
			limit = g.bin(ir.And, ir.U32, g.value(), g.u32(7))
		}
		step := func() { g.mov(i, g.bin(ir.Add, ir.U32, i, g.u32(1))) }
		head := func() ir.Reg { return g.cmp(ir.Lt, ir.U32, i, limit) }
		if g.rnd.Intn(4) == 0 { // for (;;) with a break
			g.loop(false, nil, func(brk, cont int) {
				g.scope(func() {
					g.when(g.cmp(ir.Ge, ir.U32, i, limit), func() { g.leave(brk) }, nil)
					g.leaves = append(g.leaves, brk, cont)
					g.statements(3)
				})
			}, step)
		} else {
			g.loop(g.rnd.Intn(3) == 0, head, func(brk, cont int) {
				g.scope(func() {
					g.leaves = append(g.leaves, brk, cont)
					g.statements(3)
				})
			}, step)
		}
		g.loops--
	case r < 18:
		g.region(func(t int) {
			g.scope(func() {
				g.leaves = append(g.leaves, t)
				g.statements(4)
			})
		})
	default:
		t := g.leaves[g.rnd.Intn(len(g.leaves))]
		if t == 0 && g.rnd.Intn(3) > 0 {
			return
		}
		if g.rnd.Intn(8) == 0 {
			g.leave(t)
			return
		}
		g.when(g.cond(), func() { g.leave(t) }, nil)
	}
}

const (
	testLanes = 90 // threads, in threadgroups of 64: the last simdgroup is partial
	outWords  = 8
)

// randomKernel gives a kernel that reads buffer 1 and leaves what it computed in buffer 0, outWords words a thread.
func randomKernel(seed int64) *ir.Kernel {
	g := &writer{builder: newBuilder(fmt.Sprint("random", seed), "out", "in"), rnd: rand.New(rand.NewSource(seed)), leaves: []int{0}, size: 60}
	g.in = g.buffer(1)
	out := g.op(ir.PtrAdd, ir.Ptr, ir.Ptr, g.buffer(0), g.tid())
	g.k.Body[len(g.k.Body)-1].(*ir.Instr).Imm = 4 * outWords
	for i := range 4 {
		v := g.variable(ir.U32)
		g.mov(v, []ir.Reg{g.u32(uint32(i)), g.tid(), g.u32(3), g.builtin(ir.SimdgroupIndexInThreadgroup, 0)}[i])
		g.vars = append(g.vars, v)
	}
	for range 2 {
		v := g.variable(ir.F32)
		g.mov(v, g.f32(1.5))
		g.fvars = append(g.fvars, v)
	}
	a := g.reg(ir.RegInfo{Kind: ir.U32, Len: 4, Var: true})
	g.instr(ir.Instr{Op: ir.Decl, Kind: ir.U32, Dst: a, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg})
	for i := range uint32(4) {
		g.instr(ir.Instr{Op: ir.ArraySet, Kind: ir.U32, Dst: a, A: g.u32(i), B: g.u32(10 * i), C: ir.NoReg})
	}
	g.arrays = append(g.arrays, a)
	tops := append(append([]ir.Reg{}, g.vars...), g.fvars...)
	save := func() {
		for i, v := range tops {
			g.instr(ir.Instr{Op: ir.Store, Kind: g.k.Regs[v].Kind, Dst: ir.NoReg, A: out, B: ir.NoReg, C: ir.NoReg, Imm2: int64(4 * i), Regs: []ir.Reg{v}})
		}
	}
	g.statements(12)
	save()
	g.size = 40
	g.statements(12)
	save()
	return g.k
}

func reference(k *ir.Kernel, in []byte) []byte {
	out := make([]byte, testLanes*outWords*4)
	for tid := range uint32(testLanes) {
		l := &lane{k: k, tid: tid, mem: out, in: in, fuel: 1 << 20}
		for _, r := range k.Regs {
			x := make([]uint64, max(r.Len, 1))
			if r.Const {
				x[0] = r.Bits
			}
			l.regs = append(l.regs, x)
		}
		l.block(k.Body)
	}
	return out
}

func TestRandomKernelsAgreeWithLaneByLaneReference(t *testing.T) {
	in := make([]byte, 4*64)
	rand.New(rand.NewSource(9)).Read(in)
	n := int64(1000)
	if testing.Short() {
		n = 300
	}
	for seed := range n {
		k := randomKernel(seed)
		want := reference(k, in)
		c, err := Compile(k)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, checks := range []Checks{0, CheckAll} {
			got := make([]byte, len(want))
			d := &Dispatch{Grid: [3]int{testLanes, 1, 1}, Threadgroup: [3]int{64, 1, 1}, Buffers: bindings(got, in), Checks: checks, Workers: 1, MaxSteps: 1 << 20}
			if err := c.Run(d); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if bytes.Equal(got, want) {
				continue
			}
			for i := range testLanes * outWords {
				if g, w := wordAt(got, i), wordAt(want, i); g != w {
					t.Fatalf("seed %d, checks %d: thread %d word %d is %#x, want %#x", seed, checks, i/outWords, i%outWords, g, w)
				}
			}
		}
	}
}
