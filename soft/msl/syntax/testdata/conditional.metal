#ifndef BLOCK
#  define BLOCK 8
#endif
#if BLOCK != 8 && \
    BLOCK != 16 /* nothing else */
#error "bad block"
#elif __has_include(<metal_stdlib>) && !defined(NOT_THERE)
#  include <metal_stdlib>
#else
#  include <nothing_of_the_kind>
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define VEC(t) CAT(t, 4)
#define ARG(i) [[buffer(i)]]
#define LOG(fmt, ...) log_it(fmt, ##__VA_ARGS__)
#if 0
this isn't even " close
#if 1
#else
#endif
#endif
using namespace metal;
#define KERNEL(name, T, expr)                                   \
kernel void CAT(name, _##T)(device const T *a ARG(0),           \
                            device T *b ARG(1),                 \
                            uint i [[thread_position_in_grid]]) { \
    VEC(T) x = VEC(T)(a[i]);                                    \
    b[i] = (expr);                                              \
}
KERNEL(square, float, x.x * x.x)
KERNEL(cube, half, x.x * x.y * x.z)
static int log_it(int a, int b = 0) { return a + b; }
static int both() { return LOG(1) + LOG(1, 2); }
