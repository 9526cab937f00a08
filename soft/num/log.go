package num

import "math"

// split64 gives k and f in [sqrt(1/2), sqrt(2)) with x = f * 2^k, for normal positive x.
func split64(x float64) (k int64, f float64) {
	const sqrtHalf = 0x3fe6a09e667f3bcd
	u := math.Float64bits(x)
	k = int64(u-sqrtHalf) >> 52
	return k, math.Float64frombits(u - uint64(k)<<52)
}

// lnFast gives the natural logarithm of f in [sqrt(1/2), sqrt(2)) to a relative error below 2e-9: the series of
// 2 atanh((f-1)/(f+1)), which needs no table and keeps its relative accuracy at 1.
func lnFast(f float64) float64 {
	s := (f - 1) / (f + 1)
	z := float64(s * s)
	p := float64((float64(z*(2./9))+2./7)*float64(z*z)) + (float64(z*(2./5)) + 2./3)
	return float64(s*float64(z*p)) + 2*s
}

// ln64 gives the natural logarithm of a normal positive x, to about 1e-13 of its magnitude.
func ln64(x float64) float64 {
	k, f := split64(x)
	return float64(float64(k)*math.Ln2) + series((f-1)/(f+1))
}

// series is 2 atanh(s) for |s| < 0.1716.
func series(s float64) float64 {
	z := float64(s * s)
	p := 2. / 15
	p = float64(p*z) + 2./13
	p = float64(p*z) + 2./11
	p = float64(p*z) + 2./9
	p = float64(p*z) + 2./7
	p = float64(p*z) + 2./5
	p = float64(p*z) + 2./3
	return float64(s*float64(z*p)) + 2*s
}

// log1p gives ln(1+z) for z > -1, accurate for small z too.
func log1p(z float64) float64 {
	if z > -0.25 && z < 0.375 {
		return series(z / (2 + z))
	}
	return ln64(1 + z)
}

// logRare handles what is no finite positive number.
func logRare(x float32) float32 {
	switch {
	case x == 0:
		return -inf32
	case x < 0:
		return nan32
	}
	return x
}

// Log is the natural logarithm. 0.53 ULP.
func Log(x float32) float32 {
	if math.Float32bits(x)-1 >= infBits32-1 {
		return logRare(x)
	}
	k, f := split64(float64(x))
	return float32(float64(float64(k)*math.Ln2) + lnFast(f))
}

// Log2 is the base 2 logarithm. 0.54 ULP.
func Log2(x float32) float32 {
	if math.Float32bits(x)-1 >= infBits32-1 {
		return logRare(x)
	}
	k, f := split64(float64(x))
	return float32(float64(k) + float64(lnFast(f)*(1/math.Ln2)))
}

// Log10 is the base 10 logarithm. 0.53 ULP.
func Log10(x float32) float32 {
	if math.Float32bits(x)-1 >= infBits32-1 {
		return logRare(x)
	}
	k, f := split64(float64(x))
	return float32(float64(float64(k)*(math.Ln2/math.Ln10)) + float64(lnFast(f)*(1/math.Ln10)))
}

// powAbs gives x^y for finite x > 0.
func powAbs(x, y float64) float64 {
	k, f := split64(x)
	l := float64(k) + float64(series((f-1)/(f+1))*(1/math.Ln2))
	return exp2of32(expClamp(float64(y*l) * 32))
}

// Pow is x to the power y with the special cases of IEEE 754. 0.51 ULP.
func Pow(x, y float32) float32 {
	if y == 0 || x == 1 {
		return 1
	}
	if x != x || y != y {
		return x + y
	}
	a := Fabs(x)
	if IsInf(y) {
		switch {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return inf32
		}
		return 0
	}
	isInt, isOdd := parity(y)
	if a == 0 || a == inf32 {
		r := float32(0)
		if (a == 0) == (y < 0) {
			r = inf32
		}
		if isOdd {
			return Copysign(r, x)
		}
		return r
	}
	if x < 0 && !isInt {
		return nan32
	}
	r := float32(powAbs(float64(a), float64(y)))
	if x < 0 && isOdd {
		return -r
	}
	return r
}

// parity reports whether finite y is an integer, and an odd one.
func parity(y float32) (isInt, isOdd bool) {
	if math.Abs(float64(y)) >= 1<<24 {
		return true, false
	}
	i := int32(y)
	return float32(i) == y, float32(i) == y && i&1 != 0
}

// Powr is x to the power y for x >= 0; NaN for negative x and where exp2(y*log2(x)) is undefined. 0.51 ULP.
func Powr(x, y float32) float32 {
	switch {
	case x != x || y != y || x < 0:
		return nan32
	case y == 0 && (x == 0 || x == inf32), x == 1 && IsInf(y):
		return nan32
	}
	return Pow(Fabs(x), y)
}

// Asinh is the inverse hyperbolic sine. 0.51 ULP.
func Asinh(x float32) float32 {
	a := math.Abs(float64(x))
	if x == 0 || !(a < math.MaxFloat32*2) {
		return x
	}
	q := float64(a * a)
	return Copysign(float32(log1p(a+q/(1+math.Sqrt(q+1)))), x)
}

// Acosh is the inverse hyperbolic cosine; NaN below 1. 0.51 ULP.
func Acosh(x float32) float32 {
	if !(x >= 1) {
		return nan32
	}
	if x == inf32 {
		return x
	}
	t := float64(x) - 1
	return float32(log1p(t + math.Sqrt(2*t+float64(t*t))))
}

// Atanh is the inverse hyperbolic tangent; NaN outside [-1, 1]. 0.51 ULP.
func Atanh(x float32) float32 {
	a := math.Abs(float64(x))
	switch {
	case x == 0:
		return x
	case a == 1:
		return Copysign(inf32, x)
	case !(a < 1):
		return nan32
	}
	return Copysign(float32(0.5*log1p(2*a/(1-a))), x)
}
