#include "gated_delta.h"
#include "tile.h"

inline float fetch(const device bfloat* p, uint i)
{
    return float_input ? ((const device float*)p)[i] : float(p[i]);
}

// p + i elements of the input type.
inline const device bfloat* advance(const device bfloat* p, ulong i)
{
    return float_input ? (const device bfloat*)((const device float*)p + i) : p + i;
}

// The gated delta rule, token by token, for any T:
//     S = exp(g) S;  e = v - S k;  S = S + beta e k^T;  o = scale S q
//
// A simdgroup keeps 4 rows of S in registers: lane l holds columns l, l + 32, ... of them, the rows in the components of a vector.
// No barrier and no threadgroup memory: the only exchange is simd_sum. Grid: (V / 32, H, B) threadgroups of 256. final_state may
// be initial_state: a lane stores what it has loaded itself.
kernel void gated_delta_recurrent(
    const device bfloat* q [[buffer(0)]], // float where float_input; so k and v
    const device bfloat* k [[buffer(1)]],
    const device bfloat* v [[buffer(2)]],
    const device float* g [[buffer(3)]],
    const device float* beta [[buffer(4)]],
    const device float* initial_state [[buffer(5)]],
    device bfloat* out [[buffer(6)]], // float where float_output
    device float* final_state [[buffer(7)]],
    constant GatedDeltaShape& shape [[buffer(8)]],
    uint3 group [[threadgroup_position_in_grid]],
    uint simdgroup_index [[simdgroup_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]])
{
    const uint cells = key_dim / 32;
    const uint v0 = group.x * 32 + simdgroup_index * 4;
    const ulong state_at = ((ulong(group.z) * shape.heads + group.y) * value_dim + v0) * key_dim + lane;
    float4 s[8]; // [K / 32]
    UNROLL for (uint c = 0; c < cells; c++) {
        s[c] = float4(0.0f);
        if (has_initial_state) {
            const device float* from = initial_state + state_at + c * 32;
            s[c] = float4(from[0], from[key_dim], from[2 * key_dim], from[3 * key_dim]);
        }
    }

    const ulong token = ulong(group.z) * shape.tokens;
    const ulong key_at = (token * shape.key_heads + group.y / head_ratio) * key_dim + lane;
    const ulong token_head = token * shape.heads + group.y;
    const ulong value_at = token_head * value_dim + v0;
    const device bfloat* q_t = advance(q, key_at);
    const device bfloat* k_t = advance(k, key_at);
    const device bfloat* v_t = advance(v, value_at);
    const device float* g_t = g + token_head;
    const device float* beta_t = beta + token_head;
    device bfloat* o_t = out + value_at;
    device float* o_t_float = (device float*)out + value_at;

    for (uint t = 0; t < shape.tokens; t++) {
        const float decay = exp(*g_t);
        const float beta_now = *beta_t;
        float k_now[8];
        float q_now[8];
        UNROLL for (uint c = 0; c < cells; c++) {
            k_now[c] = fetch(k_t, c * 32);
            q_now[c] = fetch(q_t, c * 32);
        }
        const float4 v_now = float4(fetch(v_t, 0), fetch(v_t, 1), fetch(v_t, 2), fetch(v_t, 3));
        float4 predicted = float4(0.0f);
        UNROLL for (uint c = 0; c < cells; c++) {
            s[c] *= decay;
            predicted += s[c] * k_now[c];
        }
        const float4 error = beta_now * (v_now - simd_sum(predicted));
        float4 o = float4(0.0f);
        UNROLL for (uint c = 0; c < cells; c++) {
            s[c] += error * k_now[c];
            o += s[c] * q_now[c];
        }
        o = shape.scale * simd_sum(o);
        if (lane == 0) {
            UNROLL for (uint r = 0; r < 4; r++) {
                if (float_output) {
                    o_t_float[r] = o[r];
                } else {
                    o_t[r] = bfloat(o[r]);
                }
            }
        }
        q_t = advance(q_t, shape.key_heads * key_dim);
        k_t = advance(k_t, shape.key_heads * key_dim);
        v_t = advance(v_t, shape.heads * value_dim);
        g_t += shape.heads;
        beta_t += shape.heads;
        o_t += shape.heads * value_dim;
        o_t_float += shape.heads * value_dim;
    }

    if (has_final_state) {
        UNROLL for (uint c = 0; c < cells; c++) {
            device float* to = final_state + state_at + c * 32;
            UNROLL for (uint r = 0; r < 4; r++) {
                to[r * key_dim] = s[c][r];
            }
        }
    }
}
