// What the gated delta kernels share: their function constants, their argument block, the length of a chunk.
//
// Layouts, outermost first, all contiguous: q, k [B,T,Hg,K]; v, u, v_new, o [B,T,H,V]; w [B,T,H,K]; g, beta [B,T,H];
// A and its inverse [B,T,H,64], row t of a chunk's 64x64 block at its token; states [B,H,V,K]; h [B,chunks,H,V,K].
// V-head h reads K-head h / (H/Hg). Offsets are 64 bits wide to the first element of a chunk and 32 within it.
#pragma once

#include <metal_stdlib>
using namespace metal;

constant uint key_dim [[function_constant(0)]];           // K: 64, 128, 192 or 256
constant uint value_dim [[function_constant(1)]];         // V: a multiple of 32 up to 256
constant uint head_ratio [[function_constant(2)]];        // H / Hg
constant bool has_initial_state [[function_constant(3)]]; // false: the state begins as zero
constant bool has_final_state [[function_constant(4)]];   // false: the last state is not stored
constant bool float_input [[function_constant(5)]];       // q, k and v are float, not bfloat
constant bool float_output [[function_constant(6)]];      // the output is float, not bfloat
constant uint state_rows [[function_constant(7)]];        // rows of the state that a simdgroup keeps: 8, 16 or 32
constant uint column_splits [[function_constant(8)]];     // parts that the V columns of an output row are computed in

constant constexpr uint chunk_size = 64;

struct GatedDeltaShape {
    uint tokens;    // T
    uint heads;     // H
    uint key_heads; // Hg
    uint chunks;    // ceil(T / 64)
    float scale;    // multiplies the output
};
