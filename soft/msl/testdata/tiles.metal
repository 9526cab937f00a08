#include <metal_stdlib>
#include <metal_simdgroup>
#include <metal_simdgroup_matrix>

using namespace metal;

#define UNROLL _Pragma("clang loop unroll(full)")
#define CONST static constant constexpr const

constant bool align_m [[function_constant(200)]];
constant bool has_bias [[function_constant(201)]];
constant bool use_bias = is_function_constant_defined(has_bias) ? has_bias : false;

template <typename T>
struct AccumHelper { typedef float accum_type; };

template <>
struct AccumHelper<int> { typedef int accum_type; };

template <int N>
using Int = integral_constant<int, N>;

template <typename T, int kRows_, int kCols_>
struct BaseFrag {
  static_assert(kRows_ == 8 && kCols_ == 8, "only 8x8 fragments");
};

template <typename T>
struct BaseFrag<T, 8, 8> {
  CONST int kRows = 8;
  CONST int kCols = 8;
  CONST int kElems = (kRows * kCols) / 32;
  CONST int kElemRows = 1;
  CONST int kElemCols = 2;
  typedef metal::simdgroup_matrix<T, kRows, kCols> mat_type;
  typedef metal::vec<T, kElems> frag_type;

  METAL_FUNC static constexpr short2 get_coord(ushort lane [[thread_index_in_simdgroup]]) {
    const short qid = lane / 4;
    const short fm = (qid & 4) + ((lane / 2) % 4);
    const short fn = (qid & 2) * 2 + (lane % 2) * 2;
    return short2{fn, fm};
  }

  template <typename SrcPtr, typename StrX, typename StrY>
  METAL_FUNC static constexpr void load(thread frag_type& dst, SrcPtr src, StrX str_x, StrY str_y) {
    UNROLL
    for (short i = 0; i < kElemRows; i++) {
      UNROLL
      for (short j = 0; j < kElemCols; j++) {
        dst[i * kElemCols + j] = static_cast<T>(src[i * str_x + j * str_y]);
      }
    }
  }

  template <typename DstPtr>
  METAL_FUNC static constexpr void store(const thread frag_type& src, DstPtr dst, int str_x) {
    using U = metal::remove_cv_t<metal::remove_reference_t<decltype(dst[0])>>;
    UNROLL
    for (short j = 0; j < kElemCols; j++) dst[j] = static_cast<U>(src[j]);
    (void)str_x;
  }

  METAL_FUNC static constexpr void mma(thread frag_type& D, thread frag_type& A, thread frag_type& B, thread frag_type& C) {
    mat_type D_mat;
    mat_type A_mat;
    mat_type B_mat;
    mat_type C_mat;
    reinterpret_cast<thread frag_type&>(A_mat.thread_elements()) = A;
    reinterpret_cast<thread frag_type&>(B_mat.thread_elements()) = B;
    reinterpret_cast<thread frag_type&>(C_mat.thread_elements()) = C;
    simdgroup_multiply_accumulate(D_mat, A_mat, B_mat, C_mat);
    D = reinterpret_cast<thread frag_type&>(D_mat.thread_elements());
  }

  template <typename Op>
  METAL_FUNC static constexpr void row_reduce(thread const frag_type& inp, thread T* out) {
    T r = Op::apply(inp.x, inp.y);
    T q = simd_shuffle_xor(r, ushort(1));
    q = Op::apply(r, q);
    T s = simd_shuffle_xor(q, ushort(8));
    s = Op::apply(q, s);
    out[0] = Op::apply(out[0], s);
  }
};

struct MaxOp {
  template <typename T>
  METAL_FUNC static constexpr T apply(T x, T y) { return metal::max(x, y); }
};

struct SumOp {
  template <typename T>
  METAL_FUNC static constexpr T apply(T x, T y) { return x + y; }
};

template <typename T, int kTileRows_, int kTileCols_, class Frag_ = BaseFrag<T, 8, 8>>
struct Tile {
  using Frag_t = Frag_;
  using elem_type = T;
  CONST int kTileRows = kTileRows_;
  CONST int kTileCols = kTileCols_;
  CONST int kRows = kTileRows * Frag_t::kRows;
  CONST int kNumFrags = kTileRows * kTileCols;
  CONST int kElemsPerTile = kNumFrags * Frag_t::kElems;
  CONST int kRowsPerThread = kTileRows * Frag_t::kElemRows;

