package mtl

import (
	"context"
	"testing"
)

func init() { scenarios = append(scenarios, scenario{"indirect commands", playIndirect}) }

func playIndirect(t *testing.T, d *Device) error {
	l := must(d.NewLibraryWithSource(`kernel void k(device int *p [[buffer(0)]], threadgroup int *s [[threadgroup(0)]]) { s[0] = 1; p[0] = s[0]; }`, nil))(t)
	defer l.Release()
	f := must(l.NewFunction("k"))(t)
	defer f.Release()
	p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, SupportIndirectCommandBuffers: true}))(t)
	defer p.Release()
	b, err := d.NewIndirectCommandBuffer(&IndirectCommandBufferDescriptor{
		CommandTypes:             IndirectCommandTypeConcurrentDispatch | IndirectCommandTypeConcurrentDispatchThreads,
		MaxKernelBufferBindCount: 1, MaxKernelThreadgroupMemoryBindCount: 1,
	}, 2, StorageModeShared)
	if err != nil {
		return err
	}
	defer b.Release()
	b.SetLabel("commands")
	out := must(d.NewBuffer(16, StorageModeShared))(t)
	defer out.Release()
	if err := b.Reset(0, 2); err != nil {
		return err
	}
	if err := b.Encode(1, func(c *IndirectComputeCommand) error {
		c.Reset()
		c.SetComputePipelineState(p)
		c.SetKernelBuffer(out, 4, 0)
		c.SetThreadgroupMemoryLength(16, 0)
		c.ConcurrentDispatchThreads(Size{1, 1, 1}, Size{1, 1, 1})
		c.ConcurrentDispatchThreadgroups(Size{1, 1, 1}, Size{1, 1, 1})
		c.SetBarrier()
		c.ClearBarrier()
		return nil
	}); err != nil {
		return err
	}
	q := must(d.NewCommandQueue())(t)
	defer q.Release()
	c := must(q.NewCommandBuffer())(t)
	e := must(c.NewBlitCommandEncoder())(t)
	e.CopyCommands(b, 1, 1, b, 0)
	e.OptimizeCommands(b, 0, 2)
	e.ResetCommands(b, 0, 1)
	if err := e.EndEncoding(); err != nil {
		return err
	}
	c.Release()
	return q.Run(context.Background(), func(e *ComputeCommandEncoder) error {
		e.UseResources(ResourceUsageRead, out)
		e.ExecuteCommands(b, 1, 1)
		e.ExecuteCommandsIndirect(b, out, 8)
		return nil
	})
}
