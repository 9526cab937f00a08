package objc

import "unsafe"

// batchMemory is chunks of memory that never move while a batch points into them.
type batchMemory struct {
	free   []byte              // what is left of the chunk in use; starts 16-byte aligned
	chunks []*[batchChunk]byte // reused
	used   int                 // chunks in use
	large  [][]byte            // payloads over a chunk's size
}

const batchChunk = 1 << 15

func (a *batchMemory) reset() {
	a.used, a.free = 0, nil
	if len(a.chunks) > 0 {
		a.used, a.free = 1, a.chunks[0][:]
	}
	clear(a.large)
	a.large = a.large[:0]
}

// bytes copies p and gives its address.
func (a *batchMemory) bytes(p []byte) uintptr {
	if len(p) == 0 {
		return 0
	}
	to := a.take(len(p))
	copy(to, p)
	return uintptr(unsafe.Pointer(&to[0]))
}

// take gives n bytes, n > 0. They come from earlier batches and are not zero.
func (a *batchMemory) take(n int) []byte {
	if n > len(a.free) {
		return a.takeNew(n)
	}
	p := a.free[:n:n]
	a.free = a.free[min((n+arenaAlign-1)&^(arenaAlign-1), len(a.free)):]
	return p
}

func (a *batchMemory) takeNew(n int) []byte {
	if n > batchChunk {
		p := make([]byte, n)
		a.large = append(a.large, p)
		return p
	}
	if a.used == len(a.chunks) {
		a.chunks = append(a.chunks, new([batchChunk]byte))
	}
	a.free = a.chunks[a.used][:]
	a.used++
	return a.take(n)
}
