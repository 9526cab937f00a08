#include <metal_stdlib>
using namespace metal;

kernel void counts(device atomic_uint* c [[buffer(0)]], device atomic_int* s [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(&c[0], 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(c + 1, i, memory_order_relaxed);
    atomic_fetch_or_explicit(&c[2 + i / 32 % 4], 1u << (i & 31), memory_order_relaxed);
    atomic_fetch_and_explicit(&c[6], ~(1u << (i & 31)), memory_order_relaxed);
    atomic_fetch_xor_explicit(&c[7], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&c[8], i * 3, memory_order_relaxed);
    atomic_fetch_min_explicit(&c[9], i + 5, memory_order_relaxed);
    int v = int(i) * 7 % 31 - 15;
    atomic_fetch_add_explicit(&s[0], v, memory_order_relaxed);
    atomic_fetch_sub_explicit(&s[1], v, memory_order_relaxed);
    atomic_fetch_max_explicit(&s[2], v, memory_order_relaxed);
    atomic_fetch_min_explicit(&s[3], v, memory_order_relaxed);
    if (i == 0) {
        atomic_store_explicit(&s[4], -77, memory_order_relaxed);
        int old = atomic_exchange_explicit(&s[5], 88, memory_order_relaxed);
        atomic_store_explicit(&s[6], old + atomic_load_explicit(&s[4], memory_order_relaxed), memory_order_relaxed);
    }
}

// Every ticket is handed out once.
kernel void tickets(device int* out [[buffer(0)]], device atomic_uint& next [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    uint t = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    out[t] = int(t) * 2 + 1;
}

kernel void compare_exchange(device atomic_int* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    // Adds i by a loop, as code without a fetch_add does.
    int expected = atomic_load_explicit(&a[0], memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&a[0], &expected, expected + int(i), memory_order_relaxed, memory_order_relaxed)) {
    }
    if (i == 3) {
        int wrong = 5;
        bool ok = atomic_compare_exchange_weak_explicit(&a[1], &wrong, 6, memory_order_relaxed, memory_order_relaxed);
        atomic_store_explicit(&a[2], wrong * 10 + ok, memory_order_relaxed);
    }
}

kernel void floats(device atomic<float>* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(a, float(i & 7) + 0.5f, memory_order_relaxed);
    atomic_fetch_sub_explicit(a + 1, 0.25f, memory_order_relaxed);
}

kernel void histogram(device uint* out [[buffer(0)]], device const uchar* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                      uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]],
                      uint g [[threadgroup_position_in_grid]]) {
    threadgroup atomic_uint bins[8];
    for (uint j = l; j < 8; j += n) atomic_store_explicit(&bins[j], 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&bins[a[i] & 7], 1, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = l; j < 8; j += n) out[g * 8 + j] = atomic_load_explicit(&bins[j], memory_order_relaxed);
}
