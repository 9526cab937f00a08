package objc

import "unsafe"

// arena is the record's own memory for what a message points to: one setBytes payload, or a few arrays of ids and offsets.
type arena struct {
	memory *[arenaSize]byte
	used   int
	large  [][]byte // payloads over the arena's size, kept until the next message
}

const (
	arenaSize  = 2 * 4096
	arenaAlign = 16
)

// take gives n bytes that stay valid until the message after the next Send is built. Up to 4096 bytes per message come
// from the record without allocating.
func (m *Msg) take(n int) []byte {
	a := &m.arena
	if m.sent {
		m.sent = false
		a.used = 0
		clear(a.large)
		a.large = a.large[:0]
	}
	if n > arenaSize-a.used {
		b := make([]byte, n)
		a.large = append(a.large, b)
		return b
	}
	if a.memory == nil {
		a.memory = new([arenaSize]byte)
	}
	b := a.memory[a.used : a.used+n : a.used+n]
	a.used = min(roundUp(a.used+n, arenaAlign), arenaSize)
	return b
}

// Bytes copies b into memory that the record owns and gives its address (16-byte aligned), valid through the next Send. Up to 4096 bytes per
// message cost no allocation. Empty b gives 0.
func (m *Msg) Bytes(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	to := m.take(len(b))
	copy(to, b)
	return uintptr(unsafe.Pointer(&to[0]))
}

// CString is Bytes for a string, with a NUL after it.
func (m *Msg) CString(s string) uintptr {
	to := m.take(len(s) + 1)
	copy(to, s)
	to[len(s)] = 0
	return uintptr(unsafe.Pointer(&to[0]))
}

// IDs is Bytes for a C array of objects.
func (m *Msg) IDs(ids []ID) uintptr { return m.Bytes(idBytes(ids)) }

// Uintptrs is Bytes for a C array of NSUInteger.
func (m *Msg) Uintptrs(words []uintptr) uintptr { return m.Bytes(wordBytes(words)) }
