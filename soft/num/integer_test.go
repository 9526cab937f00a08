package num

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// the integer functions by their definitions, on exact integers
var (
	one = big.NewInt(1)
)

func toBig[T Int](a T) *big.Int {
	if signed[T]() {
		return big.NewInt(int64(a))
	}
	return new(big.Int).SetUint64(uint64(a))
}

// wrapTo takes x modulo 2^width into the range of T.
func wrapTo[T Int](x *big.Int) T {
	m := new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0)))
	return T(m.Uint64())
}

func satTo[T Int](x *big.Int) T {
	if x.Cmp(toBig(MaxOf[T]())) > 0 {
		return MaxOf[T]()
	}
	if x.Cmp(toBig(MinOf[T]())) < 0 {
		return MinOf[T]()
	}
	return wrapTo[T](x)
}

func checkPair[T Int](t *testing.T, a, b, c T) {
	t.Helper()
	A, B, C := toBig(a), toBig(b), toBig(c)
	z := func() *big.Int { return new(big.Int) }
	w := width[T]()
	sum, diff, prod := z().Add(A, B), z().Sub(A, B), z().Mul(A, B)
	hi := z().Rsh(prod, w)
	for _, r := range []struct {
		name      string
		got, want T
	}{
		{"AddSat", AddSat(a, b), satTo[T](sum)},
		{"SubSat", SubSat(a, b), satTo[T](diff)},
		{"MulHi", MulHi(a, b), wrapTo[T](hi)},
		{"HAdd", HAdd(a, b), wrapTo[T](z().Rsh(sum, 1))},
		{"RHAdd", RHAdd(a, b), wrapTo[T](z().Rsh(z().Add(sum, one), 1))},
		{"AbsDiff", AbsDiff(a, b), wrapTo[T](z().Abs(diff))},
		{"MadHi", MadHi(a, b, c), wrapTo[T](z().Add(hi, C))},
		{"MadSat", MadSat(a, b, c), satTo[T](z().Add(prod, C))},
		{"Abs", Abs(a), wrapTo[T](z().Abs(A))},
	} {
		if r.got != r.want {
			t.Fatalf("%s(%d, %d, %d) of %T = %d, want %d", r.name, a, b, c, a, r.got, r.want)
		}
	}
	div, rem := T(0), T(0)
	if b != 0 {
		div, rem = wrapTo[T](z().Quo(A, B)), wrapTo[T](z().Rem(A, B))
	}
	if Div(a, b) != div || Rem(a, b) != rem {
		t.Fatalf("%d / %d of %T = %d rest %d, want %d rest %d", a, b, a, Div(a, b), Rem(a, b), div, rem)
	}
	s := uint(b) % w
	if got, want := Shl(a, b), wrapTo[T](z().Lsh(A, s)); got != want {
		t.Fatalf("%d << %d of %T = %d, want %d", a, b, a, got, want)
	}
	if got, want := Shr(a, b), wrapTo[T](z().Rsh(A, s)); got != want {
		t.Fatalf("%d >> %d of %T = %d, want %d", a, b, a, got, want)
	}
	// Rotation, on the zero-extended bits.
	u := z().SetUint64(low(a))
	rot := z().Or(z().Lsh(u, s), z().Rsh(u, w-s))
	if got, want := Rotate(a, b), wrapTo[T](rot); got != want {
		t.Fatalf("Rotate(%d, %d) of %T = %d, want %d", a, b, a, got, want)
	}
}

