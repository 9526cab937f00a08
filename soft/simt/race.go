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

	// An actor is a simdgroup over one of its lanes, or over one of these.
	laneBits  = 6
	wholeWarp = 32 // a matrix operation
	several   = 63 // atomic operations by more than one lane, of this and perhaps of other simdgroups
	laneMask  = 1<<laneBits - 1
	warpMask  = (1<<actorBits - 1 - laneMask) << actorAt
)

type cell struct {
	write  stamp
	reader stamp
	second stamp // a reader that is not the first
}

func (s stamp) epoch() uint64 { return uint64(s) >> epochAt }
func (s stamp) lane() int     { return int(s>>actorAt) & laneMask }
func (s stamp) warp() int     { return int(s>>actorAt) & (1<<actorBits - 1) >> laneBits }
func (s stamp) step() int     { return int(s>>stepAt) & maxStep }
func (s stamp) site() int     { return int(s)&(1<<siteBits-1) - 1 }

// ordered reports whether s and t cannot race: they are of one actor, or a barrier lies between.
func (s stamp) ordered(t stamp) bool {
	d := s ^ t
	if d>>epochAt != 0 {
		return true
	}
	if s.lane() == several || t.lane() == several || d&warpMask != 0 {
		return false
	}
	return d>>actorAt&laneMask == 0 || d>>stepAt&maxStep != 0
}

// stampOf is the stamp of an access by a lane of w, or by all of it, now.
func (s *accessSite) stampOf(w *warp, lane int) stamp {
	site := s.at + 1
	if site >= 1<<siteBits {
		site = 0
	}
	return stamp(w.wk.epoch<<epochAt | w.passed<<stepAt | uint64(w.index<<laneBits|lane)<<actorAt | uint64(site))
}

const laneStamp = 1 << actorAt // what the next lane's stamp is more

// note records an access by the lanes of ok, whose offsets resolve has left.
func (s *accessSite) note(w *warp, ok uint32, row int64) {
	shadow := w.wk.shadows[s.object]
	shift := s.plan.objects[s.object].cell
	first := s.stampOf(w, 0)
	for m := ok; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		off := row + int64(lane)*s.elem
		if row < 0 {
			off = w.off[lane&31]
		}
		st := first + stamp(lane)*laneStamp
		s.noteCells(w, shadow, st, s.object, off>>shift, (off+s.total-1)>>shift, shift)
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
	s.noteAt(w, s.stampOf(w, lane), objectOf(p), offsetOf(p), s.total)
}

func (s *accessSite) noteAt(w *warp, st stamp, object int, off, size int64) {
	o := &s.plan.objects[object]
	if !o.shared() {
		return
	}
	s.noteCells(w, w.wk.shadows[object], st, object, off>>o.cell, (off+size-1)>>o.cell, o.cell)
}

// noteCells records an access to the cells from to to. What changes nothing, and what is first in its epoch, is dealt with
// here; that is nearly all.
func (s *accessSite) noteCells(w *warp, shadow []cell, st stamp, object int, from, to int64, shift uint8) {
	now := st >> epochAt
	if s.write {
		for i := from; i <= to; i++ {
			c := &shadow[i]
			if c.write>>epochAt == now || c.reader>>epochAt == now {
				s.noteWrite(w, c, st, object, i<<shift)
				continue
			}
			c.write = st
		}
		return
	}
	for i := from; i <= to; i++ {
		c := &shadow[i]
		switch r, r2 := c.reader, c.second; {
		case c.write>>epochAt == now:
		case r>>epochAt != now:
			c.reader, c.second = st, 0
			continue
		case (r^st)>>actorAt == 0:
			continue
		case r2>>epochAt == now && (r2^st)>>actorAt == 0:
			continue
		case r2>>epochAt == now && (r^st)&warpMask != 0 && (r2^st)&warpMask != 0 && (r^r2)&warpMask != 0:
			continue // two other simdgroups stand for it
		}
		s.noteRead(w, c, st, object, i<<shift)
	}
}

func (s *accessSite) noteRead(w *warp, c *cell, st stamp, object int, off int64) {
	if !c.write.ordered(st) {
		s.conflict(w, c.write, st, "written", object, off)
	}
	now := st.epoch()
	switch {
	case c.reader.epoch() != now:
		c.reader, c.second = st, 0
	case c.reader.warp() == st.warp() && c.reader.step() != st.step():
		c.reader = st
	case (c.reader^st)>>actorAt == 0:
	case c.second.epoch() != now, c.second.warp() == st.warp() && c.second.step() != st.step(), c.second.warp() == c.reader.warp() && st.warp() != c.reader.warp():
		c.second = st
	}
}

func (s *accessSite) noteWrite(w *warp, c *cell, st stamp, object int, off int64) {
	if !c.write.ordered(st) {
		s.conflict(w, c.write, st, "written", object, off)
		st |= several << actorAt // both are atomic
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
	lane := now.lane() % Width
	does := "read"
	if s.write {
		does = "written"
	}
	w.fault(Race, s.pos, lane, o, "race on offset %d of %s: %s by %s here and %s by %s at %s, with no barrier over threadgroup memory between them",
		off, o.describe(), does, actorText(now), verb, actorText(before), pos)
}

func actorText(s stamp) string {
	switch s.lane() {
	case wholeWarp:
		return fmt.Sprintf("simdgroup %d", s.warp())
	case several:
		return "several lanes"
	}
	return fmt.Sprintf("lane %d", s.warp()*Width+s.lane())
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
