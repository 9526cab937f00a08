// Metaprogramming in the manner of a templated GEMM library.
#include <metal_stdlib>
#pragma METAL internals : enable
#pragma once

#define STEEL_CONST static constant constexpr const
#define STEEL_PRAGMA_UNROLL _Pragma("clang loop unroll(full)")

namespace metal_ext {

template <typename T, T v>
struct integral {
  static constexpr constant T value = v;
  using value_type = T;
  using type = integral;
  METAL_FUNC constexpr operator value_type() const thread { return value; }
};

template <bool B>
using bool_c = integral<bool, B>;
using true_c = bool_c<true>;
using false_c = bool_c<false>;

template <int val>
using Int = integral<int, val>;

#define integral_binop(op, operator_op)                                     \
  template <typename T, T tv, typename U, U uv>                             \
  METAL_FUNC constexpr auto operator_op(integral<T, tv>, integral<U, uv>) { \
    constexpr auto res = tv op uv;                                          \
    return integral<decltype(res), res>{};                                  \
  }

integral_binop(+, operator+);
integral_binop(<, operator<);
integral_binop(&&, operator&&);
#undef integral_binop

template <typename T>
METAL_FUNC constexpr T sum(T x) { return x; }

template <typename T, typename... Us>
METAL_FUNC constexpr auto sum(T x, Us... us) { return x + sum(us...); }

template <typename... Ts>
constexpr int count() { return sizeof...(Ts); }

template <typename... Ts>
constexpr bool all(Ts... xs) { return (xs && ...) && (true && ... && xs); }

template <typename T>
struct is_integral_c : bool_c<metal::is_integral<T>::value> {};
template <typename T, T v>
struct is_integral_c<integral<T, v>> : bool_c<metal::is_integral<T>::value> {};

template <typename T>
constexpr constant bool is_integral_c_v = is_integral_c<T>::value;

template <typename T, typename _ = metal::enable_if_t<is_integral_c_v<T>>>
struct only_ints { T x; };

template <typename T, int kFragRows_, int kFragCols_>
struct BaseFrag {
  static_assert(kFragRows_ == 8, "Only 8 x 8 fragments");
  static_assert(kFragCols_ == 8);
};

template <typename T>
struct BaseFrag<T, 8, 8> {
  STEEL_CONST int kFragRows = 8;
  STEEL_CONST int kElems = (8 * 8) / 32;
  typedef metal::simdgroup_matrix<T, 8, 8> mat_type;
  typedef metal::vec<T, kElems> frag_type;

  METAL_FUNC static constexpr short2 get_coord(ushort simd_lane_id [[thread_index_in_simdgroup]]) {
    const short qid = simd_lane_id / 4;
    const short fm = (qid & 4) + ((simd_lane_id / 2) % 4);
    const short fn = (qid & 2) * 2 + (simd_lane_id % 2) * 2;
    return short2{fn, fm};
  }

  template <typename SrcPtrType, typename StrX, typename StrY>
  METAL_FUNC static constexpr void load(thread frag_type& dst, SrcPtrType src, StrX str_x, StrY str_y) {
    STEEL_PRAGMA_UNROLL
    for (short i = 0; i < 1; i++) {
      STEEL_PRAGMA_UNROLL
      for (short j = 0; j < 2; j++) {
        dst[i * 2 + j] = static_cast<T>(src[i * str_x + j * str_y]);
      }
    }
  }

  METAL_FUNC static constexpr void mma(thread frag_type& D, thread frag_type& A) {
    mat_type D_mat;
    reinterpret_cast<thread frag_type&>(D_mat.thread_elements()) = A;
    D = reinterpret_cast<thread frag_type&>(D_mat.thread_elements());
  }
};

template <typename T, int R_, int C_, class Frag_ = BaseFrag<T, 8, 8>>
struct Tile {
  using Frag = Frag_;
  using frag_type = typename Frag::frag_type;
  STEEL_CONST int kRows = R_;
  STEEL_CONST int kFrags = R_ * C_;
  frag_type val_frags[kFrags] = {frag_type(0)};

  METAL_FUNC Tile() thread {}

  METAL_FUNC constexpr thread frag_type& frag_at(const short i, const short j) { return val_frags[i * C_ + j]; }
  METAL_FUNC constexpr const thread frag_type& frag_at(const short i, const short j) const { return val_frags[i * C_ + j]; }

  template <typename U, int w_x, int w_y, int str_x, int str_y>
  METAL_FUNC void load(const threadgroup U* src) {
    for (short i = 0; i < R_; ++i)
      for (short j = 0; j < C_; ++j)
        Frag::load(frag_at(i, j), &(src[(i * 8) * w_x * str_x + (j * 8) * w_y * str_y]), Int<str_x>{}, Int<str_y>{});
  }

  template <typename Op>
  METAL_FUNC void row_reduce(thread metal::vec<T, R_>& vals) const {
    for (short i = 0; i < R_; ++i) {
      if constexpr (R_ > 1) { vals[i] = Op::template apply<T>(vals[i], frag_at(i, 0)[0]); }
      else if constexpr (is_integral_c_v<T>) vals[i] = Op::apply(vals[i], 0);
    }
  }
};

struct MaxOp {
  template <typename T>
  METAL_FUNC static constexpr T apply(T x, T y) { return metal::max(x, y); }
};

template <typename InT>
struct TransformNone {
  static METAL_FUNC InT apply(InT x, InT) { return x; }
};

} // namespace metal_ext

using namespace metal;
using namespace metal_ext;

template <typename T, int BQ, int BK, int BD, typename MaskType = float, typename AccumType = float>
[[kernel, max_total_threads_per_threadgroup(32 * 4)]] void attend(const device T* Q [[buffer(0)]], device T* O [[buffer(3)]],
    uint simd_lane_id [[thread_index_in_simdgroup]], uint3 tid [[threadgroup_position_in_grid]]) {
  constexpr short padQ = 16 / sizeof(T);
  constexpr short LDQ = BD + padQ;
  threadgroup T Q_smem[BQ * (BD + padQ)];
  threadgroup T* Qs = Q_smem;
  Tile<AccumType, BQ / 8, BK / 8> St;
  using stile_t = decltype(St);
  using selem_t = typename stile_t::frag_type;
  constexpr auto neg_inf = numeric_limits<float>::lowest();
  vec<AccumType, stile_t::kRows> max_score;
  St.template row_reduce<MaxOp>(max_score);
  St.load<T, 1, 1, LDQ, 1>(&Qs[simd_lane_id]);
  AccumType factor = St.val_frags[0][0] < max_score[0] ? 1 : 2;
  for (short i = 0; i < decltype(St)::kFrags; i++) { factor += decltype(St)::kRows; }
  for (short j = 0; j < stile_t::Frag::kElems; j++) { factor += stile_t::Frag::kFragRows; }
  O[tid.x] = T(factor);
}

#define instantiate_kernel(name, func, ...) \
  template [[host_name(name)]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;
#define instantiate_attn(tname, dtype, bq, bk, bd) \
  instantiate_kernel("attend_" #tname "_bq" #bq "_bd" #bd, attend, dtype, bq, bk, bd, bool, float)
instantiate_attn(f16, half, 32, 16, 128)
instantiate_attn(f32, float, 32, 32, 64)
