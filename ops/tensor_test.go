package ops_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/puremetal/puremetal/ops"
)

func TestSliceAndIndexShareMemoryAtTheRightOffset(t *testing.T) {
	x := newTensor(t, ops.BF16, 4, 3, 2)
	s, err := x.Slice(1, 3)
	if err != nil || s.Offset != x.Offset+12 || !slices.Equal(s.Shape, []int{2, 3, 2}) || s.Buffer != x.Buffer {
		t.Errorf("Slice(1, 3) = %+v, %v", s, err)
	}
	row, err := s.Index(1)
	if err != nil || row.Offset != x.Offset+24 || !slices.Equal(row.Shape, []int{3, 2}) {
		t.Errorf("Index(1) of it = %+v, %v", row, err)
	}
	flat, err := row.Reshape(6)
	if err != nil || flat.Offset != row.Offset || !slices.Equal(flat.Shape, []int{6}) {
		t.Errorf("Reshape(6) of it = %+v, %v", flat, err)
	}
	if n, err := s.ByteSize(); err != nil || n != 24 {
		t.Errorf("ByteSize = %d, %v", n, err)
	}
	if !slices.Equal(x.Shape, []int{4, 3, 2}) {
		t.Errorf("the original's shape is now %v", x.Shape)
	}
}

func TestTensorMethodsRejectWhatIsOutOfRange(t *testing.T) {
	x := newTensor(t, ops.F32, 4, 3)
	huge := ops.Tensor{Buffer: x.Buffer, DType: ops.F32, Shape: []int{math.MaxInt / 2, 3}}
	wide := ops.Tensor{Buffer: x.Buffer, DType: ops.F32, Shape: []int{math.MaxInt / 2}}
	for name, f := range map[string]func() error{
		"slice before":      func() error { _, err := x.Slice(-1, 2); return err },
		"slice behind":      func() error { _, err := x.Slice(0, 5); return err },
		"empty slice":       func() error { _, err := x.Slice(2, 2); return err },
		"index before":      func() error { _, err := x.Index(-1); return err },
		"index behind":      func() error { _, err := x.Index(4); return err },
		"scalar":            func() error { _, err := ops.Tensor{Buffer: x.Buffer, DType: ops.F32}.Index(0); return err },
		"other count":       func() error { _, err := x.Reshape(5, 2); return err },
		"zero dimension":    func() error { _, err := x.Reshape(12, 0); return err },
		"elements overflow": func() error { _, err := huge.Elements(); return err },
		"bytes overflow":    func() error { _, err := wide.ByteSize(); return err },
		"unknown type":      func() error { _, err := ops.Tensor{Shape: []int{1}}.ByteSize(); return err },
		"offset overflow":   func() error { y := x; y.Offset = math.MaxInt - 8; _, err := y.Slice(1, 2); return err },
	} {
		var e *ops.ArgumentError
		if err := f(); !errors.As(err, &e) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestRangesOverlapOnlyWhereTheyShareAByte(t *testing.T) {
	a, b := newTensor(t, ops.F32, 1), newTensor(t, ops.F32, 1)
	r := func(x ops.Tensor, from, to int) ops.Range { return ops.Range{Buffer: x.Buffer, Start: from, End: to} }
	for _, c := range []struct {
		x, y ops.Range
		want bool
	}{
		{r(a, 0, 4), r(a, 4, 8), false}, {r(a, 0, 5), r(a, 4, 8), true}, {r(a, 4, 8), r(a, 0, 5), true},
		{r(a, 0, 8), r(b, 0, 8), false}, {r(a, 0, 8), r(a, 2, 3), true},
	} {
		if c.x.Overlaps(c.y) != c.want {
			t.Errorf("%v and %v: want %v", c.x, c.y, c.want)
		}
	}
}
