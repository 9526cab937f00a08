package simt

import (
	"fmt"
	"math/bits"
)

// The race detector keeps, for every granule of threadgroup memory, who wrote it last and two who read it since. Two
// accesses race if they come from different lanes, one of them writes, no threadgroup_barrier over threadgroup memory
// lies between them and, within a simdgroup, no simdgroup_barrier over it either. Lanes of a simdgroup are not taken to run in step:
// Metal promises no such thing. Writes of one value by several lanes are races too. Atomic operations do not race with
// each other. A matrix load or store is an access by the simdgroup as a whole: it is ordered with other matrix operations of
// its simdgroup, not with accesses by single lanes.
//
// Two readers are enough: the second is kept in another simdgroup than the first where there is one, and a reader behind
// a simdgroup barrier takes the place of one before it.

// stamp says who accessed and when: epoch, step, actor and site. Stamps of an earlier epoch mean nothing, so nothing is
// cleared between threadgroups.
type stamp uint64

const (
	siteBits  = 16
	actorBits = 11
	stepBits  = 15
	epochBits = 64 - siteBits - actorBits - stepBits

	actorAt = siteBits
	stepAt  = actorAt + actorBits
	epochAt = stepAt + stepBits

	maxEpoch = 1<<epochBits - 1
	maxStep  = 1<<stepBits - 1

	wholeWarp = MaxThreads                                         // + simdgroup: a matrix operation
	several   = 1<<actorBits - 1                                   // atomic operations by more than one lane
	whoMask   = (maxStep<<actorBits | 1<<actorBits - 1) << actorAt // step and actor
)

type cell struct {
	write  stamp
	reader stamp
	second stamp // a reader that is not the first
}

func (s stamp) epoch() uint64 { return uint64(s) >> epochAt }
func (s stamp) actor() int    { return int(s>>actorAt) & (1<<actorBits - 1) }
func (s stamp) step() int     { return int(s>>stepAt) & maxStep }
func (s stamp) site() int     { return int(s)&(1<<siteBits-1) - 1 }

func (s stamp) warp() int {
	switch a := s.actor(); {
	case a < wholeWarp:
		return a / Width
	case a == several:
		return -1
	default:
		return a - wholeWarp
	}
}

// ordered reports whether nothing of s and t can race: they are of one actor, or a barrier lies between.
func (s stamp) ordered(t stamp) bool {
	if s.epoch() != t.epoch() || s.actor() == t.actor() && s.actor() != several {
		return true
	}
	return s.warp() == t.warp() && s.warp() >= 0 && s.step() != t.step()
}

// stampOf is the stamp of an access by an actor now.
func (s *accessSite) stampOf(w *warp, actor int) stamp {
	site := s.at + 1
	if site >= 1<<siteBits {
		site = 0
	}
	return stamp(w.wk.epoch<<epochAt | w.passed<<stepAt | uint64(actor)<<actorAt | uint64(site))
}

const laneStamp = 1 << actorAt // what the next lane's stamp is more

// note records an access by the lanes of ok, whose offsets resolve has left.
func (s *accessSite) note(w *warp, ok uint32, row int64) {
	shadow := w.wk.shadows[s.object]
	shift := s.plan.objects[s.object].cell
	first := s.stampOf(w, w.index*Width)
	for m := ok; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		off := row + int64(lane)*s.elem
		if row < 0 {
			off = w.off[lane&31]
		}
		st := first + stamp(lane)*laneStamp
		from, to := off>>shift, (off+s.total-1)>>shift
		for i := from; i <= to; i++ {
			if s.write {
				s.noteWrite(w, &shadow[i], st, i<<shift)
			} else {
				s.noteRead(w, &shadow[i], st, i<<shift)
			}
		}
	}
}

// noteUniform records an access by all active lanes at one address. The first two stand for all: more readers, or more
// writers, add nothing.
func (s *accessSite) noteUniform(w *warp, p uint64) {
	lane := bits.TrailingZeros32(w.mask)
	s.noteLane(w, lane, p)
	if rest := w.mask & (w.mask - 1); rest != 0 {
		s.noteLane(w, bits.TrailingZeros32(rest), p)
	}
}

// noteLane records an access by one lane if it is to threadgroup memory.
func (s *accessSite) noteLane(w *warp, lane int, p uint64) {
	s.noteAt(w, s.stampOf(w, w.index*Width+lane), objectOf(p), offsetOf(p), s.total)
}

