package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// opnd is one scalar operand: a constant, a register, or a pointer whose parts are still apart.
type opnd struct {
	k    ir.Kind
	con  bool
	reg  ir.Reg
	bits uint64
	ptr  *place   // Ptr: what it points to; nil for null and for function pointers
	fn   *funcRef // a pointer to a function, which is always a constant
}

func constant(k ir.Kind, bits uint64) opnd {
	return opnd{k: k, con: true, reg: ir.NoReg, bits: canon(k, bits)}
}

func intConst(v int64) opnd { return constant(ir.I32, uint64(v)) }

func register(k ir.Kind, r ir.Reg) opnd { return opnd{k: k, reg: r} }

// int gives the value of an integer or bool constant.
func (o opnd) int() (v int64, ok bool) {
	if !o.con || o.k.IsFloat() || o.k == ir.Ptr {
		return 0, false
	}
	return int64(o.bits), true
}

func (o opnd) isZero() bool { return o.con && !o.k.IsFloat() && o.bits == 0 }

// place is where an object lies: in memory at base + idx*scale + off, or in the rows of a variable's registers.
type place struct {
	base  ir.Reg // Ptr, or NoReg for registers
	idx   opnd   // integer; used if scale is not 0
	scale int64
	off   int64

	st   *storage // registers
	slot int
	row  opnd // of kind I32
	one  bool // not an element of an array: only row itself can be reached
}

// storage is a variable that lives in registers, or a constant whose scalars are known.
type storage struct {
	name   string
	t      *typ
	slots  []slot
	regs   []ir.Reg
	split  bool        // an element of an array has a register of its own, behind that of the first
	values [][]opnd    // per slot and row; set for constants, and for variables of an evaluation at compile time
	key    any         // identifies the declaration when the variable has to move to memory
	global *globalData // program-scope data, which dynamic indexing reaches in memory
	usable bool        // may be read in a constant expression
}

type cseKey struct {
	op        ir.Op
	kind, dst ir.Kind
	a, b, c   ir.Reg
	imm, imm2 int64
	n         int
}

type constKey struct {
	k    ir.Kind
	bits uint64
}

// maxNodes bounds the size of one kernel: inlining can grow it exponentially.
const maxNodes = 1 << 19

// builder collects the instructions of one kernel.
type builder struct {
	regs    []ir.RegInfo
	frozen  []bool // of registers that are variables: never assigned again
	consts  map[constKey]ir.Reg
	block   *ir.Block
	pre     ir.Block // what is valid in the whole kernel: addresses and built-ins
	known   []map[cseKey]ir.Reg
	preKnow map[cseKey]ir.Reg
	nodes   int
	regions int
	targets map[int]int // how many Leaves go to a region
}

func newBuilder() *builder {
	b := &builder{consts: map[constKey]ir.Reg{}, preKnow: map[cseKey]ir.Reg{}, regions: 1, targets: map[int]int{}}
	b.known = append(b.known, map[cseKey]ir.Reg{})
	return b
}

func (b *builder) newReg(i ir.RegInfo) ir.Reg {
	if i.Len == 0 {
		i.Len = 1
	}
	b.regs = append(b.regs, i)
	b.frozen = append(b.frozen, !i.Var)
	return ir.Reg(len(b.regs) - 1)
}

// stable reports whether o keeps its value: it is no variable that may be assigned again.
func (b *builder) stable(o opnd) bool { return o.con || o.reg < 0 || b.frozen[o.reg] }

// freeze marks the variables made since register lo as final.
func (b *builder) freeze(lo int) {
	for i := lo; i < len(b.frozen); i++ {
		b.frozen[i] = true
	}
}

func (b *builder) constReg(k ir.Kind, bits uint64) ir.Reg {
	key := constKey{k, bits}
	if r, ok := b.consts[key]; ok {
		return r
	}
	r := b.newReg(ir.RegInfo{Kind: k, Const: true, Bits: bits})
	b.consts[key] = r
	return r
}

func (b *builder) append(n ir.Node) {
	*b.block = append(*b.block, n)
	b.nodes++
}