func checkBits[T Int](t *testing.T, a, ins T) {
	t.Helper()
	w := int(width[T]())
	s := fmt.Sprintf("%0*b", w, low(a))
	lead, trail, ones, rev := 0, 0, 0, uint64(0)
	for lead < w && s[lead] == '0' {
		lead++
	}
	for trail < w && s[w-1-trail] == '0' {
		trail++
	}
	for i := range w {
		if s[i] == '1' {
			ones++
			rev |= 1 << i
		}
	}
	if Clz(a) != T(lead) || Ctz(a) != T(trail) || Popcount(a) != T(ones) || ReverseBits(a) != T(rev) {
		t.Fatalf("%d of %T: clz %d, ctz %d, popcount %d, reversed %d", a, a, Clz(a), Ctz(a), Popcount(a), ReverseBits(a))
	}
	for off := 0; off <= w; off++ {
		for n := 0; off+n <= w; n++ {
			m := uint64(1)<<n - 1
			if n == 64 {
				m = ^uint64(0)
			}
			want := low(a) >> off & m
			if signed[T]() && n > 0 && want>>(n-1)&1 != 0 {
				want |= ^m
			}
			if got := ExtractBits(a, uint32(off), uint32(n)); got != T(want) {
				t.Fatalf("ExtractBits(%d, %d, %d) of %T = %d, want %d", a, off, n, a, got, T(want))
			}
			put := low(a)&^(m<<off) | (low(ins)&m)<<off
			if got := InsertBits(a, ins, uint32(off), uint32(n)); got != T(put) {
				t.Fatalf("InsertBits(%d, %d, %d, %d) of %T = %d, want %d", a, ins, off, n, a, got, T(put))
			}
		}
	}
}

func TestIntegerFunctionsAreExhaustivelyRightAtEightBits(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			c := a*31 + b*17
			checkPair(t, int8(a), int8(b), int8(c))
			checkPair(t, uint8(a), uint8(b), uint8(c))
		}
		checkBits(t, int8(a), int8(a*73))
		checkBits(t, uint8(a), uint8(a*73))
	}
}

// edgy gives values that crowd at the ends of each width.
func edgy(r *rand.Rand) uint64 {
	u := r.Uint64() >> (r.Uint32() & 63)
	switch r.Uint32() & 3 {
	case 0:
		return -u
	case 1:
		return 1<<(r.Uint32()&63) + u&3 - 1
	}
	return u
}

func checkAllWidths(t *testing.T, a, b, c uint64) {
	t.Helper()
	checkPair(t, int16(a), int16(b), int16(c))
	checkPair(t, uint16(a), uint16(b), uint16(c))
	checkPair(t, int32(a), int32(b), int32(c))
	checkPair(t, uint32(a), uint32(b), uint32(c))
	checkPair(t, int64(a), int64(b), int64(c))
	checkPair(t, a, b, c)
}

func TestIntegerFunctionsAgreeWithExactArithmeticAtAllWidths(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 6000 {
		checkAllWidths(t, edgy(r), edgy(r), edgy(r))
	}
	for range 60 {
		a, b := edgy(r), edgy(r)
		checkBits(t, int16(a), int16(b))
		checkBits(t, uint16(a), uint16(b))
		checkBits(t, int32(a), int32(b))
		checkBits(t, uint32(a), uint32(b))
		checkBits(t, int64(a), int64(b))
		checkBits(t, a, b)
	}
}

func FuzzIntegerFunctions(f *testing.F) {
	f.Add(uint64(1)<<63, ^uint64(0), uint64(1))
	f.Add(uint64(0x7fff), uint64(0x8000), uint64(0))
	f.Fuzz(func(t *testing.T, a, b, c uint64) {
		checkPair(t, int8(a), int8(b), int8(c))
		checkPair(t, uint8(a), uint8(b), uint8(c))
		checkAllWidths(t, a, b, c)
	})
}

func TestBitFieldsBeyondTheWidthStayDefined(t *testing.T) {
	if got := ExtractBits(int32(-8), 40, 4); got != -1 {
		t.Errorf("extract_bits(-8, 40, 4) = %d", got)
	}
	if got := ExtractBits(uint32(0xf0000000), 28, 8); got != 0xf {
		t.Errorf("extract_bits(0xf0000000, 28, 8) = %#x", got)
	}
	if got := InsertBits(uint32(1), uint32(0xff), 40, 4); got != 1 {
		t.Errorf("insert_bits(1, 255, 40, 4) = %#x", got)
	}
	if bits.OnesCount32(InsertBits(uint32(0), ^uint32(0), 30, 10)) != 2 {
		t.Error("insert_bits past the top does not fall away")
	}
}