  typedef typename Frag_t::frag_type frag_type;
  frag_type val_frags[kNumFrags];

  METAL_FUNC Tile() thread {}

  METAL_FUNC constexpr void clear() {
    UNROLL
    for (short i = 0; i < kNumFrags; ++i) val_frags[i] = frag_type(0);
  }
  METAL_FUNC constexpr thread frag_type& frag_at(const short i, const short j) { return val_frags[i * kTileCols + j]; }
  METAL_FUNC constexpr const thread frag_type& frag_at(const short i, const short j) const { return val_frags[i * kTileCols + j]; }
  METAL_FUNC thread elem_type* elems() { return reinterpret_cast<thread elem_type*>(val_frags); }

  template <typename Op>
  METAL_FUNC void row_reduce(thread T vals[kRowsPerThread]) const {
    UNROLL
    for (short i = 0; i < kTileRows; ++i) {
      UNROLL
      for (short j = 0; j < kTileCols; ++j) Frag_t::template row_reduce<Op>(frag_at(i, j), &vals[i * Frag_t::kElemRows]);
    }
  }

  template <typename U, int w_x, int w_y, int str_x, int str_y>
  METAL_FUNC void load(const threadgroup U* src) {
    UNROLL
    for (short i = 0; i < kTileRows; ++i) {
      UNROLL
      for (short j = 0; j < kTileCols; ++j) {
        Frag_t::load(frag_at(i, j), &(src[(i * 8) * w_x * str_x + (j * 8) * w_y * str_y]), Int<str_x>{}.value, integral_constant<int, str_y>::value);
      }
    }
  }
  template <typename U>
  METAL_FUNC void store(device U* dst, const int ld) const {
    UNROLL
    for (short i = 0; i < kTileRows; ++i) {
      UNROLL
      for (short j = 0; j < kTileCols; ++j) Frag_t::store(frag_at(i, j), dst + i * 8 * ld + j * 8, ld);
    }
  }
};

template <typename T, typename U, int M, int N, int K, class FA, class FB>
METAL_FUNC void tile_matmad(thread Tile<T, M, N>& D, thread Tile<U, M, K, FA>& A, thread Tile<U, K, N, FB>& B, thread Tile<T, M, N>& C) {
  UNROLL
  for (short m = 0; m < M; ++m) {
    UNROLL
    for (short n = 0; n < N; ++n) {
      UNROLL
      for (short k = 0; k < K; ++k)
        Tile<T, M, N>::Frag_t::mma(D.frag_at(m, n), A.frag_at(m, k), B.frag_at(k, n), C.frag_at(m, n));
    }
  }
}

template <typename T, short BROWS, short BCOLS, short dst_ld, short tgp_size>
struct BlockLoader {
  CONST short vec_size = (BCOLS * BROWS) / tgp_size;
  CONST short TCOLS = BCOLS / vec_size;
  CONST short TROWS = tgp_size / TCOLS;
  const int src_ld;
  const short thread_idx;
  const short bi;
  const short bj;
  threadgroup T* dst;
  const device T* src;
  struct alignas(sizeof(T)) ReadVector { uint8_t v[sizeof(T) * vec_size]; };

  METAL_FUNC BlockLoader(const device T* src_, const int src_ld_, threadgroup T* dst_, ushort tid)
      : src_ld(src_ld_), thread_idx(tid), bi(thread_idx / TCOLS), bj(vec_size * (thread_idx % TCOLS)),
        dst(dst_ + bi * dst_ld + bj), src(src_ + bi * src_ld + bj) {}

  METAL_FUNC void load_unsafe() const {
    UNROLL
    for (short i = 0; i < BROWS; i += TROWS) {
      *((threadgroup ReadVector*)(&dst[i * dst_ld])) = *((const device ReadVector*)(&src[i * src_ld]));
    }
  }
  METAL_FUNC void next() { src += BCOLS; }
};

