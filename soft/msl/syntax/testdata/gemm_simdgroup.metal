#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

constant constexpr const int BM = 64;
constant constexpr const int BN = 64;
constant constexpr int BK = 32;
static constant constexpr int WARPS = 4;
constant bool has_bias [[function_constant(0)]];
constant int epilogue [[function_constant(1)]];
constant bool bias_on = is_function_constant_defined(has_bias) ? has_bias : false;

struct GemmParams {
    int M, N, K;
    int lda, ldb, ldc;
    packed_float3 pad;
};

kernel void gemm_f16(device const half *A [[buffer(0)]], device const half *B [[buffer(1)]], device half *C [[buffer(2)]],
                     constant GemmParams &p [[buffer(3)]], device const half *bias [[buffer(4), function_constant(has_bias)]],
                     uint3 tgid [[threadgroup_position_in_grid]], uint sgid [[simdgroup_index_in_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]], uint tid [[thread_index_in_threadgroup]]) {
    threadgroup half As[BM * BK];
    threadgroup half Bs[BK][BN];
    simdgroup_half8x8 a[4], b[2];
    simdgroup_float8x8 acc[4][2];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
            acc[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    const int row0 = tgid.y * BM, col0 = tgid.x * BN;
    for (int k0 = 0; k0 < p.K; k0 += BK) {
        for (int i = tid; i < BM * BK; i += WARPS * 32) {
            int r = i / BK, c = i % BK;
            As[i] = (row0 + r < p.M && k0 + c < p.K) ? A[(row0 + r) * p.lda + k0 + c] : 0.0h;
        }
        for (int i = tid; i < BK * BN; i += WARPS * 32) {
            int r = i / BN, c = i - r * BN;
            Bs[r][c] = (k0 + r < p.K && col0 + c < p.N) ? B[(k0 + r) * p.ldb + col0 + c] : half(0);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
        for (int kk = 0; kk < BK; kk += 8) {
            simdgroup_load(a[0], As + (sgid >> 1) * 32 * BK + kk, BK);
            simdgroup_load(b[0], &Bs[kk][(sgid & 1) * 32], BN, ulong2(0, 0), false);
            simdgroup_barrier(mem_flags::mem_none);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 2; ++j)
                    simdgroup_multiply_accumulate(acc[i][j], a[i], b[j], acc[i][j]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    const short2 coord = short2((lane & 3) * 2, lane >> 2);
    thread auto &e = acc[0][0].thread_elements();
    e[0] += bias_on ? float(bias[coord.x]) : 0.f;
    switch (epilogue) {
        case 0: break;
        case 1:
        case 2: { e[1] = max(e[1], 0.0f); break; }
        default: e[0] *= 2; break;
    }
    C[(row0 + coord.y) * p.ldc + col0 + coord.x] = half(e[0]);
}
