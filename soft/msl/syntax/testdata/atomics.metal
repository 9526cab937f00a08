#include <metal_stdlib>
#include <metal_atomic>
using namespace metal;

kernel void histogram(device const uchar *in [[buffer(0)]], device atomic_uint *bins [[buffer(1)]],
                      volatile device atomic<int> &total [[buffer(2)]], uint tid [[thread_position_in_grid]],
                      uint lid [[thread_index_in_threadgroup]]) {
    threadgroup atomic_uint local[256];
    atomic_store_explicit(&local[lid & 255], 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&local[in[tid]], 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint v = atomic_load_explicit(&local[lid & 255], memory_order_relaxed);
    while (v > 0) {
        if (atomic_exchange_explicit(&bins[lid], v, memory_order_relaxed) == v) break; else --v;
    }
    uint expected = 0;
    do { expected++; } while (!atomic_compare_exchange_weak_explicit(&bins[0], &expected, v, memory_order_relaxed, memory_order_relaxed) && expected < 4u);
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
}
