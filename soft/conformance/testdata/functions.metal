#include <metal_stdlib>
using namespace metal;

int by_value(int x) { x += 5; return x; }
void by_reference(thread int& x, int y) { x = x * 2 + y; }
void by_pointer(thread int* p, int n) { for (int j = 0; j < n; ++j) p[j] += j * j; }
int read_device(device const int* p, uint i) { return p[i] * 3; }
int read_constant(constant int& c) { return c - 1; }
void add_device(device int& x, int y) { x += y; }
int sum_threadgroup(threadgroup const int* s, int n) {
    int t = 0;
    for (int j = 0; j < n; ++j) t += s[j];
    return t;
}

// One name for each address space.
int space(device const int* p) { return 1000 + *p; }
int space(constant int* p) { return 2000 + *p; }
int space(threadgroup const int* p) { return 3000 + *p; }
int space(thread const int* p) { return 4000 + *p; }

constant int table[4] = {10, 20, 30, 40};

kernel void calls(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], constant int& c [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
    int x = int(i);
    int y = by_value(x);
    by_reference(x, y);
    int arr[4] = {1, 2, 3};
    by_pointer(arr, 4);
    by_pointer(&arr[1], 2);
    out[i * 6] = x * 10 + y;
    out[i * 6 + 1] = arr[0] + arr[1] * 10 + arr[2] * 100 + arr[3] * 1000;
    out[i * 6 + 2] = read_device(a, i);
    out[i * 6 + 3] = read_constant(c);
    add_device(out[i * 6 + 3], 7);
    device int& alias = out[i * 6 + 4];
    alias = 3;
    add_device(alias, int(i));
    out[i * 6 + 5] = read_device(a + 1, i - 1 + (i == 0));
}

kernel void spaces(device int* out [[buffer(0)]], device const int* a [[buffer(1)]], constant int* c [[buffer(2)]],
                   uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
    threadgroup int shared_value[1];
    if (l == 0) shared_value[0] = 9;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int own = 5;
    out[i * 5] = space(a + i);
    out[i * 5 + 1] = space(c);
    out[i * 5 + 2] = space(shared_value);
    out[i * 5 + 3] = space(&own);
    out[i * 5 + 4] = space(table + (i & 3));
}

struct Pair { int a, b; };
Pair swapped(Pair p) { Pair q; q.a = p.b; q.b = p.a; return q; }
Pair operator+(Pair x, Pair y) { return Pair{x.a + y.a, x.b + y.b}; }
void bump(thread Pair& p) { p.a++; p.b--; }

kernel void structs(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Pair p = {int(i), 100};
    Pair q = swapped(p);
    bump(q);
    Pair r = p + q;
    out[i * 4] = q.a; out[i * 4 + 1] = q.b; out[i * 4 + 2] = r.a; out[i * 4 + 3] = swapped(swapped(r)).b;
}

struct Counter {
    int n;
    int step = 2;
    Counter(int start) : n(start) {}
    void next() thread { n += step; }
    int get() const thread { return n; }
    static int twice(int x) { return 2 * x; }
};

kernel void methods(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Counter c(int(i));
    for (int j = 0; j < 3; ++j) c.next();
    out[i] = c.get() + Counter::twice(c.step);
}

int early(int x) {
    for (int j = 0; j < 10; ++j) {
        if (x + j > 12) return j;
        if (x == 3) break;
    }
    if (x < 2) return -1;
    return -2;
}

int nested(int x) { return early(x) * 10 + early(x + 1); }

kernel void returns(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int x = int(i % 16);
    out[i] = nested(x) + (x > 8 ? early(x - 8) : nested(x + 2));
}

int defaulted(int a, int b = 3, int c = 4) { return a * 100 + b * 10 + c; }

namespace outer {
    int f(int x) { return x + 1; }
    namespace inner {
        int f(int x) { return outer::f(x) * 2; }
        constant int k = 6;
    }
}
using outer::inner::k;
namespace alias = outer::inner;

kernel void names(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    using namespace outer;
    out[i * 4] = defaulted(int(i));
    out[i * 4 + 1] = defaulted(1, 2);
    out[i * 4 + 2] = inner::f(int(i)) + k;
    out[i * 4 + 3] = ::outer::f(1) + alias::f(2);
}

// Which overload is called: 1 for int and so on.
int which(int) { return 1; }
int which(uint) { return 2; }
int which(float) { return 3; }
int which(half) { return 4; }
int which(long) { return 5; }
int which(bool) { return 6; }
int which(int2) { return 7; }
int which(float2) { return 8; }
int which(ulong) { return 9; }
int which(char) { return 10; }

int lossless(float) { return 3; }
int lossless(int) { return 1; }

kernel void overloads(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device int* o = out + i * 28;
    short s = 1; ushort us = 1; uchar uc = 1; char ch = 1; half h = 1; bool b = true; long l = 1; uint u = 1;
    o[0] = which(1); o[1] = which(1u); o[2] = which(1.0f); o[3] = which(1.0h); o[4] = which(l); o[5] = which(b);
    o[6] = which(int2(1)); o[7] = which(float2(1)); o[8] = which(1ul); o[9] = which(ch);
    o[10] = which(s);          // promotes to int
    o[11] = which(us);         // promotes to int
    o[12] = which(uc);         // promotes to int
    o[13] = which(s + us);     // int
    o[14] = which(u + 1);      // uint
    o[15] = which(h + h);      // half
    o[16] = which(h + 1.0f);   // float
    o[17] = which(h + 1);      // half
    o[18] = which(l + u);      // long
    o[19] = which(b + b);      // int
    o[20] = which(u * 1.0f);   // float
    o[21] = which(1.0);        // double constants are float
    o[22] = which(i ? s : 1.0f);
    o[23] = which(ch + ch);    // int
    o[24] = which(-uc);        // int
    o[25] = which(s << 1ul);   // int
    o[26] = which(0xffffffff); // uint
    o[27] = lossless(s);
}

int pick(thread int&) { return 1; }
int pick(thread const int&) { return 2; }

kernel void reference_overloads(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int x = 1;
    const int y = 2;
    out[i * 3] = pick(x); out[i * 3 + 1] = pick(y); out[i * 3 + 2] = pick(x + y);
}
