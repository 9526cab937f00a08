package ir

// Op is what an Instr does. Operands are given as Dst <- f(A, B, C). Unless said otherwise Kind is the kind of the
// operands and of the result, and every operation but those on memory and the simd ones is free of effects: an engine
// may run it in inactive lanes too.
type Op uint8

const (
	Nop Op = iota

	Decl // the variable Dst begins its life here; its value is undefined
	Mov  // Dst <- A; Dst is a variable. Also whole register arrays and matrices

	// Arithmetic on numbers. Integers wrap; division of the smallest by -1 wraps, by zero gives 0. Shift counts are taken
	// modulo the width of Kind. Shr is arithmetic for signed kinds.
	Neg
	Add
	Sub
	Mul
	Div
	Rem // integers: sign of the dividend; floats: fmod
	And
	Or
	Xor
	Not // bitwise complement; for Bool the logical one
	Shl
	Shr

	// Comparisons: Kind is that of A and B, Dst is Bool. Floats: every one but Ne is false with a NaN.
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	Select  // Dst <- A (Bool) ? B : C; Kind is that of B and C
	Convert // Dst <- (kind of Dst) A; Kind is that of A. Float to integer truncates and saturates, NaN gives 0; to Bool is != 0
	Bitcast // Dst <- the bits of A as the kind of Dst; Kind is that of A; sizes are equal. Ptr and U64 too
	SatConv // Convert integer A to the narrower integer kind of Dst, saturating

	// Functions of integers and floats.
	Abs
	Min // fmin for floats: the number where one is a NaN
	Max
	Clamp   // min(max(A, B), C)
	AbsDiff // integers
	AddSat
	SubSat
	MulHi
	HAdd
	RHAdd
	Mad // integers: A*B+C, wrapping
	MadHi
	MadSat
	Clz
	Ctz
	Popcount
	ReverseBits
	Rotate
	ExtractBits // A, offset B, width C
	InsertBits  // base A, insert B, offset C, width Regs[0]

	// Functions of floats. Imm 1 asks for the fast form, 2 for the precise one, 0 for what the compile options say.
	Fma
	Sqrt
	Rsqrt
	Exp
	Exp2
	Exp10
	Log
	Log2
	Log10
	Pow
	Powr
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Atan2
	Sinh
	Cosh
	Tanh
	Asinh
	Acosh
	Atanh
	Sinpi
	Cospi
	Tanpi
	Floor
	Ceil
	Trunc
	Round // half away from zero
	Rint  // half to even
	Fract
	Fmod
	Copysign
	Fdim
	Ldexp    // A * 2^B; B is I32
	Ilogb    // Dst is I32
	FrexpMan // the fraction of frexp
	FrexpExp // its exponent; Dst is I32
	NextAfter
	Saturate
	Sign
	Step       // A: edge, B: x
	Smoothstep // A: edge0, B: edge1, C: x
	Mix        // A + (B-A)*C
	IsNaN      // Dst is Bool; so the next four
	IsInf
	IsFinite
	IsNormal
	SignBit

	// Register arrays.
	ArrayGet // Dst <- A[B]; A is a register array, B an I32 or U32; out of range is a fault
	ArraySet // Dst[A] <- B; Dst is a register array. Masked like Mov

	// Addresses: Dst is Ptr. Each is a different object.
	AddrBuffer      // Imm: index into Kernel.Buffers
	AddrThreadgroup // Imm: index into Kernel.Threadgroup
	AddrStatic      // Imm: index into Kernel.Statics
	AddrPrivate     // Imm: index into Kernel.Privates
	AddrConstant    // Imm: index into Kernel.Constants
	NullPtr
	PtrAdd  // Dst <- A + B*Imm + Imm2 bytes; B is an integer register (any kind, signed kinds sign-extend) or NoReg
	PtrDiff // Dst (I64) <- (A - B) / Imm
	// Pointers compare by Eq, Ne, Lt, Le, Gt, Ge with Kind Ptr.

	// Memory. Kind is the element kind in memory. The address is A + B*Imm + Imm2, B as for PtrAdd.
	// Only active lanes access memory.
	Load  // Regs[i] <- element i at the address, consecutive
	Store // element i <- Regs[i]

	// Atomics on 4- or 8-byte integers and F32 at address A + B*Imm + Imm2. Dst <- old value (or NoReg).
	AtomicLoad
	AtomicStore    // C: value
	AtomicExchange // C: value
	AtomicCAS      // C: desired, Regs[0]: expected; Dst: old value; it succeeded where Dst == expected
	AtomicAdd
	AtomicSub
	AtomicMin
	AtomicMax
	AtomicAnd
	AtomicOr
	AtomicXor

	Builtin // Dst (U32) <- the built-in that Imm names, component Imm2

	// Simdgroup operations over the active lanes of a simdgroup. Kind is the kind of A.
	SimdSum
	SimdProduct
	SimdMin
	SimdMax
	SimdAnd
	SimdOr
	SimdXor
	SimdPrefixInclusiveSum
	SimdPrefixExclusiveSum
	SimdPrefixInclusiveProduct
	SimdPrefixExclusiveProduct
	SimdBroadcast      // A from lane B (U32)
	SimdBroadcastFirst // A from the first active lane
	SimdShuffle        // A from lane B (varying)
	SimdShuffleXor     // A from lane id^B
	SimdShuffleUp      // A from lane id-B; own value where there is none
	SimdShuffleDown    // A from lane id+B
	SimdShuffleRotateUp
	SimdShuffleRotateDown
	SimdShuffleAndFillUp   // A, fill data B, delta C, modulo Regs[0]
	SimdShuffleAndFillDown // A, fill data B, delta C, modulo Regs[0]
	SimdBallot             // Dst (U64) <- mask of active lanes where A (Bool)
	SimdAll                // Dst (Bool)
	SimdAny
	SimdActiveMask // Dst (U64)
	SimdIsFirst    // Dst (Bool)
	// The same on quadgroups (4 consecutive lanes): Imm2 = 4 on the Simd operations above; 0 means the simdgroup.

	// Barriers. Imm is MemFlags.
	ThreadgroupBarrier
	SimdgroupBarrier

	// Simdgroup matrices: Kind is the matrix kind of Dst (of A for stores and gets).
	MatFill // Dst <- every element A (scalar of the element kind, the same in all lanes)
	MatDiag // Dst <- A on the diagonal, zero elsewhere
	MatLoad // Dst <- memory at A, elements per row B (U64), origin column C and row Regs[0] (I64) or NoReg; Imm 1: transposed;
	// the memory's element kind is Imm2 (a Kind)
	MatStore // memory at B, elements per row C (U64), origin column Regs[0], row Regs[1] (I64) or NoReg <- A; Imm, Imm2 as above
	MatMul   // Dst <- A * B, operands of any matrix kind
	MatMac   // Dst <- A * B + C
	MatGet   // Dst (element kind) <- this lane's element B (I32 or U32: 0 or 1) of A: thread_elements()
	MatSet   // Dst, a variable: this lane's element A (0 or 1) <- B
)

// MemFlags say which memory a barrier orders; the values are Metal's.
const (
	MemNone        = 0
	MemDevice      = 1
	MemThreadgroup = 2
	MemTexture     = 4
)

// Built-in inputs of a compute function: the Imm of a Builtin instruction. Those of three components take it in Imm2.
const (
	ThreadPositionInGrid = iota
	ThreadPositionInThreadgroup
	ThreadIndexInThreadgroup
	ThreadgroupPositionInGrid
	ThreadsPerGrid
	ThreadsPerThreadgroup
	DispatchThreadsPerThreadgroup
	ThreadgroupsPerGrid
	ThreadIndexInSimdgroup
	SimdgroupIndexInThreadgroup
	SimdgroupsPerThreadgroup
	DispatchSimdgroupsPerThreadgroup
	ThreadsPerSimdgroup
	ThreadIndexInQuadgroup
	QuadgroupIndexInThreadgroup
	QuadgroupsPerThreadgroup
	DispatchQuadgroupsPerThreadgroup
	ThreadExecutionWidth
	GridOrigin
	GridSize
)
