package msl

import "github.com/puremetal/puremetal/soft/msl/ir"

// maxObjectSize bounds a variable's size, so that all size arithmetic on checked types stays far from overflow.
const maxObjectSize = 1 << 40

// sizeAlign gives the size and alignment of t in memory.
func sizeAlign(t *typ) (size, align int64) {
	switch t.kind {
	case tScalar, tEnum, tAtomic:
		s := t.scalar.Size()
		if t.kind == tAtomic && t.scalar == ir.Bool {
			s = 4
		}
		return s, s
	case tVector:
		s := t.scalar.Size()
		n := int64(t.n)
		if n == 3 {
			n = 4
		}
		return s * n, s * n
	case tPacked:
		s := t.scalar.Size()
		return s * int64(t.n), s
	case tMatrix:
		s, a := sizeAlign(vectors[t.scalar][t.m])
		return s * int64(t.n), a
	case tPointer, tNull, tFunc:
		return 8, 8
	case tArray:
		s, a := sizeAlign(t.elem.t)
		if t.n < 0 {
			return 0, a
		}
		return s * int64(t.n), a
	case tStruct:
		return t.st.size, t.st.align
	case tRef:
		return sizeAlign(t.elem.t)
	case tSimdMat:
		return 64 * t.scalar.Size(), t.scalar.Size()
	}
	return 1, 1
}

func alignUp(n, a int64) int64 { return (n + a - 1) / a * a }

// leaf is a scalar part of a type in memory.
type leaf struct {
	kind ir.Kind
	off  int64
}

// maxLeaves bounds values that are handled by copying all their scalars.
const maxLeaves = 1 << 14

// countLeaves is the number of scalars in a value of type t, saturating above maxLeaves.
func countLeaves(t *typ) int {
	n := 1
	switch t.kind {
	case tVoid:
		n = 0
	case tVector, tPacked:
		n = t.n
	case tMatrix:
		n = t.n * t.m
	case tArray:
		n = countLeaves(t.elem.t)
		if t.n > maxLeaves || n*t.n > maxLeaves {
			return maxLeaves + 1
		}
		n *= t.n
	case tStruct:
		if t.st.union {
			return int(min(t.st.size, maxLeaves+1))
		}
		n = 0
		for i := range t.st.fields {
			n += countLeaves(t.st.fields[i].q.t)
		}
	}
	return min(n, maxLeaves+1)
}

// appendLeaves lists the scalars of a value of type t that lies at off, in the order of a value's operands.
func appendLeaves(ls []leaf, t *typ, off int64) []leaf {
	switch t.kind {
	case tVoid:
		return ls
	case tScalar, tEnum, tAtomic:
		return append(ls, leaf{t.scalar, off})
	case tPointer, tNull, tFunc:
		return append(ls, leaf{ir.Ptr, off})
	case tSimdMat:
		return append(ls, leaf{t.scalar.Mat(), off})
	case tVector, tPacked:
		for i := range t.n {
			ls = append(ls, leaf{t.scalar, off + int64(i)*t.scalar.Size()})
		}
	case tMatrix:
		col := vectors[t.scalar][t.m]
		s, _ := sizeAlign(col)
		for i := range t.n {
			ls = appendLeaves(ls, col, off+int64(i)*s)
		}
	case tArray:
		s, _ := sizeAlign(t.elem.t)
		for i := range t.n {
			ls = appendLeaves(ls, t.elem.t, off+int64(i)*s)
		}
	case tStruct:
		if t.st.union { // its bytes
			for i := range t.st.size {
				ls = append(ls, leaf{ir.U8, off + i})
			}
			return ls
		}
		for i := range t.st.fields {
			f := &t.st.fields[i]
			ls = appendLeaves(ls, f.q.t, off+f.off)
		}
	}
	return ls
}

// slot is a register of a variable held in registers: one for each scalar of its type, where an array counts once
// and multiplies the rows.
type slot struct {
	kind ir.Kind
	rows int
}

// appendSlots lists the slots of t inside rows enclosing elements.
func appendSlots(ss []slot, t *typ, rows int) []slot {
	switch t.kind {
	case tScalar, tEnum, tAtomic:
		return append(ss, slot{t.scalar, rows})
	case tPointer, tNull, tFunc:
		return append(ss, slot{ir.Ptr, rows})
	case tSimdMat:
		return append(ss, slot{t.scalar.Mat(), rows})
	case tVector, tPacked:
		for range t.n {
			ss = append(ss, slot{t.scalar, rows})
		}
	case tMatrix:
		for range t.m {
			ss = append(ss, slot{t.scalar, rows * t.n})
		}
	case tArray:
		return appendSlots(ss, t.elem.t, rows*max(t.n, 0))
	case tStruct:
		if t.st.union {
			for range t.st.size {
				ss = append(ss, slot{ir.U8, rows})
			}
			return ss
		}
		for i := range t.st.fields {
			ss = appendSlots(ss, t.st.fields[i].q.t, rows)
		}
	}
	return ss
}

// countSlots is len(appendSlots(nil, t, 1)).
func countSlots(t *typ) int {
	switch t.kind {
	case tVoid:
		return 0
	case tVector, tPacked:
		return t.n
	case tMatrix:
		return t.m
	case tArray:
		return countSlots(t.elem.t)
	case tStruct:
		return t.st.slots
	}
	return 1
}
