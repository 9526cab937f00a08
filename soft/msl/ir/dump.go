package ir

import (
	"fmt"
	"math"
	"strings"
)

var opNames = strings.Fields(`Nop Decl Mov Neg Add Sub Mul Div Rem And Or Xor Not Shl Shr Eq Ne Lt Le Gt Ge Select Convert Bitcast SatConv
	Abs Min Max Clamp AbsDiff AddSat SubSat MulHi HAdd RHAdd Mad MadHi MadSat Clz Ctz Popcount ReverseBits Rotate ExtractBits InsertBits
	Fma Sqrt Rsqrt Exp Exp2 Exp10 Log Log2 Log10 Pow Powr Sin Cos Tan Asin Acos Atan Atan2 Sinh Cosh Tanh Asinh Acosh Atanh Sinpi Cospi Tanpi
	Floor Ceil Trunc Round Rint Fract Fmod Copysign Fdim Ldexp Ilogb FrexpMan FrexpExp NextAfter Saturate Sign Step Smoothstep Mix
	IsNaN IsInf IsFinite IsNormal SignBit ArrayGet ArraySet
	AddrBuffer AddrThreadgroup AddrStatic AddrPrivate AddrConstant NullPtr PtrAdd PtrDiff Load Store
	AtomicLoad AtomicStore AtomicExchange AtomicCAS AtomicAdd AtomicSub AtomicMin AtomicMax AtomicAnd AtomicOr AtomicXor Builtin
	SimdSum SimdProduct SimdMin SimdMax SimdAnd SimdOr SimdXor SimdPrefixInclusiveSum SimdPrefixExclusiveSum SimdPrefixInclusiveProduct
	SimdPrefixExclusiveProduct SimdBroadcast SimdBroadcastFirst SimdShuffle SimdShuffleXor SimdShuffleUp SimdShuffleDown SimdShuffleRotateUp
	SimdShuffleRotateDown SimdShuffleAndFillUp SimdShuffleAndFillDown SimdBallot SimdAll SimdAny SimdActiveMask SimdIsFirst
	ThreadgroupBarrier SimdgroupBarrier MatFill MatDiag MatLoad MatStore MatMul MatMac MatGet MatSet`)

// String gives the operation's Go name.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return fmt.Sprintf("Op(%d)", op)
}

// Dump writes k as readable text, an instruction a line, for tests and for people.
func (k *Kernel) Dump() string {
	d := dumper{k: k}
	for _, b := range k.Buffers {
		d.line("buffer %d %s %s elem=%d readonly=%v ref=%v", b.Index, b.Name, b.Type, b.Elem, b.ReadOnly, b.Ref)
	}
	for _, t := range k.Threadgroup {
		d.line("threadgroup %d %s elem=%d", t.Index, t.Name, t.Elem)
	}
	for _, o := range k.Statics {
		d.line("static %s size=%d align=%d", o.Name, o.Size, o.Align)
	}
	for _, o := range k.Privates {
		d.line("private %s size=%d align=%d", o.Name, o.Size, o.Align)
	}
	for _, c := range k.Constants {
		d.line("constant %s size=%d", c.Name, len(c.Bytes))
	}
	d.block(k.Body)
	return d.b.String()
}

type dumper struct {
	k      *Kernel
	b      strings.Builder
	indent int
}

func (d *dumper) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", d.indent))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) reg(r Reg) string {
	if r < 0 {
		return "_"
	}
	i := d.k.Regs[r]
	switch {
	case i.Const && i.Kind.IsFloat():
		return fmt.Sprint(math.Float32frombits(uint32(i.Bits)))
	case i.Const:
		return fmt.Sprint(int64(i.Bits))
	case i.Name != "":
		return fmt.Sprintf("%s.%d", i.Name, r)
	}
	return fmt.Sprintf("r%d", r)
}

func (d *dumper) regs(rs []Reg) string {
	s := make([]string, len(rs))
	for i, r := range rs {
		s[i] = d.reg(r)
	}
	return "{" + strings.Join(s, " ") + "}"
}

func (d *dumper) block(b Block) {
	for _, n := range b {
		d.node(n)
	}
}

func (d *dumper) nested(name string, b Block) {
	if len(b) == 0 {
		return
	}
	d.line("%s", name)
	d.indent++
	d.block(b)
	d.indent--
}

func (d *dumper) node(n Node) {
	switch n := n.(type) {
	case *Instr:
		d.instr(n)
	case *If:
		d.nested("if "+d.reg(n.Cond), n.Then)
		if len(n.Then) == 0 {
			d.line("if %s", d.reg(n.Cond))
		}
		d.nested("else", n.Else)
	case *Loop:
		kind := "loop"
		if n.DoWhile {
			kind = "do"
		}
		d.line("%s break=%d continue=%d", kind, n.Break, n.Continue)
		d.indent++
		d.nested("head", n.Head)
		if n.Test {
			d.line("while %s", d.reg(n.Cond))
		}
		d.nested("body", n.Body)
		d.nested("next", n.Next)
		d.indent--
	case *Region:
		d.nested(fmt.Sprintf("region %d", n.ID), n.Body)
	case *Leave:
		d.line("leave %d", n.Target)
	}
}

func (d *dumper) instr(in *Instr) {
	var s strings.Builder
	if in.Dst >= 0 {
		fmt.Fprintf(&s, "%s = ", d.reg(in.Dst))
	}
	s.WriteString(in.Op.String())
	if in.Op == Convert || in.Op == Bitcast || in.Op == SatConv {
		fmt.Fprintf(&s, ".%s->%s", in.Kind, d.k.Regs[in.Dst].Kind)
	} else if in.Kind != Void && in.Kind != Ptr {
		fmt.Fprintf(&s, ".%s", in.Kind)
	}
	for _, r := range [...]Reg{in.A, in.B, in.C} {
		if r >= 0 {
			fmt.Fprintf(&s, " %s", d.reg(r))
		}
	}
	if in.Op == Decl && d.k.Regs[in.Dst].Len > 1 {
		fmt.Fprintf(&s, "[%d]", d.k.Regs[in.Dst].Len)
	}
	if in.Regs != nil {
		fmt.Fprintf(&s, " %s", d.regs(in.Regs))
	}
	if in.Imm != 0 || in.Imm2 != 0 {
		fmt.Fprintf(&s, " imm=%d,%d", in.Imm, in.Imm2)
	}
	d.line("%s", s.String())
}
