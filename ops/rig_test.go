package ops_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
	"github.com/puremetal/puremetal/ops/internal/reference"
	"github.com/puremetal/puremetal/shaders"
	_ "github.com/puremetal/puremetal/soft" // on a Mac without a usable GPU too
)

// rig is the device that the tests of this package share, so that each kernel is compiled once.
var rig struct {
	device   *mtl.Device
	queue    *mtl.CommandQueue
	registry *kernels.Registry
}

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if rig.device, err = testDevice(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if rig.queue, err = rig.device.NewCommandQueue(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if rig.registry, err = kernels.New(rig.device, shaders.Files); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		code := m.Run()
		rig.registry.Release()
		rig.queue.Release()
		rig.device.Release()
		if n := mtl.LiveObjects(); n != 0 && code == 0 {
			fmt.Fprintf(os.Stderr, "%d objects are alive after all tests\n", n)
			return 1
		}
		return code
	}())
}

// testDevice is the default device if it has what the kernels need, simdgroup matrices and bfloat: all GPUs since the M1, but not
// the paravirtual one of a hosted Mac. Otherwise it is the software device, unless PUREMETAL_REQUIRE_GPU=1 and there is no GPU.
func testDevice() (*mtl.Device, error) {
	dev, err := mtl.CreateSystemDefaultDevice()
	if err == nil && dev.SupportsFamily(mtl.GPUFamilyApple7) {
		return dev, nil
	}
	if err != nil && os.Getenv("PUREMETAL_REQUIRE_GPU") == "1" {
		return nil, err
	}
	if err == nil {
		fmt.Fprintf(os.Stderr, "%s has no simdgroup matrices: these tests run on the software device\n", dev.Name())
		dev.Release()
	}
	all, err := mtl.CopyAllDevices()
	if err != nil {
		return nil, err
	}
	var software *mtl.Device
	for _, d := range all {
		if d.IsSoftware() && software == nil {
			software = d
		} else {
			d.Release()
		}
	}
	if software == nil {
		return nil, mtl.ErrNoDevice
	}
	return software, nil
}

// long reports whether tests that take more than a few seconds are wanted.
func long() bool { return os.Getenv("PUREMETAL_LONG") == "1" }

// guard is the length of the bands before and behind every tensor. They hold NaNs of every type, so that what is read out of
// place shows, and are compared when the test ends, so that what is written out of place shows.
const guard = 256

// newTensor is a tensor between guard bands, its elements NaN.
func newTensor(t testing.TB, dtype ops.DType, shape ...int) ops.Tensor {
	t.Helper()
	n := dtype.Size()
	for _, d := range shape {
		n *= d
	}
	length := guard + (n+guard-1)/4*4 + guard
	buffer, err := rig.device.NewBuffer(length, mtl.StorageModeShared)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := mtl.Contents[uint8](buffer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range memory {
		memory[i] = 0xff
	}
	t.Cleanup(func() {
		for i, b := range memory {
			if b != 0xff && (i < guard || i >= guard+n) {
				t.Errorf("byte %d of a tensor of %d bytes was written", i-guard, n)
				break
			}
		}
		buffer.Release()
	})
	return ops.Tensor{Buffer: buffer, Offset: guard, DType: dtype, Shape: shape}
}

// tensor is a tensor with those values, each rounded to the type.
func tensor(t testing.TB, dtype ops.DType, values []float64, shape ...int) ops.Tensor {
	t.Helper()
	x := newTensor(t, dtype, shape...)
	fill(t, x, values)
	return x
}

func fill(t testing.TB, x ops.Tensor, values []float64) {
	t.Helper()
	b := tensorBytes(t, x)
	switch x.DType {
	case ops.F32:
		for i, v := range values {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(v)))
		}
	case ops.BF16:
		for i, v := range reference.BF16Bits(values) {
			binary.LittleEndian.PutUint16(b[2*i:], v)
		}
	default:
		t.Fatalf("no values of type %v", x.DType)
	}
	if len(values)*x.DType.Size() != len(b) {
		t.Fatalf("%d values for shape %v", len(values), x.Shape)
	}
}

