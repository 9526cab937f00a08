//go:build darwin || objcnative

#include "go_asm.h"
#include "textflag.h"

// The address of the stub, for Go code, which cannot take it of a C function.
DATA ·batchStubAddress(SB)/8, $batchStub(SB)
GLOBL ·batchStubAddress(SB), NOPTR|RODATA, $8

// void batchStub(batchCall *), by the C convention, on the system stack: looks up methods, then sends the records in order.
// R19 is the lookup or the record, R20 how many are left, R21 the argument. The stack arguments begin at the stack pointer; above
// their 96 bytes are the registers that belong to the caller.
TEXT batchStub(SB), NOSPLIT|NOFRAME, $0
	SUB  $144, RSP
	STP  (R19, R20), 96(RSP)
	MOVD R21, 112(RSP)
	STP  (R29, R30), 128(RSP)
	ADD  $128, RSP, R29
	MOVD R0, R21
	MOVD batchCall_lookups(R21), R19
	MOVD batchCall_find(R21), R20

find:
	CBZ  R20, found
	MOVD lookup_receiver(R19), R0
	MOVD batchCall_classOf(R21), R10
	CALL (R10)
	MOVD lookup_selector(R19), R1
	MOVD batchCall_method(R21), R10
	CALL (R10)
	MOVD R0, lookup_function(R19)
	ADD  $lookup__size, R19
	SUB  $1, R20
	B    find

found:
	MOVD batchCall_records(R21), R19
	MOVD batchCall_left(R21), R20

next:
	CBZ   R20, done
	MOVBU (record_form+form_stackWords)(R19), R9
	ADD   $nativeRecord_stack, R19, R10
	MOVD  RSP, R11

stack:
	CBZ    R9, ints
	MOVD.P 8(R10), R12
	MOVD.P R12, 8(R11)
	SUB    $1, R9
	B      stack

ints:
	LDP   (nativeRecord_ints+0)(R19), (R0, R1)
	LDP   (nativeRecord_ints+16)(R19), (R2, R3)
	LDP   (nativeRecord_ints+32)(R19), (R4, R5)
	LDP   (nativeRecord_ints+48)(R19), (R6, R7)
	MOVBU (record_form+form_flags)(R19), R9
	TST   $const_flagExtended, R9
	BNE   extended

send:
	MOVD  record_fn(R19), R10
	MOVD  (R10), R10
	CALL  (R10)
	STP   (R0, R1), record_result(R19)
	MOVBU (record_form+form_flags)(R19), R9
	CBNZ  R9, after

sent:
	MOVHU (record_form+form_words)(R19), R9
	ADD   R9<<3, R19
	SUB   $1, R20
	B     next

extended:
	MOVD nativeRecord_indirect(R19), R8
	MOVD nativeRecord_receiver(R19), R10
	CBZ  R10, floats
	MOVD (R10), R0

floats:
	TST   $const_flagFloats, R9
	BEQ   send
	FMOVD (nativeRecord_floats+0)(R19), F0
	FMOVD (nativeRecord_floats+8)(R19), F1
	FMOVD (nativeRecord_floats+16)(R19), F2
	FMOVD (nativeRecord_floats+24)(R19), F3
	FMOVD (nativeRecord_floats+32)(R19), F4
	FMOVD (nativeRecord_floats+40)(R19), F5
	FMOVD (nativeRecord_floats+48)(R19), F6
	FMOVD (nativeRecord_floats+56)(R19), F7
	B     send

after:
	TST   $const_flagExtended, R9
	BEQ   stop
	FMOVD F0, (nativeRecord_fpResult+0)(R19)
	FMOVD F1, (nativeRecord_fpResult+8)(R19)
	FMOVD F2, (nativeRecord_fpResult+16)(R19)
	FMOVD F3, (nativeRecord_fpResult+24)(R19)

stop:
	TST  $const_flagStop, R9
	BEQ  sent
	CBNZ R0, sent

done:
	MOVD R20, batchCall_left(R21)
	LDP  96(RSP), (R19, R20)
	MOVD 112(RSP), R21
	LDP  128(RSP), (R29, R30)
	ADD  $144, RSP
	RET
