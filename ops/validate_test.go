package ops_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
)

type validator interface {
	encoder
	Validate() error
	AppendReads([]ops.Range) []ops.Range
	AppendWrites([]ops.Range) []ops.Range
}

// validOps are one valid operation of each kind, as pointers, so that a test can spoil one field at a time.
func validOps(t testing.TB) []validator {
	in := reference.Generate(reference.Dims{B: 2, T: 65, Hg: 1, H: 2, K: 64, V: 32}, 1, 0.2, true)
	x, d := upload(t, in), in.Dims
	scalar := func() ops.Tensor { return newTensor(t, ops.F32, d.B, d.T, d.H) }
	matrix := func() ops.Tensor { return newTensor(t, ops.F32, d.B, d.T, d.H, ops.ChunkSize) }
	keys := func() ops.Tensor { return newTensor(t, ops.BF16, d.B, d.T, d.H, d.K) }
	vals := func() ops.Tensor { return newTensor(t, ops.BF16, d.B, d.T, d.H, d.V) }
	state := func() ops.Tensor { return newTensor(t, ops.F32, d.B, d.H, d.V, d.K) }
	h := newTensor(t, ops.BF16, d.B, d.Chunks(), d.H, d.V, d.K)
	rule := x.rule(t, ops.PathChunked, ops.BF16)
	rule.NormalizeQK = true
	addScratch(t, &rule)
	return []validator{
		&ops.ChunkLocalCumsum{G: x.g, Out: scalar()},
		&ops.GatedDeltaKKT{K: x.k, Beta: x.beta, G: x.g, A: matrix()},
		&ops.GatedDeltaSolve{A: matrix(), Inverse: matrix()},
		&ops.GatedDeltaWU{K: x.k, V: x.v, Beta: x.beta, G: x.g, Inverse: matrix(), W: keys(), U: vals()},
		&ops.GatedDeltaChunkState{K: x.k, W: keys(), U: vals(), G: x.g, InitialState: x.initial, H: h, VNew: vals(), FinalState: state()},
		&ops.GatedDeltaChunkO{Q: x.q, K: x.k, V: vals(), H: h, G: x.g, Out: vals(), Scale: 1},
		&ops.GatedDeltaRecurrent{Q: x.q, K: x.k, V: x.v, G: x.g, Beta: x.beta, InitialState: x.initial, Out: vals(),
			FinalState: state(), Scale: 1},
		&ops.L2Norm{X: x.q, Out: newTensor(t, ops.BF16, d.B, d.T, d.Hg, d.K), Epsilon: 1e-6},
		&rule,
	}
}

// optional tensors may be absent.
func optional(field string) bool { return strings.HasSuffix(field, "State") }

// eachTensor calls f with a fresh copy of each operation, for each of its tensors.
func eachTensor(t *testing.T, f func(op validator, field string, x *ops.Tensor)) {
	t.Helper()
	for _, original := range validOps(t) {
		typ := reflect.TypeOf(original).Elem()
		for i := range typ.NumField() {
			copied := reflect.New(typ)
			copied.Elem().Set(reflect.ValueOf(original).Elem())
			if x, ok := copied.Elem().Field(i).Addr().Interface().(*ops.Tensor); ok {
				x.Shape = append([]int(nil), x.Shape...)
				f(copied.Interface().(validator), typ.Field(i).Name, x)
			}
		}
	}
}

// rejected fails unless op's Validate and Encode blame the field, or, if blame is empty, any.
func rejected(t *testing.T, what string, op validator, blame string) *ops.ArgumentError {
	t.Helper()
	name := reflect.TypeOf(op).Elem().Name()
	var e *ops.ArgumentError
	if err := op.Validate(); !errors.As(err, &e) {
		t.Errorf("%s: %s: error %v", name, what, err)
		return nil
	}
	if e.Op != name || e.Wanted == "" || e.Got == "" || blame != "" && e.Argument != blame {
		t.Errorf("%s: %s: %v; want %s blamed", name, what, e, blame)
	}
	// Encode stops before it touches the encoder or the registry.
	var again *ops.ArgumentError
	if err := op.Encode((*mtl.ComputeCommandEncoder)(nil), (*kernels.Registry)(nil)); !errors.As(err, &again) || *again != *e {
		t.Errorf("%s: %s: Encode says %v, Validate %v", name, what, err, e)
	}
	return e
}

