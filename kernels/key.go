package kernels

import (
	"fmt"
	"strings"

	"github.com/puremetal/puremetal/mtl"
)

// MaxConstants is how many function constants a key can carry.
const MaxConstants = 12

// ConstantList is the function constants of a kernel. Zero elements are absent. Equal constants in another order make
// another key, which costs a second pipeline and is otherwise harmless.
type ConstantList [MaxConstants]mtl.FunctionConstant

// Key names a pipeline. It is comparable; look-up allocates nothing.
type Key struct {
	Name      string
	Constants ConstantList
	Launch    Launch
}

// Launch is what a kernel is written to be launched with. It is part of the key because it shapes the pipeline: the
// compiler may give each thread more registers the fewer threads it must expect. It comes back with the pipeline, so that
// nobody derives it twice. The zero Launch says nothing, and nothing is checked.
type Launch struct {
	Threads mtl.Size // of a threadgroup
	Memory  int      // bytes of threadgroup memory at index 0, set by the encoder, besides the kernel's own
}

// total is the number of threads, 0 if none are given, or ok false if they are not from 1x1x1 to limit. Metal cannot be asked for the
// device's most threads in all; on every GPU it is the most along one dimension.
func (l Launch) total(limit mtl.Size) (n int, ok bool) {
	if l.Threads == (mtl.Size{}) {
		return 0, true
	}
	within := func(n, limit int) bool { return n >= 1 && n <= limit }
	ok = within(l.Threads.Width, limit.Width) && within(l.Threads.Height, limit.Height) && within(l.Threads.Depth, limit.Depth)
	n = l.Threads.Width * l.Threads.Height * l.Threads.Depth
	return n, ok && n <= limit.Width
}

// String is the name, followed by the constants as [index=value ...] if there are any. It is the pipeline's label.
func (k Key) String() string {
	var b strings.Builder
	b.WriteString(k.Name)
	separator := "["
	for _, c := range k.Constants {
		if c != (mtl.FunctionConstant{}) {
			_, value, _ := strings.Cut(c.String(), " = ")
			fmt.Fprintf(&b, "%s%d=%s", separator, c.Index(), value)
			separator = " "
		}
	}
	if separator == " " {
		b.WriteByte(']')
	}
	return b.String()
}

// appendTo appends the constants that are present.
func (c *ConstantList) appendTo(dst []mtl.FunctionConstant) []mtl.FunctionConstant {
	for _, constant := range c {
		if constant != (mtl.FunctionConstant{}) {
			dst = append(dst, constant)
		}
	}
	return dst
}
