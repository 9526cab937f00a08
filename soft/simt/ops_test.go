package simt

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

// element reads and writes one value of a kind as register bits: integers extended, floats as float32 bits.
func element(k ir.Kind, m []byte) uint64 {
	switch k {
	case ir.Bool, ir.U8:
		return uint64(m[0])
	case ir.I8:
		return uint64(int8(m[0]))
	case ir.U16:
		return uint64(binary.LittleEndian.Uint16(m))
	case ir.I16:
		return uint64(int16(binary.LittleEndian.Uint16(m)))
	case ir.U32:
		return uint64(binary.LittleEndian.Uint32(m))
	case ir.I32:
		return uint64(int32(binary.LittleEndian.Uint32(m)))
	case ir.F16:
		return uint64(math.Float32bits(num.F16ToF32(binary.LittleEndian.Uint16(m))))
	case ir.BF16:
		return uint64(math.Float32bits(num.BF16ToF32(binary.LittleEndian.Uint16(m))))
	case ir.F32:
		return uint64(binary.LittleEndian.Uint32(m))
	}
	return binary.LittleEndian.Uint64(m)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func compare[T int64 | uint64 | float32](op ir.Op, a, b T) uint64 {
	switch op {
	case ir.Eq:
		return truth(a == b)
	case ir.Ne:
		return truth(a != b)
	case ir.Lt:
		return truth(a < b)
	case ir.Le:
		return truth(a <= b)
	case ir.Gt:
		return truth(a > b)
	}
	return truth(a >= b)
}

func wantInt[T num.Int](op ir.Op, x, y, z uint64) uint64 {
	a, b, c := T(x), T(y), T(z)
	var r T
	switch op {
	case ir.Neg:
		r = -a
	case ir.Add:
		r = a + b
	case ir.Sub:
		r = a - b
	case ir.Mul:
		r = a * b
	case ir.Div:
		r = num.Div(a, b)
	case ir.Rem:
		r = num.Rem(a, b)
	case ir.And:
		r = a & b
	case ir.Or:
		r = a | b
	case ir.Xor:
		r = a ^ b
	case ir.Not:
		r = ^a
	case ir.Shl:
		r = num.Shl(a, b)
	case ir.Shr:
		r = num.Shr(a, b)
	case ir.Min:
		r = min(a, b)
	case ir.Max:
		r = max(a, b)
	case ir.Clamp:
		r = min(max(a, b), c)
	case ir.Abs:
		r = num.Abs(a)
	case ir.AbsDiff:
		r = num.AbsDiff(a, b)
	case ir.AddSat:
		r = num.AddSat(a, b)
	case ir.SubSat:
		r = num.SubSat(a, b)
	case ir.MulHi:
		r = num.MulHi(a, b)
	case ir.HAdd:
		r = num.HAdd(a, b)
	case ir.RHAdd:
		r = num.RHAdd(a, b)
	case ir.Mad:
		r = a*b + c
	case ir.MadHi:
		r = num.MadHi(a, b, c)
	case ir.MadSat:
		r = num.MadSat(a, b, c)
	case ir.Clz:
		r = num.Clz(a)
	case ir.Ctz:
		r = num.Ctz(a)
	case ir.Popcount:
		r = num.Popcount(a)
	case ir.ReverseBits:
		r = num.ReverseBits(a)
	case ir.Rotate:
		r = num.Rotate(a, b)
	}
	return uint64(r)
}

func want(op ir.Op, k ir.Kind, x, y, z uint64) uint64 {
	if op >= ir.Eq && op <= ir.Ge {
		switch {
		case k.IsFloat():
			return compare(op, math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y)))
		case k.IsSigned():
			return compare(op, int64(x), int64(y))
		}
		return compare(op, x, y)
	}
	switch k {
	case ir.I8:
		return wantInt[int8](op, x, y, z)
	case ir.U8:
		return wantInt[uint8](op, x, y, z)
	case ir.I16:
		return wantInt[int16](op, x, y, z)
	case ir.U16:
		return wantInt[uint16](op, x, y, z)
	case ir.I32:
		return wantInt[int32](op, x, y, z)
	case ir.U32:
		return wantInt[uint32](op, x, y, z)
	case ir.I64:
		return wantInt[int64](op, x, y, z)
	case ir.U64:
		return wantInt[uint64](op, x, y, z)
	}
	f := func(x uint64) float32 { return math.Float32frombits(uint32(x)) }
	a, b, c := f(x), f(y), f(z)
	var r float32
	switch op {
	case ir.Neg:
		r = -a
	case ir.Add:
		r = a + b
	case ir.Sub:
		r = a - b
	case ir.Mul:
		r = a * b
	case ir.Div:
		r = a / b
	case ir.Rem, ir.Fmod:
		r = num.Fmod(a, b)
	case ir.Min:
		r = num.Fmin(a, b)
	case ir.Max:
		r = num.Fmax(a, b)
	case ir.Clamp:
		r = num.Clamp(a, b, c)
	case ir.Abs:
		r = num.Fabs(a)
	case ir.Fma:
		r = map[ir.Kind]func(a, b, c float32) float32{ir.F32: num.Fma, ir.F16: num.FmaF16, ir.BF16: num.FmaBF16}[k](a, b, c)
	case ir.Sqrt:
		r = num.Sqrt(a)
	case ir.Exp:
		r = num.Exp(a)
	case ir.Log2:
		r = num.Log2(a)
	case ir.Sin:
		r = num.Sin(a)
	case ir.Pow:
		r = num.Pow(a, b)
	case ir.Atan2:
		r = num.Atan2(a, b)
	case ir.Mix:
		r = num.Mix(a, b, c)
	case ir.Fract:
		r = map[ir.Kind]func(float32) float32{ir.F32: num.Fract, ir.F16: num.FractF16, ir.BF16: num.FractBF16}[k](a)
	case ir.NextAfter:
		r = map[ir.Kind]func(a, b float32) float32{ir.F32: num.NextAfter, ir.F16: num.NextAfterF16, ir.BF16: num.NextAfterBF16}[k](a, b)
	}
	switch k {
	case ir.F16:
		r = num.RoundF16(r)
	case ir.BF16:
		r = num.RoundBF16(r)
	}
	return uint64(math.Float32bits(r))
}

