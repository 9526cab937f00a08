package msl

import (
	"fmt"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/ir"
)

// space is an address space.
type space uint8

const (
	spaceNone space = iota
	spaceThread
	spaceDevice
	spaceConstant
	spaceThreadgroup
)

var spaceNames = [...]string{"", "thread", "device", "constant", "threadgroup"}

func spaceOf(name string) space {
	for i, n := range spaceNames {
		if n == name {
			return space(i)
		}
	}
	return spaceNone
}

// typeKind is the shape of a type.
type typeKind uint8

const (
	tVoid typeKind = iota
	tScalar
	tVector
	tPacked
	tMatrix
	tStruct
	tArray
	tPointer
	tRef
	tEnum
	tAtomic
	tSimdMat
	tFunc
	tNull
	tString
)

// typ is a type. Types are interned, so identity is equality.
type typ struct {
	kind   typeKind
	scalar ir.Kind // of scalars, vectors, packed vectors, matrices, atomics, simdgroup matrices and enums
	n      int     // vector width, matrix columns, array length (-1 if unknown)
	m      int     // matrix rows
	elem   qtype   // pointee, referent, array element
	rvalue bool    // of references: &&
	object bool    // of arrays: metal::array, which is copied as a whole
	st     *structType
	en     *enumType
	fn     *funcType
}

// qtype is a type with its qualifiers. The space is that of an object of the type; values have none.
type qtype struct {
	t   *typ
	con bool
	sp  space
}

type enumType struct {
	name   string
	scoped bool
	scope  *scope
}

type funcType struct {
	key    string
	ret    qtype
	params []qtype
}

type typeKey struct {
	kind typeKind
	n    int
	elem qtype
	flag bool
	ref  any
}

// typeTable interns types.
type typeTable struct {
	m map[typeKey]*typ
}

func newTypeTable() *typeTable { return &typeTable{m: map[typeKey]*typ{}} }

func (tt *typeTable) get(k typeKey, make func() *typ) *typ {
	if t := tt.m[k]; t != nil {
		return t
	}
	t := make()
	tt.m[k] = t
	return t
}

var (
	voidType = &typ{kind: tVoid}
	nullType = &typ{kind: tNull}
	scalars  = func() (s [ir.F32 + 1]*typ) {
		for k := ir.Bool; k <= ir.F32; k++ {
			s[k] = &typ{kind: tScalar, scalar: k}
		}
		return s
	}()
	vectors = func() (s [ir.F32 + 1][5]*typ) {
		for k := ir.Bool; k <= ir.F32; k++ {
			for n := 2; n <= 4; n++ {
				s[k][n] = &typ{kind: tVector, scalar: k, n: n}
			}
		}
		return s
	}()
	packeds = func() (s [ir.F32 + 1][5]*typ) {
		for k := ir.I8; k <= ir.F32; k++ {
			for n := 2; n <= 4; n++ {
				s[k][n] = &typ{kind: tPacked, scalar: k, n: n}
			}
		}
		return s
	}()
	matrices = func() (s [ir.F32 + 1][5][5]*typ) {
		for _, k := range []ir.Kind{ir.F16, ir.F32, ir.BF16} {
			for n := 2; n <= 4; n++ {
				for m := 2; m <= 4; m++ {
					s[k][n][m] = &typ{kind: tMatrix, scalar: k, n: n, m: m}
				}
			}
		}
		return s
	}()
	simdMats = map[ir.Kind]*typ{
		ir.F16:  {kind: tSimdMat, scalar: ir.F16, n: 8, m: 8},
		ir.BF16: {kind: tSimdMat, scalar: ir.BF16, n: 8, m: 8},
		ir.F32:  {kind: tSimdMat, scalar: ir.F32, n: 8, m: 8},
	}
	atomics = map[ir.Kind]*typ{
		ir.I32: {kind: tAtomic, scalar: ir.I32}, ir.U32: {kind: tAtomic, scalar: ir.U32}, ir.F32: {kind: tAtomic, scalar: ir.F32},
		ir.Bool: {kind: tAtomic, scalar: ir.Bool}, ir.U64: {kind: tAtomic, scalar: ir.U64},
	}
	boolType  = scalars[ir.Bool]
	intType   = scalars[ir.I32]
	uintType  = scalars[ir.U32]
	longType  = scalars[ir.I64]
	ulongType = scalars[ir.U64]
	floatType = scalars[ir.F32]
)

