#include <metal_stdlib>
using namespace metal;

kernel void one_dimension(device uint* out [[buffer(0)]],
                          uint grid [[thread_position_in_grid]], uint in_group [[thread_position_in_threadgroup]],
                          uint index [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]],
                          uint grid_size [[threads_per_grid]], uint group_size [[threads_per_threadgroup]],
                          uint dispatched [[dispatch_threads_per_threadgroup]], uint groups [[threadgroups_per_grid]],
                          ushort lane [[thread_index_in_simdgroup]], ushort simd [[simdgroup_index_in_threadgroup]],
                          uint simds [[simdgroups_per_threadgroup]], uint simds_dispatched [[dispatch_simdgroups_per_threadgroup]],
                          uint width [[threads_per_simdgroup]], uint quad_lane [[thread_index_in_quadgroup]],
                          uint quad [[quadgroup_index_in_threadgroup]], uint quads [[quadgroups_per_threadgroup]],
                          uint execution [[thread_execution_width]], uint quads_dispatched [[dispatch_quadgroups_per_threadgroup]]) {
    device uint* o = out + grid * 18;
    o[0] = grid; o[1] = in_group; o[2] = index; o[3] = group; o[4] = grid_size; o[5] = group_size; o[6] = dispatched;
    o[7] = groups; o[8] = lane; o[9] = simd; o[10] = simds; o[11] = simds_dispatched; o[12] = width; o[13] = quad_lane;
    o[14] = quad; o[15] = quads; o[16] = execution; o[17] = quads_dispatched;
}

kernel void three_dimensions(device uint* out [[buffer(0)]],
                             uint3 grid [[thread_position_in_grid]], ushort3 in_group [[thread_position_in_threadgroup]],
                             uint index [[thread_index_in_threadgroup]], uint3 group [[threadgroup_position_in_grid]],
                             uint3 grid_size [[threads_per_grid]], ushort3 group_size [[threads_per_threadgroup]],
                             uint3 dispatched [[dispatch_threads_per_threadgroup]], uint3 groups [[threadgroups_per_grid]],
                             uint lane [[thread_index_in_simdgroup]], uint simd [[simdgroup_index_in_threadgroup]],
                             uint3 origin [[grid_origin]], uint3 size [[grid_size]]) {
    device uint* o = out + ((grid.z * grid_size.y + grid.y) * grid_size.x + grid.x) * 30;
    for (int c = 0; c < 3; ++c) {
        o[c] = grid[c]; o[3 + c] = in_group[c]; o[6 + c] = group[c]; o[9 + c] = grid_size[c]; o[12 + c] = group_size[c];
        o[15 + c] = dispatched[c]; o[18 + c] = groups[c]; o[24 + c] = origin[c]; o[27 + c] = size[c];
    }
    o[21] = index; o[22] = lane; o[23] = simd;
}

kernel void two_dimensions(device uint* out [[buffer(0)]], uint2 grid [[thread_position_in_grid]], uint2 n [[threads_per_grid]],
                           uint2 group [[threadgroup_position_in_grid]], uint2 in_group [[thread_position_in_threadgroup]]) {
    out[grid.y * n.x + grid.x] = group.x + group.y * 100 + in_group.x * 10000 + in_group.y * 1000000;
}

kernel void leading_attribute [[max_total_threads_per_threadgroup(128)]] (device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = i;
}

[[kernel]] void bracketed(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i + 1; }
[[kernel, max_total_threads_per_threadgroup(64)]] void bracketed_limit(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = i + 2;
}

struct Params { uint a; float b; uint2 c; };

// Buffers without an index are numbered in order.
kernel void implicit_indices(device uint* out, constant Params& p, device const uint* third, uint i [[thread_position_in_grid]]) {
    out[i] = p.a + uint(p.b) + p.c.y + third[i];
}
