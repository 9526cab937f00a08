// Turns of speech of compute libraries written in Metal: quantised blocks, kernels by the macro, reductions by a functor.
#include <metal_stdlib>
using namespace metal;

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FOR_UNROLL(x) _Pragma("clang loop unroll(full)") for (x)
#define SIMD_WIDTH 32
typedef bfloat bfloat16_t;
typedef half float16_t;
typedef matrix<half, 4, 4> half4x4_t;

// Quantised blocks and a dequantiser as template argument.
#define BLOCK 32
typedef struct {
    half d;
    int8_t qs[BLOCK];
} block_8;
typedef struct {
    half d;
    half m;
    uint8_t qs[BLOCK / 2];
} block_4;
static_assert(sizeof(block_8) == sizeof(half) + BLOCK, "wrong block size");

template <typename type4x4>
void dequantize_8(device const block_8* xb, short il, thread type4x4& reg) {
    device const int8_t* qs = ((device const int8_t*)xb->qs);
    const float d = xb->d;
    float4x4 reg_f;
    for (int i = 0; i < 16; i++) {
        reg_f[i / 4][i % 4] = (qs[i + 16 * il] * d);
    }
    reg = (type4x4)reg_f;
}

template <typename type4x4>
void dequantize_4(device const block_4* xb, short il, thread type4x4& reg) {
    device const uint16_t* qs = ((device const uint16_t*)xb + 2);
    const float d1 = il ? (xb->d / 16.h) : xb->d;
    const float d2 = d1 / 256.f;
    const float m = xb->m;
    const ushort mask0 = il ? 0x00F0 : 0x000F;
    const ushort mask1 = mask0 << 8;
    FOR_UNROLL (int i = 0; i < 8; i++) {
        reg[i / 2][2 * (i % 2) + 0] = d1 * (qs[i] & mask0) + m;
        reg[i / 2][2 * (i % 2) + 1] = d2 * (qs[i] & mask1) + m;
    }
}

template <typename block_q, short nl, void (*dequantize_func)(device const block_q*, short, thread float4x4&)>
kernel void get_rows(device float* dst [[buffer(0)]], device const void* src [[buffer(1)]], constant int64_t& ne [[buffer(2)]],
                     uint tid[[thread_position_in_grid]]) {
    const int64_t ind = tid;
    if (ind >= ne) { return; }
    float4x4 temp;
    dequantize_func(((device const block_q*)src) + ind / nl, ind % nl, temp);
    *(((device float4x4*)dst) + ind) = temp;
}
typedef decltype(get_rows<block_8, 2, dequantize_8>) get_rows_t;
template [[host_name("get_rows_8")]] kernel get_rows_t get_rows<block_8, 2, dequantize_8>;
template [[host_name("get_rows_4")]] kernel decltype(get_rows<block_4, 2, dequantize_4>) get_rows<block_4, 2, dequantize_4>;

// Strides in bytes, as ggml has them.
typedef struct {
    int32_t ne00;
    uint64_t nb01;
    uint64_t nb1;
    float eps;
} norm_args;

