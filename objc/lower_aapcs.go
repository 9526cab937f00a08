package objc

// The 64-bit Arm convention, as far as Apple's and the common one agree: they differ in how they pack narrow arguments on the
// stack, which no compute message of Metal has, so such a shape is refused.

// homogeneous reports whether t is one to four floats or doubles and nothing else: such a struct travels in
// floating-point registers, whatever its size.
func (t *ctype) homogeneous() bool {
	if t.kind != kindStruct || len(t.fields) > 4 {
		return false
	}
	for _, f := range t.fields {
		if f.kind != kindFloat || f.size != t.fields[0].size {
			return false
		}
	}
	return true
}

// aapcsResult places the result: scalars in x0 or d0, homogeneous structs in d0 to d3, up to 16 bytes in x0 and x1, more
// in memory named by x8.
func (p *plan) aapcsResult(t *ctype) {
	switch {
	case t.kind != kindStruct:
		p.scalarResult(t)
	case t.homogeneous():
		for i, f := range t.fields {
			p.result = append(p.result, part{true, uint8(i), uint8(f.size), uint8(f.offset / 8), f.offset%8 != 0})
		}
	case t.size > 16:
		p.memory = true
	default:
		for w := range t.words() {
			p.result = append(p.result, part{false, uint8(w), uint8(min(t.size-8*w, 8)), uint8(w), false})
		}
	}
}

// aapcsArgument places one argument, or says why it cannot.
func (p *plan) aapcsArgument(t *ctype, word int) string {
	switch {
	case t.kind == kindFloat:
		return p.aapcsFloats([]field{{0, *t}}, t, word)
	case t.homogeneous():
		return p.aapcsFloats(t.fields, t, word)
	case t.kind != kindStruct:
		return p.aapcsInts(t, scalarPlace(t, word))
	case t.size > 16:
		p.copies = true
		return p.aapcsInts(&ctype{size: 8}, place{placeCopy, uint8(word)})
	}
	places := make([]place, t.words())
	for w := range places {
		places[w] = place{placeWord, uint8(word + w)}
	}
	return p.aapcsInts(t, places...)
}

// aapcsInts puts words in integer registers if they all fit there. Once one does not, no later one goes there either.
func (p *plan) aapcsInts(t *ctype, places ...place) string {
	if len(p.ints)+len(places) <= aapcs.intRegisters() {
		p.ints = append(p.ints, places...)
		return ""
	}
	if t.size%8 != 0 {
		return "an argument narrower than 8 bytes on the stack"
	}
	p.spilled = p.spilled || len(places) > 1
	for len(p.ints) < aapcs.intRegisters() {
		p.ints = append(p.ints, place{kind: placePad})
	}
	p.stack = append(p.stack, places...)
	return ""
}

// aapcsFloats is aapcsInts for floats, one register each.
func (p *plan) aapcsFloats(fields []field, t *ctype, word int) string {
	if len(p.floats)+len(fields) <= floatRegisters {
		for _, f := range fields {
			k := pick(f.offset%8 != 0, placeHighHalf, placeWord)
			p.floats = append(p.floats, place{k, uint8(word + f.offset/8)})
		}
		return ""
	}
	if t.size%8 != 0 {
		return "an argument narrower than 8 bytes on the stack"
	}
	for len(p.floats) < floatRegisters {
		p.floats = append(p.floats, place{kind: placePad})
	}
	for w := range t.words() {
		p.stack = append(p.stack, place{placeWord, uint8(word + w)})
	}
	return ""
}
