#include "gated_delta.h"
#include "tile.h"

// Carries the state S from chunk to chunk. For each chunk, S its entry state:
//     h = bf16(S);  v_new_i = u_i - S w_i;  S = exp(G_last) S + sum_i bf16(exp(G_last - G_i) v_new_i) k_i^T
//
// A simdgroup keeps state_rows rows of S in registers from the first chunk to the last, at most 32 8x8 tiles of two registers a
// lane. It works on v_new transposed, [V rows x tokens]: then S is always the left operand or the accumulator and never
// has to be turned. Grid: (V / 32, H, B) threadgroups of 1024 / state_rows. v_new may be u, final_state may be initial_state: what a
// lane overwrites only its own simdgroup has read, before.
kernel void gated_delta_chunk_state(
    const device bfloat* k [[buffer(0)]],
    const device bfloat* w [[buffer(1)]],
    const device bfloat* u [[buffer(2)]],
    const device float* g [[buffer(3)]],
    const device float* initial_state [[buffer(4)]],
    device bfloat* h [[buffer(5)]],
    device bfloat* v_new [[buffer(6)]],
    device float* final_state [[buffer(7)]],
    constant GatedDeltaShape& shape [[buffer(8)]],
    uint3 group [[threadgroup_position_in_grid]],
    ushort simdgroup_index [[simdgroup_index_in_threadgroup]],
    ushort lane [[thread_index_in_simdgroup]])
{
    // The gated v_new of the chunk: [32 V rows][64 tokens] in 8x8 tiles, each simdgroup its own rows.
    threadgroup bfloat gated[32 * chunk_size];

    const TileLane at = tile_lane(lane);
    const uint row_tiles = state_rows / 8;
    const uint key_tiles = key_dim / 8;
    const uint v0 = group.x * 32 + simdgroup_index * state_rows;
    const ulong head = ulong(group.z) * shape.heads + group.y;
    const ulong state_at = (head * value_dim + v0) * key_dim;
    threadgroup bfloat* mine = gated + simdgroup_index * state_rows * chunk_size;

    simdgroup_float8x8 s[32];
    UNROLL for (uint r = 0; r < row_tiles; r++) {
        UNROLL for (uint x = 0; x < key_tiles; x++) {
            if (has_initial_state) {
                simdgroup_load(s[r * key_tiles + x], initial_state + state_at + r * 8 * key_dim + x * 8, key_dim);
            } else {
                s[r * key_tiles + x] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
            }
        }
    }

    for (uint chunk = 0; chunk < shape.chunks; chunk++) {
        const uint first = chunk * chunk_size;
        const uint length = min(chunk_size, shape.tokens - first);
        const uint last = length - 1;
        const ulong token = ulong(group.z) * shape.tokens + first;
        const ulong token_head = token * shape.heads + group.y;
        const device float* g_c = g + token_head;
        const float g_last = g_c[last * shape.heads];

        device bfloat* hc = h + (((ulong(group.z) * shape.chunks + chunk) * shape.heads + group.y) * value_dim + v0) * key_dim;
        UNROLL for (uint r = 0; r < row_tiles; r++) {
            UNROLL for (uint x = 0; x < key_tiles; x++) {
                simdgroup_store(tile_as<bfloat>(s[r * key_tiles + x]), hc + r * 8 * key_dim + x * 8, key_dim);
            }
        }

        const uint w_stride = shape.heads * key_dim;
        const device bfloat* wc = w + token_head * key_dim;
        const uint u_stride = shape.heads * value_dim;
        const device bfloat* uc = u + token_head * value_dim + v0;
        device bfloat* vc = v_new + token_head * value_dim + v0;
        for (uint i = 0; i < length; i += 8) {
            simdgroup_float8x8 predicted[4];
            UNROLL for (uint r = 0; r < row_tiles; r++) {
                predicted[r] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
            }
            UNROLL for (uint x = 0; x < key_tiles; x++) {
                simdgroup_bfloat8x8 right;
                load_columns(right, wc + i * w_stride + x * 8, w_stride, length - i, at);
                UNROLL for (uint r = 0; r < row_tiles; r++) {
                    simdgroup_multiply_accumulate(predicted[r], s[r * key_tiles + x], right, predicted[r]);
                }
            }
            const uint t = i + at.col;
            const float gate_left = exp(g_last - g_c[min(t, last) * shape.heads]);
            const float gate_right = exp(g_last - g_c[min(t + 1, last) * shape.heads]);
            UNROLL for (uint r = 0; r < row_tiles; r++) {
                simdgroup_bfloat8x8 u_tile;
                load_columns(u_tile, uc + i * u_stride + r * 8, u_stride, length - i, at);
                const float left = float(u_tile.thread_elements()[0]) - predicted[r].thread_elements()[0];
                const float right = float(u_tile.thread_elements()[1]) - predicted[r].thread_elements()[1];
                store_columns(tile_of<bfloat>(left, right), vc + i * u_stride + r * 8, u_stride, length - i, at);
                // Rounded once, after the gate, from the float and not from the stored v_new.
                threadgroup bfloat* to = mine + (r * 8 + i / 8) * 64 + at.row * 8 + at.col;
                to[0] = bfloat(left * gate_left);
                to[1] = bfloat(right * gate_right);
            }
        }
        // Each lane has written two elements of tiles that the whole simdgroup loads now.
        simdgroup_barrier(mem_flags::mem_threadgroup);

        // The decay is applied to the accumulators: S is in no memory that another simdgroup could be reading.
        const float decay = exp(g_last);
        UNROLL for (uint n = 0; n < row_tiles * key_tiles; n++) {
            s[n] = tile_of<float>(s[n].thread_elements()[0] * decay, s[n].thread_elements()[1] * decay);
        }
        const uint k_stride = shape.key_heads * key_dim;
        const device bfloat* kc = k + (token * shape.key_heads + group.y / head_ratio) * key_dim;
        for (uint i = 0; i < length; i += 8) {
            simdgroup_bfloat8x8 left[4];
            UNROLL for (uint r = 0; r < row_tiles; r++) {
                simdgroup_load(left[r], mine + (r * 8 + i / 8) * 64, 8);
            }
            UNROLL for (uint x = 0; x < key_tiles; x++) {
                simdgroup_bfloat8x8 right;
                load_rows(right, kc + i * k_stride + x * 8, k_stride, length - i, at);
                UNROLL for (uint r = 0; r < row_tiles; r++) {
                    simdgroup_multiply_accumulate(s[r * key_tiles + x], left[r], right, s[r * key_tiles + x]);
                }
            }
        }
        // The whole simdgroup has loaded the tiles that its lanes overwrite in the next chunk.
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }

    if (has_final_state) {
        UNROLL for (uint r = 0; r < row_tiles; r++) {
            UNROLL for (uint x = 0; x < key_tiles; x++) {
                simdgroup_store(s[r * key_tiles + x], final_state + state_at + r * 8 * key_dim + x * 8, key_dim);
            }
        }
    }
}
