//go:build darwin || objcnative

package objc

import "unsafe"

// nativeFrame is the argument list of a native call, kept in the record so that passing it on allocates nothing.
type nativeFrame struct{ words [maxFlat]uintptr }

// value gives what a place of a plan holds for the message in m.
func (m *Msg) value(p place, self, selector uintptr) uintptr {
	switch p.kind {
	case placePad:
		return 0
	case placeSelf:
		return self
	case placeSelector:
		return selector
	case placeResult:
		return uintptr(unsafe.Pointer(&m.result))
	case placeWord:
		return m.args[p.word]
	case placeSEL:
		if m.args[p.word] == 0 {
			return 0
		}
		return SEL(m.args[p.word]).info().loweredMethod().selector
	case placeCopy:
		// The callee may write to its copy; the words are filled anew for every message.
		return uintptr(unsafe.Pointer(&m.args[p.word]))
	case placeHighHalf:
		return m.args[p.word] >> 32
	}
	return normal(p.kind, m.args[p.word])
}
