package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// bindTemplate makes the environment of an instance: the parameters' names with the given arguments and the defaults.
func (c *lowerer) bindTemplate(name string, t *syntax.Template, outer *scope, args []tmplArg, pos token.Pos) *scope {
	env := newScope(outer)
	old := c.scope
	c.scope = env
	defer func() { c.scope = old }()
	n := 0
	for i := range t.Params {
		p := &t.Params[i]
		var a tmplArg
		switch {
		case p.Variadic:
			a = tmplArg{isPack: true}
			for ; n < len(args); n++ {
				if args[n].isPack {
					a.pack = append(a.pack, args[n].pack...)
					continue
				}
				a.pack = append(a.pack, args[n])
			}
		case n < len(args):
			a = args[n]
			n++
		case p.Default != nil:
			a = c.templateArg(p.Default)
		default:
			c.fail(pos, "too few template arguments for '%s': '%s' has none", name, p.Name)
		}
		a = c.checkArg(p, a, pos)
		c.bindArg(env, p, a)
		env.args = append(env.args, a)
	}
	if n < len(args) {
		c.fail(pos, "too many template arguments for '%s'", name)
	}
	return env
}

// checkArg holds a template argument to its parameter.
func (c *lowerer) checkArg(p *syntax.TemplateParam, a tmplArg, pos token.Pos) tmplArg {
	if a.isPack {
		for i := range a.pack {
			q := *p
			q.Variadic = false
			a.pack[i] = c.checkArg(&q, a.pack[i], pos)
		}
		return a
	}
	isType := a.valT == nil && a.val.fn == nil
	if p.Type == nil {
		if !isType {
			c.fail(pos, "template argument for template type parameter '%s' must be a type", p.Name)
		}
		return a
	}
	if isType {
		c.fail(pos, "template argument for non-type template parameter '%s' must be an expression", p.Name)
	}
	if _, auto := p.Type.(*syntax.AutoType); auto {
		return a
	}
	q := c.typeOf(p.Type)
	if q.t.kind == tPointer && q.t.elem.t.kind == tFunc {
		q = q.t.elem
	}
	if a.val.fn != nil {
		if q.t.kind != tFunc {
			c.fail(pos, "template argument for '%s' must be a value of type '%s'", p.Name, q)
		}
		ref := c.refOfType(a.val.fn, q.t, pos)
		return tmplArg{val: opnd{k: ir.Ptr, con: true, reg: ir.NoReg, fn: ref}, valT: q.t}
	}
	return c.castArg(a, q, pos)
}

// deducer collects the arguments of a function template's parameters.
type deducer struct {
	t     *syntax.Template
	args  []tmplArg
	have  []bool
	fixed int // the first fixed arguments were given explicitly
}

func newDeducer(t *syntax.Template) *deducer {
	return &deducer{t: t, args: make([]tmplArg, len(t.Params)), have: make([]bool, len(t.Params))}
}

