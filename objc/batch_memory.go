package objc

import "unsafe"

// batchMemory is chunks of memory that never move while a batch points into them.
type batchMemory struct {
	chunk  *[batchChunk]byte // in use; 16-byte aligned
	at     uintptr           // bytes in use there, a multiple of 16
	chunks []*[batchChunk]byte
	used   int      // chunks in use; the others are for later batches
	large  [][]byte // payloads over a chunk's size
}

const batchChunk = 1 << 15

func (a *batchMemory) reset() {
	a.used, a.chunk, a.at = 0, nil, batchChunk
	clear(a.large)
	a.large = a.large[:0]
}

// full has the next payload begin a chunk.
func (a *batchMemory) full() { a.at = batchChunk }

const fewWords = 16

// few gives memory for n words, 1 to fewWords, and nil if it takes longer to find.
func (a *batchMemory) few(n int) *[fewWords]uintptr {
	if uint(n-1) >= fewWords || a.at > batchChunk-fewWords*wordSize || a.chunk == nil {
		return nil
	}
	// Safety: there is room for fewWords, aligned as a chunk is.
	to := (*[fewWords]uintptr)(unsafe.Add(unsafe.Pointer(a.chunk), a.at))
	a.at += uintptr(n*wordSize+arenaAlign-1) &^ (arenaAlign - 1)
	return to
}

// bytes copies p and gives its address.
func (a *batchMemory) bytes(p []byte) uintptr {
	if len(p) == 0 {
		return 0
	}
	if a.chunk == nil || uintptr(len(p)) > batchChunk-a.at {
		to := a.takeNew(len(p))
		copy(to, p)
		return uintptr(unsafe.Pointer(&to[0]))
	}
	to := a.chunk[a.at:]
	a.at += uintptr(len(p)+arenaAlign-1) &^ (arenaAlign - 1)
	copy(to, p)
	return uintptr(unsafe.Pointer(&to[0]))
}

// take gives n bytes, n > 0. They come from earlier batches and are not zero.
func (a *batchMemory) take(n int) []byte {
	if a.chunk == nil || uintptr(n) > batchChunk-a.at {
		return a.takeNew(n)
	}
	to := a.chunk[a.at:][:n:n]
	a.at += uintptr(n+arenaAlign-1) &^ (arenaAlign - 1)
	return to
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
	a.chunk, a.at = a.chunks[a.used], 0
	a.used++
	return a.take(n)
}
