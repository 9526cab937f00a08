package conformance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
)

// The binary operators that every integer type has, written once for the kernel and once in Go. Divisors and shift counts are
// made harmless in both, since Metal leaves the rest undefined.
const integerKernel = `
kernel void k(device %[1]s* out [[buffer(0)]], device const %[1]s* a [[buffer(1)]], device const %[1]s* b [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
    %[1]s x = a[i], y = b[i], d = y == 0 ? %[1]s(3) : y, s = y & %[1]s(%[2]d);
    device %[1]s* o = out + i * 20;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / d; o[4] = x %% d;
    o[5] = x & y; o[6] = x | y; o[7] = x ^ y; o[8] = ~x; o[9] = -x;
    o[10] = x << s; o[11] = x >> s;
    o[12] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
    o[13] = !x; o[14] = x && y; o[15] = x || y;
    o[16] = x; o[16] += y; o[17] = x; o[17] <<= s; o[18] = x; o[18]++; o[19] = min(max(x, y), %[1]s(100));
}`

func integerResults[T num.Int](x, y T, shift T) []T {
	d, s := y, y&shift
	if d == 0 {
		d = 3
	}
	flags := T(b2i(x < y) | b2i(x <= y)<<1 | b2i(x > y)<<2 | b2i(x >= y)<<3 | b2i(x == y)<<4 | b2i(x != y)<<5)
	return []T{x + y, x - y, x * y, x / d, x % d, x & y, x | y, x ^ y, ^x, -x, x << s, x >> s, flags,
		T(b2i(x == 0)), T(b2i(x != 0 && y != 0)), T(b2i(x != 0 || y != 0)), x + y, x << s, x + 1, min(max(x, y), 100)}
}

// corner gives values near the ends and the middle of T among random ones.
func corner[T num.Int](n int, seed uint64) []T {
	r := rand.New(rand.NewPCG(seed, 99))
	v := []T{0, 1, num.MaxOf[T](), num.MinOf[T](), num.MaxOf[T]() - 1, num.MinOf[T]() + 1, 2, 7}
	for len(v) < n {
		v = append(v, T(r.Uint64()>>(r.Uint32()&63)))
	}
	r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v[:n]
}

func testInteger[T num.Int](t *testing.T, name string, width int) {
	t.Run(name, func(t *testing.T) {
		const n = 130
		a, b := corner[T](n, 1), corner[T](n, 2)
		copy(b[:20], a[:20])
		k := lower(t, compileText(t, fmt.Sprintf(integerKernel, name, min(width, 64)-1)), "k")
		expect(t, k, n, 20, func(i int) []T { return integerResults(a[i], b[i], T(width-1)) }, a, b)
	})
}

func TestIntegerArithmeticOfEveryType(t *testing.T) {
	testInteger[int8](t, "char", 8)
	testInteger[uint8](t, "uchar", 8)
	testInteger[int16](t, "short", 16)
	testInteger[uint16](t, "ushort", 16)
	testInteger[int32](t, "int", 32)
	testInteger[uint32](t, "uint", 32)
	testInteger[int64](t, "long", 64)
	testInteger[uint64](t, "ulong", 64)
	testInteger[uint8](t, "uint8_t", 8)
	testInteger[int16](t, "int16_t", 16)
	testInteger[uint32](t, "uint32_t", 32)
	testInteger[int64](t, "int64_t", 64)
	testInteger[uint64](t, "size_t", 64)
	testInteger[uint32](t, "unsigned int", 32)
}

// Vectors of every integer type and width: operators by component, with a scalar on either side, comparisons and select.
const vectorKernel = `
kernel void k(device %[1]s* out [[buffer(0)]], device const %[1]s* a [[buffer(1)]], device const %[1]s* b [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
    typedef %[1]s T;
    typedef vec<T, %[2]d> V;
    V x, y;
    for (int j = 0; j < %[2]d; ++j) { x[j] = a[i * %[2]d + j]; y[j] = b[i * %[2]d + j]; }
    V r[12];
    r[0] = x + y; r[1] = x - y; r[2] = x * y; r[3] = x + T(3); r[4] = T(5) - y; r[5] = -x;
    r[6] = select(x, y, x < y); r[7] = V(x == y) + V(x != T(1)); r[8] = x; r[8] *= y; r[8] += T(1);
    r[9] = V(T(all(x == x)), T(any(x < y)) %[3]s); r[10] = min(x, y); r[11] = x; r[11].yx = r[11].xy;
    for (int q = 0; q < 12; ++q)
        for (int j = 0; j < %[2]d; ++j) out[(i * 12 + q) * %[2]d + j] = r[q][j];
}`