// vectorOf is the vector of n elements of kind k, or the scalar for n 1.
func vectorOf(k ir.Kind, n int) *typ {
	if n == 1 {
		return scalars[k]
	}
	return vectors[k][n]
}

func (tt *typeTable) pointer(elem qtype) *typ {
	return tt.get(typeKey{kind: tPointer, elem: elem}, func() *typ { return &typ{kind: tPointer, scalar: ir.Ptr, elem: elem} })
}

func (tt *typeTable) reference(elem qtype, rvalue bool) *typ {
	return tt.get(typeKey{kind: tRef, elem: elem, flag: rvalue}, func() *typ { return &typ{kind: tRef, elem: elem, rvalue: rvalue} })
}

func (tt *typeTable) array(elem qtype, n int, object bool) *typ {
	return tt.get(typeKey{kind: tArray, elem: elem, n: n, flag: object}, func() *typ {
		return &typ{kind: tArray, elem: elem, n: n, object: object}
	})
}

func (tt *typeTable) function(ret qtype, params []qtype) *typ {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", ret.t)
	for _, p := range params {
		fmt.Fprintf(&b, ",%p:%v:%d", p.t, p.con, p.sp)
	}
	key := b.String()
	return tt.get(typeKey{kind: tFunc, ref: key}, func() *typ {
		return &typ{kind: tFunc, fn: &funcType{key: key, ret: ret, params: params}}
	})
}

// plain gives t without qualifiers.
func plain(t *typ) qtype { return qtype{t: t} }

func (t *typ) isScalar() bool     { return t.kind == tScalar }
func (t *typ) isVector() bool     { return t.kind == tVector || t.kind == tPacked }
func (t *typ) isArithmetic() bool { return t.kind == tScalar || t.kind == tEnum && !t.en.scoped }
func (t *typ) isInteger() bool    { return t.kind == tScalar && t.scalar.IsInt() }
func (t *typ) isFloat() bool      { return t.kind == tScalar && t.scalar.IsFloat() }

// lanes is the number of components of a scalar or vector.
func (t *typ) lanes() int {
	if t.isVector() {
		return t.n
	}
	return 1
}

var packedNames = [...]string{ir.I8: "packed_char", ir.U8: "packed_uchar", ir.I16: "packed_short", ir.U16: "packed_ushort",
	ir.I32: "packed_int", ir.U32: "packed_uint", ir.I64: "packed_long", ir.U64: "packed_ulong", ir.F16: "packed_half",
	ir.BF16: "packed_bfloat", ir.F32: "packed_float"}

// String writes the type as Metal's diagnostics do.
func (t *typ) String() string { return plain(t).String() }

func (q qtype) String() string {
	t := q.t
	var s string
	switch t.kind {
	case tVoid:
		s = "void"
	case tScalar:
		s = t.scalar.String()
	case tVector:
		s = fmt.Sprintf("%s%d", t.scalar, t.n)
	case tPacked:
		s = fmt.Sprintf("%s%d", packedNames[t.scalar], t.n)
	case tMatrix:
		s = fmt.Sprintf("%s%dx%d", t.scalar, t.n, t.m)
	case tStruct:
		s = t.st.name
	case tEnum:
		s = t.en.name
	case tAtomic:
		s = fmt.Sprintf("atomic_%s", t.scalar)
	case tSimdMat:
		s = t.scalar.Mat().String()
	case tNull:
		s = "nullptr_t"
	case tString:
		s = "const char *"
	case tPointer:
		s = t.elem.String() + " *"
		if q.con {
			s += "const"
		}
		return s
	case tRef:
		if t.rvalue {
			return t.elem.String() + " &&"
		}
		return t.elem.String() + " &"
	case tArray:
		if t.object {
			s = fmt.Sprintf("array<%s, %d>", t.elem, t.n)
			break
		}
		e, dims := t.elem, fmt.Sprintf("[%d]", t.n)
		for e.t.kind == tArray && !e.t.object {
			dims += fmt.Sprintf("[%d]", e.t.n)
			e = e.t.elem
		}
		e.con = e.con || q.con
		if e.sp == spaceNone {
			e.sp = q.sp
		}
		return e.String() + dims
	case tFunc:
		ps := make([]string, len(t.fn.params))
		for i, p := range t.fn.params {
			ps[i] = p.String()
		}
		s = fmt.Sprintf("%s (%s)", t.fn.ret, strings.Join(ps, ", "))
	}
	if q.con {
		s = "const " + s
	}
	if q.sp != spaceNone {
		s = spaceNames[q.sp] + " " + s
	}
	return s
}
