package msl

import (
	"github.com/puremetal/puremetal/soft/msl/ir"
)

// A union is a value of as many bytes as it is large. Variables with unions in them live in memory.

func hasUnion(t *typ) bool {
	switch t.kind {
	case tArray:
		return hasUnion(t.elem.t)
	case tStruct:
		if t.st.union {
			return true
		}
		for i := range t.st.fields {
			if hasUnion(t.st.fields[i].q.t) {
				return true
			}
		}
	}
	return false
}

// unionField gives a field of a union that is a value.
func (c *lowerer) unionField(v value, f *field) value {
	bytes := c.load(v).ops
	var ops []opnd
	for _, l := range appendLeaves(nil, f.q.t, 0) {
		part := bytes[l.off : l.off+l.kind.Size()]
		if l.kind == ir.Bool {
			ops = append(ops, c.convert(part[0], ir.Bool))
			continue
		}
		ops = append(ops, c.bitcast(part, l.kind, 1)...)
	}
	r := rvalue(unpacked(f.q.t), ops...)
	if f.q.t.kind == tArray && !f.q.t.object {
		return c.materialise(r)
	}
	return r
}

// fillUnion initialises a union: its first field, or the designated one; the other bytes are zero.
func (c *lowerer) fillUnion(t *typ, cur *cursor, braces bool) []opnd {
	out := make([]opnd, t.st.size)
	for i := range out {
		out[i] = constant(ir.U8, 0)
	}
	l := cur.l
	if cur.i >= len(l.Elems) || len(t.st.fields) == 0 {
		return out
	}
	f := &t.st.fields[0]
	if braces && l.Designators != nil {
		if f = t.st.field(l.Designators[0]); f == nil {
			c.fail(l.At, "field designator '%s' does not refer to any field in type '%s'", l.Designators[0], t)
		}
	}
	ops := c.fillOne(f.q, cur)
	for i, lf := range appendLeaves(nil, f.q.t, 0) {
		o := ops[i]
		if lf.kind == ir.Bool {
			o = c.convert(o, ir.U8)
		}
		copy(out[lf.off:], c.bitcast([]opnd{o}, ir.U8, int(lf.kind.Size())))
	}
	return out
}
