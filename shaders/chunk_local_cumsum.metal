#include "gated_delta.h"

// A decay of e^-88 leaves nothing of a float. Without this floor a stronger one, or one of -INFINITY that resets the state,
// would swallow the digits of all sums behind it, or make their differences NaN. A NaN stays.
constant constexpr float floor_of_g = -88.0f;

inline float floored(float g)
{
    return g < floor_of_g ? floor_of_g : g;
}

// out[t] = the sum of g, each at least -88, from the first token of t's chunk to t. One simdgroup per chunk and head; lane l has
// tokens l and l + 32. Grid: (chunks, H, B) threadgroups of 32. out may be g.
kernel void chunk_local_cumsum(
    const device float* g [[buffer(0)]],
    device float* out [[buffer(1)]],
    constant GatedDeltaShape& shape [[buffer(2)]],
    uint3 group [[threadgroup_position_in_grid]],
    uint lane [[thread_index_in_simdgroup]])
{
    const uint first = group.x * chunk_size;
    const uint length = min(chunk_size, shape.tokens - first);
    const ulong base = (ulong(group.z) * shape.tokens + first) * shape.heads + group.y;
    const device float* from = g + base;
    device float* to = out + base;

    float low = 0.0f;
    float high = 0.0f;
    if (lane < length) {
        low = floored(from[lane * shape.heads]);
    }
    if (lane + 32 < length) {
        high = floored(from[(lane + 32) * shape.heads]);
    }
    low = simd_prefix_inclusive_sum(low);
    high = simd_prefix_inclusive_sum(high) + simd_broadcast(low, 31);
    if (lane < length) {
        to[lane * shape.heads] = low;
    }
    if (lane + 32 < length) {
        to[(lane + 32) * shape.heads] = high;
    }
}
