package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/simt"
)

// Random programs: integer functions of divergent control flow, built as trees that print themselves as Metal and run
// themselves in Go.

// value is a 32-bit int or uint.
type value struct {
	bits uint32
	uns  bool // a uint
}

type expression interface {
	String() string
	eval(*state) value
	unsigned() bool
}

// state is a run of one thread: the variables, how many steps are left, and why control leaves.
type state struct {
	vars  []value
	leave int // a statement's way of not going on
	ret   value
}

const (
	goesOn = iota
	breaks
	continues
	returns
)

type variable struct {
	n int
	u bool
}

func (v variable) String() string      { return fmt.Sprintf("v%d", v.n) }
func (v variable) eval(s *state) value { return s.vars[v.n] }
func (v variable) unsigned() bool      { return v.u }

type literal value

func (l literal) String() string {
	if l.uns {
		return fmt.Sprintf("%du", l.bits)
	}
	return fmt.Sprintf("(%d)", int32(l.bits))
}
func (l literal) eval(*state) value { return value(l) }
func (l literal) unsigned() bool    { return l.uns }

type operation struct {
	op   string
	a, b expression
}

func (b operation) String() string {
	switch b.op {
	case "<<", ">>":
		return fmt.Sprintf("(%s %s (%s & 31))", b.a, b.op, b.b)
	case "/", "%":
		return fmt.Sprintf("(%s %s ((%s & 63) + 1))", b.a, b.op, b.b)
	}
	return fmt.Sprintf("(%s %s %s)", b.a, b.op, b.b)
}

func (b operation) unsigned() bool {
	switch b.op {
	case "<<", ">>":
		return b.a.unsigned()
	case "<", "<=", ">", ">=", "==", "!=", "&&", "||":
		return false
	}
	return b.a.unsigned() || b.b.unsigned()
}

func truth(b bool) value { return value{bits: uint32(b2i(b))} }

func (b operation) eval(s *state) value {
	x := b.a.eval(s)
	switch b.op {
	case "&&":
		return truth(x.bits != 0 && b.b.eval(s).bits != 0)
	case "||":
		return truth(x.bits != 0 || b.b.eval(s).bits != 0)
	}
	y := b.b.eval(s)
	u := x.uns || y.uns
	r := value{uns: b.unsigned()}
	less := func(p, q uint32) bool {
		if u {
			return p < q
		}
		return int32(p) < int32(q)
	}
	switch b.op {
	case "+":
		r.bits = x.bits + y.bits
	case "-":
		r.bits = x.bits - y.bits
	case "*":
		r.bits = x.bits * y.bits
	case "&":
		r.bits = x.bits & y.bits
	case "|":
		r.bits = x.bits | y.bits
	case "^":
		r.bits = x.bits ^ y.bits
	case "<<":
		r.bits = x.bits << (y.bits & 31)
	case ">>":
		if x.uns {
			r.bits = x.bits >> (y.bits & 31)
		} else {
			r.bits = uint32(int32(x.bits) >> (y.bits & 31))
		}
	case "/":
		d := y.bits&63 + 1
		if r.bits = uint32(int32(x.bits) / int32(d)); u {
			r.bits = x.bits / d
		}
	case "%":
		d := y.bits&63 + 1
		if r.bits = uint32(int32(x.bits) % int32(d)); u {
			r.bits = x.bits % d
		}
	case "<":
		return truth(less(x.bits, y.bits))
	case "<=":
		return truth(!less(y.bits, x.bits))
	case ">":
		return truth(less(y.bits, x.bits))
	case ">=":
		return truth(!less(x.bits, y.bits))
	case "==":
		return truth(x.bits == y.bits)
	case "!=":
		return truth(x.bits != y.bits)
	}
	return r
}

type unary struct {
	op string
	a  expression
}

func (u unary) String() string {
	switch u.op {
	case "-", "~", "!":
		return fmt.Sprintf("%s(%s)", u.op, u.a)
	}
	// Not int(uchar(x)): behind an opening parenthesis that reads as the type of a function.
	return fmt.Sprintf("static_cast<%s>(%s)", u.op, u.a)
}

func (u unary) unsigned() bool {
	switch u.op {
	case "uint":
		return true
	case "-", "~":
		return u.a.unsigned()
	}
	return false
}
func (u unary) eval(s *state) value {
	x := u.a.eval(s)
	switch u.op {
	case "-":
		x.bits = -x.bits
	case "~":
		x.bits = ^x.bits
	case "!":
		return truth(x.bits == 0)
	case "short":
		return value{bits: uint32(int16(x.bits))}
	case "uchar":
		return value{bits: uint32(uint8(x.bits))}
	case "int":
		x.uns = false
	case "uint":
		x.uns = true
	}
	return x
}

