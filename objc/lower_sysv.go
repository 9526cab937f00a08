package objc

// The System V convention of amd64, which macOS and Linux share.

// sysvResult places the result: up to 16 bytes in rax, rdx, xmm0 and xmm1 by class, more in memory.
func (p *plan) sysvResult(t *ctype) {
	if t.kind != kindStruct {
		p.scalarResult(t)
		return
	}
	if t.size > 16 {
		p.memory, p.hidden = true, true
		return
	}
	var used [2]uint8 // integer and floating-point registers
	for w := range t.words() {
		float := t.sysvFloat(w)
		bank := 0
		if float {
			bank = 1
		}
		size := uint8(min(t.size-8*w, 8))
		p.result = append(p.result, part{float: float, register: used[bank], size: size, word: uint8(w)})
		used[bank]++
	}
}

// sysvFloat reports whether word w of a struct is of class SSE: nothing but floats in it.
func (t *ctype) sysvFloat(w int) bool {
	for _, f := range t.fields {
		if f.offset/8 == w && f.kind != kindFloat {
			return false
		}
	}
	return true
}

// sysvArgument places one argument.
func (p *plan) sysvArgument(t *ctype, word int) {
	switch {
	case t.kind == kindFloat:
		if len(p.floats) < floatRegisters {
			p.floats = append(p.floats, place{placeWord, uint8(word)})
		} else {
			p.stack = append(p.stack, place{placeWord, uint8(word)})
		}
	case t.kind != kindStruct:
		if len(p.ints) < sysv.intRegisters() {
			p.ints = append(p.ints, scalarPlace(t, word))
		} else {
			p.stack = append(p.stack, scalarPlace(t, word))
		}
	default:
		p.sysvStruct(t, word)
	}
}

// sysvStruct places a struct: of up to 16 bytes in registers if they suffice for all of it, else on the stack.
// Integer arguments after a struct on the stack still take registers.
func (p *plan) sysvStruct(t *ctype, word int) {
	floats := 0
	for w := range t.words() {
		if t.sysvFloat(w) {
			floats++
		}
	}
	ints := t.words() - floats
	inMemory := t.size > 16 || len(p.ints)+ints > sysv.intRegisters() || len(p.floats)+floats > floatRegisters
	p.spilled = p.spilled || inMemory && t.size <= 16
	for w := range t.words() {
		at := place{placeWord, uint8(word + w)}
		switch {
		case inMemory:
			p.stack = append(p.stack, at)
		case t.sysvFloat(w):
			p.floats = append(p.floats, at)
		default:
			p.ints = append(p.ints, at)
		}
	}
}
