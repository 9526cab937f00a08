#include <metal_stdlib>
using namespace metal;

kernel void read(device int* out [[buffer(0)]], device const int4* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    int4 v = a[i];
    device int* o = out + i * 24;
    o[0] = v.x; o[1] = v.g; o[2] = v.b; o[3] = v.w;
    int2 p = v.zy; o[4] = p.x; o[5] = p.y;
    int3 q = v.wwx; o[6] = q.r; o[7] = q.g; o[8] = q.b;
    int4 r = v.xxyy; o[9] = r.x; o[10] = r.y; o[11] = r.z; o[12] = r.w;
    o[13] = v.wzyx.xy.y;
    o[14] = (v.xy + v.zw).y;
    o[15] = v[i & 3];
    o[16] = a[i].bgra.x;
    int2 s = int2(v.x); o[17] = s.y;
    int4 c = int4(v.xy, 7, v.w); o[18] = c.z; o[19] = c.y;
    int4 d(v.x, v.yzw); o[20] = d.w;
    int3 e = int3(v.zw, 5); o[21] = e.x - e.z;
    o[22] = int4(3).w + int4{1, 2, 3, 4}.y;
    int4 f = {v.w, v.z, v.y, v.x}; o[23] = f.x * 2 + f.w;
}

kernel void write(device int4* out [[buffer(0)]], device const int4* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    int4 v = a[i];
    v.xy = v.yx;
    v.w += 100;
    v.zx = int2(1, 2) + v.zx;
    v.rgb *= 2;
    v[i & 3] = -5;
    out[i] = v;
    out[i].y = 77;
    out[i].zw += int2(10, 20);
}

kernel void through_pointer(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int4 v = int4(1, 2, 3, 4) * int(i);
    thread int4* p = &v;
    p->xw = int2(9, 8);
    (*p).y -= 1;
    thread int4& r = v;
    r.z = p->x + r.w;
    for (int j = 0; j < 4; ++j) out[i * 4 + j] = v[j];
}

kernel void ternary_and_unary(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int3 v = int3(int(i), -int(i), 3);
    int3 w = (i & 1) ? v : v.zyx;
    bool3 b = !(w > int3(2));
    int3 n = ~w + -v;
    ++w;
    w--;
    out[i * 4] = w.x;
    out[i * 4 + 1] = n.y;
    out[i * 4 + 2] = int(b.x) * 100 + int(b.y) * 10 + b.z;
    out[i * 4 + 3] = any(b) * 2 + all(b);
}

struct Holder { float3 v; int n; };

kernel void member(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Holder h[2];
    h[0].v = float3(1, 2, 3);
    h[1].v = float3(float(i));
    h[1].v.yz = h[0].v.zx;
    h[0].v.x *= h[1].v.x;
    h[0].n = 3; h[1].n = 4;
    out[i * 3] = h[0].v.x + h[1].v.y;
    out[i * 3 + 1] = h[1].v.z * float(h[0].n);
    out[i * 3 + 2] = h[i & 1].v[(i >> 1) % 3] + float(h[1].n);
}
