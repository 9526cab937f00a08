#include <metal_stdlib>
using namespace metal;

kernel void reverse_static(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                           uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    s[l] = a[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = s[n - 1 - l];
}

kernel void reverse_dynamic(device int* out [[buffer(0)]], device const int* a [[buffer(1)]],
                            threadgroup int* s [[threadgroup(0)]], threadgroup short2* pairs [[threadgroup(1)]],
                            uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    s[l] = a[i];
    pairs[l] = short2(short(l), short(-int(l)));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = s[n - 1 - l] + pairs[(l + 1) % n].x * 1000 + pairs[(l + 1) % n].y;
}

kernel void tree_sum(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]],
                     uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    s[l] = a[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint step = 1; step < n; step *= 2) {
        int v = 0;
        if (l % (2 * step) == 0 && l + step < n) v = s[l + step];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (l % (2 * step) == 0) s[l] += v;
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    out[i] = s[0];
}

struct Cell { int v; float w[3]; };

void fill(threadgroup Cell* c, uint l) {
    c[l].v = int(l) * 2;
    for (int j = 0; j < 3; ++j) c[l].w[j] = float(l) + float(j) * 0.25f;
}

kernel void structs(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
                    uint n [[threads_per_threadgroup]]) {
    threadgroup Cell cells[256];
    threadgroup float total;
    fill(cells, l);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (l == 0) {
        total = 0;
        for (uint j = 0; j < n; ++j) total += float(cells[j].v) + cells[j].w[2];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = total + cells[n - 1 - l].w[1];
}

// A tile read as bytes, shorts and float4 by way of casts.
kernel void reinterpreted(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
                          uint n [[threads_per_threadgroup]]) {
    threadgroup uint tile[256];
    tile[l] = l * 0x01010101u + 0x03020100u;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup const uchar* bytes = (threadgroup const uchar*)tile;
    threadgroup const ushort* shorts = reinterpret_cast<threadgroup const ushort*>(&tile[0]);
    out[i] = bytes[(n - 1 - l) * 4 + 2] + shorts[l * 2 + 1] * 1000u;
}

// Threadgroup memory begins anew in each threadgroup and device memory is ordered by a device barrier within one.
kernel void device_barrier(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
                           uint n [[threads_per_threadgroup]]) {
    device int* mine = out + (i - l);
    mine[l] = int(i) * 3;
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    int v = mine[(l + 1) % n];
    threadgroup_barrier(mem_flags::mem_device);
    mine[l] = v;
}

kernel void barrier_in_uniform_branch(device int* out [[buffer(0)]], constant int& rounds [[buffer(1)]], uint i [[thread_position_in_grid]],
                                      uint l [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup int s[256];
    int v = int(l);
    for (int r = 0; r < rounds; ++r) {
        if (r % 2 == 0) {
            s[l] = v;
            threadgroup_barrier(mem_flags::mem_threadgroup);
            v = s[(l + 1) % n] + r;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        } else {
            v += 1;
        }
    }
    out[i] = v;
}

kernel void private_arrays(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int a[8] = {};
    int b[3][2] = {{1, 2}, {3, 4}};
    for (uint j = 0; j < 16; ++j) a[(i + j * j) % 8] += int(j);
    thread int* p = a + 2;
    p[1] = 50;
    b[i % 3][i & 1] += 10;
    int s = 0;
    for (int j = 0; j < 8; ++j) s = s * 3 + a[j];
    out[i] = s + b[0][0] + b[1][1] * 2 + b[2][0] * 4 + int(p - a) + *(p + 2) + (p < a + 5);
}