var (
	intKinds   = []ir.Kind{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
	floatKinds = []ir.Kind{ir.F16, ir.BF16, ir.F32}
)

// samples fills n elements of a kind with edge cases and noise.
func samples(k ir.Kind, n int, rnd *rand.Rand) []byte {
	size := int(k.Size())
	m := make([]byte, n*size)
	rnd.Read(m)
	for i := range n {
		e := m[i*size : (i+1)*size]
		switch {
		case k == ir.Bool:
			e[0] &= 1
		case k.IsFloat():
			x := float32(rnd.NormFloat64() * 4)
			if rnd.Intn(8) == 0 {
				x = []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), 1, -1, 65504, 1e-7}[rnd.Intn(7)]
			}
			put(k, e, uint64(math.Float32bits(x)))
		case rnd.Intn(3) == 0:
			put(k, e, []uint64{0, 1, math.MaxUint64, 1 << (8*size - 1), 1<<(8*size-1) - 1, 7, uint64(8*size - 1)}[rnd.Intn(7)])
		}
	}
	return m
}

func put(k ir.Kind, m []byte, x uint64) {
	switch k {
	case ir.F16:
		binary.LittleEndian.PutUint16(m, num.F32ToF16(math.Float32frombits(uint32(x))))
		return
	case ir.BF16:
		binary.LittleEndian.PutUint16(m, num.F32ToBF16(math.Float32frombits(uint32(x))))
		return
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	copy(m, b[:k.Size()])
}

// same compares results; all NaNs are one.
func same(k ir.Kind, a, b uint64) bool {
	if k.IsFloat() {
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return a == b || x != x && y != y
	}
	return a == b
}

func TestOperationsOfAllKindsAndOperandShapesMatchScalars(t *testing.T) {
	const n = 64
	rnd := rand.New(rand.NewSource(3))
	arithmetic := []ir.Op{ir.Neg, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Abs, ir.Min, ir.Max, ir.Clamp}
	ints := append([]ir.Op{ir.And, ir.Or, ir.Xor, ir.Not, ir.Shl, ir.Shr, ir.AbsDiff, ir.AddSat, ir.SubSat, ir.MulHi, ir.HAdd, ir.RHAdd,
		ir.Mad, ir.MadHi, ir.MadSat, ir.Clz, ir.Ctz, ir.Popcount, ir.ReverseBits, ir.Rotate}, arithmetic...)
	floats := append([]ir.Op{ir.Fma, ir.Sqrt, ir.Exp, ir.Log2, ir.Sin, ir.Pow, ir.Atan2, ir.Mix, ir.Fract, ir.NextAfter, ir.Fmod}, arithmetic...)
	for _, k := range append(append([]ir.Kind{}, intKinds...), floatKinds...) {
		ops := ints
		if k.IsFloat() {
			ops = floats
		}
		size := int(k.Size())
		for _, op := range ops {
			operands := opShapes[op].operands
			to := k
			if op >= ir.Eq && op <= ir.Ge {
				to = ir.Bool
			}
			for shape := range 1 << operands {
				var in [3][]byte
				b := newBuilder("op", "a", "b", "c", "out")
				var args []ir.Reg
				for j := range operands {
					in[j] = samples(k, n, rnd)
					if shape>>j&1 == 1 {
						args = append(args, b.load(k, b.buffer(int64(j)), b.tid()))
						continue
					}
					for i := range n { // one value for all
						copy(in[j][i*size:], in[j][:size])
					}
					args = append(args, b.load(k, b.buffer(int64(j)), b.u32(0)))
				}
				b.store(to, b.buffer(3), b.tid(), b.op(op, k, to, args...))
				out := make([]byte, n*8)
				run(t, b.compile(t), line(n, n, in[0], in[1], in[2], out))
				for i := range n {
					var x [3]uint64
					for j := range operands {
						x[j] = element(k, in[j][i*size:])
					}
					got := element(to, out[i*int(to.Size()):])
					if w := want(op, k, x[0], x[1], x[2]); !same(to, got, w) {
						t.Fatalf("op %d of %s, shape %d: f(%#x, %#x, %#x) = %#x, want %#x", op, k, shape, x[0], x[1], x[2], got, w)
					}
				}
			}
		}
	}
}

func TestConversionsBetweenAllKindsMatchScalars(t *testing.T) {
	const n = 64
	rnd := rand.New(rand.NewSource(4))
	kinds := append(append([]ir.Kind{ir.Bool}, intKinds...), floatKinds...)
	for _, from := range kinds {
		for _, to := range kinds {
			for _, uniform := range []bool{false, true} {
				in := samples(from, n, rnd)
				b := newBuilder("convert", "in", "out")
				i := b.tid()
				if uniform {
					i = b.u32(5)
				}
				v := b.op(ir.Convert, from, to, b.load(from, b.buffer(0), i))
				b.store(to, b.buffer(1), b.tid(), v)
				out := make([]byte, n*8)
				run(t, b.compile(t), line(n, n, in, out))
				for i := range n {
					at := i
					if uniform {
						at = 5
					}
					x := element(from, in[at*int(from.Size()):])
					if got, w := element(to, out[i*int(to.Size()):]), wantConvert(from, to, x); !same(to, got, w) {
						t.Fatalf("%s to %s of %#x: %#x, want %#x", from, to, x, got, w)
					}
				}
			}
		}
	}
}

func wantConvert(from, to ir.Kind, x uint64) uint64 {
	var m [8]byte
	f := math.Float32frombits(uint32(x))
	switch {
	case from.IsFloat() && to == ir.Bool:
		return truth(f != 0)
	case to == ir.Bool:
		return truth(x != 0)
	case from.IsFloat() && to.IsFloat():
		put(to, m[:], x)
	case from.IsFloat():
		v := map[ir.Kind]uint64{ir.I8: uint64(num.FloatToInt[int8](f)), ir.U8: uint64(num.FloatToInt[uint8](f)), ir.I16: uint64(num.FloatToInt[int16](f)),
			ir.U16: uint64(num.FloatToInt[uint16](f)), ir.I32: uint64(num.FloatToInt[int32](f)), ir.U32: uint64(num.FloatToInt[uint32](f)),
			ir.I64: uint64(num.FloatToInt[int64](f)), ir.U64: num.FloatToInt[uint64](f)}[to]
		return v
	case to == ir.F32:
		f = float32(x)
		if from.IsSigned() {
			f = float32(int64(x))
		}
		return uint64(math.Float32bits(f))
	case to == ir.F16, to == ir.BF16:
		r := map[ir.Kind][2]float32{ir.F16: {num.IntToF16(x), num.IntToF16(int64(x))}, ir.BF16: {num.IntToBF16(x), num.IntToBF16(int64(x))}}[to]
		if from.IsSigned() {
			return uint64(math.Float32bits(r[1]))
		}
		return uint64(math.Float32bits(r[0]))
	default:
		put(to, m[:], x)
	}
	return element(to, m[:])
}

// simdCase says what lane i of an operation across lanes gives; x holds the values of the active lanes' registers.
type simdCase struct {
	op   ir.Op
	b    int // second operand, or -1
	want func(i int, active uint32, x [32]uint32) uint32
}

func TestSimdgroupOperationsSeeActiveLanesOnly(t *testing.T) {
	fold := func(f func(a, b uint32) uint32, upTo func(i int) uint32) func(int, uint32, [32]uint32) uint32 {
		return func(i int, active uint32, x [32]uint32) uint32 {
			acc, first := uint32(0), true
			for m := active & upTo(i); m != 0; m &= m - 1 {
				v := x[bits.TrailingZeros32(m)]
				if first {
					acc, first = v, false
				} else {
					acc = f(acc, v)
				}
			}
			return acc
		}
	}
	all := func(int) uint32 { return fullMask }
	add := func(a, b uint32) uint32 { return a + b }
	at := func(f func(i int) int) func(int, uint32, [32]uint32) uint32 {
		return func(i int, _ uint32, x [32]uint32) uint32 { return x[f(i)] }
	}
	cases := []simdCase{
		{ir.SimdSum, -1, fold(add, all)},
		{ir.SimdProduct, -1, fold(func(a, b uint32) uint32 { return a * b }, all)},
		{ir.SimdMin, -1, fold(func(a, b uint32) uint32 { return min(a, b) }, all)},
		{ir.SimdMax, -1, fold(func(a, b uint32) uint32 { return max(a, b) }, all)},
		{ir.SimdAnd, -1, fold(func(a, b uint32) uint32 { return a & b }, all)},
		{ir.SimdOr, -1, fold(func(a, b uint32) uint32 { return a | b }, all)},
		{ir.SimdXor, -1, fold(func(a, b uint32) uint32 { return a ^ b }, all)},
		{ir.SimdPrefixInclusiveSum, -1, fold(add, func(i int) uint32 { return 2<<i - 1 })},
		{ir.SimdPrefixExclusiveSum, -1, fold(add, func(i int) uint32 { return 1<<i - 1 })},
		{ir.SimdBroadcast, 6, at(func(int) int { return 6 })},
		{ir.SimdBroadcastFirst, -1, func(_ int, active uint32, x [32]uint32) uint32 { return x[bits.TrailingZeros32(active)] }},
		{ir.SimdShuffle, 9, at(func(int) int { return 9 })},
		{ir.SimdShuffleXor, 5, at(func(i int) int { return i ^ 5 })},
		{ir.SimdShuffleUp, 3, at(func(i int) int {
			if i < 3 {
				return i
			}
			return i - 3
		})},
		{ir.SimdShuffleDown, 3, at(func(i int) int {
			if i+3 > 31 {
				return i
			}
			return i + 3
		})},
		{ir.SimdShuffleRotateUp, 3, at(func(i int) int { return (i + 29) % 32 })},
		{ir.SimdShuffleRotateDown, 3, at(func(i int) int { return (i + 3) % 32 })},
	}
	rnd := rand.New(rand.NewSource(5))
	for _, c := range cases {
		for _, active := range []uint32{fullMask, 0x7ffffff5 &^ 2, 1 << 20} {
			var x [32]uint32
			for i := range x {
				x[i] = rnd.Uint32() | 1
			}
			mask := words(make([]uint32, 32)...)
			for i := range 32 {
				binary.LittleEndian.PutUint32(mask[4*i:], active>>i&1)
			}
			b := newBuilder("simd", "x", "mask", "out")
			i := b.tid()
			v := b.load(ir.U32, b.buffer(0), i)
			b.when(b.cmp(ir.Ne, ir.U32, b.load(ir.U32, b.buffer(1), i), b.u32(0)), func() {
				args := []ir.Reg{v}
				if c.b >= 0 {
					args = append(args, b.u32(uint32(c.b)))
				}
				b.store(ir.U32, b.buffer(2), i, b.op(c.op, ir.U32, ir.U32, args...))
			}, nil)
			out := make([]byte, 4*32)
			run(t, b.compile(t), line(32, 32, words(x[:]...), mask, out))
			for i := range 32 {
				if active>>i&1 == 0 {
					continue
				}
				if got, want := wordAt(out, i), c.want(i, active, x); got != want {
					t.Errorf("op %d, active %#x: lane %d has %#x, want %#x", c.op, active, i, got, want)
				}
			}
		}
	}
}

func TestVotesAndFloatSumsOfPartialSimdgroups(t *testing.T) {
	b := newBuilder("vote", "out", "sum")
	i := b.tid()
	odd := b.op(ir.Convert, ir.U32, ir.Bool, b.bin(ir.And, ir.U32, i, b.u32(1)))
	ballot := b.op(ir.SimdBallot, ir.Bool, ir.U64, odd)
	b.store(ir.U64, b.buffer(0), b.u32(0), ballot)
	b.store(ir.U64, b.buffer(0), b.u32(1), b.op(ir.SimdActiveMask, ir.Void, ir.U64))
	f := b.op(ir.Convert, ir.U32, ir.F32, i)
	b.store(ir.F32, b.buffer(1), b.u32(0), b.op(ir.SimdSum, ir.F32, ir.F32, f))
	out, sum := make([]byte, 16), make([]byte, 4)
	run(t, b.compile(t), line(10, 32, out, sum))
	if got := binary.LittleEndian.Uint64(out); got != 0x2aa {
		t.Errorf("ballot %#x, want 0x2aa", got)
	}
	if got := binary.LittleEndian.Uint64(out[8:]); got != 0x3ff {
		t.Errorf("active mask %#x, want 0x3ff", got)
	}
	if got := floatAt(sum, 0); got != 45 {
		t.Errorf("sum %v, want 45", got)
	}
}

func TestMatrixPipelineMatchesFloat64AndLaneMap(t *testing.T) {
	rnd := rand.New(rand.NewSource(6))
	for _, k := range []ir.Kind{ir.F16, ir.BF16, ir.F32} {
		a, m := samples(k, 200, rnd), samples(k, 200, rnd)
		for i := range 200 { // tame: no infinities
			put(k, a[i*int(k.Size()):], uint64(math.Float32bits(float32(rnd.Intn(15)-7))))
			put(k, m[i*int(k.Size()):], uint64(math.Float32bits(float32(rnd.Intn(15)-7))))
		}
		b := newBuilder("mat", "a", "b", "out", "lanes")
		s, one, two := b.constant(ir.U64, 11), b.constant(ir.I64, 1), b.constant(ir.I64, 2)
		x := b.matLoad(k.Mat(), k, b.buffer(0), s, one, two)
		y := b.matLoad(k.Mat(), k, b.buffer(1), s, two, one)
		b.k.Body[len(b.k.Body)-1].(*ir.Instr).Imm = 1 // transposed
		c := b.op(ir.MatDiag, ir.MatF32, ir.MatF32, b.f32(5))
		d := b.reg(ir.RegInfo{Kind: ir.MatF32, Len: 1, Var: true})
		b.mov(d, b.op(ir.MatMac, ir.MatF32, ir.MatF32, x, y, c))
		e := b.op(ir.MatGet, ir.MatF32, ir.F32, d, b.u32(1))
		b.instr(ir.Instr{Op: ir.MatSet, Kind: ir.MatF32, Dst: d, A: b.u32(0), B: b.bin(ir.Add, ir.F32, e, b.f32(100)), C: ir.NoReg})
		b.store(ir.F32, b.buffer(3), b.tid(), e)
		b.matStore(d, ir.F32, b.buffer(2), b.constant(ir.U64, 8), ir.NoReg, ir.NoReg)
		out, lanes := make([]byte, 4*64), make([]byte, 4*32)
		run(t, b.compile(t), line(32, 32, a, m, out, lanes))
		at := func(m []byte, r, c int) float64 {
			return float64(math.Float32frombits(uint32(element(k, m[(r*11+c)*int(k.Size()):]))))
		}
		value := func(r, c int) float64 {
			sum := 0.0
			if r == c {
				sum = 5
			}
			for i := range 8 {
				sum += at(a, 2+r, 1+i) * at(m, 1+c, 2+i)
			}
			return sum
		}
		for lane := range 32 {
			q := lane / 4
			r, c := q&4+lane/2%4, q&2*2+lane%2*2
			if got, want := float64(floatAt(lanes, lane)), value(r, c+1); got != want {
				t.Errorf("%s: lane %d sees %v, want %v", k, lane, got, want)
			}
			if got, want := float64(floatAt(out, r*8+c)), value(r, c+1)+100; got != want {
				t.Errorf("%s: element %d,%d is %v, want %v", k, r, c, got, want)
			}
			if got, want := float64(floatAt(out, r*8+c+1)), value(r, c+1); got != want {
				t.Errorf("%s: element %d,%d is %v, want %v", k, r, c+1, got, want)
			}
		}
	}
}

func TestDeviceAtomicsHoldAcrossWorkers(t *testing.T) {
	b := newBuilder("count", "n")
	p := b.buffer(0)
	atomic := func(op ir.Op, k ir.Kind, at int64, v ir.Reg) {
		b.instr(ir.Instr{Op: op, Kind: k, Dst: ir.NoReg, A: p, B: ir.NoReg, C: v, Imm2: at})
	}
	atomic(ir.AtomicAdd, ir.U32, 0, b.u32(1))
	atomic(ir.AtomicMax, ir.U32, 4, b.tid())
	atomic(ir.AtomicAdd, ir.F32, 8, b.f32(0.5))
	atomic(ir.AtomicAdd, ir.U64, 16, b.constant(ir.U64, 1<<33))
	k := b.compile(t)
	m := make([]byte, 24)
	d := line(20000, 256, m)
	d.Workers = 4
	run(t, k, d)
	if wordAt(m, 0) != 20000 || wordAt(m, 1) != 19999 || floatAt(m, 2) != 10000 || binary.LittleEndian.Uint64(m[16:]) != 20000<<33 {
		t.Errorf("after 20000 threads: %d %d %v %#x", wordAt(m, 0), wordAt(m, 1), floatAt(m, 2), binary.LittleEndian.Uint64(m[16:]))
	}
	b = newBuilder("odd", "n")
	b.instr(ir.Instr{Op: ir.AtomicAdd, Kind: ir.U32, Dst: ir.NoReg, A: b.buffer(0), B: ir.NoReg, C: b.u32(1), Imm2: 2})
	wantText(t, faultOf(t, b.compile(t), line(1, 1, m)), Misaligned, "offset 2")
}

func TestEveryOperationCompiles(t *testing.T) {
	for op := ir.Sqrt; op <= ir.SignBit; op++ {
		b := newBuilder(fmt.Sprint(op), "x")
		x := b.load(ir.F32, b.buffer(0), b.tid())
		args := []ir.Reg{x, x, x}[:opShapes[op].operands]
		to := ir.F32
		switch {
		case op == ir.Ldexp:
			args[1] = b.op(ir.Convert, ir.U32, ir.I32, b.tid())
		case op == ir.Ilogb || op == ir.FrexpExp:
			to = ir.I32
		case op >= ir.IsNaN:
			to = ir.Bool
		}
		b.op(op, ir.F32, to, args...)
		if _, err := Compile(b.k); err != nil {
			t.Error(err)
		}
	}
}

func TestArraysOfMatricesKeepEachElement(t *testing.T) {
	b := newBuilder("array", "out")
	acc := b.reg(ir.RegInfo{Kind: ir.MatF32, Len: 3, Var: true, Name: "acc"})
	b.instr(ir.Instr{Op: ir.Decl, Kind: ir.MatF32, Dst: acc, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg})
	b.count(b.u32(3), func(i ir.Reg, _, _ int) {
		m := b.op(ir.MatFill, ir.MatF32, ir.MatF32, b.op(ir.Convert, ir.U32, ir.F32, b.bin(ir.Add, ir.U32, i, b.u32(5))))
		b.instr(ir.Instr{Op: ir.ArraySet, Kind: ir.MatF32, Dst: acc, A: i, B: m, C: ir.NoReg})
	})
	p, s := b.buffer(0), b.constant(ir.U64, 8)
	for i := range uint32(3) {
		b.matStore(b.op(ir.ArrayGet, ir.MatF32, ir.MatF32, acc, b.u32(i)), ir.F32, p, s, ir.NoReg, b.constant(ir.I64, uint64(8*i)))
	}
	out := make([]byte, 3*256)
	run(t, b.compile(t), line(32, 32, out))
	for i := range 3 * 64 {
		if got, want := floatAt(out, i), float32(5+i/64); got != want {
			t.Fatalf("element %d is %v, want %v", i, got, want)
		}
	}
	b.op(ir.ArrayGet, ir.MatF32, ir.MatF32, acc, b.u32(3))
	wantText(t, faultOf(t, b.compile(t), line(32, 32, out)), OutOfBounds, "element 3 of thread variable acc, which has 3")
}