kernel void rms_norm(constant norm_args& args, device const char* src0, device char* dst, threadgroup float* shmem_f32 [[threadgroup(0)]],
                     uint3 tgpig[[threadgroup_position_in_grid]], ushort3 tpitg[[thread_position_in_threadgroup]],
                     ushort sgitg[[simdgroup_index_in_threadgroup]], ushort tiisg[[thread_index_in_simdgroup]],
                     ushort3 ntg[[threads_per_threadgroup]]) {
    if (sgitg == 0) {
        shmem_f32[tiisg] = 0.0f;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    device const float4* x = (device const float4*)(src0 + tgpig.x * args.nb01);
    float sumf = 0.0f;
    for (int i00 = tpitg.x; i00 < args.ne00 / 4; i00 += ntg.x) {
        sumf += dot(x[i00], x[i00]);
    }
    sumf = simd_sum(sumf);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tiisg == 0) {
        shmem_f32[sgitg] = sumf;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sumf = shmem_f32[tiisg];
    sumf = simd_sum(sumf);
    const float mean = sumf / args.ne00;
    const float scale = 1.0f / sqrt(mean + args.eps);
    device float4* y = (device float4*)(dst + tgpig.x * args.nb1);
    for (int i00 = tpitg.x; i00 < args.ne00 / 4; i00 += ntg.x) {
        y[i00] = (x[i00] * scale);
    }
}

// Functors and limits.
template <typename U> struct Limits {
    static const constant U max = metal::numeric_limits<U>::max();
    static const constant U min = metal::numeric_limits<U>::min();
    static const constant U finite_min = metal::numeric_limits<U>::min();
};
#define instantiate_float_limit(type)                                                   \
    template <> struct Limits<type> {                                                   \
        static constexpr constant type max = metal::numeric_limits<type>::infinity();   \
        static constexpr constant type min = -metal::numeric_limits<type>::infinity();  \
        static constexpr constant type finite_min = -metal::numeric_limits<type>::max(); \
    };
instantiate_float_limit(half)
instantiate_float_limit(float)

template <typename U = float> struct Sum {
    template <typename T> T simd_reduce(T val) { return simd_sum(val); }
    static constexpr constant U init = U(0);
    template <typename T> U operator()(T a, U b) { return static_cast<U>(a) + b; }
};
template <typename U> struct Max {
    template <typename T> enable_if_t<metal::is_integral_v<T>, T> simd_reduce(T val) { return simd_max(val); }
    template <typename T> enable_if_t<!metal::is_integral_v<T>, T> simd_reduce(T val) {
        if (simd_any(val != val)) { return static_cast<T>(NAN); }
        return simd_max(val);
    }
    static constexpr constant U init = Limits<U>::min;
    template <typename T> U operator()(T a, U b) { return MAX(static_cast<U>(a), b); }
};

template <typename T, typename U, typename Op, int N_READS = 4>
[[kernel]] void row_reduce(const device T* in [[buffer(0)]], device U* out [[buffer(1)]], const constant size_t& row_size [[buffer(2)]],
                           uint3 gid [[threadgroup_position_in_grid]], uint3 lid [[thread_position_in_threadgroup]],
                           uint3 lsize [[threads_per_threadgroup]], uint simd_lane_id [[thread_index_in_simdgroup]],
                           uint simd_group_id [[simdgroup_index_in_threadgroup]]) {
    Op op;
    threadgroup U shared_vals[SIMD_WIDTH];
    U total = Op::init;
    in += gid.y * row_size;
    for (size_t r = lid.x * N_READS; r < row_size; r += lsize.x * N_READS) {
        U vals[N_READS];
        for (int i = 0; i < N_READS; i++) {
            vals[i] = (r + i < row_size) ? U(in[r + i]) : Op::init;
        }
        for (int i = 0; i < N_READS; i++) {
            total = op(vals[i], total);
        }
    }
    total = op.simd_reduce(total);
    if (simd_lane_id == 0) {
        shared_vals[simd_group_id] = total;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd_group_id == 0) {
        total = simd_lane_id < (lsize.x + SIMD_WIDTH - 1) / SIMD_WIDTH ? shared_vals[simd_lane_id] : Op::init;
        total = op.simd_reduce(total);
        if (lid.x == 0) {
            out[gid.y] = total;
        }
    }
}

#define instantiate_kernel(name, func, ...) \
    template [[host_name(name)]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;
#define instantiate_row_reduce(name, itype, otype, op) \
    instantiate_kernel("row_reduce_" #name, row_reduce, itype, otype, op<otype>)
instantiate_row_reduce(sum_f32, float, float, Sum)
instantiate_row_reduce(max_f32, float, float, Max)
instantiate_row_reduce(sum_i8, int8_t, int, Sum)
instantiate_row_reduce(max_i32, int32_t, int32_t, Max)
instantiate_row_reduce(max_f16, float16_t, float16_t, Max)

// Index arithmetic with strides in constant memory.
template <typename IdxT = int64_t>
METAL_FUNC IdxT elem_to_loc(IdxT elem, constant const int* shape, constant const int64_t* strides, int ndim) {
    IdxT loc = 0;
    for (int i = ndim - 1; i >= 0 && elem > 0; --i) {
        loc += (elem % shape[i]) * IdxT(strides[i]);
        elem /= shape[i];
    }
    return loc;
}

kernel void copy_general(device const float* src [[buffer(0)]], device float* dst [[buffer(1)]], constant const int* shape [[buffer(2)]],
                         constant const int64_t* strides [[buffer(3)]], constant const int& ndim [[buffer(4)]],
                         uint index [[thread_position_in_grid]]) {
    dst[index] = src[elem_to_loc<int64_t>(index, shape, strides, ndim)];
}

// Conversion operators by address space and arithmetic on a struct.
struct fixed8 {
    short v;
    fixed8() thread = default;
    fixed8(float f) thread : v(short(f * 256.0f)) {}
    fixed8(float f) device : v(short(f * 256.0f)) {}
    operator float() const thread { return float(v) / 256.0f; }
    operator float() const device { return float(v) / 256.0f; }
};
inline fixed8 operator*(fixed8 a, fixed8 b) { return static_cast<fixed8>(static_cast<float>(a) * static_cast<float>(b)); }

kernel void fixed_square(device fixed8* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    fixed8 a = x[i];
    fixed8 p = a * a;
    x[i] = p;
}
