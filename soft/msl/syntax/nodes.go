package syntax

import "github.com/puremetal/puremetal/soft/msl/token"

// Every node knows where it begins (operators and calls: where the operator stands).

func (d *FuncDecl) Pos() token.Pos       { return d.At }
func (*FuncDecl) decl()                  {}
func (d *StructDecl) Pos() token.Pos     { return d.At }
func (*StructDecl) decl()                {}
func (d *VarDecl) Pos() token.Pos        { return d.At }
func (*VarDecl) decl()                   {}
func (d *TypeAlias) Pos() token.Pos      { return d.At }
func (*TypeAlias) decl()                 {}
func (d *EnumDecl) Pos() token.Pos       { return d.At }
func (*EnumDecl) decl()                  {}
func (d *StaticAssert) Pos() token.Pos   { return d.At }
func (*StaticAssert) decl()              {}
func (d *Instantiation) Pos() token.Pos  { return d.At }
func (*Instantiation) decl()             {}
func (d *UsingNamespace) Pos() token.Pos { return d.At }
func (*UsingNamespace) decl()            {}
func (d *Namespace) Pos() token.Pos      { return d.At }
func (*Namespace) decl()                 {}
func (t *NamedType) Pos() token.Pos      { return t.Name.At }
func (*NamedType) typ()                  {}
func (t *PointerType) Pos() token.Pos    { return t.At }
func (*PointerType) typ()                {}
func (t *RefType) Pos() token.Pos        { return t.At }
func (*RefType) typ()                    {}
func (t *ArrayType) Pos() token.Pos      { return t.At }
func (*ArrayType) typ()                  {}
func (t *FuncType) Pos() token.Pos       { return t.At }
func (*FuncType) typ()                   {}
func (t *DecltypeType) Pos() token.Pos   { return t.At }
func (*DecltypeType) typ()               {}
func (t *AutoType) Pos() token.Pos       { return t.At }
func (*AutoType) typ()                   {}
func (s *Block) Pos() token.Pos          { return s.At }
func (*Block) stmt()                     {}
func (s *DeclStmt) Pos() token.Pos       { return s.At }
func (*DeclStmt) stmt()                  {}
func (s *IfStmt) Pos() token.Pos         { return s.At }
func (*IfStmt) stmt()                    {}
func (s *ForStmt) Pos() token.Pos        { return s.At }
func (*ForStmt) stmt()                   {}
func (s *WhileStmt) Pos() token.Pos      { return s.At }
func (*WhileStmt) stmt()                 {}
func (s *DoStmt) Pos() token.Pos         { return s.At }
func (*DoStmt) stmt()                    {}
func (s *SwitchStmt) Pos() token.Pos     { return s.At }
func (*SwitchStmt) stmt()                {}
func (s *CaseStmt) Pos() token.Pos       { return s.At }
func (*CaseStmt) stmt()                  {}
func (s *ReturnStmt) Pos() token.Pos     { return s.At }
func (*ReturnStmt) stmt()                {}
func (s *BreakStmt) Pos() token.Pos      { return s.At }
func (*BreakStmt) stmt()                 {}
func (s *ContinueStmt) Pos() token.Pos   { return s.At }
func (*ContinueStmt) stmt()              {}
func (s *EmptyStmt) Pos() token.Pos      { return s.At }
func (*EmptyStmt) stmt()                 {}
func (s *ExprStmt) Pos() token.Pos       { return s.X.Pos() }
func (*ExprStmt) stmt()                  {}
func (x *IdentExpr) Pos() token.Pos      { return x.Name.At }
func (*IdentExpr) expr()                 {}
func (x *IntLit) Pos() token.Pos         { return x.At }
func (*IntLit) expr()                    {}
func (x *FloatLit) Pos() token.Pos       { return x.At }
func (*FloatLit) expr()                  {}
func (x *BoolLit) Pos() token.Pos        { return x.At }
func (*BoolLit) expr()                   {}
func (x *CharLit) Pos() token.Pos        { return x.At }
func (*CharLit) expr()                   {}
func (x *StringLit) Pos() token.Pos      { return x.At }
func (*StringLit) expr()                 {}
func (x *NullLit) Pos() token.Pos        { return x.At }
func (*NullLit) expr()                   {}
func (x *ThisExpr) Pos() token.Pos       { return x.At }
func (*ThisExpr) expr()                  {}
func (x *UnaryExpr) Pos() token.Pos      { return x.At }
func (*UnaryExpr) expr()                 {}
func (x *BinaryExpr) Pos() token.Pos     { return x.At }
func (*BinaryExpr) expr()                {}
func (x *AssignExpr) Pos() token.Pos     { return x.At }
func (*AssignExpr) expr()                {}
func (x *CondExpr) Pos() token.Pos       { return x.At }
func (*CondExpr) expr()                  {}
func (x *CallExpr) Pos() token.Pos       { return x.At }
func (*CallExpr) expr()                  {}
func (x *IndexExpr) Pos() token.Pos      { return x.At }
func (*IndexExpr) expr()                 {}
func (x *MemberExpr) Pos() token.Pos     { return x.At }
func (*MemberExpr) expr()                {}
func (x *CastExpr) Pos() token.Pos       { return x.At }
func (*CastExpr) expr()                  {}
func (x *Construct) Pos() token.Pos      { return x.At }
func (*Construct) expr()                 {}
func (x *InitList) Pos() token.Pos       { return x.At }
func (*InitList) expr()                  {}
func (x *SizeofExpr) Pos() token.Pos     { return x.At }
func (*SizeofExpr) expr()                {}
func (x *PackExpr) Pos() token.Pos       { return x.At }
func (*PackExpr) expr()                  {}
func (x *FoldExpr) Pos() token.Pos       { return x.At }
func (*FoldExpr) expr()                  {}