func TestValidOperationsAreAccepted(t *testing.T) {
	for _, op := range validOps(t) {
		if err := op.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestAbsentTensorsAreRejectedUnlessOptional(t *testing.T) {
	eachTensor(t, func(op validator, field string, x *ops.Tensor) {
		*x = ops.Tensor{}
		if optional(field) {
			if err := op.Validate(); err != nil {
				t.Error(err)
			}
			return
		}
		rejected(t, "absent "+field, op, "")
	})
}

func TestEveryTensorIsHeldToTypeShapeAndMemory(t *testing.T) {
	eachTensor(t, func(op validator, field string, x *ops.Tensor) {
		valid := *x
		spoil := func(what, blame string, change func()) {
			*x = valid
			x.Shape = append([]int(nil), valid.Shape...)
			change()
			rejected(t, what+" "+field, op, blame)
		}
		spoil("type of", field, func() { x.DType = ops.I32 })
		spoil("unknown type of", field, func() { x.DType = 200 })
		spoil("misaligned offset of", field, func() { x.Offset += 2 })
		spoil("negative offset of", field, func() { x.Offset = -guard })
		spoil("offset behind the end of", field, func() { x.Offset = x.Buffer.Length() + 16 })
		spoil("huge offset of", field, func() { x.Offset = math.MaxInt &^ 15 })
		// L2Norm takes any number of axes and blames Out, which now has others.
		spoil("axes of", map[bool]string{false: field}[field == "X"], func() { x.Shape = append(x.Shape, 1, 1) })
		for i := range valid.Shape {
			// Another dimension is blamed on this tensor or on one that it now disagrees with.
			spoil("zero dimension of", "", func() { x.Shape[i] = 0 })
			spoil("negative dimension of", "", func() { x.Shape[i] = -x.Shape[i] })
			spoil("overflowing dimension of", "", func() { x.Shape[i] = math.MaxInt })
			if field != "Scratch" { // which may be longer than needed
				spoil("larger dimension of", "", func() { x.Shape[i]++ })
			}
		}
	})
}

func TestShortBuffersAreRejected(t *testing.T) {
	eachTensor(t, func(op validator, field string, x *ops.Tensor) {
		n, err := x.ByteSize()
		if err != nil {
			t.Fatal(err)
		}
		buffer, err := rig.device.NewBuffer(n+12, mtl.StorageModeShared)
		if err != nil {
			t.Fatal(err)
		}
		defer buffer.Release()
		x.Buffer, x.Offset = buffer, 16
		rejected(t, "4 bytes too few for "+field, op, field)
		if field == "Scratch" {
			x.Offset = 0
			x.Shape[0]--
			rejected(t, "a byte too few for "+field, op, field)
		}
	})
}

func TestUnsupportedHeadsAreRejectedWithWhatIsSupported(t *testing.T) {
	d := reference.Dims{B: 1, T: 8, Hg: 2, H: 2, K: 64, V: 32}
	make := func(change func(*reference.Dims)) *ops.GatedDeltaRecurrent {
		e := d
		change(&e)
		x := func(dtype ops.DType, shape ...int) ops.Tensor { return newTensor(t, dtype, shape...) }
		return &ops.GatedDeltaRecurrent{Q: x(ops.BF16, e.B, e.T, e.Hg, e.K), K: x(ops.BF16, e.B, e.T, e.Hg, e.K),
			V: x(ops.BF16, e.B, e.T, e.H, e.V), G: x(ops.F32, e.B, e.T, e.H), Beta: x(ops.F32, e.B, e.T, e.H),
			Out: x(ops.F32, e.B, e.T, e.H, e.V), Scale: 1}
	}
	if err := make(func(*reference.Dims) {}).Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, wanted string
		change       func(*reference.Dims)
	}{
		{"K = 96", "64, 128, 192 or 256", func(d *reference.Dims) { d.K = 96 }},
		{"K = 320", "64, 128, 192 or 256", func(d *reference.Dims) { d.K = 320 }},
		{"V = 48", "multiple of 32 up to 256", func(d *reference.Dims) { d.V = 48 }},
		{"V = 288", "multiple of 32 up to 256", func(d *reference.Dims) { d.V = 288 }},
		{"H = 3, Hg = 2", "divides the 3 V-heads", func(d *reference.Dims) { d.H = 3 }},
		{"H = 2, Hg = 4", "divides the 2 V-heads", func(d *reference.Dims) { d.Hg = 4 }},
	} {
		if e := rejected(t, c.what, make(c.change), ""); e != nil && !strings.Contains(e.Wanted, c.wanted) {
			t.Errorf("%s: %v does not say %q", c.what, e, c.wanted)
		}
	}
}

func TestSizesBeyondTheKernelsCountersAreRejected(t *testing.T) {
	b := newTensor(t, ops.F32, 4)
	for _, shape := range [][]int{{1 << 32, 1, 1}, {1, 1 << 31, 1}, {1, 1, 1 << 20}} {
		x := ops.Tensor{Buffer: b.Buffer, DType: ops.F32, Shape: shape}
		rejected(t, "a huge shape", &ops.ChunkLocalCumsum{G: x, Out: x}, "G")
	}
	rejected(t, "2^33 rows", &ops.L2Norm{X: ops.Tensor{Buffer: b.Buffer, DType: ops.F32, Shape: []int{1 << 33, 64}}}, "X")
	v := ops.Tensor{Shape: []int{1 << 31, 1 << 30, 1 << 10, 256}}
	op := ops.ChunkGatedDeltaRule{Q: ops.Tensor{Shape: []int{1 << 31, 1 << 30, 1 << 10, 256}}, V: v}
	if n, err := op.ScratchSize(); err == nil {
		t.Errorf("a scratch of %d bytes for %v", n, v.Shape)
	}
}

func TestScalarsThatCannotBeUsedAreRejected(t *testing.T) {
	for _, op := range validOps(t) {
		typ := reflect.TypeOf(op).Elem()
		for i := range typ.NumField() {
			field := typ.Field(i)
			value := reflect.ValueOf(op).Elem().Field(i)
			switch field.Name {
			case "Scale":
				for _, s := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
					value.SetFloat(s)
					rejected(t, "scale", op, field.Name)
				}
			case "Epsilon":
				for _, e := range []float64{-1e-6, math.NaN(), math.Inf(1)} {
					value.SetFloat(e)
					rejected(t, "epsilon", op, field.Name)
				}
			case "Path":
				value.SetUint(9)
				rejected(t, "path", op, field.Name)
			}
		}
	}
}

