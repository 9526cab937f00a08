//go:build darwin || objcnative

#include "go_asm.h"
#include "textflag.h"

// The address of the stub, for Go code, which cannot take it of a C function.
DATA ·batchStubAddress(SB)/8, $batchStub(SB)
GLOBL ·batchStubAddress(SB), NOPTR|RODATA, $8

// void batchStub(batchCall *), by the C convention, on the system stack: sends the records in order.
// R19 is the record, R20 the number of records left, R21 the argument. The stack arguments begin at the stack pointer; above their 96
// bytes are the registers that belong to the caller.
TEXT batchStub(SB), NOSPLIT|NOFRAME, $0
	SUB  $144, RSP
	STP  (R19, R20), 96(RSP)
	MOVD R21, 112(RSP)
	STP  (R29, R30), 128(RSP)
	ADD  $128, RSP, R29
	MOVD R0, R21
	MOVD batchCall_records(R21), R19
	MOVD batchCall_left(R21), R20

next:
	CBZ  R20, done
	MOVD record_stackWords(R19), R9
	ADD  $record_stack, R19, R10
	MOVD RSP, R11

stack:
	CBZ    R9, floats
	MOVD.P 8(R10), R12
	MOVD.P R12, 8(R11)
	SUB    $1, R9
	B      stack

floats:
	MOVD  record_flags(R19), R9
	TST   $const_flagFloats, R9
	BEQ   ints
	FMOVD (record_floats+0)(R19), F0
	FMOVD (record_floats+8)(R19), F1
	FMOVD (record_floats+16)(R19), F2
	FMOVD (record_floats+24)(R19), F3
	FMOVD (record_floats+32)(R19), F4
	FMOVD (record_floats+40)(R19), F5
	FMOVD (record_floats+48)(R19), F6
	FMOVD (record_floats+56)(R19), F7

ints:
	LDP  (record_ints+0)(R19), (R0, R1)
	LDP  (record_ints+16)(R19), (R2, R3)
	LDP  (record_ints+32)(R19), (R4, R5)
	LDP  (record_ints+48)(R19), (R6, R7)
	MOVD record_indirect(R19), R8
	MOVD record_receiver(R19), R9
	CBZ  R9, send
	MOVD (R9), R0

send:
	MOVD  record_fn(R19), R10
	CALL  (R10)
	STP   (R0, R1), record_intResult(R19)
	FMOVD F0, (record_fpResult+0)(R19)
	FMOVD F1, (record_fpResult+8)(R19)
	FMOVD F2, (record_fpResult+16)(R19)
	FMOVD F3, (record_fpResult+24)(R19)
	CBNZ  R0, sent
	MOVD  record_flags(R19), R9
	TST   $const_flagStop, R9
	BNE   done

sent:
	ADD $record__size, R19
	SUB $1, R20
	B   next

done:
	MOVD R20, batchCall_left(R21)
	LDP  96(RSP), (R19, R20)
	MOVD 112(RSP), R21
	LDP  128(RSP), (R29, R30)
	ADD  $144, RSP
	RET
