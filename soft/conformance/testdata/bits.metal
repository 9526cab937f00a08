#include <metal_stdlib>
using namespace metal;

kernel void as_types(device uint* out [[buffer(0)]], device const uint* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    uint u = a[i];
    device uint* o = out + i * 12;
    o[0] = as_type<uint>(as_type<float>(u));
    o[1] = as_type<uint>(as_type<half2>(u));
    o[2] = as_type<uint>(as_type<uchar4>(u).wzyx);
    o[3] = as_type<uint>(as_type<short2>(u).yx);
    o[4] = as_type<ushort>(as_type<half>(ushort(u)));
    o[5] = as_type<ushort>(as_type<bfloat>(ushort(u >> 16)));
    o[6] = as_type<uint>(as_type<int>(u) >> 4);
    ulong l = (ulong(u) << 32) | i;
    o[7] = as_type<uint2>(l).x; o[8] = as_type<uint2>(l).y;
    o[9] = as_type<uchar4>(1.0f).w;
    o[10] = as_type<uint>(2.5f);
    o[11] = as_type<ushort2>(half2(1.0h, -2.0h)).y;
}
