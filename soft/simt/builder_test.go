package simt

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// builder writes kernels by hand. Every instruction gets a line of its own.
type builder struct {
	k    *ir.Kernel
	at   *ir.Block
	line int32
}

func newBuilder(name string, buffers ...string) *builder {
	b := &builder{k: &ir.Kernel{Name: name, Regions: 1}}
	b.at = &b.k.Body
	for i, n := range buffers {
		b.k.Buffers = append(b.k.Buffers, ir.BufferArg{Name: n, Index: i, Elem: 4, Align: 4})
	}
	return b
}

func (b *builder) pos() token.Pos {
	b.line++
	return token.Pos{Line: b.line, Col: 1}
}

func (b *builder) add(n ir.Node) { *b.at = append(*b.at, n) }

func (b *builder) reg(info ir.RegInfo) ir.Reg {
	b.k.Regs = append(b.k.Regs, info)
	return ir.Reg(len(b.k.Regs) - 1)
}

func (b *builder) temp(k ir.Kind) ir.Reg { return b.reg(ir.RegInfo{Kind: k, Len: 1}) }

func (b *builder) constant(k ir.Kind, bits uint64) ir.Reg {
	return b.reg(ir.RegInfo{Kind: k, Len: 1, Const: true, Bits: bits})
}

func (b *builder) u32(x uint32) ir.Reg { return b.constant(ir.U32, uint64(x)) }
func (b *builder) f32(x float32) ir.Reg {
	return b.constant(ir.F32, uint64(math.Float32bits(x)))
}

// instr adds an instruction whose unset operands are NoReg.
func (b *builder) instr(in ir.Instr) *ir.Instr {
	in.Pos = b.pos()
	p := &in
	b.add(p)
	return p
}

// op adds an operation on kind k with a result of kind to.
func (b *builder) op(op ir.Op, k, to ir.Kind, args ...ir.Reg) ir.Reg {
	a := [3]ir.Reg{ir.NoReg, ir.NoReg, ir.NoReg}
	copy(a[:], args)
	d := b.temp(to)
	in := ir.Instr{Op: op, Kind: k, Dst: d, A: a[0], B: a[1], C: a[2]}
	if len(args) > 3 {
		in.Regs = args[3:]
	}
	b.instr(in)
	return d
}

func (b *builder) bin(op ir.Op, k ir.Kind, x, y ir.Reg) ir.Reg { return b.op(op, k, k, x, y) }
func (b *builder) cmp(op ir.Op, k ir.Kind, x, y ir.Reg) ir.Reg { return b.op(op, k, ir.Bool, x, y) }

func (b *builder) builtin(name, component int64) ir.Reg {
	d := b.temp(ir.U32)
	b.instr(ir.Instr{Op: ir.Builtin, Kind: ir.U32, Dst: d, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Imm: name, Imm2: component})
	return d
}

func (b *builder) tid() ir.Reg { return b.builtin(ir.ThreadPositionInGrid, 0) }

func (b *builder) addr(op ir.Op, i int64) ir.Reg {
	d := b.temp(ir.Ptr)
	b.instr(ir.Instr{Op: op, Kind: ir.Ptr, Dst: d, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Imm: i})
	return d
}

func (b *builder) buffer(i int64) ir.Reg { return b.addr(ir.AddrBuffer, i) }

func (b *builder) load(k ir.Kind, p, index ir.Reg) ir.Reg {
	return b.loadN(k, p, index, k.Size(), 0, 1)[0]
}

func (b *builder) loadN(k ir.Kind, p, index ir.Reg, scale, add int64, n int) []ir.Reg {
	var d []ir.Reg
	for range n {
		d = append(d, b.temp(k))
	}
	b.instr(ir.Instr{Op: ir.Load, Kind: k, Dst: ir.NoReg, A: p, B: index, C: ir.NoReg, Imm: scale, Imm2: add, Regs: d})
	return d
}

