package mtl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
	"github.com/puremetal/puremetal/objc"
)

// recorder writes down the messages that mtl sends and holds each to the table.
type recorder struct {
	t     *testing.T
	names map[objc.ID]string
	count map[string]int
	lines []string
	sent  map[string]*abi.Method // by selector
}

func newRecorder(t *testing.T) *recorder {
	return &recorder{t: t, names: make(map[objc.ID]string), count: make(map[string]int), sent: make(map[string]*abi.Method)}
}

const sentByMtl = "github.com/puremetal/puremetal/mtl."

func (r *recorder) record(d objc.Delivery) {
	selector := d.Selector.Name()
	m, ok := lookUp(d.Class, d.ToClass, d.Selector)
	switch {
	case !ok:
		r.t.Errorf("%s sends %s to %s, which the table does not have there", d.Sender, selector, d.Class.Name())
		return
	case !sameCall(m.Encoding, d.Selector.Encoding()):
		r.t.Errorf("%s sends %s to %s with encoding %s, the table has %s", d.Sender, selector, d.Class.Name(), d.Selector.Encoding(), m.Encoding)
		return
	}
	r.checkOwnership(d, m)
	if !strings.HasPrefix(d.Sender, sentByMtl) {
		return // the software device's own affair
	}
	r.sent[selector] = m
	parts := strings.Split(selector, ":")
	line := r.object(d.Receiver, d.Class, d.ToClass) + " " + parts[0]
	words := d.Words
	for i, kind := range arguments(m.Encoding) {
		if i > 0 {
			line += " " + parts[i]
		}
		if i < len(parts) && len(arguments(m.Encoding)) > 0 {
			line += ":" + r.argument(d, kind, words)
		}
		words = words[wordsOf(kind):]
	}
	if result := ofKind(m.Encoding); result == "@" {
		line += " -> " + r.result(d, m)
	}
	r.lines = append(r.lines, line)
}

// checkOwnership holds what the software object gave away to the table's rule.
func (r *recorder) checkOwnership(d objc.Delivery, m *abi.Method) {
	if ofKind(m.Encoding) != "@" || d.Result[0] == 0 {
		return
	}
	want := 0
	if m.Ownership == abi.Owned {
		want = 1
	}
	if c := objc.ObjectOf(objc.ID(d.Result[0])); want == 1 && objc.Classes()[c.Class.Name()].ID() == c.ID {
		want = 0
	}
	if d.Owes != want {
		r.t.Errorf("%s %s gives away %d references, the table says %s", d.Class.Name(), d.Selector.Name(), d.Owes, m.Ownership)
	}
}

func (r *recorder) result(d objc.Delivery, m *abi.Method) string {
	id := objc.ID(d.Result[0])
	if id == 0 {
		return "nil"
	}
	o := objc.ObjectOf(id)
	if o.Class.Name() == "NSString" {
		return string(m.Ownership) + " NSString" // its text is the device's affair
	}
	return string(m.Ownership) + " " + r.object(id, o.Class, false)
}

// object names an object by its class and the order in which they were seen, a string by its text.
func (r *recorder) object(id objc.ID, c *objc.Class, isClass bool) string {
	switch {
	case isClass:
		return c.Name()
	case c.Name() == "NSString":
		return strconv.Quote(objc.GoString(id))
	}
	name, ok := r.names[id]
	if !ok {
		r.count[c.Name()]++
		name = fmt.Sprintf("%s#%d", strings.TrimPrefix(c.Name(), "Software"), r.count[c.Name()])
		r.names[id] = name
	}
	return name
}

func (r *recorder) id(d objc.Delivery, word uintptr) string {
	if word == 0 {
		return "nil"
	}
	if !softwareID(word) {
		r.t.Errorf("%s sends %s with %#x where an object belongs", d.Sender, d.Selector.Name(), word)
		return "?"
	}
	o := objc.ObjectOf(objc.ID(word))
	return r.object(o.ID, o.Class, false)
}

// softwareID reports whether a word is the id of a software object and not a number or an address.
func softwareID(word uintptr) bool { return objc.RuntimeOf(objc.ID(word)) == objc.Software() }

