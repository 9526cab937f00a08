// objc_msgSend over objc_msg_lookup: keep the argument registers, look up, put them back, jump. A message to nil is answered as
// Apple's runtime does: zero in all result registers, a struct result's memory left alone.

.macro SEND name receiver selector
	.globl \name
	.type \name, @function
\name:
	test \receiver, \receiver
	jz 1f
	push %rbp
	mov %rsp, %rbp
	sub $192, %rsp
	mov %rdi, 0(%rsp)
	mov %rsi, 8(%rsp)
	mov %rdx, 16(%rsp)
	mov %rcx, 24(%rsp)
	mov %r8, 32(%rsp)
	mov %r9, 40(%rsp)
	mov %rax, 48(%rsp)
	movups %xmm0, 64(%rsp)
	movups %xmm1, 80(%rsp)
	movups %xmm2, 96(%rsp)
	movups %xmm3, 112(%rsp)
	movups %xmm4, 128(%rsp)
	movups %xmm5, 144(%rsp)
	movups %xmm6, 160(%rsp)
	movups %xmm7, 176(%rsp)
	mov \selector, %r10
	mov \receiver, %rdi
	mov %r10, %rsi
	call objc_msg_lookup@PLT
	mov %rax, %r11
	mov 0(%rsp), %rdi
	mov 8(%rsp), %rsi
	mov 16(%rsp), %rdx
	mov 24(%rsp), %rcx
	mov 32(%rsp), %r8
	mov 40(%rsp), %r9
	mov 48(%rsp), %rax
	movups 64(%rsp), %xmm0
	movups 80(%rsp), %xmm1
	movups 96(%rsp), %xmm2
	movups 112(%rsp), %xmm3
	movups 128(%rsp), %xmm4
	movups 144(%rsp), %xmm5
	movups 160(%rsp), %xmm6
	movups 176(%rsp), %xmm7
	leave
	jmp *%r11
1:	xor %eax, %eax
	xor %edx, %edx
	pxor %xmm0, %xmm0
	pxor %xmm1, %xmm1
	ret
	.size \name, .-\name
.endm

	.text
SEND objc_msgSend %rdi %rsi
SEND objc_msgSend_stret %rsi %rdx

	.globl object_getClass
	.type object_getClass, @function
object_getClass: // a function of Apple's that GCC's runtime has in a header only
	xor %eax, %eax
	test %rdi, %rdi
	jz 1f
	mov (%rdi), %rax
1:	ret
	.size object_getClass, .-object_getClass

// int64_t shim_saved(void (*f)(void *), void *argument) calls f and counts the registers of the caller that it did not preserve.
	.globl shim_saved
	.type shim_saved, @function
shim_saved:
	push %rbp
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	sub $8, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	mov $0x1001, %rbx
	mov $0x1002, %rbp
	mov $0x1003, %r12
	mov $0x1004, %r13
	mov $0x1005, %r14
	mov $0x1006, %r15
	call *%rax
	xor %eax, %eax
	cmp $0x1001, %rbx
	je 1f
	inc %rax
1:	cmp $0x1002, %rbp
	je 1f
	inc %rax
1:	cmp $0x1003, %r12
	je 1f
	inc %rax
1:	cmp $0x1004, %r13
	je 1f
	inc %rax
1:	cmp $0x1005, %r14
	je 1f
	inc %rax
1:	cmp $0x1006, %r15
	je 1f
	inc %rax
1:	add $8, %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbx
	pop %rbp
	ret
	.size shim_saved, .-shim_saved
	.section .note.GNU-stack,"",@progbits
