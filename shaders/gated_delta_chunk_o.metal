#include "gated_delta.h"
#include "tile.h"

// o_i = scale [ exp(G_i) h q_i + sum_{j<=i} bf16(q_i . k_j exp(G_i - G_j)) v_new_j ], h the state at the chunk's entry.
//
// One simdgroup per 16 rows of a chunk and V / column_splits <= 128 columns: 2 x 16 accumulators. The matrix q k^T is formed 16 x 16 at
// a time, gated, masked and rounded in registers, and is at once the left operand of the product with v_new; no tile above the
// diagonal block is computed. Grid: (chunks 4 column_splits, H, B) threadgroups of 32; x counts row blocks, then splits, then chunks.
kernel void gated_delta_chunk_o(
    const device bfloat* q [[buffer(0)]],
    const device bfloat* k [[buffer(1)]],
    const device bfloat* v_new [[buffer(2)]],
    const device bfloat* h [[buffer(3)]],
    const device float* g [[buffer(4)]],
    device bfloat* out [[buffer(5)]], // float where float_output
    constant GatedDeltaShape& shape [[buffer(6)]],
    uint3 group [[threadgroup_position_in_grid]],
    ushort lane [[thread_index_in_simdgroup]])
{
    const uint row0 = group.x % 4 * 16;
    const uint split = group.x / 4 % column_splits;
    const uint chunk = group.x / 4 / column_splits;
    const uint first = chunk * chunk_size;
    const uint length = min(chunk_size, shape.tokens - first);
    if (row0 >= length) {
        return;
    }
    const TileLane at = tile_lane(lane);
    const uint last = length - 1;
    const uint columns = value_dim / column_splits;
    const uint tiles = columns / 8;
    const uint v0 = split * columns;
    const ulong token = ulong(group.z) * shape.tokens + first;
    const ulong token_head = token * shape.heads + group.y;
    const ulong key_at = (token * shape.key_heads + group.y / head_ratio) * key_dim;
    const uint k_stride = shape.key_heads * key_dim;
    const device bfloat* qc = q + key_at;
    const device bfloat* kc = k + key_at;
    const device float* g_c = g + token_head;
    const device bfloat* hc = h + (((ulong(group.z) * shape.chunks + chunk) * shape.heads + group.y) * value_dim + v0) * key_dim;
    const uint v_stride = shape.heads * value_dim;
    const device bfloat* vc = v_new + token_head * value_dim + v0;
    // The second tile of rows may lie behind the end: then its address is not formed and its rows are zero.
    const uint row1 = min(row0 + 8, last);
    const uint rows0 = length - row0;
    const uint rows1 = rows_from(row0 + 8, length);

    simdgroup_float8x8 sum[32]; // [2][16]
    UNROLL for (uint n = 0; n < 32; n++) {
        sum[n] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    }
    for (uint x = 0; x < key_dim; x += 8) {
        simdgroup_bfloat8x8 left0;
        simdgroup_bfloat8x8 left1;
        load_rows(left0, qc + row0 * k_stride + x, k_stride, rows0, at);
        load_rows(left1, qc + row1 * k_stride + x, k_stride, rows1, at);
        UNROLL for (uint c = 0; c < tiles; c++) {
            simdgroup_bfloat8x8 right;
            simdgroup_load(right, hc + c * 8 * key_dim + x, key_dim, ulong2(0, 0), true);
            simdgroup_multiply_accumulate(sum[c], left0, right, sum[c]);
            simdgroup_multiply_accumulate(sum[16 + c], left1, right, sum[16 + c]);
        }
    }
    float g_i[2];
    UNROLL for (uint r = 0; r < 2; r++) {
        g_i[r] = g_c[min(row0 + r * 8 + at.row, last) * shape.heads];
        const float decay = exp(g_i[r]);
        UNROLL for (uint c = 0; c < tiles; c++) {
            sum[r * 16 + c] =
                tile_of<float>(sum[r * 16 + c].thread_elements()[0] * decay, sum[r * 16 + c].thread_elements()[1] * decay);
        }
    }

    for (uint j0 = 0; j0 <= row0; j0 += 16) {
        const uint j1 = min(j0 + 8, last);
        const uint left_columns = length - j0;
        const uint right_columns = rows_from(j0 + 8, length);
        simdgroup_float8x8 scores[4]; // [2][2]
        UNROLL for (uint n = 0; n < 4; n++) {
            scores[n] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        }
        for (uint x = 0; x < key_dim; x += 8) {
            simdgroup_bfloat8x8 left0;
            simdgroup_bfloat8x8 left1;
            simdgroup_bfloat8x8 right0;
            simdgroup_bfloat8x8 right1;
            load_rows(left0, qc + row0 * k_stride + x, k_stride, rows0, at);
            load_rows(left1, qc + row1 * k_stride + x, k_stride, rows1, at);
            load_columns(right0, kc + j0 * k_stride + x, k_stride, left_columns, at);
            load_columns(right1, kc + j1 * k_stride + x, k_stride, right_columns, at);
            simdgroup_multiply_accumulate(scores[0], left0, right0, scores[0]);
            simdgroup_multiply_accumulate(scores[1], left0, right1, scores[1]);
            simdgroup_multiply_accumulate(scores[2], left1, right0, scores[2]);
            simdgroup_multiply_accumulate(scores[3], left1, right1, scores[3]);
        }
        simdgroup_bfloat8x8 gated[4];
        UNROLL for (uint c = 0; c < 2; c++) {
            const uint j = j0 + c * 8 + at.col;
            const float g_left = g_c[min(j, last) * shape.heads];
            const float g_right = g_c[min(j + 1, last) * shape.heads];
            UNROLL for (uint r = 0; r < 2; r++) {
                const uint i = row0 + r * 8 + at.row;
                const float left = scores[r * 2 + c].thread_elements()[0];
                const float right = scores[r * 2 + c].thread_elements()[1];
                gated[r * 2 + c] = tile_of<bfloat>(j <= i ? left * exp(g_i[r] - g_left) : 0.0f,
                                                   j + 1 <= i ? right * exp(g_i[r] - g_right) : 0.0f);
            }
        }
        UNROLL for (uint c = 0; c < tiles; c++) {
            simdgroup_bfloat8x8 right0;
            simdgroup_bfloat8x8 right1;
            load_rows(right0, vc + j0 * v_stride + c * 8, v_stride, left_columns, at);
            load_rows(right1, vc + j1 * v_stride + c * 8, v_stride, right_columns, at);
            simdgroup_multiply_accumulate(sum[c], gated[0], right0, sum[c]);
            simdgroup_multiply_accumulate(sum[c], gated[1], right1, sum[c]);
            simdgroup_multiply_accumulate(sum[16 + c], gated[2], right0, sum[16 + c]);
            simdgroup_multiply_accumulate(sum[16 + c], gated[3], right1, sum[16 + c]);
        }
    }

    device bfloat* oc = out + token_head * value_dim + v0;
    device float* oc_float = (device float*)out + token_head * value_dim + v0;
    UNROLL for (uint r = 0; r < 2; r++) {
        const uint i = row0 + r * 8;
        const uint rows = rows_from(i, length);
        if (rows > 0) {
            UNROLL for (uint c = 0; c < tiles; c++) {
                const float left = shape.scale * sum[r * 16 + c].thread_elements()[0];
                const float right = shape.scale * sum[r * 16 + c].thread_elements()[1];
                const uint to = i * v_stride + c * 8;
                if (float_output) {
                    store_rows(tile_of<float>(left, right), oc_float + to, v_stride, rows, at);
                } else {
                    store_rows(tile_of<bfloat>(left, right), oc + to, v_stride, rows, at);
                }
            }
        }
    }
}