// argument writes an argument, the first of words, and holds it to its kind.
func (r *recorder) argument(d objc.Delivery, kind string, words []uintptr) string {
	w := words[0]
	wrong := func(want string) string {
		r.t.Errorf("%s sends %s with %#x where %s belongs", d.Sender, d.Selector.Name(), w, want)
		return "?"
	}
	switch {
	case kind == "@":
		return r.id(d, w)
	case kind == "@?":
		if w != 0 && r.id(d, w) != "?" && objc.ObjectOf(objc.ID(w)).Class.Name() != "NSBlock" {
			return wrong("a block")
		}
		return "block"
	case kind[0] == '{':
		var all []string
		for _, w := range words[:wordsOf(kind)] {
			if softwareID(w) {
				return wrong("a number")
			}
			all = append(all, strconv.FormatUint(uint64(w), 10))
		}
		return "{" + strings.Join(all, " ") + "}"
	case strings.HasPrefix(kind, "r^") || kind[0] == '^':
		if w != 0 && (w < 1<<12 || softwareID(w)) {
			return wrong("an address")
		}
		return r.memory(d, kind, w)
	case kind == "B":
		if w > 1 {
			return wrong("a BOOL")
		}
		return [2]string{"NO", "YES"}[w]
	case kind == "C":
		if w > math.MaxUint8 {
			return wrong("a byte")
		}
	case kind == "d":
		return fmt.Sprint(math.Float64frombits(uint64(w)))
	case kind != "Q" && kind != "q" && kind != ":" && kind != "#" && kind != "I":
		r.t.Errorf("%s: no rule for arguments of encoding %s", d.Selector.Name(), kind)
	}
	if softwareID(w) {
		return wrong("a number")
	}
	return strconv.FormatInt(int64(w), 10)
}

// memory writes what a pointer argument points to, where the message tells how much that is.
func (r *recorder) memory(d objc.Delivery, kind string, w uintptr) string {
	if w == 0 {
		return "NULL"
	}
	last := int(d.Words[len(d.Words)-1])
	switch d.Selector.Name() {
	case "useResources:count:usage:", "commit:count:options:":
		last = int(d.Words[1])
	case "initWithRank:values:":
		last = int(d.Words[0])
	}
	switch kind {
	case "r^@", "r^Q", "r^q":
		var all []string
		for i := range last {
			// Little-endian, as all machines that Go and Metal share.
			var v uintptr
			for j, b := range objc.View(w, 8*last)[8*i : 8*i+8] {
				v |= uintptr(b) << (8 * j)
			}
			if kind == "r^@" {
				all = append(all, r.id(d, v))
			} else {
				all = append(all, strconv.Itoa(int(v)))
			}
		}
		return "[" + strings.Join(all, " ") + "]"
	case "r^v":
		switch d.Selector.Name() {
		case "setBytes:length:atIndex:":
			return fmt.Sprintf("%x", objc.View(w, int(d.Words[1])))
		case "setConstantValue:type:atIndex:":
			return fmt.Sprintf("%x", objc.View(w, dataTypes[DataType(d.Words[1])].size))
		}
	case "^@":
		return "out"
	}
	return "memory"
}

// arguments splits an encoding into those of the arguments behind self and _cmd.
func arguments(encoding string) []string {
	_, rest := cutKind(encoding)
	var all []string
	for rest != "" {
		var kind string
		kind, rest = cutKind(rest)
		all = append(all, kind)
	}
	return all[2:]
}

// ofKind is the encoding of the result.
func ofKind(encoding string) string {
	kind, _ := cutKind(encoding)
	return kind
}

// cutKind cuts the first type off an encoding.
func cutKind(s string) (kind, rest string) {
	i := 0
	for i < len(s)-1 && strings.IndexByte("rV^", s[i]) >= 0 {
		i++
	}
	switch {
	case s[i] == '@' && strings.HasPrefix(s[i+1:], "?"):
		i++
	case s[i] == '{':
		for depth := 0; ; i++ {
			if s[i] == '{' {
				depth++
			} else if s[i] == '}' {
				if depth--; depth == 0 {
					break
				}
			}
		}
	}
	return s[:i+1], s[i+1:]
}

// wordsOf is the number of words of an argument: one, or those of a struct.
func wordsOf(kind string) int {
	if kind[0] != '{' {
		return 1
	}
	n := 0
	for _, field := range strings.Split(kind, "=")[1:] {
		n += strings.Count(field, "Q")
	}
	return n
}
