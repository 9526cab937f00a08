#include <metal_stdlib>
#include <metal_simdgroup>
#include <metal_math>
#pragma METAL internals : enable
#pragma once
using namespace metal;

#define ZERO 0
#define ADD(a, b) ((a) + (b))
#define TWICE(x) ADD(x, x)
#define EMPTY
#define CALL(f, ...) f(__VA_ARGS__)
#define STRING(x) #x
#define EXPANDED(x) STRING(x)
#define JOIN(a, b) a##b
#define JOIN2(a, b) JOIN(a, b)
#define MULTI(n)            \
    int JOIN(v, n) = n;     \
    o[n] = JOIN(v, n) * 2;
#define RECURSE(x) RECURSED(x)
#define RECURSED(x) RECURSE(x)
#define LPAREN (
#define F(x) x * 2
#define OBJECT F
#define COUNT(...) COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define COUNT_(a, b, c, d, n, ...) n
#define UNROLL _Pragma("clang loop unroll(full)")
#define VERSION 2
#define LATER DEFINED_AFTER
#define DEFINED_AFTER 31

#if defined(ZERO) && !defined(NOT_DEFINED) && VERSION >= 2 && (1 ? 3 : UNKNOWN) == 3
#define BRANCH 1
#elif 1 / 0
#error "not reached"
#else
#define BRANCH 2
#endif

#if 0
this is not Metal: ' " ` @
#if 1
#else
#endif
#elif VERSION == 2 && 'a' == 97 && (0x10 | 0b11) == 19 && -1 < 0u == false
#define ELIF 1
#else
#define ELIF 0
#endif

#ifndef ZERO
#error ZERO
#else
#ifdef EMPTY
#define NESTED 5
#endif
#endif

#undef VERSION
#ifdef VERSION
#error VERSION
#endif
#define VERSION 9

int plus3(int a, int b, int c) { return a + b * 10 + c * 100; }

kernel void expansions(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device int* o = out + i * 24;
    MULTI(0) MULTI(1)
    o[2] = TWICE(TWICE(3)) EMPTY;
    o[3] = CALL(plus3, 1, 2, 3);
    o[4] = sizeof(EXPANDED(ADD(1, 2))) - 1;   // ((1) + (2))
    o[5] = sizeof(STRING(ADD(1,  "x"))) - 1;  // ADD(1, "x")
    int JOIN2(val, VERSION) = 4;
    o[6] = val9;
    int SELF = 6;
#define SELF SELF + 1
    o[6] += SELF * 2; // SELF + 1 * 2
    o[7] = BRANCH * 100 + ELIF * 10 + NESTED;
    o[8] = OBJECT (4 + 1);
    o[9] = COUNT(a, b, c);
    o[10] = COUNT(a);
    o[11] = LATER;
    o[12] = __LINE__;
    o[13] = 1 /* a comment // in a comment */ + 2; // and /* the
    o[14] = 3; /* other
    way */ o[14] += 4;
    int spli\
ced = 8;
    o[15] = spliced;
    UNROLL
    for (int j = 0; j < 3; ++j) o[15] += j;
    o[16] = '\n' + '\x41' + '\'' + '\0';
    o[17] = 0x1F + 017 + 0b101 + 1'000;
    o[18] = int(1e3f + 0x1p4f + .5f + 5.f);
#line 500
    o[19] = __LINE__;
    o[20] = __METAL_VERSION__ >= 310;
#ifdef __METAL__
    o[21] = 1;
#else
    o[21] = 0;
#endif
    o[22] = int(sizeof("a" "bc"));
    o[23] = ADD((1, 2), plus3(1, 2, 3));
}
