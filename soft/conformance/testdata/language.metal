#include <metal_stdlib>
using namespace metal;

struct Slice {
    device const int* p;
    int n;
    int sum() const thread { int s = 0; for (int j = 0; j < n; ++j) s += p[j]; return s; }
    device const int& operator[](int j) const thread { return p[j]; }
};

Slice rest(Slice s, int skip) { return {s.p + skip, s.n - skip}; }

kernel void pointers(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    device int* o = out + i * 12;
    Slice s = {a + i, 4};
    o[0] = s.sum() + rest(s, 1).sum();
    o[1] = s[2];
    device const int* p = a + i;
    device const int* q = p + 3;
    int before = *p++;
    o[2] = before + *p;
    o[3] = int(q - p) * 10 + (q > p) + (p != q) * 2;
    o[4] = *(q - 1) + q[-2];
    device const int2* pairs = (device const int2*)(a + (i & ~1u));
    o[5] = pairs[0].x + pairs[1].y;
    device const uchar* bytes = reinterpret_cast<device const uchar*>(a + i);
    o[6] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | int(uint(bytes[3]) << 24);
    int local[2][3] = {{1, 2, 3}, {4, 5, 6}};
    thread int (&row)[3] = local[1];
    row[2] = int(i);
    thread int* flat = &local[0][0];
    o[7] = flat[5] + local[i & 1][1];
    device const int* best = a[i] > a[i + 1] ? a + i : a + i + 1;
    o[8] = *best;
    device const int* nothing = nullptr;
    o[9] = (nothing == nullptr) + (best ? 2 : 0) + (!nothing) * 4;
    const device int* same = a;       // qualifiers in the other order
    int device* again = out;
    o[10] = (same == a) + (again == out) * 2;
    thread int* thread pp = flat;
    pp += 2;
    o[11] = *pp;
}

struct Complex {
    float re, im;
    Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    thread Complex& operator+=(Complex o) thread { re += o.re; im += o.im; return *this; }
    bool operator==(Complex o) const { return re == o.re && im == o.im; }
    Complex operator-() const { return Complex{-re, -im}; }
    explicit operator float() const { return re; }
};

kernel void operators(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Complex a = {float(i), 1}, b{2, 3};
    Complex c = a * b;
    c += -b;
    out[i * 4] = c.re; out[i * 4 + 1] = c.im; out[i * 4 + 2] = float(c) * 2; out[i * 4 + 3] = (a == b) + (b == b) * 2;
}

constexpr int triangle(int n) { int s = 0; for (int j = 1; j <= n; ++j) s += j; return s; }
typedef float Real;
using Index = uint;
using Table = int[3];
enum { Low = 2, High = Low * 5 };
struct Defaults { int a = 3; float b = 1.5f; int c[2] = {7, 8}; };
struct Nested { struct Part { int x; } part; enum Mode { Off, On } mode; };

kernel void declarations(device int* out [[buffer(0)]], Index i [[thread_position_in_grid]]) {
    device int* o = out + i * 16;
    int buffer[triangle(3)];
    o[0] = int(sizeof(buffer) / sizeof(int));
    Table t = {1, 2, 3};
    o[1] = t[i % 3] + High;
    auto x = Real(i) * 0.5f;
    decltype(x) y = 2;
    o[2] = int(x + y);
    Defaults d;
    Defaults e = {4};
    o[3] = d.a + int(d.b * 2) + d.c[1] + e.a * 100 + e.c[0] * 1000;
    Nested n;
    n.part.x = 5; n.mode = Nested::On;
    o[4] = n.part.x * 10 + n.mode;
    static_assert(sizeof(Real) == 4 && triangle(4) == 10, "sizes");
    int sum = 0;
    for (int j = 0; j < 3; ++j) sum += t[j];
    o[5] = sum;
    constexpr float third = 1.0f / 3.0f;
    o[6] = int(third * 9.0f);
    const int k = int(i) + 1, l = k * 2;
    o[7] = k + l;
    int zeros[4] = {}, some[4] = {9};
    o[8] = zeros[3] + some[0] * 10 + some[1];
    float3 v = {1, 2, 3};
    float3 w(float(i));
    o[9] = int(dot(v, w));
    array<int, 3> arr = {4, 5, 6};
    arr[1] += int(i);
    o[10] = arr[0] + arr[1] * 10 + int(arr.size()) * 10000;
    bool bit = i & 4;
    o[11] = bit + (bit ? 10 : 20) + true;
    int u = int(i), z = u;
    if (u > 5) u = 100; else z = 100;
    o[12] = u * 1000 + z;
    uint shift = 1u << (i & 31);
    o[13] = int(shift >> 1) + (int(-8) >> 1) + int(uint(-8) >> 28);
    char narrow = char(300 + i);
    o[14] = narrow;
    using namespace metal;
    o[15] = is_same_v<decltype(1 ? 1.0h : 1.0f), float> + is_same_v<decltype('a'), char> * 2 + is_same_v<decltype(1u + 1l), long> * 4;
}

kernel void limits(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device float* o = out + i * 20;
    o[0] = numeric_limits<float>::max(); o[1] = numeric_limits<float>::lowest(); o[2] = numeric_limits<float>::min();
    o[3] = numeric_limits<float>::infinity(); o[4] = numeric_limits<float>::epsilon(); o[5] = numeric_limits<half>::max();
    o[6] = numeric_limits<int>::min(); o[7] = numeric_limits<uchar>::max(); o[8] = numeric_limits<bfloat>::max();
    o[9] = INFINITY; o[10] = -INFINITY; o[11] = isnan(NAN); o[12] = FLT_MAX; o[13] = HALF_MAX; o[14] = INT_MAX == numeric_limits<int>::max();
    o[15] = M_PI_F; o[16] = UINT_MAX > 0xfffffffeu; o[17] = SHRT_MIN; o[18] = M_SQRT2_H; o[19] = MAXFLOAT;
}

kernel void literals(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device float* o = out + i * 10;
    o[0] = 1e-3; o[1] = 1.f + .5f; o[2] = 0x1.8p3f; o[3] = 3.3h; o[4] = 16777217; o[5] = 1.0e38f * 10.0f;
    o[6] = 7 / 2 + 7 / 2.0f; o[7] = -7 % 3; o[8] = 1u - 2u > 0; o[9] = float(0.1h + 0.2h);
}

union Bits { float f; uint u; uchar c[4]; struct { ushort lo, hi; } s; };

kernel void unions(device uint* out [[buffer(0)]], device const Bits* in [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    Bits b;
    b.f = 1.0f + float(i & 1);
    out[i * 5] = b.u;
    b.c[0] = uchar(i);
    out[i * 5 + 1] = b.u;
    b.s.hi = 7;
    out[i * 5 + 2] = b.u;
    out[i * 5 + 3] = in[i].c[i & 3] + sizeof(Bits) * 1000;
    b = in[i];
    out[i * 5 + 4] = b.s.lo + as_type<uint>(b.f);
}
