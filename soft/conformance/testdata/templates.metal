#include <metal_stdlib>
using namespace metal;

template <typename T> T twice(T x) { return x + x; }
template <typename T, typename U> T convert_sum(U a, U b) { return T(a + b); }
constexpr int square(int x) { return x * x; }
template <int N> int power(int x) { int r = 1; for (int j = 0; j < N; ++j) r *= x; return r; }
template <typename T, int N> struct Array {
    T v[N];
    static constexpr constant int size = N;
    thread T& operator[](int i) thread { return v[i]; }
    T operator[](int i) const thread { return v[i]; }
};
template <typename T, int N> T total(thread const Array<T, N>& a) {
    T s = T(0);
    for (int j = 0; j < N; ++j) s += a[j];
    return s;
}

int plus(int a, int b) { return a + b; }
int minus(int a, int b) { return a - b; }
template <int (*F)(int, int)> int fold(int n) { int s = 100; for (int j = 1; j <= n; ++j) s = F(s, j); return s; }

template <typename T> struct Name { static int id() { return 0; } };
template <> struct Name<int> { static int id() { return 1; } };
template <> struct Name<float> { static int id() { return 2; } };
template <typename T> struct Name<device T*> { static int id() { return 10 + Name<T>::id(); } };
template <typename T, int N> struct Name<vec<T, N>> { static int id() { return 100 * N + Name<T>::id(); } };

template <typename T> int kind(T) { return 0; }
template <> int kind<half>(half) { return 7; }
template <typename T> int shape(T) { return 1; }
template <typename T> int shape(thread T*) { return 2; }
template <typename T> int shape(vec<T, 3>) { return 3; }
int shape(int) { return 4; }

template <typename T, T V> struct Constant { static constexpr constant T value = V; };

template <typename First> First sum_all(First f) { return f; }
template <typename First, typename... Rest> First sum_all(First f, Rest... r) { return f + sum_all(r...); }

template <bool B> int branch(int x) {
    if constexpr (B) { return x + 1; } else { return x - 1; }
}

template <typename T> using Pointer = device T*;
template <typename T, typename = enable_if_t<is_integral_v<T>>> int integral(T) { return 1; }
template <typename T, typename = enable_if_t<is_floating_point_v<T>>, int = 0> int integral(T) { return 2; }

template <int N> int fibonacci() { return fibonacci<N - 1>() + fibonacci<N - 2>(); }
template <> int fibonacci<0>() { return 0; }
template <> int fibonacci<1>() { return 1; }

kernel void functions(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Pointer<int> o = out + i * 24;
    int x = int(i);
    o[0] = twice(x);
    o[1] = int(twice(1.5f) + twice<float>(2));
    o[2] = convert_sum<int>(1.75f, 1.5f);
    o[3] = power<3>(x % 10);
    Array<int, 5> a;
    for (int j = 0; j < a.size; ++j) a[j] = x + j;
    o[4] = total(a) * 10 + Array<float, 3>::size;
    o[5] = fold<plus>(x % 5);
    o[6] = fold<minus>(x % 5);
    o[7] = Name<int>::id() + Name<float>::id() * 10;
    o[8] = Name<device float*>::id() + Name<uchar>::id();
    o[9] = Name<float4>::id();
    o[10] = kind(x) + kind(half(1)) * 10;
    o[11] = shape(x);
    o[12] = shape(1.0f);
    o[13] = shape(&x);
    o[14] = shape(float3(0));
    o[15] = Constant<int, 42>::value;
    o[16] = sum_all(1, 2, 3, x);
    o[17] = branch<true>(x) * 1000 + branch<false>(x);
    o[18] = integral(x) * 10 + integral(1.0f);
    o[19] = fibonacci<10>();
    o[20] = is_same_v<int, int32_t> * 10 + is_same<float, half>::value;
    o[21] = sizeof(Array<half4, 3>);
    constexpr int n = square(1) + 2;
    int local[n] = {};
    o[22] = int(sizeof(local)) + local[n - 1];
    auto z = twice(short(x));
    o[23] = sizeof(z);
}

template <typename T, int N>
kernel void scale(device T* out [[buffer(0)]], device const T* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = a[i] * T(N);
}

template [[host_name("scale_int_3")]] kernel void scale<int, 3>(device int*, device const int*, uint);
template [[host_name("scale_float_5")]] kernel void scale<float, 5>(device float*, device const float*, uint);

#define instantiate(name, type) \
    template [[host_name("scale_" #name)]] kernel decltype(scale<type, 2>) scale<type, 2>;
instantiate(short_2, short)
instantiate(uchar_2, uint8_t)

template <typename T, typename Op>
kernel void transform(device T* out [[buffer(0)]], device const T* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = Op()(a[i]);
}

struct Negate { template <typename T> T operator()(T x) { return -x; } };
struct AddOne { template <typename T> T operator()(T x) { return x + T(1); } };
typedef decltype(transform<int, Negate>) transform_int;
template [[host_name("negate_int")]] kernel transform_int transform<int, Negate>;
template [[host_name("add_one_int")]] kernel transform_int transform<int, AddOne>;