func TestOutputsMayOnlyAliasWhereThatIsSafe(t *testing.T) {
	outputs := map[string]bool{"Out": true, "A": true, "Inverse": true, "W": true, "U": true, "H": true, "VNew": true,
		"FinalState": true, "Scratch": true}
	inputs := map[string][]string{"GatedDeltaSolve": {"A"}, "GatedDeltaWU": {"Inverse"}, "GatedDeltaChunkState": {"W", "U"},
		"GatedDeltaChunkO": {"H"}}
	inPlace := map[string]string{"ChunkLocalCumsum.Out": "G", "GatedDeltaSolve.Inverse": "A", "GatedDeltaChunkState.VNew": "U",
		"GatedDeltaChunkState.FinalState": "InitialState", "GatedDeltaRecurrent.FinalState": "InitialState", "L2Norm.Out": "X",
		"ChunkGatedDeltaRule.FinalState": "InitialState"}
	eachTensor(t, func(op validator, field string, x *ops.Tensor) {
		name := reflect.TypeOf(op).Elem().Name()
		isOutput := func(field string) bool {
			for _, in := range inputs[name] {
				if in == field {
					return false
				}
			}
			return outputs[field]
		}
		if !isOutput(field) {
			return
		}
		valid := *x
		value := reflect.ValueOf(op).Elem()
		for i := range value.NumField() {
			other, ok := value.Field(i).Interface().(ops.Tensor)
			otherName := value.Type().Field(i).Name
			if !ok || otherName == field || other.IsZero() {
				continue
			}
			// The output moves into a buffer that both share, first at the same place, then overlapping by 16 bytes.
			n, _ := valid.ByteSize()
			m, _ := other.ByteSize()
			shared := newTensor(t, ops.U8, n+m+64)
			moved := other
			moved.Buffer, moved.Offset = shared.Buffer, shared.Offset
			value.Field(i).Set(reflect.ValueOf(moved))
			*x = valid
			x.Buffer, x.Offset = shared.Buffer, shared.Offset
			if inPlace[name+"."+field] == otherName {
				if err := op.Validate(); err != nil {
					t.Errorf("%s: %s as %s: %v", name, field, otherName, err)
				}
			} else {
				rejected(t, field+" as "+otherName, op, "")
			}
			x.Offset = shared.Offset + (m-16)/16*16
			rejected(t, field+" partly over "+otherName, op, "")
			x.Offset = shared.Offset + (m+15)/16*16
			if err := op.Validate(); err != nil {
				t.Errorf("%s: %s behind %s: %v", name, field, otherName, err)
			}
			value.Field(i).Set(reflect.ValueOf(other))
			*x = valid
		}
	})
}

func TestReadsAndWritesAreTheTensors(t *testing.T) {
	for _, op := range validOps(t) {
		name := reflect.TypeOf(op).Elem().Name()
		value := reflect.ValueOf(op).Elem()
		var tensors []ops.Range
		for i := range value.NumField() {
			if x, ok := value.Field(i).Interface().(ops.Tensor); ok {
				n, _ := x.ByteSize()
				tensors = append(tensors, ops.Range{Buffer: x.Buffer, Start: x.Offset, End: x.Offset + n})
			}
		}
		listed := op.AppendWrites(op.AppendReads(nil))
		if len(listed) != len(tensors) {
			t.Errorf("%s lists %d ranges for %d tensors", name, len(listed), len(tensors))
		}
		for _, want := range tensors {
			found := false
			for _, r := range listed {
				found = found || r == want
			}
			if !found {
				t.Errorf("%s does not list %v", name, want)
			}
		}
	}
}
