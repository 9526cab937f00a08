//go:build darwin || objcnative

#include "go_asm.h"
#include "textflag.h"

// The address of the stub, for Go code, which cannot take it of a C function.
DATA ·batchStubAddress(SB)/8, $batchStub(SB)
GLOBL ·batchStubAddress(SB), NOPTR|RODATA, $8

// void batchStub(batchCall *), by the C convention, on the system stack: looks up methods, then sends the records in order.
// BX is the lookup or the record, R12 how many are left, R13 the argument. With four words pushed and 104 bytes more the stack
// pointer is 16-byte aligned at the call, and the stack arguments begin at it.
TEXT batchStub(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	MOVQ  SP, BP
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	SUBQ  $104, SP
	MOVQ  DI, R13
	MOVQ  batchCall_lookups(R13), BX
	MOVQ  batchCall_find(R13), R12

find:
	TESTQ R12, R12
	JZ    found
	MOVQ  lookup_receiver(BX), DI
	MOVQ  batchCall_classOf(R13), R10
	CALL  R10
	MOVQ  AX, DI
	MOVQ  lookup_selector(BX), SI
	MOVQ  batchCall_method(R13), R10
	CALL  R10
	MOVQ  AX, lookup_function(BX)
	ADDQ  $lookup__size, BX
	DECQ  R12
	JMP   find

found:
	MOVQ batchCall_records(R13), BX
	MOVQ batchCall_left(R13), R12

next:
	TESTQ   R12, R12
	JZ      done
	MOVBLZX (record_form+form_stackWords)(BX), CX
	TESTL   CX, CX
	JZ      flags

	// Always the same number of words, without a loop: what is beyond the record's own is in its chunk too.
	MOVUPS (nativeRecord_stack+0)(BX), X0
	MOVUPS (nativeRecord_stack+16)(BX), X1
	MOVUPS (nativeRecord_stack+32)(BX), X2
	MOVUPS X0, 0(SP)
	MOVUPS X1, 16(SP)
	MOVUPS X2, 32(SP)

stack:
	CMPL CX, $const_copiedStack
	JLE  flags
	MOVQ (nativeRecord_stack-8)(BX)(CX*8), AX
	MOVQ AX, -8(SP)(CX*8)
	DECL CX
	JMP  stack

flags:
	MOVQ    (nativeRecord_ints+0)(BX), DI
	MOVBLZX (record_form+form_flags)(BX), AX
	TESTL   $const_flagExtended, AX
	JNZ     extended

ints:
	MOVQ  (nativeRecord_ints+8)(BX), SI
	MOVQ  (nativeRecord_ints+16)(BX), DX
	MOVQ  (nativeRecord_ints+24)(BX), CX
	MOVQ  (nativeRecord_ints+32)(BX), R8
	MOVQ  (nativeRecord_ints+40)(BX), R9
	MOVQ  record_fn(BX), R10
	MOVQ  (R10), R10
	CALL  R10
	MOVQ  AX, (record_result+0)(BX)
	MOVQ  DX, (record_result+8)(BX)
	CMPB  (record_form+form_flags)(BX), $0
	JNE   after

sent:
	MOVWLZX (record_form+form_words)(BX), CX
	LEAQ    (BX)(CX*8), BX
	DECQ    R12
	JMP     next

extended:
	MOVQ  nativeRecord_receiver(BX), CX
	TESTQ CX, CX
	JZ    floats
	MOVQ  (CX), DI

floats:
	TESTL $const_flagFloats, AX
	JZ    ints
	MOVSD (nativeRecord_floats+0)(BX), X0
	MOVSD (nativeRecord_floats+8)(BX), X1
	MOVSD (nativeRecord_floats+16)(BX), X2
	MOVSD (nativeRecord_floats+24)(BX), X3
	MOVSD (nativeRecord_floats+32)(BX), X4
	MOVSD (nativeRecord_floats+40)(BX), X5
	MOVSD (nativeRecord_floats+48)(BX), X6
	MOVSD (nativeRecord_floats+56)(BX), X7
	MOVL  $8, AX
	JMP   ints

after:
	MOVBLZX (record_form+form_flags)(BX), CX
	TESTL   $const_flagExtended, CX
	JZ      stop
	MOVSD   X0, (nativeRecord_fpResult+0)(BX)
	MOVSD   X1, (nativeRecord_fpResult+8)(BX)

stop:
	TESTL $const_flagStop, CX
	JZ    sent
	TESTQ AX, AX
	JNZ   sent

done:
	MOVQ R12, batchCall_left(R13)
	ADDQ $104, SP
	POPQ R13
	POPQ R12
	POPQ BX
	POPQ BP
	RET