type conditional struct{ c, a, b expression }

func (c conditional) String() string { return fmt.Sprintf("(%s ? %s : %s)", c.c, c.a, c.b) }
func (c conditional) unsigned() bool { return c.a.unsigned() || c.b.unsigned() }
func (c conditional) eval(s *state) value {
	v := c.b
	if c.c.eval(s).bits != 0 {
		v = c.a
	}
	return value{v.eval(s).bits, c.unsigned()}
}

type statement interface {
	print(b *strings.Builder, indent string)
	run(*state)
}

type assign struct {
	v  variable
	op string
	e  expression
}

func (a assign) print(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%s %s= %s;\n", indent, a.v, a.op, a.e)
}
func (a assign) run(s *state) {
	x := a.e.eval(s)
	if a.op != "" {
		x = operation{a.op, a.v, literal(x)}.eval(s)
	}
	s.vars[a.v.n] = value{x.bits, a.v.u}
}

type block []statement

func (l block) print(b *strings.Builder, indent string) {
	for _, st := range l {
		st.print(b, indent+"    ")
	}
}
func (l block) run(s *state) {
	for _, st := range l {
		if st.run(s); s.leave != goesOn {
			return
		}
	}
}

type branch struct {
	c            expression
	then, orelse block
}

func (i branch) print(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%sif (%s) {\n", indent, i.c)
	i.then.print(b, indent)
	fmt.Fprintf(b, "%s} else {\n", indent)
	i.orelse.print(b, indent)
	fmt.Fprintf(b, "%s}\n", indent)
}
func (i branch) run(s *state) {
	if i.c.eval(s).bits != 0 {
		i.then.run(s)
	} else {
		i.orelse.run(s)
	}
}

// loop runs as long as its condition holds, at most times rounds.
type loop struct {
	form  string
	n     int
	times int
	c     expression
	body  block
}

func (l loop) print(b *strings.Builder, indent string) {
	switch l.form {
	case "for":
		fmt.Fprintf(b, "%sfor (int k%d = 0; k%d < %d && %s; ++k%d) {\n", indent, l.n, l.n, l.times, l.c, l.n)
	case "while":
		fmt.Fprintf(b, "%sint k%d = 0;\n%swhile (k%d++ < %d && %s) {\n", indent, l.n, indent, l.n, l.times, l.c)
	case "do":
		fmt.Fprintf(b, "%sint k%d = 0;\n%sdo {\n", indent, l.n, indent)
	}
	l.body.print(b, indent)
	if l.form == "do" {
		fmt.Fprintf(b, "%s} while (++k%d < %d && %s);\n", indent, l.n, l.times, l.c)
		return
	}
	fmt.Fprintf(b, "%s}\n", indent)
}
func (l loop) run(s *state) {
	for k := 0; ; k++ {
		if l.form != "do" || k > 0 {
			if k >= l.times || l.c.eval(s).bits == 0 {
				return
			}
		}
		l.body.run(s)
		switch s.leave {
		case breaks:
			s.leave = goesOn
			return
		case continues:
			s.leave = goesOn
		case returns:
			return
		}
	}
}

// choice is a switch over e & 3; a case without a break falls through.
type choice struct {
	e     expression
	cases [3]block
	ends  [3]bool
}

func (c choice) print(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%sswitch (%s & 3) {\n", indent, c.e)
	for i, l := range c.cases {
		label := fmt.Sprintf("case %d", i*i)
		if i == 2 {
			label = "default"
		}
		fmt.Fprintf(b, "%s%s: {\n", indent, label)
		l.print(b, indent)
		fmt.Fprintf(b, "%s}\n", indent)
		if c.ends[i] {
			fmt.Fprintf(b, "%s    break;\n", indent)
		}
	}
	fmt.Fprintf(b, "%s}\n", indent)
}
func (c choice) run(s *state) {
	for i := int(min(c.e.eval(s).bits&3, 2)); i < 3; i++ {
		if c.cases[i].run(s); s.leave == breaks {
			s.leave = goesOn
			return
		}
		if s.leave != goesOn || c.ends[i] {
			return
		}
	}
}

type leave struct {
	how int
	e   expression
}

func (l leave) print(b *strings.Builder, indent string) {
	switch l.how {
	case breaks:
		fmt.Fprintf(b, "%sbreak;\n", indent)
	case continues:
		fmt.Fprintf(b, "%scontinue;\n", indent)
	case returns:
		fmt.Fprintf(b, "%sreturn %s;\n", indent, l.e)
	}
}
func (l leave) run(s *state) {
	if l.how == returns {
		s.ret = l.e.eval(s)
	}
	s.leave = l.how
}

// generator draws a program; depth and size are bounded.
type generator struct {
	r     *rand.Rand
	vars  []variable
	loops int
	left  int
}

func (g *generator) expr(depth int) expression {
	if depth == 0 || g.r.IntN(5) == 0 {
		if g.r.IntN(3) == 0 {
			return literal{bits: uint32(g.r.IntN(200) - 100)}
		}
		return g.vars[g.r.IntN(len(g.vars))]
	}
	switch g.r.IntN(8) {
	case 0:
		return unary{[]string{"-", "~", "!", "short", "uchar", "int", "uint"}[g.r.IntN(7)], g.expr(depth - 1)}
	case 1:
		return conditional{g.expr(depth - 1), g.expr(depth - 1), g.expr(depth - 1)}
	}
	ops := []string{"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||"}
	return operation{ops[g.r.IntN(len(ops))], g.expr(depth - 1), g.expr(depth - 1)}
}

func (g *generator) block(depth int, inLoop, inSwitch bool) block {
	var l block
	for range 1 + g.r.IntN(4) {
		if g.left--; g.left < 0 {
			break
		}
		k := g.r.IntN(12)
		switch {
		case depth == 0 || k < 5:
			ops := []string{"", "", "+", "-", "^", "*", "|"}
			l = append(l, assign{g.vars[g.r.IntN(len(g.vars))], ops[g.r.IntN(len(ops))], g.expr(3)})
		case k < 8:
			l = append(l, branch{g.expr(2), g.block(depth-1, inLoop, inSwitch), g.block(depth-1, inLoop, inSwitch)})
		case k < 10:
			g.loops++
			n := g.loops
			l = append(l, loop{[]string{"for", "while", "do"}[g.r.IntN(3)], n, 1 + g.r.IntN(6), g.expr(2), g.block(depth-1, true, false)})
		case k == 10:
			c := choice{e: g.expr(2)}
			for i := range c.cases {
				c.cases[i], c.ends[i] = g.block(depth-1, inLoop, true), g.r.IntN(2) == 0
			}
			l = append(l, c)
		case g.r.IntN(2) == 0:
			return append(l, leave{returns, g.expr(2)})
		case inLoop && g.r.IntN(2) == 0:
			return append(l, leave{continues, nil})
		case inLoop || inSwitch:
			return append(l, leave{breaks, nil})
		}
	}
	return l
}

const randomThreads = 100

// randomProgram gives the text of a program and its result for each thread.
func randomProgram(seed uint64) (text string, want []uint32) {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), left: 60}
	for n := range 5 {
		g.vars = append(g.vars, variable{n, n&1 != 0})
	}
	body := append(g.block(4, false, false), leave{returns, operation{"^", g.vars[0], operation{"+", g.vars[1], operation{"*", g.vars[2], g.vars[3]}}}})
	var b strings.Builder
	b.WriteString(header + "uint body(int v0, uint v1) {\n    int v2 = v0 * 7 - 3; uint v3 = v1 ^ 0x55u; int v4 = 0;\n")
	body.print(&b, "")
	b.WriteString("}\nkernel void k(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = body(int(i) - 40, i * 2654435761u); }\n")
	for i := range uint32(randomThreads) {
		s := &state{vars: []value{{i - 40, false}, {i * 2654435761, true}, {(i-40)*7 - 3, false}, {i*2654435761 ^ 0x55, true}, {0, false}}}
		body.run(s)
		want = append(want, s.ret.bits)
	}
	return b.String(), want
}

func checkRandomProgram(t *testing.T, seed uint64) {
	t.Helper()
	text, want := randomProgram(seed)
	l, err := msl.Compile(text, msl.Options{})
	if err != nil {
		t.Fatalf("program %d does not compile: %v\n%s", seed, err, text)
	}
	k := lower(t, l, "k")
	for _, tg := range []int{1, 33, 100} {
		out := make([]byte, 4*randomThreads)
		err := k.Run(&simt.Dispatch{Grid: [3]int{randomThreads, 1, 1}, Threadgroup: [3]int{tg, 1, 1}, Buffers: bindings(out), Checks: simt.CheckAll, Workers: 1})
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		for i, g := range decode[uint32](out) {
			if g != want[i] {
				t.Fatalf("program %d, threadgroup %d, thread %d: got %#x, want %#x\n%s", seed, tg, i, g, want[i], text)
			}
		}
	}
}

func TestRandomProgramsComputeWhatTheirTreesDo(t *testing.T) {
	for seed := range uint64(150) {
		checkRandomProgram(t, seed)
	}
}

func FuzzRandomPrograms(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandomProgram(t, seed) })
}
