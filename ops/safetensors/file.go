package safetensors

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

// MaxHeaderLength is the longest header that is read, in bytes; the reference
// implementation of the format has the same limit.
const MaxHeaderLength = 100_000_000

// A File is an open safetensors file. Its methods are safe for concurrent use as far as
// the underlying io.ReaderAt is.
type File struct {
	name     string
	closer   io.Closer
	metadata map[string]string
	tensors  []*Tensor
	byName   map[string]*Tensor
}

// Open opens the file at path and checks its header. The file stays open, for the
// tensors' data, until Close. Errors are *Error.
func Open(path string) (*File, error) {
	osFile, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Field: "open", Err: err}
	}
	info, err := osFile.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		osFile.Close()
		return nil, &Error{File: path, Field: "open", Err: err}
	}
	f, err := parse(path, osFile, info.Size())
	if err != nil {
		osFile.Close()
		return nil, err
	}
	f.closer = osFile
	return f, nil
}

// Parse checks the header of the size bytes that r holds. The tensors read from r when
// their data is asked for, so r must outlive the File. Errors are *Error.
func Parse(r io.ReaderAt, size int64) (*File, error) { return parse("", r, size) }

func parse(name string, r io.ReaderAt, size int64) (*File, error) {
	fail := func(field, wanted, got string) (*File, error) {
		return nil, &Error{File: name, Field: field, Wanted: wanted, Got: got}
	}
	if size < 8 {
		return fail("size", "at least 8 bytes", fmt.Sprint(size))
	}
	var prefix [8]byte
	if err := readFull(r, prefix[:], 0); err != nil {
		return nil, &Error{File: name, Field: "header length", Err: err}
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if limit := min(uint64(size-8), MaxHeaderLength); length > limit {
		return fail("header length", fmt.Sprintf("at most %d", limit), fmt.Sprint(length))
	}
	text := make([]byte, length)
	if err := readFull(r, text, 8); err != nil {
		return nil, &Error{File: name, Field: "header", Err: err}
	}
	if length == 0 || text[0] != '{' {
		return fail("header", "JSON that begins with '{'", quote(string(text[:min(length, 8)])))
	}
	h, err := parseHeader(text)
	if err != nil {
		return nil, &Error{File: name, Field: "header", Err: err}
	}

	f := &File{name: name, metadata: h.metadata, byName: make(map[string]*Tensor, len(h.entries))}
	dataStart := 8 + int64(length)
	dataSize := size - dataStart
	for _, e := range h.entries {
		if err := e.check(dataSize); err != nil {
			err.File = name
			return nil, err
		}
		t := &Tensor{
			Name: e.name, DType: e.dtype, Shape: e.shape,
			file: name, r: r, begin: dataStart + e.begin, size: e.end - e.begin,
		}
		f.tensors = append(f.tensors, t)
		f.byName[e.name] = t
	}
	// An empty tensor may share its offset with its neighbour's begin; sorting it first
	// keeps the chain below unbroken.
	slices.SortStableFunc(f.tensors, func(a, b *Tensor) int {
		if c := cmp.Compare(a.begin, b.begin); c != 0 {
			return c
		}
		return cmp.Compare(a.size, b.size)
	})
	next := dataStart
	for _, t := range f.tensors {
		if t.begin != next {
			return nil, &Error{
				File: name, Tensor: t.Name, Field: "data_offsets",
				Wanted: fmt.Sprintf("a begin of %d, where the tensor before ends", next-dataStart),
				Got:    fmt.Sprint(t.begin - dataStart),
			}
		}
		next += t.size
	}
	if next != size {
		return fail("data", fmt.Sprintf("%d bytes, as the header describes", next-dataStart), fmt.Sprint(dataSize))
	}
	return f, nil
}

// check holds an entry against the size of the file's data.
func (e *entry) check(dataSize int64) *Error {
	fail := func(field, wanted, got string) *Error {
		return &Error{Tensor: e.name, Field: field, Wanted: wanted, Got: got}
	}
	if e.begin > e.end || e.end > dataSize {
		return fail("data_offsets", fmt.Sprintf("begin <= end <= %d", dataSize), fmt.Sprintf("[%d, %d]", e.begin, e.end))
	}
	if n, ok := elements(e.shape); !ok || n > math.MaxInt {
		return fail("shape", "a number of elements that fits an int", fmt.Sprint(e.shape))
	}
	// A type from the future has a size only its author knows. Its range is checked
	// above like any other, and its values cannot be asked for.
	if e.dtype.Bits() == 0 {
		return nil
	}
	want, ok := e.dtype.byteSize(e.shape)
	if !ok {
		return fail("shape", "a whole number of bytes below 2^63", fmt.Sprintf("%s %v", e.dtype, e.shape))
	}
	if got := e.end - e.begin; got != want {
		return fail("data_offsets", fmt.Sprintf("%d bytes for %s %v", want, e.dtype, e.shape), fmt.Sprint(got))
	}
	return nil
}

// Close closes a file that Open opened; after Parse it does nothing. The tensors'
// data cannot be read any more.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Metadata returns the value of key in the header's __metadata__.
func (f *File) Metadata(key string) (value string, ok bool) {
	value, ok = f.metadata[key]
	return value, ok
}

// Tensors returns all tensors in the order of their data. The slice is the caller's.
func (f *File) Tensors() []*Tensor { return slices.Clone(f.tensors) }

// Tensor returns the tensor of that name, or an *Error that lists the closest there is.
func (f *File) Tensor(name string) (*Tensor, error) {
	if t := f.byName[name]; t != nil {
		return t, nil
	}
	got := fmt.Sprintf("a file of %d tensors without it", len(f.tensors))
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		var near []string
		for _, t := range f.tensors {
			if strings.HasPrefix(t.Name, name[:dot+1]) && len(near) < 16 {
				near = append(near, t.Name)
			}
		}
		if len(near) > 0 {
			got = "only " + strings.Join(near, ", ")
		}
	}
	return nil, &Error{File: f.name, Tensor: name, Field: "name", Wanted: "this tensor", Got: got}
}

func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}