func tensorBytes(t testing.TB, x ops.Tensor) []byte {
	t.Helper()
	n, err := x.ByteSize()
	if err != nil {
		t.Fatal(err)
	}
	b, err := mtl.ContentsAt[uint8](x.Buffer, x.Offset, n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// values reads a tensor.
func values(t testing.TB, x ops.Tensor) []float64 {
	t.Helper()
	b := tensorBytes(t, x)
	out := make([]float64, len(b)/x.DType.Size())
	for i := range out {
		if x.DType == ops.F32 {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		} else {
			out[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16))
		}
	}
	return out
}

// encoder is what every op has.
type encoder interface {
	Encode(*mtl.ComputeCommandEncoder, *kernels.Registry) error
}

// run executes ops one after the other.
func run(t testing.TB, list ...encoder) {
	t.Helper()
	if err := execute(rig.registry, list...); err != nil {
		t.Fatal(err)
	}
}

func execute(reg *kernels.Registry, list ...encoder) error {
	return rig.queue.Run(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
		for _, op := range list {
			if err := op.Encode(enc, reg); err != nil {
				return err
			}
		}
		return nil
	})
}

// inputs are a case's arguments on the device.
type inputs struct {
	reference.Inputs
	q, k, v, g, beta, initial ops.Tensor
}

func upload(t testing.TB, in reference.Inputs) inputs {
	t.Helper()
	d := in.Dims
	x := inputs{
		Inputs: in,
		q:      tensor(t, ops.BF16, in.Query, d.B, d.T, d.Hg, d.K),
		k:      tensor(t, ops.BF16, in.Key, d.B, d.T, d.Hg, d.K),
		v:      tensor(t, ops.BF16, in.Value, d.B, d.T, d.H, d.V),
		g:      tensor(t, ops.F32, in.Gate, d.B, d.T, d.H),
		beta:   tensor(t, ops.F32, in.Beta, d.B, d.T, d.H),
	}
	if in.InitialState != nil {
		x.initial = tensor(t, ops.F32, in.InitialState, d.B, d.H, d.V, d.K)
	}
	return x
}

// rule is the whole operation on x with fresh outputs and scratch.
func (x inputs) rule(t testing.TB, path ops.Path, out ops.DType) ops.ChunkGatedDeltaRule {
	t.Helper()
	d := x.Dims
	op := ops.ChunkGatedDeltaRule{Q: x.q, K: x.k, V: x.v, G: x.g, Beta: x.beta, InitialState: x.initial,
		Out: newTensor(t, out, d.B, d.T, d.H, d.V), FinalState: newTensor(t, ops.F32, d.B, d.H, d.V, d.K),
		Scale: float32(x.Scale), Path: path}
	addScratch(t, &op)
	return op
}

func addScratch(t testing.TB, op *ops.ChunkGatedDeltaRule) {
	t.Helper()
	n, err := op.ScratchSize()
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		op.Scratch = newTensor(t, ops.U8, n)
	}
}

// within fails unless the relative RMS error of got is at most bound.
func within(t testing.TB, what string, got, want []float64, bound float64) {
	t.Helper()
	if e := reference.RelRMS(got, want); e > bound {
		t.Errorf("%s: relative RMS error %.3g, bound %.3g", what, e, bound)
	}
}

// withinUlp fails unless each bfloat16 value of got is the wanted one, its neighbour, or nearer to it than a 1e-5th of the RMS:
// sums that cancel have fewer good digits than a bfloat16.
func withinUlp(t testing.TB, what string, got, want []float64) {
	t.Helper()
	withinUlpBut(t, what, got, want, 0)
}

// withinUlpBut lets a fraction of the elements stray, by up to 2 % of the RMS.
func withinUlpBut(t testing.TB, what string, got, want []float64, fraction float64) {
	t.Helper()
	var square float64
	for _, w := range want {
		square += w * w
	}
	rms := math.Sqrt(square / float64(len(want)))
	if rms == 0 {
		t.Errorf("%s: the reference is all zeros", what)
	}
	left := int(fraction * float64(len(want)))
	for i := range want {
		u, d := reference.BF16Ulps(got[i], want[i]), math.Abs(got[i]-want[i])
		if u >= 0 && (u <= 1 || d <= 1e-5*rms) {
			continue
		}
		if left--; left < 0 || !(d <= 0.02*rms) {
			t.Errorf("%s: element %d is %g, want %g: %d bfloat16 steps", what, i, got[i], want[i], u)
			return
		}
	}
}