func vectorResults[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32](x, y []T) []T {
	w := len(x)
	r := make([]T, 12*w)
	anyLess := T(0)
	for j := range w {
		if x[j] < y[j] {
			anyLess = 1
		}
	}
	for j, a := range x {
		b := y[j]
		row := func(q int, v T) { r[q*w+j] = v }
		row(0, a+b)
		row(1, a-b)
		row(2, a*b)
		row(3, a+3)
		row(4, 5-b)
		row(5, -a)
		row(6, a)
		if a < b {
			row(6, b)
		}
		row(7, T(b2i(a == b)+b2i(a != 1)))
		row(8, T(a*b)+1)
		row(9, []T{1, anyLess, 2, 3}[j])
		row(10, min(a, b))
		row(11, a)
	}
	r[11*w], r[11*w+1] = x[1], x[0]
	return r
}

func testVector[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32](t *testing.T, name string, values func(seed uint64) []T) {
	for w, tail := range map[int]string{2: "", 3: ", T(2)", 4: ", V(T(0), T(1), T(2), T(3)).zw"} {
		if w == 2 {
			tail = ""
		}
		t.Run(fmt.Sprint(name, w), func(t *testing.T) {
			a, b := values(3), values(4)
			n := len(a) / 4
			copy(b[:w*3], a)
			k := lower(t, compileText(t, fmt.Sprintf(vectorKernel, name, w, tail)), "k")
			expect(t, k, n, 12*w, func(i int) []T { return vectorResults(a[i*w:i*w+w], b[i*w:i*w+w]) }, a, b)
		})
	}
}

func TestVectorArithmeticOfEveryType(t *testing.T) {
	testVector(t, "char", func(s uint64) []int8 { return corner[int8](160, s) })
	testVector(t, "uchar", func(s uint64) []uint8 { return corner[uint8](160, s) })
	testVector(t, "short", func(s uint64) []int16 { return corner[int16](160, s) })
	testVector(t, "ushort", func(s uint64) []uint16 { return corner[uint16](160, s) })
	testVector(t, "int", func(s uint64) []int32 { return corner[int32](160, s) })
	testVector(t, "uint", func(s uint64) []uint32 { return corner[uint32](160, s) })
	testVector(t, "long", func(s uint64) []int64 { return corner[int64](160, s) })
	testVector(t, "ulong", func(s uint64) []uint64 { return corner[uint64](160, s) })
	testVector(t, "float", func(s uint64) []float32 { return floats(160, s) })
}

func floats(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 5))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64() * 10)
	}
	return v
}

// Floating-point types, held as bits so that half and bfloat are compared exactly.
const floatKernel = `
kernel void k(device %[1]s* out [[buffer(0)]], device const %[1]s* a [[buffer(1)]], device const %[1]s* b [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
    %[1]s x = a[i], y = b[i];
    device %[1]s* o = out + i * 10;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = -x;
    o[5] = %[1]s((x < y) + (x <= y) * 2 + (x > y) * 4 + (x >= y) * 8 + (x == y) * 16 + (x != y) * 32);
    o[6] = x; o[6] *= y; o[6] += x; o[7] = x; o[7]--;
    o[8] = x > y ? x : y; o[9] = %[1]s(x * y - y * 0.5f);
}`

func floatResults(x, y float32, round func(float32) float32) []float32 {
	p := round(x * y)
	flags := b2i(x < y) + b2i(x <= y)*2 + b2i(x > y)*4 + b2i(x >= y)*8 + b2i(x == y)*16 + b2i(x != y)*32
	return []float32{round(x + y), round(x - y), p, round(x / y), -x, float32(flags), round(p + x), round(x - 1), max(x, y),
		round(p - float32(y*0.5))}
}

func TestFloatArithmeticOfEveryType(t *testing.T) {
	const n = 130
	x, y := floats(n, 6), floats(n, 7)
	copy(y[:9], x)
	t.Run("float", func(t *testing.T) {
		k := lower(t, compileText(t, fmt.Sprintf(floatKernel, "float")), "k")
		id := func(f float32) float32 { return f }
		expect(t, k, n, 10, func(i int) []float32 { return floatResults(x[i], y[i], id) }, x, y)
	})
	narrow := func(name string, conv func(float32) uint16, value func(uint16) float32, round func(float32) float32) {
		t.Run(name, func(t *testing.T) {
			k := lower(t, compileText(t, fmt.Sprintf(floatKernel, name)), "k")
			a, b := make([]uint16, n), make([]uint16, n)
			for i := range n {
				a[i], b[i] = conv(x[i]), conv(y[i])
			}
			expect(t, k, n, 10, func(i int) []uint16 {
				var w []uint16
				for _, f := range floatResults(value(a[i]), value(b[i]), round) {
					w = append(w, conv(f))
				}
				return w
			}, a, b)
		})
	}
	narrow("half", num.F32ToF16, num.F16ToF32, num.RoundF16)
	narrow("bfloat", num.F32ToBF16, num.BF16ToF32, num.RoundBF16)
}

