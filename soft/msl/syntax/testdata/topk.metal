#include <metal_stdlib>
using namespace metal;

template <typename T>
struct LessThan {
  static constexpr constant T init = metal::numeric_limits<T>::max();
  METAL_FUNC bool operator()(T a, T b) const { return a < b; }
};

template <typename val_t, typename idx_t, bool ARG_SORT, short BLOCK, short N_PER, typename CompareOp = LessThan<val_t>>
struct BlockSort {
  using less = CompareOp;
  static METAL_FUNC void swap(thread val_t &a, thread val_t &b) { val_t w = a; a = b; b = w; }
  static METAL_FUNC int merge_partition(const threadgroup val_t *As, const threadgroup val_t *Bs, short A_sz, short B_sz, short sort_md) {
    CompareOp op;
    short A_st = max(0, sort_md - B_sz);
    short A_ed = min(sort_md, A_sz);
    while (A_st < A_ed) {
      short md = A_st + (A_ed - A_st) / 2;
      if (op(Bs[sort_md - 1 - md], As[md])) { A_ed = md; } else { A_st = md + 1; }
    }
    return A_ed;
  }
  static void sort(threadgroup val_t *vals, int size, uint3 lid) {
    short idx = lid.x * N_PER;
    val_t v[N_PER];
    for (int j = 0; j < N_PER; j++) v[j] = vals[idx + j];
    for (int i = 0; i < N_PER; ++i) {
      _Pragma("unroll")
      for (int j = i & 1; j < N_PER - 1; j += 2) {
        if (less{}(v[j + 1], v[j])) { swap(v[j + 1], v[j]); }
      }
    }
    for (int merge_threads = 2; merge_threads <= BLOCK; merge_threads *= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      int merge_group = lid.x / merge_threads, merge_lane = lid.x % merge_threads;
      int part = merge_partition(vals, vals + merge_group, N_PER, N_PER, short(N_PER * merge_lane));
      (void)part;
    }
  }
};

template <typename T, typename U, bool ARG, short BLOCK, short N, typename sort_t = BlockSort<T, U, ARG, BLOCK, N>>
[[kernel, max_total_threads_per_threadgroup(BLOCK)]] void block_sort(const device T *in [[buffer(0)]], device U *out [[buffer(1)]],
    const constant int &size [[buffer(2)]], uint3 tid [[threadgroup_position_in_grid]], uint3 lid [[thread_position_in_threadgroup]]) {
  if constexpr (ARG) {
    threadgroup T tgp[BLOCK * N];
    sort_t::sort(tgp, size, lid);
    out[tid.x] = U(tgp[0]);
  } else {
    threadgroup typename sort_t::less dummy;
    out[tid.x] = U(0);
  }
}
template [[host_name("block_sort_f32")]] [[kernel]] decltype(block_sort<float, uint, true, 128, 4>) block_sort<float, uint, true, 128, 4>;
