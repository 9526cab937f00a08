#include <metal_stdlib>
using namespace metal;

constant bool forward [[function_constant(1)]];
constant bool traditional [[function_constant(2)]];

template <typename T, bool with_freqs, int N = 4>
void rope_impl(const device T* in, device T* out, const constant int64_t* strides, const constant int64_t (&shape)[3],
               float inv_freq, uint3 pos, uint3 grid) {
  float L = pos.y;
  float theta = L * inv_freq;
  float costheta = metal::fast::cos(theta);
  float sintheta = metal::fast::sin(theta);
  size_t in_index_1, in_index_2;
  if (traditional) {
    in_index_1 = 2 * pos.x + pos.y * strides[1] + pos.z * strides[0];
    in_index_2 = in_index_1 + strides[2];
  } else {
    in_index_1 = pos.x + pos.y * strides[1];
    in_index_2 = in_index_1 + grid.x;
  }
  for (int i = 0; i < N && pos.z * N + i < grid.z; ++i) {
    float x1 = static_cast<float>(in[in_index_1]);
    float x2 = static_cast<float>(in[in_index_2]);
    float rx1, rx2;
    if (forward) {
      rx1 = x1 * costheta - x2 * sintheta;
      rx2 = x1 * sintheta + x2 * costheta;
    } else {
      rx1 = x2 * sintheta + x1 * costheta;
      rx2 = x2 * costheta - x1 * sintheta;
    }
    out[in_index_1] = static_cast<T>(rx1);
    out[in_index_2] = static_cast<T>(rx2);
  }
}

template <typename T, int N = 4>
[[kernel]] void rope(const device T* in [[buffer(0)]], device T* out [[buffer(1)]], constant const float& base [[buffer(2)]],
                     const constant int64_t* strides [[buffer(3)]], constant int64_t (&shape)[3] [[buffer(4)]],
                     uint3 pos [[thread_position_in_grid]], uint3 grid [[threads_per_grid]]) {
  float d = static_cast<float>(pos.x) / static_cast<float>(grid.x);
  float inv_freq = metal::exp2(-d * base);
  rope_impl<T, false, N>(in, out, strides, shape, inv_freq, pos, grid);
}

#define instantiate_rope(name, type) \
  template [[host_name("rope_" #name)]] [[kernel]] decltype(rope<type>) rope<type>; \
  template [[host_name("rope1_" #name)]] [[kernel]] decltype(rope<type, 1>) rope<type, 1>;

#define instantiate_all(F) F(float16, half) F(float32, float) F(bfloat16, bfloat)
instantiate_all(instantiate_rope)
