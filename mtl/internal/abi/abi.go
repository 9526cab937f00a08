// Package abi holds what Metal looks like to a caller without headers: every compute selector with its encoding,
// ownership and age, every enum value and struct layout. Tests hold mtl and the software device to it, and the generator of mtl's
// enums reads it. Nothing that runs in a program uses it.
package abi

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed metal.txt
var text string

// Type is a class or protocol.
type Type struct {
	Name       string
	Protocol   bool
	Super      string
	Protocols  []string
	Introduced string             // macOS version, or "" for always
	Methods    map[string]*Method // by "-selector" or "+selector"
}

// Method is one selector of a type.
type Method struct {
	Type       string
	Selector   string
	Class      bool   // sent to the class
	Encoding   string // without frame offsets, as on arm64
	Introduced string // macOS version, or "" for as old as its type
	Ownership  Ownership
	Optional   bool
	Nullable   bool
}

// Ownership says what a caller owes for an object result.
type Ownership string

const (
	NoObject  Ownership = "-"
	Borrowed  Ownership = "+0"
	Owned     Ownership = "+1"
	Consuming Ownership = "init" // owned; the receiver is consumed
)

// Enum is an enumeration.
type Enum struct {
	Name       string
	Underlying string
	Size       int
	Introduced string // macOS version, or "" for always
	Values     []Value
}

// Value is an enumerator.
type Value struct {
	Name       string
	Value      uint64 // two's complement for signed enums
	Introduced string
}

// Struct is a struct passed or stored by Metal.
type Struct struct {
	Name     string
	Size     int
	Align    int
	Encoding string
	Fields   []Field
}

// Field is a member of a Struct.
type Field struct {
	Name         string
	Type         string
	Offset, Size int
}

// Table is all of it.
type Table struct {
	Types     map[string]*Type
	Enums     map[string]*Enum
	Structs   map[string]*Struct
	Functions map[string]string // name -> macOS version that introduced it
	Constants map[string]string // name -> macOS version that introduced it
	EnumOrder []string
}

// Load gives the table. It panics if the embedded text is malformed, which a test rules out.
var Load = sync.OnceValue(func() *Table {
	t, err := parse(text)
	if err != nil {
		panic(err)
	}
	return t
})

// Method finds a selector on a type, its superclasses or its protocols. The selector starts with "-" or "+".
func (t *Table) Method(typ, selector string) (*Method, bool) {
	c := t.Types[typ]
	if c == nil {
		return nil, false
	}
	if m := c.Methods[selector]; m != nil {
		return m, true
	}
	if m, ok := t.Method(c.Super, selector); ok {
		return m, true
	}
	for _, p := range c.Protocols {
		if p == "NSObject" { // the protocol of that name
			p = "NSObjectProtocol"
		}
		if m, ok := t.Method(p, selector); ok {
			return m, true
		}
	}
	return nil, false
}

// Newer reports whether macOS version a, such as "13.3", is newer than b.
func Newer(a, b string) bool { return slices.Compare(version(a), version(b)) > 0 }

func version(s string) []int {
	var numbers []int
	for part := range strings.SplitSeq(s, ".") {
		n, _ := strconv.Atoi(part) // of what parse has looked at
		numbers = append(numbers, n)
	}
	return numbers
}

// Inherited gives all methods of a type, those of its superclasses and protocols among them, by "-selector" or "+selector".
func (t *Table) Inherited(typ string) map[string]*Method {
	all := map[string]*Method{}
	c := t.Types[typ]
	if c == nil {
		return all
	}
	for _, p := range append([]string{c.Super}, c.Protocols...) {
		if p == "NSObject" && p != c.Super { // the protocol of that name
			p = "NSObjectProtocol"
		}
		maps.Copy(all, t.Inherited(p))
	}
	maps.Copy(all, c.Methods)
	return all
}

func parse(text string) (*Table, error) {
	t := &Table{Types: map[string]*Type{}, Enums: map[string]*Enum{}, Structs: map[string]*Struct{}, Functions: map[string]string{}, Constants: map[string]string{}}
	var typ *Type
	var enum *Enum
	var str *Struct
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		bad := func(err error) error { return fmt.Errorf("metal.txt:%d: %q: %v", n+1, line, err) }
		want := map[string]int{"type": 7, "method": 7, "enum": 5, "value": 4, "struct": 5, "field": 5, "function": 5, "constant": 5}[f[0]]
		if len(f) != want {
			return nil, bad(fmt.Errorf("%d fields, want %d", len(f), want))
		}
		for i := range f {
			if f[i] == "-" {
				f[i] = ""
			}
		}
		if v := f[map[string]int{"type": 5, "method": 3, "enum": 4, "value": 3, "struct": 2, "field": 4, "function": 4, "constant": 3}[f[0]]]; strings.Trim(v, "0123456789.") != "" {
			return nil, bad(fmt.Errorf("%q is no version", v))
		}
		switch f[0] {
		case "type":
			typ = &Type{Name: f[1], Protocol: f[2] == "protocol", Super: f[3], Introduced: f[5], Methods: map[string]*Method{}}
			if f[4] != "" {
				typ.Protocols = strings.Split(f[4], ",")
			}
			t.Types[typ.Name] = typ
		case "method":
			typ.Methods[f[1]] = &Method{Type: typ.Name, Selector: f[1][1:], Class: f[1][0] == '+', Encoding: f[2], Introduced: f[3],
				Ownership: Ownership(f[5]), Optional: strings.Contains(f[6], "optional"), Nullable: strings.Contains(f[6], "nullable")}
			if f[5] == "" {
				typ.Methods[f[1]].Ownership = NoObject
			}
		case "enum":
			size, err := strconv.Atoi(f[3])
			if err != nil {
				return nil, bad(err)
			}
			enum = &Enum{Name: f[1], Underlying: f[2], Size: size, Introduced: f[4]}
			t.Enums[enum.Name] = enum
			t.EnumOrder = append(t.EnumOrder, enum.Name)
		case "value":
			v, err := strconv.ParseUint(f[2], 10, 64)
			if err != nil {
				s, err := strconv.ParseInt(f[2], 10, 64)
				if err != nil {
					return nil, bad(err)
				}
				v = uint64(s)
			}
			enum.Values = append(enum.Values, Value{f[1], v, f[3]})
		case "struct":
			size, err := strconv.Atoi(f[2])
			if err != nil {
				return nil, bad(err)
			}
			align, err := strconv.Atoi(f[3])
			if err != nil {
				return nil, bad(err)
			}
			str = &Struct{Name: f[1], Size: size, Align: align, Encoding: f[4]}
			t.Structs[str.Name] = str
		case "field":
			offset, err := strconv.Atoi(f[3])
			if err != nil {
				return nil, bad(err)
			}
			size, err := strconv.Atoi(f[4])
			if err != nil {
				return nil, bad(err)
			}
			str.Fields = append(str.Fields, Field{f[1], f[2], offset, size})
		case "function":
			t.Functions[f[1]] = f[4]
		case "constant":
			t.Constants[f[1]] = f[3]
		}
	}
	return t, nil
}
