#include <metal_stdlib>
#include <metal_simdgroup>
using namespace metal;

#define SIMD_SIZE 32
#define UNROLL _Pragma("clang loop unroll(full)")

template <typename T, typename AccT = float, int N_READS = 4>
[[kernel]] void softmax_row(
    const device T* in [[buffer(0)]],
    device T* out [[buffer(1)]],
    constant int& axis_size [[buffer(2)]],
    uint gid [[threadgroup_position_in_grid]],
    uint lid [[thread_position_in_threadgroup]],
    uint lsize [[threads_per_threadgroup]],
    uint simd_lane_id [[thread_index_in_simdgroup]],
    uint simd_group_id [[simdgroup_index_in_threadgroup]]) {
  threadgroup AccT local_max[SIMD_SIZE];
  threadgroup AccT local_norm[SIMD_SIZE];
  AccT ld[N_READS];
  in += gid * size_t(axis_size) + lid * N_READS;
  if (lid * N_READS + N_READS <= uint(axis_size)) {
    UNROLL for (int i = 0; i < N_READS; i++) { ld[i] = AccT(in[i]); }
  } else {
    for (int i = 0; i < N_READS; i++)
      ld[i] = (lid * N_READS + i) < uint(axis_size) ? AccT(in[i]) : -numeric_limits<AccT>::max();
  }
  if (simd_group_id == 0) {
    local_max[simd_lane_id] = -INFINITY;
    local_norm[simd_lane_id] = 0;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  AccT maxval = numeric_limits<AccT>::lowest();
#pragma unroll
  for (int i = 0; i < N_READS; i++) {
    maxval = (maxval < ld[i]) ? ld[i] : maxval;
  }
  maxval = simd_max(maxval);
  if (simd_lane_id == 0) { local_max[simd_group_id] = maxval; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  maxval = simd_max(local_max[simd_lane_id]);
  AccT normalizer = 0;
  for (int i = 0; i < N_READS; i++) {
    AccT e = fast::exp(ld[i] - maxval);
    ld[i] = e;
    normalizer += e;
  }
  normalizer = simd_sum(normalizer);
  if (simd_lane_id == 0) local_norm[simd_group_id] = normalizer;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  normalizer = 1 / simd_sum(local_norm[simd_lane_id]);
  out += gid * size_t(axis_size) + lid * N_READS;
  for (int i = 0; i < N_READS && lid * N_READS + i < uint(axis_size); i++) out[i] = T(ld[i] * normalizer);
}

#define instantiate_softmax(name, itype)                                  \
  template [[host_name("softmax_" #name)]] [[kernel]] void                \
  softmax_row<itype>(                                                     \
      const device itype* in [[buffer(0)]],                               \
      device itype* out [[buffer(1)]],                                    \
      constant int& axis_size [[buffer(2)]],                              \
      uint gid [[threadgroup_position_in_grid]],                          \
      uint lid [[thread_position_in_threadgroup]],                        \
      uint lsize [[threads_per_threadgroup]],                             \
      uint simd_lane_id [[thread_index_in_simdgroup]],                    \
      uint simd_group_id [[simdgroup_index_in_threadgroup]]);

instantiate_softmax(float32, float)
instantiate_softmax(float16, half)
#if defined(__HAVE_BFLOAT__) && __METAL_VERSION__ >= 310
instantiate_softmax(bfloat16, bfloat)
#endif
