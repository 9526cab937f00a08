package conformance

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
)

func TestReinterpretingBits(t *testing.T) {
	a := corner[uint32](100, 121)
	for i, v := range a {
		// Leave NaNs out: what a load and store of one keeps is not promised.
		if v&0x7f800000 == 0x7f800000 || v&0x7f80 == 0x7f80 || v&0x7c00 == 0x7c00 || v>>16&0x7c00 == 0x7c00 {
			a[i] = v & 0x3bff3bff
		}
	}
	expect(t, kernelOf(t, "bits.metal", "as_types"), 100, 12, func(i int) []uint32 {
		u := a[i]
		return []uint32{u, u, bits.ReverseBytes32(u), bits.RotateLeft32(u, 16), u & 0xffff, u >> 16, uint32(int32(u) >> 4), uint32(i), u, 0x3f,
			math.Float32bits(2.5), 0xc000}
	}, a)
}

const integerFunctions = `
kernel void k(device %[1]s* out [[buffer(0)]], device const %[1]s* a [[buffer(1)]], device const %[1]s* b [[buffer(2)]],
              device const %[1]s* c [[buffer(3)]], uint i [[thread_position_in_grid]]) {
    typedef %[1]s T;
    T x = a[i], y = b[i], z = c[i];
    device T* o = out + i * 24;
    o[0] = T(abs(x)); o[1] = T(absdiff(x, y)); o[2] = addsat(x, y); o[3] = subsat(x, y); o[4] = clamp(x, min(y, z), max(y, z));
    o[5] = clz(x); o[6] = ctz(x); o[7] = popcount(x); o[8] = reverse_bits(x); o[9] = rotate(x, y); o[10] = hadd(x, y);
    o[11] = rhadd(x, y); o[12] = mulhi(x, y); o[13] = madhi(x, y, z); o[14] = madsat(x, y, z); o[15] = min(x, y); o[16] = max(x, y);
    o[17] = extract_bits(x, i %% 5, i %% 4); o[18] = insert_bits(x, y, i %% 5, i %% 4);
    o[19] = min3(x, y, z); o[20] = max3(x, y, z); o[21] = median3(x, y, z);
    vec<T, 3> v = addsat(vec<T, 3>(x, y, z), vec<T, 3>(y, z, x)); o[22] = v.z;
    o[23] = popcount(vec<T, 2>(x, y)).y;
}`

// exactInt gives the functions of exactly held integers, wrapped or saturated to T.
func exactInt[T num.Int](x, y, z T, i int) []T {
	w := uint(8)
	for s := w; s <= 64; s *= 2 {
		if uint64(num.MaxOf[T]()) >= 1<<(s-1)-1 {
			w = s
		}
	}
	signed := num.MinOf[T]() != 0
	toBig := func(v T) *big.Int {
		if signed {
			return big.NewInt(int64(v))
		}
		return new(big.Int).SetUint64(uint64(v))
	}
	mask := new(big.Int).SetUint64(math.MaxUint64)
	wrap := func(v *big.Int) T { return T(new(big.Int).And(v, mask).Uint64()) }
	sat := func(v *big.Int) T {
		if v.Cmp(toBig(num.MaxOf[T]())) > 0 {
			return num.MaxOf[T]()
		}
		if v.Cmp(toBig(num.MinOf[T]())) < 0 {
			return num.MinOf[T]()
		}
		return wrap(v)
	}
	z0 := func() *big.Int { return new(big.Int) }
	X, Y, Z := toBig(x), toBig(y), toBig(z)
	u := uint64(x) & (math.MaxUint64 >> (64 - w))
	s := uint(uint64(y) % uint64(w))
	sum, prod := z0().Add(X, Y), z0().Mul(X, Y)
	hi := z0().Rsh(prod, w)
	off, n := uint(i%5), uint(i%4)
	field := z0().And(z0().Rsh(X, off), big.NewInt(1<<n-1))
	if signed && n > 0 && field.Bit(int(n)-1) == 1 {
		field.Sub(field, big.NewInt(1<<n))
	}
	m := T(1)<<n - 1
	return []T{wrap(z0().Abs(X)), wrap(z0().Abs(z0().Sub(X, Y))), sat(sum), sat(z0().Sub(X, Y)), max(min(max(y, z), x), min(y, z)),
		T(w - uint(bits.Len64(u))), T(min(uint(bits.TrailingZeros64(u)), w)), T(bits.OnesCount64(u)), T(bits.Reverse64(u) >> (64 - w)),
		T(u<<s | u>>(w-s)), wrap(z0().Rsh(sum, 1)), wrap(z0().Rsh(z0().Add(sum, big.NewInt(1)), 1)), wrap(hi), wrap(z0().Add(hi, Z)),
		sat(z0().Add(prod, Z)), min(x, y), max(x, y), wrap(field), x&^(m<<off) | y&m<<off, min(x, y, z), max(x, y, z),
		max(min(x, y), min(max(x, y), z)), sat(z0().Add(Z, X)), T(bits.OnesCount64(uint64(y) & (math.MaxUint64 >> (64 - w)))),
	}
}

func testIntegerFunctions[T num.Int](t *testing.T, name string) {
	t.Run(name, func(t *testing.T) {
		const n = 130
		a, b, c := corner[T](n, 131), corner[T](n, 132), corner[T](n, 133)
		k := lower(t, compileText(t, fmt.Sprintf(integerFunctions, name)), "k")
		expect(t, k, n, 24, func(i int) []T { return exactInt(a[i], b[i], c[i], i) }, a, b, c)
	})
}

func TestIntegerFunctionsOfEveryType(t *testing.T) {
	testIntegerFunctions[int8](t, "char")
	testIntegerFunctions[uint8](t, "uchar")
	testIntegerFunctions[int16](t, "short")
	testIntegerFunctions[uint16](t, "ushort")
	testIntegerFunctions[int32](t, "int")
	testIntegerFunctions[uint32](t, "uint")
	testIntegerFunctions[int64](t, "long")
	testIntegerFunctions[uint64](t, "ulong")
}
