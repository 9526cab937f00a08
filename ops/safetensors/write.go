package safetensors

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Data is a tensor to be written: packed, row-major, little-endian bytes.
type Data struct {
	Name  string
	DType DType
	Shape []int
	Bytes []byte
}

// Float32Data describes values as an F32 tensor.
func Float32Data(name string, values []float32, shape ...int) Data {
	p := make([]byte, 0, 4*len(values))
	for _, x := range values {
		p = binary.LittleEndian.AppendUint32(p, math.Float32bits(x))
	}
	return Data{Name: name, DType: F32, Shape: shape, Bytes: p}
}

// BFloat16Data describes values as a BF16 tensor, each rounded to the nearest, ties to even.
func BFloat16Data(name string, values []float32, shape ...int) Data {
	p := make([]byte, 0, 2*len(values))
	for _, x := range values {
		p = binary.LittleEndian.AppendUint16(p, bfloat16Bits(x))
	}
	return Data{Name: name, DType: BF16, Shape: shape, Bytes: p}
}

// Write writes a file of the given metadata, which may be nil, and tensors. The data is
// ordered by element size, largest first, and the header padded to 8 bytes, so that every
// element is naturally aligned in the file. Equal arguments give equal bytes. A faulty
// tensor is an *Error, reported before anything is written; other errors are w's.
func Write(w io.Writer, metadata map[string]string, tensors []Data) error {
	seen := map[string]bool{}
	for _, t := range tensors {
		fail := func(field, wanted, got string) error {
			return &Error{Tensor: t.Name, Field: field, Wanted: wanted, Got: got}
		}
		if t.Name == "__metadata__" || seen[t.Name] || !utf8.ValidString(t.Name) {
			return fail("name", "a UTF-8 name of its own, not __metadata__", quote(t.Name))
		}
		seen[t.Name] = true
		if t.DType.Bits() == 0 {
			return fail("dtype", "one of the format's", quote(string(t.DType)))
		}
		if len(t.Shape) > maxRank {
			return fail("shape", fmt.Sprintf("at most %d dimensions", maxRank), fmt.Sprint(len(t.Shape)))
		}
		if size, ok := t.DType.byteSize(t.Shape); !ok || size != int64(len(t.Bytes)) {
			return fail("data", fmt.Sprintf("the bytes of %s %v", t.DType, t.Shape), fmt.Sprint(len(t.Bytes)))
		}
	}
	for key, value := range metadata {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return &Error{Field: "metadata", Wanted: "UTF-8", Got: quote(key + ": " + value)}
		}
	}
	ordered := slices.SortedStableFunc(slices.Values(tensors), func(a, b Data) int {
		return cmp.Compare(b.DType.Bits(), a.DType.Bits())
	})

	text := headerText(metadata, ordered)
	if len(text) > MaxHeaderLength {
		return &Error{Field: "header length", Wanted: fmt.Sprintf("at most %d", MaxHeaderLength), Got: fmt.Sprint(len(text))}
	}
	out := bufio.NewWriter(w)
	// bufio keeps the first error and Flush returns it.
	out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
	out.WriteString(text)
	for _, t := range ordered {
		out.Write(t.Bytes)
	}
	return out.Flush()
}

func headerText(metadata map[string]string, tensors []Data) string {
	var b strings.Builder
	b.WriteByte('{')
	comma := ""
	if len(metadata) > 0 {
		b.WriteString(`"__metadata__":{`)
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			b.WriteString(comma)
			writeString(&b, key)
			b.WriteByte(':')
			writeString(&b, metadata[key])
			comma = ","
		}
		b.WriteByte('}')
		comma = ","
	}
	offset := 0
	for _, t := range tensors {
		b.WriteString(comma)
		comma = ","
		writeString(&b, t.Name)
		b.WriteString(`:{"dtype":`)
		writeString(&b, string(t.DType))
		b.WriteString(`,"shape":[`)
		for i, d := range t.Shape {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(d))
		}
		fmt.Fprintf(&b, `],"data_offsets":[%d,%d]}`, offset, offset+len(t.Bytes))
		offset += len(t.Bytes)
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	return b.String()
}

func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
