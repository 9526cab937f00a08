package num

import (
	"math"
	"math/bits"
)

// twoOverPi holds the binary digits of 2/pi behind 64 zero bits.
var twoOverPi = [...]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
}

const (
	piHalfHi = 0x1.921fb544p0             // the leading 33 bits of pi/2: its product with a 20-bit integer is exact
	piHalfLo = math.Pi/2 - 0x1.921fb544p0 // the rest
)

// reduce gives r in about [-pi/4, pi/4] and q with x = r + q*pi/2 (q modulo 4), for finite x.
func reduce(x float32) (r float64, q uint32) {
	d := float64(x)
	if d < 1<<20 && d > -(1<<20) {
		t := float64(d*(2/math.Pi)) + roundShift
		n := t - roundShift
		return (d - float64(n*piHalfHi)) - float64(n*piHalfLo), uint32(math.Float64bits(t)) & 3
	}
	return reduceLarge(x)
}

// reduceLarge multiplies by those 128 digits of 2/pi that matter modulo 4 (Payne and Hanek). |x| >= 2^20.
func reduceLarge(x float32) (r float64, q uint32) {
	b := math.Float32bits(x)
	e := int(b>>23&0xff) - 150
	m := uint64(b&0x7fffff | 0x800000)
	// x = m * 2^e. The digit of weight 2^(1-e) is the first that does not only add multiples of 4.
	p := e - 2 + 64
	w, s := p>>6, uint(p&63)
	hi := twoOverPi[w]<<s | twoOverPi[w+1]>>1>>(63-s)
	lo := twoOverPi[w+1]<<s | twoOverPi[w+2]>>1>>(63-s)
	ch, cl := bits.Mul64(lo, m)
	ph := hi*m + ch
	q = uint32(ph >> 62)
	f := ph<<2 | cl>>62
	q += uint32(f >> 63)
	r = float64(float64(int64(f)) * (0x1p-64 * math.Pi / 2))
	if b>>31 != 0 {
		return -r, -q & 3
	}
	return r, q & 3
}

// sinPoly is the sine on [-pi/4, pi/4], to a relative error below 1e-11.
func sinPoly(r float64) float64 {
	z := float64(r * r)
	p := -1. / 39916800
	p = float64(p*z) + 1./362880
	p = float64(p*z) - 1./5040
	p = float64(p*z) + 1./120
	p = float64(p*z) - 1./6
	return r + float64(r*float64(z*p))
}

// cosPoly is the cosine on [-pi/4, pi/4], to a relative error below 2e-10.
func cosPoly(r float64) float64 {
	z := float64(r * r)
	p := -1. / 3628800
	p = float64(p*z) + 1./40320
	p = float64(p*z) - 1./720
	p = float64(p*z) + 1./24
	p = float64(p*z) - 0.5
	return 1 + float64(z*p)
}

// quadrant gives sin(r + q*pi/2).
func quadrant(r float64, q uint32) float64 {
	var v float64
	if q&1 == 0 {
		v = sinPoly(r)
	} else {
		v = cosPoly(r)
	}
	if q&2 != 0 {
		return -v
	}
	return v
}

// Sin is the sine of x radians, for every magnitude. 0.51 ULP.
func Sin(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	if x == 0 {
		return x
	}
	r, q := reduce(x)
	return float32(quadrant(r, q))
}

// Cos is the cosine of x radians, for every magnitude. 0.51 ULP.
func Cos(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	r, q := reduce(x)
	return float32(quadrant(r, q+1))
}

// Tan is the tangent of x radians, for every magnitude. 0.51 ULP.
func Tan(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	if x == 0 {
		return x
	}
	r, q := reduce(x)
	return float32(quadrant(r, q) / quadrant(r, q+1))
}

// reducePi gives r and q with pi*|x| = r + q*pi/2 (q modulo 4), exactly up to the product with pi.
func reducePi(x float32) (r float64, q uint32) {
	a := math.Abs(float64(x))
	if a >= 1<<24 {
		return 0, 0 // an even integer
	}
	n := float64(2*a) + roundShift
	return float64((a - (n-roundShift)*0.5) * math.Pi), uint32(math.Float64bits(n)) & 3
}

// Sinpi is sin(pi*x). At integers it is a zero with the sign of x. 0.51 ULP.
func Sinpi(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	r, q := reducePi(x)
	v := quadrant(r, q) + 0 // -0 becomes +0
	if math.Signbit(float64(x)) {
		v = -v
	}
	return float32(v)
}

// Cospi is cos(pi*x). At half-integers it is +0. 0.51 ULP.
func Cospi(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	r, q := reducePi(x)
	return float32(quadrant(r, q+1) + 0)
}

// Tanpi is tan(pi*x). At half-integers it is an infinity with the sign of the limit from the side of zero. 0.51 ULP.
func Tanpi(x float32) float32 {
	if !finite(x) {
		return nan32
	}
	r, q := reducePi(x)
	v := quadrant(r, q) / (quadrant(r, q+1) + 0)
	if math.Signbit(float64(x)) {
		v = -v
	}
	return float32(v)
}

// atanTable[i] is atan(i/8).
var atanTable = [9]float64{
	0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.46364760900080609,
	0.55859931534356244, 0.64350110879328437, 0.71882999962162453, 0.78539816339744828,
}

// atanUnit is the arc tangent on [0, 1], to a relative error below 1e-10.
func atanUnit(t float64) float64 {
	i := int32(float64(8*t) + 0.5)
	c := float64(i) * 0.125
	u := (t - c) / (1 + float64(t*c))
	z := float64(u * u)
	p := -1. / 7
	p = float64(p*z) + 1./5
	p = float64(p*z) - 1./3
	return atanTable[i] + (u + float64(u*float64(z*p)))
}

func atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ax, ay := math.Abs(x), math.Abs(y)
	if ax == ay && ax > math.MaxFloat64 {
		ax, ay = 1, 1
	}
	var a float64
	switch {
	case ay > ax:
		a = math.Pi/2 - atanUnit(ax/ay)
	case ax != 0:
		a = atanUnit(ay / ax)
	}
	if math.Signbit(x) {
		a = math.Pi - a
	}
	return math.Copysign(a, y)
}

// Atan is the arc tangent. 0.51 ULP.
func Atan(x float32) float32 { return float32(atan2(float64(x), 1)) }

// Atan2 is the angle of the point (x, y), with the special cases of IEEE 754. 0.51 ULP.
func Atan2(y, x float32) float32 { return float32(atan2(float64(y), float64(x))) }

// Asin is the arc sine; NaN outside [-1, 1]. 0.51 ULP.
func Asin(x float32) float32 {
	d := float64(x)
	return float32(atan2(d, math.Sqrt((1-d)*(1+d))))
}

// Acos is the arc cosine; NaN outside [-1, 1]. 0.51 ULP.
func Acos(x float32) float32 {
	d := float64(x)
	return float32(atan2(math.Sqrt((1-d)*(1+d)), d))
}
