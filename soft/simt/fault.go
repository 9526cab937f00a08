package simt

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// stop carries a fault out of the closures to the worker that runs them; nothing else panics on purpose.
type stop struct{ err error }

// fault ends the threadgroup. text tells the story behind the kernel's name and the position.
func (w *warp) fault(kind FaultKind, pos token.Pos, lane int, o *object, format string, a ...any) {
	f := &Fault{Kind: kind, Kernel: w.wk.code.plan.k.Name, Pos: pos, Thread: w.thread(lane), Lane: w.index*Width + lane, Buffer: -1}
	if o != nil {
		f.Object = o.name
		if o.class == bufferObject {
			f.Buffer = o.bind
		}
	}
	f.Text = fmt.Sprintf("kernel %s: %s: %s", f.Kernel, pos, fmt.Sprintf(format, a...))
	panic(stop{f})
}

// thread is a lane's position in the grid.
func (w *warp) thread(lane int) (t [3]int) {
	for i := range t {
		t[i] = int(w.wk.origin[i]) + int(w.pos[i][lane&31])
	}
	return t
}

func (w *warp) threadText(lane int) string {
	t := w.thread(lane)
	return fmt.Sprintf("thread (%d, %d, %d)", t[0], t[1], t[2])
}

// describe names an object as the source does.
func (o *object) describe() string {
	switch o.class {
	case bufferObject:
		return fmt.Sprintf("buffer(%d) %s", o.bind, o.name)
	case threadgroupObject:
		return fmt.Sprintf("threadgroup(%d) %s", o.bind, o.name)
	case staticObject:
		return "threadgroup variable " + o.name
	case privateObject:
		return "thread variable " + o.name
	case constantObject:
		return "constant " + o.name
	}
	return "no object"
}

func (s *accessSite) verb() string {
	switch {
	case s.atomic:
		return "atomic operation"
	case s.write:
		return "store"
	}
	return "load"
}

// outside ends the threadgroup for an access by lane that is not in its object.
func (s *accessSite) outside(w *warp, lane int, p uint64) {
	n, off := objectOf(p), offsetOf(p)
	if n <= 0 || n >= len(s.plan.objects) {
		w.fault(NullPointer, s.pos, lane, nil, "%s of %d bytes at offset %d of a null pointer by %s", s.verb(), s.total, off, w.threadText(lane))
	}
	o := &s.plan.objects[n]
	size := o.size
	switch o.class {
	case bufferObject, threadgroupObject, staticObject:
		size = int64(len(w.wk.mem[n]))
	}
	switch {
	case o.class == bufferObject && !w.wk.bound(o):
		w.fault(NullPointer, s.pos, lane, o, "%s of %d bytes at offset %d of %s, where nothing is bound, by %s", s.verb(), s.total, off, o.describe(), w.threadText(lane))
	case s.write && o.class == constantObject:
		w.fault(OutOfBounds, s.pos, lane, o, "%s of %d bytes at offset %d of %s, which is read-only, by %s", s.verb(), s.total, off, o.describe(), w.threadText(lane))
	}
	w.fault(OutOfBounds, s.pos, lane, o, "%s of %d bytes at offset %d of %s, which has %d bytes, by %s", s.verb(), s.total, off, o.describe(), size, w.threadText(lane))
}

// indexFault ends the threadgroup for an index k outside a register array of n elements, if bounds are checked.
func (s *accessSite) indexFault(w *warp, lane int, k uint32, n int) {
	if s.bounds {
		o := object{class: privateObject, name: s.plan.k.Regs[s.array].Name}
		w.fault(OutOfBounds, s.pos, lane, &o, "element %d of %s, which has %d, by %s", int32(k), o.describe(), n, w.threadText(lane))
	}
}

// ranges writes the set lanes of m as "0-3, 7", counted from base.
func ranges(m uint32, base int) string {
	var b strings.Builder
	for m != 0 {
		from := bits.TrailingZeros32(m)
		n := bits.TrailingZeros32(^(m >> from))
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", base+from)
		if n > 1 {
			fmt.Fprintf(&b, "-%d", base+from+n-1)
		}
		if n+from >= Width {
			break
		}
		m &^= (1<<n - 1) << from
	}
	return b.String()
}