// Conversions between all pairs of scalar types, written as constructor, C cast and static_cast by turns.
func TestConversionsBetweenAllScalarTypes(t *testing.T) {
	names := []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float", "bool"}
	inputs := map[string]any{
		"char": corner[int8](64, 1), "uchar": corner[uint8](64, 1), "short": corner[int16](64, 1), "ushort": corner[uint16](64, 1),
		"int": corner[int32](64, 1), "uint": corner[uint32](64, 1), "long": corner[int64](64, 1), "ulong": corner[uint64](64, 1),
	}
	f := floats(64, 8)
	f[0], f[1], f[2], f[3], f[4], f[5] = 0, 300.5, -129.5, 1e9, 65000, 0.25
	h, bf, bo := make([]f16, 64), make([]bf16, 64), make([]bool, 64)
	for i := range f {
		h[i], bf[i], bo[i] = f16(num.F32ToF16(f[i])), bf16(num.F32ToBF16(f[i])), i%3 == 0
	}
	inputs["half"], inputs["bfloat"], inputs["float"], inputs["bool"] = h, bf, f, bo
	for si, s := range names {
		src, fields := "", ""
		for di, d := range names {
			fields += fmt.Sprintf("device %s* o%d [[buffer(%d)]], ", d, di, di)
			form := []string{"%s(a[i])", "(%s)a[i]", "static_cast<%s>(a[i])", "a[i]"}[(si+di)%4]
			if s == "bfloat" || d == "bfloat" {
				form = []string{"%s(a[i])", "(%s)a[i]", "static_cast<%s>(a[i])"}[(si+di)%3]
			}
			if form != "a[i]" {
				form = fmt.Sprintf(form, d)
			}
			src += fmt.Sprintf("    o%d[i] = %s;\n", di, form)
		}
		src = fmt.Sprintf("kernel void k(%sdevice const %s* a [[buffer(12)]], uint i [[thread_position_in_grid]]) {\n%s}\n", fields, s, src)
		t.Run(s, func(t *testing.T) {
			k := lower(t, compileText(t, src), "k")
			want := convertAll(inputs[s])
			memory := make([][]byte, 13)
			for i, w := range want {
				memory[i] = make([]byte, len(mem(w)))
			}
			memory[12] = mem(inputs[s])
			sweep(t, k, 64, memory, func(t *testing.T, tg int, out [][]byte) {
				for di, w := range want {
					if g, w := out[di], mem(w); string(g) != string(w) {
						for j := range g {
							if g[j] != w[j] {
								size := len(g) / 64
								e := j / size
								t.Errorf("%s to %s, element %d: % x becomes % x, want % x", s, names[di], e,
									memory[12][e*len(memory[12])/64:(e+1)*len(memory[12])/64], g[e*size:(e+1)*size], w[e*size:(e+1)*size])
								break
							}
						}
					}
				}
			})
		})
	}
}

// convertAll gives v converted to each type of the test, in its order.
func convertAll(v any) []any {
	switch v := v.(type) {
	case []int8:
		return fromInts(v)
	case []uint8:
		return fromInts(v)
	case []int16:
		return fromInts(v)
	case []uint16:
		return fromInts(v)
	case []int32:
		return fromInts(v)
	case []uint32:
		return fromInts(v)
	case []int64:
		return fromInts(v)
	case []uint64:
		return fromInts(v)
	case []f16:
		return fromFloats(v, f16.float)
	case []bf16:
		return fromFloats(v, bf16.float)
	case []float32:
		return fromFloats(v, func(f float32) float32 { return f })
	case []bool:
		return fromInts(each(v, func(b bool) uint8 { return uint8(b2i(b)) }))
	}
	panic(fmt.Sprintf("%T", v))
}

func each[S, D any](v []S, f func(S) D) []D {
	r := make([]D, len(v))
	for i, x := range v {
		r[i] = f(x)
	}
	return r
}

func fromInts[S num.Int](v []S) []any {
	return []any{
		each(v, func(x S) int8 { return int8(x) }), each(v, func(x S) uint8 { return uint8(x) }),
		each(v, func(x S) int16 { return int16(x) }), each(v, func(x S) uint16 { return uint16(x) }),
		each(v, func(x S) int32 { return int32(x) }), each(v, func(x S) uint32 { return uint32(x) }),
		each(v, func(x S) int64 { return int64(x) }), each(v, func(x S) uint64 { return uint64(x) }),
		each(v, func(x S) uint16 { return num.F32ToF16(num.IntToF16(x)) }), each(v, func(x S) uint16 { return num.F32ToBF16(num.IntToBF16(x)) }),
		each(v, func(x S) float32 { return num.IntToF32(x) }), each(v, func(x S) bool { return x != 0 }),
	}
}

func fromFloats[S any](v []S, value func(S) float32) []any {
	f := each(v, value)
	return []any{
		each(f, num.FloatToInt[int8]), each(f, num.FloatToInt[uint8]), each(f, num.FloatToInt[int16]), each(f, num.FloatToInt[uint16]),
		each(f, num.FloatToInt[int32]), each(f, num.FloatToInt[uint32]), each(f, num.FloatToInt[int64]), each(f, num.FloatToInt[uint64]),
		each(f, num.F32ToF16), each(f, num.F32ToBF16), f, each(f, func(x float32) bool { return x != 0 }),
	}
}
