package objc

var blockClass *Class

// softwareBlock is the state of a block of the software runtime.
type softwareBlock struct {
	args int
	call func(args []ID)
}

func (software) newBlock(args int, f func(args []ID)) ID {
	return NewObject(blockClass, &softwareBlock{args, f})
}

// CallBlock calls a software block. Nil is left alone. It panics if id is not a block of len(args) arguments. A method
// that keeps a block retains it (copy, in Objective-C's words) and releases it after the call.
func CallBlock(id ID, args ...ID) {
	if id == 0 {
		return
	}
	o := liveObject(id, "call")
	b, ok := o.State.(*softwareBlock)
	if !ok {
		panic(&UnrecognizedSelector{o.Class.name, "call", o.isClass})
	}
	if b.args != len(args) {
		panic(&WordsError{"the block", b.args, len(args)})
	}
	b.call(args)
}
