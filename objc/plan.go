package objc

import "fmt"

// A plan says where a C calling convention wants the logical words of a call and where it leaves the result. It is
// worked out once per selector from the encoding; lower_sysv.go and lower_aapcs.go know the two conventions, and both are
// compiled everywhere so that their tests need neither architecture.
type plan struct {
	ints   []place // integer registers in order
	floats []place // floating-point registers in order
	stack  []place // stack words in order
	result []part  // where the words of a result in registers are
	norm   placeKind
	memory bool // the result is written to memory that the caller names: in a register of its own (arm64 x8) ...
	hidden bool // ... or as a hidden first argument, which also means objc_msgSend_stret (amd64)

	// straight says that the integer registers are the receiver, the selector and the first straightInts words, and the stack the
	// words from straightStack on, all as they are: by far the most messages.
	straight      bool
	straightInts  int
	straightStack int

	copies  bool // some argument is passed as the address of a copy
	spilled bool // a struct of up to 16 bytes went to the stack although a register was free

	// flat is the whole call as one list of integer words, registers first, padded where stack words follow. Nil
	// if the call needs more than that: floating-point registers or x8.
	flat []place
}

// place is what goes to one register or stack word.
type place struct {
	kind placeKind
	word uint8 // index of the logical argument word
}

type placeKind uint8

const (
	placePad      placeKind = iota // nothing: a register left free
	placeSelf                      // the receiver
	placeSelector                  // the native selector of the message
	placeResult                    // the address of the record's result words
	placeWord                      // the word as it is
	placeBool                      // the word as 0 or 1
	placeU8                        // the word truncated and extended
	placeS8
	placeU16
	placeS16
	placeU32
	placeS32
	placeSEL      // the native selector of the SEL in the word
	placeCopy     // the address of the word in the record, which holds a struct's copy
	placeHighHalf // the upper 32 bits: the second float of a pair
)

// part is a piece of a result that comes in registers.
type part struct {
	float    bool // of the floating-point registers
	register uint8
	size     uint8 // bytes, 1 to 8
	word     uint8 // to this result word,
	high     bool  // in its upper half
}

// ShapeError says that a call has a shape that this package does not pass.
type ShapeError struct{ Name, Encoding, Reason string }

func (e *ShapeError) Error() string {
	return fmt.Sprintf("objc: %s with encoding %q: %s", e.Name, e.Encoding, e.Reason)
}

type abi uint8

const (
	sysv  abi = iota // amd64
	aapcs            // arm64, Apple's and Linux's where they agree
)

func (a abi) intRegisters() int {
	if a == sysv {
		return 6
	}
	return 8
}

const floatRegisters = 8

// maxFlat is the number of integer words a call can have in one list.
const maxFlat = 32

// lower works out the plan of a method, or of a function without self and _cmd.
func lower(a abi, sig *signature, method bool) (*plan, string) {
	p := new(plan)
	if sig.result.size > maxResult*8 {
		return nil, fmt.Sprintf("a result of %d bytes, at most %d", sig.result.size, maxResult*8)
	}
	if a == sysv {
		p.sysvResult(&sig.result)
	} else {
		p.aapcsResult(&sig.result)
	}
	if p.hidden {
		p.ints = append(p.ints, place{kind: placeResult})
	}
	if method {
		p.ints = append(p.ints, place{kind: placeSelf}, place{kind: placeSelector})
	}
	word := 0
	for i := range sig.args {
		t := &sig.args[i]
		reason := ""
		if a == sysv {
			p.sysvArgument(t, word)
		} else {
			reason = p.aapcsArgument(t, word)
		}
		if reason != "" {
			return nil, reason
		}
		word += t.words()
	}
	p.flatten(a)
	p.straighten(method)
	return p, ""
}

// straighten finds out whether the plan is straight.
func (p *plan) straighten(method bool) {
	if !method || p.memory || len(p.floats) > 0 {
		return
	}
	run := func(places []place, first int) bool {
		for i, at := range places {
			if at.kind != placeWord || int(at.word) != first+i {
				return false
			}
		}
		return true
	}
	p.straightInts = len(p.ints) - 2
	if len(p.stack) > 0 {
		p.straightStack = int(p.stack[0].word)
	}
	p.straight = run(p.ints[2:], 0) && run(p.stack, p.straightStack)
}

// flatten fills flat if integer words are all the call needs.
func (p *plan) flatten(a abi) {
	if len(p.floats) > 0 || p.memory && !p.hidden {
		return
	}
	for _, r := range p.result {
		if r.float {
			return
		}
	}
	flat := append(make([]place, 0, maxFlat), p.ints...) // not nil, even for a function without arguments
	if len(p.stack) > 0 {
		for len(flat) < a.intRegisters() {
			flat = append(flat, place{kind: placePad})
		}
		flat = append(flat, p.stack...)
	}
	if len(flat) <= maxFlat {
		p.flat = flat
	}
}

// scalarPlace is how a scalar argument is passed as a word. Apple's arm64 wants the caller to extend narrow integers.
func scalarPlace(t *ctype, word int) place {
	return place{normalKind(t), uint8(word)}
}

func normalKind(t *ctype) placeKind {
	switch t.kind {
	case kindBool:
		return placeBool
	case kindSEL:
		return placeSEL
	case kindInt, kindUint:
		s := t.kind == kindInt
		switch t.size {
		case 1:
			return pick(s, placeS8, placeU8)
		case 2:
			return pick(s, placeS16, placeU16)
		case 4:
			return pick(s, placeS32, placeU32)
		}
	}
	return placeWord
}

func pick(b bool, yes, no placeKind) placeKind {
	if b {
		return yes
	}
	return no
}

// normal truncates a word to the width of a C type and extends it again.
func normal(k placeKind, w uintptr) uintptr {
	switch k {
	case placeBool:
		if w&0xff != 0 {
			return 1
		}
		return 0
	case placeU8:
		return uintptr(uint8(w))
	case placeS8:
		return uintptr(int8(w))
	case placeU16:
		return uintptr(uint16(w))
	case placeS16:
		return uintptr(int16(w))
	case placeU32:
		return uintptr(uint32(w))
	case placeS32:
		return uintptr(int32(w))
	}
	return w
}

// scalarResult records that a scalar result comes in a register.
func (p *plan) scalarResult(t *ctype) {
	if t.kind == kindVoid {
		return
	}
	p.norm = normalKind(t)
	p.result = []part{{float: t.kind == kindFloat, size: uint8(t.size)}}
}

// results are the registers a call leaves its result in.
type results struct {
	ints   [2]uintptr
	floats [4]uint64
}

// resultWords are the logical words of a result.
type resultWords = [maxResult]uintptr

// load puts a result that came in registers into logical words, which are zero.
func (p *plan) load(to *resultWords, r *results) {
	for _, c := range p.result {
		var v uint64
		if c.float {
			v = r.floats[c.register]
		} else {
			v = uint64(r.ints[c.register])
		}
		v &= 1<<(8*c.size) - 1 // what a register holds beyond the value is undefined
		if c.high {
			v <<= 32
		}
		to[c.word] |= uintptr(v)
	}
	to[0] = normal(p.norm, to[0])
}
