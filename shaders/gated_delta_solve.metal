#include "gated_delta.h"
#include "tile.h"

// The 8x8 tiles of a lower triangle, row after row, each contiguous.
inline uint tile_at(uint row, uint column)
{
    return (row * (row + 1) / 2 + column) * 64;
}

// inverse = (I + A)^-1 of each chunk's 64x64 block. A is strictly lower; what is on and above its diagonal counts as zero.
//
// Blocked forward substitution on 8x8 tiles. A diagonal tile is nilpotent, A^8 = 0, so
// (I + A)^-1 = (I - A)(I + A^2)(I + A^4) is exact and needs no substitution. Below the diagonal, tile column by tile column,
// M_ij = -M_ii sum_{j<=e<i} A_ie M_ej. Columns are independent of each other: simdgroup s takes tile columns s and 7 - s, which
// balances their lengths. Grid: (chunks, H, B) threadgroups of 128. inverse may be A: all of A is read before the barrier.
kernel void gated_delta_solve(
    const device float* a [[buffer(0)]],
    device float* inverse [[buffer(1)]],
    constant GatedDeltaShape& shape [[buffer(2)]],
    uint3 group [[threadgroup_position_in_grid]],
    ushort simdgroup_index [[simdgroup_index_in_threadgroup]],
    ushort lane [[thread_index_in_simdgroup]])
{
    // -A below the diagonal, the inverse of I + A on it.
    threadgroup float tiles[36 * 64];

    const uint first = group.x * chunk_size;
    const uint length = min(chunk_size, shape.tokens - first);
    const uint rows = (length + 7) / 8;
    const TileLane at = tile_lane(lane);
    const uint stride = shape.heads * chunk_size;
    const ulong base = ((ulong(group.z) * shape.tokens + first) * shape.heads + group.y) * chunk_size;
    const device float* ac = a + base;
    device float* mc = inverse + base;

    for (uint half_index = 0; half_index < 2; half_index++) {
        const uint r = half_index == 0 ? simdgroup_index : 7 - simdgroup_index;
        if (r < rows) {
            const device float* row = ac + r * 8 * stride;
            for (uint c = 0; c < r; c++) {
                simdgroup_float8x8 tile;
                load_rows(tile, row + c * 8, stride, length - r * 8, at);
                tile = tile_of<float>(-tile.thread_elements()[0], -tile.thread_elements()[1]);
                simdgroup_store(tile, tiles + tile_at(r, c), 8);
            }
            simdgroup_float8x8 power1;
            simdgroup_float8x8 power2;
            simdgroup_float8x8 power4;
            load_rows(power1, row + r * 8, stride, length - r * 8, at);
            const float left = at.col < at.row ? power1.thread_elements()[0] : 0.0f;
            const float right = at.col + 1 < at.row ? power1.thread_elements()[1] : 0.0f;
            power1 = tile_of<float>(left, right);
            simdgroup_multiply(power2, power1, power1);
            simdgroup_multiply(power4, power2, power2);
            const simdgroup_float8x8 sum1 =
                tile_of<float>((at.row == at.col ? 1.0f : 0.0f) - left, (at.row == at.col + 1 ? 1.0f : 0.0f) - right);
            simdgroup_float8x8 sum3;
            simdgroup_float8x8 sum7;
            simdgroup_multiply_accumulate(sum3, sum1, power2, sum1);
            simdgroup_multiply_accumulate(sum7, sum3, power4, sum3);
            simdgroup_store(sum7, tiles + tile_at(r, r), 8);
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint half_index = 0; half_index < 2; half_index++) {
        const uint c = half_index == 0 ? simdgroup_index : 7 - simdgroup_index;
        for (uint r = 0; r < min(c, rows); r++) {
            store_rows(make_filled_simdgroup_matrix<float, 8, 8>(0.0f), mc + r * 8 * stride + c * 8, stride, length - r * 8, at);
        }
        simdgroup_float8x8 column[8]; // tile d is row c + d of the inverse
        UNROLL for (uint d = 0; d < 8; d++) {
            const uint r = c + d;
            if (r < rows) {
                simdgroup_float8x8 diagonal;
                simdgroup_load(diagonal, tiles + tile_at(r, r), 8);
                if (d == 0) {
                    column[0] = diagonal;
                } else {
                    simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
                    UNROLL for (uint e = 0; e < d; e++) {
                        simdgroup_float8x8 tile;
                        simdgroup_load(tile, tiles + tile_at(r, c + e), 8);
                        simdgroup_multiply_accumulate(sum, tile, column[e], sum);
                    }
                    simdgroup_multiply(column[d], diagonal, sum);
                }
                store_rows(column[d], mc + r * 8 * stride + c * 8, stride, length - r * 8, at);
            }
        }
    }
}
