package mtl

import (
	"errors"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// Scenarios about synchronisation, memory, and what a device can do.
func init() {
	scenarios = append(scenarios, []scenario{
		{"capabilities", func(_ *testing.T, d *Device) error {
			d.IsLowPower()
			d.IsHeadless()
			d.IsRemovable()
			d.Location()
			d.LocationNumber()
			d.MaxTransferRate()
			d.PeerGroupID()
			d.PeerIndex()
			d.PeerCount()
			d.ArgumentBuffersSupport()
			d.SupportsDynamicLibraries()
			d.SupportsFunctionPointers()
			d.SupportsRaytracing()
			d.SupportsCounterSampling(CounterSamplingPointAtBlitBoundary)
			return nil
		}},
		{"architecture", func(_ *testing.T, d *Device) error {
			_, err := d.Architecture()
			return err
		}},
		{"compilations", func(_ *testing.T, d *Device) error {
			_, err := d.MaximumConcurrentCompilationTaskCount()
			return err
		}},
		{"resources", func(t *testing.T, d *Device) error {
			b := must(d.NewBuffer(64, StorageModeShared))(t)
			defer b.Release()
			b.AllocatedSize()
			b.HeapOffset()
			b.IsAliasable()
			b.HazardTracked()
			_, err := b.SetPurgeableState(PurgeableStateVolatile)
			err = errors.Join(err, b.AddDebugMarker("head", 16, 4))
			b.RemoveAllDebugMarkers()
			return err
		}},
		{"heaps", func(t *testing.T, d *Device) error {
			h := must(d.NewHeap(&HeapDescriptor{Label: "heap", Size: 4096}))(t)
			defer h.Release()
			b := must(h.NewBuffer(300, StorageModeShared))(t)
			defer b.Release()
			must(h.MaxAvailableSize(256))(t)
			h.UsedSize()
			h.CurrentAllocatedSize()
			p := must(d.NewHeap(&HeapDescriptor{Size: 4096, Type: HeapTypePlacement, Options: StorageModePrivate | HazardTrackingModeTracked}))(t)
			defer p.Release()
			must(p.NewBufferAtOffset(300, StorageModePrivate, 512))(t).Release()
			_, err := h.SetPurgeableState(PurgeableStateKeepCurrent)
			return errors.Join(err, b.MakeAliasable())
		}},
		{"events", func(t *testing.T, d *Device) error {
			q := must(d.NewCommandQueue())(t)
			defer q.Release()
			e, s := must(d.NewEvent())(t), must(d.NewSharedEvent())(t)
			defer e.Release()
			defer s.Release()
			e.SetLabel("event")
			c := must(q.NewCommandBuffer())(t)
			defer c.Release()
			err := errors.Join(s.SetSignaledValue(1), c.EncodeWaitForEvent(s, 1), c.EncodeSignalEvent(e, 7), c.EncodeSignalEvent(s, 2), c.Commit())
			_, waited := s.WaitUntilSignaledValue(2, 1500*time.Millisecond)
			s.SignaledValue()
			return errors.Join(err, waited, c.WaitUntilCompleted())
		}},
		{"notification", func(t *testing.T, d *Device) error {
			e := must(d.NewSharedEvent())(t)
			defer func() {
				e.Release()
				// The listener that takes the place of a newer system's lives as long as the process. Not here.
				objc.Release(listeners.made[d.runtime])
				delete(listeners.made, d.runtime)
			}()
			return e.Notify(5, func(uint64) { t.Error("called") })
		}},
		{"fences and uses", func(t *testing.T, d *Device) error {
			q := must(d.NewCommandQueue())(t)
			defer q.Release()
			f := must(d.NewFence())(t)
			defer f.Release()
			f.SetLabel("fence")
			p := transcriptPipeline(t, d)
			defer p.Release()
			b := must(d.NewBuffer(64, StorageModeShared))(t)
			defer b.Release()
			h := must(d.NewHeap(&HeapDescriptor{Size: 4096}))(t)
			defer h.Release()
			c := must(q.NewCommandBuffer())(t)
			defer c.Release()
			blit := must(c.NewBlitCommandEncoder())(t)
			blit.FillBuffer(b, 0, 64, 0)
			blit.UpdateFence(f)
			err := blit.EndEncoding()
			e := must(c.NewComputeCommandEncoder(DispatchTypeSerial))(t)
			e.WaitForFence(f)
			e.UseResource(b, ResourceUsageRead)
			e.UseResources(ResourceUsageRead|ResourceUsageWrite, b, b)
			e.UseHeap(h)
			e.UseHeaps(h)
			e.InsertDebugSignpost("signpost")
			e.SetComputePipelineState(p)
			e.DispatchThreadgroupsIndirect(b, 8, Size{4, 2, 1})
			return errors.Join(err, e.EndEncoding(), c.Commit(), c.WaitUntilCompleted())
		}},
		{"a command buffer's life", func(t *testing.T, d *Device) error {
			q := must(d.NewCommandQueue())(t)
			defer q.Release()
			c := must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{
				Label: "life", UnretainedReferences: true, ErrorOptions: CommandBufferErrorOptionEncoderExecutionStatus,
			}))(t)
			defer c.Release()
			c.RetainedReferences()
			c.ErrorOptions()
			// The handlers' messages come between those of here at one place.
			committed, completed := make(chan struct{}), make(chan struct{})
			err := errors.Join(c.AddScheduledHandler(func() { <-committed }), c.AddCompletedHandler(func(error) { close(completed) }),
				c.Enqueue(), c.PushDebugGroup("group"), c.PopDebugGroup(), c.Commit())
			close(committed)
			<-completed
			c.KernelStartTime()
			c.KernelEndTime()
			return errors.Join(err, c.WaitUntilScheduled(), c.WaitUntilCompleted())
		}},
		{"encoders of a fault", func(t *testing.T, d *Device) error {
			q := must(d.NewCommandQueue())(t)
			defer q.Release()
			l := must(d.NewLibraryWithSource("kernel void k(device int *p [[buffer(0)]], uint i [[thread_position_in_grid]]) { p[i] = 1; }", nil))(t)
			defer l.Release()
			f := must(l.NewFunction("k"))(t)
			defer f.Release()
			p := must(d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f}))(t)
			defer p.Release()
			var failed *CommandBufferError
			if err := encoders(t, p, q, CommandBufferErrorOptionEncoderExecutionStatus); !errors.As(err, &failed) || len(failed.Encoders) != 3 {
				t.Errorf("a write past the end: %v", err)
			}
			return nil
		}},
	}...)
}
