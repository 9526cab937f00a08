package msl

import (
	"fmt"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// program is what is known of a whole translation unit.
type program struct {
	opts      Options
	types     *typeTable
	global    *scope
	funcs     []*function
	kernels   []*entry
	constants []*functionConstant
	byRef     map[string]bool // names of functions that may change an argument
	errs      token.ErrorList
	seen      map[string]bool
	inMemory  map[any]bool // declarations whose variable lives in memory
	dynamic   map[any]bool // declarations of arrays that are indexed by what is not a constant
	variables map[any]bool // declarations whose variable is assigned after its initialisation
}

// entry is a kernel: a function, perhaps an instance of a template.
type entry struct {
	host string
	fn   *function
	env  *scope // of an instance
	pos  token.Pos
	uses []FunctionConstant
	done *ir.Kernel // the lowered kernel, if it depends on no function constant
}

// lowerer walks the tree: it checks and emits at once.
type lowerer struct {
	*program
	b      *builder
	k      *ir.Kernel
	scope  *scope
	frame  *frame
	order  int // what is declared later in the source is not visible
	pos    token.Pos
	declAt token.Pos // where the declaration statement at hand begins

	evaluating  int // in a constant expression: nothing is emitted
	flow        flow
	steps       int
	unevaluated int // in decltype or sizeof: nothing runs

	values map[*functionConstant]value // the given function constants
	known  bool                        // function constants have their final values

	unrolling bool                       // a loop's iterations are being counted: function constants that have values are as good as constants
	uses      map[*functionConstant]bool // those used; true if without a guard
	guarded   map[*functionConstant]int
	data      map[*globalData]int
	depth     int
	notes     []token.Note
}

// flow tells in an evaluation at compile time how a statement ended.
type flow uint8

const (
	flowNext flow = iota
	flowBreak
	flowContinue
	flowReturn
)

// frame is a function being walked.
type frame struct {
	fn       *function
	env      *scope
	ret      qtype
	auto     bool // the return type is deduced from the first return
	region   int
	result   *storage // where the value goes when there are several returns
	direct   value    // the value of the only return
	single   bool
	returned bool
	this     *value
	outer    *frame
	brk      int
	cont     int
	inLoop   bool
	inSwitch bool
	kernel   bool
	depth    int // of the evaluation at compile time in which it is called
}

type bail struct{}

type restart struct{}

type abort struct{}

// errorf reports a diagnostic once.
func (c *lowerer) errorf(pos token.Pos, format string, args ...any) {
	e := &token.Error{Pos: pos, Text: fmt.Sprintf(format, args...)}
	key := e.Error()
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	for i := len(c.notes) - 1; i >= 0 && len(e.Notes) < 8; i-- {
		e.Notes = append(e.Notes, c.notes[i])
	}
	c.errs = append(c.errs, e)
	if len(c.errs) >= 20 {
		panic(abort{})
	}
}

// fail reports a diagnostic and gives up the statement.
func (c *lowerer) fail(pos token.Pos, format string, args ...any) {
	c.errorf(pos, format, args...)
	panic(bail{})
}

// fatal reports a diagnostic and gives up the translation.
func (c *lowerer) fatal(pos token.Pos, format string, args ...any) {
	c.errorf(pos, format, args...)
	panic(abort{})
}

func (c *lowerer) unsupported(pos token.Pos, what string) {
	c.fail(pos, "%s is not supported by the software Metal compiler", what)
}

// toMemory starts the function again with st in memory.
func (c *lowerer) toMemory(st *storage) {
	if st.key == nil || c.inMemory[st.key] || c.evaluating > 0 {
		c.unsupported(c.pos, fmt.Sprintf("this use of the address of '%s'", st.name))
	}
	c.inMemory[st.key] = true
	panic(restart{})
}

// toDynamic starts the function again with the array st in registers that an index can choose from.
func (c *lowerer) toDynamic(st *storage) {
	if st.key == nil || c.dynamic[st.key] {
		c.unsupported(c.pos, fmt.Sprintf("this use of array '%s'", st.name))
	}
	c.dynamic[st.key] = true
	panic(restart{})
}

// toVariable starts the function again with st assignable.
func (c *lowerer) toVariable(st *storage) {
	if st.key == nil || c.variables[st.key] || st.global != nil {
		c.fail(c.pos, "expression is not assignable")
	}
	c.variables[st.key] = true
	panic(restart{})
}

// guard runs f and survives a diagnostic that gives up a statement. It reports whether f came to its end.
func (c *lowerer) guard(f func()) (ok bool) {
	scope, frame, ev, un, depth, notes, order := c.scope, c.frame, c.evaluating, c.unevaluated, c.depth, len(c.notes), c.order
	block, known := c.b.block, len(c.b.known)
	defer func() {
		if ok {
			return
		}
		switch e := recover().(type) {
		case bail:
			c.scope, c.frame, c.evaluating, c.unevaluated, c.depth, c.notes, c.order = scope, frame, ev, un, depth, c.notes[:notes], order
			c.b.block, c.b.known = block, c.b.known[:known]
			c.flow = flowNext
		default:
			panic(e)
		}
	}()
	f()
	return true
}

// attempt runs f as a trial: a diagnostic means that f does not work, and is forgotten.
func (c *lowerer) attempt(f func()) bool {
	errs, seen := c.errs, c.seen
	c.errs, c.seen = nil, map[string]bool{}
	defer func() { c.errs, c.seen = errs, seen }()
	return c.guard(f) && len(c.errs) == 0
}

// enter guards against deep recursion; the caller defers leave.
func (c *lowerer) enter(pos token.Pos) {
	c.depth++
	if c.depth > 1500 {
		c.fatal(pos, "the program nests too deeply")
	}
}

func (c *lowerer) leave() { c.depth-- }

// note adds a remark to diagnostics while f runs.
func (c *lowerer) note(pos token.Pos, text string, f func()) {
	c.notes = append(c.notes, token.Note{Pos: pos, Text: text})
	n := len(c.notes)
	f()
	c.notes = c.notes[:n-1]
}

func (p *program) newLowerer() *lowerer {
	c := &lowerer{program: p, b: newBuilder(), k: &ir.Kernel{}, scope: p.global, order: int(^uint(0) >> 1),
		uses: map[*functionConstant]bool{}, guarded: map[*functionConstant]int{}, data: map[*globalData]int{}}
	c.b.block = &c.k.Body
	return c
}

// inScope runs f with names looked up from s.
func (c *lowerer) inScope(s *scope, f func()) {
	old := c.scope
	c.scope = s
	f()
	c.scope = old
}

// constantExpr evaluates x at compile time.
func (c *lowerer) constantExpr(x syntax.Expr) value {
	c.evaluating++
	frameSteps := c.steps
	v := c.load(c.expr(x))
	c.evaluating--
	if c.evaluating == 0 {
		c.steps = frameSteps
	}
	return v
}

// constantInt evaluates x as an integer at compile time.
func (c *lowerer) constantInt(x syntax.Expr) (int64, *typ) {
	v := c.constantExpr(x)
	n, ok := v.constantInt()
	if !ok {
		c.fail(start(x), "expression is not an integral constant expression")
	}
	return n, v.q.t
}

// step bounds evaluation at compile time.
func (c *lowerer) step(pos token.Pos) {
	c.steps++
	if c.steps > 1<<20 {
		c.fatal(pos, "constexpr evaluation hit maximum step limit")
	}
}

// constantData gives the address of program-scope data in memory.
func (c *lowerer) constantData(g *globalData) ir.Reg {
	n, ok := c.data[g]
	if !ok {
		size, align := sizeAlign(g.t)
		bytes := make([]byte, size)
		var ops []opnd
		ops = c.readRegisters(ops, registersOf(g.st), g.t)
		ls := appendLeaves(nil, g.t, 0)
		for i, l := range ls {
			if l.kind == ir.Ptr {
				c.unsupported(c.pos, "a pointer in constant memory")
			}
			b := ops[i].bits
			switch l.kind {
			case ir.F16:
				b = foldBitcast(ir.F16, ir.U16, b)
			case ir.BF16:
				b = foldBitcast(ir.BF16, ir.U16, b)
			}
			for j := range l.kind.Size() {
				bytes[l.off+j] = byte(b >> (8 * j))
			}
		}
		n = len(c.k.Constants)
		c.k.Constants = append(c.k.Constants, ir.Data{Name: g.name, Bytes: bytes, Align: align})
		c.data[g] = n
	}
	return c.b.atEntry(ir.AddrConstant, ir.Ptr, int64(n), 0, c.pos)
}