// nest runs f with instructions going to a new block, which it returns. What is known inside is forgotten behind.
func (b *builder) nest(f func()) ir.Block {
	var blk ir.Block
	old := b.block
	depth := len(b.known)
	b.block = &blk
	b.known = append(b.known, nil)
	defer func() { b.block, b.known = old, b.known[:depth] }()
	f()
	return blk
}

func (b *builder) lookup(k cseKey) (ir.Reg, bool) {
	if r, ok := b.preKnow[k]; ok {
		return r, true
	}
	for i := len(b.known) - 1; i >= 0; i-- {
		if r, ok := b.known[i][k]; ok {
			return r, true
		}
	}
	return ir.NoReg, false
}

func (b *builder) remember(k cseKey, r ir.Reg) {
	i := len(b.known) - 1
	if b.known[i] == nil {
		b.known[i] = map[cseKey]ir.Reg{}
	}
	b.known[i][k] = r
}

// atEntry emits an instruction that depends on nothing once, at the start of the kernel.
func (b *builder) atEntry(op ir.Op, dst ir.Kind, imm, imm2 int64, pos token.Pos) ir.Reg {
	key := cseKey{op: op, dst: dst, imm: imm, imm2: imm2}
	if r, ok := b.preKnow[key]; ok {
		return r
	}
	r := b.newReg(ir.RegInfo{Kind: dst})
	b.pre = append(b.pre, &ir.Instr{Op: op, Kind: dst, Dst: r, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Imm: imm, Imm2: imm2, Pos: pos})
	b.preKnow[key] = r
	return r
}

func (b *builder) region() int {
	b.regions++
	return b.regions - 1
}

func (b *builder) leave(target int, pos token.Pos) {
	b.append(&ir.Leave{Pos: pos, Target: target})
	b.targets[target]++
	var unreachable ir.Block
	b.block = &unreachable
}

// reg gives the register of a scalar operand other than a pointer.
func (c *lowerer) reg(o opnd) ir.Reg {
	if o.k == ir.Ptr {
		return c.pointerReg(o)
	}
	if o.con {
		return c.b.constReg(o.k, o.bits)
	}
	return o.reg
}

// emit appends op on scalars of kind k with a result of kind dst, unless its result is known already.
func (c *lowerer) emit(op ir.Op, k, dst ir.Kind, x, y, z opnd) opnd {
	return c.emitImm(op, k, dst, x, y, z, 0, 0)
}

var none = opnd{reg: ir.NoReg}

func isNone(o opnd) bool { return !o.con && o.reg == ir.NoReg && o.ptr == nil && o.k == ir.Void }

func (c *lowerer) emitImm(op ir.Op, k, dst ir.Kind, x, y, z opnd, imm, imm2 int64) opnd {
	if x.con && (y.con || isNone(y)) && (z.con || isNone(z)) && k != ir.Ptr && imm == 0 {
		if bits, ok := fold(op, k, x.bits, y.bits, z.bits); ok {
			return constant(dst, bits)
		}
	}
	if r, ok := simplify(op, k, x, y, z); ok {
		return r
	}
	if c.evaluating > 0 {
		c.fail(c.pos, "expression is not an integral constant expression")
	}
	ra, rb, rc := ir.NoReg, ir.NoReg, ir.NoReg
	if !isNone(x) {
		ra = c.reg(x)
	}
	if !isNone(y) {
		rb = c.reg(y)
	}
	if !isNone(z) {
		rc = c.reg(z)
	}
	b := c.b
	pure := isPure(op) && (ra < 0 || b.frozen[ra]) && (rb < 0 || b.frozen[rb]) && (rc < 0 || b.frozen[rc])
	key := cseKey{op, k, dst, ra, rb, rc, imm, imm2, 1}
	if pure {
		if r, ok := b.lookup(key); ok {
			return register(dst, r)
		}
	}
	in := &ir.Instr{Op: op, Kind: k, Dst: ir.NoReg, A: ra, B: rb, C: rc, Imm: imm, Imm2: imm2, Pos: c.pos}
	if dst != ir.Void {
		in.Dst = b.newReg(ir.RegInfo{Kind: dst})
	}
	b.append(in)
	if b.nodes > maxNodes {
		c.fatal(c.pos, "function is too large for the software Metal compiler")
	}
	if pure {
		b.remember(key, in.Dst)
	}
	return register(dst, in.Dst)
}

