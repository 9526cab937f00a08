#include <metal_stdlib>
using namespace metal;

struct Ray { packed_float3 origin; float tmin; float3 dir; };
struct alignas(16) Camera { float4x4 view; float3x3 rot; union { float4 raw; struct { float2 lo, hi; }; }; };
enum class Mode : uchar { none, add = 4, mul = add << 1, };
enum { kTile = 16, kHalf = kTile / 2 };

static inline float3 rotate(float3x3 m, float3 v) { return m * v; }
constant float4 kWeights[2] = { float4(0.1f, 0.2f, 0.3f, 0.4f), {1, 2, 3, 4} };
constant float2x2 kRot = float2x2(float2(0, 1), float2(-1, 0));
constant const uchar kTable[] = { 0x00, 0xff, 'a', };

kernel void transform(device const Ray *rays, constant Camera &cam, device float4 *out, constant Mode &mode, uint2 id [[thread_position_in_grid]],
                      uint2 size [[threads_per_grid]]) {
    Ray r = rays[id.y * size.x + id.x];
    float3 d = rotate(cam.rot, r.dir.zyx);
    d.xy = d.yx;
    float4 p = cam.view * float4(r.origin, 1.0);
    p.xyz += d * r.tmin;
    p.rgb = mix(p.rgb, float3(0), 0.5f);
    bool3 neg = p.xyz < 0.0f;
    if (any(neg) || all(isfinite(p))) p = select(p, float4(0), bool4(neg, false));
    switch (mode) {
    case Mode::add: p += kWeights[0]; break;
    case Mode::mul: p *= kWeights[1]; [[fallthrough]];
    default: break;
    }
    cam.lo;
    out[id.y * size.x + id.x] = p * kRot[0][1] * kTable[kTile - kHalf];
}
