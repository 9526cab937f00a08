// Package reference computes in float64 what the ops compute on a device, as plainly as the
// formulas are written. It is what the tests compare with, and it states the rounding
// points: with BF16 every value that a kernel stores or multiplies as bfloat16 is rounded
// where the kernel rounds it, and everything else stays exact to float64; with Exact nothing is
// rounded. It may not import the ops, a device or the kernels.
//
// Layouts, outermost first, are those of the ops: q and k [B,T,Hg,K]; v, u, v_new and o
// [B,T,H,V]; w [B,T,H,K]; g, its sum and beta [B,T,H]; A and its inverse [B,T,H,64], row t of
// a chunk's block at its token; states [B,H,V,K]; chunk-entry states [B,chunks,H,V,K]. V-head
// h reads K-head h/(H/Hg). Slices of the wrong length panic: only tests call this package.
package reference
