package mtl

import (
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// messages are the records that create functions send on.
var messages = sync.Pool{New: func() any { return new(objc.Msg) }}

// newObject makes an instance of a class of the runtime: [[class alloc] init]. The caller owns it; 0 if there is no such class.
func newObject(rt objc.Runtime, class string) objc.ID {
	return objc.SendID(objc.SendID(rt.Class(class), selAlloc), selInit)
}

// bit is a BOOL argument.
func bit(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}
