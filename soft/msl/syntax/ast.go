// Package syntax turns Metal Shading Language text into a tree: preprocessor, scanner and parser. It settles what is a
// type and what is an expression, as C++ asks of its parser, and leaves meaning to package msl.
package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// File is a whole translation unit after preprocessing.
type File struct {
	Decls []Decl
}

// Decl is a declaration: *FuncDecl, *StructDecl, *VarDecl, *TypeAlias, *EnumDecl, *StaticAssert, *Instantiation, *UsingNamespace
// or *Namespace.
type Decl interface {
	Pos() token.Pos
	decl()
}

// Attr is one [[name(args)]] attribute.
type Attr struct {
	At   token.Pos
	Name string // without "metal::"
	Args []Expr // host_name has one *StringLit
}

// Name is a possibly qualified, possibly templated name: a::b<int>::c. In decltype(x)::c the first part is "decltype" with x as
// its argument. Namespace aliases are replaced by what they name.
type Name struct {
	At     token.Pos
	Global bool // written with a leading ::
	Parts  []NamePart
}

// NamePart is one component of a Name.
type NamePart struct {
	Ident   string // "operator+" and the like for operators
	HasArgs bool   // written with <...>, perhaps empty
	Args    []TemplateArg
}

// TemplateArg is a type or a value; where a bare name could be either and is not known yet, both are set.
type TemplateArg struct {
	Type Type
	Expr Expr
	Pack bool // followed by ...
}

// TemplateParam is a parameter of a template.
type TemplateParam struct {
	At       token.Pos
	Name     string // may be empty
	Type     Type   // nil for a type parameter; a function pointer type for function parameters
	Variadic bool
	Default  *TemplateArg
}

// Template is the template<...> in front of a declaration. Params is empty for an explicit specialisation.
type Template struct {
	At     token.Pos
	Params []TemplateParam
}

// Specifiers are the keywords in front of a declaration.
type Specifiers struct {
	Static, Inline, Constexpr, Extern, Kernel bool // Kernel: also [[kernel]]
}

// FuncDecl is a function, a method or a template of one.
type FuncDecl struct {
	At       token.Pos
	Template *Template
	Attrs    []Attr
	Spec     Specifiers
	Ret      Type
	Name     *Name // "operator+" for operators, "operator()" etc.; the struct's name for a constructor (Ret nil); "operator T" for a conversion to Ret
	Params   []*Param
	Const    bool   // a const method
	Explicit bool   // kept from the text; a constructor or conversion
	Default  bool   // = default; Body is nil
	Deleted  bool   // = delete; Body is nil
	Space    string // address space of *this: "", "thread", "threadgroup", "device", "constant"
	Inits    []MemberInit
	Body     *Block // nil: a declaration only
}

// MemberInit is an element of a constructor's initialiser list.
type MemberInit struct {
	At   token.Pos
	Name string
	Args []Expr
}

// Param is a function parameter.
type Param struct {
	At      token.Pos
	Name    string // may be empty
	Type    Type
	Pack    bool // T... name
	Attrs   []Attr
	Default Expr
}

// StructDecl is a struct, class or union. Access labels are not kept. An unnamed one gets a name that no text can spell.
type StructDecl struct {
	At       token.Pos
	Template *Template
	Attrs    []Attr // alignas, aligned and packed among them
	Name     *Name  // one empty part for an anonymous struct or union member
	Union    bool
	Defined  bool // false: a forward declaration
	Bases    []Type
	Members  []Decl // *VarDecl fields, *FuncDecl methods, *TypeAlias, *StructDecl, *EnumDecl, *StaticAssert, *UsingNamespace with Decl
}

// VarDecl is a variable, a field or a constant; int a, *b; gives two. Space repeats what the Quals of Type (of the element type for
// an array) say of the object itself.
type VarDecl struct {
	At       token.Pos
	Template *Template
	Attrs    []Attr
	Spec     Specifiers
	Space    string // of the variable itself: "constant", "threadgroup", "thread", "device" or ""
	Type     Type   // with array and pointer declarators applied
	Name     string
	Init     Expr // nil, an expression, or an *InitList; T x(a, b) gives a *Construct
}

// TypeAlias is a typedef or using.
type TypeAlias struct {
	At       token.Pos
	Template *Template
	Name     string
	Type     Type
}

