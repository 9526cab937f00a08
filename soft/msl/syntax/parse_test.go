package syntax

import "testing"

func TestAKernelParses(t *testing.T) {
	src := `#include <metal_stdlib>
using namespace metal;
#define N 4
struct P { uint n; float s; float f(float x) const { return x * g<2>(n); } template <int K> float g(uint m) const { return K*m; } };
template <typename T, int K> [[kernel]] void add(device const T *a [[buffer(0)]], constant P &p [[buffer(1)]], device T* o, threadgroup float (&q)[4], uint i [[thread_position_in_grid]]) {
  if (i >= p.n) return;
  float4 v = float4(a[i], 1, 2.0f, INFINITY);
  vec<T, 4> w = vec<T, 4>(v);
  device float (*pp)[4] = (device float (*)[4])o;
  for (int j = 0; j < N >> 1; ++j) { o[i] += T(v.x) * K; }
  simdgroup_matrix<float, 8, 8> m = make_filled_simdgroup_matrix<float, 8, 8>(0.f);
}
template [[host_name("add_f32")]] [[kernel]] void add<float, 4>(device const float *, constant P &, device float *, threadgroup float (&)[4], uint);
template [[host_name("add_f16")]] kernel decltype(add<half, 2>) add<half, 2>;
`
	f, err := Parse("program_source", src, nil, 31)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Decls) != 5 {
		t.Fatalf("got %d declarations, want 5", len(f.Decls))
	}
}
