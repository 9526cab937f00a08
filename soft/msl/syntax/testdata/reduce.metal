#include <metal_stdlib>
using namespace metal;

// Sum of a vector: simdgroups first, then one simdgroup over their sums.
kernel void reduce_sum(device const float *in       [[buffer(0)]],
                       device float       *out      [[buffer(1)]],
                       constant uint      &n        [[buffer(2)]],
                       threadgroup float  *partial  [[threadgroup(0)]],
                       uint tid   [[thread_position_in_threadgroup]],
                       uint gid   [[threadgroup_position_in_grid]],
                       uint size  [[threads_per_threadgroup]],
                       uint lane  [[thread_index_in_simdgroup]],
                       uint group [[simdgroup_index_in_threadgroup]]) {
    float acc = 0.0f;
    for (uint i = gid * size + tid; i < n; i += size) {
        acc += in[i];
    }
    acc = simd_sum(acc);
    if (lane == 0) {
        partial[group] = acc;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (group == 0) {
        const uint groups = (size + 31u) / 32u;
        float v = lane < groups ? partial[lane] : 0.0f;
        v = simd_sum(v);
        if (lane == 0) out[gid] = v;
    }
}
