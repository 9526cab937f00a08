#include <metal_stdlib>
using namespace metal;

template <typename InT, int Dk, int Dv, int Hk, int Hv, bool has_mask>
[[kernel]] void gated_delta_step(const device InT *q, const device InT *k, const device InT *v, const device InT *g,
    const device float *state_in, const device bool *mask, constant int &T, device InT *y, device float *state_out,
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]]) {
  auto n = thread_position_in_grid.z;
  auto b_idx = n / Hv;
  auto hv_idx = n % Hv;
  auto hk_idx = hv_idx / (Hv / Hk);
  constexpr int n_per_t = Dk / 32;
  auto q_ = q + b_idx * T * Hk * Dk + hk_idx * Dk;
  auto k_ = k + b_idx * T * Hk * Dk + hk_idx * Dk;
  y += b_idx * T * Hv * Dv + hv_idx * Dv;
  auto dk_idx = thread_position_in_threadgroup.x;
  auto dv_idx = thread_position_in_grid.y;
  auto i_state = state_in + (n * Dv + dv_idx) * Dk;
  auto o_state = state_out + (n * Dv + dv_idx) * Dk;
  float state[n_per_t];
  for (int i = 0; i < n_per_t; ++i) {
    auto s_idx = n_per_t * dk_idx + i;
    state[i] = static_cast<float>(i_state[s_idx]);
  }
  for (int t = 0; t < T; ++t) {
    if (!has_mask || mask[b_idx * T + t]) {
      float kv_mem = 0.0f;
      for (int i = 0; i < n_per_t; ++i) {
        auto s_idx = n_per_t * dk_idx + i;
        state[i] = state[i] * exp(float(g[hv_idx]));
        kv_mem += state[i] * k_[s_idx];
      }
      kv_mem = simd_sum(kv_mem);
      auto delta = (v[dv_idx] - kv_mem) * 0.5f;
      float out = 0.0f;
      for (int i = 0; i < n_per_t; ++i) {
        state[i] = state[i] + k_[i] * delta;
        out += state[i] * q_[i];
      }
      out = simd_sum(out);
      if (thread_index_in_simdgroup == 0) { y[dv_idx] = static_cast<InT>(out); }
    }
    q_ += Hk * Dk;
    k_ += Hk * Dk;
  }
  for (int i = 0; i < n_per_t; ++i) { o_state[n_per_t * dk_idx + i] = state[i]; }
}
template [[host_name("gds_bf16_128")]] kernel decltype(gated_delta_step<bfloat, 128, 128, 16, 32, false>) gated_delta_step<bfloat, 128, 128, 16, 32, false>;
