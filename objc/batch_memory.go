package objc

import "unsafe"

// batchMemory is chunks of memory that never move while a batch points into them.
type batchMemory struct {
	chunks []*[batchChunk]byte // reused
	chunk  int                 // the one in use
	used   int                 // bytes of it
	large  [][]byte            // payloads over a chunk's size
}

const batchChunk = 1 << 15

func (a *batchMemory) reset() {
	a.chunk, a.used = 0, 0
	clear(a.large)
	a.large = a.large[:0]
}

// bytes copies p and gives its address.
func (a *batchMemory) bytes(p []byte) uintptr {
	if len(p) == 0 {
		return 0
	}
	at := a.take(len(p))
	copy(unsafe.Slice((*byte)(at), len(p)), p)
	return uintptr(at)
}

// take gives n bytes, n > 0. They come from earlier batches and are not zero.
func (a *batchMemory) take(n int) unsafe.Pointer {
	if n > batchChunk {
		p := make([]byte, n)
		a.large = append(a.large, p)
		return unsafe.Pointer(&p[0])
	}
	if n > batchChunk-a.used {
		a.chunk, a.used = a.chunk+1, 0
	}
	if a.chunk == len(a.chunks) {
		a.chunks = append(a.chunks, new([batchChunk]byte))
	}
	at := unsafe.Pointer(&a.chunks[a.chunk][a.used])
	a.used = min(roundUp(a.used+n, arenaAlign), batchChunk)
	return at
}
