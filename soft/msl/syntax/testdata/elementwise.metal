#include <metal_stdlib>
#include <metal_math>
using namespace metal;

struct Abs {
  template <typename T> T operator()(T x) { return metal::abs(x); };
  template <> uint8_t operator()(uint8_t x) { return x; };
  template <> bool operator()(bool x) { return x; };
};

struct Sigmoid {
  template <typename T>
  T operator()(T x) {
    auto y = 1 / (1 + metal::exp(metal::abs(x)));
    return (x < 0) ? y : 1 - y;
  }
};

struct complex64_t {
  float real;
  float imag;
  constexpr complex64_t(float real, float imag) : real(real), imag(imag) {};
  constexpr complex64_t() : real(0), imag(0) {};
  template <typename T, typename = typename enable_if<is_convertible<T, float>::value>::type>
  constexpr complex64_t(T x) thread : real(x), imag(0) {}
  template <typename T>
  constexpr operator T() const thread { return static_cast<T>(real); }
  constexpr operator float() const constant { return real; }
};

constexpr complex64_t operator-(complex64_t x) { return {-x.real, -x.imag}; }
constexpr bool operator>=(complex64_t a, complex64_t b) { return (a.real > b.real) || (a.real == b.real && a.imag >= b.imag); }
constexpr complex64_t operator*(complex64_t a, complex64_t b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

template <typename T, typename U, typename Op, int N = 1>
[[kernel]] void unary_v(device const T* in, device U* out, constant uint& size, uint index [[thread_position_in_grid]]) {
  index *= N;
  if (N > 1 && index + N > size) {
    for (int i = 0; index + i < size; ++i) { out[index + i] = static_cast<U>(Op()(in[index + i])); }
  } else {
    for (int i = 0; i < N; ++i) { out[index + i] = Op()(in[index + i]); }
  }
}

template <typename T, typename U, typename Op>
[[kernel]] void binary_ss(device const T* a, device const T* b, device U* c, uint index [[thread_position_in_grid]]) {
  c[index] = Op{}(a[0], b[0]);
}

#define instantiate_unary(op, in_tname, in_type, out_type) \
  template [[host_name("v_" #op #in_tname)]] [[kernel]] void unary_v<in_type, out_type, op, 4>( \
    device const in_type*, device out_type*, constant uint&, uint);
#define instantiate_float(op) \
  instantiate_unary(op, float16, half, half) \
  instantiate_unary(op, float32, float, float)
#define instantiate_int(op) instantiate_unary(op, uint8, uint8_t, uint8_t) instantiate_unary(op, int64, int64_t, int64_t)
#define instantiate_types(op) instantiate_float(op) instantiate_int(op)
instantiate_types(Abs)
instantiate_float(Sigmoid)
