#include <metal_stdlib>
using namespace metal;

struct args_t {
    int32_t ne00;
    uint64_t nb01;
    float eps;
};

template <short F>
kernel void kernel_norm_fuse(constant args_t & args, device const char * src0, device const char * src1, device char * dst,
        threadgroup float * shmem_f32 [[threadgroup(0)]], uint3 tgpig [[threadgroup_position_in_grid]],
        ushort3 tpitg [[thread_position_in_threadgroup]], ushort sgitg [[simdgroup_index_in_threadgroup]],
        ushort tiisg [[thread_index_in_simdgroup]], ushort3 ntg [[threads_per_threadgroup]]) {
    if (sgitg == 0) {
        shmem_f32[tiisg] = 0.0f;
    }
    const int i01 = tgpig.x;
    device const float4 * x = (device const float4 *) (src0 + i01 * args.nb01);
    float4 sumft(0.0f);
    float sumf = 0.0f;
    for (int i00 = tpitg.x; i00 < args.ne00 / 4; i00 += ntg.x) {
        sumft += x[i00];
        sumf += dot(x[i00], x[i00]);
    }
    sumf += sumft[0] + sumft[1] + sumft.z + sumft.w;
    sumf = simd_sum(sumf);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tiisg == 0) shmem_f32[sgitg] = sumf;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sumf = simd_sum(shmem_f32[tiisg]);
    const float scale = precise::rsqrt(sumf / args.ne00 + args.eps);
    device float4 * y = (device float4 *) dst + i01;
    device const float4 * f0 = (device const float4 *) src1;
    for (int i00 = tpitg.x; i00 < args.ne00 / 4; i00 += ntg.x) {
        if (F == 1) { y[i00] = (x[i00] * scale); }
        if (F == 2) { y[i00] = (x[i00] * scale) * f0[i00]; }
    }
}

typedef decltype(kernel_norm_fuse<1>) kernel_norm_t;
template [[host_name("kernel_norm_f32")]] kernel kernel_norm_t kernel_norm_fuse<1>;
template [[host_name("kernel_norm_mul_f32")]] kernel kernel_norm_t kernel_norm_fuse<2>;
