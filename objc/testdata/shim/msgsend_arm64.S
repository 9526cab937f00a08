// objc_msgSend over objc_msg_lookup; see msgsend_amd64.S.
	.text
	.globl objc_msgSend
	.type objc_msgSend, %function
objc_msgSend:
	cbz x0, 1f
	stp x29, x30, [sp, #-224]!
	mov x29, sp
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	str x8, [sp, #80]
	stp q0, q1, [sp, #96]
	stp q2, q3, [sp, #128]
	stp q4, q5, [sp, #160]
	stp q6, q7, [sp, #192]
	bl objc_msg_lookup
	mov x16, x0
	ldp x0, x1, [sp, #16]
	ldp x2, x3, [sp, #32]
	ldp x4, x5, [sp, #48]
	ldp x6, x7, [sp, #64]
	ldr x8, [sp, #80]
	ldp q0, q1, [sp, #96]
	ldp q2, q3, [sp, #128]
	ldp q4, q5, [sp, #160]
	ldp q6, q7, [sp, #192]
	ldp x29, x30, [sp], #224
	br x16
1:	mov x0, #0
	mov x1, #0
	movi d0, #0
	movi d1, #0
	movi d2, #0
	movi d3, #0
	ret
	.size objc_msgSend, .-objc_msgSend

	.globl object_getClass
	.type object_getClass, %function
object_getClass: // a function of Apple's that GCC's runtime has in a header only
	cbz x0, 1f
	ldr x0, [x0]
1:	ret
	.size object_getClass, .-object_getClass

// int64_t shim_saved(void (*f)(void *), void *argument) calls f and counts the registers of the caller that it did not preserve.
	.globl shim_saved
	.type shim_saved, %function
shim_saved:
	stp x29, x30, [sp, #-176]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x9, x0
	mov x0, x1
	mov x19, #4115
	mov x20, #4116
	mov x21, #4117
	mov x22, #4118
	mov x23, #4119
	mov x24, #4120
	mov x25, #4121
	mov x26, #4122
	mov x27, #4123
	mov x28, #4124
	mov x29, #4125
	fmov d8, #8.0
	fmov d15, #15.0
	blr x9
	mov x0, #0
	mov x9, #4115
	cmp x19, x9
	cinc x0, x0, ne
	mov x9, #4116
	cmp x20, x9
	cinc x0, x0, ne
	mov x9, #4117
	cmp x21, x9
	cinc x0, x0, ne
	mov x9, #4118
	cmp x22, x9
	cinc x0, x0, ne
	mov x9, #4119
	cmp x23, x9
	cinc x0, x0, ne
	mov x9, #4120
	cmp x24, x9
	cinc x0, x0, ne
	mov x9, #4121
	cmp x25, x9
	cinc x0, x0, ne
	mov x9, #4122
	cmp x26, x9
	cinc x0, x0, ne
	mov x9, #4123
	cmp x27, x9
	cinc x0, x0, ne
	mov x9, #4124
	cmp x28, x9
	cinc x0, x0, ne
	mov x9, #4125
	cmp x29, x9
	cinc x0, x0, ne
	fmov d0, #8.0
	fcmp d8, d0
	cinc x0, x0, ne
	fmov d0, #15.0
	fcmp d15, d0
	cinc x0, x0, ne
	ldp x19, x20, [sp, #16]
	ldp x21, x22, [sp, #32]
	ldp x23, x24, [sp, #48]
	ldp x25, x26, [sp, #64]
	ldp x27, x28, [sp, #80]
	ldp d8, d9, [sp, #96]
	ldp d10, d11, [sp, #112]
	ldp d12, d13, [sp, #128]
	ldp d14, d15, [sp, #144]
	ldp x29, x30, [sp], #176
	ret
	.size shim_saved, .-shim_saved
	.section .note.GNU-stack,"",%progbits
