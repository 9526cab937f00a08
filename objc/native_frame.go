//go:build darwin || objcnative

package objc

import "unsafe"

// nativeFrame is the argument list of a native call, kept in the record so that passing it on allocates nothing.
type nativeFrame struct{ frame [maxFlat]uintptr }

// filler gives the places of a plan their values.
type filler struct {
	words          []uintptr // logical argument words, in memory that outlives the call
	self, selector uintptr
	result         uintptr // where a struct result goes
}

func (f *filler) fill(to []uintptr, places []place) {
	_ = to[:len(places)]
	for i, p := range places {
		if p.kind == placeWord {
			to[i] = f.words[p.word]
		} else {
			to[i] = f.value(p)
		}
	}
}

func (f *filler) value(p place) uintptr {
	switch p.kind {
	case placePad:
		return 0
	case placeSelf:
		return f.self
	case placeSelector:
		return f.selector
	case placeResult:
		return f.result
	case placeSEL:
		if f.words[p.word] == 0 {
			return 0
		}
		return SEL(f.words[p.word]).info().loweredMethod().selector
	case placeCopy:
		return uintptr(unsafe.Pointer(&f.words[p.word]))
	case placeHighHalf:
		return f.words[p.word] >> 32
	}
	return normal(p.kind, f.words[p.word])
}
