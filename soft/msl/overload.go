package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// rank tells how well an argument fits a parameter.
type rank int8

const (
	rankNone    rank = iota - 1
	rankExact        // nothing, or an array to a pointer
	rankQualify      // const is added
	rankPromote      // a small integer to int
	rankConvert
	rankUser // by a constructor or conversion operator
)

// param is a parameter of a function for one call: packs are expanded.
type param struct {
	decl *syntax.Param
	q    qtype
	elem int // of a pack, or -1
}

// signature resolves the parameters of f in env.
func (c *lowerer) signature(f *function, env *scope) []param {
	if env == nil {
		env = f.scope
	}
	old, order := c.scope, c.order
	c.scope = env
	defer func() { c.scope, c.order = old, order }()
	ps := make([]param, 0, len(f.decl.Params))
	for _, p := range f.decl.Params {
		if p.Pack {
			n := c.packLength(p.Type)
			for i := range n {
				c.withPack(i, func() { ps = append(ps, param{p, c.adjusted(c.typeOf(p.Type)), i}) })
			}
			continue
		}
		if _, auto := p.Type.(*syntax.AutoType); auto {
			c.fail(p.At, "'auto' not allowed in function prototype")
		}
		q := c.adjusted(c.typeOf(p.Type))
		if q.t == voidType {
			c.fail(p.At, "argument may not have 'void' type")
		}
		ps = append(ps, param{p, q, -1})
	}
	return ps
}

// candidate is a function that a call may mean.
type candidate struct {
	fn     *function
	env    *scope
	params []param
	ranks  []rank
	self   rank
}

// viable fits a function to the arguments of a call. ok is false where it does not fit.
func (c *lowerer) viable(f *function, explicit []tmplArg, hasArgs bool, args []value, self *value, pos token.Pos) (cand candidate, ok bool) {
	cand.fn = f
	need, pack := 0, false
	for _, p := range f.decl.Params {
		if p.Pack {
			pack = true
		} else if p.Default == nil {
			need++
		}
	}
	if len(args) < need || !pack && len(args) > len(f.decl.Params) {
		return cand, false
	}
	if f.decl.Template == nil {
		if hasArgs {
			return cand, false
		}
		cand.params = c.signature(f, nil)
	} else {
		env, found := c.deduceCall(f, explicit, args, nil, pos)
		if !found {
			return cand, false
		}
		cand.fn, cand.env = c.specialOf(f, env)
		if !c.attempt(func() { cand.params = c.signature(cand.fn, cand.env) }) {
			return cand, false
		}
	}
	if f.st != nil && !f.decl.Spec.Static && self != nil && f.decl.Ret != nil {
		sp := spaceOf(f.decl.Space)
		if sp == spaceNone {
			sp = spaceThread
		}
		have := self.q.sp
		if have == spaceNone {
			have = spaceThread
		}
		if sp != have || self.q.con && !f.decl.Const {
			return cand, false
		}
		if f.decl.Const && !self.q.con {
			cand.self = rankQualify
		}
	}
	if len(args) > len(cand.params) {
		return cand, false
	}
	for i, a := range args {
		r := c.fit(a, cand.params[i].q)
		if r == rankNone {
			return cand, false
		}
		cand.ranks = append(cand.ranks, r)
	}
	return cand, true
}

// better reports whether a is a better candidate than b.
func (a *candidate) better(b *candidate) bool {
	wins := a.self < b.self
	if a.self > b.self {
		return false
	}
	for i := range a.ranks {
		if a.ranks[i] > b.ranks[i] {
			return false
		}
		wins = wins || a.ranks[i] < b.ranks[i]
	}
	if wins {
		return true
	}
	at, bt := a.fn.decl.Template != nil, b.fn.decl.Template != nil
	if at != bt {
		return bt
	}
	return at && templateWeight(a.fn) > templateWeight(b.fn)
}

