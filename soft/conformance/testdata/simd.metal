#include <metal_stdlib>
using namespace metal;

kernel void reductions(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    int v = a[i];
    device int* o = out + i * 10;
    o[0] = simd_sum(v); o[1] = simd_product(v | 1); o[2] = simd_min(v); o[3] = simd_max(v);
    o[4] = simd_and(v); o[5] = simd_or(v); o[6] = simd_xor(v);
    o[7] = simd_prefix_inclusive_sum(v); o[8] = simd_prefix_exclusive_sum(v); o[9] = simd_prefix_inclusive_product(v | 1);
}

// The same in the lanes that a divergent branch leaves active.
kernel void divergent_reductions(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                                 uint lane [[thread_index_in_simdgroup]]) {
    int v = a[i];
    device int* o = out + i * 8;
    if ((lane % 3) == 1) {
        o[0] = simd_sum(v); o[1] = simd_max(v); o[2] = simd_prefix_exclusive_sum(v); o[3] = simd_broadcast_first(v);
        o[4] = int(uint(ulong(simd_active_threads_mask()))); o[5] = simd_is_first();
        o[6] = simd_prefix_exclusive_product(v | 1);
    } else if (lane & 1) {
        o[0] = simd_min(v); o[1] = simd_or(v); o[2] = simd_all(v > 0); o[3] = simd_any(v > 0);
        o[4] = int(uint(ulong(simd_ballot(v > 0)))); o[5] = simd_is_first();
        o[6] = simd_xor(v);
    }
    o[7] = simd_sum(1);
}

kernel void shuffles(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
    int v = a[i];
    device int* o = out + i * 12;
    o[0] = simd_shuffle(v, ushort((lane * 7 + 3) % 32));
    o[1] = simd_shuffle_xor(v, 5);
    o[2] = simd_shuffle_up(v, 3) * (lane >= 3);
    o[3] = simd_shuffle_down(v, 2) * (lane < 30);
    o[4] = simd_shuffle_rotate_up(v, 9);
    o[5] = simd_shuffle_rotate_down(v, 9);
    o[6] = simd_broadcast(v, 17);
    o[7] = simd_shuffle_and_fill_up(v, -int(lane) - 1, 4);
    o[8] = simd_shuffle_and_fill_down(v, -int(lane) - 1, 4);
    o[9] = simd_shuffle_and_fill_up(v, -int(lane) - 1, 3, 8);
    o[10] = simd_shuffle_and_fill_down(v, -int(lane) - 1, 3, 8);
    o[11] = simd_broadcast_first(v);
}

kernel void types(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    device float* o = out + i * 10;
    o[0] = simd_sum(float(lane) * 0.5f);
    o[1] = float(simd_sum(half(lane)));
    o[2] = float(simd_max(bfloat(float(lane))));
    float4 s = simd_sum(float4(1, 2, 3, float(lane)));
    o[3] = s.x + s.y * 100; o[4] = s.w;
    o[5] = simd_shuffle_xor(uchar2(uchar(lane), 7), 1).x;
    o[6] = float(simd_min(short(-int(lane))));
    o[7] = simd_broadcast(half3(half(lane)), 4).z;
    o[8] = float(as_type<ulong>(simd_shuffle(as_type<uint2>(ulong(lane) << 33), ushort(2))) >> 33);
    o[9] = simd_all(lane < 32) + simd_any(lane == 40) * 2;
}

kernel void quads(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    int v = a[i];
    device int* o = out + i * 8;
    o[0] = quad_sum(v); o[1] = quad_max(v); o[2] = quad_shuffle_xor(v, 1); o[3] = quad_broadcast(v, 2);
    o[4] = quad_prefix_inclusive_sum(v); o[5] = quad_shuffle(v, 3); o[6] = quad_any(v > 0); o[7] = quad_xor(v);
}

// Two simdgroup passes and a threadgroup array: the reduction that kernels use.
kernel void block_sum(device float* out [[buffer(0)]], device const float* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]], uint simd [[simdgroup_index_in_threadgroup]],
                      uint simds [[simdgroups_per_threadgroup]], uint n [[threads_per_threadgroup]]) {
    uint threads_in_simd = min(n, 32u);
    threadgroup float partial[32];
    threadgroup float total;
    float s = simd_sum(a[i]);
    if (lane == 0) partial[simd] = s;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
        float t = 0;
        for (uint j = lane; j < simds; j += threads_in_simd) t += partial[j];
        t = simd_sum(t);
        if (lane == 0) total = t;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = total;
}
