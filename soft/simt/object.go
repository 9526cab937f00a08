package simt

import "github.com/puremetal/puremetal/soft/msl/ir"

// A pointer is an object number over a signed byte offset. The offset wraps in its own bits, so arithmetic never reaches
// another object; 40 bits are more than any object can have.
const (
	offsetBits = 40
	offsetMask = 1<<offsetBits - 1
)

func pointer(object int, offset int64) uint64 {
	return uint64(object)<<offsetBits | uint64(offset)&offsetMask
}
func objectOf(p uint64) int   { return int(p >> offsetBits) }
func offsetOf(p uint64) int64 { return int64(p<<(64-offsetBits)) >> (64 - offsetBits) }

// movePointer adds delta bytes. A distance that no object has is cut, so that it stays outside.
func movePointer(p uint64, delta int64) uint64 {
	const most = 1<<(offsetBits-2) - 1
	delta = min(max(delta, -most), most)
	return p&^offsetMask | uint64(min(max(offsetOf(p)+delta, -most), most))&offsetMask
}

type objectClass uint8

const (
	nullObject objectClass = iota
	bufferObject
	threadgroupObject // an argument
	staticObject      // a threadgroup variable of the function
	privateObject     // a thread variable in memory
	constantObject
	objectClasses
)

// object describes memory that pointers can point into.
type object struct {
	class objectClass
	index int // in the kernel's list of that class
	name  string
	size  int64 // of a static, private or constant object
	align int64
	bind  int // [[buffer(n)]] or [[threadgroup(n)]] index, or -1
	ro    bool
	cell  uint8 // log2 of the race detector's granule
}

func (o *object) shared() bool { return o.class == threadgroupObject || o.class == staticObject }

func (p *plan) listObjects() {
	k := p.k
	add := func(o object) { p.objects = append(p.objects, o) }
	begin := func(c objectClass) { p.objOf[c] = len(p.objects) }
	add(object{class: nullObject, name: "null", bind: -1})
	begin(bufferObject)
	for i, b := range k.Buffers {
		add(object{class: bufferObject, index: i, name: b.Name, bind: b.Index, ro: b.ReadOnly})
	}
	begin(threadgroupObject)
	for i, a := range k.Threadgroup {
		add(object{class: threadgroupObject, index: i, name: a.Name, align: a.Align, bind: a.Index})
	}
	begin(staticObject)
	for i, s := range k.Statics {
		add(object{class: staticObject, index: i, name: s.Name, size: s.Size, align: s.Align, bind: -1})
	}
	begin(privateObject)
	for i, s := range k.Privates {
		add(object{class: privateObject, index: i, name: s.Name, size: s.Size, align: s.Align, bind: -1})
	}
	begin(constantObject)
	for i, d := range k.Constants {
		add(object{class: constantObject, index: i, name: d.Name, size: int64(len(d.Bytes)), align: d.Align, bind: -1, ro: true})
	}
}

// anyObject says that a register points into more than one object, or into one that is not known.
const anyObject = -1

// findObjects follows every pointer register to the object that it starts from.
func (p *plan) findObjects() {
	join := func(a, b int) int {
		if a == 0 || a == b {
			return b
		}
		if b == 0 {
			return a
		}
		return anyObject
	}
	for changed := true; changed; {
		changed = false
		for _, s := range p.sites {
			if s == nil {
				continue
			}
			in := s.in
			from := anyObject
			switch in.Op {
			case ir.AddrBuffer:
				from = p.objOf[bufferObject] + int(in.Imm)
			case ir.AddrThreadgroup:
				from = p.objOf[threadgroupObject] + int(in.Imm)
			case ir.AddrStatic:
				from = p.objOf[staticObject] + int(in.Imm)
			case ir.AddrPrivate:
				from = p.objOf[privateObject] + int(in.Imm)
			case ir.AddrConstant:
				from = p.objOf[constantObject] + int(in.Imm)
			case ir.Decl:
				continue
			case ir.Mov, ir.PtrAdd:
				from = p.regs[in.A].object
			case ir.Select:
				from = join(p.regs[in.B].object, p.regs[in.C].object)
			}
			writes(in, func(r ir.Reg) {
				if n := join(p.regs[r].object, from); p.k.Regs[r].Kind == ir.Ptr && n != p.regs[r].object {
					p.regs[r].object, changed = n, true
				}
			})
		}
	}
	for r := range p.regs {
		if p.k.Regs[r].Const || p.k.Regs[r].Len > 1 {
			p.regs[r].object = anyObject
		}
	}
	for r := range p.regs {
		if p.regs[r].object == anyObject {
			p.regs[r].object = 0
		}
	}
	p.findCells()
}

// mayBePrivate reports whether a load through r may read each lane's own memory.
func (p *plan) mayBePrivate(r ir.Reg) bool {
	if o := p.regs[r].object; o != 0 {
		return p.objects[o].class == privateObject
	}
	return len(p.k.Privates) > 0
}

// findCells chooses the race detector's granule of every threadgroup object: the smallest element that the kernel
// accesses in it, at most 4 bytes. Larger granules would call accesses to neighbours a race.
func (p *plan) findCells() {
	smallest := make([]int64, len(p.objects))
	for i := range smallest {
		smallest[i] = 4
	}
	for _, s := range p.sites {
		if s == nil {
			continue
		}
		in := s.in
		at, size := in.A, in.Kind.Size()
		switch op := in.Op; {
		case op == ir.MatLoad:
			size = ir.Kind(in.Imm2).Size()
		case op == ir.MatStore:
			at, size = in.B, ir.Kind(in.Imm2).Size()
		case op == ir.Load, op == ir.Store, op >= ir.AtomicLoad && op <= ir.AtomicXor:
		default:
			continue
		}
		if size <= 0 {
			continue
		}
		if o := p.regs[at].object; o != 0 {
			smallest[o] = min(smallest[o], size)
			continue
		}
		for i := range smallest {
			smallest[i] = min(smallest[i], size)
		}
	}
	for i, n := range smallest {
		for n > 1 {
			p.objects[i].cell++
			n >>= 1
		}
	}
}
