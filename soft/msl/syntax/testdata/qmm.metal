#include <metal_stdlib>
using namespace metal;

#define QK4_0 32
#define QR4_0 2
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define FOR_UNROLL(x) _Pragma("clang loop unroll(full)") for (x)

typedef struct {
    half    d;
    uint8_t qs[QK4_0 / 2];
} block_q4_0;
static_assert(sizeof(block_q4_0) == sizeof(half) + QK4_0 / 2, "wrong q4_0 block size");

typedef struct block_q8_0 {
    half d;
    int8_t qs[32];
} block_q8_0;

template <typename type4x4>
void dequantize_q4_0(device const block_q4_0 *xb, short il, thread type4x4 & reg) {
    device const uint16_t * qs = ((device const uint16_t *)xb + 1);
    const float d1 = il ? (xb->d / 16.h) : xb->d;
    const float d2 = d1 / 256.f;
    const float md = -8.h * xb->d;
    const ushort mask0 = il ? 0x00F0 : 0x000F;
    const ushort mask1 = mask0 << 8;
    float4x4 reg_f;
    for (int i = 0; i < 8; i++) {
        reg_f[i/2][2*(i%2) + 0] = d1 * (qs[i] & mask0) + md;
        reg_f[i/2][2*(i%2) + 1] = d2 * (qs[i] & mask1) + md;
    }
    reg = (type4x4) reg_f;
}

template <typename type4x4>
void dequantize_q8_0(device const block_q8_0 * xb, short il, thread type4x4 & reg) {
    device const int8_t * qs = ((device const int8_t *)xb->qs);
    const float d = xb->d;
    for (int i = 0; i < 16; i++) { reg[i/4][i%4] = (qs[i + 16*il] * d); }
}

template<typename T, typename T4x4, typename S8x8, typename block_q, short nl, void (*dequantize_func)(device const block_q *, short, thread T4x4 &)>
kernel void kernel_mul_mm(
        device const char * src0 [[buffer(0)]],
        device const char * src1 [[buffer(1)]],
        device       char * dst  [[buffer(2)]],
        constant int64_t & ne00 [[buffer(3)]],
        constant uint64_t & nb01 [[buffer(4)]],
        threadgroup char * shmem [[threadgroup(0)]],
        uint3  tgpig [[threadgroup_position_in_grid]],
        ushort tiitg [[thread_index_in_threadgroup]],
        ushort sgitg [[simdgroup_index_in_threadgroup]]) {
    threadgroup T     * sa = (threadgroup T     *)(shmem + 0);
    threadgroup float * sb = (threadgroup float *)(shmem + 4096);
    S8x8 ma[4];
    simdgroup_float8x8 mc[8];
    for (short i = 0; i < 8; i++) mc[i] = make_filled_simdgroup_matrix<float, 8>(0.f);
    short il = (tiitg % 2);
    device const block_q * x = (device const block_q *)(src0 + tgpig.y * nb01) + il / nl;
    for (int loop_k = 0; loop_k < ne00; loop_k += 32) {
        T4x4 temp_a;
        dequantize_func(x, il, temp_a);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        FOR_UNROLL (short i = 0; i < 16; i++) {
            *(sa + 64 * ((tiitg / 2 / 8) + (tiitg % 2) * 16 + (i / 8) * 8) + i % 8) = temp_a[i/4][i%4];
        }
        *(threadgroup float2x4 *)(sb + 32 * 8 * (tiitg % 4)) = *((device float2x4 *) src1);
        il = (il + 2 < nl) ? il + 2 : il % 2;
        x  = (il < 2) ? x + (2 + nl - 1) / nl : x;
        src1 += 32;
        FOR_UNROLL (short ik = 0; ik < 4; ik++) {
            simdgroup_load(ma[ik], sa + 64 * ik, 8, 0, false);
            simdgroup_multiply_accumulate(mc[ik], ma[ik], ma[ik], mc[ik]);
        }
    }
    device float * C = (device float *) dst + MIN(tgpig.x, 1u) * 32;
    for (short i = 0; i < 8; i++) simdgroup_store(mc[i], C + 8 * (i%4), 64);
}

typedef decltype(kernel_mul_mm<half, half4x4, simdgroup_half8x8, block_q4_0, 2, dequantize_q4_0>) mat_mm_t;

template [[host_name("kernel_mul_mm_q4_0_f32")]] kernel mat_mm_t kernel_mul_mm<half, half4x4, simdgroup_half8x8, block_q4_0, 2, dequantize_q4_0>;
template [[host_name("kernel_mul_mm_q8_0_f32")]] kernel decltype(kernel_mul_mm<half, half4x4, simdgroup_half8x8, block_q8_0, 2, dequantize_q8_0>) kernel_mul_mm<half, half4x4, simdgroup_half8x8, block_q8_0, 2, dequantize_q8_0>;
