// Command gen writes arith_gen.go: the loops over 32 lanes of every arithmetic operation, for each shape of operands. Go
// does not inline through function values, so one loop per operation is what keeps a lane's step at a few instructions.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"strings"
)

// entry is one operation on one class of numbers. The signature names the register banks of the operands and of the
// result: f float32, u uint32, q uint64. In the expression A, B and C are the operands.
type entry struct {
	op, class, sig, expr string
	shapes               []int // operand shapes beside all-scalar: bit 0 set when A is a vector, bit 1 B, bit 2 C
}

var (
	one      = []int{1}
	two      = []int{1, 2, 3}
	twoRight = []int{1, 3} // commutative: the caller swaps
	three    = []int{1, 2, 3, 4, 5, 6, 7}
	threeAll = []int{7}
)

func entries() []entry {
	var es []entry
	add := func(op, class, sig, expr string, shapes []int) { es = append(es, entry{op, class, sig, expr, shapes}) }

	// float32
	add("Neg", "F", "f>f", "-A", one)
	add("Abs", "F", "f>f", "num.Fabs(A)", one)
	add("Add", "F", "ff>f", "A + B", twoRight)
	add("Sub", "F", "ff>f", "A - B", two)
	add("Mul", "F", "ff>f", "A * B", twoRight)
	add("Div", "F", "ff>f", "A / B", two)
	add("Rem", "F", "ff>f", "num.Fmod(A, B)", two)
	add("Fmod", "F", "ff>f", "num.Fmod(A, B)", two)
	add("Min", "F", "ff>f", "num.Fmin(A, B)", two)
	add("Max", "F", "ff>f", "num.Fmax(A, B)", two)
	add("Clamp", "F", "fff>f", "num.Clamp(A, B, C)", []int{1, 7})
	add("Fma", "F", "fff>f", "num.Fma(A, B, C)", three)
	add("Fma", "F16", "fff>f", "num.FmaF16(A, B, C)", threeAll)
	add("Fma", "BF16", "fff>f", "num.FmaBF16(A, B, C)", threeAll)
	add("Mix", "F", "fff>f", "num.Mix(A, B, C)", threeAll)
	add("Smoothstep", "F", "fff>f", "num.Smoothstep(A, B, C)", threeAll)
	for _, f := range []string{"Sqrt", "Rsqrt", "Exp", "Exp2", "Exp10", "Log", "Log2", "Log10", "Sin", "Cos", "Tan", "Asin", "Acos",
		"Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Sinpi", "Cospi", "Tanpi", "Floor", "Ceil", "Trunc", "Round",
		"Rint", "Fract", "Saturate", "Sign"} {
		add(f, "F", "f>f", "num."+f+"(A)", one)
	}
	add("Fract", "F16", "f>f", "num.FractF16(A)", one)
	add("Fract", "BF16", "f>f", "num.FractBF16(A)", one)
	for _, f := range []string{"Pow", "Powr", "Atan2", "Copysign", "Fdim", "Step", "NextAfter"} {
		add(f, "F", "ff>f", "num."+f+"(A, B)", two)
	}
	add("NextAfter", "F16", "ff>f", "num.NextAfterF16(A, B)", two)
	add("NextAfter", "BF16", "ff>f", "num.NextAfterBF16(A, B)", two)
	add("Ldexp", "F", "fu>f", "num.Ldexp(A, int32(B))", two)
	add("Ilogb", "F", "f>u", "uint32(num.Ilogb(A))", one)
	add("FrexpMan", "F", "f>f", "frexpMan(A)", one)
	add("FrexpExp", "F", "f>u", "frexpExp(A)", one)
	for _, f := range []string{"IsNaN", "IsInf", "IsFinite", "IsNormal", "SignBit"} {
		add(f, "F", "f>u", "?num."+f+"(A)", one)
	}
	add("IsNormal", "F16", "f>u", "?num.IsNormalF16(A)", one)

	for _, c := range []struct{ op, sym string }{{"Eq", "=="}, {"Ne", "!="}, {"Lt", "<"}, {"Le", "<="}, {"Gt", ">"}, {"Ge", ">="}} {
		add(c.op, "F", "ff>u", "?A "+c.sym+" B", two)
		add(c.op, "I", "uu>u", "?int32(A) "+c.sym+" int32(B)", two)
		add(c.op, "U", "uu>u", "?A "+c.sym+" B", two)
		add(c.op, "L", "qq>u", "?int64(A) "+c.sym+" int64(B)", two)
		add(c.op, "M", "qq>u", "?A "+c.sym+" B", two)
	}

	// Integers of 32 and 64 bits. Narrow kinds use the 32-bit loops where wrapping makes them right, and are extended after.
	for _, c := range []struct{ class, bank, from, to string }{
		{"I", "u", "int32", "uint32"}, {"U", "u", "uint32", "uint32"}, {"L", "q", "int64", "uint64"}, {"M", "q", "uint64", "uint64"}} {
		b := c.bank
		conv := func(x string) string {
			if c.from == c.to {
				return x
			}
			return c.from + "(" + x + ")"
		}
		back := func(x string) string {
			if c.from == c.to {
				return x
			}
			return c.to + "(" + x + ")"
		}
		add("Neg", c.class, b+">"+b, "-A", one)
		add("Not", c.class, b+">"+b, "^A", one)
		add("Add", c.class, b+b+">"+b, "A + B", twoRight)
		add("Sub", c.class, b+b+">"+b, "A - B", two)
		add("Mul", c.class, b+b+">"+b, "A * B", twoRight)
		add("And", c.class, b+b+">"+b, "A & B", twoRight)
		add("Or", c.class, b+b+">"+b, "A | B", twoRight)
		add("Xor", c.class, b+b+">"+b, "A ^ B", twoRight)
		add("Mad", c.class, b+b+b+">"+b, "A*B + C", three)
		for _, f := range []string{"Div", "Rem"} {
			add(f, c.class, b+b+">"+b, back("num."+f+"("+conv("A")+", "+conv("B")+")"), two)
		}
		width := "31"
		if b == "q" {
			width = "63"
		}
		add("Shl", c.class, b+b+">"+b, "A << (B & "+width+")", two)
		add("Shr", c.class, b+b+">"+b, back(conv("A")+" >> (B & "+width+")"), two)
		add("Min", c.class, b+b+">"+b, back("min("+conv("A")+", "+conv("B")+")"), two)
		add("Max", c.class, b+b+">"+b, back("max("+conv("A")+", "+conv("B")+")"), two)
		add("Clamp", c.class, b+b+b+">"+b, back("min(max("+conv("A")+", "+conv("B")+"), "+conv("C")+")"), []int{1, 7})
	}
	for _, b := range []struct{ class, bank string }{{"F", "f"}, {"U", "u"}, {"M", "q"}} {
		add("Select", b.class, "u"+b.bank+b.bank+">"+b.bank, "!", three)
	}
	return es
}

