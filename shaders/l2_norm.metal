#include <metal_stdlib>
using namespace metal;

constant uint norm_dim [[function_constant(0)]];   // elements of a row
constant bool float_rows [[function_constant(1)]]; // the rows are float, not bfloat

struct L2NormShape {
    uint rows;
    float epsilon;
};

constant constexpr uint rows_per_group = 4;

// out = x rsqrt(sum of x^2 + epsilon) in each row. One simdgroup per row, sums in float. Grid: (ceil(rows / 4)) threadgroups of
// 128. out may be x: a lane reads and writes the same elements.
kernel void l2_norm(
    const device bfloat* x [[buffer(0)]], // float where float_rows
    device bfloat* out [[buffer(1)]],
    constant L2NormShape& shape [[buffer(2)]],
    uint group [[threadgroup_position_in_grid]],
    uint simdgroup_index [[simdgroup_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]])
{
    const uint row = group * rows_per_group + simdgroup_index;
    if (row >= shape.rows) {
        return;
    }
    const ulong base = ulong(row) * norm_dim;
    const device bfloat* from = x + base;
    device bfloat* to = out + base;
    const device float* from_float = (const device float*)x + base;
    device float* to_float = (device float*)out + base;

    float sum = 0.0f;
    for (uint c = lane; c < norm_dim; c += 32) {
        const float value = float_rows ? from_float[c] : float(from[c]);
        sum += value * value;
    }
    const float factor = rsqrt(simd_sum(sum) + shape.epsilon);
    for (uint c = lane; c < norm_dim; c += 32) {
        if (float_rows) {
            to_float[c] = from_float[c] * factor;
        } else {
            to[c] = bfloat(float(from[c]) * factor);
        }
    }
}
