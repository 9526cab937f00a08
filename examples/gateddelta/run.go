package main

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
)

// runner is what runs cases.
type runner struct {
	device   *mtl.Device
	registry *kernels.Registry
	queue    *mtl.CommandQueue
	repeats  int
}

// operation is what all ops have in common.
type operation interface {
	Validate() error
	Encode(*mtl.ComputeCommandEncoder, *kernels.Registry) error
}

// buffers are a case's tensors on the device. Its allocating methods keep the first error and then return the zero Tensor.
type buffers struct {
	device *mtl.Device
	all    []*mtl.Buffer
	err    error

	q, k, v, g, beta, initial ops.Tensor
	chunkedOut                ops.Tensor // bf16, as a model would have it
	recurrentOut              ops.Tensor // f32
	final                     ops.Tensor
	scratch                   ops.Tensor
	scale                     float32
}

func (b *buffers) release() {
	for _, buffer := range b.all {
		buffer.Release()
	}
}

// add makes a tensor of its own buffer with the given contents.
func (b *buffers) add(dtype ops.DType, contents []byte, shape ...int) ops.Tensor {
	if b.err != nil {
		return ops.Tensor{}
	}
	buffer, err := b.device.NewBufferWithBytes(contents, mtl.StorageModeShared)
	return b.own(buffer, err, dtype, shape)
}

// output makes a tensor of its own buffer.
func (b *buffers) output(dtype ops.DType, shape ...int) ops.Tensor {
	t := ops.Tensor{DType: dtype, Shape: shape}
	size, err := t.ByteSize()
	if err != nil && b.err == nil {
		b.err = err
	}
	if b.err != nil {
		return ops.Tensor{}
	}
	buffer, err := b.device.NewBuffer(size, mtl.StorageModeShared)
	return b.own(buffer, err, dtype, shape)
}

func (b *buffers) own(buffer *mtl.Buffer, err error, dtype ops.DType, shape []int) ops.Tensor {
	if err != nil {
		b.err = err
		return ops.Tensor{}
	}
	b.all = append(b.all, buffer)
	return ops.Tensor{Buffer: buffer, DType: dtype, Shape: shape}
}

// upload puts a case on the device. The caller releases the buffers, also if there is an error.
func (r *runner) upload(c *goldenCase) (*buffers, error) {
	b := &buffers{device: r.device, scale: float32(1 / math.Sqrt(float64(c.k)))}
	b.q = b.add(ops.BF16, c.q, c.b, c.t, c.hg, c.k)
	b.k = b.add(ops.BF16, c.key, c.b, c.t, c.hg, c.k)
	b.v = b.add(ops.BF16, c.value, c.b, c.t, c.h, c.v)
	b.g = b.add(ops.F32, float32Bytes(c.g), c.b, c.t, c.h)
	b.beta = b.add(ops.F32, float32Bytes(c.beta), c.b, c.t, c.h)
	if c.initial != nil {
		b.initial = b.add(ops.F32, float32Bytes(c.initial), c.b, c.h, c.v, c.k)
	}
	b.chunkedOut = b.output(ops.BF16, c.b, c.t, c.h, c.v)
	b.recurrentOut = b.output(ops.F32, c.b, c.t, c.h, c.v)
	b.final = b.output(ops.F32, c.b, c.h, c.v, c.k)
	if b.err != nil {
		return b, b.err
	}
	size, err := b.rule().ScratchSize()
	if err != nil {
		return b, asInput(err)
	}
	b.scratch = b.output(ops.U8, size)
	return b, b.err
}

// rule is the chunked path, also where PathAuto would choose the recurrent one.
func (b *buffers) rule() ops.ChunkGatedDeltaRule {
	return ops.ChunkGatedDeltaRule{Q: b.q, K: b.k, V: b.v, G: b.g, Beta: b.beta, InitialState: b.initial,
		Out: b.chunkedOut, FinalState: b.final, Scratch: b.scratch, Scale: b.scale, Path: ops.PathChunked}
}

// path is a way to compute a case: the operation, and where its results are.
type path struct {
	op         operation
	out, final ops.Tensor
}

func (b *buffers) chunked() path { return path{b.rule(), b.chunkedOut, b.final} }

func (b *buffers) recurrent() path {
	op := ops.GatedDeltaRecurrent{Q: b.q, K: b.k, V: b.v, G: b.g, Beta: b.beta, InitialState: b.initial,
		Out: b.recurrentOut, FinalState: b.final, Scale: b.scale}
	return path{op, b.recurrentOut, b.final}
}

// result is how a path did.
type result struct {
	o, state float64 // relative RMS errors
	ms       float64 // of the device, the fastest run
}

// measure runs a path and compares. An argument that an op rejects is the file's fault: everything else about the call is
// right.
func (r *runner) measure(c *goldenCase, p path) (result, error) {
	if err := p.op.Validate(); err != nil {
		return result{}, asInput(err)
	}
	// What an earlier run left in the outputs must not be taken for results.
	for _, t := range []ops.Tensor{p.out, p.final} {
		if err := poison(t); err != nil {
			return result{}, err
		}
	}
	best := math.Inf(1)
	for range r.repeats {
		ms, err := r.time(p.op)
		if err != nil {
			return result{}, err
		}
		best = min(best, ms)
	}
	o, err := values(p.out)
	if err != nil {
		return result{}, err
	}
	state, err := values(p.final)
	if err != nil {
		return result{}, err
	}
	return result{relativeRMS(o, c.o), relativeRMS(state, c.final), best}, nil
}

// time runs an operation in a command buffer of its own and returns the device's milliseconds.
func (r *runner) time(op operation) (ms float64, err error) {
	r.device.AutoreleasePool(func() {
		var buffer *mtl.CommandBuffer
		if buffer, err = r.queue.NewCommandBuffer(); err != nil {
			return
		}
		defer buffer.Release()
		var encoder *mtl.ComputeCommandEncoder
		if encoder, err = buffer.NewComputeCommandEncoder(mtl.DispatchTypeSerial); err != nil {
			return
		}
		err = errors.Join(op.Encode(encoder, r.registry), encoder.EndEncoding())
		if err != nil {
			return
		}
		if err = buffer.Commit(); err != nil {
			return
		}
		if err = buffer.WaitUntilCompleted(); err == nil {
			ms = 1e3 * (buffer.GPUEndTime() - buffer.GPUStartTime())
		}
	})
	return ms, err
}

// asInput makes an op's refusal an inputError and leaves other errors alone.
func asInput(err error) error {
	var argument *ops.ArgumentError
	if errors.As(err, &argument) {
		return &inputError{err}
	}
	return err
}

// poison fills a tensor with NaNs: every byte 0xff is one in F32 and in BF16.
func poison(t ops.Tensor) error {
	bytes, err := mtl.Contents[uint8](t.Buffer)
	for i := range bytes {
		bytes[i] = 0xff
	}
	return err
}

// values reads an F32 or BF16 tensor that fills its buffer.
func values(t ops.Tensor) ([]float32, error) {
	if t.DType == ops.F32 {
		x, err := mtl.Contents[float32](t.Buffer)
		return append([]float32(nil), x...), err
	}
	bits, err := mtl.Contents[uint16](t.Buffer)
	x := make([]float32, len(bits))
	for i, b := range bits {
		x[i] = math.Float32frombits(uint32(b) << 16)
	}
	return x, err
}

func float32Bytes(x []float32) []byte {
	p := make([]byte, 0, 4*len(x))
	for _, v := range x {
		p = binary.LittleEndian.AppendUint32(p, math.Float32bits(v))
	}
	return p
}
