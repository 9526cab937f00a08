package simt

import "github.com/puremetal/puremetal/soft/msl/token"

// step is one operation of a simdgroup.
type step func(w *warp)

const fullMask = ^uint32(0)

// warp is a simdgroup: its registers and where it stands. It belongs to one worker.
type warp struct {
	vf [][Width]float32
	vu [][Width]uint32
	vq [][Width]uint64
	sf []float32
	su []uint32
	sq []uint64
	// mats holds 8x8 matrices row by row.
	mats [][64]float32

	mask   uint32   // active lanes
	launch uint32   // lanes that exist
	waits  []uint32 // lanes set aside, by slot of the control code
	pc     int      // block to go on with
	state  warpState
	at     int // site of the barrier that it waits at
	index  int // in its threadgroup

	off    [Width]int64     // byte offsets of the access under way
	pos    [3][Width]uint32 // thread positions in the threadgroup
	priv   []byte           // private objects: for each one its 32 copies
	gone   [Width]token.Pos // where lanes ended, if barriers are checked
	passed uint64           // simdgroup barriers: the race detector's clock within a simdgroup
	wk     *worker
}

type warpState uint8

const (
	ready warpState = iota
	waiting
	ended
)

// block is a run of steps without control flow. end gives the number of the next block, or -1 when the warp ends or waits.
type block struct {
	steps []step
	end   func(w *warp) int
	next  int // if end is nil
}

// program is the code of a kernel for one choice of checks.
type program struct {
	plan   *plan
	layout layout
	checks Checks
	blocks []block
	waits  int
	privs  []int64 // by object: where the copies of a private object begin in warp.priv
	priv   int64   // bytes of all copies
}

func (p *program) run(w *warp) {
	pc := w.pc
	for pc >= 0 {
		b := &p.blocks[pc]
		for _, s := range b.steps {
			s(w)
		}
		if b.end == nil {
			pc = b.next
			continue
		}
		pc = b.end(w)
	}
}