func (s *accessSite) noteAt(w *warp, st stamp, object int, off, size int64) {
	o := &s.plan.objects[object]
	if !o.shared() {
		return
	}
	shadow := w.wk.shadows[object]
	for i := off >> o.cell; i <= (off+size-1)>>o.cell; i++ {
		if s.write {
			s.noteWriteOf(w, &shadow[i], st, object, i<<o.cell)
		} else {
			s.noteReadOf(w, &shadow[i], st, object, i<<o.cell)
		}
	}
}

func (s *accessSite) noteRead(w *warp, c *cell, st stamp, off int64) {
	if c.write>>epochAt == st>>epochAt && (c.write^st)&whoMask != 0 || (c.reader^st)>>actorAt != 0 {
		s.noteReadOf(w, c, st, s.object, off)
	}
}

func (s *accessSite) noteReadOf(w *warp, c *cell, st stamp, object int, off int64) {
	if !c.write.ordered(st) {
		s.conflict(w, c.write, st, "written", object, off)
	}
	now := st.epoch()
	switch {
	case c.reader.epoch() != now:
		c.reader, c.second = st, 0
	case c.reader.warp() == st.warp() && c.reader.step() != st.step():
		c.reader = st
	case c.reader.actor() == st.actor():
	case c.second.epoch() != now, c.second.warp() == st.warp() && c.second.step() != st.step(), c.second.warp() == c.reader.warp() && st.warp() != c.reader.warp():
		c.second = st
	}
}

func (s *accessSite) noteWrite(w *warp, c *cell, st stamp, off int64) {
	now := st >> epochAt
	if c.write>>epochAt == now || c.reader>>epochAt == now {
		s.noteWriteOf(w, c, st, s.object, off)
		return
	}
	c.write, c.reader, c.second = st, 0, 0
}

func (s *accessSite) noteWriteOf(w *warp, c *cell, st stamp, object int, off int64) {
	if !c.write.ordered(st) {
		s.conflict(w, c.write, st, "written", object, off)
		if c.write.actor() != st.actor() { // both atomic
			st |= several << actorAt
		}
	}
	if !c.reader.ordered(st) {
		s.conflict(w, c.reader, st, "read", object, off)
	}
	if !c.second.ordered(st) {
		s.conflict(w, c.second, st, "read", object, off)
	}
	c.write, c.reader, c.second = st, 0, 0
}

// conflict ends the threadgroup unless both accesses are atomic.
func (s *accessSite) conflict(w *warp, before, now stamp, verb string, object int, off int64) {
	pos, atomic := "-", false
	if i := before.site(); i >= 0 && s.plan.sites[i] != nil {
		in := s.plan.sites[i].in
		pos, atomic = in.Pos.String(), isAtomic(in.Op)
	}
	if atomic && s.atomic {
		return
	}
	o := &s.plan.objects[object]
	lane := 0
	if a := now.actor(); a < wholeWarp {
		lane = a % Width
	}
	does := "read"
	if s.write {
		does = "written"
	}
	w.fault(Race, s.pos, lane, o, "race on offset %d of %s: %s by %s here and %s by %s at %s, with no barrier over threadgroup memory between them",
		off, o.describe(), does, actorText(now), verb, actorText(before), pos)
}

func actorText(s stamp) string {
	switch a := s.actor(); {
	case a < wholeWarp:
		return fmt.Sprintf("lane %d", a)
	case a == several:
		return "several lanes"
	default:
		return fmt.Sprintf("simdgroup %d", a-wholeWarp)
	}
}

// nextEpoch orders everything before it with everything after it in this threadgroup, or begins another one.
func (wk *worker) nextEpoch() {
	if wk.epoch++; wk.epoch > maxEpoch {
		wk.forget()
	}
	for i := range wk.warps {
		wk.warps[i].passed = 0
	}
}

// nextStep orders the lanes of w.
func (w *warp) nextStep() {
	if w.passed++; w.passed > maxStep {
		w.passed = 0
		w.wk.forget()
	}
}

// forget drops all records, so that a counter can begin again without taking old stamps for new ones.
func (wk *worker) forget() {
	wk.epoch = 1
	for _, s := range wk.shadows {
		clear(s)
	}
}
