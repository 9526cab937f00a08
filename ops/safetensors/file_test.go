package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/ops/golden"
	"github.com/puremetal/puremetal/ops/safetensors"
)

// file builds a file of a header's text and data.
func file(header, data string) []byte {
	p := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(p, header...), data...)
}

func parse(p []byte) (*safetensors.File, error) {
	return safetensors.Parse(bytes.NewReader(p), int64(len(p)))
}

func TestGoldenFileHasItsTensorsInTheirShapes(t *testing.T) {
	f, err := golden.GDN()
	if err != nil {
		t.Fatal(err)
	}
	if got := len(f.Tensors()); got != 61 {
		t.Errorf("tensors: got %d, want 61", got)
	}
	if cases, ok := f.Metadata("cases"); !ok || !strings.Contains(cases, `"B"`) {
		t.Errorf("metadata cases: got %q", cases)
	}
	q, err := f.Tensor("case0.q")
	if err != nil {
		t.Fatal(err)
	}
	if q.DType != safetensors.BF16 || len(q.Shape) != 4 {
		t.Errorf("case0.q: got %s %v", q.DType, q.Shape)
	}
	values, err := q.Float32s()
	if err != nil {
		t.Fatal(err)
	}
	// q is L2-normalised per head, so any row has norm 1 within the rounding of bf16.
	var norm float64
	for _, x := range values[:q.Shape[3]] {
		norm += float64(x) * float64(x)
	}
	if math.Abs(norm-1) > 0.01 {
		t.Errorf("norm of the first row: got %v, want 1", norm)
	}
}

func TestFaultyFilesAreRejectedByWhatIsWrong(t *testing.T) {
	const two = `"dtype":"F32","shape":[2],"data_offsets":`
	for _, c := range []struct{ name, header, data, want string }{
		{"no object", `[]`, "", "begins with '{'"},
		{"leading space", ` {}`, "", "begins with '{'"},
		{"empty header", ``, "", "begins with '{'"},
		{"not closed", `{"a":{`, "", "end of the header"},
		{"text after the object", `{} x`, "", "nothing but spaces"},
		{"duplicate tensor", `{"a":{` + two + `[0,8]},"a":{` + two + `[0,8]}}`, "12345678", "occurs twice"},
		{"duplicate by escape", `{"a":{` + two + `[0,8]},"\u0061":{` + two + `[0,8]}}`, "12345678", "occurs twice"},
		{"duplicate metadata key", `{"__metadata__":{"a":"1","a":"2"}}`, "", "occurs twice"},
		{"duplicate field", `{"a":{"dtype":"F32",` + two + `[0,8]}}`, "12345678", "occurs twice"},
		{"metadata is not text", `{"__metadata__":{"a":1}}`, "", `wanted "\""`},
		{"missing field", `{"a":{"dtype":"F32","shape":[2]}}`, "", "wanted the fields"},
		{"unknown field", `{"a":{"strides":[1],` + two + `[0,8]}}`, "12345678", "unknown field"},
		{"one offset", `{"a":{` + two + `[0]}}`, "12345678", "two data_offsets"},
		{"three offsets", `{"a":{` + two + `[0,8,8]}}`, "12345678", "two data_offsets"},
		{"negative offset", `{"a":{` + two + `[-8,0]}}`, "12345678", "non-negative"},
		{"fraction", `{"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}`, "12345678", "fraction"},
		{"leading zero", `{"a":{` + two + `[0,08]}}`, "12345678", "leading zero"},
		{"huge integer", `{"a":{` + two + `[0,99999999999999999999]}}`, "12345678", "64 bits"},
		{"end before begin", `{"a":{` + two + `[8,0]}}`, "12345678", "begin <= end"},
		{"past the end", `{"a":{` + two + `[8,16]}}`, "12345678", "begin <= end <= 8"},
		{"wrong size", `{"a":{` + two + `[0,4]}}`, "1234", "8 bytes for F32 [2]"},
		{"gap", `{"a":{` + two + `[0,8]},"b":{` + two + `[12,20]}}`, strings.Repeat("x", 20), "begin of 8"},
		{"gap at the start", `{"a":{` + two + `[4,12]}}`, strings.Repeat("x", 12), "begin of 0"},
		{"overlap", `{"a":{` + two + `[0,8]},"b":{` + two + `[4,12]}}`, strings.Repeat("x", 12), "begin of 8"},
		{"data left over", `{"a":{` + two + `[0,8]}}`, "123456789", "8 bytes, as the header describes, got 9"},
		{"element overflow", `{"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, "", "fits an int"},
		{"byte overflow", `{"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}}`, "", "below 2^63"},
		{"half a byte", `{"a":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}}`, "x", "whole number of bytes"},
		{"rank", `{"a":{"dtype":"U8","shape":[` + strings.Repeat("1,", 64) + `1],"data_offsets":[0,1]}}`, "x", "64 dimensions"},
		{"broken UTF-8", "{\"a\xff\":{" + two + "[0,8]}}", "12345678", "not UTF-8"},
		{"lone surrogate", `{"\ud800":{` + two + `[0,8]}}`, "12345678", "lone surrogate"},
		{"unknown escape", `{"\x":{` + two + `[0,8]}}`, "12345678", "unknown escape"},
		{"control character", "{\"a\nb\":{" + two + "[0,8]}}", "12345678", "control character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(file(c.header, c.data))
			var e *safetensors.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an *Error with %q", err, c.want)
			}
		})
	}
}

