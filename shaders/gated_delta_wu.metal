#include "gated_delta.h"
#include "tile.h"

// u = M bf16(beta v) and w = M bf16(beta exp(G) k), M the inverse of I + A, in each chunk.
// One simdgroup per 32 columns of (u | w), all rows of the chunk: what it scales, it scales once. M is lower: tiles above the
// diagonal are neither read nor multiplied. Grid: (chunks (V + K) / 32, H, B) threadgroups of 32; x counts columns, then chunks.
kernel void gated_delta_wu(
    const device bfloat* k [[buffer(0)]],
    const device bfloat* v [[buffer(1)]],
    const device float* beta [[buffer(2)]],
    const device float* g [[buffer(3)]],
    const device float* inverse [[buffer(4)]],
    device bfloat* w [[buffer(5)]],
    device bfloat* u [[buffer(6)]],
    constant GatedDeltaShape& shape [[buffer(7)]],
    uint3 group [[threadgroup_position_in_grid]],
    ushort lane [[thread_index_in_simdgroup]])
{
    const uint blocks = (value_dim + key_dim) / 32;
    const uint block = group.x % blocks;
    const uint first = group.x / blocks * chunk_size;
    const uint length = min(chunk_size, shape.tokens - first);
    const TileLane at = tile_lane(lane);
    const uint last = length - 1;
    const ulong token = ulong(group.z) * shape.tokens + first;
    const ulong head = token * shape.heads + group.y;
    const bool is_u = block < value_dim / 32;
    const uint column0 = (is_u ? block : block - value_dim / 32) * 32;
    const uint x_stride = is_u ? shape.heads * value_dim : shape.key_heads * key_dim;
    const device bfloat* x = is_u ? v + head * value_dim + column0
                                  : k + (token * shape.key_heads + group.y / head_ratio) * key_dim + column0;
    const device float* beta_c = beta + head;
    const device float* g_c = g + head;
    const uint m_stride = shape.heads * chunk_size;
    const device float* mc = inverse + head * chunk_size;

    simdgroup_float8x8 sum[32]; // [8][4]
    UNROLL for (uint n = 0; n < 32; n++) {
        sum[n] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    }
    for (uint j = 0; j < length; j += 8) {
        const uint at_j = min(j + at.row, last) * shape.heads;
        const float beta_j = beta_c[at_j];
        const float decay_j = is_u ? 1.0f : exp(g_c[at_j]);
        simdgroup_bfloat8x8 right[4];
        UNROLL for (uint c = 0; c < 4; c++) {
            simdgroup_bfloat8x8 tile;
            load_rows(tile, x + j * x_stride + c * 8, x_stride, length - j, at);
            right[c] = tile_of<bfloat>(float(tile.thread_elements()[0]) * beta_j * decay_j,
                                       float(tile.thread_elements()[1]) * beta_j * decay_j);
        }
        UNROLL for (uint r = 0; r < 8; r++) {
            const uint i = r * 8;
            if (i >= j && i < length) {
                simdgroup_float8x8 left;
                load_rows(left, mc + i * m_stride + j, m_stride, length - i, at);
                UNROLL for (uint c = 0; c < 4; c++) {
                    simdgroup_multiply_accumulate(sum[r * 4 + c], left, right[c], sum[r * 4 + c]);
                }
            }
        }
    }

    const uint y_stride = shape.heads * (is_u ? value_dim : key_dim);
    device bfloat* y = is_u ? u + head * value_dim + column0 : w + head * key_dim + column0;
    UNROLL for (uint r = 0; r < 8; r++) {
        if (r * 8 < length) {
            UNROLL for (uint c = 0; c < 4; c++) {
                store_rows(tile_as<bfloat>(sum[r * 4 + c]), y + r * 8 * y_stride + c * 8, y_stride, length - r * 8, at);
            }
        }
    }
}