// choose does overload resolution. It gives nil if there is no viable function, after an error if report is set.
func (c *lowerer) choose(fs []*function, explicit []tmplArg, hasArgs bool, args []value, self *value, pos token.Pos) (best *candidate, ambiguous bool) {
	var cands []candidate
	for _, f := range fs {
		if cand, ok := c.viable(f, explicit, hasArgs, args, self, pos); ok {
			cands = append(cands, cand)
		}
	}
	for i := range cands {
		if best == nil || cands[i].better(best) {
			best = &cands[i]
		}
	}
	for i := range cands {
		if &cands[i] != best && !best.better(&cands[i]) {
			return best, true
		}
	}
	return best, false
}

// fit ranks the conversion of v to a parameter of type q.
func (c *lowerer) fit(v value, q qtype) rank {
	if q.t.kind != tRef {
		return c.fitValue(v, q)
	}
	e := q.t.elem
	if v.funcs != nil || v.ref != nil {
		return c.fitValue(v, e)
	}
	if v.lv && v.sw == nil && !v.isMat && (v.whole == nil) && (v.q.t == e.t || c.derives(v.q.t, e.t)) && !q.t.rvalue {
		sp := v.q.sp
		if sp == spaceNone {
			sp = spaceThread
		}
		want := e.sp
		if want == spaceNone {
			want = spaceThread
		}
		if sp == want {
			switch {
			case v.q.con && !e.con:
				return rankNone
			case v.q.t != e.t:
				return rankConvert
			case e.con && !v.q.con:
				return rankQualify
			}
			return rankExact
		}
		if want != spaceThread {
			return rankNone
		}
	} else if v.isMat && v.q.t == e.t && !e.con {
		return rankExact
	}
	if !e.con && !q.t.rvalue || e.sp != spaceThread && e.sp != spaceNone {
		return rankNone
	}
	if q.t.rvalue && v.lv && v.sw == nil {
		return rankNone
	}
	return c.fitValue(v, plain(e.t))
}

func (c *lowerer) convertible(v value, q qtype) bool { return c.fit(v, q) != rankNone }

// fitValue ranks the conversion of v to a value of type q.
func (c *lowerer) fitValue(v value, q qtype) rank {
	to := q.t
	if v.funcs != nil || v.ref != nil {
		if to.kind == tPointer && to.elem.t.kind == tFunc {
			to = to.elem.t
		}
		if to.kind == tFunc && c.functionRef(v, to, c.pos) != nil {
			return rankExact
		}
		return rankNone
	}
	from := v.q.t
	if from == to {
		return rankExact
	}
	if v.name != nil && from == nil {
		return rankNone
	}
	switch {
	case from == nil || from == voidType || to == voidType:
		return rankNone
	case from.kind == tArray && !from.object:
		return fitPointer(c.decayed(v).q.t, to)
	case to.kind == tPointer || to.kind == tNull:
		if to.kind == tPointer && v.isNullConstant() {
			return rankConvert
		}
		return fitPointer(from, to)
	case from.kind == tPointer:
		if to == boolType {
			return rankConvert
		}
		return rankNone
	case from.isArithmetic() && to.isScalar():
		return fitScalar(from, to)
	case from.isArithmetic() && to.isVector():
		return rankConvert
	case from.isVector() && to.isVector():
		if from.scalar == to.scalar && from.n == to.n {
			return rankQualify
		}
		return rankNone
	case from.kind == tStruct && c.derives(from, to):
		return rankConvert
	case from.kind == tSimdMat || to.kind == tSimdMat:
		return rankNone
	}
	if from.kind == tStruct && c.conversion(v, to) != nil {
		return rankUser
	}
	if to.kind == tStruct && to.st.library == "" && c.hasConvertingCtor(to.st, v) {
		return rankUser
	}
	return rankNone
}

func (v value) isNullConstant() bool {
	return v.q.t == nullType || !v.lv && v.q.t.isInteger() && len(v.ops) == 1 && v.ops[0].isZero()
}

func (c *lowerer) decayed(v value) value {
	e := v.q.t.elem
	e.con, e.sp = e.con || v.q.con, v.q.sp
	return value{q: plain(c.types.pointer(e))}
}