// EnumDecl is an enumeration.
type EnumDecl struct {
	At         token.Pos
	Name       string
	Class      bool
	Underlying Type // or nil
	Members    []EnumMember
}

// EnumMember is one enumerator.
type EnumMember struct {
	At    token.Pos
	Name  string
	Value Expr // or nil
}

// StaticAssert is static_assert(cond, "text").
type StaticAssert struct {
	At   token.Pos
	Cond Expr
	Text string
}

// Instantiation is an explicit instantiation: template [[host_name("x")]] kernel void f<float>(...); The Decl carries the
// name with its arguments, attributes and parameter types, without a body.
type Instantiation struct {
	At   token.Pos
	Func *FuncDecl // f<T>; without parentheses has nil Params and as Ret the type of the function: decltype(f<T>) or an alias of it
}

// UsingNamespace is using namespace a; or using a::b;.
type UsingNamespace struct {
	At   token.Pos
	Name *Name
	Decl bool // using a::b
}

// Namespace is namespace name { ... }. The name of an unnamed one is empty; what it declares is seen outside it.
type Namespace struct {
	At    token.Pos
	Name  string
	Decls []Decl
}

// Type is a type as written: *NamedType, *PointerType, *RefType, *ArrayType, *FuncType, *DecltypeType or *AutoType.
type Type interface {
	Pos() token.Pos
	typ()
}

// Quals are the qualifiers of a type. Space is the address space of an object of this type: in "device const float *p"
// it stands at the pointee.
type Quals struct {
	Const, Volatile bool
	Space           string // "", "device", "constant", "threadgroup", "thread"
}

// NamedType is a named type; unsigned int and the like are normalised to Metal's short names ("uint", "uchar", "ulong").
type NamedType struct {
	Name     *Name
	Typename bool // written with typename
	Quals
}

// PointerType is a pointer; its Quals are those of the pointer itself.
type PointerType struct {
	At   token.Pos
	Elem Type
	Quals
}

// RefType is an lvalue or rvalue reference.
type RefType struct {
	At     token.Pos
	Elem   Type
	RValue bool
}

// ArrayType is an array; Len is nil for [].
type ArrayType struct {
	At   token.Pos
	Elem Type
	Len  Expr
}

// FuncType is a function type, as in function-pointer template parameters.
type FuncType struct {
	At     token.Pos
	Ret    Type
	Params []Type
}

// DecltypeType is decltype(x).
type DecltypeType struct {
	At token.Pos
	X  Expr
	Quals
}

// AutoType is auto, with its qualifiers.
type AutoType struct {
	At token.Pos
	Quals
}

// Stmt is a statement: *Block, *DeclStmt, *ExprStmt, *IfStmt, *ForStmt, *WhileStmt, *DoStmt, *SwitchStmt, *CaseStmt, *ReturnStmt,
// *BreakStmt, *ContinueStmt or *EmptyStmt.
type Stmt interface {
	Pos() token.Pos
	stmt()
}

type (
	// Block is { ... }.
	Block struct {
		At    token.Pos
		End   token.Pos
		Stmts []Stmt
	}
	// DeclStmt holds the declarations of one statement.
	DeclStmt struct {
		At    token.Pos
		Decls []Decl
	}
	// ExprStmt is an expression for its effect.
	ExprStmt struct {
		X Expr
	}
	// IfStmt is if [constexpr] (init; cond) then else.
	IfStmt struct {
		At        token.Pos
		Constexpr bool
		Init      Stmt     // or nil
		CondDecl  *VarDecl // if (int x = f()); then Cond is nil
		Cond      Expr
		Then      Stmt
		Else      Stmt // or nil
	}
	// ForStmt is for (init; cond; next) body.
	ForStmt struct {
		At   token.Pos
		Init Stmt // or nil
		Cond Expr // or nil
		Next Expr // or nil
		Body Stmt
	}
	// WhileStmt is while (cond) body.
	WhileStmt struct {
		At   token.Pos
		Cond Expr
		Body Stmt
	}
	// DoStmt is do body while (cond).
	DoStmt struct {
		At   token.Pos
		Body Stmt
		Cond Expr
	}
	// SwitchStmt is switch (x) { ... }; labels are *CaseStmt elements of Body.
	SwitchStmt struct {
		At   token.Pos
		X    Expr
		Body *Block
	}
	// CaseStmt is the label case v: or default: (Value nil).
	CaseStmt struct {
		At    token.Pos
		Value Expr
	}
	// ReturnStmt is return x.
	ReturnStmt struct {
		At token.Pos
		X  Expr // or nil
	}
	// BreakStmt is break.
	BreakStmt struct{ At token.Pos }
	// ContinueStmt is continue.
	ContinueStmt struct{ At token.Pos }
	// EmptyStmt is a lone semicolon.
	EmptyStmt struct{ At token.Pos }
)