var goType = map[byte]string{'f': "float32", 'u': "uint32", 'q': "uint64"}

// vec and scl name the fields of a warp that hold a bank.
var (
	vec = map[byte]string{'f': "vf", 'u': "vu", 'q': "vq"}
	scl = map[byte]string{'f': "sf", 'u': "su", 'q': "sq"}
)

func (e entry) body(out *bytes.Buffer, shape int) {
	in, res, _ := strings.Cut(e.sig, ">")
	names := [3]string{"a", "b", "c"}
	params := [4]string{"d", "_", "_", "_"}
	for i := range in {
		params[i+1] = names[i]
	}
	fmt.Fprintf(out, "%d: func(%s int) step {\nreturn func(w *warp) {\n", shape, strings.Join(params[:], ", "))
	upper := [3]string{"A", "B", "C"}
	var subst []string
	lhs := ""
	if shape == 0 {
		lhs = fmt.Sprintf("w.%s[d]", scl[res[0]])
		for i := range in {
			subst = append(subst, upper[i], fmt.Sprintf("w.%s[%s]", scl[in[i]], names[i]))
		}
	} else {
		var ls, rs []string
		ls, rs = append(ls, "D"), append(rs, fmt.Sprintf("&w.%s[d]", vec[res[0]]))
		for i := range in {
			if shape>>i&1 == 1 {
				ls, rs = append(ls, upper[i]), append(rs, fmt.Sprintf("&w.%s[%s]", vec[in[i]], names[i]))
				subst = append(subst, upper[i], upper[i]+"[i]")
			} else {
				ls, rs = append(ls, "s"+upper[i]), append(rs, fmt.Sprintf("w.%s[%s]", scl[in[i]], names[i]))
				subst = append(subst, upper[i], "s"+upper[i])
			}
		}
		fmt.Fprintf(out, "%s := %s\n", strings.Join(ls, ", "), strings.Join(rs, ", "))
		out.WriteString("for i := range D {\n")
		lhs = "D[i]"
	}
	r := func(s string) string { return replaceOperands(s, subst) }
	switch {
	case e.expr == "!" && res == "f":
		// Selecting bits gives a conditional move where a choice of floats would give a branch.
		fmt.Fprintf(out, "t := math.Float32bits(%s)\nif %s != 0 {\nt = math.Float32bits(%s)\n}\n%s = math.Float32frombits(t)\n", r("C"), r("A"), r("B"), lhs)
	case e.expr == "!":
		fmt.Fprintf(out, "t := %s\nif %s != 0 {\nt = %s\n}\n%s = t\n", r("C"), r("A"), r("B"), lhs)
	case e.expr[0] == '?':
		fmt.Fprintf(out, "var t uint32\nif %s {\nt = 1\n}\n%s = t\n", r(e.expr[1:]), lhs)
	default:
		fmt.Fprintf(out, "%s = %s\n", lhs, r(e.expr))
	}
	if shape != 0 {
		out.WriteString("}\n")
	}
	out.WriteString("}\n},\n")
}

