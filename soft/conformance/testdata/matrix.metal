#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// One simdgroup for each 8x8 tile of c = a b + c0, a [M,K], b [K,N], rows contiguous.
template <typename A, typename C>
kernel void multiply(device C* c [[buffer(0)]], device const A* a [[buffer(1)]], device const A* b [[buffer(2)]],
                     device const C* c0 [[buffer(3)]], constant uint3& mnk [[buffer(4)]], uint2 tile [[threadgroup_position_in_grid]]) {
    uint n = mnk.y, depth = mnk.z;
    simdgroup_matrix<C, 8, 8> acc;
    simdgroup_load(acc, c0, n, ulong2(tile.x * 8, tile.y * 8));
    for (uint k = 0; k < depth; k += 8) {
        simdgroup_matrix<A, 8, 8> x, y;
        simdgroup_load(x, a + tile.y * 8 * depth + k, depth);
        simdgroup_load(y, b, n, ulong2(tile.x * 8, k));
        simdgroup_multiply_accumulate(acc, x, y, acc);
    }
    simdgroup_store(acc, c + tile.y * 8 * n, n, ulong2(tile.x * 8, 0));
}
template [[host_name("multiply_float")]] kernel decltype(multiply<float, float>) multiply<float, float>;
template [[host_name("multiply_half")]] kernel decltype(multiply<half, half>) multiply<half, half>;
template [[host_name("multiply_half_float")]] kernel decltype(multiply<half, float>) multiply<half, float>;
template [[host_name("multiply_bfloat_float")]] kernel decltype(multiply<bfloat, float>) multiply<bfloat, float>;

kernel void transposes(device float* out [[buffer(0)]], device const float* a [[buffer(1)]]) {
    simdgroup_float8x8 m;
    simdgroup_load(m, a, 11, ulong2(2, 1), true);
    simdgroup_store(m, out, 8);
    simdgroup_load(m, a, 11);
    simdgroup_store(m, out + 64, 9, ulong2(1, 0), true);
}

kernel void filled(device float* out [[buffer(0)]]) {
    simdgroup_float8x8 z = make_filled_simdgroup_matrix<float, 8, 8>(2.5f);
    simdgroup_float8x8 d = simdgroup_float8x8(3.0f);
    simdgroup_float8x8 p;
    simdgroup_multiply(p, z, d);
    simdgroup_store(p, out, 8);
    simdgroup_store(d, out + 64, 8);
    simdgroup_half8x8 h = make_filled_simdgroup_matrix<half, 8, 8>(0.5h);
    simdgroup_float8x8 q = make_filled_simdgroup_matrix<float, 8>(1.0f);
    simdgroup_multiply_accumulate(q, h, h, q);
    simdgroup_store(q, out + 128, 8);
}

kernel void elements(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], uint lane [[thread_index_in_simdgroup]]) {
    simdgroup_float8x8 m;
    simdgroup_load(m, a, 8);
    thread auto& e = m.thread_elements();
    out[lane * 2] = e[0];
    out[lane * 2 + 1] = e[1];
    e[0] = e[0] * 2.0f;
    m.thread_elements()[1] += 100.0f;
    float2 both = m.thread_elements();
    out[128 + lane] = both.x + both.y;
    simdgroup_store(m, out + 64, 8);
}

kernel void through_threadgroup(device half* out [[buffer(0)]], device const half* a [[buffer(1)]], uint l [[thread_index_in_threadgroup]],
                                uint simd [[simdgroup_index_in_threadgroup]]) {
    threadgroup half tile[16 * 20];
    for (uint j = l; j < 320; j += 64) tile[j] = a[j];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_half8x8 x[2];
    for (uint j = 0; j < 2; ++j) simdgroup_load(x[j], tile, 20, ulong2(simd * 8, j * 8));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < 2; ++j) simdgroup_store(x[j], tile, 20, ulong2((1 - simd) * 8, j * 8));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = l; j < 320; j += 64) out[j] = tile[j];
}

// The result is one of the operands.
kernel void aliased(device float* out [[buffer(0)]], device const float* a [[buffer(1)]]) {
    simdgroup_float8x8 x, y, z;
    simdgroup_load(x, a, 8);
    simdgroup_load(y, a + 64, 8);
    z = y;
    simdgroup_multiply(y, x, y);
    simdgroup_store(y, out, 8);
    simdgroup_multiply(z, z, z);
    simdgroup_store(z, out + 64, 8);
    simdgroup_load(y, a + 64, 8);
    simdgroup_multiply_accumulate(y, x, y, y);
    simdgroup_store(y, out + 128, 8);
    simdgroup_multiply_accumulate(x, x, x, x);
    simdgroup_store(x, out + 192, 8);
}

// An array of matrices indexed by what only the launch knows, whole and by element.
kernel void indexed(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], constant uint& n [[buffer(2)]]) {
    simdgroup_float8x8 x[4];
    for (uint j = 0; j < n; ++j) simdgroup_load(x[j], a + j * 64, 8);
    for (uint j = 0; j < n; ++j) x[n - 1 - j].thread_elements()[j & 1] *= 2.0f;
    for (uint j = 0; j + 1 < n; ++j) simdgroup_multiply_accumulate(x[j], x[j + 1], x[0], x[j]);
    for (uint j = 0; j < n; ++j) simdgroup_store(x[j], out + j * 64, 8);
}
