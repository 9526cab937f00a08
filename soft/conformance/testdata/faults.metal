#include <metal_stdlib>
using namespace metal;

// Each kernel breaks one rule, at the line that ends in "// here" (and "// first" where a race has two places).

struct Row { int a; int b; };
constant int table[4] = {1, 2, 3, 4};

kernel void buffer_read(device int* out [[buffer(0)]], device const int* in [[buffer(3)]], uint i [[thread_position_in_grid]]) {
    out[i] = in[i + 1]; // here
}

kernel void buffer_write(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (i == 77)
        out[i * 100] = 1; // here
}

kernel void before_the_buffer(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[int(i) - 5] = 1; // here
}

kernel void far_away(device char* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (i == 3) out[0x7fffffffffl] = 1; // here
}

kernel void struct_at_the_end(device int* out [[buffer(0)]], device const Row* rows [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = rows[i].b; // here
}

kernel void vector_at_the_end(device float* out [[buffer(0)]], device const float4* v [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float4 x = v[i]; // here
    out[i] = x.x;
}

kernel void constant_buffer(device int* out [[buffer(0)]], constant int* c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = c[i % 9]; // here
}

kernel void constant_table(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = table[i % 5]; // here
}

kernel void threadgroup_static(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
    threadgroup int tile[40];
    tile[l] = 1; // here
    out[i] = 0;
}

kernel void threadgroup_dynamic(device int* out [[buffer(0)]], threadgroup int* tile [[threadgroup(0)]], uint i [[thread_position_in_grid]],
                                uint l [[thread_index_in_threadgroup]]) {
    tile[l + 1] = 1; // here
    out[i] = 0;
}

kernel void private_array(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int a[8];
    for (int j = 0; j < 8; ++j) a[j] = j;
    out[i] = a[i % 9]; // here
}

kernel void private_pointer(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int a[8];
    thread int* p = a;
    for (uint j = 0; j <= 8; ++j) p[j] = int(i); // here
    out[i] = p[2];
}

int deep(device const int* p, uint i) {
    return p[i * 2]; // here
}

kernel void in_a_function(device int* out [[buffer(0)]], device const int* in [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = deep(in, i);
}

kernel void unbound(device int* out [[buffer(0)]], device const int* in [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    out[i] = in[i]; // here
}

kernel void null_pointer(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device int* p = i == 9 ? nullptr : out + i;
    *p = 1; // here
}

kernel void matrix_load(device float* out [[buffer(0)]], device const float* in [[buffer(1)]]) {
    simdgroup_float8x8 m;
    simdgroup_load(m, in, 9); // here
    simdgroup_store(m, out, 8);
}

kernel void atomic_outside(device atomic_int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(out + i, 1, memory_order_relaxed); // here
}

// Races.

kernel void missing_barrier(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
                            uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    s[l] = int(i);          // first
    out[i] = s[n - 1 - l];  // here
}

kernel void simdgroup_barrier_is_too_weak(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]],
                                          uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    s[l] = int(i);          // first
    simdgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = s[n - 1 - l];  // here
}

kernel void wrong_flags(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
                        uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    s[l] = int(i);          // first
    threadgroup_barrier(mem_flags::mem_none);
    out[i] = s[n - 1 - l];  // here
}

// A slot per simdgroup is read by all while the next round already writes it: the barrier between reading and writing is missing.
kernel void slot_reuse(device float* out [[buffer(0)]], device const float* in [[buffer(1)]], uint i [[thread_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]], uint simd [[simdgroup_index_in_threadgroup]],
                       uint simds [[simdgroups_per_threadgroup]]) {
    threadgroup float slot[8];
    float total = 0;
    for (uint round = 0; round < 3; ++round) {
        float s = simd_sum(in[i] + float(round));
        if (lane == 0) slot[simd] = s;                              // here
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint j = 0; j < simds; ++j) total += slot[j];          // first
    }
    out[i] = total;
}

kernel void matrix_race(device float* out [[buffer(0)]], uint simd [[simdgroup_index_in_threadgroup]]) {
    threadgroup float tile[64];
    simdgroup_float8x8 m = simdgroup_float8x8(float(simd));
    simdgroup_store(m, tile, 8); // here
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_load(m, tile, 8);
    simdgroup_store(m, out + simd * 64, 8);
}

// Barriers.

kernel void divergent_barrier(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
    out[i] = 0;
    if (l < 20)
        threadgroup_barrier(mem_flags::mem_threadgroup); // here
    out[i] = 1;
}

kernel void divergent_simdgroup_barrier(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = 0;
    if (i & 1)
        simdgroup_barrier(mem_flags::mem_threadgroup); // here
}

kernel void barrier_in_divergent_loop(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
    for (uint j = 0; j <= l; ++j)
        threadgroup_barrier(mem_flags::mem_threadgroup); // here
    out[i] = 1;
}

kernel void return_before_barrier(device int* out [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]],
                                  uint l [[thread_index_in_threadgroup]]) {
    threadgroup int s[256];
    if (i >= n) return;
    s[l] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup); // here
    out[i] = s[0];
}

// Rows in tiles of eight, one a simdgroup; simdgroups without a row leave before all load x together.
kernel void matvec(device float* out [[buffer(0)]], device const float* w [[buffer(1)]], device const float* x [[buffer(2)]],
                   constant uint& out_dim [[buffer(3)]], constant uint& in_dim [[buffer(4)]], uint tile [[threadgroup_position_in_grid]],
                   uint l [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
                   uint simd [[simdgroup_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup float x_shared[4096];
    uint row = tile * 8 + simd;
    if (row >= out_dim) return;
    for (uint j = l; j < in_dim; j += n) x_shared[j] = x[j];
    threadgroup_barrier(mem_flags::mem_threadgroup); // here
    float s = 0;
    for (uint j = lane; j < in_dim; j += 32) s += w[row * in_dim + j] * x_shared[j];
    s = simd_sum(s);
    if (lane == 0) out[row] = s;
}

kernel void matrix_in_divergence(device float* out [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {
    simdgroup_float8x8 m = simdgroup_float8x8(1.0f);
    if (lane < 16)
        simdgroup_store(m, out, 8); // here
}
