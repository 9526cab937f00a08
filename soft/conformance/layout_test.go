package conformance

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/puremetal/puremetal/soft/num"
)

func once(t *testing.T, kernel string, want []int32) {
	t.Helper()
	expect(t, kernelOf(t, "layout.metal", kernel), 1, len(want), func(int) []int32 { return want })
}

func TestSizesOfTypes(t *testing.T) {
	once(t, "sizes", []int32{
		1, 2, 4, 4,
		8, 8, 8, 16,
		16, 32, 12, 6,
		3, 8, 16, 32,
		48, 64, 32, 12,
		48, 20, 32, 96,
		32, 32, 1, 32,
		128, 1, 4, 2,
		8, 28, 8,
		8, 4, 2, 1,
	})
}

func TestAlignmentsOfTypes(t *testing.T) {
	once(t, "alignments", []int32{4, 8, 16, 4, 2, 16, 8, 16, 4, 16, 32, 16, 8, 1})
}

func TestOffsetsOfMembers(t *testing.T) {
	once(t, "offsets", []int32{
		0, 16, 32,
		4, 16,
		16, 64, 80,
		8, 16, 20, 26,
		4, 12, 16, 24,
		32, 40, 80,
	})
}

func TestStructsAreReadWhereTheHostPutTheirMembers(t *testing.T) {
	const n, size = 40, 96
	b := make([]byte, n*size)
	le := binary.LittleEndian
	v := func(i, k, c int) int32 { return int32(i*1000 + k*100 + c*7 - 5000) }
	for i := range n {
		o := b[i*size:]
		o[0] = byte(200 + i)
		for k := range 2 {
			le.PutUint16(o[16+32*k:], uint16(-i*3-k))
			for c := range 4 {
				le.PutUint32(o[32+32*k+4*c:], uint32(v(i, k, c)))
			}
		}
		le.PutUint16(o[80:], num.F32ToF16(float32(i)-7))
	}
	expect(t, kernelOf(t, "layout.metal", "members"), n, 8, func(i int) []int32 {
		return []int32{int32(byte(200 + i)), int32(-i * 3), int32(-i*3 - 1), v(i, 1, 3), int32(i - 7), v(i, i&1, i&3),
			v(i, 1, 1) - int32(-i*3-1), v(i, 1, 3)}
	}, b)
}

func TestPackedVectorsHaveNoPadding(t *testing.T) {
	const n = 50
	p := floats(3*n, 31)
	expect(t, kernelOf(t, "layout.metal", "packed"), n, 3, func(i int) []float32 {
		x, y, z := p[3*i], p[3*i+1], p[3*i+2]
		return []float32{float32(x*2) + x + 1, float32(y*2) + (z + x), x}
	}, p)
}

func TestStoringAStructLeavesItsMembersWhereTheHostReadsThem(t *testing.T) {
	const n, size = 40, 48
	k := kernelOf(t, "layout.metal", "written")
	sweep(t, k, n, [][]byte{make([]byte, n*size)}, func(t *testing.T, tg int, out [][]byte) {
		for i := range n {
			o := out[0][i*size:]
			f := func(j int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(o[16+4*j:])) }
			if o[0] != byte(i) || f(0) != float32(i+1) || f(1) != 50 || f(2) != float32(i+3) || int8(o[32]) != int8(-i) {
				t.Errorf("element %d is % x", i, o[:size])
				return
			}
		}
	})
}

func TestEnums(t *testing.T) {
	expect(t, kernelOf(t, "layout.metal", "enums"), 40, 4, func(i int) []int32 {
		return []int32{8, 5 + 0 - 1, 1, 10}
	})
}
