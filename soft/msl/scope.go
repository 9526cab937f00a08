package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/syntax"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// scope maps names to what they mean.
type scope struct {
	outer  *scope
	names  map[string]*symbol
	using  []*scope
	st     *structType // the scope of a struct's members
	global bool        // of a namespace: only what is declared before the point of use is visible
	args   []tmplArg   // of a template instance
}

type symKind uint8

const (
	symVar symKind = iota
	symType
	symFunc
	symTemplate // of a struct, an alias or a variable
	symNamespace
	symPack
	symField // a data member of the struct around
)

// symbol is a declared name.
type symbol struct {
	kind  symKind
	name  string
	pos   token.Pos
	order int // of namespace members: the place in the source order

	val   value       // symVar
	lazy  *globalVar  // symVar of program scope
	typ   qtype       // symType
	funcs []*function // symFunc
	tmpl  *template   // symTemplate
	ns    *scope      // symNamespace
	pack  []*symbol   // symPack: types or values
	st    *structType // symField: the struct that has it
	index int         // symField: its number there
}

func newScope(outer *scope) *scope { return &scope{outer: outer} }

func (s *scope) declare(sym *symbol) {
	if s.names == nil {
		s.names = map[string]*symbol{}
	}
	s.names[sym.name] = sym
}

// function is a declared function, method or a template of one.
type function struct {
	decl      *syntax.FuncDecl // the definition, once there is one
	scope     *scope           // where it is declared
	st        *structType      // of methods
	order     int
	bodyOrder int         // of a definition behind the first declaration
	special   []*function // explicit specialisations of a template
	forArgs   []tmplArg   // of a specialisation
	assigned  map[string]assignment
	checked   bool // walked in some kernel already
}

// funcRef is a function with its template arguments: what a pointer to a function holds.
type funcRef struct {
	fn  *function
	env *scope
	t   *typ
}

// template is a struct, alias or variable template.
type template struct {
	name    string
	scope   *scope
	st      *syntax.StructDecl
	alias   *syntax.TypeAlias
	variant *syntax.VarDecl
	special []*specialisation
	made    map[string]*structType
}

// specialisation is an explicit or partial specialisation of a struct template.
type specialisation struct {
	st    *syntax.StructDecl
	args  []syntax.TemplateArg
	scope *scope
}

// tmplArg is a template argument: a type, a constant, a function, or a pack of such.
type tmplArg struct {
	typ    qtype
	val    opnd
	valT   *typ
	isPack bool
	pack   []tmplArg
}

func (a tmplArg) same(b tmplArg) bool {
	if a.isPack != b.isPack || len(a.pack) != len(b.pack) {
		return false
	}
	for i := range a.pack {
		if !a.pack[i].same(b.pack[i]) {
			return false
		}
	}
	if a.typ != b.typ {
		return false
	}
	if a.val.fn != nil || b.val.fn != nil {
		return a.val.fn != nil && b.val.fn != nil && a.val.fn.fn == b.val.fn.fn
	}
	return a.valT == nil && b.valT == nil || a.valT != nil && b.valT != nil && a.val.bits == b.val.bits && a.val.k.IsFloat() == b.val.k.IsFloat()
}

// structType is a struct with its layout.
type structType struct {
	name    string
	decl    *syntax.StructDecl
	scope   *scope // members; its outer is the environment of the declaration
	bases   []*typ
	fields  []field
	size    int64
	align   int64
	slots   int
	done    bool
	ctors   []*function
	convs   []*function // conversion operators
	tmpl    *template
	args    []tmplArg
	union   bool
	library string // a type of Metal's library: "simd_vote"
}

// threadCtors are the constructors of objects in the thread address space, where every object is made before it goes
// anywhere else: those marked thread and those without an address space.
func (st *structType) threadCtors() []*function {
	var fs []*function
	for _, f := range st.ctors {
		if f.decl.Space == "" || f.decl.Space == "thread" {
			fs = append(fs, f)
		}
	}
	return fs
}

// field is a data member; a base is a field without a name.
type field struct {
	name string
	q    qtype
	off  int64
	slot int
	init syntax.Expr
	base bool
}

func (st *structType) field(name string) *field {
	for i := range st.fields {
		if f := &st.fields[i]; !f.base && f.name == name {
			return f
		}
	}
	return nil
}

// globalVar is a variable of program scope, evaluated when it is first used.
type globalVar struct {
	decl  *syntax.VarDecl
	scope *scope
	order int
	busy  bool
	done  bool
	bad   bool
	val   value
	fc    *functionConstant
	// derived constants depend on function constants, so that they have a value in each kernel.
	derived bool
}

// globalData is the memory of a program-scope constant that is reached by a dynamic index or a pointer.
type globalData struct {
	name string
	t    *typ
	st   *storage
}

// functionConstant is a program-scope constant with [[function_constant(index)]].
type functionConstant struct {
	name  string
	index int
	kind  ir.Kind
	lanes int
	t     *typ
}

// find looks name up from s outwards.
func (c *lowerer) find(s *scope, name string) *symbol {
	var funcs *symbol
	for ; s != nil; s = s.outer {
		sym := c.member(s, name, 0)
		if sym == nil {
			continue
		}
		if sym.kind != symFunc {
			if funcs != nil {
				return funcs
			}
			return sym
		}
		return sym
	}
	return funcs
}

// member looks name up in s itself: its names, the bases of a struct, and namespaces that s uses.
func (c *lowerer) member(s *scope, name string, depth int) *symbol {
	if sym := s.names[name]; sym != nil {
		if !s.global || sym.kind == symNamespace {
			return sym
		}
		if v := c.visible(sym); v != nil {
			return v
		}
	}
	if depth > 32 {
		return nil
	}
	if s.st != nil {
		for _, b := range s.st.bases {
			if sym := c.member(b.st.scope, name, depth+1); sym != nil {
				return sym
			}
		}
	}
	for _, u := range s.using {
		if sym := c.member(u, name, depth+1); sym != nil {
			return sym
		}
	}
	return nil
}

// visible gives what of sym is declared before the code at hand.
func (c *lowerer) visible(sym *symbol) *symbol {
	if sym.kind != symFunc {
		if sym.order > c.order {
			return nil
		}
		return sym
	}
	if sym.funcs[len(sym.funcs)-1].order <= c.order {
		return sym
	}
	v := *sym
	v.funcs = nil
	for _, f := range sym.funcs {
		if f.order <= c.order {
			v.funcs = append(v.funcs, f)
		}
	}
	if len(v.funcs) == 0 {
		return nil
	}
	return &v
}