// isPure reports whether op depends on its operands only.
func isPure(op ir.Op) bool {
	return op >= ir.Neg && op <= ir.SignBit || op == ir.PtrAdd || op == ir.PtrDiff || op == ir.NullPtr
}

// simplify knows the identities that hold for every value.
func simplify(op ir.Op, k ir.Kind, x, y, z opnd) (opnd, bool) {
	if op == ir.Select {
		if x.con {
			if x.bits != 0 {
				return y, true
			}
			return z, true
		}
		if y.con && z.con && y.bits == z.bits || !y.con && y.k != ir.Ptr && y.reg == z.reg {
			return y, true
		}
		return none, false
	}
	if k == ir.Bool {
		for range 2 {
			if x.con {
				switch {
				case op == ir.And && x.bits == 1, op == ir.Or && x.bits == 0:
					return y, true
				case op == ir.And && x.bits == 0, op == ir.Or && x.bits == 1:
					return x, true
				}
			}
			x, y = y, x
		}
		return none, false
	}
	if k.IsFloat() {
		one := y.con && f32(y.bits) == 1
		if op == ir.Mul && one || op == ir.Div && one {
			return x, true
		}
		if op == ir.Mul && x.con && f32(x.bits) == 1 {
			return y, true
		}
		return none, false
	}
	if !k.IsInt() {
		return none, false
	}
	switch op {
	case ir.Add, ir.Or, ir.Xor:
		if x.isZero() {
			return y, true
		}
		if y.isZero() {
			return x, true
		}
	case ir.Sub, ir.Shl, ir.Shr:
		if y.isZero() {
			return x, true
		}
	case ir.Mul:
		if x.isZero() || y.con && y.bits == 1 {
			return x, true
		}
		if y.isZero() || x.con && x.bits == 1 {
			return y, true
		}
	case ir.Div:
		if y.con && y.bits == 1 {
			return x, true
		}
	case ir.And:
		if x.isZero() {
			return x, true
		}
		if y.isZero() {
			return y, true
		}
	}
	return none, false
}

// convert changes a scalar to kind to.
func (c *lowerer) convert(o opnd, to ir.Kind) opnd {
	switch {
	case o.k == to:
		return o
	case o.k == ir.Ptr && to == ir.Bool:
		if o.ptr != nil && o.ptr.st != nil || o.fn != nil {
			return constant(ir.Bool, 1)
		}
		return c.emit(ir.Ne, ir.Ptr, ir.Bool, o, c.null(), none)
	case o.con:
		return constant(to, foldConvert(o.k, to, o.bits))
	}
	return c.emit(ir.Convert, o.k, to, o, none, none)
}

func (c *lowerer) null() opnd { return opnd{k: ir.Ptr, con: true, reg: ir.NoReg} }

// assign stores o in the variable register r.
func (c *lowerer) assign(r ir.Reg, o opnd) {
	k := c.b.regs[r].Kind
	src := c.reg(o)
	if src == r {
		return
	}
	c.b.append(&ir.Instr{Op: ir.Mov, Kind: k, Dst: r, A: src, B: ir.NoReg, C: ir.NoReg, Pos: c.pos})
}

// declare makes a variable register that begins its life here.
func (c *lowerer) declare(k ir.Kind, rows int, name string) ir.Reg {
	r := c.b.newReg(ir.RegInfo{Kind: k, Len: int32(rows), Var: true, Name: name})
	c.b.append(&ir.Instr{Op: ir.Decl, Kind: k, Dst: r, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg, Pos: c.pos})
	return r
}

// copyOf gives a value that later assignments to variables do not change.
func (c *lowerer) copyOf(o opnd) opnd {
	if o.k == ir.Ptr {
		return c.stablePointer(o)
	}
	if c.b.stable(o) {
		return o
	}
	r := c.declare(o.k, 1, "")
	c.assign(r, o)
	c.b.frozen[r] = true
	return register(o.k, r)
}
