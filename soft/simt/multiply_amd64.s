#include "textflag.h"

// TERM adds element k of a's row times row k of b to the sums in X0 and X1.
#define TERM(k) \
	MOVSS  (k*4)(SI), X2; \
	SHUFPS $0, X2, X2; \
	MOVUPS (k*32)(DX), X3; \
	MOVUPS (k*32+16)(DX), X4; \
	MULPS  X2, X3; \
	MULPS  X2, X4; \
	ADDPS  X3, X0; \
	ADDPS  X4, X1

// func multiply(d, a, b, c *[64]float32)
TEXT ·multiply(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	MOVQ $8, R8

row:
	MOVUPS (CX), X0
	MOVUPS 16(CX), X1
	TERM(0)
	TERM(1)
	TERM(2)
	TERM(3)
	TERM(4)
	TERM(5)
	TERM(6)
	TERM(7)
	MOVUPS X0, (DI)
	MOVUPS X1, 16(DI)
	ADDQ   $32, SI
	ADDQ   $32, DI
	ADDQ   $32, CX
	DECQ   R8
	JNZ    row
	RET
