#include <metal_simdgroup>
#include <metal_stdlib>
constant bool align_M [[function_constant(200)]];
using namespace metal;
#define MLX_MTL_CONST static constant constexpr const
MLX_MTL_CONST int SIMD_SIZE = 32;

template <int bits, int wsize = 8>
inline constexpr short get_pack_factor() { return (bits == 3 || bits == 5) ? 8 : (bits == 6 ? 4 : wsize / bits); }

template <typename T, typename U, int values_per_thread, int bits>
inline U load_vector(const device T* x, thread U* x_thread) {
  static_assert(bits == 2 || bits == 3 || bits == 4 || bits == 5 || bits == 6 || bits == 8, "Template undefined for bits not in {2, 3, 4, 5, 6, 8}");
  U sum = 0;
  if (bits == 4) {
    for (int i = 0; i < values_per_thread; i += 4) {
      sum += x[i] + x[i + 1] + x[i + 2] + x[i + 3];
      x_thread[i] = x[i];
      x_thread[i + 1] = x[i + 1] / 16.0f;
    }
  } else if (bits == 8) {
    for (int i = 0; i < values_per_thread; i++) { sum += x[i]; x_thread[i] = x[i]; }
  }
  return sum;
}

template <typename T, short BROWS, short BCOLS, short dst_ld, short group_size, short bits>
struct QuantizedBlockLoader {
  static_assert(BCOLS <= group_size, "The group size should be larger than the columns");
  MLX_MTL_CONST short pack_factor = get_pack_factor<bits, 8>();
  MLX_MTL_CONST short BCOLS_PACKED = BCOLS / pack_factor;
  const int src_ld;
  short group_step_cnt;
  threadgroup T* dst;
  const device uint8_t* src;
  const device T* scales;

  QuantizedBlockLoader(const device uint8_t* src_, const device T* scales_, const int src_ld_, threadgroup T* dst_,
      ushort simd_group_id [[simdgroup_index_in_threadgroup]], ushort simd_lane_id [[thread_index_in_simdgroup]])
      : src_ld(src_ld_), group_step_cnt(0), dst(dst_ + simd_group_id * dst_ld), src(src_ + simd_lane_id * BCOLS_PACKED), scales{scales_} {}

  void load_unsafe() const {
    if (BCOLS_PACKED * BROWS < 128 && group_step_cnt >= BROWS) { return; }
    T scale = *scales;
    for (int i = 0; i < BCOLS_PACKED; i++) dequantize<T, pack_factor, bits>(src + i, scale, dst + i * pack_factor);
  }
  void next() { src += BCOLS_PACKED; scales++; }
  template <typename U, int N, int bits_>
  static void dequantize(const device uint8_t* w, U scale, threadgroup U* w_local) {
    U s[2] = {scale, scale / static_cast<U>(16.0f)};
    for (int i = 0; i < (N / 2); i++) { w_local[2 * i] = s[0] * (w[i] & 0x0f); w_local[2 * i + 1] = s[1] * (w[i] & 0xf0); }
  }
};

template <typename T, int group_size, int bits, bool batched>
[[kernel]] void affine_qmv(const device uint32_t* w, const device T* scales, const device T* x, device T* y, const constant int& in_vec_size,
    uint3 tid [[threadgroup_position_in_grid]], uint simd_gid [[simdgroup_index_in_threadgroup]], uint simd_lid [[thread_index_in_simdgroup]]) {
  constexpr int pack_factor = get_pack_factor<bits, 32>();
  constexpr int values_per_thread = pack_factor * (bits == 2 ? 1 : 2);
  typedef float U;
  thread U x_thread[values_per_thread];
  thread U result[4] = {0};
  const device uint8_t* ws = (const device uint8_t*)w;
  threadgroup T Ws[32 * 40];
  using loader_w_t = QuantizedBlockLoader<T, 32, 32, 40, group_size, bits>;
  thread loader_w_t loader_w(ws, scales, in_vec_size, Ws, simd_gid, simd_lid);
  for (int k = 0; k < in_vec_size; k += values_per_thread * SIMD_SIZE) {
    U sum = load_vector<T, U, values_per_thread, bits>(x, x_thread);
    for (int row = 0; row < 4; row++) { result[row] += sum * scales[row]; }
    loader_w.load_unsafe();
    loader_w.next();
  }
  for (int row = 0; row < 4; row++) { result[row] = simd_sum(result[row]); if (simd_lid == 0) y[row] = static_cast<T>(result[row]); }
}
#define instantiate_quantized(type, group_size, bits) \
  template [[host_name("affine_qmv_" #type "_gs_" #group_size "_b_" #bits)]] [[kernel]] \
  decltype(affine_qmv<type, group_size, bits, 0>) affine_qmv<type, group_size, bits, 0>;
#define instantiate_groups(bits) instantiate_quantized(float, 64, bits) instantiate_quantized(bfloat, 128, bits)
instantiate_groups(4)
instantiate_groups(8)
