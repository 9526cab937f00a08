package num

import "math"

// exp2Table[i] holds the bits of 2^(i/32), less i<<47, so that adding k<<47 for any k with k%32 == i gives 2^(k/32).
var exp2Table = [32]uint64{
	0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
	0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
	0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
	0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5584,
	0x3feea09e667f3bcc, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce12,
	0x3feeace5422aa0dc, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255c,
	0x3feee89f995ad3ae, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
	0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540,
}

const (
	roundShift = 0x1.8p52 // adding and subtracting it rounds a float64 to an integer

	exp2C1 = math.Ln2 / 32
	exp2C2 = exp2C1 * exp2C1 / 2
	exp2C3 = exp2C1 * exp2C1 * exp2C1 / 6
)

// exp2of32 gives 2^(z/32) for |z| < 32000, to a relative error below 1e-9.
func exp2of32(z float64) float64 {
	kd := z + roundShift
	k := math.Float64bits(kd)
	r := z - (kd - roundShift)
	s := math.Float64frombits(exp2Table[k&31] + k<<47)
	p := float64((float64(exp2C3*r)+exp2C2)*float64(r*r)) + (float64(exp2C1*r) + 1)
	return float64(p * s)
}

// expClamp keeps the argument of exp2of32 where its result is a finite float64 and float32 already is 0 or infinity. NaN
// passes.
func expClamp(z float64) float64 {
	if z > 32*300 {
		return 32 * 300
	}
	if z < -32*300 {
		return -32 * 300
	}
	return z
}

// Exp is the base e exponential. 0.51 ULP.
func Exp(x float32) float32 {
	return float32(exp2of32(expClamp(float64(float64(x) * (32 / math.Ln2)))))
}

// Exp2 is the base 2 exponential. 0.51 ULP.
func Exp2(x float32) float32 {
	return float32(exp2of32(expClamp(float64(x) * 32)))
}

// Exp10 is the base 10 exponential. 0.51 ULP.
func Exp10(x float32) float32 {
	return float32(exp2of32(expClamp(float64(float64(x) * (32 * math.Ln10 / math.Ln2)))))
}

func exp64(x float64) float64 { return exp2of32(expClamp(float64(x * (32 / math.Ln2)))) }

// expm1 gives e^y-1 to a relative error below 4e-9, for small y too.
func expm1(y float64) float64 {
	if y > 0.35 || y < -0.35 {
		return exp64(y) - 1
	}
	z := float64(y * y)
	lo := float64((float64(y*(1./40320))+1./5040)*z) + (float64(y*(1./720)) + 1./120)
	hi := float64((float64(y*(1./24))+1./6)*z) + (float64(y*0.5) + 1)
	return float64(y * (float64(lo*float64(z*z)) + hi))
}

// Tanh is the hyperbolic tangent. 0.52 ULP.
func Tanh(x float32) float32 {
	if x > 10 {
		return 1
	}
	if x < -10 {
		return -1
	}
	if x == 0 {
		return x
	}
	e := expm1(2 * float64(x))
	return float32(e / (e + 2))
}

// Sinh is the hyperbolic sine. 0.52 ULP.
func Sinh(x float32) float32 {
	if x == 0 {
		return x
	}
	a := math.Abs(float64(x))
	e := expm1(min(a, 200))
	return Copysign(float32(0.5*(e+e/(e+1))), x)
}

// Cosh is the hyperbolic cosine. 0.51 ULP.
func Cosh(x float32) float32 {
	e := exp64(float64(x))
	return float32(0.5 * (e + 1/e))
}
