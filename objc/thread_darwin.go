package objc

import (
	"sync"

	"github.com/ebitengine/purego"
)

var pthreadSelf = sync.OnceValue(func() uintptr {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "pthread_self")
	if err != nil {
		panic(err) // libSystem is in every process
	}
	return fn
})

// threadID is the address of the thread's descriptor, which has at most 47 bits.
func threadID() int {
	m := msgs.Get().(*Msg)
	r, _, _ := purego.SyscallN(pthreadSelf(), m.frame[:0]...)
	msgs.Put(m)
	return int(r)
}
