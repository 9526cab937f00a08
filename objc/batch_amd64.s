//go:build darwin || objcnative

#include "go_asm.h"
#include "textflag.h"

// The address of the stub, for Go code, which cannot take it of a C function.
DATA ·batchStubAddress(SB)/8, $batchStub(SB)
GLOBL ·batchStubAddress(SB), NOPTR|RODATA, $8

// void batchStub(batchCall *), by the C convention, on the system stack: sends the records in order.
// BX is the record, R12 the number of records left, R13 the argument. With four words pushed and 104 bytes more the stack pointer is
// 16-byte aligned at the call, and the stack arguments begin at it.
TEXT batchStub(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	MOVQ  SP, BP
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	SUBQ  $104, SP
	MOVQ  DI, R13
	MOVQ  batchCall_records(R13), BX
	MOVQ  batchCall_left(R13), R12

next:
	TESTQ R12, R12
	JZ    done
	MOVQ  record_stackWords(BX), CX

stack:
	TESTQ CX, CX
	JZ    floats
	MOVQ  (record_stack-8)(BX)(CX*8), AX
	MOVQ  AX, -8(SP)(CX*8)
	DECQ  CX
	JMP   stack

floats:
	MOVQ  record_flags(BX), AX
	TESTQ $const_flagFloats, AX
	JZ    ints
	MOVSD (record_floats+0)(BX), X0
	MOVSD (record_floats+8)(BX), X1
	MOVSD (record_floats+16)(BX), X2
	MOVSD (record_floats+24)(BX), X3
	MOVSD (record_floats+32)(BX), X4
	MOVSD (record_floats+40)(BX), X5
	MOVSD (record_floats+48)(BX), X6
	MOVSD (record_floats+56)(BX), X7

ints:
	MOVQ  (record_ints+0)(BX), DI
	MOVQ  record_receiver(BX), AX
	TESTQ AX, AX
	JZ    send
	MOVQ  (AX), DI

send:
	MOVQ  (record_ints+8)(BX), SI
	MOVQ  (record_ints+16)(BX), DX
	MOVQ  (record_ints+24)(BX), CX
	MOVQ  (record_ints+32)(BX), R8
	MOVQ  (record_ints+40)(BX), R9
	MOVQ  record_fn(BX), R10
	CALL  R10
	MOVQ  AX, (record_intResult+0)(BX)
	MOVQ  DX, (record_intResult+8)(BX)
	MOVSD X0, (record_fpResult+0)(BX)
	MOVSD X1, (record_fpResult+8)(BX)
	TESTQ AX, AX
	JNZ   sent
	MOVQ  record_flags(BX), CX
	TESTQ $const_flagStop, CX
	JNZ   done

sent:
	ADDQ $record__size, BX
	DECQ R12
	JMP  next

done:
	MOVQ R12, batchCall_left(R13)
	ADDQ $104, SP
	POPQ R13
	POPQ R12
	POPQ BX
	POPQ BP
	RET
