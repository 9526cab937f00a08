#include <metal_stdlib>
using namespace metal;
#define DEFINE_SIMD template <typename T, metal::enable_if_t<sizeof(T) < 8, bool> = true> T simd_reduce(T val) { return simd_sum(val); }

namespace ops { namespace detail { constant int width = 32; } }
namespace ops::scan {
template <typename U>
struct CumSum {
  DEFINE_SIMD
  static constexpr constant U init = static_cast<U>(0);
  template <typename T> U operator()(U a, T b) { return a + b; }
  U simd_scan(U x) { return simd_prefix_inclusive_sum(x); }
};
}

template <typename T, typename U, int N_READS>
inline void load_unsafe(U values[N_READS], const device T *input) {
  for (int i = 0; i < N_READS; i++) values[i] = input[i];
}

template <typename T, typename U, typename Op, int N_READS, bool inclusive, bool reverse>
[[kernel]] void contiguous_scan(const device T *in [[buffer(0)]], device U *out [[buffer(1)]], const constant size_t &axis_size [[buffer(2)]],
    uint3 lid [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  Op op;
  U prefix = Op::init;
  U values[N_READS];
  threadgroup U simdgroup_sums[32];
  for (uint r = 0; r < ceildiv(axis_size, N_READS * 32ul); r++) {
    uint offset = r * 32 * N_READS + lid.x * N_READS;
    if (reverse) { load_unsafe<T, U, N_READS>(values, in + axis_size - offset - N_READS); }
    else load_unsafe<T, U, N_READS>(values, in + offset);
    for (int i = 1; i < N_READS; i++) { values[i] = op(values[i], values[i - 1]); }
    U prev_thread = op.simd_scan(values[N_READS - 1]);
    if (lane == ops::detail::width - 1) simdgroup_sums[sg] = op(prev_thread, values[N_READS - 1]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (sg == 0) simdgroup_sums[lane] = simd_prefix_exclusive_sum(simdgroup_sums[lane]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = 0; i < N_READS; i++) {
      values[i] = op(values[i], prefix);
      values[i] = op(values[i], simdgroup_sums[sg]);
    }
    if (inclusive ? offset < axis_size : offset + 1 < axis_size) out[offset] = values[0];
    prefix = simd_broadcast(prev_thread, ushort(31));
  }
}
template [[host_name("scan_f")]] [[kernel]] void contiguous_scan<float, float, ops::scan::CumSum<float>, 4, true, false>(
    const device float *in [[buffer(0)]], device float *out [[buffer(1)]], const constant size_t &axis_size [[buffer(2)]],
    uint3 lid [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]);
