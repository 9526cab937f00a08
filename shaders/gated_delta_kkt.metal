#include "gated_delta.h"
#include "tile.h"

// A[i][j] = bf16(beta_i k_i) . k_j exp(G_i - G_j) for j < i, otherwise 0, in each chunk.
// One simdgroup per 32x32 quarter of the 64x64 block, in the order (0,0) (0,1) (1,0) (1,1); the second is above the diagonal and
// only written as zero. Grid: (4 chunks, H, B) threadgroups of 32.
kernel void gated_delta_kkt(
    const device bfloat* k [[buffer(0)]],
    const device float* beta [[buffer(1)]],
    const device float* g [[buffer(2)]],
    device float* a [[buffer(3)]],
    constant GatedDeltaShape& shape [[buffer(4)]],
    uint3 group [[threadgroup_position_in_grid]],
    ushort lane [[thread_index_in_simdgroup]])
{
    const uint first = group.x / 4 * chunk_size;
    const uint length = min(chunk_size, shape.tokens - first);
    const uint row0 = (group.x & 2) * 16;
    const uint column0 = (group.x & 1) * 32;
    if (row0 >= length) {
        return;
    }
    const TileLane at = tile_lane(lane);
    const ulong token = ulong(group.z) * shape.tokens + first;
    const uint k_stride = shape.key_heads * key_dim;
    const device bfloat* kc = k + (token * shape.key_heads + group.y / head_ratio) * key_dim;
    const device float* beta_c = beta + token * shape.heads + group.y;
    const device float* g_c = g + token * shape.heads + group.y;
    const uint last = length - 1;

    float beta_i[4];
    float g_i[4];
    simdgroup_float8x8 product[16];
    UNROLL for (uint r = 0; r < 4; r++) {
        const uint i = min(row0 + r * 8 + at.row, last);
        beta_i[r] = beta_c[i * shape.heads];
        g_i[r] = g_c[i * shape.heads];
        UNROLL for (uint c = 0; c < 4; c++) {
            product[r * 4 + c] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        }
    }
    if (column0 <= row0) {
        for (uint x = 0; x < key_dim; x += 8) {
            simdgroup_bfloat8x8 right[4];
            UNROLL for (uint c = 0; c < 4; c++) {
                const uint j = column0 + c * 8;
                load_columns(right[c], kc + min(j, last) * k_stride + x, k_stride, rows_from(j, length), at);
            }
            UNROLL for (uint r = 0; r < 4; r++) {
                const uint i = row0 + r * 8;
                simdgroup_bfloat8x8 left;
                load_rows(left, kc + min(i, last) * k_stride + x, k_stride, rows_from(i, length), at);
                left = tile_of<bfloat>(float(left.thread_elements()[0]) * beta_i[r],
                                       float(left.thread_elements()[1]) * beta_i[r]);
                UNROLL for (uint c = 0; c < 4; c++) {
                    if (column0 < row0 || c <= r) {
                        simdgroup_multiply_accumulate(product[r * 4 + c], left, right[c], product[r * 4 + c]);
                    }
                }
            }
        }
    }

    const uint a_stride = shape.heads * chunk_size;
    device float* ac = a + (token * shape.heads + group.y) * chunk_size;
    UNROLL for (uint c = 0; c < 4; c++) {
        const uint j = column0 + c * 8 + at.col;
        const float g_left = g_c[min(j, last) * shape.heads];
        const float g_right = g_c[min(j + 1, last) * shape.heads];
        UNROLL for (uint r = 0; r < 4; r++) {
            // The mask comes before exp: above the diagonal the exponent is positive without bound.
            const uint i = row0 + r * 8 + at.row;
            const float left = product[r * 4 + c].thread_elements()[0];
            const float right = product[r * 4 + c].thread_elements()[1];
            store_rows(tile_of<float>(j < i ? left * exp(g_i[r] - g_left) : 0.0f,
                                      j + 1 < i ? right * exp(g_i[r] - g_right) : 0.0f),
                       ac + (row0 + r * 8) * a_stride + column0 + c * 8, a_stride, rows_from(row0 + r * 8, length), at);
        }
    }
}
