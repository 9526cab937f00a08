package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/simt"
)

// Random expressions over all integer types: promotions, usual conversions, casts, shifts of each width.

// integerType is a type of the language; rank orders conversions.
type integerType struct {
	name   string
	width  uint
	signed bool
}

var integerTypes = []integerType{
	{"bool", 1, false}, {"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
	{"int", 32, true}, {"uint", 32, false}, {"long", 64, true}, {"ulong", 64, false},
}

const (
	typeBool = 0
	typeInt  = 5
)

// wrap takes the bits of v into type t, sign- or zero-extended.
func (t integerType) wrap(v uint64) uint64 {
	switch {
	case t.width == 1:
		return uint64(b2i(v != 0))
	case t.signed:
		return uint64(int64(v<<(64-t.width)) >> (64 - t.width))
	}
	return v << (64 - t.width) >> (64 - t.width)
}

// typed is an expression with its type and its value for given variables.
type typed struct {
	text string
	t    int
	eval func(vars []uint64) uint64
}

func promote(t int) int { return max(t, typeInt) }

func (e typed) to(t int) func([]uint64) uint64 {
	return func(v []uint64) uint64 { return integerTypes[t].wrap(e.eval(v)) }
}

func randomTyped(r *rand.Rand, depth int) typed {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(4) == 0 {
			n := r.IntN(300)
			suffix := []struct {
				s string
				t int
			}{{"", typeInt}, {"u", typeInt + 1}, {"l", typeInt + 2}, {"ul", typeInt + 3}}[r.IntN(4)]
			return typed{fmt.Sprint(n, suffix.s), suffix.t, func([]uint64) uint64 { return uint64(n) }}
		}
		k := r.IntN(len(integerTypes))
		return typed{"v" + integerTypes[k].name, k, func(v []uint64) uint64 { return v[k] }}
	}
	a := randomTyped(r, depth-1)
	switch r.IntN(8) {
	case 0:
		t := r.IntN(len(integerTypes))
		form := []string{"static_cast<%s>(%s)", "(%s)(%s)"}[r.IntN(2)]
		return typed{fmt.Sprintf(form, integerTypes[t].name, a.text), t, a.to(t)}
	case 1:
		op := []string{"-", "~", "!"}[r.IntN(3)]
		text := op + "(" + a.text + ")"
		if op == "!" {
			return typed{text, typeBool, func(v []uint64) uint64 { return uint64(b2i(a.eval(v) == 0)) }}
		}
		t := promote(a.t)
		return typed{text, t, func(v []uint64) uint64 {
			x := a.eval(v)
			if op == "-" {
				return integerTypes[t].wrap(-x)
			}
			return integerTypes[t].wrap(^x)
		}}
	case 2:
		c, b := randomTyped(r, depth-1), randomTyped(r, depth-1)
		t := a.t
		if a.t != b.t {
			t = max(promote(a.t), promote(b.t))
		}
		x, y := a.to(t), b.to(t)
		return typed{fmt.Sprintf("(%s ? %s : %s)", c.text, a.text, b.text), t, func(v []uint64) uint64 {
			if c.eval(v) != 0 {
				return x(v)
			}
			return y(v)
		}}
	}
	b := randomTyped(r, depth-1)
	op := []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!="}[r.IntN(16)]
	t := max(promote(a.t), promote(b.t)) // the order of the table is that of the usual conversions
	x, y := a.to(t), b.to(t)
	k := integerTypes[t]
	result := t
	text := fmt.Sprintf("(%s %s %s)", a.text, op, b.text)
	switch op {
	case "/", "%":
		text = fmt.Sprintf("(%s %s ((%s) | 1))", a.text, op, b.text)
	case "<<", ">>":
		result = promote(a.t)
		w := integerTypes[result].width
		text = fmt.Sprintf("(%s %s ((%s) & %d))", a.text, op, b.text, w-1)
		x = a.to(result)
		return typed{text, result, func(v []uint64) uint64 {
			n := b.eval(v) & uint64(w-1)
			if op == "<<" {
				return integerTypes[result].wrap(x(v) << n)
			}
			if integerTypes[result].signed {
				return uint64(int64(x(v)) >> n)
			}
			return x(v) >> n
		}}
	case "<", "<=", ">", ">=", "==", "!=":
		result = typeBool
	}
	return typed{text, result, func(v []uint64) uint64 {
		p, q := x(v), y(v)
		less := func(a, b uint64) bool {
			if k.signed {
				return int64(a) < int64(b)
			}
			return a < b
		}
		switch op {
		case "+":
			return k.wrap(p + q)
		case "-":
			return k.wrap(p - q)
		case "*":
			return k.wrap(p * q)
		case "/":
			if q |= 1; k.signed {
				return k.wrap(uint64(int64(p) / int64(q)))
			}
			return p / q
		case "%":
			if q |= 1; k.signed {
				return k.wrap(uint64(int64(p) % int64(q)))
			}
			return p % q
		case "&":
			return p & q
		case "|":
			return p | q
		case "^":
			return p ^ q
		case "<":
			return uint64(b2i(less(p, q)))
		case "<=":
			return uint64(b2i(!less(q, p)))
		case ">":
			return uint64(b2i(less(q, p)))
		case ">=":
			return uint64(b2i(!less(p, q)))
		case "==":
			return uint64(b2i(p == q))
		}
		return uint64(b2i(p != q))
	}}
}

func checkRandomTypes(t *testing.T, seed uint64) {
	t.Helper()
	const n, per = 40, 6
	r := rand.New(rand.NewPCG(seed, 77))
	var b strings.Builder
	b.WriteString("kernel void k(device ulong* out [[buffer(0)]], device const ulong* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n")
	for j, k := range integerTypes {
		fmt.Fprintf(&b, "    %s v%s = %s(a[i * 9 + %d]);\n", k.name, k.name, k.name, j)
	}
	var es [per]typed
	for j := range es {
		es[j] = randomTyped(r, 4)
		fmt.Fprintf(&b, "    out[i * %d + %d] = ulong(%s);\n", per, j, es[j].text)
	}
	b.WriteString("}\n")
	a := corner[uint64](n*9, seed)
	k := lower(t, compileText(t, b.String()), "k")
	for _, tg := range []int{1, 40} {
		out := make([]byte, 8*n*per)
		if err := k.Run(&simt.Dispatch{Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(out, mem(a)), Checks: simt.CheckAll, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		for i, g := range decode[uint64](out) {
			vars := make([]uint64, 9)
			for j, k := range integerTypes {
				vars[j] = k.wrap(a[i/per*9+j])
			}
			if w := es[i%per].eval(vars); g != w {
				t.Fatalf("seed %d, thread %d: %s (%s) is %#x, want %#x\nvariables %#x", seed, i/per, es[i%per].text, integerTypes[es[i%per].t].name, g, w, vars)
			}
		}
	}
}

func TestRandomExpressionsOverAllIntegerTypes(t *testing.T) {
	for seed := range uint64(150) {
		checkRandomTypes(t, seed)
	}
}

func FuzzRandomTypes(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandomTypes(t, seed) })
}
