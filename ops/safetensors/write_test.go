package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/puremetal/puremetal/ops/safetensors"
)

func TestWhatIsWrittenReadsBack(t *testing.T) {
	var out bytes.Buffer
	nasty := "quote\" back\\ line\n é 😀"
	err := safetensors.Write(&out, map[string]string{nasty: nasty, "b": ""}, []safetensors.Data{
		safetensors.BFloat16Data("half", []float32{1, -2.5, 3}, 3),
		safetensors.Float32Data(nasty, []float32{1, 2, 3, 4, 5, 6}, 2, 3),
		{Name: "ids", DType: safetensors.I32, Shape: []int{1}, Bytes: []byte{0xfe, 0xff, 0xff, 0xff}},
		safetensors.Float32Data("empty", nil, 0, 7),
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint64(out.Bytes()); n%8 != 0 {
		t.Errorf("header of %d bytes, want a multiple of 8", n)
	}
	// The three halves come first in the arguments and would leave the floats misaligned.
	if at := bytes.Index(out.Bytes(), []byte("\x00\x00\x80\x3f\x00\x00\x00\x40")); at%4 != 0 {
		t.Errorf("the floats begin at byte %d, want a multiple of 4", at)
	}
	f, err := parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Metadata(nasty); !ok || got != nasty {
		t.Errorf("metadata: got %q, %v", got, ok)
	}
	for name, want := range map[string][]float32{"half": {1, -2.5, 3}, nasty: {1, 2, 3, 4, 5, 6}, "empty": {}} {
		tensor, err := f.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Float32s(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
	ids, err := f.Tensor("ids")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ids.Int32s(); err != nil || !slices.Equal(got, []int32{-2}) {
		t.Errorf("ids: got %v, %v", got, err)
	}
}

func TestBFloat16RoundsToNearestEven(t *testing.T) {
	in := []float32{1, 1 + 0x1p-8, 1 + 0x1p-8 + 0x1p-20, 1 + 3*0x1p-8, math.MaxFloat32, float32(math.NaN()), float32(math.Inf(-1))}
	want := []uint16{0x3f80, 0x3f80, 0x3f81, 0x3f82, 0x7f80, 0x7fc0, 0xff80}
	d := safetensors.BFloat16Data("x", in, len(in))
	for i := range want {
		if got := binary.LittleEndian.Uint16(d.Bytes[2*i:]); got != want[i] {
			t.Errorf("%v: got %#04x, want %#04x", in[i], got, want[i])
		}
	}
}

func TestWriteRejectsWhatParseWould(t *testing.T) {
	one := safetensors.Float32Data("a", []float32{1}, 1)
	for name, tensors := range map[string][]safetensors.Data{
		"duplicate":      {one, one},
		"reserved name":  {safetensors.Float32Data("__metadata__", nil, 0)},
		"wrong size":     {safetensors.Float32Data("a", []float32{1}, 2)},
		"negative shape": {safetensors.Float32Data("a", nil, -1, 0)},
		"unknown dtype":  {{Name: "a", DType: "F128", Shape: []int{0}}},
		"not UTF-8":      {safetensors.Float32Data("\xff", nil, 0)},
	} {
		var out bytes.Buffer
		var e *safetensors.Error
		if err := safetensors.Write(&out, nil, tensors); !errors.As(err, &e) || out.Len() != 0 {
			t.Errorf("%s: got %v after %d bytes, want an *Error after none", name, err, out.Len())
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteReportsTheWritersError(t *testing.T) {
	if err := safetensors.Write(failingWriter{}, nil, nil); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}
