#include <metal_stdlib>
using namespace metal;

#define N_SIMDWIDTH 32
template <typename q_t, typename kd4x4_t, typename block_q,
          void (*deq_k)(device const block_q *, short, thread kd4x4_t &), short DK, short Q = 8, short C = 32>
kernel void flash_attn(device const char *q, device const char *k, device char *dst, threadgroup half *shmem [[threadgroup(0)]],
                       uint3 tgpig [[threadgroup_position_in_grid]], ushort tiisg [[thread_index_in_simdgroup]], ushort3 ntg [[threads_per_threadgroup]]) {
    const short nsg = ntg.y;
    constexpr short DK4 = DK / 4;
    constexpr short NW = N_SIMDWIDTH;
    threadgroup q_t *sq = (threadgroup q_t *)(shmem + 0 * DK);
    threadgroup half4 *sq4 = (threadgroup half4 *)sq;
    threadgroup half (&tile)[Q] = *(threadgroup half (*)[Q])(shmem);
    float S[Q] = { 0.0f };
    float M[Q] = { -FLT_MAX / 2 };
    simdgroup_matrix<half, 8, 8> lo[DK / 8];
    {
        simdgroup_matrix<float, 8, 8> mqk = make_filled_simdgroup_matrix<float, 8>(0.f);
        for (short i = 0; i < DK / 8; ++i) {
            simdgroup_half8x8 mk;
            simdgroup_load(mk, (const device half *)k + i * 8, nsg, 0, true);
            simdgroup_multiply_accumulate(mqk, lo[i], mk, mqk);
        }
        simdgroup_store(mqk, (threadgroup float *)shmem, C, 0, false);
    }
    for (short j = 0; j < Q; ++j) {
        const float m = M[j];
        const float s = ((threadgroup float *)shmem)[j * C + tiisg];
        M[j] = simd_max(max(M[j], s));
        const float ms = exp(m - M[j]);
        S[j] = S[j] * ms + simd_sum(exp(s - M[j]));
        tile[j] = half(S[j]);
        for (short i = tiisg; i < DK4; i += NW) sq4[j * DK4 + i] *= ms;
    }
    *(device float4 *)dst = (float4)sq4[0];
}