template <typename T, typename AccT = typename AccumHelper<T>::accum_type>
[[kernel, max_total_threads_per_threadgroup(32)]] void tile_gemm(
    const device T* A [[buffer(0)]], const device T* B [[buffer(1)]], device T* D [[buffer(2)]],
    const constant int& K [[buffer(3)]], device float* rowmax [[buffer(4)]],
    const device T* bias [[buffer(5), function_constant(use_bias)]],
    ushort lane [[thread_index_in_simdgroup]], uint3 tid [[threadgroup_position_in_grid]]) {
  threadgroup T As[16 * 16];
  threadgroup T Bs[16 * 16];
  using loader_t = BlockLoader<T, 16, 16, 16, 32>;
  thread loader_t la(A, K, As, lane);
  loader_t lb = loader_t(B, 16, Bs, lane);
  Tile<AccT, 2, 2> C;
  C.clear();
  const short2 xy = BaseFrag<AccT, 8, 8>::get_coord(lane);
  for (int k = 0; k < K; k += 16) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    la.load_unsafe();
    lb.load_unsafe();
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Tile<AccT, 2, 2> a;
    Tile<AccT, 2, 2> b;
    a.template load<T, 1, 1, 16, 1>(As + xy.y * 16 + xy.x);
    b.template load<T, 1, 1, 16, 1>(Bs + xy.y * 16 + xy.x);
    tile_matmad(C, a, b, C);
    la.next();
    lb.src += 16 * 16;
  }
  AccT best[2] = {numeric_limits<AccT>::lowest(), numeric_limits<AccT>::lowest()};
  C.template row_reduce<MaxOp>(best);
  if (use_bias) {
    UNROLL
    for (short i = 0; i < decltype(C)::kElemsPerTile; i++) C.elems()[i] += static_cast<AccT>(bias[0]);
  }
  if (align_m) C.store(D + xy.y * 16 + xy.x, 16);
  if (xy.x == 0) {
    rowmax[xy.y] = best[0];
    rowmax[8 + xy.y] = best[1];
  }
}

#define instantiate(tname, type) \
  template [[host_name("tile_gemm_" #tname)]] [[kernel]] decltype(tile_gemm<type>) tile_gemm<type>;

instantiate(float32, float)
instantiate(float16, half)

template <typename T>
struct Complex {
  T re, im;
  constexpr Complex(T r, T i) : re(r), im(i) {}
  constexpr Complex() : re(0), im(0) {}
  template <typename U, typename = typename enable_if<!is_same<U, Complex>::value && is_convertible<U, T>::value>::type>
  constexpr Complex(U x) thread : re(x), im(0) {}
  template <typename U, typename = typename enable_if<is_arithmetic<U>::value>::type>
  constexpr operator U() const thread { return static_cast<U>(re); }
  constexpr Complex operator-() const { return {-re, -im}; }
};
template <typename T>
constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
constexpr bool operator==(Complex<float> a, Complex<float> b) { return a.re == b.re && a.im == b.im; }

struct Select {
  template <typename T>
  T operator()(bool c, T a, T b) { return c ? a : b; }
  Complex<float> operator()(bool c, Complex<float> a, Complex<float> b) { return c ? a : b; }
};

template <typename T, typename Op>
[[kernel]] void ternary(device const bool* c, device const T* a, device const T* b, device T* d, uint i [[thread_position_in_grid]]) {
  d[i] = Op()(c[i], a[i], b[i]);
}
template [[host_name("ternary_float")]] [[kernel]] void ternary<float, Select>(device const bool*, device const float*, device const float*, device float*, uint);

template <typename... Ts>
struct Count { static constexpr constant int value = sizeof...(Ts); };

template <typename T>
T total(T x) { return x; }
template <typename T, typename... Rest>
T total(T x, Rest... rest) { return x + total(rest...); }

template <typename T, int bits>
inline T unpack(const device uint8_t* w, int i) {
  if (bits == 4) return T((w[i / 2] >> (4 * (i & 1))) & 0xf);
  else if (bits == 8) return T(w[i]);
  return T(0);
}

template <typename T, T (*F)(const device uint8_t*, int)>
kernel void apply(const device uint8_t* w [[buffer(0)]], device T* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Complex<float> z = Complex<float>(2.0f, 1.0f) * Complex<float>(0.0f, 1.0f);
  out[i] = F(w, i) * T(Count<int, float, T>::value) + T(total(1, 2, 3)) + T(float(z)) + T(z == z);
}
template [[host_name("apply_4")]] kernel void apply<float, unpack<float, 4>>(const device uint8_t*, device float*, uint);
template [[host_name("apply_8")]] kernel void apply<half, unpack<half, 8>>(const device uint8_t*, device half*, uint);
