#include <metal_stdlib>
using namespace metal;

kernel void nested_loops(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int s = 0;
    for (int a = 0; a < int(i % 7); ++a) {
        if (a == 3) continue;
        for (int b = 0;; b += 2) {
            if (b > int(i % 11)) break;
            if ((a + b) % 3 == 0) continue;
            s += a * 10 + b;
        }
        if (s > 200) { s = -s; break; }
    }
    out[i] = s;
}

kernel void early_return(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = 1;
    if (i % 3 == 0) return;
    out[i] = 2;
    for (uint k = 0; k < 10; k++) {
        if (k == i % 13) {
            out[i] = int(100 + k);
            return;
        }
        out[i] += 3;
    }
    out[i] += 1000;
}

kernel void fallthrough(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int s = 0;
    switch (i % 9) {
    case 0: s += 1;
    case 1: s += 10; break;
    case 2:
    case 3: s += 100;
    default: s += 1000;
    case 7: s += 10000; break;
    case 8: { int t = int(i); s += t; }
    }
    out[i] = s;
}

kernel void switch_in_loop(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int s = 0;
    for (int k = 0; k < 8; ++k) {
        switch ((int(i) + k) % 5) {
        case 0: continue;
        case 1: s += 1; break;
        case 2: if (k > 4) return;
                s += 7; break;
        case -1: s += 1000000; break;
        default: s += 50;
        }
        s *= 2;
        out[i] = s;
    }
    out[i] = s + 5;
}

kernel void do_while(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int n = int(i % 10), s = 0, rounds = 0;
    do {
        ++rounds;
        if (n == 5) continue;
        s += n;
        if (s > 30) break;
    } while (--n > 0 && rounds < 6);
    while (rounds > 0) {
        rounds -= 2;
        s ^= rounds;
    }
    out[i] = s * 100 + n;
}

int side(thread int& count, bool r) { ++count; return r; }

kernel void short_circuit(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int n = 0;
    bool a = i & 1, b = i & 2;
    bool x = side(n, a) && side(n, b);
    bool y = side(n, a) || side(n, b);
    int z = a ? side(n, true) : b ? 7 : 9;
    out[i] = n * 1000 + x * 100 + y * 10 + z;
}

kernel void comma_and_for_forms(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int a, b;
    for (a = 0, b = int(i % 20); a < b; ++a, --b)
        ;
    int c = (a += 2, b += a, a * b);
    int k = 3;
    for (; k < 3 + int(i % 4);) k++;
    out[i] = c * 100 + k;
}

kernel void collatz(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    uint n = i + 1;
    int steps = 0;
    while (n != 1) {
        n = (n & 1) ? 3 * n + 1 : n / 2;
        ++steps;
    }
    out[i] = steps;
}

kernel void shadowing(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int x = 1;
    {
        int x = 2;
        { int x = int(i); out[i] = x; }
        out[i] += x * 1000;
    }
    for (int x = 0; x < 2; ++x) out[i] += x;
    if (int y = int(i % 3)) out[i] += y * 10000; else out[i] -= y + 1;
    out[i] += x * 100000;
}

kernel void increments(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int a = int(i), r = 0;
    r += a++;
    r = r * 10 + ++a;
    r = r * 10 + a--;
    r = r * 10 + --a;
    a += 5; a -= 2; a *= 3; a /= 2; a %= 100; a <<= 2; a >>= 1; a &= 0x7f; a |= 0x100; a ^= 0x3;
    out[i] = r * 1000 + a;
}
