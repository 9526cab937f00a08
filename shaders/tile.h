// 8x8 simdgroup matrices at the ragged end of a tensor: rows that do not exist are zero and are never read.
#pragma once

#include <metal_stdlib>
using namespace metal;

// Tells the optimiser that a loop's index selects registers, so the loop must disappear.
#define UNROLL _Pragma("clang loop unroll(full)")

// The place of a lane in an 8x8 matrix: it holds elements (row, col) and (row, col + 1).
struct TileLane {
    ushort row;
    ushort col;
};

inline TileLane tile_lane(ushort lane)
{
    const ushort quad = lane / 4;
    TileLane at;
    at.row = (quad & 4) + (lane / 2) % 4;
    at.col = (quad & 2) * 2 + (lane % 2) * 2;
    return at;
}

// m[r][c] = p[r * stride + c] for r < rows, otherwise 0.
template <typename T>
inline void load_rows(thread simdgroup_matrix<T, 8, 8>& m, const device T* p, uint stride, uint rows, TileLane at)
{
    if (rows >= 8) {
        simdgroup_load(m, p, stride);
        return;
    }
    T left = T(0.0f);
    T right = T(0.0f);
    if (at.row < rows) {
        left = p[at.row * stride + at.col];
        right = p[at.row * stride + at.col + 1];
    }
    m.thread_elements()[0] = left;
    m.thread_elements()[1] = right;
}

// m[r][c] = p[c * stride + r] for c < columns, otherwise 0: the transpose of what load_rows reads.
template <typename T>
inline void load_columns(thread simdgroup_matrix<T, 8, 8>& m, const device T* p, uint stride, uint columns, TileLane at)
{
    if (columns >= 8) {
        simdgroup_load(m, p, stride, ulong2(0, 0), true);
        return;
    }
    T left = T(0.0f);
    T right = T(0.0f);
    if (at.col < columns) {
        left = p[at.col * stride + at.row];
    }
    if (at.col + 1u < columns) {
        right = p[(at.col + 1) * stride + at.row];
    }
    m.thread_elements()[0] = left;
    m.thread_elements()[1] = right;
}

// p[r * stride + c] = m[r][c] for r < rows.
template <typename T>
inline void store_rows(simdgroup_matrix<T, 8, 8> m, device T* p, uint stride, uint rows, TileLane at)
{
    if (rows >= 8) {
        simdgroup_store(m, p, stride);
    } else if (at.row < rows) {
        p[at.row * stride + at.col] = m.thread_elements()[0];
        p[at.row * stride + at.col + 1] = m.thread_elements()[1];
    }
}

// p[c * stride + r] = m[r][c] for c < columns.
template <typename T>
inline void store_columns(simdgroup_matrix<T, 8, 8> m, device T* p, uint stride, uint columns, TileLane at)
{
    if (columns >= 8) {
        simdgroup_store(m, p, stride, ulong2(0, 0), true);
        return;
    }
    if (at.col < columns) {
        p[at.col * stride + at.row] = m.thread_elements()[0];
    }
    if (at.col + 1u < columns) {
        p[(at.col + 1) * stride + at.row] = m.thread_elements()[1];
    }
}

// The elements of a lane as a matrix, rounded to its type.
template <typename T>
inline simdgroup_matrix<T, 8, 8> tile_of(float left, float right)
{
    simdgroup_matrix<T, 8, 8> m;
    m.thread_elements()[0] = T(left);
    m.thread_elements()[1] = T(right);
    return m;
}

// m rounded to another type.
template <typename T>
inline simdgroup_matrix<T, 8, 8> tile_as(simdgroup_float8x8 m)
{
    return tile_of<T>(m.thread_elements()[0], m.thread_elements()[1]);
}

// How many of the rows that begin at `first` exist, of `length`.
inline uint rows_from(uint first, uint length)
{
    return first < length ? length - first : 0;
}