func (d *deducer) param(name string) int {
	if name == "" {
		return -1
	}
	for i := range d.t.Params {
		if d.t.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// set records an argument; it reports false where another has been deduced before.
func (d *deducer) set(i int, a tmplArg) bool {
	if d.t.Params[i].Variadic {
		if !d.have[i] {
			d.args[i] = tmplArg{isPack: true}
		}
		d.args[i].pack = append(d.args[i].pack, a)
		d.have[i] = true
		return true
	}
	if !d.have[i] {
		d.args[i], d.have[i] = a, true
		return true
	}
	if i < d.fixed {
		return true
	}
	return d.args[i].same(a)
}

// simpleName gives the name of a type that is one plain identifier.
func simpleName(t syntax.Type) (string, *syntax.NamedType) {
	if n, ok := t.(*syntax.NamedType); ok && len(n.Name.Parts) == 1 && !n.Name.Parts[0].HasArgs && !n.Name.Global {
		return n.Name.Parts[0].Ident, n
	}
	return "", nil
}

// deduce matches the type p, as written, with the argument type q. It reports false on a mismatch; what is no deducible form
// matches everything.
func (c *lowerer) deduce(d *deducer, p syntax.Type, q qtype) bool {
	switch p := p.(type) {
	case *syntax.NamedType:
		if name, _ := simpleName(p); name != "" {
			i := d.param(name)
			if i < 0 || d.t.Params[i].Type != nil {
				return true
			}
			if p.Const {
				q.con = false
			}
			if p.Space != "" {
				if q.sp != spaceNone && q.sp != spaceOf(p.Space) {
					return false
				}
				q.sp = spaceNone
			}
			return d.set(i, tmplArg{typ: q})
		}
		if len(p.Name.Parts) > 1 && !libraryNamespaces[p.Name.Parts[0].Ident] {
			return true
		}
		part := &p.Name.Parts[len(p.Name.Parts)-1]
		if !part.HasArgs {
			return true
		}
		if p.Space != "" && q.sp != spaceNone && q.sp != spaceOf(p.Space) {
			return false
		}
		return c.deduceArgs(d, part, q.t)
	case *syntax.PointerType:
		if q.t.kind == tArray && !q.t.object {
			e := q.t.elem
			e.con, e.sp = e.con || q.con, q.sp
			return c.deduce(d, p.Elem, e)
		}
		if f, ok := p.Elem.(*syntax.FuncType); ok && q.t.kind == tFunc {
			return c.deduce(d, f, q)
		}
		return q.t.kind == tPointer && c.deduce(d, p.Elem, q.t.elem)
	case *syntax.RefType:
		if q.t.kind == tRef {
			q = q.t.elem
		}
		return c.deduce(d, p.Elem, q)
	case *syntax.ArrayType:
		if q.t.kind != tArray {
			return false
		}
		if p.Len != nil && !c.deduceValue(d, p.Len, intType, int64(q.t.n)) {
			return false
		}
		e := q.t.elem
		e.con, e.sp = e.con || q.con, q.sp
		return c.deduce(d, p.Elem, e)
	case *syntax.FuncType:
		if q.t.kind != tFunc || len(p.Params) != len(q.t.fn.params) {
			return false
		}
		for i := range p.Params {
			if !c.deduce(d, p.Params[i], q.t.fn.params[i]) {
				return false
			}
		}
		return c.deduce(d, p.Ret, q.t.fn.ret)
	}
	return true
}

// deduceValue matches an expression that may name a value parameter.
func (c *lowerer) deduceValue(d *deducer, x syntax.Expr, t *typ, v int64) bool {
	id, ok := x.(*syntax.IdentExpr)
	if !ok || len(id.Name.Parts) != 1 {
		return true
	}
	i := d.param(id.Name.Parts[0].Ident)
	if i < 0 {
		return true
	}
	if d.t.Params[i].Type == nil {
		return false
	}
	if q := d.t.Params[i].Type; q != nil {
		if name, _ := simpleName(q); libraryTypes[name] != nil {
			t = libraryTypes[name]
		}
	}
	return d.set(i, tmplArg{val: constant(t.scalar, uint64(v)), valT: t})
}

// deduceArgs matches a template-id with a type.
func (c *lowerer) deduceArgs(d *deducer, part *syntax.NamePart, t *typ) bool {
	var args []tmplArg
	num := func(n int) tmplArg { return tmplArg{val: intConst(int64(n)), valT: intType} }
	switch sym := c.find(c.scope, part.Ident); {
	case sym != nil && sym.kind == symTemplate && sym.tmpl.st != nil:
		for t.kind == tStruct && t.st.tmpl != sym.tmpl {
			if len(t.st.bases) == 0 {
				return false
			}
			t = t.st.bases[0]
		}
		if t.kind != tStruct {
			return false
		}
		args = t.st.args
	case sym != nil:
		return true // an alias template: not deducible here
	case part.Ident == "vec" && (t.isVector()):
		args = []tmplArg{{typ: plain(scalars[t.scalar])}, num(t.n)}
	case part.Ident == "array" && t.kind == tArray && t.object:
		args = []tmplArg{{typ: t.elem}, num(t.n)}
	case part.Ident == "matrix" && t.kind == tMatrix:
		args = []tmplArg{{typ: plain(scalars[t.scalar])}, num(t.n), num(t.m)}
	case part.Ident == "simdgroup_matrix" && t.kind == tSimdMat:
		args = []tmplArg{{typ: plain(scalars[t.scalar])}, num(8), num(8)}
	case part.Ident == "atomic" && t.kind == tAtomic:
		args = []tmplArg{{typ: plain(scalars[t.scalar])}}
	case part.Ident == "integral_constant" && t.kind == tStruct && t.st.library == "integral_constant":
		args = []tmplArg{{typ: plain(t.st.args[0].valT)}, t.st.args[0]}
	case part.Ident == "vec", part.Ident == "array", part.Ident == "matrix", part.Ident == "simdgroup_matrix", part.Ident == "atomic":
		return false
	default:
		return true
	}
	return c.deduceList(d, part.Args, args)
}

// deduceList matches template arguments as written with known ones.
func (c *lowerer) deduceList(d *deducer, ps []syntax.TemplateArg, args []tmplArg) bool {
	var flat []tmplArg
	for _, a := range args {
		if a.isPack {
			flat = append(flat, a.pack...)
		} else {
			flat = append(flat, a)
		}
	}
	for i := range ps {
		p := &ps[i]
		if p.Pack {
			for _, a := range flat[min(i, len(flat)):] {
				if !c.deduceOne(d, p, a) {
					return false
				}
			}
			if name, _ := simpleName(p.Type); name != "" {
				if k := d.param(name); k >= 0 && !d.have[k] {
					d.args[k], d.have[k] = tmplArg{isPack: true}, true
				}
			}
			return true
		}
		if i >= len(flat) || !c.deduceOne(d, p, flat[i]) {
			return false
		}
	}
	return len(ps) <= len(flat) // what is left out has to be the default, which is found out when the type is compared
}

func (c *lowerer) deduceOne(d *deducer, p *syntax.TemplateArg, a tmplArg) bool {
	if a.valT == nil && a.val.fn == nil {
		if p.Type == nil {
			return false
		}
		return c.deduceExact(d, p.Type, a.typ)
	}
	x := p.Expr
	if x == nil {
		n, ok := p.Type.(*syntax.NamedType)
		if !ok {
			return false
		}
		x = &syntax.IdentExpr{Name: n.Name}
	}
	if id, ok := x.(*syntax.IdentExpr); ok && len(id.Name.Parts) == 1 {
		if i := d.param(id.Name.Parts[0].Ident); i >= 0 {
			if t := d.t.Params[i].Type; t != nil && a.val.fn == nil {
				if name, _ := simpleName(t); libraryTypes[name] != nil && libraryTypes[name].isScalar() {
					a.val = c.convert(a.val, libraryTypes[name].scalar)
					a.valT = libraryTypes[name]
				}
			}
			return d.set(i, a)
		}
	}
	if a.val.fn != nil {
		return true
	}
	v := c.constantExpr(x)
	n, ok := v.constantInt()
	return ok && n == int64(a.val.bits)
}

// mentions reports whether the type as written depends on a parameter of d.
func (d *deducer) mentions(t syntax.Type) bool {
	switch t := t.(type) {
	case *syntax.NamedType:
		for i := range t.Name.Parts {
			if d.param(t.Name.Parts[i].Ident) >= 0 && i == 0 {
				return true
			}
			for _, a := range t.Name.Parts[i].Args {
				if a.Type != nil && d.mentions(a.Type) {
					return true
				}
				if id, ok := a.Expr.(*syntax.IdentExpr); ok && d.param(id.Name.Parts[0].Ident) >= 0 {
					return true
				} else if a.Expr != nil && !ok {
					return true
				}
			}
		}
	case *syntax.PointerType:
		return d.mentions(t.Elem)
	case *syntax.RefType:
		return d.mentions(t.Elem)
	case *syntax.ArrayType:
		return true
	case *syntax.FuncType, *syntax.DecltypeType:
		return true
	}
	return false
}

// deduceExact is deduce where nothing is adjusted: in template arguments.
func (c *lowerer) deduceExact(d *deducer, p syntax.Type, q qtype) bool {
	if !d.mentions(p) {
		return c.typeOf(p) == q
	}
	switch p := p.(type) {
	case *syntax.NamedType:
		if name, _ := simpleName(p); name != "" {
			if p.Const && !q.con || p.Space != "" && q.sp != spaceOf(p.Space) {
				return false
			}
		}
	case *syntax.PointerType:
		if q.t.kind != tPointer {
			return false
		}
		return c.deduceExact(d, p.Elem, q.t.elem)
	case *syntax.RefType:
		if q.t.kind != tRef {
			return false
		}
		return c.deduceExact(d, p.Elem, q.t.elem)
	}
	return c.deduce(d, p, q)
}

// matchSpecial matches a specialisation of a struct template with arguments and gives its environment.
func (c *lowerer) matchSpecial(t *template, sp *specialisation, args []tmplArg) (*scope, bool) {
	d := newDeducer(sp.st.Template)
	ok := false
	trial := c.attempt(func() {
		c.inScope(sp.scope, func() { ok = c.deduceList(d, sp.args, args) })
	})
	if !trial || !ok {
		return nil, false
	}
	for i := range d.have {
		if !d.have[i] {
			if !d.t.Params[i].Variadic {
				return nil, false
			}
			d.args[i].isPack = true
		}
	}
	env := newScope(sp.scope)
	env.args = d.args
	for i := range d.args {
		c.bindArg(env, &d.t.Params[i], d.args[i])
	}
	// An argument that is not deducible, such as enable_if_t<...>, has to come out as the given one.
	trial = c.attempt(func() {
		c.inScope(env, func() {
			made := c.bindTemplate(t.name, t.st.Template, t.scope, c.templateArgs(sp.args), c.pos).args
			ok = len(made) == len(args)
			for i := 0; ok && i < len(made); i++ {
				if args[i].isPack {
					break
				}
				if made[i].valT != nil && args[i].valT != nil && made[i].val.fn == nil {
					made[i] = c.castArg(made[i], plain(args[i].valT), c.pos)
				}
				ok = made[i].same(args[i])
			}
			for _, a := range args {
				if a.isPack {
					ok = true
				}
			}
		})
	})
	return env, trial && ok
}

// patternWeight tells how much a list of template arguments says: more is more specialised.
func patternWeight(as []syntax.TemplateArg) int {
	n := 0
	for _, a := range as {
		if a.Type != nil {
			n += typeWeight(a.Type)
		} else if a.Expr != nil {
			if _, ok := a.Expr.(*syntax.IdentExpr); !ok {
				n++
			}
		}
	}
	return n
}

func typeWeight(t syntax.Type) int {
	switch t := t.(type) {
	case *syntax.NamedType:
		n := 0
		if t.Const {
			n++
		}
		if t.Space != "" {
			n++
		}
		for _, p := range t.Name.Parts {
			if p.HasArgs {
				n += 1 + patternWeight(p.Args)
			}
		}
		return n
	case *syntax.PointerType:
		return 1 + typeWeight(t.Elem)
	case *syntax.RefType:
		return typeWeight(t.Elem)
	case *syntax.ArrayType:
		return 1 + typeWeight(t.Elem)
	case *syntax.FuncType:
		return 1
	}
	return 0
}

// specialise enters an explicit specialisation of a function template.
func (c *lowerer) specialise(d *syntax.FuncDecl, s *scope, sym *symbol) {
	last := d.Name.Parts[len(d.Name.Parts)-1]
	if sym == nil || sym.kind != symFunc {
		c.fail(d.At, "no function template matches function template specialization '%s'", last.Ident)
	}
	var params []qtype
	for _, p := range d.Params {
		params = append(params, c.adjusted(c.typeOf(p.Type)))
	}
	var explicit []tmplArg
	if last.HasArgs {
		explicit = c.templateArgs(last.Args)
	}
	for _, f := range sym.funcs {
		if f.decl.Template == nil || len(f.decl.Params) != len(params) {
			continue
		}
		env, ok := c.deduceCall(f, explicit, nil, params, d.At)
		if !ok {
			continue
		}
		f.special = append(f.special, &function{decl: d, scope: s, order: c.order, forArgs: env.args})
		if d.Spec.Kernel {
			c.addKernel(&entry{host: hostName(d.Attrs, last.Ident), fn: f.special[len(f.special)-1], pos: d.At})
		}
		return
	}
	c.fail(d.At, "no function template matches function template specialization '%s'", last.Ident)
}

// instantiateKernel enters an explicit instantiation.
func (c *lowerer) instantiateKernel(d *syntax.Instantiation, s *scope) {
	f := d.Func
	n := f.Name
	if dt, ok := f.Ret.(*syntax.DecltypeType); ok && f.Params == nil && f.Name == nil {
		if id, ok := dt.X.(*syntax.IdentExpr); ok {
			n = id.Name
		}
	}
	r := c.resolve(n)
	if r.sym == nil || r.sym.kind != symFunc {
		c.fail(f.At, "explicit instantiation of '%s' does not refer to a function template", r.last.Ident)
	}
	var explicit []tmplArg
	if r.last.HasArgs {
		explicit = c.templateArgs(r.last.Args)
	}
	var params []qtype
	if f.Params != nil {
		params = []qtype{}
		for _, p := range f.Params {
			params = append(params, c.adjusted(c.typeOf(p.Type)))
		}
	}
	type found struct {
		fn  *function
		env *scope
		w   int
	}
	var best []found
	for _, g := range r.sym.funcs {
		if g.decl.Template == nil || params != nil && len(params) != len(g.decl.Params) {
			continue
		}
		env, ok := c.deduceCall(g, explicit, nil, params, d.At)
		if !ok {
			continue
		}
		x := found{g, env, templateWeight(g)}
		switch {
		case len(best) > 0 && x.w > best[0].w:
			best = []found{x}
		case len(best) == 0 || x.w == best[0].w:
			best = append(best, x)
		}
	}
	if len(best) == 0 {
		c.fail(f.At, "explicit instantiation of '%s' does not refer to a function template, variable template, member function, member class, or static data member", r.last.Ident)
	}
	if len(best) > 1 {
		c.fail(f.At, "partial ordering for explicit instantiation of '%s' is ambiguous", r.last.Ident)
	}
	g, env := c.specialOf(best[0].fn, best[0].env)
	attrs := append(append([]syntax.Attr(nil), f.Attrs...), g.decl.Attrs...)
	if !g.decl.Spec.Kernel {
		return
	}
	c.addKernel(&entry{host: hostName(attrs, r.last.Ident), fn: g, env: env, pos: d.At})
}

// specialOf gives the explicit specialisation for the arguments in env, if there is one.
func (c *lowerer) specialOf(f *function, env *scope) (*function, *scope) {
	for _, s := range f.special {
		if len(s.forArgs) != len(env.args) {
			continue
		}
		same := true
		for i := range s.forArgs {
			same = same && s.forArgs[i].same(env.args[i])
		}
		if same {
			return s, nil
		}
	}
	return f, env
}

func templateWeight(f *function) int {
	n := 0
	for _, p := range f.decl.Params {
		n += typeWeight(p.Type)
		if p.Pack {
			n--
		}
	}
	return n
}

// deduceCall finds the template arguments of f for a call: from explicit ones, then from the arguments of the call, or from
// exact parameter types, and from defaults. ok is false where f is no candidate.
func (c *lowerer) deduceCall(f *function, explicit []tmplArg, args []value, params []qtype, pos token.Pos) (env *scope, ok bool) {
	t := f.decl.Template
	trial := c.attempt(func() {
		c.enter(pos)
		defer c.leave()
		d := newDeducer(t)
		for i, a := range explicit {
			if i >= len(t.Params) {
				if n := len(t.Params); n > 0 && t.Params[n-1].Variadic {
					d.args[n-1].pack = append(d.args[n-1].pack, a)
					continue
				}
				return
			}
			if t.Params[i].Variadic {
				d.args[i].isPack = true
				if a.isPack {
					d.args[i].pack = append(d.args[i].pack, a.pack...)
				} else {
					d.args[i].pack = append(d.args[i].pack, a)
				}
				d.have[i] = true
				continue
			}
			d.args[i], d.have[i] = a, true
			d.fixed = i + 1
		}
		old := c.scope
		c.scope = f.scope
		defer func() { c.scope = old }()
		if params != nil {
			for i, p := range f.decl.Params {
				if !c.deduce(d, p.Type, params[i]) {
					return
				}
			}
		}
		if !c.deduceParams(d, f, args) {
			return
		}
		env = newScope(f.scope)
		c.scope = env
		for i := range t.Params {
			p := &t.Params[i]
			if !d.have[i] {
				switch {
				case p.Variadic:
					d.args[i] = tmplArg{isPack: true}
				case p.Default != nil:
					d.args[i] = c.templateArg(p.Default)
				default:
					return
				}
			}
			d.args[i] = c.checkArg(p, d.args[i], pos)
			c.bindArg(env, p, d.args[i])
		}
		env.args = d.args
		if params != nil {
			for i, p := range f.decl.Params {
				if q := c.adjusted(c.typeOf(p.Type)); q.t != params[i].t {
					return
				}
			}
		}
		// The return type takes part: a failure there means that f is no candidate.
		if f.decl.Ret != nil {
			if _, auto := f.decl.Ret.(*syntax.AutoType); !auto {
				c.typeOf(f.decl.Ret)
			}
		}
		ok = true
	})
	return env, trial && ok
}

// deduceParams matches the parameters of f with the arguments of a call.
func (c *lowerer) deduceParams(d *deducer, f *function, args []value) bool {
	for i, p := range f.decl.Params {
		if p.Pack {
			for _, a := range args[min(i, len(args)):] {
				if !c.deduceArgument(d, p.Type, a) {
					return false
				}
			}
			return true
		}
		if i >= len(args) {
			break
		}
		if !d.mentions(p.Type) {
			continue
		}
		if !c.deduceArgument(d, p.Type, args[i]) {
			return false
		}
	}
	return true
}

func (c *lowerer) deduceArgument(d *deducer, p syntax.Type, a value) bool {
	if a.funcs != nil || a.ref != nil {
		if ref := c.functionRef(a, nil, c.pos); ref != nil && ref.t != nil {
			return c.deduce(d, p, plain(ref.t))
		}
		return true
	}
	if r, ok := p.(*syntax.RefType); ok {
		q := a.q
		if !a.lv {
			q = plain(a.q.t)
		}
		if name, named := simpleName(r.Elem); name != "" && named.Space != "" {
			if q.sp != spaceNone && q.sp != spaceOf(named.Space) {
				return false
			}
		}
		return c.deduce(d, r.Elem, q)
	}
	q := a.q
	if q.t.kind == tArray && !q.t.object {
		if _, isArray := p.(*syntax.ArrayType); !isArray {
			e := q.t.elem
			e.con, e.sp = e.con || q.con, q.sp
			q = plain(c.types.pointer(e))
		}
	} else {
		q = plain(unpackedFor(p, q.t))
	}
	return c.deduce(d, p, q)
}

// unpackedFor keeps a packed vector packed where a plain parameter takes it by value.
func unpackedFor(p syntax.Type, t *typ) *typ {
	if name, _ := simpleName(p); name != "" {
		return t
	}
	return unpacked(t)
}