func TestHeaderLengthIsBoundedByTheFileAndTheLimit(t *testing.T) {
	long := binary.LittleEndian.AppendUint64(nil, math.MaxUint64)
	if _, err := parse(long); err == nil || !strings.Contains(err.Error(), "at most 0") {
		t.Errorf("longer than the file: got %v", err)
	}
	// A sparse reader of a terabyte: the limit must reject it before the header is allocated.
	over := binary.LittleEndian.AppendUint64(nil, safetensors.MaxHeaderLength+1)
	if _, err := safetensors.Parse(bytes.NewReader(over), 1<<40); err == nil || !strings.Contains(err.Error(), "at most 100000000") {
		t.Errorf("longer than the limit: got %v", err)
	}
	for _, short := range []string{"", "1234567"} {
		if _, err := parse([]byte(short)); err == nil || !strings.Contains(err.Error(), "at least 8 bytes") {
			t.Errorf("%d bytes: got %v", len(short), err)
		}
	}
}

func TestTruncatedReaderIsAnUnexpectedEOF(t *testing.T) {
	p := file(`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, "1234")
	f, err := safetensors.Parse(bytes.NewReader(p[:len(p)-1]), int64(len(p)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Tensor("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Bytes(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want io.ErrUnexpectedEOF", err)
	}
}

func TestEmptyAndScalarTensorsAreTensors(t *testing.T) {
	f, err := parse(file(`{"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},`+
		`"e":{"dtype":"F32","shape":[3,0],"data_offsets":[4,4]},"f":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}  `,
		"\x00\x00\x80\x3f"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{"s": {1}, "e": {}} {
		tensor, err := f.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Float32s(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
}

func TestUnknownDTypeIsAnErrorOnlyWhenItsValuesAreAskedFor(t *testing.T) {
	f, err := parse(file(`{"a":{"dtype":"F128","shape":[1],"data_offsets":[0,16]}}`, strings.Repeat("x", 16)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Tensor("a")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := a.Bytes(); err != nil || len(p) != 16 {
		t.Errorf("Bytes: got %d bytes, %v", len(p), err)
	}
	var e *safetensors.Error
	if _, err := a.Float32s(); !errors.As(err, &e) || e.Tensor != "a" || e.Got != "F128" {
		t.Errorf("Float32s: got %v", err)
	}
	if _, err := a.Int32s(); !errors.As(err, &e) || e.Wanted != "I32" {
		t.Errorf("Int32s: got %v", err)
	}
}

func TestHalvesWidenExactly(t *testing.T) {
	halves := []uint16{0x0000, 0x8000, 0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x3555}
	want := []float64{0, math.Copysign(0, -1), 1, -2, 0x1p-24, 1023 * 0x1p-24, 0x1p-14, 65504, math.Inf(1), math.Inf(-1), 0x1.554p-2}
	var data []byte
	for _, h := range halves {
		data = binary.LittleEndian.AppendUint16(data, h)
	}
	f, err := parse(file(fmt.Sprintf(`{"h":{"dtype":"F16","shape":[%d],"data_offsets":[0,%d]}}`, len(halves), len(data)), string(data)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.Tensor("h")
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.Float32s()
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Float64bits(float64(got[i])) != math.Float64bits(want[i]) {
			t.Errorf("%#04x: got %v, want %v", halves[i], got[i], want[i])
		}
	}
}

func TestMissingTensorNamesItsSiblings(t *testing.T) {
	f, err := golden.GDN()
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Tensor("case0.missing")
	if err == nil || !strings.Contains(err.Error(), "case0.final_state") {
		t.Errorf("got %v, want the names of case0", err)
	}
}

func TestOpenErrorsNameTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	if _, err := safetensors.Open(path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("absent: got %v", err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := safetensors.Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("short: got %v", err)
	}
	if _, err := safetensors.Open(filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("directory: got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, "12345678"))
	f.Add(file(`{"__metadata__":{"k":"v\u00e9\ud83d\ude00"},"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}} `, "12"))
	f.Add(file(`{"a":{"dtype":"F4","shape":[2,2],"data_offsets":[0,2]}}`, "12"))
	f.Fuzz(func(t *testing.T, p []byte) {
		file, err := parse(p)
		if err != nil {
			var e *safetensors.Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		var total int64
		for _, tensor := range file.Tensors() {
			total += tensor.Size()
			if b, err := tensor.Bytes(); err != nil || int64(len(b)) != tensor.Size() {
				t.Fatalf("%q: %d bytes, %v", tensor.Name, len(b), err)
			}
			if got, err := tensor.Float32s(); err == nil && len(got) != tensor.Len() {
				t.Fatalf("%q: %d elements, want %d", tensor.Name, len(got), tensor.Len())
			}
		}
		if n := int64(binary.LittleEndian.Uint64(p)); total != int64(len(p))-8-n {
			t.Fatalf("tensors of %d bytes in %d bytes of data", total, int64(len(p))-8-n)
		}
	})
}
