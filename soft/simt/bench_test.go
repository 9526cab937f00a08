package simt

import (
	"fmt"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// siluKernel is out = x / (1 + exp(-x)) * y, ten operations a lane.
func siluKernel() *builder {
	b := newBuilder("silu_mul", "x", "y", "out")
	i := b.tid()
	x := b.load(ir.F32, b.buffer(0), i)
	y := b.load(ir.F32, b.buffer(1), i)
	e := b.op(ir.Exp, ir.F32, ir.F32, b.op(ir.Neg, ir.F32, ir.F32, x))
	s := b.bin(ir.Div, ir.F32, x, b.bin(ir.Add, ir.F32, e, b.f32(1)))
	b.store(ir.F32, b.buffer(2), i, b.bin(ir.Mul, ir.F32, s, y))
	return b
}

// chainKernel loads one value, runs 16 multiplications and additions on it and stores it: 34 lane-operations.
func chainKernel() *builder {
	b := newBuilder("chain", "x", "out")
	i := b.tid()
	x := b.load(ir.F32, b.buffer(0), i)
	v := x
	for range 16 {
		v = b.bin(ir.Add, ir.F32, b.bin(ir.Mul, ir.F32, v, x), b.f32(1))
	}
	b.store(ir.F32, b.buffer(1), i, v)
	return b
}

// gemmKernel is one 8x64 strip of a product a simdgroup, staged through threadgroup memory as bfloat: for each of 8 tiles
// of 64 in the inner direction the threadgroup copies 64x64 of B, and each simdgroup does 64 multiply-accumulates.
func gemmKernel(tiles uint32) *builder {
	b := newBuilder("gemm", "a", "b", "out")
	tile := b.addr(ir.AddrStatic, b.static("tile", 64*64*2))
	lid := b.builtin(ir.ThreadIndexInThreadgroup, 0)
	sg := b.builtin(ir.SimdgroupIndexInThreadgroup, 0)
	stride := b.constant(ir.U64, 64)
	pa, pb := b.buffer(0), b.buffer(1)
	var acc [8]ir.Reg
	for j := range acc {
		acc[j] = b.reg(ir.RegInfo{Kind: ir.MatF32, Len: 1, Var: true})
		b.mov(acc[j], b.op(ir.MatFill, ir.MatF32, ir.MatF32, b.f32(0)))
	}
	row := b.op(ir.Convert, ir.U32, ir.I64, b.bin(ir.Mul, ir.U32, sg, b.u32(8)))
	b.count(b.u32(tiles), func(_ ir.Reg, _, _ int) {
		b.count(b.u32(64*64/256), func(i ir.Reg, _, _ int) {
			at := b.op(ir.Mad, ir.U32, ir.U32, i, b.u32(256), lid)
			b.store(ir.BF16, tile, at, b.load(ir.BF16, pb, at))
		})
		b.barrier(ir.ThreadgroupBarrier, ir.MemThreadgroup)
		for k := range int64(8) {
			a := b.matLoad(ir.MatBF16, ir.BF16, pa, stride, b.constant(ir.I64, uint64(8*k)), row)
			for j := range acc {
				m := b.matLoad(ir.MatBF16, ir.BF16, tile, stride, b.constant(ir.I64, uint64(8*j)), b.constant(ir.I64, uint64(8*k)))
				b.mov(acc[j], b.op(ir.MatMac, ir.MatF32, ir.MatF32, a, m, acc[j]))
			}
		}
		b.barrier(ir.ThreadgroupBarrier, ir.MemThreadgroup)
	})
	for j := range acc {
		b.matStore(acc[j], ir.F32, b.buffer(2), stride, b.constant(ir.I64, uint64(8*j)), row)
	}
	return b
}

func (b *builder) matLoad(k, mem ir.Kind, p, stride, col, row ir.Reg) ir.Reg {
	d := b.temp(k)
	in := ir.Instr{Op: ir.MatLoad, Kind: k, Dst: d, A: p, B: stride, C: col, Imm2: int64(mem)}
	if row != ir.NoReg {
		in.Regs = []ir.Reg{row}
	}
	b.instr(in)
	return d
}

func (b *builder) matStore(m ir.Reg, mem ir.Kind, p, stride, col, row ir.Reg) {
	b.instr(ir.Instr{Op: ir.MatStore, Kind: b.k.Regs[m].Kind, Dst: ir.NoReg, A: m, B: p, C: stride, Imm2: int64(mem), Regs: []ir.Reg{col, row}})
}

func benchChecks(b *testing.B, k *Kernel, d *Dispatch, unit string, perRun float64, rate bool) {
	for _, c := range []struct {
		name   string
		checks Checks
		n      int
	}{{"plain", 0, 1}, {"checked", CheckAll, 1}, {"plain2", 0, 2}} {
		b.Run(c.name, func(b *testing.B) {
			d.Checks, d.Workers = c.checks, c.n
			run(b, k, d)
			for b.Loop() {
				run(b, k, d)
			}
			per := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / perRun
			if rate {
				per = 1 / per
			}
			b.ReportMetric(per, unit)
		})
	}
}

func BenchmarkSilu(b *testing.B) {
	const n = 1 << 16
	m := make([]byte, 4*n)
	benchChecks(b, siluKernel().compile(b), line(n, 256, m, m, make([]byte, 4*n)), "ns/lane-op", n*10, false)
}

func BenchmarkChain(b *testing.B) {
	const n = 1 << 16
	benchChecks(b, chainKernel().compile(b), line(n, 256, make([]byte, 4*n), make([]byte, 4*n)), "ns/lane-op", n*34, false)
}

func BenchmarkGemm(b *testing.B) {
	const groups, tiles = 4, 8
	m := make([]byte, 64*64*4)
	benchChecks(b, gemmKernel(tiles).compile(b), line(groups*256, 256, m, m, make([]byte, 64*64*4)), "GFLOP/s", groups*tiles*8*64*1024, true)
}

func BenchmarkElement(b *testing.B) {
	for _, k := range []ir.Kind{ir.F32, ir.BF16, ir.F16, ir.U8} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			const n = 1 << 16
			bb := newBuilder("copy", "x", "out")
			i := bb.tid()
			bb.store(k, bb.buffer(1), i, bb.load(k, bb.buffer(0), i))
			d := line(n, 256, make([]byte, 4*n), make([]byte, 4*n))
			d.Checks, d.Workers = 0, 1
			c := bb.compile(b)
			for b.Loop() {
				run(b, c, d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/2, "ns/access")
		})
	}
}
