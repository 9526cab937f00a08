#include <metal_stdlib>
using namespace metal;

constant bool flag [[function_constant(0)]];
constant char c_char [[function_constant(1)]];
constant uchar c_uchar [[function_constant(2)]];
constant short c_short [[function_constant(3)]];
constant ushort c_ushort [[function_constant(4)]];
constant int c_int [[function_constant(5)]];
constant uint c_uint [[function_constant(6)]];
constant half c_half [[function_constant(7)]];
constant float c_float [[function_constant(8)]];
constant int3 c_int3 [[function_constant(9)]];
constant float4 c_float4 [[function_constant(10)]];
constant bool2 c_bool2 [[function_constant(11)]];
constant int optional [[function_constant(12)]];
constant bool has_optional = is_function_constant_defined(optional);
constant int optional_or_7 = has_optional ? optional : 7;
constant int derived = c_int * 2 + 1;
constant bool use_extra [[function_constant(13)]];

constant int numbers[5] = {3, 1, 4, 1, 5};
constant float matrix2[2][3] = {{1, 2, 3}, {4, 5, 6}};
constant float2 vectors[] = {float2(1, 2), float2(3, 4)};
struct Entry { int id; float weight; };
constant Entry entries[] = {{7, 0.5f}, {8, 1.5f}, {9, 2.5f}};
constexpr constant int length = sizeof(numbers) / sizeof(numbers[0]);
constant int sum = 3 + length;
constant char text[] = "az";

kernel void all_types(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device float* o = out + i * 14;
    o[0] = flag; o[1] = c_char; o[2] = c_uchar; o[3] = c_short; o[4] = c_ushort; o[5] = c_int;
    o[6] = float(c_uint >> 8); o[7] = c_half; o[8] = c_float; o[9] = c_int3.y + c_int3.z * 10; o[10] = c_float4.w - c_float4.x;
    o[11] = c_bool2.x * 2 + c_bool2.y; o[12] = optional_or_7; o[13] = derived;
}

kernel void branches(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    int s = 0;
    if (flag) { for (int j = 0; j < c_int; ++j) s += j; } else { s = -1; }
    if (is_function_constant_defined(optional)) s += 1000 * optional;
    out[i] = s;
}

kernel void optional_argument(device int* out [[buffer(0)]], device const int* extra [[buffer(1), function_constant(use_extra)]],
                              uint i [[thread_position_in_grid]]) {
    int v = int(i);
    if (use_extra) v += extra[i];
    out[i] = v;
}

kernel void data(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    device float* o = out + i * 7;
    o[0] = numbers[i % 5];
    o[1] = matrix2[i & 1][i % 3];
    o[2] = vectors[i & 1].y;
    o[3] = entries[i % 3].weight * entries[(i + 1) % 3].id;
    o[4] = sum;
    o[5] = text[i & 1];
    constant Entry* p = entries + 1;
    o[6] = p->id;
}