// Expr is an expression.
type Expr interface {
	Pos() token.Pos
	expr()
}

type (
	// IdentExpr names a variable, function, enumerator or template-id.
	IdentExpr struct{ Name *Name }
	// IntLit is an integer literal. Its suffix tells the type: u, l.
	IntLit struct {
		At             token.Pos
		Value          uint64
		Unsigned, Long bool
		Decimal        bool // written in base ten: its type never becomes unsigned by size alone
	}
	// FloatLit is a floating literal: 1.0 and 1.0f are float, 1.0h half, 1.0bf bfloat. Values of type float are rounded to it
	// already. INFINITY, HUGE_VALF and their kin are literals with an infinite Value, NAN one with a NaN.
	FloatLit struct {
		At     token.Pos
		Value  float64
		Suffix string // "", "f", "h", "bf"
	}
	// BoolLit is true or false.
	BoolLit struct {
		At    token.Pos
		Value bool
	}
	// CharLit is 'c'.
	CharLit struct {
		At    token.Pos
		Value int64
	}
	// StringLit is "text"; it occurs in attributes and static_assert only.
	StringLit struct {
		At    token.Pos
		Value string
	}
	// NullLit is nullptr.
	NullLit struct{ At token.Pos }
	// ThisExpr is this.
	ThisExpr struct{ At token.Pos }
	// UnaryExpr is Op X: - + ! ~ * & ++ --; Postfix for x++ and x--.
	UnaryExpr struct {
		At      token.Pos
		Op      string
		X       Expr
		Postfix bool
	}
	// BinaryExpr is X Op Y, the comma included.
	BinaryExpr struct {
		At   token.Pos // of the operator
		Op   string
		X, Y Expr
	}
	// AssignExpr is X Op Y with Op "=", "+=" and so on.
	AssignExpr struct {
		At   token.Pos // of the operator
		Op   string
		X, Y Expr
	}
	// CondExpr is Cond ? X : Y.
	CondExpr struct {
		At         token.Pos
		Cond, X, Y Expr
	}
	// CallExpr is a call of a named function, a method or an object. as_type<T>(x) is one, with a templated name.
	CallExpr struct {
		At   token.Pos // of the opening parenthesis
		Fun  Expr
		Args []Expr
	}
	// IndexExpr is X[Index].
	IndexExpr struct {
		At       token.Pos
		X, Index Expr
	}
	// MemberExpr is X.Name or X->Name: a field, a method or a swizzle.
	MemberExpr struct {
		At    token.Pos
		X     Expr
		Arrow bool
		Name  NamePart
	}
	// CastExpr is (T)x, static_cast<T>(x), reinterpret_cast<T>(x) or const_cast<T>(x); Kind is "", "static", "reinterpret", "const".
	CastExpr struct {
		At   token.Pos
		Kind string
		Type Type
		X    Expr
	}
	// Construct is T(args) or T{args}.
	Construct struct {
		At    token.Pos
		Type  Type
		Args  []Expr
		Brace bool
	}
	// InitList is {a, b, ...}; Designators, if any, name the field of each element.
	InitList struct {
		At          token.Pos
		Elems       []Expr
		Designators []string
	}
	// PackExpr is X..., a pack expansion among the arguments of a call or initialiser.
	PackExpr struct {
		At token.Pos
		X  Expr
	}
	// FoldExpr is a fold over a pack: (X Op ...), (... Op X) with Left, or, with Init, (X Op ... Op Init) and (Init Op ... Op X).
	FoldExpr struct {
		At   token.Pos
		Op   string
		X    Expr
		Init Expr // or nil
		Left bool
	}
	// SizeofExpr is sizeof(type) or sizeof x (alignof too); one of Type and X is set, or both where a name is ambiguous.
	SizeofExpr struct {
		At    token.Pos
		Align bool
		Pack  bool // sizeof...(x)
		Type  Type
		X     Expr
	}
)
