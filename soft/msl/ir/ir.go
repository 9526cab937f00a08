// Package ir is the program form between the Metal Shading Language compiler and the engine that runs it.
//
// One Kernel is one compute function with everything inlined, all function constants folded, vectors and structs
// taken apart into scalars, and control flow kept structured. An engine therefore needs to know scalars, pointers, 8x8
// matrices and five control nodes, and nothing of C++.
//
// Registers are per lane and mutable. A temporary is assigned once; a variable is declared by a Decl instruction and may
// be assigned again under divergence, when only the active lanes change. Register arrays (Len > 1) hold private arrays
// whose address is never taken. Memory is reached through pointers; every pointer comes from one of the Addr
// operations, so each access can be held to the object that it started from.
package ir

import "github.com/puremetal/puremetal/soft/msl/token"

// Kind is the type of a register's elements.
type Kind uint8

// Narrow integers are held sign- or zero-extended, F16 and BF16 as the float32 of the same value: an operation of such
// a kind rounds its result to it.
const (
	Void Kind = iota
	Bool
	I8
	U8
	I16
	U16
	I32
	U32
	I64
	U64
	F16
	BF16
	F32
	Ptr
	MatF16  // simdgroup_half8x8: one value per simdgroup, not per lane
	MatBF16 // simdgroup_bfloat8x8
	MatF32  // simdgroup_float8x8
)

// Reg numbers a register of a Kernel; it indexes Kernel.Regs.
type Reg int32

// NoReg stands where an instruction has no such operand.
const NoReg Reg = -1

// RegInfo describes a register.
type RegInfo struct {
	Kind  Kind
	Len   int32  // rows: 1, or the number of elements of a register array
	Var   bool   // declared by Decl and assigned by Mov (or ArraySet, MatSet); otherwise assigned exactly once
	Const bool   // never assigned: every lane holds Bits
	Bits  uint64 // Const: the value; floats as the IEEE-754 bits of float32 even for F16 and BF16
	Name  string // source name of a variable, for reports
}

// Kernel is one compute function ready for an engine.
type Kernel struct {
	Name    string
	Pos     token.Pos
	Regs    []RegInfo
	Body    Block // region 0: Leave{Target: 0} ends the lane
	Regions int   // number of Leave targets; 0 is the kernel itself

	Buffers     []BufferArg      // [[buffer(n)]] arguments, by index
	Threadgroup []ThreadgroupArg // [[threadgroup(n)]] arguments, by index
	Statics     []Object         // threadgroup variables declared in the function; AddrStatic's Imm indexes it
	Privates    []Object         // thread variables that live in memory, one copy a lane; AddrPrivate's Imm indexes it
	Constants   []Data           // program-scope constant data; AddrConstant's Imm indexes it

	MaxTotalThreads int // [[max_total_threads_per_threadgroup(n)]], or 0
}

// BufferArg is a [[buffer(n)]] argument.
type BufferArg struct {
	Name     string
	Index    int
	ReadOnly bool  // constant address space, or pointer to const
	Elem     int64 // size of the pointed-to type in bytes
	Align    int64
	Ref      bool // a reference: at least Elem bytes must be bound
	Type     string
}

// ThreadgroupArg is a [[threadgroup(n)]] pointer argument; its length is set by the encoder.
type ThreadgroupArg struct {
	Name  string
	Index int
	Elem  int64
	Align int64
}

// Object is a variable that lives in memory.
type Object struct {
	Name  string
	Size  int64
	Align int64
	Pos   token.Pos
}

// Data is constant memory with its contents.
type Data struct {
	Name  string
	Bytes []byte
	Align int64
}

// Node is an element of a Block: *Instr, *If, *Loop, *Region or *Leave.
type Node interface{ node() }

// Block is a sequence of nodes.
type Block []Node

// If runs Then in the lanes where Cond holds and Else in the others.
type If struct {
	Pos        token.Pos
	Cond       Reg // Bool
	Then, Else Block
}

// Loop repeats: Head, leave the lanes where Cond is false, Body, Next. Leave{Break} goes behind the loop, Leave{Continue}
// to Next. With Test false the loop has no condition and Cond is NoReg. With DoWhile the order is Body, Next, Head and test.
type Loop struct {
	Pos      token.Pos
	Break    int
	Continue int
	Head     Block
	Cond     Reg
	Test     bool
	Body     Block
	Next     Block
	DoWhile  bool
}

// Region runs Body; Leave{ID} goes behind it. An inlined function is a region, its return a Leave; so is a switch.
type Region struct {
	ID   int
	Body Block
}

// Leave sends the active lanes behind the enclosing region or loop part that Target names.
type Leave struct {
	Pos    token.Pos
	Target int
}

func (*Instr) node()  {}
func (*If) node()     {}
func (*Loop) node()   {}
func (*Region) node() {}
func (*Leave) node()  {}

// Instr is one operation. Which operands it has is said at its Op.
type Instr struct {
	Op   Op
	Kind Kind // the kind operated on, where Op says so
	Dst  Reg
	A    Reg
	B    Reg
	C    Reg
	Imm  int64
	Imm2 int64
	Regs []Reg // several results (Load) or values (Store), or further operands
	Pos  token.Pos
}