func (b *builder) store(k ir.Kind, p, index ir.Reg, v ...ir.Reg) *ir.Instr {
	return b.instr(ir.Instr{Op: ir.Store, Kind: k, Dst: ir.NoReg, A: p, B: index, C: ir.NoReg, Imm: k.Size() * int64(len(v)), Regs: v})
}

func (b *builder) variable(k ir.Kind) ir.Reg {
	v := b.reg(ir.RegInfo{Kind: k, Len: 1, Var: true})
	b.instr(ir.Instr{Op: ir.Decl, Kind: k, Dst: v, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg})
	return v
}

func (b *builder) mov(v, a ir.Reg) {
	b.instr(ir.Instr{Op: ir.Mov, Kind: b.k.Regs[v].Kind, Dst: v, A: a, B: ir.NoReg, C: ir.NoReg})
}

func (b *builder) block(f func()) ir.Block {
	saved := b.at
	var out ir.Block
	b.at = &out
	f()
	b.at = saved
	return out
}

func (b *builder) when(cond ir.Reg, then, els func()) {
	n := &ir.If{Pos: b.pos(), Cond: cond}
	n.Then = b.block(then)
	if els != nil {
		n.Else = b.block(els)
	}
	b.add(n)
}

func (b *builder) target() int {
	b.k.Regions++
	return b.k.Regions - 1
}

func (b *builder) leave(t int) { b.add(&ir.Leave{Pos: b.pos(), Target: t}) }

// loop adds a loop; head gives the condition and body gets the targets of break and continue.
func (b *builder) loop(doWhile bool, head func() ir.Reg, body func(brk, cont int), next func()) {
	n := &ir.Loop{Pos: b.pos(), Break: b.target(), Continue: b.target(), Cond: ir.NoReg, DoWhile: doWhile}
	if head != nil {
		n.Test = true
		n.Head = b.block(func() { n.Cond = head() })
	}
	n.Body = b.block(func() { body(n.Break, n.Continue) })
	if next != nil {
		n.Next = b.block(next)
	}
	b.add(n)
}

// count adds for (i = 0; i < n; i++).
func (b *builder) count(n ir.Reg, body func(i ir.Reg, brk, cont int)) {
	i := b.variable(ir.U32)
	b.mov(i, b.u32(0))
	b.loop(false, func() ir.Reg { return b.cmp(ir.Lt, ir.U32, i, n) },
		func(brk, cont int) { body(i, brk, cont) },
		func() { b.mov(i, b.bin(ir.Add, ir.U32, i, b.u32(1))) })
}

func (b *builder) region(body func(t int)) {
	n := &ir.Region{ID: b.target()}
	n.Body = b.block(func() { body(n.ID) })
	b.add(n)
}

func (b *builder) barrier(op ir.Op, flags int64) {
	b.instr(ir.Instr{Op: op, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Imm: flags})
}

func (b *builder) static(name string, size int64) int64 {
	b.k.Statics = append(b.k.Statics, ir.Object{Name: name, Size: size, Align: 4})
	return int64(len(b.k.Statics) - 1)
}

func (b *builder) compile(t testing.TB) *Kernel {
	t.Helper()
	k, err := Compile(b.k)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func words(x ...uint32) []byte {
	m := make([]byte, 4*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint32(m[4*i:], v)
	}
	return m
}

func floats(x ...float32) []byte {
	m := make([]byte, 4*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint32(m[4*i:], math.Float32bits(v))
	}
	return m
}

func wordAt(m []byte, i int) uint32   { return binary.LittleEndian.Uint32(m[4*i:]) }
func floatAt(m []byte, i int) float32 { return math.Float32frombits(wordAt(m, i)) }
func bindings(mems ...[]byte) []Binding {
	var out []Binding
	for _, m := range mems {
		out = append(out, Binding{Mem: m, Bound: true})
	}
	return out
}

// line runs n threads in threadgroups of tg.
func line(n, tg int, mems ...[]byte) *Dispatch {
	return &Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(mems...), Checks: CheckAll}
}

func run(t testing.TB, k *Kernel, d *Dispatch) {
	t.Helper()
	if err := k.Run(d); err != nil {
		t.Fatal(err)
	}
}