// replaceOperands replaces A, B and C where they stand alone.
func replaceOperands(s string, subst []string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		alone := (i == 0 || !letter(s[i-1])) && (i+1 == len(s) || !letter(s[i+1]))
		done := false
		for k := 0; alone && k < len(subst); k += 2 {
			if s[i] == subst[k][0] {
				b.WriteString(subst[k+1])
				done = true
				break
			}
		}
		if !done {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.'
}

const header = `// Code generated by internal/gen; DO NOT EDIT.

package simt

import (
	"encoding/binary"
	"math"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/num"
)

`

// bankText holds the moves of one bank; T is the element type, V and S the fields of a warp.
const bankText = `
func broadcast@(d, a int) step {
	return func(w *warp) {
		D, a := &w.V[d], w.S[a]
		for i := range D {
			D[i] = a
		}
	}
}

func broadcastMasked@(d, a int) step {
	return func(w *warp) {
		D, a := &w.V[d], w.S[a]
		if w.mask == fullMask {
			for i := range D {
				D[i] = a
			}
			return
		}
		for m := w.mask; m != 0; m &= m - 1 {
			D[bits.TrailingZeros32(m)&31] = a
		}
	}
}

func copyRow@(d, a int) step {
	return func(w *warp) { w.V[d] = w.V[a] }
}

func copyMasked@(d, a int) step {
	return func(w *warp) {
		if w.mask == fullMask {
			w.V[d] = w.V[a]
			return
		}
		D, A := &w.V[d], &w.V[a]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			D[i] = A[i]
		}
	}
}

func copyScalar@(d, a int) step {
	return func(w *warp) { w.S[d] = w.S[a] }
}

func firstActive@(d, a int) step {
	return func(w *warp) { w.S[d] = w.V[a][bits.TrailingZeros32(w.mask)&31] }
}

func arrayGet@(d, a, index, n int, site *accessSite) step {
	return func(w *warp) {
		I := &w.vu[index]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			k := I[i]
			if k >= uint32(n) {
				site.indexFault(w, i, k, n)
				w.V[d][i] = 0
				continue
			}
			w.V[d][i] = w.V[a+int(k)][i]
		}
	}
}

func arrayGetUniform@(d, a, index, n int, site *accessSite) step {
	return func(w *warp) {
		k := w.su[index]
		if k >= uint32(n) {
			site.indexFault(w, bits.TrailingZeros32(w.mask), k, n)
			w.V[d] = [Width]T{}
			return
		}
		w.V[d] = w.V[a+int(k)]
	}
}

func arraySet@(d, index, b, n int, site *accessSite) step {
	return func(w *warp) {
		I := &w.vu[index]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			k := I[i]
			if k >= uint32(n) {
				site.indexFault(w, i, k, n)
				continue
			}
			w.V[d+int(k)][i] = w.V[b][i]
		}
	}
}

func arraySetUniform@(d, index, b, n int, site *accessSite) step {
	return func(w *warp) {
		k := w.su[index]
		if k >= uint32(n) {
			site.indexFault(w, bits.TrailingZeros32(w.mask), k, n)
			return
		}
		if w.mask == fullMask {
			w.V[d+int(k)] = w.V[b]
			return
		}
		D, A := &w.V[d+int(k)], &w.V[b]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			D[i] = A[i]
		}
	}
}
`

type memKind struct {
	kind, bank, load, store string // load reads from m at byte offset 0; store takes x
	size                    int
}

var memKinds = []memKind{
	{"Bool", "u", "boolOf(m[o])", "m[o] = byte(x)", 1},
	{"I8", "u", "uint32(int8(m[o]))", "m[o] = byte(x)", 1},
	{"U8", "u", "uint32(m[o])", "m[o] = byte(x)", 1},
	{"I16", "u", "uint32(int16(binary.LittleEndian.Uint16(m[o:])))", "binary.LittleEndian.PutUint16(m[o:], uint16(x))", 2},
	{"U16", "u", "uint32(binary.LittleEndian.Uint16(m[o:]))", "binary.LittleEndian.PutUint16(m[o:], uint16(x))", 2},
	{"U32", "u", "binary.LittleEndian.Uint32(m[o:])", "binary.LittleEndian.PutUint32(m[o:], x)", 4},
	{"U64", "q", "binary.LittleEndian.Uint64(m[o:])", "binary.LittleEndian.PutUint64(m[o:], x)", 8},
	{"F16", "f", "num.F16ToF32(binary.LittleEndian.Uint16(m[o:]))", "binary.LittleEndian.PutUint16(m[o:], num.F32ToF16(x))", 2},
	{"BF16", "f", "num.BF16ToF32(binary.LittleEndian.Uint16(m[o:]))", "binary.LittleEndian.PutUint16(m[o:], num.F32ToBF16(x))", 2},
	{"F32", "f", "math.Float32frombits(binary.LittleEndian.Uint32(m[o:]))", "binary.LittleEndian.PutUint32(m[o:], math.Float32bits(x))", 4},
}

const memText = `{
	loadScalar: func(w *warp, d int, m []byte) { w.S[d] = LOAD0 },
	loadLane:   func(w *warp, d, lane int, m []byte) { w.V[d][lane&31] = LOAD0 },
	loadRow: func(w *warp, d int, m []byte) {
		D := &w.V[d]
		m = m[:SIZE*Width]
		for i := range D {
			D[i] = LOADI
		}
	},
	gather: func(w *warp, d int, m []byte) {
		D, O := &w.V[d], &w.off
		for i := range D {
			D[i] = LOADO
		}
	},
	storeScalar: func(w *warp, d int, m []byte) {
		x := w.S[d]
		STORE0
	},
	storeLane: func(w *warp, d, lane int, m []byte) {
		x := w.V[d][lane&31]
		STORE0
	},
	storeRow: func(w *warp, d int, m []byte) {
		D := &w.V[d]
		m = m[:SIZE*Width]
		for i, x := range D {
			STOREI
		}
	},
	scatter: func(w *warp, d int, m []byte) {
		D, O := &w.V[d], &w.off
		for i, x := range D {
			STOREO
		}
	},
},
`

func main() {
	var out bytes.Buffer
	out.WriteString(strings.Replace(header, `"math"`, "\"math\"\n\t\"math/bits\"", 1))
	out.WriteString("// arithmetic holds the loops by operation and class.\nvar arithmetic = map[opClass]forms{\n")
	for _, e := range entries() {
		fmt.Fprintf(&out, "{ir.%s, class%s}: {\n", e.op, e.class)
		e.body(&out, 0)
		for _, s := range e.shapes {
			e.body(&out, s)
		}
		out.WriteString("},\n")
	}
	out.WriteString("}\n")
	for _, b := range "fuq" {
		text := strings.NewReplacer("@", strings.ToUpper(string(b)), "w.V", "w."+vec[byte(b)], "w.S", "w."+scl[byte(b)], "]T{}", "]"+goType[byte(b)]+"{}").Replace(bankText)
		out.WriteString(text)
	}
	out.WriteString("\n// memoryOps holds the loads and stores by kind in memory; signed words share those of the unsigned.\nvar memoryOps = map[ir.Kind]*memoryOp{\n")
	for _, k := range memKinds {
		at := func(s, o string) string {
			s = strings.ReplaceAll(s, "m[o:]", "m["+o+":]")
			s = strings.ReplaceAll(s, "m[o]", "m["+o+"]")
			return strings.ReplaceAll(s, "m[0:]", "m")
		}
		size := fmt.Sprint(k.size)
		text := strings.NewReplacer("w.V", "w."+vec[k.bank[0]], "w.S", "w."+scl[k.bank[0]],
			"LOAD0", at(k.load, "0"), "LOADI", at(k.load, "i*"+size), "LOADO", at(k.load, "O[i]"),
			"STORE0", at(k.store, "0"), "STOREI", at(k.store, "i*"+size), "STOREO", at(k.store, "O[i]"),
			"SIZE", size).Replace(memText)
		fmt.Fprintf(&out, "ir.%s: %s", k.kind, text)
	}
	out.WriteString("}\n")
	text, err := format.Source(out.Bytes())
	if err != nil {
		os.WriteFile("arith_gen.go", out.Bytes(), 0o644)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := os.WriteFile("arith_gen.go", text, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
