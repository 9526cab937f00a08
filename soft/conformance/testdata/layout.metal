#include <metal_stdlib>
using namespace metal;

struct Mixed { char a; float3 b; char c; };
struct Packed { char a; packed_float3 b; char c; };
struct Inner { short s; int4 v; };
struct Outer { uchar t; Inner in[2]; half h; };
struct Halves { half a; half3 b; half2 c; packed_half3 d; uchar e; };
struct Arrays { uchar a[3]; ushort b[5]; long c; bool d; };
struct Empty {};
struct alignas(32) Aligned { int x; };
struct Matrices { float2x3 m; float x; half4x4 h; float3x3 n; };
enum Small : uchar { first, second = 7, third };
enum Plain { p0, p1 = 5 };
enum class Scoped : short { q0 = -1, q1 };

#define OFFSET(T, m) int((thread char*)&((thread T*)&t##T)->m - (thread char*)&t##T)

kernel void sizes(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (i != 0) return;
    int n = 0;
    out[n++] = sizeof(bool); out[n++] = sizeof(char2); out[n++] = sizeof(char3); out[n++] = sizeof(uchar4);
    out[n++] = sizeof(half3); out[n++] = sizeof(half4); out[n++] = sizeof(float2); out[n++] = sizeof(float3);
    out[n++] = sizeof(float4); out[n++] = sizeof(long3); out[n++] = sizeof(packed_float3); out[n++] = sizeof(packed_half3);
    out[n++] = sizeof(packed_char3); out[n++] = sizeof(packed_int2); out[n++] = sizeof(float2x2); out[n++] = sizeof(float2x3);
    out[n++] = sizeof(float3x3); out[n++] = sizeof(float4x4); out[n++] = sizeof(half4x4); out[n++] = sizeof(half3x2);
    out[n++] = sizeof(Mixed); out[n++] = sizeof(Packed); out[n++] = sizeof(Inner); out[n++] = sizeof(Outer);
    out[n++] = sizeof(Halves); out[n++] = sizeof(Arrays); out[n++] = sizeof(Empty); out[n++] = sizeof(Aligned);
    out[n++] = sizeof(Matrices); out[n++] = sizeof(Small); out[n++] = sizeof(Plain); out[n++] = sizeof(Scoped);
    out[n++] = sizeof(device int*); out[n++] = sizeof(int[7]); out[n++] = sizeof(bfloat4);
    out[n++] = sizeof(size_t); out[n++] = sizeof(1.0f); out[n++] = sizeof(1.0h); out[n++] = sizeof('a');
}

kernel void alignments(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (i != 0) return;
    int n = 0;
    out[n++] = alignof(char3); out[n++] = alignof(half3); out[n++] = alignof(float3); out[n++] = alignof(packed_float3);
    out[n++] = alignof(packed_half2); out[n++] = alignof(float3x3); out[n++] = alignof(half2x4); out[n++] = alignof(Mixed);
    out[n++] = alignof(Packed); out[n++] = alignof(Outer); out[n++] = alignof(Aligned); out[n++] = alignof(long2);
    out[n++] = alignof(Arrays); out[n++] = alignof(bool);
}

kernel void offsets(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (i != 0) return;
    Mixed tMixed; Packed tPacked; Outer tOuter; Halves tHalves; Arrays tArrays; Matrices tMatrices;
    int n = 0;
    out[n++] = OFFSET(Mixed, a); out[n++] = OFFSET(Mixed, b); out[n++] = OFFSET(Mixed, c);
    out[n++] = OFFSET(Packed, b); out[n++] = OFFSET(Packed, c);
    out[n++] = OFFSET(Outer, in); out[n++] = OFFSET(Outer, in[1].v); out[n++] = OFFSET(Outer, h);
    out[n++] = OFFSET(Halves, b); out[n++] = OFFSET(Halves, c); out[n++] = OFFSET(Halves, d); out[n++] = OFFSET(Halves, e);
    out[n++] = OFFSET(Arrays, b); out[n++] = OFFSET(Arrays, b[4]); out[n++] = OFFSET(Arrays, c); out[n++] = OFFSET(Arrays, d);
    out[n++] = OFFSET(Matrices, x); out[n++] = OFFSET(Matrices, h); out[n++] = OFFSET(Matrices, n);
}

// Reads every member out of memory that the host laid out.
kernel void members(device int* out [[buffer(0)]], device const Outer* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    Outer o = p[i];
    out[i * 8] = o.t;
    out[i * 8 + 1] = o.in[0].s;
    out[i * 8 + 2] = o.in[1].s;
    out[i * 8 + 3] = o.in[1].v.w;
    out[i * 8 + 4] = int(o.h);
    out[i * 8 + 5] = p[i].in[i & 1].v[i & 3];
    device const Inner& r = p[i].in[1];
    out[i * 8 + 6] = r.v.y - r.s;
    o.in[0].v = o.in[1].v.wzyx;
    o.in[1] = o.in[0];
    out[i * 8 + 7] = o.in[1].v.x;
}

kernel void packed(device packed_float3* out [[buffer(0)]], device const packed_float3* p [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
    float3 v = p[i];
    packed_float3 q = p[i];
    q.y = v.z + q[0];
    out[i] = packed_float3(v * 2.0f) + q;
    out[i].z = p[i].x;
    out[i][0] += 1.0f;
}

kernel void written(device Mixed* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Mixed m = {char(i), float3(1, 2, 3) + float(i), char(-int(i))};
    out[i] = m;
    out[i].b.y = 50;
}

kernel void enums(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Small s = third;
    Scoped q = Scoped::q1;
    Plain p = p1;
    out[i * 4] = s;
    out[i * 4 + 1] = p + int(q) + static_cast<int>(Scoped::q0);
    out[i * 4 + 2] = second == 7 && p0 == 0;
    out[i * 4 + 3] = q == Scoped::q1 ? 10 : 20;
}