func fitPointer(from, to *typ) rank {
	if from.kind != tPointer || to.kind != tPointer {
		return rankNone
	}
	f, t := from.elem, to.elem
	fs, ts := f.sp, t.sp
	if fs == spaceNone {
		fs = spaceThread
	}
	if ts == spaceNone {
		ts = spaceThread
	}
	if fs != ts || f.con && !t.con {
		return rankNone
	}
	switch {
	case f.t == t.t && f.con == t.con:
		return rankExact
	case f.t == t.t:
		return rankQualify
	case t.t == voidType:
		return rankConvert
	}
	return rankNone
}

func fitScalar(from, to *typ) rank {
	f, t := from.scalar, to.scalar
	switch {
	case from.kind == tEnum && f == t, t == ir.I32 && (f == ir.Bool || f == ir.I8 || f == ir.U8 || f == ir.I16 || f == ir.U16):
		return rankPromote
	}
	return rankConvert
}

// conversion gives the conversion operator of v's type to the type to, or nil.
func (c *lowerer) conversion(v value, to *typ) *function {
	st := v.q.t.st
	var best *function
	for _, f := range st.convs {
		sp := spaceOf(f.decl.Space)
		if sp == spaceNone {
			sp = spaceThread
		}
		have := v.q.sp
		if have == spaceNone {
			have = spaceThread
		}
		if sp != have || v.q.con && !f.decl.Const {
			continue
		}
		ok := false
		if f.decl.Template != nil {
			c.inScope(f.scope, func() {
				d := newDeducer(f.decl.Template)
				ok = c.attempt(func() {
					if !c.deduce(d, f.decl.Ret, plain(to)) {
						c.fail(c.pos, "no match")
					}
					c.conversionEnv(f, to)
				})
			})
		} else {
			var q qtype
			c.inScope(f.scope, func() { q = c.typeOf(f.decl.Ret) })
			ok = q.t == to || q.t.isArithmetic() && to.isArithmetic()
			if ok && q.t != to && best != nil {
				continue
			}
		}
		if ok {
			best = f
			if f.decl.Template == nil {
				var q qtype
				c.inScope(f.scope, func() { q = c.typeOf(f.decl.Ret) })
				if q.t == to {
					return f
				}
			}
		}
	}
	if best == nil {
		for _, b := range st.bases {
			if f := c.conversion(value{q: qtype{b, v.q.con, v.q.sp}}, to); f != nil {
				return f
			}
		}
	}
	return best
}

// conversionEnv binds the template parameters of a conversion operator to the type to.
func (c *lowerer) conversionEnv(f *function, to *typ) *scope {
	d := newDeducer(f.decl.Template)
	old := c.scope
	c.scope = f.scope
	defer func() { c.scope = old }()
	c.deduce(d, f.decl.Ret, plain(to))
	env := newScope(f.scope)
	c.scope = env
	for i := range d.args {
		p := &d.t.Params[i]
		if !d.have[i] {
			if p.Default == nil {
				c.fail(c.pos, "couldn't infer template argument '%s'", p.Name)
			}
			d.args[i] = c.templateArg(p.Default)
		}
		d.args[i] = c.checkArg(p, d.args[i], c.pos)
		c.bindArg(env, p, d.args[i])
	}
	env.args = d.args
	return env
}

func (c *lowerer) hasConvertingCtor(st *structType, v value) bool {
	if c.depth > 1000 {
		return false
	}
	for _, f := range st.threadCtors() {
		if f.decl.Deleted || f.decl.Explicit || len(f.decl.Params) == 0 {
			continue
		}
		if r, ok := f.decl.Params[0].Type.(*syntax.RefType); ok {
			if name, _ := simpleName(r.Elem); name == st.decl.Name.Parts[0].Ident {
				continue
			}
		}
		c.depth += 100
		_, ok := c.viable(f, nil, false, []value{v}, nil, c.pos)
		c.depth -= 100
		if ok {
			return true
		}
	}
	return false
}
