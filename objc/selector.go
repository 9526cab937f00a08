package objc

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// SEL is a selector with its declared encoding: an index into the process-wide table. The zero SEL is none.
type SEL uint32

type selector struct {
	name, encoding string
	sig            signature
	//lint:ignore U1000 the native runtime's alone
	nativeSelector
}

const (
	selectorChunk     = 256
	maxSelectorChunks = 256
	selBits           = 16 // of a SEL: selectorChunk*maxSelectorChunks
)

// selectors is a table in chunks that never move, so that looking up needs no lock.
var selectors struct {
	chunks [maxSelectorChunks]atomic.Pointer[[selectorChunk]selector]
	mu     sync.Mutex // guards the rest
	byName map[string]SEL
	n      SEL
}

// Sel gives the SEL of a name such as "setBuffer:offset:atIndex:" with its declared encoding, in clang's arm64 form without
// frame offsets: "v@:@QQ" there. It panics with an [*EncodingError] or a [*SelectorError] if the encoding is not
// usable, does not fit the name, or is called in another way than what the name was declared with before: a program states
// its selectors in its text. Two classes may differ in what makes no difference to a call, as MTLFunctionConstant's type (Q)
// and MTLBinding's (q) do. Safe for concurrent use; meant for package-level variables.
func Sel(name, encoding string) SEL {
	selectors.mu.Lock()
	defer selectors.mu.Unlock()
	if s, ok := selectors.byName[name]; ok {
		if have := s.Encoding(); !sameCall(have, encoding) {
			panic(&SelectorError{name, fmt.Sprintf("declared with encoding %q and again with %q", have, encoding)})
		}
		return s
	}
	sig, err := parseMethod(encoding)
	if err != nil {
		panic(err)
	}
	if n := strings.Count(name, ":"); n != len(sig.args) {
		panic(&SelectorError{name, fmt.Sprintf("takes %d arguments, its encoding %q has %d", n, encoding, len(sig.args))})
	}
	if selectors.byName == nil {
		selectors.byName = make(map[string]SEL)
		selectors.n = 1
	}
	s := selectors.n
	if s == selectorChunk*maxSelectorChunks {
		panic(&SelectorError{name, "the selector table is full"})
	}
	chunk := selectors.chunks[s/selectorChunk].Load()
	if chunk == nil {
		chunk = new([selectorChunk]selector)
		selectors.chunks[s/selectorChunk].Store(chunk)
	}
	entry := &chunk[s%selectorChunk]
	entry.name, entry.encoding, entry.sig = name, encoding, sig
	selectors.byName[name] = s
	selectors.n++
	return s
}

// sameCall reports whether methods of two encodings are called alike: 64-bit integers take a word whatever their sign.
func sameCall(a, b string) bool {
	return strings.ReplaceAll(a, "Q", "q") == strings.ReplaceAll(b, "Q", "q")
}

// info gives the table entry. The happens-before edge is the one that brought the SEL to the caller.
func (s SEL) info() *selector {
	return &selectors.chunks[s/selectorChunk].Load()[s%selectorChunk]
}

// Name is the selector's name.
func (s SEL) Name() string { return s.info().name }

// Encoding is the declared encoding.
func (s SEL) Encoding() string { return s.info().encoding }

// Args is the number of argument words, self and _cmd not counted.
func (s SEL) Args() int { return s.info().sig.words }

// SelectorError says what is wrong with the declaration of a selector.
type SelectorError struct{ Selector, Reason string }

func (e *SelectorError) Error() string { return "objc: selector " + e.Selector + ": " + e.Reason }

// WordsError is what Send panics with when a message has too many or too few argument words.
type WordsError struct {
	Selector    string
	Wanted, Got int
}

func (e *WordsError) Error() string {
	return fmt.Sprintf("objc: %s takes %d argument words, got %d", e.Selector, e.Wanted, e.Got)
}
